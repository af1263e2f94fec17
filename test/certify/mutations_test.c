/* Certificates of C programs, right and wrong ones: every program of test/features comes as a pair
 * of a good and a bad one. A good one's certificate is accepted, and rejected as soon as a bound is
 * lowered or a line is lost; whatever a certificate says, a bad program is never accepted. */
#include "certify/certify.h"
#include "engine/engine.h"
#include "front/front.h"
#include "proof/proof_engines.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char folder[] = "test/features";

typedef struct {
  tp_diag *diag;
  tp_program *p;
} subject;

static subject load(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const char *files[] = {path};
  subject s = {.diag = tp_diag_new(stderr, false)};
  tp_front_options o = {.files = files,
                        .n_files = 1,
                        .property = TP_P_UNREACH_CALL,
                        .machine = strstr(name, "ilp32") ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, s.diag, &s.p), TP_OK);
  return s;
}

static void drop(subject *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

static tp_certify_result judge(const tp_program *p, const char *certificate) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s = 20};
  tp_certify_result r = tp_certify_true(p, TP_P_UNREACH_CALL, certificate, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the files that end so, sorted; programs of several files are left out. */
static size_t list(const char *ending, char **names, size_t max) {
  DIR *d = opendir(folder);
  assert_non_null(d);
  size_t n = 0, k = strlen(ending);
  for (struct dirent *e; (e = readdir(d)) != NULL && n < max;) {
    size_t length = strlen(e->d_name);
    if (length > k && strcmp(e->d_name + length - k, ending) == 0 &&
        strncmp(e->d_name, "units-", 6) != 0)
      names[n++] = strdup(e->d_name);
  }
  closedir(d);
  qsort(names, n, sizeof *names, compare_names);
  assert_true(n > 10);
  return n;
}

// ------------------------------------------------------------------ good programs

/* The certificate with the number at the end of its `line`-th loop or depth line lowered, or the
 * line left out. False: no such line, or nothing below. */
static bool lowered(const char *text, unsigned line, bool leave_out, tp_str *out) {
  unsigned seen = 0;
  bool changed = false;
  while (*text) {
    size_t n = strcspn(text, "\n");
    const char *fields[4] = {0};
    int n_fields = 0;
    bool bound = strncmp(text, "loop ", 5) == 0 || strncmp(text, "depth ", 6) == 0;
    for (size_t i = 0; bound && i < n && text[i] != '#' && n_fields < 4; i++)
      if (text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) fields[n_fields++] = text + i;
    if (bound && seen++ == line) {
      const char *number = fields[n_fields - 1];
      uint64_t value = strtoull(number, NULL, 10);
      uint64_t least = text[0] == 'd' ? 1 : 0;
      if (value == least) return false;  // lower is no other claim
      if (!leave_out) {
        tp_str_add_n(out, text, (size_t)(number - text));
        tp_str_printf(out, "%" PRIu64 "\n", value - 1);
      }
      changed = true;
    } else {
      tp_str_add_n(out, text, n + (text[n] == '\n'));
    }
    text += n + (text[n] == '\n');
  }
  return changed;
}

static unsigned mutate(const tp_program *p, const char *name, const char *certificate) {
  unsigned tried = 0;
  for (unsigned line = 0; line < 20; line++)
    for (int leave_out = 0; leave_out <= 1; leave_out++) {
      tp_str text = {0};
      if (lowered(certificate, line, leave_out, &text)) {
        tp_certify_result r = judge(p, tp_str_text(&text));
        if (r != TP_CERTIFY_REJECTED)
          print_error("%s: %s with\n%s\n", name, tp_certify_result_name(r), tp_str_text(&text));
        assert_int_equal(r, TP_CERTIFY_REJECTED);
        tried++;
      }
      tp_str_clear(&text);
    }
  return tried;
}

static void certificates_of_good_programs(void **state) {
  (void)state;
  char *names[200];
  size_t n = list("-good.c", names, 200), accepted = 0;
  unsigned mutations = 0;
  for (size_t i = 0; i < n; i++) {
    subject s = load(names[i]);
    tp_task task = {.program = s.p, .property = TP_P_UNREACH_CALL};
    tp_budget budget = {.cpu_s = 20};
    tp_stats stats = {0};
    tp_result result;
    tp_result_init(&result);
    tp_engine_bmc.run(&task, &budget, &stats, &result);
    if (result.verdict == TP_VERDICT_TRUE) {
      tp_certify_result r = judge(s.p, result.certificate.text);
      if (r == TP_CERTIFY_REJECTED) print_error("%s: rejected\n", names[i]);
      assert_int_not_equal(r, TP_CERTIFY_REJECTED);
      accepted += r == TP_CERTIFY_ACCEPTED;
      if (r == TP_CERTIFY_ACCEPTED) mutations += mutate(s.p, names[i], result.certificate.text);
    }
    tp_result_clear(&result);
    drop(&s);
    free(names[i]);
  }
  assert_true(accepted * 10 >= n * 9);
  assert_true(mutations >= 20);
}

// ------------------------------------------------------------------- bad programs

/* A certificate that claims generous bounds for everything. */
static void claim_all(const tp_program *p, unsigned turns, tp_str *out) {
  tp_str_printf(out,
                "twoproof-certificate 2\nkind unrolling\nproperty unreach-call\nmachine "
                "%s\nprogram %016" PRIx64 "\n",
                p->ptr_bits == 32 ? "ilp32" : "lp64", tp_program_fingerprint(p));
  for (size_t i = 1; i < p->loops.n; i++) {
    uint32_t head = p->loops.at[i].head.id;
    tp_str_printf(out, "loop %s %" PRIu32 " %u\n", tp_func_of(p, p->locs.at[head].func)->name, head,
                  turns);
  }
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && p->funcs.at[i].is_recursive)
      tp_str_printf(out, "depth %s %u\n", p->funcs.at[i].name, turns);
  tp_str_add(out, "end\n");
}

static void bad_programs_are_never_accepted(void **state) {
  (void)state;
  char *names[200];
  size_t n = list("-bad.c", names, 200);
  for (size_t i = 0; i < n; i++) {
    subject s = load(names[i]);
    static const unsigned turns[] = {0, 1, 5};
    for (size_t k = 0; k < 3; k++) {
      tp_str text = {0};
      claim_all(s.p, turns[k], &text);
      tp_certify_result r = judge(s.p, text.text);
      if (r == TP_CERTIFY_ACCEPTED) print_error("%s: accepted with %u turns\n", names[i], turns[k]);
      assert_int_not_equal(r, TP_CERTIFY_ACCEPTED);
      tp_str_clear(&text);
    }
    drop(&s);
    free(names[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(certificates_of_good_programs),
                                     cmocka_unit_test(bad_programs_are_never_accepted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

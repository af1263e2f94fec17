/* Certificates written by hand for C programs: made, checked, compared with what is expected. */
#include "by_hand.h"

#include "base/files.h"
#include "certify/certify.h"
#include "engine/invariants.h"
#include "front/front.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static tp_program *load(const char *source, tp_diag *diag) {
  char path[] = "/tmp/by-hand-XXXXXX.c";
  const int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), strlen(source));
  close(fd);
  const char *files[] = {path};
  tp_program *p = NULL;
  const tp_front_options o = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
  unlink(path);
  return p;
}

/* The variable of main, or the static, with this name. */
static void put_name(const tp_program *p, const char *name, size_t n, tp_str *out) {
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->func.id != p->main.id || strncmp(v->name, name, n) != 0 || v->name[n]) continue;
    tp_str_printf(out, "(var %" PRIu32 ")", i);
    return;
  }
  for (uint32_t i = 1; i < p->statics.n; i++) {
    if (strncmp(p->statics.at[i].name, name, n) != 0 || p->statics.at[i].name[n]) continue;
    tp_str_printf(out, "(ptr %" PRIu32 " 0)", i);
    return;
  }
  fail_msg("no variable %.*s", (int)n, name);
}

/* between: stands for |. */
static void put_term(const tp_program *p, const char *text, const char *between, tp_str *out) {
  for (; *text; text++) {
    if (*text == '|') {
      tp_str_add(out, between);
    } else if (*text == '{') {
      const char *end = strchr(text, '}');
      put_name(p, text + 1, (size_t)(end - text - 1), out);
      text = end;
    } else {
      tp_str_add_char(out, *text);
    }
  }
}

static void put_formulas(const tp_program *p, uint32_t loc, const char *text, tp_str *out) {
  tp_str at = {0};
  tp_str_printf(&at, "\nat 1 %" PRIu32 " ", loc);
  tp_str_add(out, tp_str_text(&at) + 1);
  put_term(p, text, tp_str_text(&at), out);
  tp_str_add_char(out, '\n');
  tp_str_clear(&at);
}

static void put_certificate(const tp_program *p, const by_hand_row *r, tp_str *out) {
  int head = 0, fold = 0;
  tp_str_printf(out,
                "twoproof-certificate 2\nkind invariants\nproperty unreach-call\nmachine lp64\n"
                "program %016" PRIx64 "\ncontext 1 main\n",
                tp_program_fingerprint(p));
  for (; fold < BY_HAND_MOST_HEADS && r->folds[fold]; fold++) {
    tp_str_printf(out, "fold %d ", fold + 1);
    put_term(p, r->folds[fold], "", out);
    tp_str_add_char(out, '\n');
  }
  for (uint32_t l = 1; l < p->locs.n; l++) {
    if (p->locs.at[l].func.id != p->main.id || !p->locs.at[l].is_cutpoint) continue;
    assert_true(head < BY_HAND_MOST_HEADS && r->claims[head]);
    put_formulas(p, l, r->claims[head++], out);
  }
  if (r->extra) tp_str_printf(out, "%s\n", r->extra);
  tp_str_add(out, "end\n");
}

int by_hand_wrong(const by_hand_row *rows, size_t n) {
  int wrong = 0;
  for (size_t i = 0; i < n; i++) {
    tp_str text = {0};
    tp_certify_report report;
    const tp_certify_limits limits = {.cpu_s = 20};
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = load(rows[i].source, diag);
    put_certificate(p, &rows[i], &text);
    tp_certify_report_init(&report);
    const tp_certify_result got =
        tp_certify_true(p, TP_P_UNREACH_CALL, tp_str_text(&text), &limits, NULL, &report);
    if ((got == TP_CERTIFY_ACCEPTED) != rows[i].is_right) {
      print_error("%s: %s: %s\n%s", rows[i].name, tp_certify_result_name(got),
                  tp_str_text(&report.why), tp_str_text(&text));
      wrong++;
    }
    if (getenv("SHOW"))
      print_error("%s: %s: %s\n", rows[i].name, tp_certify_result_name(got),
                  tp_str_text(&report.why));
    tp_certify_report_clear(&report);
    tp_str_clear(&text);
    tp_program_free(p);
    tp_diag_free(diag);
  }
  return wrong;
}

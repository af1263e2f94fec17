/* Certificates of shapes against programs that fail: what the engine cpa writes for a list program,
 * with the name of a broken one on it and, after that, with graphs left out, values changed,
 * definitions dropped, hints changed. None is accepted; for the program that it was made for, it
 * is. */
#include "certify/certify.h"
#include "engine/engine.h"
#include "front/front.h"
#include "proof/proof_engines.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Graphs joined, few for each label; and many, beside explicit heaps. */
static const char *const configurations[] = {
    "analysis = location callstack shape\ntransfer = cartesian\nmerge = join-on-location\nstop = "
    "sep\nadjust = componentwise\nshape.merge = join\n",
    "analysis = location callstack shape heap\ntransfer = cartesian\nmerge = sep\nstop = "
    "sep\nadjust = precision-transfer\ncompare = off\nwaitlist = bfs\n"
    "shape.start = off\nshape.merge = sep\nheap.cells = 0\nheap.values = 0\n"};
enum { N_CONFIGURATIONS = sizeof configurations / sizeof *configurations };

static const char build[] =
    "extern void abort(void); extern void *malloc(unsigned long); extern void free(void *); extern "
    "int __VERIFIER_nondet_int(void);\n"
    "void reach_error(void) { abort(); }\nstruct node { struct node *next; int data; };\nint "
    "main(void) {\n  struct node *list = 0, *p = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n    struct node *n = malloc(sizeof *n);\n    n->next = "
    "list;\n    n->data = 1;\n    list = n;\n  }\n";

typedef struct {
  const char *rest;  // behind `build`
  tp_property property;
  const char *old, *new;  // what breaks it; the graph of control stays
} twin;
static const twin twins[] = {
    {"  for (p = list; p; p = p->next)\n    if (p->data != 1) reach_error();\n  return 0;\n}\n",
     TP_P_UNREACH_CALL, "data = 1", "data = 2"},
    {"  for (p = list; p; p = p->next)\n    if (p->data != 1) reach_error();\n  return 0;\n}\n",
     TP_P_VALID_DEREF, "n->next = list", "n->next = (void *)8"},
    {"  while (list) {\n    p = list->next;\n    free(list);\n    list = p;\n  }\n  return 0;\n}\n",
     TP_P_VALID_DEREF, "p = list->next", "p = list"},
    {"  while (list) {\n    p = list->next;\n    free(list);\n    list = p;\n  }\n  return 0;\n}\n",
     TP_P_VALID_FREE, "p = list->next", "p = list"},
};
enum { N_TWINS = sizeof twins / sizeof *twins };

typedef struct {
  tp_diag *diag;
  tp_program *p;
} subject;

static subject load(const char *text, tp_property property) {
  char path[] = "/tmp/shape-mutations-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  const char *files[] = {path};
  subject s = {.diag = tp_diag_new(stderr, false)};
  tp_front_options o = {
      .files = files, .n_files = 1, .property = property, .machine = TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, s.diag, &s.p), TP_OK);
  unlink(path);
  return s;
}

static void drop(subject *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
}

static void source(const twin *t, bool is_broken, tp_str *out) {
  tp_str whole = {0};
  tp_str_printf(&whole, "%s%s", build, t->rest);
  const char *at = strstr(whole.text, t->old);
  assert_non_null(at);
  tp_str_add_n(out, whole.text, (size_t)(at - whole.text));
  tp_str_printf(out, "%s%s", is_broken ? t->new : t->old, at + strlen(t->old));
  tp_str_clear(&whole);
}

static tp_certify_result judge(const subject *s, tp_property property, const char *certificate) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s = 20};
  tp_certify_result r = tp_certify_true(s->p, property, certificate, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r;
}

static void certificate_of(const subject *s, tp_property property, const char *configuration,
                           tp_str *out) {
  tp_task task = {.program = s->p, .property = property, .composition = configuration};
  tp_budget budget = {.cpu_s = 20};
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  tp_engine_cpa.run(&task, &budget, &stats, &result);
  assert_int_equal(result.verdict, TP_VERDICT_TRUE);
  tp_str_add(out, tp_str_text(&result.certificate));
  tp_result_clear(&result);
}

// -------------------------------------------------------------------- mutations

/* The start of a line, drawn, that starts with `word`; NULL: there is none. */
static char *some_line(tp_str *text, const char *word, tp_rng *rng) {
  char *found = NULL;
  uint64_t n = 0;
  for (char *at = text->text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
    if (!strncmp(at, word, strlen(word)) && tp_rng_below(rng, ++n) == 0) found = at;
  return found;
}

/* A value of a graph. */
static void change_value(tp_str *text, tp_rng *rng) {
  char *line = some_line(text, "graph ", rng);
  size_t n = strcspn(line, "\n"), skip = 0;
  for (int words = 0; words < 4; skip++) words += line[skip] == ' ';  // graph G K NODES
  for (int tries = 0; tries < 1000 && skip < n; tries++) {
    char *at = line + skip + tp_rng_below(rng, n - skip), was = *at;
    if (!strchr("01h", was)) continue;
    *at = "01h"[tp_rng_below(rng, 3)];
    if (*at != was) return;
  }
}

/* The last graph of a label is left out; or a definition. */
static void leave_out_graph(tp_str *text, tp_rng *rng) {
  char *line = some_line(text, "shape ", rng), *end = line + strcspn(line, "\n"), *last = end;
  while (last[-1] != ' ') last--;
  if (strchr(line, ' ') + 1 < last) memset(last - 1, ' ', (size_t)(end - last) + 1);
}
static void leave_out_definition(tp_str *text, tp_rng *rng) {
  char *line = some_line(text, "predicate ", rng), *define = strstr(line, "instrumentation 1 "),
       *end = line + strcspn(line, "\n");
  if (define && define < end) {
    memcpy(define, "opaque 1", 8);
    memset(define + 8, ' ', (size_t)(end - define) - 8);
  }
}

/* A connective, or a number, of a hint. */
static void change_hint(tp_str *text, tp_rng *rng) {
  static const struct {
    const char *old, *new;
  } words[] = {
      {"(and ", "(or  "}, {"(some ", "(all  "}, {"(path* ", "(path+ "}, {"(path+ ", "(path* "}};
  char *line = some_line(text, tp_rng_below(rng, 2) ? "constraint " : "update ", rng);
  if (!line) return;
  const size_t n = strcspn(line, "\n"), skip = strcspn(line, "(");
  for (int tries = 0; tries < 100 && skip < n; tries++) {
    char *at = line + skip + tp_rng_below(rng, n - skip), was = *at;
    if (was >= '0' && was <= '9') {
      *at = (char)('0' + tp_rng_below(rng, 10));
      if (*at != was) return;
    }
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
      const size_t length = strlen(words[w].old);
      if (strncmp(at, words[w].old, length) != 0) continue;
      memcpy(at, words[w].new, length);
      return;
    }
  }
}

static void mutate(tp_str *text, tp_rng *rng) {
  switch (tp_rng_below(rng, 6)) {
    case 2:
    case 3: change_hint(text, rng); return;
    case 0: leave_out_graph(text, rng); return;
    case 1: leave_out_definition(text, rng); return;
    default: change_value(text, rng); return;
  }
}

static void rename_program(tp_str *text, const tp_program *p) {
  char name[32];
  snprintf(name, sizeof name, "program %016" PRIx64, tp_program_fingerprint(p));
  memcpy(some_line(text, "program ", &(tp_rng){0}), name, strlen(name));
}

static void no_broken_program_is_accepted(int how) {
  const uint64_t mutations = getenv("TP_SOAK") ? 60 : 2;
  tp_rng rng;
  tp_rng_init(&rng, 20);
  for (int i = 0; i < N_TWINS; i += getenv("TP_SOAK") ? 1 : 2) {
    tp_str good = {0}, bad = {0}, certificate = {0};
    source(&twins[i], false, &good);
    source(&twins[i], true, &bad);
    subject right = load(tp_str_text(&good), twins[i].property),
            broken = load(tp_str_text(&bad), twins[i].property);
    certificate_of(&right, twins[i].property, configurations[how], &certificate);
    assert_int_equal(judge(&right, twins[i].property, tp_str_text(&certificate)),
                     TP_CERTIFY_ACCEPTED);
    rename_program(&certificate, broken.p);
    for (uint64_t m = 0; m <= mutations; m++) {
      tp_str changed = {0};
      tp_str_add(&changed, tp_str_text(&certificate));
      for (uint64_t k = 0; k < m; k += 1 + m / 2) mutate(&changed, &rng);
      if (judge(&broken, twins[i].property, tp_str_text(&changed)) == TP_CERTIFY_ACCEPTED)
        fail_msg("accepted for\n%s%s", bad.text, changed.text);
      tp_str_clear(&changed);
    }
    drop(&right);
    drop(&broken);
    tp_str_clear(&good);
    tp_str_clear(&bad);
    tp_str_clear(&certificate);
  }
}

static void broken_programs_are_never_accepted(void **unused) {
  (void)unused;
  for (int how = 0; how < N_CONFIGURATIONS; how++) no_broken_program_is_accepted(how);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(broken_programs_are_never_accepted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

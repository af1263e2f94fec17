/* Bare certificates of C programs: every call has its context, every cycle a label that says nothing. So all that excludes an error
 * is what the checker itself believes about C; for programs that fail as compiled it must not accept any of these.
 *
 *   bare_certificates_test                                the programs below
 *   bare_certificates_test PROPERTY lp64|ilp32 FILE...    what the checker says of these programs */
#include "certify/certify.h"
#include "engine/invariants.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_CONTEXTS = 2000 };

#define HEAD "extern void reach_error(void); extern int nondet(void); extern long nondet_long(void);\n"

// ------------------------------------------------------------------- writing

static bool has_contract(const tp_program *p, tp_func f) { return tp_func_of(p, f)->is_recursive; }

/* Contexts of one call edge: of its callee, or of every function that its pointer may lead to. */
static void enter_all(tp_invariants *v, const tp_program *p, tp_context c, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(p, e);
  for (uint32_t i = 1; i < p->funcs.n && v->contexts.list.n < MOST_CONTEXTS; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    bool fits = f->has_body && f->entry.id && f->n_params == edge->n_args && !has_contract(p, (tp_func){i}) && !tp_context_has(&v->contexts, c, (tp_func){i});
    if (!fits || (edge->callee.id && edge->callee.id != i) || (!edge->callee.id && !f->object)) continue;
    for (uint32_t k = 0; k < f->n_params && fits; k++) fits = tp_sort_eq(tp_sort_of(p->terms, edge->args[k]), tp_sort_of(p->terms, tp_var_of(p, f->params[k])->term));
    if (edge->var.id) fits = fits && f->result.id && tp_sort_eq(tp_sort_of(p->terms, tp_var_of(p, edge->var)->term), tp_sort_of(p->terms, tp_var_of(p, f->result)->term));
    if (fits) tp_context_push(&v->contexts, c, e, (tp_func){i});
  }
}

static void write_bare(tp_program *p, tp_property property, tp_str *out) {
  tp_invariants v;
  tp_invariants_init(&v);
  v.property = property;
  v.ptr_bits = p->ptr_bits;
  v.fingerprint = tp_program_fingerprint(p);
  tp_context_root(&v.contexts, p->main, 0);
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    if (!p->funcs.at[i].has_body || !has_contract(p, (tp_func){i})) continue;
    uint32_t k = tp_summaries_add(&v.contracts, (tp_summary){.func = {i}, .pre = tp_mk_true(p->terms), .post = tp_mk_true(p->terms), .returns = true});
    tp_context_root(&v.contexts, (tp_func){i}, k);
  }
  for (uint32_t c = 1; c < v.contexts.list.n; c++) {
    tp_func top = v.contexts.list.at[c].func;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (p->edges.at[i].kind == TP_E_CALL && p->edges.at[i].from.id && tp_loc_of(p, p->edges.at[i].from)->func.id == top.id) enter_all(&v, p, (tp_context){c}, (tp_edge){i});
    for (uint32_t l = 1; l < p->locs.n; l++)
      if (p->locs.at[l].func.id == top.id && p->locs.at[l].is_cutpoint) tp_vec_push(&v.list, ((tp_invariant){{c}, {l}, tp_mk_true(p->terms)}));
  }
  assert_true(tp_invariants_write(&v, p, out));
  tp_invariants_clear(&v);
}

static tp_certify_result judge(const char *path, tp_property property, bool ilp32, bool shows) {
  const char *files[] = {path};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = NULL;
  tp_front_options o = {.files = files, .n_files = 1, .property = property, .machine = ilp32 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
  tp_str text = {0};
  write_bare(p, property, &text);
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 20};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(p, property, text.text, &limits, NULL, &report);
  if (shows) {
    printf("%s: %s %s\n", path, tp_certify_result_name(r), tp_str_text(&report.why));
    for (size_t i = 0; i < report.assumptions.n; i++) printf("    %s\n", report.assumptions.at[i]);
  }
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  tp_program_free(p);
  tp_diag_free(diag);
  return r;
}

// ------------------------------------------------------------------- programs

/* `good` (NULL: none) and `bad` are what X is in the source; in the bad one a run gets to the error, or may as compiled. */
typedef struct {
  const char *name, *source;
  const char *good, *bad;
} row;

static const row rows[] = {
    {"a constant", "int main(void) { int x = 1; if (x == X) reach_error(); return 0; }", "2", "1"},
    {"a number from outside followed as a pointer", "extern long get(void); int g; int main(void) { g = 0; X g = g; *(int *)get() = 1; reach_error(); }", "return 0;", ""},
    {"an extern number followed as a pointer", "extern long where; int main(void) { X *(int *)where = 1; reach_error(); }", "return 0;", ""},
    {"an address in a double, as bits",
     "union u { double d; int *p; }; int x; int main(void) { union u a, b; a.p = &x; double d = a.d; b.d = d; *b.p = 1; if (x == X) reach_error(); return 0; }", NULL, "1"},
    {"an address in a double, as a number", "int x; int main(void) { double d = (double)(long)&x; *(int *)(long)d = 1; if (x == X) reach_error(); return 0; }", NULL, "1"},
    {"an address in a global number", "int x; static long g = (long)&x; int main(void) { *(int *)g = 1; if (x == X) reach_error(); return 0; }", "0", "1"},
    {"an address in bytes of a number",
     "int x; int main(void) { long a = (long)&x, b = 0; for (int i = 0; i < 8; i++) ((char *)&b)[i] = ((char *)&a)[i]; *(int *)b = 1; if (x == X) reach_error(); return 0; }", NULL, "1"},
    {"a pointer that was never set", "int main(void) { int *n; while (nondet()) ; X if (n && *n == 3) reach_error(); return 0; }", "n = 0;", ""},
    {"a pointer in memory that was never set",
     "#include <stdlib.h>\nstruct n { struct n *next; int v; };\nint main(void) { struct n *n = malloc(sizeof *n); X if (n->next && n->next->v == 3) reach_error(); return 0; }", "n->next = 0;", ""},
    {"a number asked for followed as a pointer", "int g[2]; int main(void) { g[nondet() & 1] = 3; int *p = (int *)nondet_long(); X if (p && *p == 3) reach_error(); return 0; }", "p = 0;", ""},
    {"the bits of a NaN", "union u { float f; unsigned u; }; int main(void) { union u a, b; a.u = (unsigned)nondet(); float f = a.f; b.f = f; if (f == f) return 0; if (b.u != 0x7fc00000u X) reach_error(); return 0; }",
     NULL, ""},
    {"the address of what has ended", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); unsigned long a = (unsigned long)p; free(p); int *q = malloc(4); if ((unsigned long)q == a X) reach_error(); return 0; }", "&& 0", ""},
    {"a function without body through a pointer", "extern int other(int); int main(void) { int (*f)(int) = other; X f(3); reach_error(); }", "return 0;", ""},
};

static tp_certify_result judge_source(const char *source, const char *x) {
  tp_str text = {0};
  char path[] = "/tmp/twoproof-bare-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  const char *at = strstr(source, "X");
  tp_str_add(&text, HEAD);
  tp_str_add_n(&text, source, (size_t)(at - source));
  tp_str_add(&text, x);
  tp_str_add(&text, at + 1);
  assert_int_equal(write(fd, text.text, text.n), (ssize_t)text.n);
  close(fd);
  tp_str_clear(&text);
  tp_certify_result c = judge(path, TP_P_UNREACH_CALL, false, false);
  unlink(path);
  return c;
}

static void nothing_is_believed_that_runs_refute(void **unused) {
  (void)unused;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row *r = &rows[i];
    bool bad = judge_source(r->source, r->bad) == TP_CERTIFY_ACCEPTED, good = r->good && judge_source(r->source, r->good) != TP_CERTIFY_ACCEPTED;
    if (bad || good) print_error("%s: %s\n", r->name, bad ? "the broken one is accepted" : "the right one is not accepted");
    wrong += bad + good;
  }
  assert_int_equal(wrong, 0);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(int argc, char **argv) {
  if (argc > 3) {
    tp_property property;
    if (!tp_property_parse(argv[1], &property)) return 2;
    for (int i = 3; i < argc; i++) judge(argv[i], property, !strcmp(argv[2], "ilp32"), true);
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_believed_that_runs_refute)};
  return cmocka_run_group_tests_name("bare certificates", tests, NULL, NULL);
}

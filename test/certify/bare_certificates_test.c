/* Bare certificates of C programs: every call has its context, every cycle a label that says
 * nothing. So all that excludes an error is what the checker itself believes about C; for programs
 * that fail as compiled it must not accept any of these.
 *
 *   bare_certificates_test                                the programs below
 *   bare_certificates_test PROPERTY lp64|ilp32 FILE...    what the checker says of these programs;
 *   STEPS=K: with k-induction;
 *                                                         FORGERIES=N: N certificates of the second
 *                                                         kind, printed if accepted
 *
 * The second kind is forged at random: labels anywhere, with formulas that say nothing, too much or
 * the impossible, some of them counted, any number of steps, contracts for functions that need
 * none. Where the checker says that a formula does not hold it is weakened, until all do. Of a
 * program that fails none of these certificates may be accepted. */
#include "certify/certify.h"
#include "engine/invariants.h"
#include "front/front.h"
#include "program/cells.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_CONTEXTS = 2000, MOST_WEAKENINGS = 60 };

#define HEAD \
  "extern void reach_error(void); extern int nondet(void); extern long nondet_long(void);\n"

// ------------------------------------------------------------------- writing

static bool has_contract(const tp_program *p, tp_func f) { return tp_func_of(p, f)->is_recursive; }

/* Contexts of one call edge: of its callee, or of every function that its pointer may lead to. */
static void enter_all(tp_invariants *v, const tp_program *p, tp_context c, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(p, e);
  for (uint32_t i = 1; i < p->funcs.n && v->contexts.list.n < MOST_CONTEXTS; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    bool fits = f->has_body && f->entry.id && f->n_params == edge->n_args &&
                !has_contract(p, (tp_func){i}) && !tp_context_has(&v->contexts, c, (tp_func){i});
    if (!fits || (edge->callee.id && edge->callee.id != i) || (!edge->callee.id && !f->object))
      continue;
    for (uint32_t k = 0; k < f->n_params && fits; k++)
      fits = tp_sort_eq(tp_sort_of(p->terms, edge->args[k]),
                        tp_sort_of(p->terms, tp_var_of(p, f->params[k])->term));
    if (edge->var.id)
      fits = fits && f->result.id &&
             tp_sort_eq(tp_sort_of(p->terms, tp_var_of(p, edge->var)->term),
                        tp_sort_of(p->terms, tp_var_of(p, f->result)->term));
    if (fits) tp_context_push(&v->contexts, c, e, (tp_func){i});
  }
}

/* Contexts of all calls. */
static void write_contexts(tp_invariants *v, const tp_program *p) {
  for (uint32_t c = 1; c < v->contexts.list.n; c++) {
    tp_func top = v->contexts.list.at[c].func;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (p->edges.at[i].kind == TP_E_CALL && p->edges.at[i].from.id &&
          tp_loc_of(p, p->edges.at[i].from)->func.id == top.id)
        enter_all(v, p, (tp_context){c}, (tp_edge){i});
  }
}

static void start(tp_invariants *v, const tp_program *p, tp_property property, uint32_t steps) {
  tp_invariants_init(v);
  v->property = property;
  v->k = steps;
  v->ptr_bits = p->ptr_bits;
  v->fingerprint = tp_program_fingerprint(p);
  tp_context_root(&v->contexts, p->main, 0);
}

static void write_bare(tp_program *p, tp_property property, uint32_t steps, tp_str *out) {
  tp_invariants v;
  start(&v, p, property, steps);
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    if (!p->funcs.at[i].has_body || !has_contract(p, (tp_func){i})) continue;
    uint32_t k = tp_summaries_add(&v.contracts, (tp_summary){.func = {i},
                                                             .pre = tp_mk_true(p->terms),
                                                             .post = tp_mk_true(p->terms),
                                                             .returns = true});
    tp_context_root(&v.contexts, (tp_func){i}, k);
  }
  write_contexts(&v, p);
  for (uint32_t c = 1; c < v.contexts.list.n; c++)
    for (uint32_t l = 1; l < p->locs.n; l++)
      if (p->locs.at[l].func.id == v.contexts.list.at[c].func.id && p->locs.at[l].is_cutpoint)
        tp_vec_push(&v.list, ((tp_invariant){{c}, {l}, tp_mk_true(p->terms)}));
  assert_true(tp_invariants_write(&v, p, out));
  tp_invariants_clear(&v);
}

/* Of a program without loops and recursion: all its runs, and nothing else. */
static void write_unrolled(const tp_program *p, tp_property property, tp_str *out) {
  tp_str_printf(out, "twoproof-certificate 2\nkind unrolling\nproperty %s\nmachine %s\n",
                tp_property_name(property), p->ptr_bits == 64 ? "lp64" : "ilp32");
  tp_str_printf(out, "program %016" PRIx64 "\nend\n", tp_program_fingerprint(p));
}

// ------------------------------------------------------------------- forging

/* A variable that a formula of this context may have; NONE: none was found. */
static tp_term random_variable(tp_rng *r, const tp_invariants *v, tp_program *p, tp_context c) {
  for (int tries = 0; tries < 6; tries++) {
    tp_var x = {1 + (uint32_t)tp_rng_below(r, p->vars.n - 1)};
    tp_term t = tp_var_of(p, x)->term;
    if (tp_var_of(p, x)->kind != TP_V_GHOST && tp_invariant_may_use(p, &v->contexts, c, t))
      return t;
  }
  return TP_TERM_NONE;
}

/* What a pointer leads to: its object, what a cell has, whether it lives. */
static tp_term random_look(tp_rng *r, tp_program *p, tp_term ptr) {
  static const uint32_t widths[] = {8, 32, 32, 64};
  tp_terms *tt = p->terms;
  if (tp_rng_below(r, 2))
    ptr = tp_mk_ptr_add(tt, ptr, tp_mk_bv(tt, p->ptr_bits, 4 * tp_rng_below(r, 3)));
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, ptr);
  switch (tp_rng_below(r, 5)) {
    case 0: return object;
    case 1: return tp_mk1(tt, TP_OP_PTR_OFF, ptr);
    case 2:
      return tp_mk2(tt, TP_OP_SELECT,
                    tp_var_of(p, tp_rng_below(r, 2) ? p->ghost_live : p->ghost_size)->term, object);
    case 3: {
      tp_term cell = tp_cell(p, tp_sort_ptr(tt), ptr);
      return tp_term_is(cell) ? tp_mk1(tt, TP_OP_PTR_OBJ, cell) : object;
    }
    default: {
      tp_term cell = tp_cell(p, tp_sort_bv(tt, widths[tp_rng_below(r, 4)]), ptr);
      return tp_term_is(cell) ? cell : object;
    }
  }
}

/* A condition on what the context has, or on nothing. */
static tp_term random_atom(tp_rng *r, const tp_invariants *v, tp_program *p, tp_context c) {
  tp_terms *tt = p->terms;
  tp_term t = random_variable(r, v, p, c), u = random_variable(r, v, p, c);
  if (tp_rng_below(r, 8) == 0)
    t = tp_var_of(p, tp_rng_below(r, 2) ? p->ghost_leaked : p->ghost_heap)->term;
  if (!tp_term_is(t)) return tp_mk_true(tt);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_PTR && tp_rng_below(r, 4))
    t = random_look(r, p, t);
  if (tp_term_is(u) && tp_sort_eq(tp_sort_of(tt, t), tp_sort_of(tt, u)) && tp_rng_below(r, 2))
    return tp_mk_eq(tt, t, u);
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, t));
  if (k == TP_SORT_BOOL) return tp_rng_below(r, 2) ? t : tp_mk_not(tt, t);
  if (k != TP_SORT_BV) return tp_mk_true(tt);
  if (tp_rng_below(r, 6) == 0)
    return tp_mk_eq(tt, tp_mk_extract(tt, 0, 0, t), tp_mk_bv(tt, 1, tp_rng_below(r, 2)));
  tp_term limit = tp_mk_bv(tt, tp_width(tt, t), tp_width(tt, t) >= 8 ? tp_rng_below(r, 5) : 1);
  switch (tp_rng_below(r, 4)) {
    case 0: return tp_mk2(tt, TP_OP_BV_SLE, limit, t);
    case 1: return tp_mk2(tt, TP_OP_BV_ULE, t, limit);
    case 2: return tp_mk_not(tt, tp_mk_eq(tt, t, limit));
    default: return tp_mk_eq(tt, t, limit);
  }
}

static tp_term random_formula(tp_rng *r, const tp_invariants *v, tp_program *p, tp_context c) {
  if (tp_rng_below(r, 16) == 0) return tp_mk_false(p->terms);
  tp_term all = tp_mk_true(p->terms);
  for (uint64_t n = tp_rng_below(r, 9); n > 0; n--) {
    tp_term more = tp_mk_and(p->terms, all, random_atom(r, v, p, c));
    if (!tp_is_false(p->terms, more)) all = more;
  }
  return all;
}

/* The formula without one of its conjuncts. */
static tp_term weaker(tp_rng *r, tp_terms *tt, tp_term t) {
  if (tp_kind(tt, t) != TP_OP_AND) return tp_mk_true(tt);
  uint32_t i = (uint32_t)tp_rng_below(r, 2);
  tp_term other = tp_arg(tt, t, 1 - i), part = tp_arg(tt, t, i);
  return tp_kind(tt, part) == TP_OP_AND ? tp_mk_and(tt, other, weaker(r, tt, part)) : other;
}

/* Weaken what does not hold at this place; false: nothing is left there. */
static bool weaken(tp_invariants *v, tp_program *p, tp_rng *r, tp_loc where, uint32_t context) {
  bool changed = false;
  for (size_t i = 0; i < v->list.n; i++) {
    tp_invariant *x = &v->list.at[i];
    if (x->loc.id != where.id || x->context.id != context || tp_is_true(p->terms, x->formula))
      continue;
    x->formula = weaker(r, p->terms, x->formula);
    changed = true;
  }
  return changed;
}

static void forge(tp_program *p, tp_property property, tp_rng *r, tp_invariants *out) {
  static const uint32_t many[] = {1, 2, 3, 4, 7, 12, 40};
  tp_invariants v;
  start(&v, p, property, many[tp_rng_below(r, 7)]);
  uint64_t labels = 1 + tp_rng_below(r, 6), counted = tp_rng_below(r, 4);
  bool by_contract = tp_rng_below(r, 3) == 0;
  tp_map contracts = {0};
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    if (!p->funcs.at[i].has_body || !p->funcs.at[i].entry.id ||
        !(has_contract(p, (tp_func){i}) || (by_contract && i != p->main.id && tp_rng_below(r, 2))))
      continue;
    uint32_t k = tp_summaries_add(
        &v.contracts, (tp_summary){.func = {i},
                                   .pre = tp_mk_true(p->terms),
                                   .post = tp_mk_bool(p->terms, tp_rng_below(r, 8) != 0),
                                   .returns = true});
    tp_context_root(&v.contexts, (tp_func){i}, k);
    tp_map_set(&contracts, i, 1);
  }
  for (uint32_t c = 1; c < v.contexts.list.n; c++)
    for (uint32_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      bool mine = e->kind == TP_E_CALL && e->from.id &&
                  tp_loc_of(p, e->from)->func.id == v.contexts.list.at[c].func.id;
      if (mine && (!e->callee.id || !tp_map_has(&contracts, e->callee.id)) && tp_rng_below(r, 30))
        enter_all(&v, p, (tp_context){c}, (tp_edge){i});
    }
  for (uint32_t c = 1; c < v.contexts.list.n; c++)
    for (uint32_t l = 1; l < p->locs.n; l++) {
      bool mine = p->locs.at[l].func.id == v.contexts.list.at[c].func.id,
           cut = p->locs.at[l].is_cutpoint && tp_rng_below(r, 5);
      if (!mine || !(cut || (labels > 3 && tp_rng_below(r, 4 * labels) == 0))) continue;
      for (uint64_t n = 1 + tp_rng_below(r, 3) / 2; n > 0; n--)
        tp_vec_push(&v.list, ((tp_invariant){{c}, {l}, random_formula(r, &v, p, (tp_context){c})}));
      if (v.k > 1 && counted && tp_rng_below(r, counted + 1))
        tp_vec_push(&v.counted, ((tp_counted_cutpoint){{c}, {l}}));
    }
  tp_map_clear(&contracts);
  *out = v;
}

// ------------------------------------------------------------------- judging

static tp_program *load(const char *path, tp_property property, bool ilp32, tp_diag *diag) {
  const char *files[] = {path};
  tp_program *p = NULL;
  tp_front_options o = {.files = files,
                        .n_files = 1,
                        .property = property,
                        .machine = ilp32 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
  assert_int_equal(tp_front_load(&o, diag, &p), TP_OK);
  return p;
}

static uint64_t n_forged, n_by_result[3];

/* The checker's word on a forgery, weakened where it does not hold until it does, or something else
 * is wrong. */
static tp_certify_result judge_forged(tp_program *p, tp_property property, tp_rng *r,
                                      tp_str *text) {
  tp_certify_limits limits = {.cpu_s = 2, .edges = 4000, .solver_rlimit = 200000};
  tp_invariants v;
  tp_certify_result c = TP_CERTIFY_UNDECIDED;
  forge(p, property, r, &v);
  for (int tries = 0; tries < MOST_WEAKENINGS; tries++) {
    tp_certify_report report;
    text->n = 0;
    assert_true(tp_invariants_write(&v, p, text));
    tp_certify_report_init(&report);
    c = tp_certify_true(p, property, text->text, &limits, NULL, &report);
    n_forged++;
    n_by_result[c]++;
    bool again = c != TP_CERTIFY_ACCEPTED && weaken(&v, p, r, report.where, report.context);
    tp_certify_report_clear(&report);
    if (!again) break;
  }
  tp_invariants_clear(&v);
  return c;
}

/* How many of n forged certificates are accepted. */
static unsigned accepted_forgeries(const char *path, tp_property property, bool ilp32, unsigned n,
                                   bool shows) {
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = load(path, property, ilp32, diag);
  tp_rng r;
  unsigned accepted = 0;
  tp_rng_init(&r, 5);
  for (unsigned i = 0; i < n; i++) {
    tp_str text = {0};
    bool wrong = judge_forged(p, property, &r, &text) == TP_CERTIFY_ACCEPTED;
    accepted += wrong;
    if (shows && wrong) printf("%s\n%s", path, tp_str_text(&text));
    tp_str_clear(&text);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  return accepted;
}

static uint64_t last_edges;  // that the check took

/* steps: of k-induction; 0: the certificate is of kind `unrolling`. */
static tp_certify_result judge(const char *path, tp_property property, bool ilp32, uint32_t steps,
                               bool shows) {
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = load(path, property, ilp32, diag);
  tp_str text = {0};
  if (steps)
    write_bare(p, property, steps, &text);
  else
    write_unrolled(p, property, &text);
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 20};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(p, property, text.text, &limits, NULL, &report);
  if (shows) {
    printf("%s: %s %s\n", path, tp_certify_result_name(r), tp_str_text(&report.why));
    for (size_t i = 0; i < report.assumptions.n; i++) printf("    %s\n", report.assumptions.at[i]);
  }
  last_edges = report.edges;
  tp_certify_report_clear(&report);
  tp_str_clear(&text);
  tp_program_free(p);
  tp_diag_free(diag);
  return r;
}

// ------------------------------------------------------------------- programs

/* `good` (NULL: none) and `bad` are what X is in the source; in the bad one a run gets to the
 * error, or may as compiled. */
typedef struct {
  const char *name, *source;
  const char *good, *bad;
} row;

/* steps: of k-induction, that show the good one where one fewer does not. */
typedef struct {
  row pair;
  unsigned steps;
} induction;

static const row rows[] = {
    {"a constant", "int main(void) { int x = 1; if (x == X) reach_error(); return 0; }", "2", "1"},
    {"a number from outside followed as a pointer",
     "extern long get(void); int g; int main(void) { g = 0; X g = g; *(int *)get() = 1; "
     "reach_error(); }",
     "return 0;", ""},
    {"an extern number followed as a pointer",
     "extern long where; int main(void) { X *(int *)where = 1; reach_error(); }", "return 0;", ""},
    {"an address in a double, as bits",
     "union u { double d; int *p; }; int x; int main(void) { union u a, b; a.p = &x; double d = "
     "a.d; b.d = d; *b.p = 1; if (x == X) reach_error(); return 0; }",
     NULL, "1"},
    {"an address in a double, as a number",
     "int x; int main(void) { double d = (double)(long)&x; *(int *)(long)d = 1; if (x == X) "
     "reach_error(); return 0; }",
     NULL, "1"},
    {"an address in a global number",
     "int x; static long g = (long)&x; int main(void) { *(int *)g = 1; if (x == X) reach_error(); "
     "return 0; }",
     "0", "1"},
    {"an address in bytes of a number",
     "int x; int main(void) { long a = (long)&x, b = 0; for (int i = 0; i < 8; i++) ((char "
     "*)&b)[i] = ((char *)&a)[i]; *(int *)b = 1; if (x == X) reach_error(); return 0; }",
     NULL, "1"},
    {"a pointer that was never set",
     "int main(void) { int *n; while (nondet()) ; X if (n && *n == 3) reach_error(); return 0; }",
     "n = 0;", ""},
    {"a pointer in memory that was never set",
     "#include <stdlib.h>\nstruct n { struct n *next; int v; };\nint main(void) { struct n *n = "
     "malloc(sizeof *n); X if (n->next && n->next->v == 3) reach_error(); return 0; }",
     "n->next = 0;", ""},
    {"a number asked for followed as a pointer",
     "int g[2]; int main(void) { g[nondet() & 1] = 3; int *p = (int *)nondet_long(); X if (p && *p "
     "== 3) reach_error(); return 0; }",
     "p = 0;", ""},
    {"the bits of a NaN",
     "union u { float f; unsigned u; }; int main(void) { union u a, b; a.u = (unsigned)nondet(); "
     "float f = a.f; b.f = f; if (f == f) return 0; if (b.u != 0x7fc00000u X) reach_error(); "
     "return 0; }",
     NULL, ""},
    {"the address of what has ended",
     "#include <stdlib.h>\nint main(void) { int *p = malloc(4); unsigned long a = (unsigned "
     "long)p; free(p); int *q = malloc(4); if ((unsigned long)q == a X) reach_error(); return 0; }",
     "&& 0", ""},
    {"a function without body through a pointer",
     "extern int other(int); int main(void) { int (*f)(int) = other; X f(3); reach_error(); }",
     "return 0;", ""},
};

/* Initial images of statics, read where the offset is not constant. */
static const row images[] = {
    {"an element of a table",
     "static const int t[] = {3, 1, 4, 1, 5}; int main(void) { unsigned i = nondet(); if (i >= 5) "
     "return 0; if (t[i] == X) reach_error(); return 0; }",
     "2", "5"},
    {"the first element of a table",
     "static const int t[] = {3, 1, 4, 1, 5}; int main(void) { unsigned i = nondet(); if (i >= 5) "
     "return 0; if (t[i] == X) reach_error(); return 0; }",
     "0", "3"},
    {"which element it is",
     "static const short t[] = {7, 9, 8}; int main(void) { unsigned i = nondet(); if (i >= 3) "
     "return 0; if (t[i] == 8 && i != X) reach_error(); return 0; }",
     "2", "1"},
    {"bytes of a table of integers",
     "static const int t[] = {0x01020304, 0x0a0b0c0d}; int main(void) { unsigned i = nondet(); if "
     "(i >= 8) return 0; if (((const unsigned char *)t)[i] == X) reach_error(); return 0; }",
     "5", "0x0b"},
    {"shorts at the odd places of a table of bytes",
     "#include <string.h>\nstatic const unsigned char t[] = {1, 2, 3, 4, 5, 6}; int main(void) { "
     "unsigned i = nondet(); unsigned short s; if (i >= 2) return 0; memcpy(&s, t + 2 * i + 1, 2); "
     "if (s == X) reach_error(); return 0; }",
     "0x0201", "0x0504"},
    {"integers at any place of a table of bytes",
     "#include <string.h>\nstatic const unsigned char t[] = {1, 2, 3, 4, 5, 6}; int main(void) { "
     "unsigned i = nondet(); unsigned v; if (i >= 3) return 0; memcpy(&v, t + i, 4); if (v == X) "
     "reach_error(); return 0; }",
     NULL, "0x05040302"},
    {"members of elements",
     "static const struct { short a; int b; } t[] = {{1, 2}, {3, 4}}; int main(void) { unsigned i "
     "= "
     "nondet(); if (i >= 2) return 0; if (t[i].b == X) reach_error(); return 0; }",
     "3", "4"},
    {"zeros",
     "static const int t[6]; int main(void) { unsigned i = nondet(); if (i >= 6) return 0; if "
     "(t[i] "
     "== X) reach_error(); return 0; }",
     "1", "0"},
    {"zeros that were written",
     "static int t[6]; int main(void) { unsigned i = nondet(); if (i >= 6) return 0; t[3] = 7; if "
     "(t[i] == X) reach_error(); return 0; }",
     "1", "7"},
    {"pointers",
     "static const char *const t[] = {\"ab\", \"cd\", 0}; int main(void) { unsigned i = nondet(); "
     "if (i >= 3) return 0; if (t[i] && *t[i] == X) reach_error(); return 0; }",
     "'b'", "'c'"},
    {"a null pointer among pointers",
     "static int x, y; static int *const t[] = {&x, 0, &y}; int main(void) { unsigned i = "
     "nondet(); "
     "if (i >= 3) return 0; if (t[i] == 0 && i != X) reach_error(); return 0; }",
     "1", "2"},
};

/* Ways that meet without a label. */
static const row joins[] = {
    {"two values",
     "int main(void) { int x; if (nondet()) x = 3; else x = 4; if (nondet()) x += 2; if (x == X) "
     "reach_error(); return 0; }",
     "7", "6"},
    {"values that belong together",
     "int main(void) { int c = nondet(), x, y; if (c) x = 1; else x = 2; nondet(); if (c) y = 2; "
     "else y = 1; if (x + y != 3 X) reach_error(); return 0; }",
     "", "|| x == 2"},
    {"a way without a condition",
     "int main(void) { int x = 1; switch (nondet()) { case 1: x = 2; break; case 5: x = 3; case 6: "
     "x++; break; case 9: return 0; default: break; } if (x == X) reach_error(); return 0; }",
     "3", "4"},
    {"one of two stores",
     "int a, b; int main(void) { for (;;) { a = b = 0; if (nondet()) a = 1; else b = 1; if (a + b "
     "X) reach_error(); } }",
     "!= 1", "!= 1 || b"},
    {"either store",
     "int m[3]; int main(void) { for (;;) { int *p = m + (nondet() & 1); *p = 0; if (nondet()) *p "
     "= 1; else *p = 2; if (*p == X) reach_error(); } }",
     "3", "1"},
    {"either store, the other one",
     "int m[3]; int main(void) { for (;;) { int *p = m + (nondet() & 1); *p = 0; if (nondet()) *p "
     "= 1; else *p = 2; if (*p == X) reach_error(); } }",
     "0", "2"},
    {"stores side by side",
     "int m[3]; int main(void) { for (;;) { int *p = m + (nondet() & 1); p[0] = p[1] = 0; if "
     "(nondet()) p[0] = 1; else p[1] = 1; if (p[0] + p[1] X) reach_error(); } }",
     "!= 1", "!= 1 || p[1]"},
    {"stores in turn",
     "int m[3]; int main(void) { for (;;) { int *p = m + (nondet() & 1); *p = 0; if (nondet()) *p "
     "= 1; if (nondet() > 3) *p = 2; else if (nondet() < 7) *p = *p + 4; if (*p == X) "
     "reach_error(); } }",
     "3", "5"},
    {"a block on one way",
     "#include <string.h>\nint m[8]; int main(void) { for (;;) { int *p = m + (nondet() & 1), *q = "
     "m + 4; *p = 5; *q = 6; if (nondet()) memcpy(p, q, 4); else memset(q, 0, 4); if (*p - *q X) "
     "reach_error(); } }",
     "&& *q", ""},
    {"how many on the heap",
     "#include <stdlib.h>\nvoid *k; int main(void) { int n = 0; void *p = 0; if (nondet()) { p = "
     "malloc(4); n = p != 0; } k = malloc(4); if (k) n++; if (nondet()) free(p); if (n == X) "
     "reach_error(); return 0; }",
     "3", "2"},
    {"free on one way, then again",
     "#include <stdlib.h>\nint main(void) { for (;;) { int *p = malloc(4), *q = p; if (!p) return "
     "0; if (nondet()) free(p), q = 0; int *r = malloc(4); if (!r) return 0; *r = 1; if (q) *q = "
     "2; if (*r != 1 X) reach_error(); } }",
     "", "|| !q"},
    {"addresses in numbers",
     "int a, b; int main(void) { for (;;) { long n; a = b = 0; if (nondet()) n = (long)&a; else n "
     "= (long)&b; *(int *)n = 1; if (a X) reach_error(); } }",
     NULL, ""},
    {"a number or an address",
     "int a; int main(void) { for (;;) { long n; a = 0; if (nondet()) n = (long)&a; else n = 4096; "
     "if (n != 4096) *(int *)n = 1; if (a X) reach_error(); } }",
     NULL, ""},
    {"a store on one way",
     "int a; int main(void) { for (;;) { a = 7; if (nondet() == 3) a = 8; nondet(); if (a == X) "
     "reach_error(); } }",
     "9", "7"},
    {"a pointer to one of two",
     "int a, b; int main(void) { for (;;) { int *p; a = b = 0; if (nondet()) p = &a; else p = &b; "
     "*p = 1; if (a + b != 1 || (p == &b X)) reach_error(); } }",
     "&& a", "&& b"},
    {"bytes written on either way",
     "int a; int main(void) { for (;;) { a = 0; if (nondet()) ((char *)&a)[1] = 1; else ((char "
     "*)&a)[2] = 1; if (a == X) reach_error(); } }",
     NULL, "0x10000"},
    {"an object on one way",
     "#include <stdlib.h>\nint main(void) { for (;;) { int *p = 0, *q; if (nondet()) { p = "
     "malloc(4); if (!p) return 0; *p = 1; } q = malloc(4); if (!q) return 0; *q = 2; if (p X) "
     "reach_error(); } }",
     "&& (p == q || *p != 1)", "&& *p == 1"},
    {"more objects on one way",
     "#include <stdlib.h>\nint main(void) { for (;;) { int *p = malloc(4), *q, *r; if (!p) return "
     "0; *p = 1; if (nondet()) { q = malloc(4); r = malloc(4); if (!q || !r) return 0; *q = 5; *r "
     "= 6; } else { q = malloc(4); if (!q) return 0; *q = 5; r = p; } "
     "int *s = malloc(4); if (!s) return 0; *s = 3; if (*p != 1 || *q != 5 || (*r != 6 X)) "
     "reach_error(); } }",
     "&& r != p", ""},
    {"locals of a call on one way",
     "static int f(int n) { int a[3]; a[n & 1] = 4; a[2] = n; return a[n & 1]; } int main(void) { "
     "for (;;) { int b[2], x = 4; b[0] = 1; if (nondet()) x = f(nondet()); b[1] = 2; if (b[0] + "
     "b[1] + x != X) reach_error(); } }",
     "7", "8"},
    {"freed on one way",
     "#include <stdlib.h>\nint main(void) { for (;;) { int *p = malloc(4), *q = p; if (!p) return "
     "0; *p = 1; if (nondet()) { free(p); q = 0; } if (q X) reach_error(); } }",
     "&& *q != 1", ""},
    {"freed on one way, then read",
     "#include <stdlib.h>\nint main(void) { for (;;) { int *p = malloc(4), *q = p; if (!p) return "
     "0; *p = 1; if (nondet()) q = 0, free(p); else nondet(); if (q && *q X) reach_error(); } }",
     "!= 1", "== 1"},
    {"a larger object on one way",
     "#include <stdlib.h>\nint main(void) { for (;;) { int c = nondet(), *p; if (c) p = malloc(8); "
     "else p = malloc(4); if (!p) return 0; *p = 1; if (c) { p[1] = 2; if (*p X) reach_error(); } "
     "} }",
     "!= 1", "== 1"},
    {"a smaller object on one way",
     "#include <stdlib.h>\nint main(void) { for (;;) { int c = nondet(), *p; if (c) p = malloc(4); "
     "else p = malloc(8); if (!p) return 0; *p = 1; if (!c) { p[1] = 2; if (*p X) reach_error(); } "
     "} }",
     "!= 1", "== 1"},
    {"several returns",
     "static int f(int n) { if (n == 1) return 3; if (n == 2) return 5; while (n > 9) n--; return "
     "7; } int main(void) { for (;;) if (f(nondet()) == X) reach_error(); }",
     "4", "5"},
    {"several functions",
     "static int f(int n) { return 3; } static int g(int n) { return n & 4; } int main(void) { for "
     "(;;) { int (*h)(int) = nondet() ? f : g; if (h(nondet()) == X) reach_error(); } }",
     "2", "4"},
    {"no way on",
     "int main(void) { int x = nondet(); if (x == 1) x = 2; else x = 3; if (x == 1) { while (1) ; "
     "} if (x != 2 && x X) reach_error(); return 0; }",
     "!= 3", "== 3"},
    {"a cycle without a label behind",
     "int main(void) { int x = 0; again: if (nondet()) x = 1; else x = 2; if (nondet()) goto "
     "again; if (x == X) reach_error(); return 0; }",
     "3", "2"},
};

/* What holds because it held before, with formulas that say nothing. */
static const induction inductions[] = {
    {{"two turns",
      "int main(void) { int a = 1, b = 1; while (nondet()) { int c = a; a = b; b = c; if (a == X) "
      "reach_error(); } return 0; }",
      "2", "1"},
     3},
    {{"through memory",
      "int m[3]; int main(void) { int *p = m + (nondet() & 1); p[0] = p[1] = 1; for (;;) { if "
      "(nondet()) nondet(); int c = p[0]; p[0] = p[1]; p[1] = c; if (c == X) reach_error(); } }",
      "2", "1"},
     3},
    {{"a counter that is late",
      "int main(void) { int n = 0, x = 0; for (;;) { if (n > 2 && x X) reach_error(); if (n < 9) "
      "n++; x = 0; } }",
      "!= 0", "== 0"},
     2},
    {{"two loops",
      "int main(void) { int a = 1, b = 1; while (nondet()) { int c = a; a = b; b = c; } while "
      "(nondet()) { int c = a; a = b; b = c; if (a == X) reach_error(); } return 0; }",
      NULL, "1"},
     3},
    {{"a loop in a callee",
      "static int f(int n) { int a = n, b = n; while (nondet()) { int c = a; a = b; b = c; if (a "
      "!= n X) reach_error(); } return b; } int main(void) { return f(nondet()); }",
      "", "|| b == 9"},
     3},
    {{"a body by contract",
      "int f(int n) { int a = n, b = n; if (n > 9) return f(n - 1); while (nondet()) { int c = a; "
      "a = b; b = c; if (a != n X) reach_error(); } return b; } int main(void) { return "
      "f(nondet()); }",
      "", "|| b == 9"},
     3},
    {{"after a call by contract",
      "int g; int f(int n) { if (n == 9) g = 3; return n > 3 ? f(n - 1) : 0; } int main(void) { "
      "int a = 1, b = 1; while (nondet()) { int c = a; a = b; b = c; f(nondet()); if (a != 1 X) "
      "reach_error(); } return 0; }",
      "", "|| g == 3"},
     3},
    {{"late errors",
      "int main(void) { int n = 0; for (;;) { if (n == X) reach_error(); if (n < 5) n++; if (n > "
      "5) n = n - 3; } }",
      NULL, "3"},
     1},
};

/* The source with x for its X in a file of its own, whose name is given back. */
static void write_source(const char *source, const char *x, char *path) {
  tp_str text = {0};
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
}

static tp_certify_result judge_source(const char *source, const char *x, uint32_t steps) {
  char path[] = "/tmp/twoproof-bare-XXXXXX.c";
  write_source(source, x, path);
  tp_certify_result c = judge(path, TP_P_UNREACH_CALL, false, steps, false);
  unlink(path);
  return c;
}

/* least: steps that the good one needs. */
static bool check_row(const row *r, unsigned least) {
  bool bad = false,
       good = r->good && judge_source(r->source, r->good, least) != TP_CERTIFY_ACCEPTED,
       few = r->good && least > 1 &&
             judge_source(r->source, r->good, least - 1) == TP_CERTIFY_ACCEPTED;
  for (unsigned k = 1; k < least + 3; k++)
    bad = bad || judge_source(r->source, r->bad, k) == TP_CERTIFY_ACCEPTED;
  if (bad || good || few)
    print_error("%s: %s\n", r->name,
                bad    ? "the broken one is accepted"
                : good ? "the right one is not accepted"
                       : "accepted with a step too few");
  return !bad && !good && !few;
}

static void check_rows(const row *list, size_t n) {
  unsigned wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += !check_row(&list[i], 1);
  assert_int_equal(wrong, 0);
  assert_int_equal(tp_live_bytes(), 0);
}

static void nothing_is_believed_that_runs_refute(void **unused) {
  (void)unused;
  check_rows(rows, sizeof rows / sizeof *rows);
}

static void initial_images(void **unused) {
  (void)unused;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
    const row *r = &images[i];
    const bool accepts_bad = judge_source(r->source, r->bad, 0) == TP_CERTIFY_ACCEPTED,
               refuses_good =
                   judge_source(r->source, r->good ? r->good : r->bad, 0) != TP_CERTIFY_ACCEPTED;
    if (accepts_bad || (r->good && refuses_good)) {
      print_error("%s, unrolled: %s\n", r->name, accepts_bad ? "the broken one" : "the right one");
      wrong++;
    }
    wrong += !check_row(r, 1);
  }
  assert_int_equal(wrong, 0);
}

static void ways_that_meet(void **unused) {
  (void)unused;
  check_rows(joins, sizeof joins / sizeof *joins);
}

static void steps_of_induction(void **unused) {
  (void)unused;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof inductions / sizeof *inductions; i++)
    wrong += !check_row(&inductions[i].pair, inductions[i].steps);
  assert_int_equal(wrong, 0);
}

static unsigned forge_row(const row *r) {
  char path[] = "/tmp/twoproof-bare-XXXXXX.c";
  write_source(r->source, r->bad, path);
  unsigned accepted =
      accepted_forgeries(path, TP_P_UNREACH_CALL, false, getenv("TP_SOAK") ? 1000 : 1, false);
  if (accepted)
    print_error("%s: %u forged certificates of the broken one are accepted\n", r->name, accepted);
  unlink(path);
  return accepted;
}

static void no_forgery_is_accepted(void **unused) {
  (void)unused;
  unsigned accepted = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) accepted += forge_row(&rows[i]);
  for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) accepted += forge_row(&joins[i]);
  for (size_t i = 0; i < sizeof inductions / sizeof *inductions; i++)
    accepted += forge_row(&inductions[i].pair);
  print_message("%llu forged certificates: %llu rejected, %llu undecided\n",
                (unsigned long long)n_forged, (unsigned long long)n_by_result[TP_CERTIFY_REJECTED],
                (unsigned long long)n_by_result[TP_CERTIFY_UNDECIDED]);
  assert_int_equal(accepted, 0);
}

/* Forty diamonds in a loop, of values and of memory: a step for each edge, and no more. */
static void multiply(uint32_t steps) {
  enum { DIAMONDS = 40 };
  for (int bad = 0; bad < 2; bad++) {
    tp_str source = {0};
    tp_str_add(&source, "int s; int main(void) { for (;X;) { int x = 0; s = 0;\n");
    for (int i = 0; i < DIAMONDS; i++)
      tp_str_add(&source, i % 2 ? "if (nondet()) s = 1; else s = 2;\n"
                                : "if (nondet()) x += 1; else x += 2;\n");
    tp_str_printf(&source, "if (x < %d || x > %d || s < 1 || s > 2) reach_error(); } }",
                  DIAMONDS / 2 + bad, DIAMONDS);
    double start = tp_cpu_s();
    tp_certify_result r = judge_source(source.text, "", steps);
    print_message("%d diamonds, steps: %u, %s, %llu edges, %.2f s\n", DIAMONDS, (unsigned)steps,
                  tp_certify_result_name(r), (unsigned long long)last_edges, tp_cpu_s() - start);
    assert_int_equal(r, bad ? TP_CERTIFY_REJECTED : TP_CERTIFY_ACCEPTED);
    assert_true(last_edges < 20 * DIAMONDS * (steps > 1 ? 2 * steps : 1));
    assert_true(tp_cpu_s() - start < 10);
    tp_str_clear(&source);
  }
}

static void ways_are_not_multiplied(void **unused) {
  (void)unused;
  multiply(1);
  multiply(10);
}

int main(int argc, char **argv) {
  if (argc > 3) {
    tp_property property;
    uint32_t steps = getenv("STEPS") ? (uint32_t)strtoul(getenv("STEPS"), NULL, 10) : 1;
    if (!tp_property_parse(argv[1], &property)) return 2;
    const char *forgeries = getenv("FORGERIES");
    for (int i = 3; i < argc && forgeries; i++)
      printf("%s: %u accepted\n", argv[i],
             accepted_forgeries(argv[i], property, !strcmp(argv[2], "ilp32"),
                                (unsigned)strtoul(forgeries, NULL, 10), true));
    for (int i = 3; i < argc && !forgeries; i++)
      judge(argv[i], property, !strcmp(argv[2], "ilp32"), steps, true);
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_believed_that_runs_refute),
                                     cmocka_unit_test(initial_images),
                                     cmocka_unit_test(ways_that_meet),
                                     cmocka_unit_test(steps_of_induction),
                                     cmocka_unit_test(no_forgery_is_accepted),
                                     cmocka_unit_test(ways_are_not_multiplied)};
  return cmocka_run_group_tests_name("bare certificates", tests, NULL, NULL);
}

// Certificates of invariants: the reader takes what the writer wrote, and refuses what the program
// does not have.
#include "engine/invariants.h"

#include "exec/testing.h"
#include "program/cells.h"

typedef struct {
  build b;
  tp_var x, n, result, local, g, p;
  tp_func step, fact;
  tp_edge call_step, call_fact, call_inner;
  tp_loc head, error;
} sample;

/* main: x := 0; while (x < 5) x := step(x); fact(x).   step: local := x; return local + 1.
 * fact(n): n ? fact(n - 1) : 1. */
static sample make(void) {
  sample s = {.b = build_new(64)};
  build *b = &s.b;
  tp_sort bv32 = tp_sort_bv(b->tt, 32);
  s.g = build_global(b, "g", bv32, bv(b, 32, 3));
  s.fact = build_func(b, "fact", bv32);
  s.n = build_param(b, "n", bv32);
  s.result = tp_func_of(b->p, s.fact)->result;
  tp_loc zero = build_branch(b, tp_mk2(b->tt, TP_OP_BV_ULT, bv(b, 32, 0), build_term(b, s.n)));
  s.call_inner = build_edge(
      b, (tp_edge_info){
             .kind = TP_E_CALL, .callee = s.fact, .args = (tp_term[]){bv(b, 32, 1)}, .n_args = 1});
  build_return(b, build_term(b, s.n));
  b->at = zero;
  build_return(b, bv(b, 32, 1));
  s.step = build_func(b, "step", bv32);
  tp_var y = build_param(b, "y", bv32);
  s.local = build_var(b, "local", bv32);
  build_assign(b, s.local, build_term(b, y));
  build_return(b, tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, s.local), bv(b, 32, 1)));
  build_func(b, "main", (tp_sort){0});
  s.x = build_var(b, "x", bv32);
  s.p = build_var(b, "p", tp_sort_ptr(b->tt));
  build_assign(b, s.x, bv(b, 32, 0));
  s.head = b->at;
  tp_loc out = build_branch(b, tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, s.x), bv(b, 32, 5)));
  tp_term arg = build_term(b, s.x);
  s.call_step = build_edge(b, (tp_edge_info){.kind = TP_E_CALL,
                                             .var = s.x,
                                             .callee = s.step,
                                             .args = &arg,
                                             .n_args = 1,
                                             .to = s.head});
  b->at = out;
  s.call_fact = build_edge(
      b,
      (tp_edge_info){.kind = TP_E_CALL, .var = s.x, .callee = s.fact, .args = &arg, .n_args = 1});
  build_assert(b, tp_mk2(b->tt, TP_OP_BV_ULT, bv(b, 32, 0), build_term(b, s.x)));
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return s;
}

static tp_term below(const sample *s, tp_var v, int64_t bound) {
  return tp_mk2(s->b.tt, TP_OP_BV_ULE, build_term(&s->b, v), bv(&s->b, 32, bound));
}

static void fill(const sample *s, tp_invariants *v) {
  const tp_program *p = s->b.p;
  tp_terms *tt = s->b.tt;
  v->property = TP_P_UNREACH_CALL;
  v->ptr_bits = 64;
  v->fingerprint = tp_program_fingerprint(p);
  tp_term cell = tp_cell(p, tp_sort_bv(tt, 32), build_term(&s->b, s->p));
  tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_live)->term,
                        tp_mk1(tt, TP_OP_PTR_OBJ, build_term(&s->b, s->p)));
  tp_summaries_add(&v->contracts, (tp_summary){.func = s->fact,
                                               .pre = below(s, s->n, 9),
                                               .post = below(s, s->result, 8),
                                               .returns = true});
  tp_context main = tp_context_root(&v->contexts, p->main, 0),
             root = tp_context_root(&v->contexts, s->fact, 1);
  tp_context step = tp_context_push(&v->contexts, main, s->call_step, s->step);
  tp_vec_push(&v->list, (tp_invariant){main, s->head,
                                       tp_mk_and(tt, below(s, s->x, 5),
                                                 tp_mk_eq(tt, cell, build_term(&s->b, s->g)))});
  tp_vec_push(&v->list, (tp_invariant){main, s->head, tp_mk_and(tt, below(s, s->x, 7), live)});
  tp_vec_push(&v->list, (tp_invariant){root, tp_func_of(p, s->fact)->entry, below(s, s->n, 9)});
  tp_vec_push(&v->list, (tp_invariant){step, tp_func_of(p, s->step)->exit,
                                       tp_mk_and(tt, below(s, s->x, 4), below(s, s->local, 4))});
  v->k = 3;
  tp_vec_push(&v->counted, (tp_counted_cutpoint){main, s->head});
  tp_invariants_add_assumption(v, "no load at x.c:3:4 # not a comment");
  tp_invariants_add_assumption(v, "no load at x.c:3:4 # not a comment");
}

static tp_status read_back(const sample *s, const char *text, tp_str *why) {
  tp_invariants v;
  tp_invariants_init(&v);
  tp_status st = tp_invariants_read(text, s->b.p, &v, why);
  tp_invariants_clear(&v);
  return st;
}

static void what_is_written_comes_back(void **unused) {
  (void)unused;
  sample s = make();
  tp_str text = {0}, again = {0}, why = {0};
  tp_invariants v, w;
  tp_invariants_init(&v);
  tp_invariants_init(&w);
  fill(&s, &v);
  assert_true(tp_invariants_write(&v, s.b.p, &text));
  assert_int_equal(tp_invariants_read(text.text, s.b.p, &w, &why), TP_OK);
  assert_int_equal(w.property, TP_P_UNREACH_CALL);
  assert_int_equal(w.contracts.list.n, 2);
  assert_true(tp_term_eq(w.contracts.list.at[1].pre, v.contracts.list.at[1].pre));
  assert_true(tp_term_eq(w.contracts.list.at[1].post, v.contracts.list.at[1].post));
  assert_int_equal(w.contexts.list.n, 4);
  assert_int_equal(w.assumptions.n, 1);
  assert_int_equal(w.list.n, 4);
  for (size_t i = 0; i < 4; i++)
    assert_true(tp_term_eq(w.list.at[i].formula, v.list.at[i].formula));
  assert_true(tp_invariants_write(&w, s.b.p, &again));
  assert_string_equal(text.text, again.text);
  v.property = TP_P_NONE;  // facts without a claim
  again.n = 0;
  assert_true(tp_invariants_write(&v, s.b.p, &again));
  assert_non_null(strstr(again.text, "property none\n"));
  assert_int_equal(read_back(&s, again.text, &why), TP_OK);
  v.list.at[0].formula = tp_mk_var(s.b.tt, "stranger", tp_sort_bool(s.b.tt));
  size_t before = again.n;
  assert_false(tp_invariants_write(&v, s.b.p, &again));
  assert_int_equal(again.n, before);
  tp_invariants_clear(&v);
  tp_invariants_clear(&w);
  tp_str_clear(&text);
  tp_str_clear(&again);
  tp_str_clear(&why);
  build_free(&s.b);
}

/* One piece of the certificate replaced by another. Numbers of variables and places are written as
 * @name. */
typedef struct {
  const char *from, *to, *why;
} damage;

static void expand(const sample *s, const char *text, tp_str *out) {
  const struct {
    const char *name;
    uint32_t number;
  } names[] = {{"@x", s->x.id},
               {"@n", s->n.id},
               {"@local", s->local.id},
               {"@result", s->result.id},
               {"@step", s->call_step.id},
               {"@inner", s->call_inner.id},
               {"@fact", s->call_fact.id},
               {"@head", s->head.id},
               {"@exit", tp_func_of(s->b.p, s->step)->exit.id}};
  while (*text) {
    size_t i = 0, n_names = sizeof names / sizeof *names;
    while (i < n_names && strncmp(text, names[i].name, strlen(names[i].name)) != 0) i++;
    if (i < n_names)
      tp_str_printf(out, "%u", names[i].number);
    else
      tp_str_add_char(out, *text);
    text += i < n_names ? strlen(names[i].name) : 1;
  }
}

static void broken_certificates_are_refused(void **unused) {
  (void)unused;
  static const damage rows[] = {
      {"kind invariants", "kind unrolling", "line 2: another kind"},
      {"property unreach-call", "property all", "line 3: unknown property"},
      {"lp64", "ilp32", "line 4: other machine"},
      {"contract 1 fact", "contract 2 fact", "line 6: the next number expected"},
      {"contract 1 fact", "contract 1 fiction", "line 6: unknown function"},
      {"contract 1 fact", "contract 1 step", "line 9: the function has a contract"},
      {"context 1 main", "context 1 niam", "line 7: main, call or contract"},
      {"context 1 main", "context 2 main", "line 7: the next number"},
      {"context 2 contract 1", "context 2 contract 2", "line 8: a contract expected"},
      {"context 2 contract 1", "context 2 main", "line 8: the same context again"},
      {"call 1 @step step", "call 3 @step step", "line 9: an earlier context"},
      {"call 1 @step step", "call 2 @step step", "line 9: not a call in the function on top"},
      {"call 1 @step step", "call 1 999 step", "line 9: an edge expected"},
      {"call 1 @step step", "call 1 1 step", "line 9: not a call"},
      {"call 1 @step step", "call 1 @step fact", "line 9: a call of another function"},
      {"call 1 @step step", "call 1 @fact fact", "line 9: the function has a contract"},
      {"call 1 @step step", "call 2 @inner fact", "line 9: the function is active already"},
      {"pre 1 ", "pre 2 ", "line 10: the next contract"},
      {"pre 1 ", "post 1 ", "line 10: its pre comes first"},
      {"(BV_ULT (var @n)", "(BV_ULT (var @result)", "line 10: a variable that does not exist here"},
      {"(BV_ULT (var @result)", "(BV_ULT (var @x)", "line 11: a variable that does not exist here"},
      {"pre 1 (BV_ULT", "pre 1 (BV_ADD", "line 10: a formula expected"},
      {"pre 1 (", "pre 1 ((", "line 10: position 2: "},
      {"at 1 @head ", "at 4 @head ", "line 12: a context expected"},
      {"at 1 @head ", "at 3 @head ", "line 12: a location of the function on top"},
      {"at 1 @head ", "at 1 999 ", "line 12: a location expected"},
      {"at 1 @head ", "context 4 main", "line 12: this entry comes too late"},
      {"(BV_ULT (var @x)", "(BV_ULT (var @local)", "line 12: a variable that does not exist here"},
      {"(BV_ULT (var @x)", "(BV_ULT (var 9999)", "line 12: position "},
      {"induction 3", "induction 0", "line 16: one number of steps"},
      {"induction 3", "induction 3\ninduction 3", "line 17: one number of steps"},
      {"induction 3", "induction 1", "line 17: labels are counted in more than one step only"},
      {"count 1 @head", "count 4 @head", "line 17: a context and a location"},
      {"count 1 @head", "count 2 @head", "line 17: a label expected"},
      {"count 1 @head", "at 1 @head TRUE", "line 17: this entry comes too late"},
      {"assume ", "presume ", "line 18: unknown entry"},
      {"assume no load", "at", "line 18: fields missing"},
      {"end\n", "", "the end line is missing"},
  };
  sample s = make();
  tp_invariants v;
  tp_invariants_init(&v);
  fill(&s, &v);
  tp_str good = {0};
  assert_true(tp_invariants_write(&v, s.b.p, &good));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_str bad = {0}, from = {0}, to = {0}, why = {0};
    expand(&s, rows[i].from, &from);
    expand(&s, rows[i].to, &to);
    const char *at = strstr(good.text, from.text);
    if (!at) fail_msg("row %zu: no %s in\n%s", i, from.text, good.text);
    tp_str_add_n(&bad, good.text, (size_t)(at - good.text));
    tp_str_add(&bad, tp_str_text(&to));
    tp_str_add(&bad,
               at + from.n + (strcmp(rows[i].to, "at") == 0 ? strcspn(at + from.n, "\n") : 0));
    assert_int_equal(read_back(&s, bad.text, &why), TP_ERR_INPUT);
    if (!strstr(tp_str_text(&why), rows[i].why)) fail_msg("row %zu: %s", i, tp_str_text(&why));
    tp_str_clear(&bad);
    tp_str_clear(&from);
    tp_str_clear(&to);
    tp_str_clear(&why);
  }
  tp_str_clear(&good);
  tp_invariants_clear(&v);
  build_free(&s.b);
}

/* Whatever bytes are damaged: an answer, and what is read can be written. */
static void damaged_certificates_never_abort(void **unused) {
  (void)unused;
  sample s = make();
  tp_invariants v;
  tp_invariants_init(&v);
  fill(&s, &v);
  tp_str good = {0}, why = {0};
  assert_true(tp_invariants_write(&v, s.b.p, &good));
  tp_rng rng;
  tp_rng_init(&rng, 7);
  size_t taken = 0;
  for (int i = 0; i < 4000; i++) {
    tp_str bad = {0}, again = {0};
    tp_str_add(&bad, good.text);
    for (uint64_t k = 1 + tp_rng_below(&rng, 3); k-- > 0;)
      bad.text[tp_rng_below(&rng, bad.n)] = " \n()0123456789abcetx_#$"[tp_rng_below(&rng, 23)];
    tp_invariants w;
    tp_invariants_init(&w);
    if (tp_invariants_read(bad.text, s.b.p, &w, &why) == TP_OK) {
      taken++;
      assert_true(tp_invariants_write(&w, s.b.p, &again));
    }
    tp_invariants_clear(&w);
    tp_str_clear(&bad);
    tp_str_clear(&again);
  }
  assert_true(taken > 40);
  tp_str_clear(&good);
  tp_str_clear(&why);
  tp_invariants_clear(&v);
  build_free(&s.b);
}

static void labels_cut_all_that_must_be_cut(void **unused) {
  (void)unused;
  sample s = make();
  const tp_program *p = s.b.p;
  size_t n = 0;
  assert_true(tp_is_certificate_cutpoint(p, s.head));
  assert_true(tp_is_certificate_cutpoint(p, tp_edge_of(p, s.call_fact)->to));
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    assert_true(tp_is_certificate_cutpoint(p, p->funcs.at[f].entry));
    assert_true(tp_is_certificate_cutpoint(p, p->funcs.at[f].exit));
  }
  for (uint32_t l = 1; l < p->locs.n; l++) n += tp_is_certificate_cutpoint(p, (tp_loc){l});
  assert_int_equal(n, 6 + 3);  // entries and exits, the head, behind both calls of fact
  build_free(&s.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written_comes_back),
                                     cmocka_unit_test(broken_certificates_are_refused),
                                     cmocka_unit_test(damaged_certificates_never_abort),
                                     cmocka_unit_test(labels_cut_all_that_must_be_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Guessed invariants on random programs: whatever the checker accepts must be true.
 *
 * Formulas are guessed; where the checker refuses one, a part of it is dropped, until it accepts or
 * nothing is left. What it accepted is then evaluated in random runs of the concrete machine, and a
 * claim of no error is held against the exact verdict of all inputs.
 *
 *   fuzz_invariants_test               some seconds; TP_SOAK=1: an hour
 *   fuzz_invariants_test SEED N        N programs from SEED on
 *   fuzz_invariants_test SEED show     one program with its certificates */
#include "judge.h"
#include "models.h"

#include "program/cells.h"
#include "program/variables_text.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK_S = 4, SOAK_S = 3600, MAX_CONTEXTS = 24, MAX_ATTEMPTS = 60, RUNS = 60 };

typedef struct {
  uint32_t context;  // contract: 0, and loc.id is its number * 2 + is_post
  tp_loc loc;
  uint32_t group;  // atoms of one group are a conjunction, groups of one place a disjunction
  tp_term term;
  bool dropped;
} atom;

typedef struct {
  uint32_t parent;
  tp_edge call;
  tp_func func;
  uint32_t contract;
} context;

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_rng rng;
  tp_property claim;
  TP_VEC(context) contexts;   // [0] unused
  TP_VEC(tp_func) contracts;  // [0] unused
  TP_VEC(atom) atoms;
  TP_VEC(tp_var) scope;  // variables that the next atom may use
} guess;

static uint32_t below(guess *g, uint32_t n) { return (uint32_t)tp_rng_below(&g->rng, n); }

// -------------------------------------------------------------------- contexts

static uint32_t contract_of(const guess *g, tp_func f) {
  for (uint32_t k = 1; k < g->contracts.n; k++)
    if (g->contracts.at[k].id == f.id) return k;
  return 0;
}

static bool is_active(const guess *g, uint32_t c, tp_func f) {
  for (; c; c = g->contexts.at[c].parent)
    if (g->contexts.at[c].func.id == f.id) return true;
  return false;
}

static bool fits(const guess *g, const tp_edge_info *e, const tp_func_info *f) {
  if (!f->has_body || e->n_args != f->n_params || (e->var.id && !f->result.id)) return false;
  for (uint32_t i = 0; i < e->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(g->tt, e->args[i]),
                    tp_sort_of(g->tt, tp_var_of(g->p, f->params[i])->term)))
      return false;
  return !e->var.id || tp_sort_eq(tp_sort_of(g->tt, tp_var_of(g->p, e->var)->term),
                                  tp_sort_of(g->tt, tp_var_of(g->p, f->result)->term));
}

static void find_contexts(guess *g) {
  const tp_program *p = g->p;
  tp_vec_push(&g->contexts, (context){0});
  tp_vec_push(&g->contracts, TP_FUNC_NONE);
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].has_body &&
        (p->funcs.at[f].is_recursive || (f != p->main.id && below(g, 4) == 0)))
      tp_vec_push(&g->contracts, (tp_func){f});
  tp_vec_push(&g->contexts, (context){.func = p->main});
  for (uint32_t k = 1; k < g->contracts.n; k++)
    tp_vec_push(&g->contexts, (context){.func = g->contracts.at[k], .contract = k});
  for (uint32_t c = 1; c < g->contexts.n; c++)
    for (uint32_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (!e->from.id || e->kind != TP_E_CALL ||
          tp_loc_of(p, e->from)->func.id != g->contexts.at[c].func.id)
        continue;
      for (uint32_t f = 1; f < p->funcs.n; f++) {
        if ((e->callee.id && e->callee.id != f) || !fits(g, e, &p->funcs.at[f]) ||
            contract_of(g, (tp_func){f}) || is_active(g, c, (tp_func){f}))
          continue;
        if (g->contexts.n < MAX_CONTEXTS)
          tp_vec_push(&g->contexts, (context){.parent = c, .call = {i}, .func = {f}});
      }
    }
}

// ----------------------------------------------------------------------- atoms

static void scope_of(guess *g, uint32_t c, tp_func params_of, tp_func result_of) {
  const tp_program *p = g->p;
  g->scope.n = 0;
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    bool ok = v->kind == TP_V_GLOBAL || (c && v->kind != TP_V_GHOST && is_active(g, c, v->func));
    for (uint32_t k = 0; params_of.id && k < tp_func_of(p, params_of)->n_params; k++)
      ok = ok || tp_func_of(p, params_of)->params[k].id == i;
    ok = ok || (result_of.id && tp_func_of(p, result_of)->result.id == i);
    if (ok) tp_vec_push(&g->scope, (tp_var){i});
  }
}

/* A variable of the kind of sort wanted; NONE after some tries. */
static tp_term pick(guess *g, tp_sort_kind k) {
  for (int i = 0; i < 12 && g->scope.n; i++) {
    tp_term t = tp_var_of(g->p, g->scope.at[below(g, (uint32_t)g->scope.n)])->term;
    if (tp_sort_kind_of(g->tt, tp_sort_of(g->tt, t)) == k) return t;
  }
  return TP_TERM_NONE;
}

static tp_term pick_like(guess *g, tp_term like) {
  for (int i = 0; i < 12; i++) {
    tp_term t = pick(g, tp_sort_kind_of(g->tt, tp_sort_of(g->tt, like)));
    if (tp_term_is(t) && t.id != like.id &&
        tp_sort_eq(tp_sort_of(g->tt, t), tp_sort_of(g->tt, like)))
      return t;
  }
  return TP_TERM_NONE;
}

static tp_term number(guess *g, uint32_t width) {
  static const uint64_t some[] = {0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 255, UINT64_MAX};
  return tp_mk_bv(g->tt, width, some[below(g, sizeof some / sizeof *some)]);
}

static tp_term integer(guess *g) {
  tp_term v = pick(g, TP_SORT_BV), p;
  static const uint32_t widths[] = {8, 16, 32, 32, 32, 64};
  if (below(g, 3) == 0 && tp_term_is(p = pick(g, TP_SORT_PTR))) {
    if (below(g, 2))
      p = tp_mk_ptr_add(g->tt, p, tp_mk_bv(g->tt, g->p->ptr_bits, below(g, 9)));
    else if (below(g, 3) == 0)
      p = tp_cell(g->p, tp_sort_ptr(g->tt), p);
    return tp_cell(g->p, tp_sort_bv(g->tt, widths[below(g, 6)]), p);
  }
  if (below(g, 12) == 0) return tp_var_of(g->p, g->p->ghost_heap)->term;
  if (g->p->statics.n > 1 && below(g, 5) == 0)
    return tp_cell(
        g->p, tp_sort_bv(g->tt, widths[below(g, 6)]),
        tp_mk_ptr_const(g->tt, 1 + below(g, (uint32_t)g->p->statics.n - 1), below(g, 3) * 4));
  return v;
}

static tp_term about_integers(guess *g) {
  tp_terms *tt = g->tt;
  tp_term x = integer(g), y;
  if (!tp_term_is(x)) return x;
  y = below(g, 2) ? pick_like(g, x) : TP_TERM_NONE;
  if (!tp_term_is(y)) y = number(g, tp_width(tt, x));
  switch (below(g, 5)) {
    case 0: return tp_mk2(tt, TP_OP_BV_ULE, x, y);
    case 1: return tp_mk2(tt, TP_OP_BV_SLE, below(g, 2) ? x : y, x);
    case 2: return tp_mk2(tt, TP_OP_BV_ULT, y, x);
    default: return tp_mk_eq(tt, x, y);
  }
}

static tp_term about_pointers(guess *g) {
  tp_terms *tt = g->tt;
  tp_term p = pick(g, TP_SORT_PTR), q;
  if (!tp_term_is(p)) return p;
  if (below(g, 6) == 0) p = tp_cell(g->p, tp_sort_ptr(tt), p);
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, p);
  const tp_var ghosts[] = {g->p->ghost_live, g->p->ghost_size, g->p->ghost_kind};
  uint32_t which = below(g, 3);
  tp_term ghost = tp_mk2(tt, TP_OP_SELECT, tp_var_of(g->p, ghosts[which])->term, object);
  switch (below(g, 6)) {
    case 0:
      return tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p),
                      tp_mk_bv(tt, g->p->ptr_bits, below(g, 3) * 4));
    case 1:
      return tp_mk_eq(tt, object,
                      tp_mk_bv(tt, TP_OBJ_BITS, below(g, (uint32_t)g->p->statics.n + 2)));
    case 2:
    case 3:
      q = pick_like(g, p);
      if (!tp_term_is(q)) return q;
      return below(g, 2) ? tp_mk_eq(tt, p, q) : tp_mk_eq(tt, object, tp_mk1(tt, TP_OP_PTR_OBJ, q));
    default:
      return which == 0
                 ? ghost
                 : tp_mk_eq(tt, ghost,
                            which == 1 ? tp_mk_bv(tt, g->p->ptr_bits, (uint64_t)4 << below(g, 4))
                                       : tp_mk_bv(tt, 8, 1 + below(g, 5)));
  }
}

static tp_term some_atom(guess *g) {
  tp_term t = TP_TERM_NONE, u = TP_TERM_NONE;
  switch (below(g, 8)) {
    case 0: t = pick(g, TP_SORT_BOOL); break;
    case 1:
    case 2:
    case 3: t = about_pointers(g); break;
    case 4:
      u = below(g, 2) ? about_pointers(g) : about_integers(g);
      t = about_integers(g);
      break;
    default: t = about_integers(g); break;
  }
  if (!tp_term_is(t)) return tp_mk_true(g->tt);
  if (below(g, 4) == 0) t = tp_mk_not(g->tt, t);
  return tp_term_is(u) ? tp_mk_or(g->tt, t, u) : t;
}

static void guess_at(guess *g, uint32_t c, tp_loc l) {
  uint32_t groups = 1 + (below(g, 4) == 0);
  for (uint32_t k = 0; k < groups; k++) {
    tp_vec_push(&g->atoms,
                (atom){c, l, k, tp_mk_true(g->tt), false});  // a label, whatever is dropped
    for (uint32_t n = 2 + below(g, 7); n > 0; n--) {
      tp_term t = some_atom(g);
      if (tp_is_true(g->tt, t) || tp_is_false(g->tt, t)) continue;
      tp_vec_push(&g->atoms, (atom){c, l, k, t, false});
    }
  }
}

static void guess_all(guess *g) {
  const tp_program *p = g->p;
  for (uint32_t c = 1; c < g->contexts.n; c++) {
    tp_func f = g->contexts.at[c].func;
    scope_of(g, c, TP_FUNC_NONE, TP_FUNC_NONE);
    for (uint32_t l = 1; l < p->locs.n; l++) {
      const tp_loc_info *loc = &p->locs.at[l];
      if (loc->func.id != f.id || loc->error || loc->is_unsupported) continue;
      bool due = tp_in_edges(p, (tp_loc){l}).n > 1 || loc->is_loop_head || loc->is_cutpoint;
      if (due || below(g, 10) == 0) guess_at(g, c, (tp_loc){l});
    }
  }
  for (uint32_t k = 1; k < g->contracts.n; k++)
    for (uint32_t post = 0; post < 2; post++) {
      scope_of(g, 0, post ? TP_FUNC_NONE : g->contracts.at[k],
               post ? g->contracts.at[k] : TP_FUNC_NONE);
      for (uint32_t n = below(g, 5); n > 0; n--)
        tp_vec_push(&g->atoms, (atom){0, {2 * k + post}, 0, some_atom(g), false});
    }
}

// --------------------------------------------------------------- certificates

static tp_term conjunction(const guess *g, const atom *like) {
  tp_term all = tp_mk_true(g->tt);
  for (size_t i = 0; i < g->atoms.n; i++) {
    const atom *a = &g->atoms.at[i];
    if (!a->dropped && a->context == like->context && a->loc.id == like->loc.id &&
        a->group == like->group)
      all = tp_mk_and(g->tt, all, a->term);
  }
  return all;
}

static void write_formula(const guess *g, const atom *a, const char *what, uint32_t number_of,
                          tp_str *out) {
  tp_str_printf(out, "%s %u ", what, number_of);
  if (a->context) tp_str_printf(out, "%u ", a->loc.id);
  if (!tp_term_write(g->tt, conjunction(g, a), tp_program_text_vars(g->p), out))
    tp_str_add(out, "?");
  tp_str_add(out, "\n");
}

static void write_certificate(const guess *g, tp_str *out) {
  const tp_program *p = g->p;
  out->n = 0;
  tp_str_printf(
      out,
      "twoproof-certificate 2\nkind invariants\nproperty %s\nmachine %s\nprogram %016" PRIx64 "\n",
      tp_property_name(g->claim), p->ptr_bits == 32 ? "ilp32" : "lp64", tp_program_fingerprint(p));
  for (uint32_t k = 1; k < g->contracts.n; k++)
    tp_str_printf(out, "contract %u %s\n", k, tp_func_of(p, g->contracts.at[k])->name);
  for (uint32_t c = 1; c < g->contexts.n; c++) {
    const context *x = &g->contexts.at[c];
    if (x->parent)
      tp_str_printf(out, "context %u call %u %u %s\n", c, x->parent, x->call.id,
                    tp_func_of(p, x->func)->name);
    else if (x->contract)
      tp_str_printf(out, "context %u contract %u\n", c, x->contract);
    else
      tp_str_printf(out, "context %u main\n", c);
  }
  tp_map done = {0};
  for (size_t i = 0; i < g->atoms.n; i++) {
    const atom *a = &g->atoms.at[i];
    uint64_t key = ((uint64_t)a->context << 32 | a->loc.id) << 2 | a->group;
    if (tp_map_has(&done, key)) continue;
    tp_map_set(&done, key, 1);
    write_formula(g, a,
                  a->context      ? "at"
                  : a->loc.id & 1 ? "post"
                                  : "pre",
                  a->context ? a->context : a->loc.id / 2, out);
  }
  tp_map_clear(&done);
  tp_str_add(out, "end\n");
}

/* Drop one of the atoms at this place, or of any if it has none; false: none is left there. */
static bool drop(guess *g, uint32_t c, tp_loc l) {
  TP_VEC(size_t) here = {0};
  for (int anywhere = 0; anywhere < 2 && !here.n; anywhere++)
    for (size_t i = 0; i < g->atoms.n; i++) {
      const atom *a = &g->atoms.at[i];
      bool is_contract = !a->context && anywhere;
      if (!a->dropped && !tp_is_true(g->tt, a->term) &&
          ((a->context == c && a->loc.id == l.id) || is_contract))
        tp_vec_push(&here, i);
    }
  bool some = here.n > 0;
  if (some) g->atoms.at[here.at[below(g, (uint32_t)here.n)]].dropped = true;
  tp_vec_clear(&here);
  return some;
}

// ------------------------------------------------------------------- one program

typedef struct {
  uint64_t programs, accepted, claims, atoms, unsafe, tries, reasons[3];
  uint64_t wrong;
} totals_of_guesses;

static tp_certify_result check(guess *g, const char *text, tp_loc *where, uint32_t *c,
                               tp_str *why) {
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 2, .solver_rlimit = 2000000, .edges = 20000};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(g->p, g->claim, text, &limits, NULL, &report);
  *where = report.where;
  *c = report.context;
  why->n = 0;
  tp_str_add(why, tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return r;
}

static bool runs_agree(guess *g, const char *text, tp_str *why) {
  tp_certify_report report;
  tp_certify_limits limits = {0};
  tp_inputs in;
  tp_inputs_init(&in);
  tp_certify_report_init(&report);
  bool ok = tp_certify_run(g->p, g->claim, text, tp_rng_next(&g->rng), RUNS, &limits, &in,
                           &report) == TP_CERTIFY_ACCEPTED;
  tp_str_add(why, tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  tp_inputs_clear(&in);
  return ok;
}

static void one_claim(guess *g, bool is_unsafe, bool show, totals_of_guesses *s) {
  tp_str text = {0}, why = {0};
  g->atoms.n = g->contexts.n = g->contracts.n = 0;
  find_contexts(g);
  guess_all(g);
  tp_certify_result r = TP_CERTIFY_REJECTED;
  for (int i = 0; i < MAX_ATTEMPTS && r != TP_CERTIFY_ACCEPTED; i++) {
    tp_loc where;
    uint32_t c;
    write_certificate(g, &text);
    r = check(g, text.text, &where, &c, &why);
    s->tries++;
    if (show) printf("%s: %s\n", tp_certify_result_name(r), tp_str_text(&why));
    bool dropped = false;
    for (int k = 0; r != TP_CERTIFY_ACCEPTED && k <= i / 8; k++)
      dropped = drop(g, c, where) || dropped;  // in a hurry towards the end
    if (!dropped) break;
  }
  if (show) printf("%s\n", tp_str_text(&text));
  why.n = 0;
  s->reasons[r]++;
  if (r == TP_CERTIFY_ACCEPTED) {
    s->accepted++;
    s->claims += g->claim != TP_P_NONE;
    for (size_t i = 0; i < g->atoms.n; i++)
      s->atoms += !g->atoms.at[i].dropped && !tp_is_true(g->tt, g->atoms.at[i].term);
    bool wrong = (is_unsafe && g->claim != TP_P_NONE) || !runs_agree(g, text.text, &why);
    if (wrong)
      printf("%s, but accepted:\n%s\n", why.n ? why.text : "some inputs reach an error", text.text);
    s->wrong += wrong;
  }
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void one_program(uint64_t seed, bool show, totals_of_guesses *s) {
  tape t;
  traits what;
  exact_result exact;
  uint64_t wrong = s->wrong;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  guess g = {.p = model_make(&t, diag, &what)};
  g.tt = g.p->terms;
  tp_rng_init(&g.rng, seed);
  if (show) {
    tp_str text = {0};
    tp_program_print(g.p, &text);
    printf("property %s\n%s\n", tp_property_name(what.asked), tp_str_text(&text));
    tp_str_clear(&text);
  }
  exact_run(g.p, what.asked, (exact_limits){.max_runs = 1000, .max_steps = 5000, .max_bits = 8},
            &exact);
  bool is_unsafe = exact.verdict == EXACT_UNSAFE;
  s->programs++;
  s->unsafe += is_unsafe;
  for (int i = 0; i < 3; i++) {
    g.claim = i % 2 ? what.asked : TP_P_NONE;
    one_claim(&g, is_unsafe, show, s);
  }
  if (s->wrong != wrong) printf("seed %" PRIu64 "\n", seed);
  exact_clear(&exact);
  tp_vec_clear(&g.contexts);
  tp_vec_clear(&g.contracts);
  tp_vec_clear(&g.atoms);
  tp_vec_clear(&g.scope);
  tp_program_free(g.p);
  tp_diag_free(diag);
  tape_clear(&t);
}

static totals_of_guesses run_many(uint64_t first, uint64_t n, double seconds) {
  totals_of_guesses s = {0};
  double start = tp_wall_s();
  for (uint64_t i = 0; i < n && s.wrong < 3 && (seconds <= 0 || tp_wall_s() - start < seconds); i++)
    one_program(first + i, false, &s);
  printf("%" PRIu64 " programs (%" PRIu64 " unsafe), %" PRIu64 " checks; accepted %" PRIu64
         " certificates with %" PRIu64 " formulas, %" PRIu64
         " of them claims; undecided at the end %" PRIu64 ", rejected %" PRIu64 "\n",
         s.programs, s.unsafe, s.tries, s.accepted, s.atoms, s.claims,
         s.reasons[TP_CERTIFY_UNDECIDED], s.reasons[TP_CERTIFY_REJECTED]);
  return s;
}

static void accepted_invariants_are_true(void **state) {
  (void)state;
  size_t live = tp_live_bytes();
  totals_of_guesses s = run_many(1, UINT64_MAX, getenv("TP_SOAK") ? SOAK_S : QUICK_S);
  assert_int_equal(s.wrong, 0);
  assert_true(s.accepted > 0 && s.atoms > 0);
  assert_int_equal(tp_live_bytes(), live);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[2], "show") == 0) {
    totals_of_guesses s = {0};
    one_program(strtoull(argv[1], NULL, 10), true, &s);
    return s.wrong != 0;
  }
  if (argc > 2)
    return run_many(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), 0).wrong != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(accepted_invariants_are_true)};
  return cmocka_run_group_tests_name("fuzz_invariants", tests, NULL, NULL);
}

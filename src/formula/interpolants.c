/* Interpolants: the sources, and the check that every sequence passes. */
#include "formula/interpolants.h"

#include "formula/formula_limits.h"
#include "formula/interpolants_priv.h"

static const char *const names[TP_N_ITP] = {"wp", "sp", "horn", "horn-integers", "atoms"};

const char *tp_itp_name(tp_itp_source s) { return names[s]; }

bool tp_itp_parse(const char *name, tp_itp_source *out) {
  for (int i = 0; i < TP_N_ITP; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (tp_itp_source)i;
      return true;
    }
  return false;
}

tp_itp_answer tp_itp_feasible(tp_paths *x, const tp_path *blocks, size_t n, tp_itp_options o) {
  TP_REQUIRE(n > 0);
  tp_itp s;
  tp_itp_answer answers[] = {[TP_SMT_SAT] = TP_ITP_FEASIBLE,
                             [TP_SMT_UNSAT] = TP_ITP_INFEASIBLE,
                             [TP_SMT_UNKNOWN] = TP_ITP_UNKNOWN};
  tp_itp_open(&s, x, blocks, n, NULL, o);
  tp_smt_answer answer = tp_itp_query(&s, tp_itp_prefix(&s, n, true), 0);
  tp_itp_close(&s);
  return answers[answer];
}

bool tp_itp_holds(tp_paths *x, const tp_path *block, tp_term before, tp_term after,
                  tp_itp_options o) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, before)) == TP_SORT_BOOL);
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, after)) == TP_SORT_BOOL);
  tp_itp s = {.x = x, .tt = x->tt, .o = o};
  tp_term parts[] = {before, tp_path_condition(x, block),
                     tp_mk_not(x->tt, tp_path_after(x, block, after))};
  s.deadline = o.cpu_s > 0 ? tp_cpu_s() + o.cpu_s : 0;
  return tp_itp_refutes(&s, tp_mk_and_n(x->tt, parts, 3));
}

// ----------------------------------------------------------------------- check

tp_smt_answer tp_itp_step(tp_itp *s, size_t block, tp_term before, tp_term after) {
  TP_REQUIRE(block < s->n);
  const tp_path *b = &s->blocks[block];
  tp_term parts[] = {before, tp_path_condition(s->x, b),
                     tp_path_after(s->x, b, tp_mk_not(s->tt, after)), tp_mk_true(s->tt),
                     tp_mk_true(s->tt)};
  if (s->invariants) parts[3] = s->invariants[block];
  if (s->invariants) parts[4] = tp_path_after(s->x, b, s->invariants[block + 1]);
  return tp_itp_query(s, tp_mk_and_n(s->tt, parts, 5), TP_FORMULA_STEP_EFFORT * s->o.rlimit);
}

bool tp_itp_is_inductive(tp_itp *s, const tp_term *at) {
  for (size_t i = 0; i < s->n; i++)
    if (tp_itp_step(s, i, at[i], at[i + 1]) != TP_SMT_UNSAT) return false;
  return true;
}

/* Every step by itself, in bit-vectors. */
static bool check(tp_itp *s, const tp_term *at, tp_str *why) {
  bool ok = tp_is_true(s->tt, at[0]) && tp_is_false(s->tt, at[s->n]);
  if (!ok) tp_str_add(why, "the sequence does not go from true to false");
  for (size_t i = 0; ok && i <= s->n; i++)
    if (!(ok = tp_paths_is_expressible(s->x, at[i])))
      tp_str_printf(why, "the formula at cut %zu speaks of what cannot be said", i);
  for (size_t i = 0; ok && i < s->n; i++) {
    tp_smt_answer answer = tp_itp_step(s, i, at[i], at[i + 1]);
    ok = answer == TP_SMT_UNSAT;
    if (!ok)
      tp_str_printf(why, "block %zu is %s", i + 1,
                    answer == TP_SMT_SAT ? "not proved by it" : "too hard to check");
    if (answer == TP_SMT_SAT && s->o.stats) s->o.stats->interpolants_broken++;
  }
  return ok;
}

static bool ask_source(tp_itp *s, tp_itp_source source, tp_term *out, tp_str *why) {
  switch (source) {
    case TP_ITP_WP: return tp_itp_wp(s, out, why);
    case TP_ITP_SP: return tp_itp_sp(s, out, why);
    case TP_ITP_HORN: return tp_itp_horn(s, false, out, why);
    case TP_ITP_HORN_INTEGERS: return tp_itp_horn(s, true, out, why);
    case TP_ITP_ATOMS: return tp_itp_atoms(s, out, why);
    case TP_N_ITP: break;
  }
  return false;
}

bool tp_itp_sequence(tp_paths *x, const tp_path *blocks, size_t n, const tp_term *invariants,
                     tp_itp_source source, tp_itp_options o, tp_term *out, tp_str *why) {
  TP_REQUIRE(n > 0 && out);
  tp_itp s;
  tp_itp_answer answer = TP_ITP_UNKNOWN;
  bool ok = false;
  tp_itp_open(&s, x, blocks, n, invariants, o);
  if (n == 0)
    tp_str_add(why, "no blocks");
  else if (!tp_itp_find_core(&s, &answer))
    tp_str_add(why, answer == TP_ITP_FEASIBLE
                        ? "the blocks can be run through"
                        : "not decided whether the blocks can be run through");
  else
    ok = ask_source(&s, source, out, why) && check(&s, out, why);
  if (o.stats) o.stats->interpolants += ok;
  tp_itp_close(&s);
  return ok;
}

// ----------------------------------------------------------------------- atoms

typedef struct {
  const tp_terms *tt;
  tp_atoms *out;
} atom_search;

static tp_visit add_atom(void *ctx, tp_term t) {
  atom_search *a = ctx;
  const tp_terms *tt = a->tt;
  tp_term_kind k = tp_kind(tt, t);
  uint32_t n = tp_n_args(tt, t);
  bool is_bool = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
  bool over_bools =
      n > 0 && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, n - 1))) == TP_SORT_BOOL;
  bool is_structure = k == TP_OP_NOT || k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_XOR ||
                      ((k == TP_OP_EQ || k == TP_OP_ITE) && over_bools);
  if (is_bool && !is_structure && !tp_is_const(tt, t)) tp_vec_push(a->out, t);
  return a->out->n < TP_FORMULA_PATH_ATOMS ? TP_VISIT_ARGS : TP_VISIT_STOP;
}

/* Splits Bool structure and conditionals below atoms. */
void tp_atoms_of(const tp_terms *tt, tp_term t, tp_atoms *out) {
  atom_search a = {tt, out};
  tp_map seen = {0};
  if (out->n >= TP_FORMULA_PATH_ATOMS) return;
  for (size_t i = 0; i < out->n; i++) tp_map_set(&seen, out->at[i].id, 1);
  (void)tp_visit_terms(tt, t, &(tp_visitor){.ctx = &a, .visit = add_atom}, &seen);
  tp_map_clear(&seen);
}

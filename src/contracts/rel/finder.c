/* Queries to the SAT solver. Formulas that were added are clauses of the main solver; queries in
 * which they may be left out (cores, the width) get a solver of their own over the same circuit.
 * Cores are minimised by deletion: every step removes a formula for good or keeps it for good, so
 * there are as many solver calls as formulas. */
#include "contracts/rel/finder.h"

#include "circuit/model_count.h"
#include "circuit/sat.h"
#include "circuit/words.h"
#include "contracts/rel/rel_eval.h"
#include "contracts/rel/symmetry.h"

typedef struct {
  tp_rel_formula formula;
  tp_lit lit;             // its assertion
  bool may_be_undefined;  // it is asserted not to be false
} part;

struct tp_rel_finder {
  const tp_rel_bounds *b;
  const tp_rel *l;
  tp_rel_options options;
  tp_gates gates;
  tp_rel_translation *t;
  tp_sat *sat;
  tp_lit symmetry;
  uint32_t n_relations;         // of the logic when the finder was made
  TP_VEC(part) added, assumed;  // assumed: by the last question
  tp_map assertions;            // formula to literal
  tp_map sound;                 // nodes that were checked
  TP_VEC(tp_lit) assumptions;
  tp_rel_instance instance;
  tp_lit guard;  // of the clauses that rule out what was enumerated; FALSE: nothing is enumerated
  uint64_t n_solver_calls;
  double solver_s;
  tp_str error;
};

tp_rel_options tp_rel_default_options(void) {
  return (tp_rel_options){.width_bits = 8,
                          .symmetry_length = 20,
                          .skolemize = true,
                          .memoize = true,
                          .max_cells = 50000000};
}

/* Formulas are mostly asserted, not compared: one direction of most gates is enough. */
static tp_sat *empty_solver(const tp_rel_finder *f) {
  tp_sat *sat = tp_sat_new(&f->gates);
  tp_sat_use_polarity(sat);
  return sat;
}

tp_rel_finder *tp_rel_finder_new(const tp_rel_bounds *b, tp_rel_options options) {
  TP_REQUIRE(tp_rel_bounds_check(b) && tp_rel_check(tp_rel_bounds_logic(b)));
  tp_rel_finder *f = TP_NEW(tp_rel_finder);
  f->b = b;
  f->l = tp_rel_bounds_logic(b);
  f->options = options;
  f->n_relations = tp_rel_n_relations(f->l);
  tp_gates_init(&f->gates);
  f->t = tp_rel_translation_new(b, &f->gates,
                                (tp_rel_translate_options){options.width_bits, options.memoize,
                                                           options.skolemize, options.max_cells});
  f->sat = empty_solver(f);
  f->symmetry = options.symmetry_length
                    ? tp_rel_symmetry_predicate(f->t, b, &f->gates, options.symmetry_length)
                    : TP_LIT_TRUE;
  tp_rel_instance_init(&f->instance, f->n_relations);
  return f;
}

void tp_rel_finder_grow(tp_rel_finder *f) {
  TP_REQUIRE(f->options.symmetry_length == 0);  // the order predicates are of the old bounds
  f->n_relations = tp_rel_n_relations(f->l);
  tp_rel_translation_grow(f->t);
  tp_rel_instance_clear(&f->instance);
  tp_rel_instance_init(&f->instance, f->n_relations);
}

void tp_rel_finder_free(tp_rel_finder *f) {
  if (!f) return;
  tp_sat_free(f->sat);
  tp_rel_translation_free(f->t);
  tp_gates_clear(&f->gates);
  tp_vec_clear(&f->added);
  tp_vec_clear(&f->assumed);
  tp_map_clear(&f->assertions);
  tp_map_clear(&f->sound);
  tp_vec_clear(&f->assumptions);
  tp_rel_instance_clear(&f->instance);
  tp_str_clear(&f->error);
  tp_free(f);
}

const char *tp_rel_finder_error(const tp_rel_finder *f) {
  return f->error.n ? f->error.text : NULL;
}
const tp_rel_instance *tp_rel_finder_instance(const tp_rel_finder *f) { return &f->instance; }

tp_rel_stats tp_rel_finder_stats(const tp_rel_finder *f) {
  tp_rel_stats s = {.n_gates = f->gates.nodes.n - 1,
                    .n_translated = tp_rel_n_translations(f->t),
                    .n_solver_calls = f->n_solver_calls,
                    .solver_s = f->solver_s};
  size_t n_primary;
  tp_rel_primary(f->t, &n_primary);
  s.n_primary = n_primary;
  tp_sat_size(f->sat, &s.n_variables, &s.n_clauses);
  return s;
}

// -------------------------------------------------------------------- formulas

static tp_status refuse(tp_rel_finder *f, const char *what, const char *name) {
  if (!f->error.n) tp_str_printf(&f->error, what, name);
  return TP_ERR_ARG;
}

/* All relations below the node have bounds. */
static tp_status check_relations(tp_rel_finder *f, uint32_t root) {
  TP_VEC(uint32_t) todo = {0};
  tp_status st = TP_OK;
  tp_vec_push(&todo, root);
  while (todo.n && st == TP_OK) {
    const uint32_t id = tp_vec_pop(&todo);
    const tp_rel_node *n = tp_rel_at(f->l, id);
    if (tp_map_has(&f->sound, id)) continue;
    tp_map_set(&f->sound, id, 1);
    const uint32_t r = (uint32_t)n->number;
    if (n->kind == TP_REL_RELATION && (r >= f->n_relations || !tp_rel_lower(f->b, r))) {
      tp_str_clear(&f->error);
      tp_str_printf(&f->error, "relation `%s` has no bounds", tp_rel_relation_name(f->l, r));
      st = TP_ERR_ARG;
    }
    for (uint32_t i = 0; i < n->n_kids; i++) tp_vec_push(&todo, n->kids[i]);
  }
  if (st != TP_OK) tp_map_clear(&f->sound);
  tp_vec_clear(&todo);
  return st;
}

static tp_status assertion_of(tp_rel_finder *f, tp_rel_formula formula, tp_lit *out) {
  uint64_t known;
  tp_str_clear(&f->error);
  if (f->options.width_bits == 0 || f->options.width_bits > TP_REL_MAX_WIDTH)
    return refuse(f, "%s", "the width of integers is out of range");
  if (tp_rel_error(f->l)) return refuse(f, "%s", tp_rel_error(f->l));
  const tp_rel_node *n = tp_rel_at(f->l, formula.id);
  if (!formula.id || tp_rel_sort_of(n->kind) != TP_REL_SORT_FORMULA)
    return refuse(f, "%s", "not a formula");
  if (n->n_free)
    return refuse(f, "variable `%s` is not bound by anything",
                  tp_rel_variable_name(f->l, n->free[0]));
  TP_TRY(check_relations(f, formula.id));
  if (tp_map_get(&f->assertions, formula.id, &known)) {
    *out = (tp_lit){(uint32_t)known};
    return TP_OK;
  }
  *out = tp_rel_assertion(f->t, formula);
  if (tp_rel_translation_is_full(f->t))
    return refuse(f, "%s", "the matrices are larger than allowed"), TP_ERR_LIMIT;
  tp_map_set(&f->assertions, formula.id, out->id);
  return TP_OK;
}

tp_status tp_rel_finder_add(tp_rel_finder *f, tp_rel_formula formula) {
  tp_lit lit;
  TP_TRY(assertion_of(f, formula, &lit));
  tp_vec_push(&f->added, (part){formula, lit, false});
  tp_sat_clause(f->sat, &lit, 1);
  f->guard = TP_LIT_FALSE;
  return TP_OK;
}

tp_status tp_rel_finder_add_unless_false(tp_rel_finder *f, tp_rel_formula formula) {
  tp_lit lit;
  TP_TRY(assertion_of(f, formula, &lit));  // errors, relations
  lit = tp_rel_possibility(f->t, formula);
  if (tp_rel_translation_is_full(f->t))
    return refuse(f, "%s", "the matrices are larger than allowed"), TP_ERR_LIMIT;
  tp_vec_push(&f->added, (part){formula, lit, true});
  tp_sat_clause(f->sat, &lit, 1);
  f->guard = TP_LIT_FALSE;
  return TP_OK;
}

static tp_status assume(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n) {
  f->assumed.n = 0;
  for (size_t i = 0; i < n; i++) {
    tp_lit lit;
    TP_TRY(assertion_of(f, assumed[i], &lit));
    tp_vec_push(&f->assumed, (part){assumed[i], lit, false});
  }
  return tp_rel_translation_is_full(f->t) ? TP_ERR_LIMIT : TP_OK;
}

// ------------------------------------------------------------------- instances

/* The instance that a solver's values describe. */
static void read_instance(tp_rel_finder *f, tp_sat *sat) {
  for (uint32_t r = 0; r < f->n_relations; r++) {
    const tp_rel_matrix m = tp_rel_translation_of(f->t, r);
    f->instance.of[r].n = 0;
    for (size_t i = 0; i < m.n; i++) {
      const tp_lit lit = m.at[i].lit;
      if (tp_lit_is_const(lit) ? tp_lit_eq(lit, TP_LIT_TRUE) : sat && tp_sat_value(sat, lit))
        tp_rel_tuples_add(&f->instance.of[r], m.at[i].tuple);
    }
  }
}

/* The values that the evaluator gives to a list of formulas: how many are false, how many
 * undefined. */
static void count_values(tp_rel_eval *e, const part *parts, size_t n, size_t *n_false,
                         size_t *n_undefined) {
  for (size_t i = 0; i < n; i++) {
    const tp_rel_truth_value t = tp_rel_eval_formula(e, parts[i].formula);
    *n_false += t == TP_REL_IS_FALSE;
    *n_undefined += t == TP_REL_IS_UNDEFINED && !parts[i].may_be_undefined;
  }
}

/* Is the instance within the bounds, no formula false in it, and one undefined just if that is
 * wanted? */
static tp_rel_answer check_instance(tp_rel_finder *f, const part *parts, size_t n, bool undefined) {
  TP_REQUIRE(n == 0 || parts);
  size_t n_false = 0, n_undefined = 0;
  tp_rel_eval *e = tp_rel_eval_new(f->b, &f->instance, f->options.width_bits);
  count_values(e, parts, n, &n_false, &n_undefined);
  tp_rel_eval_free(e);
  return n_false == 0 && (n_undefined > 0) == undefined &&
                 tp_rel_instance_is_within(&f->instance, f->b)
             ? TP_REL_SAT
             : TP_REL_INCONSISTENT;
}

static tp_rel_answer check_all(tp_rel_finder *f) {
  const tp_rel_answer a = check_instance(f, f->added.at, f->added.n, false);
  return a == TP_REL_SAT ? check_instance(f, f->assumed.at, f->assumed.n, false) : a;
}

// --------------------------------------------------------------------- solving

static tp_rel_answer query(tp_rel_finder *f, tp_sat *sat) {
  f->n_solver_calls++;
  const double start_s = tp_cpu_s();
  const tp_sat_answer answer = tp_sat_solve(sat, f->assumptions.at, f->assumptions.n,
                                            f->options.conflicts, f->options.cpu_s);
  f->solver_s += tp_cpu_s() - start_s;
  switch (answer) {
    case TP_SAT_SATISFIABLE: return TP_REL_SAT;
    case TP_SAT_UNSATISFIABLE: return TP_REL_UNSAT;
    case TP_SAT_CONFLICT_LIMIT:
    case TP_SAT_CPU_LIMIT: break;
  }
  return TP_REL_UNKNOWN;
}

typedef enum { KEEP_SYMMETRY, BREAK_SYMMETRY } symmetry_use;

/* The assumptions of the question: false if one of them, or an added formula, is false by itself.
 * Those that are true are left out. */
static bool collect(tp_rel_finder *f, symmetry_use use) {
  bool possible = true;
  f->assumptions.n = 0;
  for (size_t i = 0; i < f->added.n; i++)
    if (tp_lit_eq(f->added.at[i].lit, TP_LIT_FALSE)) possible = false;
  if (use == BREAK_SYMMETRY && !tp_lit_is_const(f->symmetry))
    tp_vec_push(&f->assumptions, f->symmetry);
  for (size_t i = 0; i < f->assumed.n; i++) {
    if (tp_lit_eq(f->assumed.at[i].lit, TP_LIT_FALSE)) possible = false;
    if (!tp_lit_is_const(f->assumed.at[i].lit)) tp_vec_push(&f->assumptions, f->assumed.at[i].lit);
  }
  return possible;
}

/* Nothing is asked: every formula is true by itself. */
static bool is_trivial(const tp_rel_finder *f) {
  for (size_t i = 0; i < f->added.n; i++)
    if (!tp_lit_is_const(f->added.at[i].lit)) return false;
  for (size_t i = 0; i < f->assumed.n; i++)
    if (!tp_lit_is_const(f->assumed.at[i].lit)) return false;
  return true;
}

tp_rel_answer tp_rel_finder_solve(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n) {
  TP_REQUIRE(n == 0 || assumed);
  f->guard = TP_LIT_FALSE;
  if (assume(f, assumed, n) != TP_OK) return TP_REL_UNKNOWN;
  if (!collect(f, BREAK_SYMMETRY)) return TP_REL_UNSAT;
  const bool trivial = is_trivial(f);
  const tp_rel_answer a = trivial ? TP_REL_SAT : query(f, f->sat);
  if (a != TP_REL_SAT) return a;
  read_instance(f, trivial ? NULL : f->sat);
  return check_all(f);
}

tp_rel_answer tp_rel_finder_next(tp_rel_finder *f) {
  size_t n;
  const tp_lit *primary = tp_rel_primary(f->t, &n);
  f->assumed.n = 0;
  if (tp_rel_translation_is_full(f->t)) return TP_REL_UNKNOWN;
  if (!collect(f, BREAK_SYMMETRY)) return TP_REL_UNSAT;
  if (tp_lit_eq(f->guard, TP_LIT_FALSE)) f->guard = tp_gate_input(&f->gates);
  tp_vec_push(&f->assumptions, f->guard);
  const tp_rel_answer a = query(f, f->sat);
  if (a != TP_REL_SAT) return a;
  read_instance(f, f->sat);
  TP_VEC(tp_lit) other = {0};  // an instance that is not this one
  for (size_t i = 0; i < n; i++)
    tp_vec_push(&other, tp_lit_flip(primary[i], tp_sat_value(f->sat, primary[i])));
  tp_vec_push(&other, tp_lit_not(f->guard));
  tp_sat_clause(f->sat, other.at, other.n);
  tp_vec_clear(&other);
  return check_all(f);
}

// --------------------------------------------------------------------- closest

static uint64_t distance_of(const tp_rel_instance *a, const tp_rel_instance *b) {
  TP_REQUIRE(a && b);
  uint64_t n = 0;
  for (uint32_t r = 0; r < a->n; r++) {
    for (size_t i = 0; i < a->of[r].n; i++)
      n += r >= b->n || !tp_rel_tuples_contain(&b->of[r], a->of[r].at[i]);
    for (size_t i = 0; r < b->n && i < b->of[r].n; i++)
      n += !tp_rel_tuples_contain(&a->of[r], b->of[r].at[i]);
  }
  return n;
}

/* How many primary variables have another value than the target, as a word. */
static uint32_t count_changes(tp_rel_finder *f, const tp_rel_instance *target, tp_lit *bits) {
  TP_VEC(tp_lit) changes = {0};
  for (uint32_t r = 0; r < f->n_relations; r++) {
    const tp_rel_matrix m = tp_rel_translation_of(f->t, r);
    for (size_t i = 0; i < m.n; i++) {
      const bool has = r < target->n && tp_rel_tuples_contain(&target->of[r], m.at[i].tuple);
      if (!tp_lit_is_const(m.at[i].lit)) tp_vec_push(&changes, tp_lit_flip(m.at[i].lit, has));
    }
  }
  const uint32_t n = tp_rel_count_lits(&f->gates, changes.at, changes.n, bits);
  tp_vec_clear(&changes);
  return n;
}

/* Tuples of the target that no instance has, and tuples that all instances have: they differ
 * anyway. */
static uint64_t fixed_changes(const tp_rel_finder *f, const tp_rel_instance *target) {
  uint64_t n = 0;
  for (uint32_t r = 0; r < f->n_relations; r++) {
    const tp_rel_tuples *lower = tp_rel_lower(f->b, r), none = {0},
                        *wanted = r < target->n ? &target->of[r] : &none;
    for (size_t i = 0; i < wanted->n; i++)
      n += !lower || !tp_rel_tuples_contain(tp_rel_upper(f->b, r), wanted->at[i]);
    for (size_t i = 0; lower && i < lower->n; i++)
      n += !tp_rel_tuples_contain(wanted, lower->at[i]);
  }
  return n;
}

/* Bisection between 0 and the distance of the first instance; each instance that is found may come
 * closer than was asked for. */
tp_rel_answer tp_rel_finder_closest(tp_rel_finder *f, const tp_rel_instance *target,
                                    uint64_t *distance) {
  TP_REQUIRE(target && distance);
  tp_lit bits[TP_WORD_MAX], limit[TP_WORD_MAX];
  f->guard = TP_LIT_FALSE;
  f->assumed.n = 0;
  if (tp_rel_translation_is_full(f->t)) return TP_REL_UNKNOWN;
  if (!collect(f, KEEP_SYMMETRY)) return TP_REL_UNSAT;
  tp_rel_answer a = query(f, f->sat);
  if (a != TP_REL_SAT) return a;
  read_instance(f, f->sat);
  const uint64_t fixed = fixed_changes(f, target);
  const uint32_t n = count_changes(f, target, bits);
  TP_INVARIANT(distance_of(&f->instance, target) >= fixed);  // every instance differs in these
  uint64_t low = 0, high = distance_of(&f->instance, target) - fixed;
  while (low < high) {
    const uint64_t mid = low + (high - low) / 2;
    tp_word_const(limit, n, mid + 1);  // at most high, which n bits hold
    f->assumptions.n = 0;
    tp_vec_push(&f->assumptions, tp_word_ult(&f->gates, bits, limit, n));
    a = query(f, f->sat);
    if (a == TP_REL_UNKNOWN) return a;
    if (a == TP_REL_SAT) read_instance(f, f->sat);
    if (a == TP_REL_SAT)
      high = distance_of(&f->instance, target) - fixed;
    else
      low = mid + 1;
  }
  *distance = high + fixed;
  return check_all(f);
}

// ----------------------------------------------------------------------- width

/* Some formula is undefined. Not exactly: or a disjunct of it is, whatever the others are. */
static tp_lit some_undefined(tp_rel_finder *f, bool exactly) {
  TP_VEC(tp_lit) defined = {0};
  for (size_t i = 0; i < f->added.n; i++) {
    const tp_rel_formula added = f->added.at[i].formula;
    if (f->added.at[i].may_be_undefined) continue;
    if (!exactly) {
      tp_vec_push(&defined, tp_rel_definedness(f->t, added));
      continue;
    }
    const tp_rel_truth_lits e = tp_rel_translate(f->t, added);
    tp_vec_push(&defined, tp_gate_or(&f->gates, e.is_true, e.is_false));
  }
  const tp_lit all = tp_rel_conjoin(&f->gates, defined.at, defined.n);
  tp_vec_clear(&defined);
  return tp_lit_not(all);
}

static tp_rel_answer find_undefined(tp_rel_finder *f, bool exactly) {
  f->assumptions.n = 0;
  tp_vec_push(&f->assumptions, f->symmetry);
  for (size_t i = 0; i < f->added.n; i++)
    tp_vec_push(&f->assumptions, tp_rel_possibility(f->t, f->added.at[i].formula));
  const tp_lit undefined = some_undefined(f, exactly);
  if (tp_rel_translation_is_full(f->t)) return TP_REL_UNKNOWN;
  if (tp_lit_eq(undefined, TP_LIT_FALSE)) return TP_REL_UNSAT;
  tp_vec_push(&f->assumptions, undefined);
  tp_sat *sat = empty_solver(f);
  const tp_rel_answer a = query(f, sat);
  if (a == TP_REL_SAT) read_instance(f, sat);
  tp_sat_free(sat);
  return a == TP_REL_SAT ? check_instance(f, f->added.at, f->added.n, true) : a;
}

/* Exactly only where it matters: then quantifiers are expanded that have witnesses else. */
tp_rel_answer tp_rel_finder_width_binding(tp_rel_finder *f) {
  f->guard = TP_LIT_FALSE;
  f->assumed.n = 0;
  const tp_rel_answer a = find_undefined(f, false);
  return a == TP_REL_INCONSISTENT ? find_undefined(f, true) : a;
}

// ----------------------------------------------------------------------- cores

typedef TP_VEC(part) part_list;

static tp_rel_answer query_parts(tp_rel_finder *f, tp_sat *sat, const part_list *parts,
                                 size_t without) {
  f->assumptions.n = 0;
  for (size_t i = 0; i < parts->n; i++)
    if (i != without) tp_vec_push(&f->assumptions, parts->at[i].lit);
  return query(f, sat);
}

/* Keeps what the solver's refutation used; parts from `from` on may move forward. */
static void keep_failed(tp_sat *sat, part_list *parts, size_t without) {
  size_t kept = 0;
  for (size_t i = 0; i < parts->n; i++)
    if (i != without && tp_sat_failed(sat, parts->at[i].lit)) parts->at[kept++] = parts->at[i];
  parts->n = kept;
}

/* One part after another is left out: if the rest has an instance (which the evaluator confirms) it
 * is needed. Parts before `i` are. */
static tp_rel_answer minimize(tp_rel_finder *f, tp_sat *sat, part_list *parts) {
  for (size_t i = 0; i < parts->n;) {
    const tp_rel_answer a = query_parts(f, sat, parts, i);
    if (a == TP_REL_UNKNOWN) return a;
    if (a == TP_REL_UNSAT) {
      keep_failed(sat, parts, i);  // those needed have failed again: nothing before i is lost
      continue;
    }
    read_instance(f, sat);
    if (check_instance(f, parts->at, i, false) != TP_REL_SAT) return TP_REL_INCONSISTENT;
    if (check_instance(f, parts->at + i + 1, parts->n - i - 1, false) != TP_REL_SAT)
      return TP_REL_INCONSISTENT;
    i++;
  }
  return TP_REL_UNSAT;
}

static tp_sat *new_solver(tp_rel_finder *f) {
  tp_sat *sat = empty_solver(f);
  tp_sat_clause(sat, &f->symmetry, 1);
  return sat;
}

/* A formula that is false by itself is a core. */
static bool find_false(const tp_rel_finder *f, part_list *parts) {
  for (size_t i = 0; i < f->added.n + f->assumed.n; i++) {
    const part p = i < f->added.n ? f->added.at[i] : f->assumed.at[i - f->added.n];
    if (tp_lit_eq(p.lit, TP_LIT_FALSE)) parts->n = 0;
    if (!tp_lit_eq(p.lit, TP_LIT_TRUE)) tp_vec_push(parts, p);
    if (tp_lit_eq(p.lit, TP_LIT_FALSE)) return true;
  }
  return false;
}

/* What is left is asked once more, by a solver that knows nothing else. */
static tp_rel_answer recheck(tp_rel_finder *f, const part_list *parts) {
  tp_sat *sat = new_solver(f);
  const tp_rel_answer a = query_parts(f, sat, parts, parts->n);
  tp_sat_free(sat);
  return a == TP_REL_SAT ? TP_REL_INCONSISTENT : a;
}

tp_rel_answer tp_rel_finder_core(tp_rel_finder *f, tp_rel_formula *core, size_t *n) {
  TP_REQUIRE(core && n);
  part_list parts = {0};
  tp_rel_answer a = TP_REL_UNSAT;
  f->guard = TP_LIT_FALSE;
  *n = 0;
  if (tp_rel_translation_is_full(f->t)) return TP_REL_UNKNOWN;
  if (!find_false(f, &parts)) {
    tp_sat *sat = new_solver(f);
    a = query_parts(f, sat, &parts, parts.n);
    if (a == TP_REL_UNSAT) {
      keep_failed(sat, &parts, parts.n);
      a = minimize(f, sat, &parts);
    }
    tp_sat_free(sat);
    if (a == TP_REL_UNSAT) a = recheck(f, &parts);
  }
  for (size_t i = 0; i < parts.n && a == TP_REL_UNSAT; i++) core[(*n)++] = parts.at[i].formula;
  tp_vec_clear(&parts);
  return a;
}

// ------------------------------------------------------------------------- cnf

/* A solver that was given the whole question and records it. */
static tp_status record_question(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                                 tp_sat **out) {
  f->guard = TP_LIT_FALSE;
  TP_TRY(assume(f, assumed, n));
  tp_sat *sat = empty_solver(f);
  tp_sat_record_clauses(sat);
  tp_sat_clause(sat, &f->symmetry, 1);
  for (size_t i = 0; i < f->added.n; i++) tp_sat_clause(sat, &f->added.at[i].lit, 1);
  for (size_t i = 0; i < f->assumed.n; i++) tp_sat_clause(sat, &f->assumed.at[i].lit, 1);
  *out = sat;
  return TP_OK;
}

tp_status tp_rel_finder_cnf(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                            tp_str *out) {
  tp_sat *sat;
  TP_TRY(record_question(f, assumed, n, &sat));
  tp_sat_dimacs(sat, out);
  tp_sat_free(sat);
  return TP_OK;
}

tp_status tp_rel_finder_clauses(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                                tp_rel_clauses *out) {
  tp_sat *sat;
  size_t n_literals;
  TP_TRY(record_question(f, assumed, n, &sat));
  const int *literals = tp_sat_recorded(sat, &n_literals);
  for (size_t i = 0; i < n_literals; i++) tp_vec_push(out, literals[i]);
  tp_sat_free(sat);
  return TP_OK;
}

bool tp_rel_finder_is_refuted(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                              const tp_rel_prover *prover, double solved_s) {
  if (!prover) return false;
  tp_rel_clauses clauses = {0};
  const bool is_refuted = tp_rel_finder_clauses(f, assumed, n, &clauses) == TP_OK &&
                          prover->is_refuted(prover->ctx, clauses.at, clauses.n, solved_s);
  tp_vec_clear(&clauses);
  return is_refuted;
}

// ----------------------------------------------------------------------- counting

/* Counted variables of the clauses, by number; *n_free: those that no clause has. */
static bool *counted_variables(const tp_rel_finder *f, const tp_sat *sat, const bool *is_counted,
                               uint32_t n_vars, uint32_t *n_free) {
  bool *counted = TP_NEW_ARRAY(bool, (size_t)n_vars + 1);
  *n_free = 0;
  for (uint32_t r = 0; r < f->n_relations; r++) {
    const tp_rel_matrix m = tp_rel_translation_of(f->t, r);
    for (size_t i = 0; is_counted[r] && i < m.n; i++) {
      const int v = tp_lit_is_const(m.at[i].lit) ? 0 : tp_sat_variable(sat, m.at[i].lit);
      if (v)
        counted[v] = true;
      else
        *n_free += !tp_lit_is_const(m.at[i].lit);
    }
  }
  return counted;
}

tp_rel_answer tp_rel_finder_count(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                                  const bool *is_counted, double cpu_s, tp_u128 *count) {
  TP_REQUIRE(is_counted && count && f->options.symmetry_length == 0);
  tp_sat *sat;
  size_t n_literals;
  uint64_t n_vars, n_clauses;
  uint32_t n_free;
  if (record_question(f, assumed, n, &sat) != TP_OK) return TP_REL_UNKNOWN;
  const int *literals = tp_sat_recorded(sat, &n_literals);
  tp_sat_size(sat, &n_vars, &n_clauses);
  bool *counted = counted_variables(f, sat, is_counted, (uint32_t)n_vars, &n_free);
  const tp_count_answer a =
      tp_count_models(literals, n_literals, (uint32_t)n_vars, counted, cpu_s, count, NULL);
  tp_free(counted);
  tp_sat_free(sat);
  if (a != TP_COUNT_EXACT || n_free >= 127 || *count >> (127 - n_free)) return TP_REL_UNKNOWN;
  *count <<= n_free;
  return TP_REL_SAT;
}

/* One solver for callers: stack, cache, models, cores; the work is done by a back end.
 *
 * Assertions are kept as they came and lowered when a check needs them; a back end sees the whole
 * lowered problem each time and finds out itself what is new. An answer is believed as follows.
 * UNSAT is the solver's word on a problem that is at most weaker than the asked one. SAT counts
 * only if tp_eval finds every assertion and assumption true under the model's values for our
 * variables, so a wrong model, a wrong translation or a wrong lowering become UNKNOWN. */
#include "base/fault.h"
#include "smt/algebra.h"
#include "smt/value_bounds.h"
#include "smt/backend.h"
#include "smt/answer_cache.h"
#include "smt/lowered_problem.h"
#include "smt/smt_limits.h"
#include "smt/smtlib.h"

static const struct {
  const char *name;
  const tp_smt_backend *ops;
} backends[] = {
#define ROW(symbol, name, use, what) {name, &tp_smt_##symbol},
    TP_SMT_BACKENDS(ROW)
#undef ROW
};

struct tp_smt {
  tp_terms *tt;
  tp_smt_options options;
  const tp_smt_backend *ops;  // NULL: no such back end
  void *self;                 // opened by the first check
  TP_VEC(tp_term) facts;
  TP_VEC(size_t) frames;        // index of the first fact of each
  TP_VEC(tp_term) conjunction;  // of facts[0 .. i], made when models are checked
  uint64_t facts_hash;          // sum over the facts
  tp_problem problem;
  size_t n_lowered;  // facts[0 .. n) are in the problem
  tp_algebra algebra;
  TP_VEC(bool) products;  // in facts[i]
  tp_smt_cache cache;
  // the last check
  TP_VEC(tp_term) assumptions, lowered;
  tp_smt_answer answer;
  bool from_cache, by_itself;
  bool has_model;
  char reason[160];
  // its model
  tp_arena arena;
  tp_map values;  // original variable -> index into value
  tp_map bases;   // object -> address
  TP_VEC(tp_value) value;
  const tp_array_value *base_array;
};

static struct {
  tp_smt_fault fault;
  uint64_t countdown;  // checks until it happens; 0: disarmed
  bool always;
} injected;

void tp_smt_inject(tp_smt_fault fault, uint64_t at_check) {
  injected.fault = fault;
  injected.countdown = fault == TP_FAULT_NONE ? 0 : at_check;
  injected.always = false;
}

void tp_smt_inject_always(tp_smt_fault fault) {
  tp_smt_inject(fault, 0);
  injected.always = fault != TP_FAULT_NONE;
}

static tp_smt_fault next_fault(void) {
  if (injected.always) return injected.fault;
  if (!injected.countdown || --injected.countdown) return TP_FAULT_NONE;
  return injected.fault;
}

tp_smt *tp_smt_new(tp_terms *tt, tp_smt_options options) {
  TP_REQUIRE(tt && options.cpu_s >= 0);
  tp_smt *s = TP_NEW(tp_smt);
  s->tt = tt;
  s->options = options;
  const char *name = options.backend ? options.backend : "z3";
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
    if (strcmp(backends[i].name, name) == 0) s->ops = backends[i].ops;
  tp_problem_init(&s->problem, tt);
  s->answer = TP_SMT_UNKNOWN;
  return s;
}

void tp_smt_free(tp_smt *s) {
  if (!s) return;
  if (s->self) s->ops->close(s->self);
  tp_problem_clear(&s->problem);
  tp_smt_cache_clear(&s->cache);
  tp_algebra_clear(&s->algebra);
  tp_vec_clear(&s->products);
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->frames);
  tp_vec_clear(&s->conjunction);
  tp_vec_clear(&s->assumptions);
  tp_vec_clear(&s->lowered);
  tp_vec_clear(&s->value);
  tp_map_clear(&s->values);
  tp_map_clear(&s->bases);
  tp_arena_clear(&s->arena);
  tp_free(s);
}

// ---------------------------------------------------------------------- stack

static bool is_bool(const tp_smt *s, tp_term t) {
  return tp_term_is(t) && tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_BOOL;
}

/* What is kept beside the facts speaks of facts that are asserted: a list that outlived a pop would
 * describe other facts as soon as they come. */
static bool are_facts_described(const tp_smt *s) {
  return s->n_lowered <= s->facts.n && s->conjunction.n <= s->facts.n &&
         s->products.n <= s->facts.n && (s->facts.n > 0 || s->facts_hash == 0);
}

/* The hash of the facts is their sum, whatever was pushed and popped. Linear: once a query. */
static bool is_hash_of_facts(const tp_smt *s) {
  uint64_t sum = 0;
  for (size_t i = 0; i < s->facts.n; i++) sum += tp_hash_u64(s->facts.at[i].id);
  return sum == s->facts_hash;
}

void tp_smt_push(tp_smt *s) { tp_vec_push(&s->frames, s->facts.n); }

void tp_smt_pop(tp_smt *s) {
  TP_REQUIRE(s->frames.n > 0);
  if (!s->frames.n) return;
  if (s->problem.frames.n == s->frames.n) tp_problem_pop(&s->problem);
  size_t n = tp_vec_pop(&s->frames);
  while (s->facts.n > n) s->facts_hash -= tp_hash_u64(tp_vec_pop(&s->facts).id);
  if (s->n_lowered > n) s->n_lowered = n;
  if (s->conjunction.n > n) s->conjunction.n = n;
  if (s->products.n > n) s->products.n = n;
  TP_INVARIANT(are_facts_described(s));
}

void tp_smt_assert(tp_smt *s, tp_term fact) {
  TP_REQUIRE(is_bool(s, fact));
  if (tp_is_true(s->tt, fact)) return;
  tp_vec_push(&s->facts, fact);
  s->facts_hash += tp_hash_u64(fact.id);
}

/* Lower what is new. A fact that cannot be lowered is left out. */
static void lower_facts(tp_smt *s) {
  for (size_t i = s->n_lowered; i <= s->facts.n; i++) {
    while (s->problem.frames.n < s->frames.n && s->frames.at[s->problem.frames.n] == i)
      tp_problem_push(&s->problem);
    if (i < s->facts.n) (void)tp_problem_add_fact(&s->problem, s->facts.at[i]);
  }
  s->n_lowered = s->facts.n;
  TP_INVARIANT(s->problem.frames.n == s->frames.n);
  TP_INVARIANT(s->problem.facts.n >= s->n_lowered || s->problem.left_out);  // lowering adds facts
}

static void lower_assumptions(tp_smt *s) {
  s->lowered.n = 0;
  for (size_t i = 0; i < s->assumptions.n; i++) {
    tp_term t;
    if (!tp_problem_add_assumption(&s->problem, s->assumptions.at[i], &t)) t = tp_mk_true(s->tt);
    tp_vec_push(&s->lowered, t);
  }
}

static tp_smt_query query_of(const tp_smt *s) {
  return (tp_smt_query){.facts = s->problem.facts.at,
                        .n_facts = s->problem.facts.n,
                        .frames = s->problem.starts.at,
                        .n_frames = s->problem.starts.n,
                        .assumptions = s->lowered.at,
                        .n_assumptions = s->lowered.n,
                        .vars = s->problem.vars.at,
                        .n_vars = s->problem.vars.n,
                        .theories = s->problem.theories,
                        .rlimit = s->options.rlimit,
                        .cpu_s = s->options.cpu_s};
}

bool tp_smt_query_check(const tp_terms *tt, const tp_smt_query *q) {
  size_t last = 0;
  for (size_t i = 0; i < q->n_frames; i++) {
    if (q->frames[i] < last || q->frames[i] > q->n_facts) return false;
    last = q->frames[i];
  }
  for (size_t i = 0; i < q->n_facts; i++)
    if (tp_sort_kind_of(tt, tp_sort_of(tt, q->facts[i])) != TP_SORT_BOOL) return false;
  for (size_t i = 0; i < q->n_assumptions; i++)
    if (tp_sort_kind_of(tt, tp_sort_of(tt, q->assumptions[i])) != TP_SORT_BOOL) return false;
  for (size_t i = 0; i < q->n_vars; i++)
    if (tp_kind(tt, q->vars[i]) != TP_OP_VAR ||
        tp_sort_kind_of(tt, tp_sort_of(tt, q->vars[i])) == TP_SORT_PTR)
      return false;
  return true;
}

// --------------------------------------------------------------------- models

static tp_value zero_of(const tp_smt *s, tp_sort sort, tp_arena *arena) {
  if (tp_sort_kind_of(s->tt, sort) != TP_SORT_ARRAY) return (tp_value){0};
  tp_array_value *a = tp_arena_new(arena, tp_array_value);
  a->otherwise = zero_of(s, tp_sort_element(s->tt, sort), arena);
  return (tp_value){.array = a};
}

static bool model_var(void *ctx, tp_term var, tp_value *out) {
  tp_smt *s = ctx;
  uint64_t i;
  if (!tp_map_get(&s->values, var.id, &i)) {
    i = s->value.n;
    tp_vec_push(&s->value, zero_of(s, tp_sort_of(s->tt, var), &s->arena));
    tp_map_set(&s->values, var.id, i);
  }
  *out = s->value.at[i];
  return true;
}

static uint64_t model_base(void *ctx, uint32_t object) {
  const tp_smt *s = ctx;
  uint64_t address;
  if (tp_map_get(&s->bases, object, &address)) return address;
  if (!s->base_array) return 0;
  for (size_t i = s->base_array->n; i-- > 0;)
    if (s->base_array->cells[i].index.bits == object)
      return (uint64_t)s->base_array->cells[i].value.bits;
  return (uint64_t)s->base_array->otherwise.bits;
}

static tp_status eval(tp_smt *s, tp_term t, tp_value *out) {
  tp_env env = {.ctx = s, .var = model_var, .base = model_base};
  return tp_eval(s->tt, t, &env, &s->arena, out);
}

static bool holds(tp_smt *s, tp_term t, tp_status *st) {
  tp_value v = {0};
  *st = eval(s, t, &v);
  return *st == TP_OK && v.bits;
}

static void discard_model(tp_smt *s) {
  s->has_model = false;
  s->value.n = 0;
  s->base_array = NULL;
  tp_map_clear(&s->values);
  tp_map_clear(&s->bases);
  tp_arena_clear(&s->arena);
}

/* Fetch the values from the back end and turn them into values of our variables. */
static bool fetch_model(tp_smt *s, const tp_smt_query *q) {
  tp_lower *l = s->problem.lower;
  tp_value *v = tp_arena_array(&s->arena, tp_value, q->n_vars);
  if (!s->ops->model(s->self, q, &s->arena, v)) return false;
  const bool is_wrong = q->fault == TP_FAULT_WRONG_MODEL || tp_fault_pass(TP_FAULT_EVENT_MODEL);
  for (size_t i = 0; i < q->n_vars; i++) {
    if (is_wrong) v[i].bits ^= 1;
    tp_term origin = tp_lower_origin(l, q->vars[i]);
    if (!tp_term_is(origin)) continue;
    tp_map_set(&s->values, origin.id, s->value.n);
    tp_vec_push(&s->value, tp_lower_raise(l, tp_sort_of(s->tt, origin), v[i], &s->arena));
  }
  tp_map index = {0};  // values of helpers: the addresses of objects
  for (size_t i = 0; i < q->n_vars; i++) tp_map_set(&index, q->vars[i].id, i);
  uint64_t at;
  if (tp_map_get(&index, tp_lower_base_array(l).id, &at)) s->base_array = v[at].array;
  for (size_t i = 0; i < tp_lower_n_bases(l); i++) {
    uint32_t object;
    tp_term var;
    tp_lower_base(l, i, &object, &var);
    if (tp_map_get(&index, var.id, &at)) tp_map_set(&s->bases, object, (uint64_t)v[at].bits);
  }
  tp_map_clear(&index);
  return true;
}

/* Does the model satisfy what was asked? TP_ERR_ARG: it cannot be told (quantifiers). */
static bool model_satisfies(tp_smt *s, tp_status *st) {
  *st = TP_OK;
  for (size_t i = s->conjunction.n; i < s->facts.n; i++)
    tp_vec_push(&s->conjunction,
                i ? tp_mk_and(s->tt, s->conjunction.at[i - 1], s->facts.at[i]) : s->facts.at[i]);
  if (s->facts.n && !holds(s, s->conjunction.at[s->facts.n - 1], st)) return false;
  for (size_t i = 0; i < s->assumptions.n; i++)
    if (!holds(s, s->assumptions.at[i], st)) return false;
  return true;
}

// ---------------------------------------------------------------------- check

static tp_smt_answer answer_unknown(tp_smt *s, const char *reason) {
  size_t n = strnlen(reason, sizeof s->reason - 1);
  memmove(s->reason, reason, n);
  s->reason[n] = 0;
  discard_model(s);
  return s->answer = TP_SMT_UNKNOWN;
}

/* lies: the answer is made up (base/fault.h), with a model full of zeros. */
static tp_smt_answer validate(tp_smt *s, const tp_smt_query *q, bool lies) {
  tp_status st;
  if (!lies && !fetch_model(s, q)) return answer_unknown(s, "the solver's model could not be read");
  if (s->options.trusts_models || model_satisfies(s, &st)) {
    s->has_model = true;
    return s->answer = TP_SMT_SAT;
  }
  bool unchecked = (q->theories & TP_THEORY_QUANTIFIER) && !s->problem.left_out;
  if (st != TP_OK && unchecked && s->options.accept_unchecked) return s->answer = TP_SMT_SAT;
  return answer_unknown(s, st == TP_OK ? "model failed validation" : "model cannot be evaluated");
}

static bool has_products(tp_smt *s) {
  bool some = false;
  for (size_t i = s->products.n; i < s->facts.n; i++)
    tp_vec_push(&s->products, tp_algebra_has_product(&s->algebra, s->tt, s->facts.at[i]));
  for (size_t i = 0; i < s->facts.n; i++) some |= s->products.at[i];
  for (size_t i = 0; i < s->assumptions.n && !some; i++)
    some = tp_algebra_has_product(&s->algebra, s->tt, s->assumptions.at[i]);
  return some;
}

/* Before a back end is asked. Products of variables are hard for every one; equations among them
 * often are not. Long sums within bounds are hard for most. */
static bool is_refuted(tp_smt *s) {
  const bool asks_algebra = has_products(s);
  if (!asks_algebra && !s->options.looks_at_bounds) return false;
  TP_VEC(tp_term) all = {0};
  for (size_t i = 0; i < s->facts.n; i++) tp_vec_push(&all, s->facts.at[i]);
  for (size_t i = 0; i < s->assumptions.n; i++) tp_vec_push(&all, s->assumptions.at[i]);
  bool refuted = (s->options.looks_at_bounds && tp_bounds_refute(s->tt, all.at, all.n)) ||
                 (asks_algebra && tp_algebra_refutes(s->tt, all.at, all.n));
  tp_vec_clear(&all);
  return refuted;
}

/* What a campaign of faults makes of an answer: nothing, no answer, or the opposite. */
static tp_smt_answer through_faults(tp_smt_answer answer, const char **reason, bool *lies) {
  tp_fault_action action = tp_fault_pass(TP_FAULT_EVENT_SOLVER);
  if (action == TP_FAULT_ACTION_NONE || answer == TP_SMT_UNKNOWN) return answer;
  *reason = "injected";
  *lies = action == TP_FAULT_ACTION_FLIP && answer == TP_SMT_UNSAT;
  if (*lies) return TP_SMT_SAT;
  return action == TP_FAULT_ACTION_FLIP ? TP_SMT_UNSAT : TP_SMT_UNKNOWN;
}

/* Ask the back end. */
static tp_smt_answer solve(tp_smt *s) {
  discard_model(s);
  if (!s->ops) return answer_unknown(s, "no such solver back end");
  if (!s->self) s->self = s->ops->open(s->tt, &s->options);
  lower_facts(s);
  lower_assumptions(s);
  tp_smt_query q = query_of(s);
  TP_INVARIANT(tp_smt_query_check(s->tt, &q));
  q.fault = next_fault();
  const char *reason = "";
  bool broke = false, lies = false;
  double start = tp_wall_s();
  tp_smt_answer answer = s->ops->check(s->self, &q, &reason, &broke);
  answer = through_faults(answer, &reason, &lies);
  TP_INVARIANT(answer != TP_SMT_UNKNOWN || reason[0]);  // the contract of backend.h
  if (answer == TP_SMT_UNKNOWN)
    answer = answer_unknown(s, reason);
  else if (answer == TP_SMT_SAT)
    answer = validate(s, &q, lies);
  if (s->options.stats) {
    s->options.stats->solver_calls++;
    s->options.stats->solver_faults += broke;
    s->options.stats->solver_s += tp_wall_s() - start;
  }
  return s->answer = answer;
}

/* Some part is the constant false: which assumption, or n for an assertion; SIZE_MAX: none. */
static size_t find_false(const tp_smt *s) {
  for (size_t i = 0; i < s->assumptions.n; i++)
    if (tp_is_false(s->tt, s->assumptions.at[i])) return i;
  for (size_t i = 0; i < s->facts.n; i++)
    if (tp_is_false(s->tt, s->facts.at[i])) return s->assumptions.n;
  return SIZE_MAX;
}

static uint64_t hash_of(const tp_smt *s) {
  uint64_t h = s->facts_hash;
  for (size_t i = 0; i < s->assumptions.n; i++) h += tp_hash_u64(s->assumptions.at[i].id);
  return h;
}

tp_smt_answer tp_smt_check(tp_smt *s, const tp_term *assumptions, size_t n) {
  s->assumptions.n = 0;
  for (size_t i = 0; i < n; i++) {
    TP_REQUIRE(is_bool(s, assumptions[i]));
    tp_vec_push(&s->assumptions, assumptions[i]);
  }
  s->reason[0] = 0;
  s->from_cache = true;
  s->by_itself = false;
  discard_model(s);
  if (find_false(s) != SIZE_MAX) return s->answer = TP_SMT_UNSAT;
  TP_INVARIANT(is_hash_of_facts(s));  // or what is known of other facts is found
  uint64_t hash = hash_of(s);
  bool cacheable = s->facts.n + n <= TP_SMT_CACHED_FACTS && !s->options.trusts_models;
  tp_smt_answer cached;
  if (cacheable &&
      tp_smt_cache_find(&s->cache, hash, s->facts.at, s->facts.n, assumptions, n, &cached)) {
    if (s->options.stats) s->options.stats->solver_cache_hits++;
    return s->answer = cached;
  }
  s->from_cache = false;
  s->by_itself = !s->options.trusts_models && is_refuted(s);
  tp_smt_answer answer = s->by_itself ? (s->answer = TP_SMT_UNSAT) : solve(s);
  if (cacheable && answer != TP_SMT_UNKNOWN)
    tp_smt_cache_add(&s->cache, hash, s->facts.at, s->facts.n, s->assumptions.at, s->assumptions.n,
                     answer);
  return answer;
}

/* A remembered SAT has no model; ask again when somebody wants it. */
static bool have_model(tp_smt *s) {
  if (s->answer != TP_SMT_SAT) return false;
  if (!s->has_model && s->from_cache) {
    s->from_cache = false;
    if (solve(s) != TP_SMT_SAT) s->answer = TP_SMT_SAT, discard_model(s);
  }
  return s->has_model;
}

bool tp_smt_value(tp_smt *s, tp_term t, tp_value *out) {
  TP_REQUIRE(tp_term_is(t));
  return have_model(s) && eval(s, t, out) == TP_OK;
}

size_t tp_smt_core(tp_smt *s, tp_term *core) {
  size_t n = s->assumptions.n, n_core = 0, false_part = find_false(s);
  if (s->answer != TP_SMT_UNSAT || false_part == n) return 0;
  if (false_part < n) {
    core[0] = s->assumptions.at[false_part];
    return 1;
  }
  if (s->by_itself) {  // algebra and bounds do not say what they needed
    memcpy(core, s->assumptions.at, n * sizeof *core);
    return n;
  }
  bool *used = TP_NEW_ARRAY(bool, n + 1);
  lower_facts(s);
  lower_assumptions(s);
  tp_smt_query q = query_of(s);
  if (!s->self) s->self = s->ops->open(s->tt, &s->options);
  bool known = s->ops->core(s->self, &q, used);
  for (size_t i = 0; i < n; i++)
    if (!known || used[i]) core[n_core++] = s->assumptions.at[i];
  tp_free(used);
  return tp_fault_pass(TP_FAULT_EVENT_CORE) ? 0 : n_core;
}

const char *tp_smt_reason(const tp_smt *s) { return s->reason; }

bool tp_smt_print(tp_smt *s, const tp_term *assumptions, size_t n, tp_str *out) {
  s->assumptions.n = 0;
  for (size_t i = 0; i < n; i++) tp_vec_push(&s->assumptions, assumptions[i]);
  lower_facts(s);
  lower_assumptions(s);
  tp_smt_query q = query_of(s);
  return tp_smtlib_script(s->tt, &q, out);
}

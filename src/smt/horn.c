/* Horn clauses for Spacer: lowering, encoding, rules, covers read back.
 *
 * Each clause is lowered (and translated to integers) by itself, its variables bound in one rule.
 * Relations have one column for each of the caller's variables: pointers and floats as bits.
 * Slicing and inlining are off, so that every relation keeps its columns and has a cover to ask
 * for. */
#include "smt/horn.h"

#include "base/fault.h"
#include "smt/integers.h"
#include "smt/lowered_problem.h"
#include "smt/watchdog.h"
#include "smt/z3_read.h"

#include <stdatomic.h>

typedef struct {
  size_t first, n;  // columns
  Z3_func_decl decl;
  bool has_bounds;  // set along chains
} relation;

typedef struct {
  tp_term var;      // the caller's
  tp_term lowered;  // BV, Bool, Int or array
  tp_term encoded;  // in Z3's rules: lowered, or its integer
  tp_span bound;
} column;

typedef struct {
  uint32_t from, to;  // relations; to 0: the query
  size_t x, y;        // first argument in `args`
  tp_term constraint;
  tp_term lowered;  // with the equations of the arguments
} clause;

struct tp_horn {
  tp_terms *tt;
  tp_horn_options options;
  bool is_chain;
  TP_VEC(relation) relations;  // [0] the query, without columns
  TP_VEC(column) columns;
  tp_map of_lowered;  // lowered variable -> column
  TP_VEC(clause) clauses;
  TP_VEC(tp_term) args;
  tp_problem problem;
  tp_integers *integers;
  size_t n_wraps;
  tp_horn_answer answer;
  char reason[160];
  Z3_context z;
  Z3_fixedpoint engine;
  tp_z3_terms terms;
  bool failed;
  atomic_bool interrupted;
};

/* Z3 gives the error handler no place for our pointer. */
static _Thread_local tp_horn *current;

static void record_reason(tp_horn *h, const char *text) {
  size_t n = text ? strnlen(text, sizeof h->reason - 1) : 0;
  if (n) memcpy(h->reason, text, n);
  h->reason[n] = 0;
}

static bool refuse(tp_horn *h, const char *reason) {
  if (!h->reason[0]) record_reason(h, reason);
  return false;
}

static void on_error(Z3_context c, Z3_error_code code) {
  if (!current || current->failed) return;
  current->failed = true;
  record_reason(current, Z3_get_error_msg(c, code));
}

static void interrupt(void *ctx) {
  tp_horn *h = ctx;
  atomic_store(&h->interrupted, true);
  Z3_interrupt(h->z);
}

// -------------------------------------------------------------------- systems

tp_horn *tp_horn_new(tp_terms *tt, tp_horn_options options) {
  tp_horn *h = TP_NEW(tp_horn);
  h->tt = tt;
  h->options = options;
  h->answer = TP_HORN_UNKNOWN;
  tp_problem_init(&h->problem, tt);
  h->integers = tp_integers_new(tt);
  tp_vec_push(&h->relations, (relation){0});
  return h;
}

void tp_horn_free(tp_horn *h) {
  if (!h) return;
  if (h->z) {
    current = h;
    if (h->engine) Z3_fixedpoint_dec_ref(h->z, h->engine);
    tp_z3_terms_clear(&h->terms);
    Z3_del_context(h->z);
    current = NULL;
  }
  tp_integers_free(h->integers);
  tp_problem_clear(&h->problem);
  tp_vec_clear(&h->relations);
  tp_vec_clear(&h->columns);
  tp_map_clear(&h->of_lowered);
  tp_vec_clear(&h->clauses);
  tp_vec_clear(&h->args);
  tp_free(h);
}

tp_horn_relation tp_horn_add_relation(tp_horn *h, const tp_term *vars, size_t n) {
  TP_REQUIRE(!h->z);  // not solved yet
  for (size_t i = 0; i < n; i++) TP_REQUIRE(tp_kind(h->tt, vars[i]) == TP_OP_VAR);
  tp_vec_push(&h->relations, (relation){.first = h->columns.n, .n = n});
  for (size_t i = 0; i < n; i++) tp_vec_push(&h->columns, (column){.var = vars[i]});
  return (tp_horn_relation){(uint32_t)(h->relations.n - 1)};
}

static size_t add_args(tp_horn *h, uint32_t r, const tp_term *args) {
  size_t at = h->args.n;
  TP_REQUIRE(r < h->relations.n);
  const relation *of = &h->relations.at[r];
  for (size_t i = 0; i < of->n; i++)
    tp_vec_push(&h->args, args ? args[i] : h->columns.at[of->first + i].var);
  return at;
}

void tp_horn_add_clause(tp_horn *h, tp_horn_relation from, const tp_term *x, tp_term constraint,
                        tp_horn_relation to, const tp_term *y) {
  TP_REQUIRE(!h->z && tp_sort_kind_of(h->tt, tp_sort_of(h->tt, constraint)) == TP_SORT_BOOL);
  size_t first_x = add_args(h, from.id, x), first_y = add_args(h, to.id, y);
  tp_vec_push(&h->clauses, (clause){from.id, to.id, first_x, first_y, constraint, TP_TERM_NONE});
}

const char *tp_horn_reason(const tp_horn *h) { return h->reason; }

// ------------------------------------------------------------------- encoding

/* The term that goes into a column: floats as bits. */
static tp_term as_column(tp_horn *h, tp_term t) {
  return tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_FP
             ? tp_mk1(h->tt, TP_OP_FP_TO_BITS, t)
             : t;
}

static bool lower_columns(tp_horn *h) {
  for (size_t i = 0; i < h->columns.n; i++) {
    column *c = &h->columns.at[i];
    if (!tp_lower_term(h->problem.lower, as_column(h, c->var), &c->lowered))
      return refuse(h, "a variable cannot be lowered");
    tp_map_set(&h->of_lowered, c->lowered.id, i);
    if (tp_kind(h->tt, c->lowered) != TP_OP_VAR) return refuse(h, "a column is no variable");
    bool is_array = tp_sort_kind_of(h->tt, tp_sort_of(h->tt, c->var)) == TP_SORT_ARRAY;
    if (is_array && !tp_term_eq(c->var, c->lowered)) return refuse(h, "an array of pointers");
    tp_integers_vote(h->integers, c->lowered);
  }
  return true;
}

/* Arguments become variables of their own unless they are variables; linked to the column, they
 * have its reading. */
static bool lower_args(tp_horn *h, clause *c, size_t first, uint32_t r) {
  tp_terms *tt = h->tt;
  const relation *of = &h->relations.at[r];
  for (size_t i = 0; i < of->n; i++) {
    tp_term *arg = &h->args.at[first + i], t, column_var = h->columns.at[of->first + i].lowered;
    if (!tp_lower_term(h->problem.lower, as_column(h, *arg), &t))
      return refuse(h, "an argument cannot be lowered");
    if (tp_kind(tt, t) != TP_OP_VAR) {
      tp_term fresh = tp_mk_var(tt, "arg", tp_sort_of(tt, t));
      c->lowered = tp_mk_and(tt, c->lowered, tp_mk_eq(tt, fresh, t));
      t = fresh;
    }
    TP_INVARIANT(tp_sort_eq(tp_sort_of(tt, t), tp_sort_of(tt, column_var)));
    *arg = t;
    tp_integers_link(h->integers, t, column_var);
  }
  return true;
}

static bool lower_all(tp_horn *h) {
  if (!lower_columns(h)) return false;
  for (size_t i = 0; i < h->clauses.n; i++) {
    clause *c = &h->clauses.at[i];
    if (!tp_lower_term(h->problem.lower, c->constraint, &c->lowered))
      return refuse(h, "a clause cannot be lowered");
    if (!lower_args(h, c, c->x, c->from) || !lower_args(h, c, c->y, c->to)) return false;
    tp_integers_vote(h->integers, c->lowered);
  }
  for (size_t i = 0; i < h->columns.n; i++) {
    column *c = &h->columns.at[i];
    c->encoded =
        h->options.encoding == TP_HORN_BITS ? c->lowered : tp_integers_var(h->integers, c->lowered);
    if (!tp_z3_sort(&h->terms, tp_sort_of(h->tt, c->encoded)))
      return refuse(h, "a column of a sort that the solver does not know");
  }
  return true;
}

// ---------------------------------------------------------------------- rules

static bool is_bv(const tp_horn *h, tp_term t) {
  return tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_BV;
}

/* Along a chain: bounds of the columns in front, from those of the block before. */
static size_t bounds_before(tp_horn *h, const clause *c, tp_integers_bound *out) {
  const relation *r = &h->relations.at[c->from];
  size_t n = 0;
  for (size_t i = 0; r->has_bounds && i < r->n; i++)
    if (is_bv(h, h->columns.at[r->first + i].lowered))
      out[n++] = (tp_integers_bound){h->args.at[c->x + i], h->columns.at[r->first + i].bound};
  return n;
}

static void store_bounds(tp_horn *h, const clause *c) {
  relation *r = &h->relations.at[c->to];
  r->has_bounds = true;
  for (size_t i = 0; i < r->n; i++)
    if (is_bv(h, h->columns.at[r->first + i].lowered))
      h->columns.at[r->first + i].bound = tp_integers_span(h->integers, h->args.at[c->y + i]);
}

/* The clause over integers: facts and side facts in one conjunction. */
static bool to_integers(tp_horn *h, clause *c, const tp_term *facts, size_t n_facts, tp_term *out) {
  tp_integers_bound *bounds = TP_NEW_ARRAY(tp_integers_bound, h->relations.at[c->from].n + 1);
  bool exact = h->options.encoding == TP_HORN_INTS;
  tp_integers_query q = {.facts = facts,
                         .n_facts = n_facts,
                         .bounds = bounds,
                         .wrap = exact ? TP_WRAP_EXACT : TP_WRAP_NONE,
                         .range = exact && !h->is_chain ? TP_RANGE_DERIVED : TP_RANGE_TYPE};
  tp_integers_translation a = {0};
  q.n_bounds = bounds_before(h, c, bounds);
  bool ok = tp_integers_translate(h->integers, &q, &a);
  if (ok) {
    *out = tp_mk_and(h->tt, tp_mk_and_n(h->tt, a.facts.at, a.facts.n),
                     tp_mk_and_n(h->tt, a.side.at, a.side.n));
    h->n_wraps += a.n_wraps;
    if (h->is_chain) store_bounds(h, c);
  } else {
    (void)refuse(h, a.refused);
  }
  tp_integers_translation_clear(&a);
  tp_free(bounds);
  return ok;
}

/* What a clause asks, in Z3's encoding. Helpers of the lowering bring facts. */
static bool encode(tp_horn *h, clause *c, tp_term *out) {
  tp_problem *p = &h->problem;
  bool ok;
  tp_problem_push(p);
  ok = tp_problem_add_fact(p, c->lowered);
  if (!ok)
    ok = refuse(h, "a clause cannot be lowered");
  else if (h->options.encoding == TP_HORN_BITS)
    *out = tp_mk_and_n(h->tt, p->facts.at, p->facts.n);
  else
    ok = to_integers(h, c, p->facts.at, p->facts.n, out);
  tp_problem_pop(p);
  return ok;
}

typedef struct {
  tp_horn *h;
  tp_map bound;
  TP_VEC(Z3_app) vars;
} binder;

static void bind(void *ctx, tp_term var) {
  binder *b = ctx;
  if (tp_map_has(&b->bound, var.id)) return;
  tp_map_set(&b->bound, var.id, 1);
  Z3_ast a = tp_z3_term(&b->h->terms, var);
  if (a) tp_vec_push(&b->vars, Z3_to_app(b->h->z, a));
}

static tp_term encoded_arg(tp_horn *h, size_t i) {
  return h->options.encoding == TP_HORN_BITS ? h->args.at[i]
                                             : tp_integers_var(h->integers, h->args.at[i]);
}

/* Do an argument and its column agree on what their integers mean? */
static bool is_read_alike(tp_horn *h, tp_term arg, tp_term column_var) {
  return h->options.encoding == TP_HORN_BITS || !is_bv(h, arg) ||
         tp_integers_is_signed(h->integers, arg) == tp_integers_is_signed(h->integers, column_var);
}

/* relation(args); binds the arguments. NULL: the solver refused. */
static Z3_ast atom(tp_horn *h, binder *b, uint32_t r, size_t first) {
  const relation *of = &h->relations.at[r];
  Z3_ast *args = TP_NEW_ARRAY(Z3_ast, of->n + 1), result = NULL;
  bool ok = true;
  for (size_t i = 0; i < of->n; i++) {
    tp_term t = encoded_arg(h, first + i);
    ok = ok && is_read_alike(h, h->args.at[first + i], h->columns.at[of->first + i].lowered);
    ok = ok && (args[i] = tp_z3_term(&h->terms, t)) != NULL;
    bind(b, t);
  }
  if (ok) result = Z3_mk_app(h->z, of->decl, (unsigned)of->n, args);
  tp_free(args);
  return h->failed ? NULL : result;
}

static bool add_rule(tp_horn *h, clause *c, int number) {
  tp_term body;
  binder b = {.h = h};
  if (!encode(h, c, &body)) return false;
  Z3_ast head = atom(h, &b, c->to, c->y), tail[2] = {tp_z3_term(&h->terms, body), NULL};
  if (c->from) tail[1] = atom(h, &b, c->from, c->x);
  tp_for_vars(h->tt, body, bind, &b);
  bool ok = head && tail[0] && (!c->from || tail[1]) && !h->failed;
  if (ok) {
    Z3_ast rule = Z3_mk_implies(h->z, Z3_mk_and(h->z, c->from ? 2 : 1, tail), head);
    if (b.vars.n) rule = Z3_mk_forall_const(h->z, 0, (unsigned)b.vars.n, b.vars.at, 0, NULL, rule);
    Z3_fixedpoint_add_rule(h->z, h->engine, rule, Z3_mk_int_symbol(h->z, number));
  }
  tp_map_clear(&b.bound);
  tp_vec_clear(&b.vars);
  return (ok && !h->failed) || refuse(h, "the solver refused a clause");
}

static void declare(tp_horn *h) {
  for (size_t i = 0; i < h->relations.n; i++) {
    relation *r = &h->relations.at[i];
    Z3_sort *sorts = TP_NEW_ARRAY(Z3_sort, r->n + 1);
    for (size_t j = 0; j < r->n; j++)
      sorts[j] = tp_z3_sort(&h->terms, tp_sort_of(h->tt, h->columns.at[r->first + j].encoded));
    tp_str name = {0};
    tp_str_printf(&name, "R%zu", i);
    r->decl = Z3_mk_func_decl(h->z, Z3_mk_string_symbol(h->z, tp_str_text(&name)), (unsigned)r->n,
                              sorts, Z3_mk_bool_sort(h->z));
    Z3_fixedpoint_register_relation(h->z, h->engine, r->decl);
    tp_str_clear(&name);
    tp_free(sorts);
  }
}

// ---------------------------------------------------------------------- solve

static void configure(tp_horn *h) {
  static const char *const off[] = {"xform.slice", "xform.inline_linear", "xform.inline_eager"};
  Z3_params p = Z3_mk_params(h->z);
  Z3_params_inc_ref(h->z, p);
  Z3_params_set_symbol(h->z, p, Z3_mk_string_symbol(h->z, "engine"),
                       Z3_mk_string_symbol(h->z, "spacer"));
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    Z3_params_set_bool(h->z, p, Z3_mk_string_symbol(h->z, off[i]), false);
  // equations that the solver concludes pin numbers down: around a loop it then follows one value
  // after the other
  if (!h->is_chain) Z3_params_set_bool(h->z, p, Z3_mk_string_symbol(h->z, "spacer.eq_prop"), false);
  Z3_fixedpoint_set_params(h->z, h->engine, p);
  Z3_params_dec_ref(h->z, p);
}

static bool open_engine(tp_horn *h) {
  Z3_config config = Z3_mk_config();
  tp_str limit = {0};
  uint64_t most = h->options.rlimit > UINT32_MAX ? UINT32_MAX : h->options.rlimit;
  tp_str_printf(&limit, "%llu", (unsigned long long)most);
  Z3_set_param_value(
      config, "rlimit",
      tp_str_text(
          &limit));  // the engine has no parameter of this name; only Z3_fixedpoint_query heeds it
  h->z = Z3_mk_context(config);
  Z3_del_config(config);
  tp_str_clear(&limit);
  if (!h->z) return refuse(h, "the solver did not start");
  Z3_set_error_handler(h->z, on_error);
  tp_z3_terms_init(&h->terms, h->tt, h->z, &h->failed);
  h->engine = Z3_mk_fixedpoint(h->z);
  if (!h->engine) return refuse(h, "the solver did not start");
  Z3_fixedpoint_inc_ref(h->z, h->engine);
  configure(h);
  return !h->failed;
}

/* What a campaign of faults makes of an answer: nothing, no answer, or the opposite. */
static tp_horn_answer through_faults(tp_horn *h, tp_horn_answer answer) {
  tp_fault_action action = tp_fault_pass(TP_FAULT_EVENT_SOLVER);
  if (action == TP_FAULT_ACTION_NONE) return answer;
  record_reason(h, "injected");
  if (action != TP_FAULT_ACTION_FLIP) return TP_HORN_UNKNOWN;
  return answer == TP_HORN_REACHABLE ? TP_HORN_UNREACHABLE : TP_HORN_REACHABLE;
}

static tp_horn_answer run_query(tp_horn *h) {
  tp_watchdog *w = tp_watchdog_start(h->options.cpu_s, interrupt, h);
  Z3_lbool r =
      Z3_fixedpoint_query(h->z, h->engine, Z3_mk_app(h->z, h->relations.at[0].decl, 0, NULL));
  bool late = tp_watchdog_stop(w);
  if (late)
    record_reason(h, "CPU limit of the solver");
  else if (h->failed)
    (void)refuse(h, "error in the solver");
  else if (r == Z3_L_UNDEF)
    record_reason(h, Z3_fixedpoint_get_reason_unknown(h->z, h->engine));
  else
    return through_faults(h, r == Z3_L_TRUE ? TP_HORN_REACHABLE : TP_HORN_UNREACHABLE);
  return TP_HORN_UNKNOWN;
}

tp_horn_answer tp_horn_solve(tp_horn *h) {
  TP_REQUIRE(!h->z);  // once
  current = h;
  if (!open_engine(h) || !lower_all(h)) return TP_HORN_UNKNOWN;
  declare(h);
  for (size_t i = 0; i < h->clauses.n; i++)
    if (!add_rule(h, &h->clauses.at[i], (int)i)) return TP_HORN_UNKNOWN;
  return h->answer = run_query(h);
}

// --------------------------------------------------------------------- covers

/* A lowered variable in the caller's terms. */
static tp_term raise(void *ctx, tp_term var) {
  tp_horn *h = ctx;
  tp_terms *tt = h->tt;
  uint64_t i;
  if (!tp_map_get(&h->of_lowered, var.id, &i)) return TP_TERM_NONE;
  tp_term v = h->columns.at[i].var;
  switch (tp_sort_kind_of(tt, tp_sort_of(tt, v))) {
    case TP_SORT_PTR:
      return tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk1(tt, TP_OP_PTR_OBJ, v),
                    tp_mk1(tt, TP_OP_PTR_OFF, v));
    case TP_SORT_FP: return tp_mk1(tt, TP_OP_FP_TO_BITS, v);
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_INT:
    case TP_SORT_ARRAY: break;
  }
  return v;
}

static tp_term read_cover(tp_horn *h, const relation *r) {
  tp_term *args = TP_NEW_ARRAY(tp_term, r->n + 1);
  for (size_t i = 0; i < r->n; i++) args[i] = h->columns.at[r->first + i].encoded;
  Z3_ast cover = Z3_fixedpoint_get_cover_delta(h->z, h->engine, -1, r->decl);
  bool in_bits = h->options.encoding == TP_HORN_BITS;
  tp_term t = h->failed ? TP_TERM_NONE
                        : tp_z3_read(&h->terms, in_bits ? NULL : h->integers, cover, args, r->n);
  tp_free(args);
  if (!tp_term_is(t) || in_bits) return t;
  return tp_integers_to_bits(h->integers, t, h->options.back);
}

tp_term tp_horn_invariant(tp_horn *h, tp_horn_relation r) {
  TP_REQUIRE(r.id > 0 && r.id < h->relations.n);
  if (h->answer != TP_HORN_UNREACHABLE || h->failed) return TP_TERM_NONE;
  if (tp_fault_pass(TP_FAULT_EVENT_CORE)) return tp_mk_true(h->tt);
  current = h;
  tp_term t = read_cover(h, &h->relations.at[r.id]);
  return tp_term_is(t) ? tp_subst(h->tt, t, raise, h, NULL) : t;
}

void tp_horn_set_to_bits(tp_horn *h, tp_integers_to_bits_mode back) { h->options.back = back; }

// --------------------------------------------------------------------- chains

static tp_term bounds_of(tp_horn *h, const relation *r) {
  tp_term all = tp_mk_true(h->tt);
  for (size_t i = 0; r->has_bounds && i < r->n; i++) {
    const column *c = &h->columns.at[r->first + i];
    if (is_bv(h, c->lowered))
      all =
          tp_mk_and(h->tt, all,
                    tp_integers_span_fact(h->integers, (tp_integers_bound){c->lowered, c->bound}));
  }
  return tp_subst(h->tt, all, raise, h, NULL);
}

static bool read_sequence(tp_horn *h, size_t n_blocks, tp_horn_sequence *out) {
  for (size_t i = 0; i <= n_blocks; i++) {
    bool inside = i > 0 && i < n_blocks;
    tp_term t =
        inside ? tp_horn_invariant(h, (tp_horn_relation){(uint32_t)i}) : tp_mk_bool(h->tt, i == 0);
    if (!tp_term_is(t)) return false;
    tp_vec_push(&out->at, t);
    tp_vec_push(&out->bounds, inside ? bounds_of(h, &h->relations.at[i]) : tp_mk_true(h->tt));
  }
  return true;
}

/* Cuts 1 .. n-1 are relations, numbered alike. */
tp_horn_answer tp_horn_solve_chain(tp_terms *tt, tp_horn_options options,
                                   const tp_horn_chain *chain, tp_horn_sequence *out) {
  tp_horn *h = tp_horn_new(tt, options);
  size_t n = chain->n_blocks;
  TP_REQUIRE(n > 0);
  h->is_chain = true;
  out->at.n = out->bounds.n = 0;
  out->reason[0] = 0;
  for (size_t i = 1; i < n; i++) (void)tp_horn_add_relation(h, chain->cuts[i], chain->n_cut[i]);
  for (size_t i = 0; i < n; i++) {
    tp_horn_relation from = {(uint32_t)i}, to = {i + 1 < n ? (uint32_t)(i + 1) : 0};
    tp_horn_add_clause(h, from, NULL, chain->blocks[i], to, NULL);
  }
  tp_horn_answer answer = tp_horn_solve(h);
  out->n_wraps = h->n_wraps;
  if (answer == TP_HORN_UNREACHABLE && !read_sequence(h, n, out)) {
    record_reason(h, "a formula of the solver cannot be read back");
    answer = TP_HORN_UNKNOWN;
  }
  memcpy(out->reason, h->reason, sizeof out->reason);
  tp_horn_free(h);
  return answer;
}

void tp_horn_sequence_clear(tp_horn_sequence *s) {
  tp_vec_clear(&s->at);
  tp_vec_clear(&s->bounds);
}

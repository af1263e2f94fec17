/* Evaluation. Small terms, the daily bread of the interpreter, are evaluated by a recursion whose
 * depth and work are bounded by constants; what exceeds them goes to the general way, an explicit
 * stack with one value per node. Both are lazy in ITE, AND and OR, so a variable on a branch that
 * is not taken need not have a value; an AND or OR has one if either argument decides it. */
#include "term/term.h"

#include "term/term_limits.h"
#include "term/term_priv.h"

typedef struct {
  const tp_terms *tt;
  const tp_env *env;
  tp_arena *arena;
} evaluator;

// -------------------------------------------------------------------- arrays

bool tp_value_eq(const tp_terms *tt, tp_sort s, tp_value a, tp_value b);

static tp_value array_read(const tp_terms *tt, tp_sort array, const tp_array_value *a,
                           tp_value index) {
  TP_REQUIRE(a && (a->n == 0 || a->cells));
  tp_sort is = tp_sort_index(tt, array);
  for (size_t i = a->n; i-- > 0;)
    if (tp_value_eq(tt, is, a->cells[i].index, index)) return a->cells[i].value;
  return a->otherwise;
}

static tp_array_value *array_copy(tp_arena *arena, const tp_array_value *a, size_t room) {
  tp_array_value *r = tp_arena_new(arena, tp_array_value);
  r->n = a->n;
  r->otherwise = a->otherwise;
  r->cells = tp_arena_array(arena, struct tp_array_cell, a->n + room);
  if (a->n) memcpy(r->cells, a->cells, a->n * sizeof *r->cells);
  return r;
}

static tp_value array_write(const evaluator *ev, tp_sort array, tp_value a, tp_value index,
                            tp_value value) {
  tp_array_value *r = array_copy(ev->arena, a.array, 1);
  tp_sort is = tp_sort_index(ev->tt, array);
  size_t i = r->n;  // the last cell of an index counts
  while (i > 0 && !tp_value_eq(ev->tt, is, r->cells[i - 1].index, index)) i--;
  r->cells[i > 0 ? i - 1 : r->n++] = (struct tp_array_cell){index, value};
  return (tp_value){.array = r};
}

/* Equal as functions: both agree wherever either has a cell, and elsewhere. (Elsewhere exists:
 * index sorts are far larger than any finite map we hold, except 1-bit toys, where a
 * disagreement of unused defaults may be seen as a difference.) */
static bool array_eq(const tp_terms *tt, tp_sort s, const tp_array_value *a,
                     const tp_array_value *b);

static bool flat_value_eq(const tp_terms *tt, tp_sort s, tp_value a, tp_value b) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_PTR: return a.bits == b.bits && a.object == b.object;
    case TP_SORT_FP: {
      tp_operation eq = {
          .kind = TP_OP_EQ, .arg_sort = TP_SORT_FP, .arg_width = tp_sort_width(tt, s), .width = 1};
      tp_value r;
      return tp_fold(&eq, (tp_value[2]){a, b}, &r) && r.bits;
    }
    case TP_SORT_ARRAY: return array_eq(tt, s, a.array, b.array);  // depth bounded by the sort's
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_INT: break;
  }
  return a.bits == b.bits;
}

static bool array_eq(const tp_terms *tt, tp_sort s, const tp_array_value *a,
                     const tp_array_value *b) {
  tp_sort es = tp_sort_element(tt, s);
  if (!flat_value_eq(tt, es, a->otherwise, b->otherwise)) return false;
  for (size_t i = 0; i < a->n + b->n; i++) {
    tp_value at = i < a->n ? a->cells[i].index : b->cells[i - a->n].index;
    if (!flat_value_eq(tt, es, array_read(tt, s, a, at), array_read(tt, s, b, at))) return false;
  }
  return true;
}

bool tp_value_eq(const tp_terms *tt, tp_sort s, tp_value a, tp_value b) {
  return flat_value_eq(tt, s, a, b);
}

// --------------------------------------------------------------- applications

static uint64_t base_of(const evaluator *ev, uint32_t object) {
  return object ? ev->env->base(ev->env->ctx, object) : 0;
}

/* Value of t from the values of its arguments. */
static tp_status apply(const evaluator *ev, tp_term t, const tp_value *v, tp_value *out) {
  const tp_terms *tt = ev->tt;
  tp_term_kind k = tp_k(tt, t);
  switch ((int)k) {
    case TP_OP_SELECT:
      *out = array_read(tt, tp_s(tt, tp_a(tt, t, 0)), v[0].array, v[1]);
      return TP_OK;
    case TP_OP_STORE: *out = array_write(ev, tp_s(tt, t), v[0], v[1], v[2]); return TP_OK;
    case TP_OP_CONST_ARRAY: {
      tp_array_value *a = tp_arena_new(ev->arena, tp_array_value);
      a->otherwise = v[0];
      *out = (tp_value){.array = a};
      return TP_OK;
    }
    case TP_OP_PTR_TO_INT: {
      tp_u128 bits = tp_cut(v[0].bits + base_of(ev, v[0].object), tt->ptr_bits);
      *out = (tp_value){.bits = bits, .object = v[0].object};
      return TP_OK;
    }
    case TP_OP_INT_TO_PTR: {
      tp_u128 bits = tp_cut(v[0].bits - base_of(ev, v[0].object), tt->ptr_bits);
      *out = (tp_value){.bits = bits, .object = v[0].object};
      return TP_OK;
    }
    case TP_OP_EQ: {
      tp_sort s = tp_s(tt, tp_a(tt, t, 0));
      if (tp_sort_kind_of(tt, s) != TP_SORT_ARRAY) break;
      *out = (tp_value){.bits = tp_value_eq(tt, s, v[0], v[1])};
      return TP_OK;
    }
    default: break;
  }
  tp_operation op = {
      .kind = k, .width = tp_w(tt, t), .payload = tt->payload[t.id], .ptr_bits = tt->ptr_bits};
  if (tt->arg[t.id][0]) {
    op.arg_sort = tp_sk(tt, tp_a(tt, t, 0));
    op.arg_width = tp_w(tt, tp_a(tt, t, 0));
  }
  return tp_fold(&op, v, out) ? TP_OK : TP_ERR_ARG;
}

static tp_status leaf(const evaluator *ev, tp_term t, tp_value *out) {
  tp_term_kind k = tp_k(ev->tt, t);
  if (tp_is_scalar_const(ev->tt, t)) {
    *out = tp_const_value(ev->tt, t);
    return TP_OK;
  }
  *out = (tp_value){0};
  if (k != TP_OP_VAR || !ev->env->var(ev->env->ctx, t, out)) return TP_ERR_ARG;
  return TP_OK;
}

/* A select on an array variable that the caller answers without building an array value. */
static bool is_outside_select(const evaluator *ev, tp_term t) {
  return ev->env->select && tp_k(ev->tt, t) == TP_OP_SELECT &&
         tp_k(ev->tt, tp_a(ev->tt, t, 0)) == TP_OP_VAR;
}

static bool is_quantifier(tp_term_kind k) {
  return k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND;
}

/* Which argument decides alone, given the first one's value? -1: the value is v itself
 * (AND, OR); 0: not that kind of node. */
static int deciding(tp_term_kind k, tp_value v) {
  if (k == TP_OP_ITE) return v.bits ? 1 : 2;
  if (k == TP_OP_AND) return v.bits ? 1 : -1;
  if (k == TP_OP_OR) return v.bits ? -1 : 1;
  return 0;
}

// ---------------------------------------------------------------- small terms

/* Recursion bounded by TP_TERM_EVAL_LEVELS; TP_ERR_LIMIT: the term is not small. */
static tp_status eval_small(const evaluator *ev, tp_term t, int depth, int *work, tp_value *out) {
  const tp_terms *tt = ev->tt;
  uint32_t n = tp_n_args(tt, t);
  if (n == 0) return leaf(ev, t, out);
  if (depth == 0 || --*work < 0) return TP_ERR_LIMIT;
  tp_term_kind k = tp_k(tt, t);
  if (is_quantifier(k)) return TP_ERR_ARG;
  tp_value v[3] = {{0}, {0}, {0}};
  if (is_outside_select(ev, t)) {
    TP_TRY(eval_small(ev, tp_a(tt, t, 1), depth - 1, work, &v[1]));
    if (ev->env->select(ev->env->ctx, tp_a(tt, t, 0), v[1], out)) return TP_OK;
  }
  tp_status first = eval_small(ev, tp_a(tt, t, 0), depth - 1, work, &v[0]);
  if (first == TP_ERR_ARG &&
      (k == TP_OP_AND || k == TP_OP_OR)) {  // arguments have no order: the other may decide
    TP_TRY(eval_small(ev, tp_a(tt, t, 1), depth - 1, work, out));
    return deciding(k, *out) < 0 ? TP_OK : TP_ERR_ARG;
  }
  TP_TRY(first);
  int next = deciding(k, v[0]);
  if (next < 0) return *out = v[0], TP_OK;
  if (next > 0) return eval_small(ev, tp_a(tt, t, (uint32_t)next), depth - 1, work, out);
  for (uint32_t i = 1; i < n; i++) TP_TRY(eval_small(ev, tp_a(tt, t, i), depth - 1, work, &v[i]));
  return apply(ev, t, v, out);
}

// ---------------------------------------------------------------- large terms

typedef struct {
  tp_map at;  // id -> index of its value; NO_VALUE: it has none
  TP_VEC(tp_value) values;
  TP_VEC(uint32_t) stack;
} memo;
#define NO_VALUE UINT64_MAX

typedef enum { UNSEEN, HAS_VALUE, HAS_NONE } knowledge;
static knowledge look_up(const memo *m, tp_term t, tp_value *out) {
  uint64_t i;
  if (!tp_map_get(&m->at, t.id, &i)) return UNSEEN;
  if (i == NO_VALUE) return HAS_NONE;
  TP_INVARIANT(i < m->values.n);
  *out = m->values.at[i];
  return HAS_VALUE;
}

static void remember(memo *m, tp_term t, tp_value v) {
  TP_INVARIANT(!tp_map_has(&m->at, t.id));
  tp_map_set(&m->at, t.id, m->values.n);
  tp_vec_push(&m->values, v);
}

/* t is as valuable as u, which decides it; if u was not seen it is next. */
static void same_as(memo *m, tp_term t, tp_term u) {
  tp_value v;
  switch (look_up(m, u, &v)) {
    case HAS_VALUE: remember(m, t, v); break;
    case HAS_NONE: tp_map_set(&m->at, t.id, NO_VALUE); break;
    case UNSEEN: tp_vec_push(&m->stack, u.id); break;
  }
}

/* The first argument of an AND or OR has no value: the other one may decide. */
static void by_second(const evaluator *ev, memo *m, tp_term t) {
  tp_value v;
  tp_term u = tp_a(ev->tt, t, 1);
  if (look_up(m, u, &v) == HAS_VALUE && deciding(tp_k(ev->tt, t), v) >= 0)
    tp_map_set(&m->at, t.id, NO_VALUE);
  else
    same_as(m, t, u);
}

/* One look at the node on top of the stack: either it becomes known, or an argument that is needed
 * next is pushed. */
static void step(const evaluator *ev, memo *m, tp_term t) {
  const tp_terms *tt = ev->tt;
  tp_term_kind k = tp_k(tt, t);
  uint32_t n = tp_n_args(tt, t);
  tp_value v[3] = {{0}, {0}, {0}}, r = {0};
  bool outside = is_outside_select(ev, t), ok = !is_quantifier(k);
  for (uint32_t i = outside ? 1 : 0; ok && i < n; i++) {
    tp_term a = tp_a(tt, t, i);
    knowledge seen = look_up(m, a, &v[i]);
    if (seen == UNSEEN) {
      tp_vec_push(&m->stack, a.id);
      return;
    }
    if (seen == HAS_NONE && i == 0 && (k == TP_OP_AND || k == TP_OP_OR)) {
      by_second(ev, m, t);
      return;
    }
    ok = seen == HAS_VALUE;
    int next = ok && i == 0 ? deciding(k, v[0]) : 0;
    if (next < 0) remember(m, t, v[0]);
    if (next > 0) same_as(m, t, tp_a(tt, t, (uint32_t)next));
    if (next) return;
  }
  if (ok && outside && ev->env->select(ev->env->ctx, tp_a(tt, t, 0), v[1], &r)) {
    remember(m, t, r);
    return;
  }
  if (ok && outside) ok = leaf(ev, tp_a(tt, t, 0), &v[0]) == TP_OK;
  if (ok) ok = (n ? apply(ev, t, v, &r) : leaf(ev, t, &r)) == TP_OK;
  if (ok)
    remember(m, t, r);
  else
    tp_map_set(&m->at, t.id, NO_VALUE);
}

static tp_status eval_large(const evaluator *ev, tp_term t, tp_value *out) {
  memo m = {0};
  tp_vec_push(&m.stack, t.id);
  while (m.stack.n) {
    tp_term top = {tp_vec_last(&m.stack)};
    if (tp_map_has(&m.at, top.id))
      (void)tp_vec_pop(&m.stack);
    else
      step(ev, &m, top);
  }
  bool has = look_up(&m, t, out) == HAS_VALUE;
  tp_map_clear(&m.at);
  tp_vec_clear(&m.values);
  tp_vec_clear(&m.stack);
  return has ? TP_OK : TP_ERR_ARG;
}

tp_status tp_eval(const tp_terms *tt, tp_term t, const tp_env *env, tp_arena *arena,
                  tp_value *out) {
  TP_REQUIRE(tp_is_in_table(tt, t) && env->var && env->base && out);
  evaluator ev = {tt, env, arena};
  int work = TP_TERM_EVAL_STEPS;
  tp_status st = eval_small(&ev, t, TP_TERM_EVAL_LEVELS, &work, out);
  return st == TP_ERR_LIMIT ? eval_large(&ev, t, out) : st;
}

tp_term tp_mk_value(tp_terms *tt, tp_sort s, tp_value v) {
  TP_REQUIRE(tp_is_sort_of_table(tt, s));
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: return tp_mk_bool(tt, v.bits != 0);
    case TP_SORT_BV: return tp_mk_bv(tt, tp_sort_width(tt, s), v.bits);
    case TP_SORT_FP: return tp_mk_fp(tt, tp_sort_width(tt, s), (uint64_t)v.bits);
    case TP_SORT_PTR: return tp_mk_ptr_const(tt, v.object, (uint64_t)v.bits);
    case TP_SORT_INT: return tp_mk_int(tt, (int64_t)v.bits);
    case TP_SORT_ARRAY: break;
  }
  return TP_TERM_NONE;
}

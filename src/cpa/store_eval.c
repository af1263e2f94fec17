/* What a term evaluates to in an element.
 *
 * Bottom-up over the shared graph with an explicit stack; the memo is an array by term id that a
 * counter invalidates, so an evaluation costs what the term has nodes. The lattice does arithmetic
 * and comparisons; the store does what needs three-valued logic, pointers or ghost arrays. A
 * conditional at the top (a ? b : c, or the truth of a comparison as a number) is looked at in the
 * states where its condition holds, and in those where it fails. Where the lattice cannot tell
 * whether two values are equal, values that have no member in common are different. Integers made
 * from pointers are followed inside one term: bases of one object cancel. */
#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"

bool tp_store_has_memo(const tp_store *st, tp_term t) {
  return t.id < st->stamp.n && st->stamp.at[t.id] == st->now;
}
static tp_absval memo(const tp_store *st, tp_term t) {
  TP_REQUIRE(tp_store_has_memo(st, t));  // arguments are evaluated before their users
  return st->memo.at[t.id];
}
static void set_memo(tp_store *st, tp_term t, tp_absval v) {
  TP_REQUIRE(t.id < st->memo.n);
  st->memo.at[t.id] = v;
  st->stamp.at[t.id] = st->now;
}
static tp_absval arg(const tp_store *st, tp_term t, uint32_t i) {
  return memo(st, tp_arg(st->tt, t, i));
}
static tp_sort_kind sort_kind(const tp_store *st, tp_term t) {
  return tp_sort_kind_of(st->tt, tp_sort_of(st->tt, t));
}

static bool is_plain(const tp_store *st, tp_term t) {
  tp_sort_kind k = sort_kind(st, t);
  return k == TP_SORT_BV || k == TP_SORT_BOOL || k == TP_SORT_FP;
}

// -------------------------------------------------------- three-valued logic

static tp_absval eval_and(tp_absval a, tp_absval b) {
  if (tp_absval_eq(a, TP_STORE_FALSE) || tp_absval_eq(b, TP_STORE_FALSE)) return TP_STORE_FALSE;
  return a.id && b.id ? TP_STORE_TRUE : TP_ABSVAL_TOP;
}
static tp_absval eval_not(tp_absval a) {
  return a.id ? tp_store_truth(tp_absval_eq(a, TP_STORE_FALSE)) : a;
}
static tp_absval eval_xor(tp_absval a, tp_absval b) {
  return a.id && b.id ? tp_store_truth(!tp_absval_eq(a, b)) : TP_ABSVAL_TOP;
}
static tp_absval eval_ite(tp_store *st, tp_term t) {
  tp_absval c = arg(st, t, 0), a = arg(st, t, 1), b = arg(st, t, 2);
  if (c.id) return tp_absval_eq(c, TP_STORE_TRUE) ? a : b;
  return tp_store_value_join(st, tp_sort_of(st->tt, t), a, b);
}

// -------------------------------------------------------------------- equality

static tp_absval equal_values(tp_store *st, tp_term eq, tp_sort s, tp_absval a, tp_absval b) {
  const tp_absval both[2] = {a, b};
  tp_absval r = tp_store_apply(st, eq, both, 2), common;
  if (r.id == 0 && !tp_store_value_meet(st, s, a, b, &common)) return TP_STORE_FALSE;
  return r;
}

static tp_absval equal_targets(tp_store *st, tp_absval a, tp_absval b) {
  tp_store_ptr x = *tp_store_ptr_of(st, a), y = *tp_store_ptr_of(st, b);
  if (x.object.id != y.object.id) return TP_STORE_FALSE;  // names of different objects
  return equal_values(st, st->generic_eq, st->offset_sort, x.offset, y.offset);
}

static tp_absval equal_pointers(tp_store *st, tp_absval a, tp_absval b) {
  if (a.id == 0 || b.id == 0) return TP_ABSVAL_TOP;
  tp_store_targets x = tp_store_targets_of(st, a), y = tp_store_targets_of(st, b);
  tp_absval all = equal_targets(st, x.at[0], y.at[0]);
  for (uint32_t i = 0; i < x.n; i++)
    for (uint32_t k = 0; k < y.n && all.id; k++)
      all = tp_store_value_join(st, tp_sort_bool(st->tt), all, equal_targets(st, x.at[i], y.at[k]));
  return all;
}

bool tp_store_object_of(tp_store *st, tp_term id, tp_object_name *out) {
  uint64_t constant;
  if (tp_kind(st->tt, id) == TP_OP_PTR_OBJ) {
    tp_term pointer = tp_arg(st->tt, id, 0);
    if (!tp_store_has_memo(st, pointer) || memo(st, pointer).id == 0 ||
        tp_store_is_set(memo(st, pointer)))
      return false;
    *out = tp_store_ptr_of(st, memo(st, pointer))->object;
    return true;
  }
  bool is_known = tp_bv_value_u64(st->tt, id, &constant) ||
                  (tp_store_has_memo(st, id) &&
                   tp_store_value_u64(st, tp_sort_of(st->tt, id), memo(st, id), &constant));
  if (!is_known) return false;
  *out = (tp_object_name){(uint32_t)constant};
  return constant <= st->n_statics;
}

static tp_absval eval_eq(tp_store *st, tp_term t) {
  tp_term a = tp_arg(st->tt, t, 0), b = tp_arg(st->tt, t, 1);
  tp_object_name x, y;
  switch (sort_kind(st, a)) {
    case TP_SORT_BOOL: return eval_not(eval_xor(memo(st, a), memo(st, b)));
    case TP_SORT_PTR: return equal_pointers(st, memo(st, a), memo(st, b));
    case TP_SORT_BV:
      if (tp_width(st->tt, a) == TP_OBJ_BITS &&
          (tp_kind(st->tt, a) == TP_OP_PTR_OBJ || tp_kind(st->tt, b) == TP_OP_PTR_OBJ) &&
          tp_store_object_of(st, a, &x) && tp_store_object_of(st, b, &y))
        return tp_store_truth(x.id == y.id);
      return equal_values(st, t, tp_sort_of(st->tt, a), memo(st, a), memo(st, b));
    case TP_SORT_FP: return tp_store_apply(st, t, (const tp_absval[]){memo(st, a), memo(st, b)}, 2);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_ABSVAL_TOP;
}

// -------------------------------------------------------------------- pointers

static tp_absval eval_ptr_add(tp_store *st, tp_term t) {
  if (arg(st, t, 0).id == 0) return TP_ABSVAL_TOP;
  tp_store_targets all = tp_store_targets_of(st, arg(st, t, 0));
  for (uint32_t i = 0; i < all.n; i++) {
    tp_store_ptr p = *tp_store_ptr_of(st, all.at[i]);
    const tp_absval both[2] = {p.offset, arg(st, t, 1)};
    p.offset = tp_store_apply(st, st->generic_add, both, 2);
    all.at[i] = tp_store_ptr_value(st, p);
  }
  return tp_store_of_targets(st, &all);
}

static tp_absval eval_ptr_mk(tp_store *st, tp_term t) {
  tp_store_ptr p = {.offset = arg(st, t, 1)};
  return tp_store_object_of(st, tp_arg(st->tt, t, 0), &p.object) ? tp_store_ptr_value(st, p)
                                                                 : TP_ABSVAL_TOP;
}

static tp_absval offsets_of(tp_store *st, tp_absval v) {
  tp_store_targets all = tp_store_targets_of(st, v);
  tp_absval offset = tp_store_ptr_of(st, all.at[0])->offset;
  for (uint32_t i = 1; i < all.n; i++)
    offset =
        tp_store_value_join(st, st->offset_sort, offset, tp_store_ptr_of(st, all.at[i])->offset);
  return offset;
}

static tp_absval eval_ptr_part(tp_store *st, tp_term t, tp_term_kind k) {
  if (arg(st, t, 0).id == 0) return TP_ABSVAL_TOP;
  if (tp_store_is_set(arg(st, t, 0)))
    return k == TP_OP_PTR_OFF ? offsets_of(st, arg(st, t, 0)) : TP_ABSVAL_TOP;
  tp_store_ptr p = *tp_store_ptr_of(st, arg(st, t, 0));
  if (k == TP_OP_PTR_OFF) return p.offset;
  if (k == TP_OP_PTR_TO_INT) return p.object.id ? TP_ABSVAL_TOP : p.offset;  // base(0) = 0
  if (tp_store_is_dynamic(st, p.object)) return TP_ABSVAL_TOP;
  return tp_store_value_of_const(st, tp_mk_bv(st->tt, TP_OBJ_BITS, p.object.id));
}

static tp_absval eval_select(tp_store *st, const tp_elem *e, tp_term t) {
  tp_term array = tp_arg(st->tt, t, 0), index = tp_arg(st->tt, t, 1);
  tp_sort s;
  tp_object_name object;
  if (tp_is_memory(st->p, array, &s)) return tp_store_read(st, e, s, memo(st, index));
  if (tp_kind(st->tt, array) == TP_OP_VAR && sort_kind(st, index) == TP_SORT_BV &&
      tp_store_object_of(st, index, &object))
    return tp_store_ghost(st, e, array, object);
  return TP_ABSVAL_TOP;
}

// ------------------------------------------------- integers made from pointers

/* Such an integer is base(object) + offset, or its negative; where bases cancel a number is left.
 * What is known of one is kept as a pointer value under an odd or even key: (term, sign). */
static tp_absval based(const tp_store *st, tp_term t, bool negative) {
  uint64_t id;
  return tp_map_get(&st->based, (uint64_t)t.id << 1 | negative, &id) ? (tp_absval){id}
                                                                     : TP_ABSVAL_TOP;
}
static void set_based(tp_store *st, tp_term t, bool negative, tp_absval p) {
  if (p.id && !tp_store_is_set(p)) tp_map_set(&st->based, (uint64_t)t.id << 1 | negative, p.id);
}

static tp_absval offsets_combined(tp_store *st, tp_term op, tp_absval a, tp_absval b) {
  const tp_absval both[2] = {a, b};
  return tp_store_apply(st, op, both, 2);
}

/* t = a + b with one of them based: base(o) + (x + y); two of one object with different signs: a
 * number. */
static tp_absval add_based(tp_store *st, tp_term t) {
  for (int i = 0; i < 2; i++) {
    tp_term a = tp_arg(st->tt, t, (uint32_t)i), b = tp_arg(st->tt, t, 1 - (uint32_t)i);
    tp_absval plus = based(st, a, false), minus = based(st, a, true), other = based(st, b, true);
    if (plus.id && other.id) {
      tp_store_ptr x = *tp_store_ptr_of(st, plus), y = *tp_store_ptr_of(st, other);
      return x.object.id == y.object.id ? offsets_combined(st, st->generic_add, x.offset, y.offset)
                                        : TP_ABSVAL_TOP;
    }
    TP_INVARIANT(!plus.id || !tp_store_is_set(plus));  // set_based keeps pairs only
    if ((!plus.id && !minus.id) || based(st, b, false).id || other.id) continue;
    tp_store_ptr p = *tp_store_ptr_of(st, plus.id ? plus : minus);
    p.offset = offsets_combined(st, st->generic_add, p.offset, memo(st, b));
    set_based(st, t, !plus.id, tp_store_ptr_value(st, p));
  }
  return TP_ABSVAL_TOP;
}

static void negate_based(tp_store *st, tp_term t, tp_term a) {
  for (int negative = 0; negative < 2; negative++) {
    tp_absval v = based(st, a, negative != 0);
    if (!v.id) continue;
    tp_store_ptr p = *tp_store_ptr_of(st, v);
    p.offset = tp_store_apply(st, st->generic_neg, &p.offset, 1);
    set_based(st, t, negative == 0, tp_store_ptr_value(st, p));
  }
}

/* What follows from bases alone; called where arithmetic on numbers says nothing. */
static tp_absval eval_based(tp_store *st, tp_term t, tp_term_kind k) {
  if (k == TP_OP_PTR_TO_INT) {
    set_based(st, t, false, arg(st, t, 0));
  } else if (k == TP_OP_BV_ADD && st->based.n) {
    return add_based(st, t);
  } else if (k == TP_OP_BV_NEG && st->based.n) {
    negate_based(st, t, tp_arg(st->tt, t, 0));
  } else if (k == TP_OP_EQ && st->based.n) {
    tp_absval a = based(st, tp_arg(st->tt, t, 0), false),
              b = based(st, tp_arg(st->tt, t, 1), false);
    if (!a.id || !b.id) return TP_ABSVAL_TOP;
    tp_store_ptr x = *tp_store_ptr_of(st, a), y = *tp_store_ptr_of(st, b);
    if (x.object.id == y.object.id)
      return equal_values(st, st->generic_eq, st->offset_sort, x.offset, y.offset);
  }
  return TP_ABSVAL_TOP;
}

// ------------------------------------------------------------------------ walk

/* Where nothing is on the heap, nothing is lost; that is all that is known of `lost`. */
static tp_absval eval_var(tp_store *st, const tp_elem *e, tp_var v) {
  const tp_program *p = st->p;
  uint64_t heap;
  if (!v.id) return TP_ABSVAL_TOP;
  tp_absval in_heap = {tp_pmap_get(&e->vars, p->ghost_heap.id)};
  if (v.id == p->ghost_leaked.id &&
      tp_store_value_u64(st, tp_sort_bv(st->tt, 32), in_heap, &heap) && heap == 0)
    return TP_STORE_FALSE;
  return (tp_absval){tp_pmap_get(&e->vars, v.id)};
}

/* t's value, if its arguments have theirs. */
static tp_absval eval_node(tp_store *st, const tp_elem *e, tp_term t) {
  tp_term_kind k = tp_kind(st->tt, t);
  uint32_t n = tp_n_args(st->tt, t);
  if (tp_is_const(st->tt, t)) return tp_store_value_of_const(st, t);
  if (k == TP_OP_VAR) return eval_var(st, e, tp_program_var_of(st->p, t));
  if (n == 0 || k == TP_OP_FORALL || k == TP_OP_EXISTS) return TP_ABSVAL_TOP;
  if (k == TP_OP_NOT) return eval_not(arg(st, t, 0));
  if (k == TP_OP_AND) return eval_and(arg(st, t, 0), arg(st, t, 1));
  if (k == TP_OP_OR) return eval_not(eval_and(eval_not(arg(st, t, 0)), eval_not(arg(st, t, 1))));
  if (k == TP_OP_XOR) return eval_xor(arg(st, t, 0), arg(st, t, 1));
  if (k == TP_OP_EQ) return eval_eq(st, t);
  if (k == TP_OP_ITE) return eval_ite(st, t);
  if (k == TP_OP_PTR_ADD) return eval_ptr_add(st, t);
  if (k == TP_OP_PTR_MK) return eval_ptr_mk(st, t);
  if (k == TP_OP_PTR_OBJ || k == TP_OP_PTR_OFF || k == TP_OP_PTR_TO_INT)
    return eval_ptr_part(st, t, k);
  if (k == TP_OP_SELECT) return eval_select(st, e, t);
  if (!is_plain(st, t)) return TP_ABSVAL_TOP;
  tp_absval args[3];
  TP_INVARIANT(n <= 3);  // kinds over BV, BOOL and FP
  for (uint32_t i = 0; i < n; i++) {
    if (!is_plain(st, tp_arg(st->tt, t, i))) return TP_ABSVAL_TOP;
    args[i] = arg(st, t, i);
  }
  return tp_store_apply(st, t, args, n);
}

static tp_absval eval_term(tp_store *st, const tp_elem *e, tp_term t) {
  tp_absval v = eval_node(st, e, t);
  return v.id ? v : eval_based(st, t, tp_kind(st->tt, t));
}

/* t's value where what is supposed of it holds. */
static tp_absval under_assumptions(tp_store *st, tp_term t, tp_absval v) {
  for (uint32_t i = 0; i < st->n_assumed; i++) {
    tp_absval both;
    if (tp_term_eq(st->assumed[i].t, t) &&
        tp_store_value_meet(st, tp_sort_of(st->tt, t), v, st->assumed[i].v, &both))
      v = both;
  }
  return v;
}

static tp_absval evaluate(tp_store *st, const tp_elem *e, tp_term root) {
  tp_map_clear(&st->based);
  size_t n = tp_terms_count(st->tt) + 1;
  if (st->memo.n < n) {
    tp_vec_resize(&st->memo, n);
    tp_vec_resize(&st->stamp, n);
  }
  st->now++;
  st->stack.n = 0;
  tp_vec_push(&st->stack, root);
  while (st->stack.n) {
    tp_term t = tp_vec_last(&st->stack);
    bool is_quantified = tp_kind(st->tt, t) == TP_OP_FORALL || tp_kind(st->tt, t) == TP_OP_EXISTS,
         is_ready = true;
    for (uint32_t i = 0; i < tp_n_args(st->tt, t) && !is_quantified; i++) {
      if (tp_store_has_memo(st, tp_arg(st->tt, t, i))) continue;
      tp_vec_push(&st->stack, tp_arg(st->tt, t, i));
      is_ready = false;
    }
    if (!is_ready) continue;
    (void)tp_vec_pop(&st->stack);
    if (!tp_store_has_memo(st, t)) set_memo(st, t, under_assumptions(st, t, eval_term(st, e, t)));
  }
  return memo(st, root);
}

// ---------------------------------------------------------------- conditionals

/* The value of t in the states of e in which the condition is so, up to `splits` conditionals below
 * each other looked at apart. False: there are no such states. */
static bool evaluate_under(tp_store *st, const tp_elem *e, tp_term condition, bool truth, tp_term t,
                           int splits, tp_absval *out);

static tp_absval evaluate_by_cases(tp_store *st, const tp_elem *e, tp_term t, int splits) {
  if (splits == 0 || tp_kind(st->tt, t) != TP_OP_ITE || !tp_store_tracks(st, tp_sort_of(st->tt, t)))
    return evaluate(st, e, t);
  tp_term c = tp_arg(st->tt, t, 0), x = tp_arg(st->tt, t, 1), y = tp_arg(st->tt, t, 2);
  tp_absval a, b, condition = evaluate(st, e, c);
  if (condition.id)
    return evaluate_by_cases(st, e, tp_absval_eq(condition, TP_STORE_TRUE) ? x : y, splits);
  bool can_hold = evaluate_under(st, e, c, true, x, splits - 1, &a),
       can_fail = evaluate_under(st, e, c, false, y, splits - 1, &b);
  if (can_hold && can_fail) return tp_store_value_join(st, tp_sort_of(st->tt, t), a, b);
  return can_hold ? a : can_fail ? b : evaluate(st, e, t);
}

/* What the condition says of the two sides that it compares; no variable may remember it (x % 5 <
 * 0). */
static void add_assumption(tp_store *st, const tp_elem *e, tp_term condition, bool truth) {
  if (tp_kind(st->tt, condition) == TP_OP_NOT)
    condition = tp_arg(st->tt, condition, 0), truth = !truth;
  if (tp_n_args(st->tt, condition) != 2) return;
  tp_absval sides[2];
  for (uint32_t i = 0; i < 2; i++) {
    tp_term a = tp_arg(st->tt, condition, i);
    tp_sort_kind k = sort_kind(st, a);
    if (k != TP_SORT_BV && k != TP_SORT_FP) return;
    sides[i] = evaluate(st, e, a);
  }
  if (!tp_store_refine(st, condition, tp_store_truth(truth), sides, 2)) return;
  for (uint32_t i = 0; i < 2 && st->n_assumed < TP_CPA_STORE_SUPPOSED; i++)
    st->assumed[st->n_assumed++] = (tp_store_assumption){tp_arg(st->tt, condition, i), sides[i]};
}

static bool evaluate_under(tp_store *st, const tp_elem *e, tp_term condition, bool truth, tp_term t,
                           int splits, tp_absval *out) {
  tp_elem *d = tp_store_draft(st, e);
  uint32_t n_assumed = st->n_assumed;
  bool possible = tp_store_assume(st, d, condition, tp_store_truth(truth));
  if (possible) {
    add_assumption(st, d, condition, truth);
    *out = evaluate_by_cases(st, d, t, splits);
  }
  st->n_assumed = n_assumed;
  tp_store_discard(st, d);
  return possible;
}

/* Where a condition is evaluated for assume itself, its conditionals are not looked at apart: that
 * would not end. */
tp_absval tp_store_eval(tp_store *st, const tp_elem *e, tp_term root) {
  if (st->is_splitting || tp_kind(st->tt, root) != TP_OP_ITE) return evaluate(st, e, root);
  st->is_splitting = true;
  tp_absval apart = evaluate_by_cases(st, e, root, TP_CPA_STORE_SPLITS);
  st->is_splitting = false;
  (void)evaluate(st, e, root);  // the memo is of the whole term
  set_memo(st, root, apart);
  return apart;
}

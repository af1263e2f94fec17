/* Values of any sort, on top of the lattice's.
 *
 * The lattice knows bit-vectors and floats. Bools have only three values, which the store keeps
 * itself; they are translated to the lattice's own Bools when it applies an operation. Pointers are
 * pairs (known object, abstract offset); two pointers to different objects have no join but top,
 * unless the analysis keeps sets of them (store_targets.c). The offset is a value of the lattice,
 * so widening works on pointers too. */
#include "cpa/store_priv.h"

static tp_sort_kind kind_of(const tp_store *st, tp_sort s) { return tp_sort_kind_of(st->tt, s); }

// -------------------------------------------------------------------- pointers

tp_absval tp_store_ptr_value(tp_store *st, tp_store_ptr x) {
  TP_REQUIRE(x.object.id < st->n_statics + st->p->vars.n);
  uint64_t h = tp_hash_mix(tp_hash_mix(1, x.object.id), x.offset.id), id;
  for (; tp_map_get(&st->ptr_index, h, &id); h++) {
    const tp_store_ptr *seen = &st->ptrs.at[id];
    if (seen->object.id == x.object.id && tp_absval_eq(seen->offset, x.offset))
      return (tp_absval){id};
  }
  TP_INVARIANT(st->ptrs.n < TP_STORE_SET);  // handles of pairs and of sets differ in this bit
  tp_map_set(&st->ptr_index, h, st->ptrs.n);
  tp_vec_push(&st->ptrs, x);
  return (tp_absval){st->ptrs.n - 1};
}

bool tp_store_is_dynamic(const tp_store *st, tp_object_name o) { return o.id > st->n_statics; }

tp_absval tp_store_offset(const tp_store *st, uint64_t offset) {
  return st->values->constant(st->lattice, tp_mk_bv(st->tt, st->p->ptr_bits, offset));
}

tp_term tp_store_object_term(tp_store *st, tp_object_name o) {
  TP_REQUIRE(o.id < st->n_statics + st->p->vars.n);
  if (!tp_store_is_dynamic(st, o)) return tp_mk_bv(st->tt, TP_OBJ_BITS, o.id);
  return tp_mk1(st->tt, TP_OP_PTR_OBJ, tp_var_of(st->p, tp_store_naming_var(st, o))->term);
}

// --------------------------------------------------------------------- lattice

tp_absval tp_store_value_of_const(tp_store *st, tp_term c) {
  TP_REQUIRE(tp_is_const(st->tt, c));
  switch (tp_sort_kind_of(st->tt, tp_sort_of(st->tt, c))) {
    case TP_SORT_BOOL: return tp_store_truth(tp_is_true(st->tt, c));
    case TP_SORT_BV:
    case TP_SORT_FP: return st->values->constant(st->lattice, c);
    case TP_SORT_PTR:
      return tp_store_ptr_value(
          st, (tp_store_ptr){{tp_ptr_const_object(st->tt, c)},
                             tp_store_offset(st, tp_ptr_const_offset(st->tt, c))});
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_ABSVAL_TOP;
}

bool tp_store_value_leq(const tp_store *st, tp_sort s, tp_absval a, tp_absval b) {
  if (b.id == 0 || tp_absval_eq(a, b)) return true;
  if (a.id == 0 || kind_of(st, s) == TP_SORT_BOOL) return false;
  if (kind_of(st, s) != TP_SORT_PTR) return st->values->leq(st->lattice, s, a, b);
  if (tp_store_is_set(a) || tp_store_is_set(b)) return tp_store_is_subset(st, s, a, b);
  const tp_store_ptr *x = tp_store_ptr_of(st, a), *y = tp_store_ptr_of(st, b);
  return x->object.id == y->object.id &&
         tp_store_value_leq(st, st->offset_sort, x->offset, y->offset);
}

typedef tp_absval (*combine_fn)(void *self, tp_sort s, tp_absval a, tp_absval b);

static tp_absval upward(tp_store *st, combine_fn op, tp_store_combine self, tp_sort s, tp_absval a,
                        tp_absval b) {
  if (a.id == 0 || b.id == 0) return TP_ABSVAL_TOP;
  if (tp_absval_eq(a, b)) return a;
  if (kind_of(st, s) == TP_SORT_BOOL) return TP_ABSVAL_TOP;
  if (kind_of(st, s) != TP_SORT_PTR) return op(st->lattice, s, a, b);
  return tp_store_unite(st, a, b, self);
}

tp_absval tp_store_value_join(tp_store *st, tp_sort s, tp_absval a, tp_absval b) {
  return upward(st, st->values->join, tp_store_value_join, s, a, b);
}
tp_absval tp_store_value_widen(tp_store *st, tp_sort s, tp_absval a, tp_absval b) {
  return upward(st, st->values->widen ? st->values->widen : st->values->join, tp_store_value_widen,
                s, a, b);
}

bool tp_store_value_meet(tp_store *st, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  if (a.id == 0 || b.id == 0 || tp_absval_eq(a, b)) {
    *out = a.id ? a : b;
    return true;
  }
  if (kind_of(st, s) == TP_SORT_BOOL) return false;
  if (kind_of(st, s) != TP_SORT_PTR) return st->values->meet(st->lattice, s, a, b, out);
  if (tp_store_is_set(a) || tp_store_is_set(b)) return tp_store_intersect(st, s, a, b, out);
  tp_store_ptr x = *tp_store_ptr_of(st, a), y = *tp_store_ptr_of(st, b);
  if (x.object.id != y.object.id ||
      !tp_store_value_meet(st, st->offset_sort, x.offset, y.offset, &x.offset))
    return false;
  *out = tp_store_ptr_value(st, x);
  return true;
}

// --------------------------------------------------------- operations of terms

static tp_absval to_lattice(const tp_store *st, tp_sort s, tp_absval v) {
  if (kind_of(st, s) != TP_SORT_BOOL || v.id == 0) return v;
  return tp_absval_eq(v, TP_STORE_TRUE) ? st->lattice_true : st->lattice_false;
}
static tp_absval from_lattice(const tp_store *st, tp_sort s, tp_absval v) {
  if (kind_of(st, s) != TP_SORT_BOOL || v.id == 0) return v;
  if (tp_absval_eq(v, st->lattice_true)) return TP_STORE_TRUE;
  return tp_absval_eq(v, st->lattice_false) ? TP_STORE_FALSE : TP_ABSVAL_TOP;
}

tp_absval tp_store_apply(const tp_store *st, tp_term t, const tp_absval *args, uint32_t n) {
  TP_REQUIRE(n >= 1 && n <= 3);  // kinds whose arguments are BV, BOOL or FP
  tp_absval own[3];
  for (uint32_t i = 0; i < n; i++)
    own[i] = to_lattice(st, tp_sort_of(st->tt, tp_arg(st->tt, t, i)), args[i]);
  return from_lattice(st, tp_sort_of(st->tt, t), st->values->apply(st->lattice, t, own, n));
}

bool tp_store_refine(const tp_store *st, tp_term t, tp_absval result, tp_absval *args, uint32_t n) {
  TP_REQUIRE(n >= 1 && n <= 3);
  if (!st->values->refine) return true;
  result = to_lattice(st, tp_sort_of(st->tt, t), result);
  if (result.id == 0) return true;
  tp_absval own[3];
  for (uint32_t i = 0; i < n; i++)
    own[i] = to_lattice(st, tp_sort_of(st->tt, tp_arg(st->tt, t, i)), args[i]);
  if (!st->values->refine(st->lattice, t, result, own, n)) return false;
  TP_INVARIANT(n == tp_n_args(st->tt, t));
  for (uint32_t i = 0; i < n; i++)
    args[i] = from_lattice(st, tp_sort_of(st->tt, tp_arg(st->tt, t, i)), own[i]);
  return true;
}

// ---------------------------------------------------------------------- ranges

bool tp_store_value_range(const tp_store *st, tp_sort s, tp_absval v, tp_range *out) {
  if (v.id == 0) return false;
  if (kind_of(st, s) == TP_SORT_BOOL) {
    uint64_t bit = tp_absval_eq(v, TP_STORE_TRUE);
    *out = (tp_range){.umin = bit, .umax = bit, .smin = (int64_t)bit, .smax = (int64_t)bit};
    return true;
  }
  if (kind_of(st, s) != TP_SORT_BV || tp_sort_width(st->tt, s) > 64 || !st->values->range)
    return false;
  return st->values->range(st->lattice, s, v, out) && !out->is_top;
}

bool tp_store_value_of_range(const tp_store *st, tp_sort s, const tp_range *r, tp_absval *out) {
  if (r->is_top) return false;
  if (kind_of(st, s) == TP_SORT_BOOL) {
    if (r->umin != r->umax) return false;
    *out = tp_store_truth(r->umin != 0);
    return true;
  }
  return kind_of(st, s) == TP_SORT_BV && st->values->of_range &&
         st->values->of_range(st->lattice, s, r, out);
}

bool tp_store_value_u64(const tp_store *st, tp_sort s, tp_absval v, uint64_t *out) {
  tp_range r;
  if (!tp_store_value_range(st, s, v, &r) || r.umin != r.umax) return false;
  *out = r.umin;
  return true;
}

// -------------------------------------------------------------- terms and text

static tp_term target_formula(tp_store *st, tp_term x, tp_store_ptr p) {
  tp_terms *tt = st->tt;
  uint64_t offset;
  if (!tp_store_is_dynamic(st, p.object) &&
      tp_store_value_u64(st, st->offset_sort, p.offset, &offset))
    return tp_mk_eq(tt, x, tp_mk_ptr_const(tt, p.object.id, offset));
  tp_term same = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, x), tp_store_object_term(st, p.object));
  return tp_mk_and(tt, same, tp_store_value_formula(st, tp_mk1(tt, TP_OP_PTR_OFF, x), p.offset));
}

static tp_term pointer_formula(tp_store *st, tp_term x, tp_absval v) {
  tp_store_targets t = tp_store_targets_of(st, v);
  tp_term any = tp_mk_false(st->tt);
  for (uint32_t i = 0; i < t.n; i++)
    any = tp_mk_or(st->tt, any, target_formula(st, x, *tp_store_ptr_of(st, t.at[i])));
  return any;
}

tp_term tp_store_value_formula(tp_store *st, tp_term x, tp_absval v) {
  tp_terms *tt = st->tt;
  if (v.id == 0) return tp_mk_true(tt);
  switch (tp_sort_kind_of(tt, tp_sort_of(tt, x))) {
    case TP_SORT_BOOL: return tp_absval_eq(v, TP_STORE_TRUE) ? x : tp_mk_not(tt, x);
    case TP_SORT_BV:
    case TP_SORT_FP: return st->values->formula(st->lattice, x, v);
    case TP_SORT_PTR: return pointer_formula(st, x, v);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return tp_mk_true(tt);
}

static void print_object(const tp_store *st, tp_object_name o, tp_str *out) {
  if (tp_store_is_dynamic(st, o)) {
    const tp_var_info *v = tp_var_of(st->p, tp_store_naming_var(st, o));
    tp_str_printf(out, v->is_address ? "&%s" : "[%s]", v->name);
  } else if (o.id) {
    tp_str_printf(out, "&%s", st->p->statics.at[o.id].name);
  } else {
    tp_str_add(out, "null");
  }
}

void tp_store_value_print(const tp_store *st, tp_sort s, tp_absval v, tp_str *out) {
  if (v.id == 0 || tp_absval_eq(v, TP_STORE_CELL_TOP)) {
    tp_str_add(out, "?");
  } else if (kind_of(st, s) == TP_SORT_BOOL) {
    tp_str_add(out, tp_absval_eq(v, TP_STORE_TRUE) ? "true" : "false");
  } else if (kind_of(st, s) == TP_SORT_PTR && tp_store_is_set(v)) {
    tp_store_targets t = tp_store_targets_of(st, v);
    for (uint32_t i = 0; i < t.n; i++) {
      tp_str_add(out, i ? "|" : "");
      tp_store_value_print(st, s, t.at[i], out);
    }
  } else if (kind_of(st, s) == TP_SORT_PTR) {
    const tp_store_ptr *p = tp_store_ptr_of(st, v);
    print_object(st, p->object, out);
    uint64_t offset;
    if (tp_store_value_u64(st, st->offset_sort, p->offset, &offset) && offset == 0) return;
    tp_str_add(out, "+");
    tp_store_value_print(st, st->offset_sort, p->offset, out);
  } else {
    st->values->print(st->lattice, s, v, out);
  }
}

/* Terms are visited with explicit stacks: the depth of a chain of conditional pointers is the
 * length of the unrolled program. Only the computation of low bits recurses, to a fixed depth, and
 * then gives none. */
#include "certify/symbolic/pointer_leaves.h"

#include "certify/certify_limits.h"

void tp_chk_leaf_table_init(tp_chk_leaf_table *ps, tp_terms *tt) {
  *ps = (tp_chk_leaf_table){.tt = tt};
  tp_arena_init(&ps->arena);
}

void tp_chk_leaf_table_clear(tp_chk_leaf_table *ps) {
  tp_arena_clear(&ps->arena);
  tp_map_clear(&ps->lists);
  tp_vec_clear(&ps->spans);
  tp_map_clear(&ps->residues);
}

typedef TP_VEC(uint32_t) id_stack;

// ------------------------------------------------------------------- leaves

typedef TP_VEC(tp_chk_leaf) leaf_vec;

static bool known(tp_chk_leaf_table *ps, tp_term t, tp_chk_leaves *out) {
  uint64_t i;
  if (!tp_map_get(&ps->lists, t.id, &i)) return false;
  *out = ps->spans.at[i];
  return true;
}

static void keep(tp_chk_leaf_table *ps, tp_term t, const tp_chk_leaf *at, size_t n) {
  tp_chk_leaf *copy = tp_arena_array(&ps->arena, tp_chk_leaf, n ? n : 1);
  if (n) memcpy(copy, at, n * sizeof *at);
  bool is_known = true;
  for (size_t i = 0; i < n; i++) is_known = is_known && at[i].object != TP_LEAF_OPAQUE;
  tp_map_set(&ps->lists, t.id, ps->spans.n);
  tp_vec_push(&ps->spans, (tp_chk_leaves){copy, (uint32_t)n, is_known});
}

/* Add one leaf; leaves of the same place, of object 0, or (when there are many) of the same object
 * are put together. */
static void add_leaf(tp_chk_leaf_table *ps, leaf_vec *v, tp_chk_leaf l) {
  if (tp_is_false(ps->tt, l.cond)) return;
  for (size_t i = 0; i < v->n; i++) {
    tp_chk_leaf *k = &v->at[i];
    if (k->object != l.object) continue;
    bool same = tp_term_eq(k->offset, l.offset);
    if (!same &&
        (l.object == TP_LEAF_OPAQUE || (l.object != 0 && v->n < TP_CERTIFY_POINTER_LEAVES)))
      continue;
    if (!same) k->offset = tp_mk_ite(ps->tt, l.cond, l.offset, k->offset);
    k->cond = tp_mk_or(ps->tt, k->cond, l.cond);
    return;
  }
  tp_vec_push(v, l);
}

static void join_leaves(tp_chk_leaf_table *ps, tp_term t, tp_term cond, tp_chk_leaves a,
                        tp_chk_leaves b) {
  tp_term other = tp_mk_not(ps->tt, cond);
  leaf_vec v = {0};
  for (uint32_t i = 0; i < a.n; i++) {
    tp_chk_leaf l = a.at[i];
    l.cond = tp_mk_and(ps->tt, cond, l.cond);
    add_leaf(ps, &v, l);
  }
  for (uint32_t i = 0; i < b.n; i++) {
    tp_chk_leaf l = b.at[i];
    l.cond = tp_mk_and(ps->tt, other, l.cond);
    add_leaf(ps, &v, l);
  }
  if (v.n == 1 && v.at[0].object != TP_LEAF_OPAQUE) v.at[0].cond = tp_mk_true(ps->tt);
  if (v.n > 4 * TP_CERTIFY_POINTER_LEAVES)
    keep(ps, t, &(tp_chk_leaf){tp_mk_true(ps->tt), TP_LEAF_OPAQUE, t}, 1);
  else
    keep(ps, t, v.at, v.n);
  tp_vec_clear(&v);
}

static void move_leaves(tp_chk_leaf_table *ps, tp_term t, tp_chk_leaves from, tp_term by,
                        bool replace) {
  leaf_vec v = {0};
  for (uint32_t i = 0; i < from.n; i++) {
    tp_chk_leaf l = from.at[i];
    if (l.object == TP_LEAF_OPAQUE) {
      l.offset = replace ? tp_mk_ptr(ps->tt, tp_mk1(ps->tt, TP_OP_PTR_OBJ, l.offset), by)
                         : tp_mk_ptr_add(ps->tt, l.offset, by);
    } else {
      l.offset = replace ? by : tp_mk2(ps->tt, TP_OP_BV_ADD, l.offset, by);
    }
    add_leaf(ps, &v, l);
  }
  keep(ps, t, v.at, v.n);
  tp_vec_clear(&v);
}

/* The leaves of t if those of its pointer arguments are known; else pushes what is needed. */
static void leaves_step(tp_chk_leaf_table *ps, tp_term t, id_stack *todo) {
  tp_terms *tt = ps->tt;
  tp_term yes = tp_mk_true(tt);
  tp_term_kind k = tp_kind(tt, t);
  tp_chk_leaves a, b;
  if (k == TP_OP_PTR_CONST) {
    tp_term off = tp_mk_bv(tt, tp_terms_ptr_bits(tt), tp_ptr_const_offset(tt, t));
    keep(ps, t, &(tp_chk_leaf){yes, tp_ptr_const_object(tt, t), off}, 1);
  } else if (k == TP_OP_ITE) {
    bool ka = known(ps, tp_arg(tt, t, 1), &a), kb = known(ps, tp_arg(tt, t, 2), &b);
    if (!ka) tp_vec_push(todo, tp_arg(tt, t, 1).id);
    if (!kb) tp_vec_push(todo, tp_arg(tt, t, 2).id);
    if (ka && kb) join_leaves(ps, t, tp_arg(tt, t, 0), a, b);
  } else if (k == TP_OP_PTR_ADD) {
    if (known(ps, tp_arg(tt, t, 0), &a))
      move_leaves(ps, t, a, tp_arg(tt, t, 1), false);
    else
      tp_vec_push(todo, tp_arg(tt, t, 0).id);
  } else if (k == TP_OP_PTR_MK && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_BV_CONST) {
    keep(ps, t, &(tp_chk_leaf){yes, (uint32_t)tp_bv_value(tt, tp_arg(tt, t, 0)), tp_arg(tt, t, 1)},
         1);
  } else if (k == TP_OP_PTR_MK && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_ITE) {
    tp_term object = tp_arg(tt, t, 0),
            yes_at = tp_mk_ptr(tt, tp_arg(tt, object, 1), tp_arg(tt, t, 1)),
            no_at = tp_mk_ptr(tt, tp_arg(tt, object, 2), tp_arg(tt, t, 1));
    bool ka = known(ps, yes_at, &a), kb = known(ps, no_at, &b);
    if (!ka) tp_vec_push(todo, yes_at.id);
    if (!kb) tp_vec_push(todo, no_at.id);
    if (ka && kb) join_leaves(ps, t, tp_arg(tt, object, 0), a, b);
  } else if (k == TP_OP_PTR_MK && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_PTR_OBJ) {
    tp_term inner = tp_arg(tt, tp_arg(tt, t, 0), 0);
    if (known(ps, inner, &a))
      move_leaves(ps, t, a, tp_arg(tt, t, 1), true);
    else
      tp_vec_push(todo, inner.id);
  } else {
    keep(ps, t, &(tp_chk_leaf){yes, TP_LEAF_OPAQUE, t}, 1);
  }
}

tp_chk_leaves tp_chk_leaves_of(tp_chk_leaf_table *ps, tp_term ptr) {
  TP_REQUIRE(tp_sort_kind_of(ps->tt, tp_sort_of(ps->tt, ptr)) == TP_SORT_PTR);
  tp_chk_leaves out;
  if (known(ps, ptr, &out)) return out;
  id_stack todo = {0};
  tp_vec_push(&todo, ptr.id);
  while (todo.n) {
    tp_term t = {tp_vec_last(&todo)};
    if (known(ps, t, &out))
      (void)tp_vec_pop(&todo);
    else
      leaves_step(ps, t, &todo);
  }
  tp_vec_clear(&todo);
  known(ps, ptr, &out);
  return out;
}

// ------------------------------------------------------------------ low bits

static uint32_t low_mask(uint32_t bits) { return (1u << bits) - 1; }
static uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static tp_chk_residue residue(uint32_t bits, uint32_t value) {
  bits = min_u32(bits, 16);
  return (tp_chk_residue){bits, value & low_mask(bits)};
}
/* Number of low zero bits that are certain: all known ones and perhaps more if the value is 0. */
static uint32_t low_zeros(tp_chk_residue r) {
  return r.value ? (uint32_t)__builtin_ctz(r.value) : r.bits;
}

static tp_chk_residue low_bits(tp_chk_leaf_table *ps, tp_term t, uint32_t depth);

static tp_chk_residue low_bits_of_kind(tp_chk_leaf_table *ps, tp_term t, uint32_t depth) {
  tp_terms *tt = ps->tt;
  tp_chk_residue a = {0}, b = {0};
  uint32_t n = tp_n_args(tt, t), width = tp_width(tt, t);
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_BV_CONST)
    return residue(min_u32(width, 16), (uint32_t)(tp_bv_value(tt, t) & 0xffff));
  if (k == TP_OP_ITE) {
    a = low_bits(ps, tp_arg(tt, t, 1), depth);
    b = low_bits(ps, tp_arg(tt, t, 2), depth);
    uint32_t bits = min_u32(a.bits, b.bits), differ = (a.value ^ b.value) & low_mask(bits);
    return residue(differ ? (uint32_t)__builtin_ctz(differ) : bits, a.value);
  }
  if (n >= 1) a = low_bits(ps, tp_arg(tt, t, 0), depth);
  if (n >= 2) b = low_bits(ps, tp_arg(tt, t, 1), depth);
  if (k == TP_OP_BV_ADD) return residue(min_u32(a.bits, b.bits), a.value + b.value);
  if (k == TP_OP_BV_NEG) return residue(a.bits, 0u - a.value);
  if (k == TP_OP_BV_MUL)  // (a + 2^x s)(b + 2^y t)
    return residue(
        min_u32(min_u32(width, 16), min_u32(a.bits + low_zeros(b), b.bits + low_zeros(a))),
        a.value * b.value);
  if (k == TP_OP_BV_SHL && tp_kind(tt, tp_arg(tt, t, 1)) == TP_OP_BV_CONST && b.value < 16 &&
      b.value < width && tp_bv_value(tt, tp_arg(tt, t, 1)) < 16)
    return residue(min_u32(min_u32(width, 16), a.bits + b.value), a.value << b.value);
  if (k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT ||
      (k == TP_OP_BV_EXTRACT && tp_extract_lo(tt, t) == 0))
    return residue(min_u32(a.bits, min_u32(width, tp_width(tt, tp_arg(tt, t, 0)))), a.value);
  if (k == TP_OP_BV_CONCAT) return b;
  return (tp_chk_residue){0};
}

static tp_chk_residue low_bits(tp_chk_leaf_table *ps, tp_term t, uint32_t depth) {
  uint64_t packed;
  if (tp_map_get(&ps->residues, t.id, &packed))
    return (tp_chk_residue){(uint32_t)(packed >> 32), (uint32_t)packed};
  if (depth == TP_CERTIFY_RESIDUE_LEVELS ||
      tp_sort_kind_of(ps->tt, tp_sort_of(ps->tt, t)) != TP_SORT_BV)
    return (tp_chk_residue){0};
  tp_chk_residue r = low_bits_of_kind(ps, t, depth + 1);
  tp_map_set(&ps->residues, t.id, ((uint64_t)r.bits << 32) | r.value);
  return r;
}

tp_chk_residue tp_chk_low_bits(tp_chk_leaf_table *ps, tp_term t) { return low_bits(ps, t, 0); }

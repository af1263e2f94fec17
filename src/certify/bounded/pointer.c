/* Terms are walked with explicit stacks: the depth of a chain of conditional pointers is the length
 * of the unrolled program. Only the look at low bits recurses, to a fixed depth, and then knows
 * nothing. */
#include "certify/bounded/pointer.h"

enum { MAX_LEAVES = 64, MAX_DEPTH = 100 };

void tp_cpointers_init(tp_cpointers *ps, tp_terms *tt) {
  *ps = (tp_cpointers){.tt = tt, .is_exact = true};
  tp_arena_init(&ps->arena);
}

void tp_cpointers_clear(tp_cpointers *ps) {
  tp_arena_clear(&ps->arena);
  tp_map_clear(&ps->lists);
  tp_vec_clear(&ps->spans);
  tp_map_clear(&ps->made);
  tp_map_clear(&ps->has_base);
  tp_map_clear(&ps->residues);
  tp_map_clear(&ps->addressed);
  tp_map_clear(&ps->foreign);
  tp_vec_clear(&ps->sources);
}

typedef TP_VEC(uint32_t) id_stack;

// ------------------------------------------------------------------- leaves

typedef TP_VEC(tp_cleaf) leaf_vec;

static bool known(tp_cpointers *ps, tp_term t, tp_cleaves *out) {
  uint64_t i;
  if (!tp_map_get(&ps->lists, t.id, &i)) return false;
  *out = ps->spans.at[i];
  return true;
}

static void keep(tp_cpointers *ps, tp_term t, const tp_cleaf *at, size_t n) {
  tp_cleaf *copy = tp_arena_array(&ps->arena, tp_cleaf, n ? n : 1);
  if (n) memcpy(copy, at, n * sizeof *at);
  tp_map_set(&ps->lists, t.id, ps->spans.n);
  tp_vec_push(&ps->spans, (tp_cleaves){copy, (uint32_t)n, false});
}

/* Add one leaf; leaves of the same place, of object 0, or (when there are many) of the same object
 * are put together. */
static void add_leaf(tp_cpointers *ps, leaf_vec *v, tp_cleaf l) {
  if (tp_is_false(ps->tt, l.cond)) return;
  for (size_t i = 0; i < v->n; i++) {
    tp_cleaf *k = &v->at[i];
    if (k->object != l.object) continue;
    bool same = tp_term_eq(k->offset, l.offset);
    if (!same && (l.object == TP_LEAF_OPAQUE || (l.object != 0 && v->n < MAX_LEAVES))) continue;
    if (!same) k->offset = tp_mk_ite(ps->tt, l.cond, l.offset, k->offset);
    k->cond = tp_mk_or(ps->tt, k->cond, l.cond);
    return;
  }
  tp_vec_push(v, l);
}

static void join_leaves(tp_cpointers *ps, tp_term t, tp_term cond, tp_cleaves a, tp_cleaves b) {
  tp_term other = tp_mk_not(ps->tt, cond);
  leaf_vec v = {0};
  for (uint32_t i = 0; i < a.n; i++) {
    tp_cleaf l = a.at[i];
    l.cond = tp_mk_and(ps->tt, cond, l.cond);
    add_leaf(ps, &v, l);
  }
  for (uint32_t i = 0; i < b.n; i++) {
    tp_cleaf l = b.at[i];
    l.cond = tp_mk_and(ps->tt, other, l.cond);
    add_leaf(ps, &v, l);
  }
  if (v.n == 1 && v.at[0].object != TP_LEAF_OPAQUE) v.at[0].cond = tp_mk_true(ps->tt);
  if (v.n > 4 * MAX_LEAVES)
    keep(ps, t, &(tp_cleaf){tp_mk_true(ps->tt), TP_LEAF_OPAQUE, t}, 1);
  else
    keep(ps, t, v.at, v.n);
  tp_vec_clear(&v);
}

static void move_leaves(tp_cpointers *ps, tp_term t, tp_cleaves from, tp_term by, bool replace) {
  leaf_vec v = {0};
  for (uint32_t i = 0; i < from.n; i++) {
    tp_cleaf l = from.at[i];
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
static void leaves_step(tp_cpointers *ps, tp_term t, id_stack *todo) {
  tp_terms *tt = ps->tt;
  tp_term yes = tp_mk_true(tt);
  tp_term_kind k = tp_kind(tt, t);
  tp_cleaves a, b;
  if (k == TP_OP_PTR_CONST) {
    tp_term off = tp_mk_bv(tt, tp_terms_ptr_bits(tt), tp_ptr_const_offset(tt, t));
    keep(ps, t, &(tp_cleaf){yes, tp_ptr_const_object(tt, t), off}, 1);
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
    keep(ps, t, &(tp_cleaf){yes, (uint32_t)tp_bv_value(tt, tp_arg(tt, t, 0)), tp_arg(tt, t, 1)}, 1);
  } else if (k == TP_OP_PTR_MK && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_PTR_OBJ) {
    tp_term inner = tp_arg(tt, tp_arg(tt, t, 0), 0);
    if (known(ps, inner, &a))
      move_leaves(ps, t, a, tp_arg(tt, t, 1), true);
    else
      tp_vec_push(todo, inner.id);
  } else {
    keep(ps, t, &(tp_cleaf){yes, TP_LEAF_OPAQUE, t}, 1);
  }
}

tp_cleaves tp_cpointer_leaves(tp_cpointers *ps, tp_term ptr) {
  tp_cleaves out;
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

// ------------------------------------------------------- integers and pointers

/* ite over the leaves of `of(leaf)`; t itself through mk1 when a leaf is opaque. */
static tp_term over_leaves(tp_cpointers *ps, tp_term ptr, tp_term_kind k,
                           tp_term (*of)(tp_cpointers *ps, tp_cleaf l)) {
  tp_cleaves ls = tp_cpointer_leaves(ps, ptr);
  tp_term value = TP_TERM_NONE;
  for (uint32_t i = ls.n; i-- > 0;) {
    tp_term v =
        ls.at[i].object == TP_LEAF_OPAQUE ? tp_mk1(ps->tt, k, ls.at[i].offset) : of(ps, ls.at[i]);
    value = tp_term_is(value) ? tp_mk_ite(ps->tt, ls.at[i].cond, v, value) : v;
  }
  return tp_term_is(value) ? value : tp_mk1(ps->tt, k, ptr);
}

static tp_term leaf_object(tp_cpointers *ps, tp_cleaf l) {
  return tp_mk_bv(ps->tt, TP_OBJ_BITS, l.object);
}
static tp_term leaf_offset(tp_cpointers *ps, tp_cleaf l) {
  (void)ps;
  return l.offset;
}
static tp_term leaf_int(tp_cpointers *ps, tp_cleaf l) {
  if (l.object == 0) return l.offset;
  tp_map_set(&ps->addressed, l.object, 1);
  tp_term base = tp_mk1(ps->tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(ps->tt, l.object, 0));
  return tp_mk2(ps->tt, TP_OP_BV_ADD, base, l.offset);
}

tp_term tp_cpointer_object(tp_cpointers *ps, tp_term ptr) {
  return over_leaves(ps, ptr, TP_OP_PTR_OBJ, leaf_object);
}
tp_term tp_cpointer_offset(tp_cpointers *ps, tp_term ptr) {
  return over_leaves(ps, ptr, TP_OP_PTR_OFF, leaf_offset);
}
tp_term tp_cpointer_to_int(tp_cpointers *ps, tp_term ptr) {
  return over_leaves(ps, ptr, TP_OP_PTR_TO_INT, leaf_int);
}

/* Does PTR_TO_INT occur in t? */
static bool mentions_base(tp_cpointers *ps, tp_term t) {
  uint64_t v;
  if (tp_map_get(&ps->has_base, t.id, &v)) return v;
  id_stack todo = {0};
  tp_vec_push(&todo, t.id);
  while (todo.n) {
    tp_term u = {tp_vec_last(&todo)};
    bool yes = tp_kind(ps->tt, u) == TP_OP_PTR_TO_INT, ready = true;
    for (uint32_t i = 0; !yes && i < tp_n_args(ps->tt, u); i++) {
      tp_term a = tp_arg(ps->tt, u, i);
      if (tp_map_get(&ps->has_base, a.id, &v))
        yes = v;
      else {
        tp_vec_push(&todo, a.id);
        ready = false;
      }
    }
    if (!yes && !ready) continue;
    tp_map_set(&ps->has_base, u.id, yes);
    while (todo.n && tp_map_has(&ps->has_base, tp_vec_last(&todo))) (void)tp_vec_pop(&todo);
  }
  tp_vec_clear(&todo);
  tp_map_get(&ps->has_base, t.id, &v);
  return v;
}

/* The one pointer q in a sum q + number; NONE if there is no such form. */
static tp_term addend_pointer(tp_cpointers *ps, tp_term sum) {
  tp_term found = TP_TERM_NONE;
  id_stack todo = {0};
  tp_vec_push(&todo, sum.id);
  bool one = true;
  while (todo.n && one) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_kind(ps->tt, t) == TP_OP_BV_ADD) {
      tp_vec_push(&todo, tp_arg(ps->tt, t, 0).id);
      tp_vec_push(&todo, tp_arg(ps->tt, t, 1).id);
    } else if (tp_kind(ps->tt, t) == TP_OP_PTR_TO_INT) {
      one = !tp_term_is(found);
      found = tp_arg(ps->tt, t, 0);
    }
  }
  tp_vec_clear(&todo);
  if (!one || !tp_term_is(found)) return TP_TERM_NONE;
  tp_term rest = tp_mk_sub(ps->tt, sum, tp_mk1(ps->tt, TP_OP_PTR_TO_INT, found));
  return mentions_base(ps, rest) ? TP_TERM_NONE : tp_mk_ptr_add(ps->tt, found, rest);
}

static tp_term plain_pointer_of_int(tp_cpointers *ps, tp_term x) {
  if (!mentions_base(ps, x)) return tp_mk_ptr(ps->tt, tp_mk_bv(ps->tt, TP_OBJ_BITS, 0), x);
  tp_term moved = addend_pointer(ps, x);
  if (tp_term_is(moved)) return moved;
  ps->is_exact = false;
  return tp_mk_var(ps->tt, "pointer", tp_sort_ptr(ps->tt));
}

tp_term tp_cpointer_of_int(tp_cpointers *ps, tp_term integer) {
  tp_terms *tt = ps->tt;
  uint64_t a, b;
  id_stack todo = {0};
  tp_vec_push(&todo, integer.id);
  while (todo.n) {
    tp_term t = {tp_vec_last(&todo)};
    if (tp_map_has(&ps->made, t.id)) {
      (void)tp_vec_pop(&todo);
    } else if (tp_kind(tt, t) == TP_OP_ITE && mentions_base(ps, t)) {
      tp_term x = tp_arg(tt, t, 1), y = tp_arg(tt, t, 2);
      bool ka = tp_map_get(&ps->made, x.id, &a), kb = tp_map_get(&ps->made, y.id, &b);
      if (!ka) tp_vec_push(&todo, x.id);
      if (!kb) tp_vec_push(&todo, y.id);
      if (ka && kb)
        tp_map_set(
            &ps->made, t.id,
            tp_mk_ite(tt, tp_arg(tt, t, 0), (tp_term){(uint32_t)a}, (tp_term){(uint32_t)b}).id);
    } else {
      tp_map_set(&ps->made, t.id, plain_pointer_of_int(ps, t).id);
    }
  }
  tp_vec_clear(&todo);
  tp_map_get(&ps->made, integer.id, &a);
  return (tp_term){(uint32_t)a};
}

tp_term tp_cpointer_foreign(tp_cpointers *ps, const char *name) {
  ps->is_exact = false;
  tp_term v = tp_mk_var(ps->tt, name, tp_sort_ptr(ps->tt));
  tp_map_set(&ps->foreign, v.id, ps->sources.n);
  tp_vec_push(&ps->sources, name);
  return v;
}

const char *tp_cpointer_source(const tp_cpointers *ps, tp_term opaque) {
  while (tp_kind(ps->tt, opaque) == TP_OP_PTR_ADD || tp_kind(ps->tt, opaque) == TP_OP_PTR_MK ||
         tp_kind(ps->tt, opaque) == TP_OP_PTR_OBJ)
    opaque = tp_arg(ps->tt, opaque, 0);
  uint64_t i;
  return tp_map_get(&ps->foreign, opaque.id, &i) ? ps->sources.at[i] : NULL;
}

// ------------------------------------------------------------------ low bits

static uint32_t low_mask(uint32_t bits) { return (1u << bits) - 1; }
static uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static tp_cresidue residue(uint32_t bits, uint32_t value) {
  bits = min_u32(bits, 16);
  return (tp_cresidue){bits, value & low_mask(bits)};
}
/* Number of low zero bits that are certain: all known ones and perhaps more if the value is 0. */
static uint32_t low_zeros(tp_cresidue r) {
  return r.value ? (uint32_t)__builtin_ctz(r.value) : r.bits;
}

static tp_cresidue low_bits(tp_cpointers *ps, tp_term t, uint32_t depth);

static tp_cresidue low_bits_of_kind(tp_cpointers *ps, tp_term t, uint32_t depth) {
  tp_terms *tt = ps->tt;
  tp_cresidue a = {0}, b = {0};
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
  return (tp_cresidue){0};
}

static tp_cresidue low_bits(tp_cpointers *ps, tp_term t, uint32_t depth) {
  uint64_t packed;
  if (tp_map_get(&ps->residues, t.id, &packed))
    return (tp_cresidue){(uint32_t)(packed >> 32), (uint32_t)packed};
  if (depth == MAX_DEPTH || tp_sort_kind_of(ps->tt, tp_sort_of(ps->tt, t)) != TP_SORT_BV)
    return (tp_cresidue){0};
  tp_cresidue r = low_bits_of_kind(ps, t, depth + 1);
  tp_map_set(&ps->residues, t.id, ((uint64_t)r.bits << 32) | r.value);
  return r;
}

tp_cresidue tp_clow_bits(tp_cpointers *ps, tp_term t) { return low_bits(ps, t, 0); }

/* Blocks: COPY, SET, HAVOC_MEMORY.
 *
 * A block of constant length is cut into pieces as the memory on the other side is cut (so that
 * values stay typed and pointers known), each piece is read before any is written, because source
 * and target may overlap. A block of symbolic length is cut into equal pieces up to its largest
 * possible length; piece i is written where i < length. What is longer than TP_FORMULA_BLOCK_PIECES
 * pieces is given up. */
#include "formula/symex_priv.h"

#include "formula/formula_limits.h"

static const char too_long[] = "a copied or filled block is too long";

typedef struct {
  uint64_t at, bytes;  // in the block
  tp_sort sort;
  tp_term value;
} chunk;
typedef TP_VEC(chunk) chunks;

/* An object whose cells show how to cut: the first place with a constant offset. */
static const tp_place *model_of(const tp_symex *x, const tp_places *at) {
  for (size_t i = 0; i < at->n; i++)
    if (tp_is_const(x->tt, at->at[i].offset)) return &at->at[i];
  return NULL;
}

/* Largest power of two <= 8 that divides x. */
static uint64_t grain(uint64_t x) {
  uint64_t g = x & (~x + 1);
  return g == 0 || g > 8 ? 8 : g;
}

/* Grain of all offsets. */
static uint64_t common_grain(tp_symex *x, const tp_places *at, uint64_t g) {
  uint64_t r;
  for (size_t i = 0; i < at->n; i++)
    while (g > 1 &&
           (!tp_value_set_residue(tp_value_set_of(&x->values, at->at[i].offset), g, &r) || r))
      g /= 2;
  return g;
}

/* Cut [0, n). False: too many pieces. */
static bool cut(tp_symex *x, tp_sym *s, const tp_places *at, uint64_t n, chunks *out) {
  const tp_place *model = model_of(x, at);
  uint64_t start = 0, size, g = common_grain(x, at, grain(n));
  if (model) (void)tp_bv_value_u64(x->tt, model->offset, &start);
  for (uint64_t i = 0; i < n; i += size) {
    if (out->n == TP_FORMULA_BLOCK_PIECES) return false;
    tp_sort sort;
    if (model) {
      sort = tp_content_piece(x, tp_sym_content(x, s, model->object), start + i, n - i, &size);
    } else {
      size = g;
      sort = tp_sort_bv(x->tt, (uint32_t)(8 * g));
    }
    tp_vec_push(out, (chunk){.at = i, .bytes = size, .sort = sort});
  }
  return true;
}

/* Pieces of the same size for a length that is not constant, as far as `most` bytes. Where nothing
 * bounds the length, some: runs with longer blocks are a gap. */
static void cut_evenly(tp_symex *x, tp_sym *s, const tp_edge_info *e, const tp_places *a,
                       const tp_places *b, tp_term length, uint64_t most, chunks *out) {
  uint64_t r, g = 8;
  while (g > 1 && (!tp_value_set_residue(tp_value_set_of(&x->values, length), g, &r) || r)) g /= 2;
  g = common_grain(x, a, g);
  if (b) g = common_grain(x, b, g);
  if (most / g > TP_FORMULA_BLOCK_PIECES) {
    most = g * TP_FORMULA_LONG_BLOCK_PIECES;
    tp_sym_give_up(x, s, tp_mk2(x->tt, TP_OP_BV_ULT, tp_mk_bv(x->tt, x->p->ptr_bits, most), length),
                   e->pos, too_long, TP_GAP_BLOCK);
  }
  for (uint64_t i = 0; i + g <= most; i += g)
    tp_vec_push(out, (chunk){.at = i, .bytes = g, .sort = tp_sort_bv(x->tt, (uint32_t)(8 * g))});
}

/* No access through these places can be longer. UINT64_MAX: not known. */
static uint64_t room(const tp_symex *x, const tp_places *at) {
  uint64_t most = 0;
  for (size_t i = 0; i < at->n; i++) {
    const tp_instance *o = &x->instances.at[at->at[i].object];
    if (!o->has_const_size) return UINT64_MAX;
    if (o->size_bytes > most) most = o->size_bytes;
  }
  return most;
}

static void fill_values(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e,
                        const tp_places *from, chunks *cs) {
  tp_term byte =
      e->kind == TP_E_SET ? tp_mk_trunc(x->tt, 8, tp_sym_eval(x, s, e->b)) : TP_TERM_NONE;
  uint32_t first = (uint32_t)x->pieces.n;
  for (size_t i = 0; i < cs->n; i++) {
    chunk *c = &cs->at[i];
    uint32_t bits = (uint32_t)(8 * c->bytes);
    if (e->kind == TP_E_COPY) {
      c->value = tp_places_read(x, s, from, c->at, c->sort);
    } else if (e->kind == TP_E_SET) {
      c->value = byte;
      for (uint64_t k = 1; k < c->bytes; k++)
        c->value = tp_mk2(x->tt, TP_OP_BV_CONCAT, byte, c->value);
    } else {
      c->value = tp_symex_fresh(x, "content", tp_sort_bv(x->tt, bits));
      tp_vec_push(&x->pieces, (tp_piece){c->at, (uint32_t)c->bytes, c->value});
    }
  }
  if (e->kind != TP_E_HAVOC_MEMORY) return;
  tp_symex_event ev = {.guard = s->guard,
                       .edge = id,
                       .first_piece = first,
                       .n_pieces = (uint32_t)x->pieces.n - first};
  tp_vec_push(&x->events, ev);
}

static void write_values(tp_symex *x, tp_sym *s, const tp_places *to, const chunks *cs,
                         tp_term length) {
  bool constant = tp_is_const(x->tt, length);
  for (size_t i = 0; i < cs->n; i++) {
    tp_term inside = tp_mk_true(x->tt);
    if (!constant)
      inside = tp_mk2(x->tt, TP_OP_BV_ULT, tp_mk_bv(x->tt, x->p->ptr_bits, cs->at[i].at), length);
    tp_places_write(x, s, to, cs->at[i].at, cs->at[i].value, inside);
  }
}

/* memset over a whole object: the background changes, there are no pieces. */
static bool set_whole(tp_symex *x, tp_sym *s, const tp_edge_info *e, const tp_places *to,
                      tp_term length) {
  uint64_t n;
  if (e->kind != TP_E_SET || to->n != 1 ||
      !tp_term_eq(length, x->instances.at[to->at[0].object].size))
    return false;
  if (!tp_bv_value_u64(x->tt, to->at[0].offset, &n) || n != 0) return false;
  tp_content_fill(x, tp_sym_content_own(x, s, to->at[0].object),
                  tp_mk_trunc(x->tt, 8, tp_sym_eval(x, s, e->b)));
  return true;
}

static void move_block(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e,
                       const tp_places *to, const tp_places *from, tp_term length) {
  chunks cs = {0};
  uint64_t n;
  bool fits = true;
  if (set_whole(x, s, e, to, length)) return;
  if (tp_bv_value_u64(x->tt, length, &n)) {
    fits = cut(x, s, e->kind == TP_E_COPY ? from : to, n, &cs);
  } else {
    uint64_t most = tp_value_set_max(tp_value_set_of(&x->values, length), x->p->ptr_bits),
             limit = room(x, to);
    if (limit < most) most = limit;
    if (e->kind == TP_E_COPY && room(x, from) < most) most = room(x, from);
    cut_evenly(x, s, e, to, e->kind == TP_E_COPY ? from : NULL, length, most, &cs);
  }
  if (fits) {
    fill_values(x, s, id, e, from, &cs);
    write_values(x, s, to, &cs, length);
  } else {
    tp_sym_give_up(x, s, tp_mk_true(x->tt), e->pos, too_long, TP_GAP_BLOCK);
  }
  tp_vec_clear(&cs);
}

/* A block of no bytes touches nothing, whatever the pointers are: only runs with length > 0 come
 * here. */
static void block(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e, tp_term length) {
  tp_places to = {0}, from = {0};
  bool ok = tp_sym_resolve(x, s, tp_sym_eval(x, s, e->a), length, TP_ACCESS_WRITE, e, &to);
  if (ok && e->kind == TP_E_COPY)
    ok = tp_sym_resolve(x, s, tp_sym_eval(x, s, e->b), length, TP_ACCESS_READ, e, &from);
  if (ok) move_block(x, s, id, e, &to, &from, length);
  tp_vec_clear(&to);
  tp_vec_clear(&from);
}

void tp_sym_block(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e) {
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c)) {
    tp_note gap = {tp_guard_term(&x->guards, s->guard), e->pos,
                   "a function without body may write memory", TP_GAP_CALLEE};
    tp_vec_push(&x->gaps, gap);
    return;
  }
  tp_term length = tp_mk_resize(x->tt, x->p->ptr_bits, false, tp_sym_eval(x, s, e->c));
  tp_term nothing = tp_mk_eq(x->tt, length, tp_mk_bv(x->tt, x->p->ptr_bits, 0));
  if (tp_is_true(x->tt, nothing)) return;
  if (tp_is_false(x->tt, nothing) ||
      tp_value_set_min(tp_value_set_of(&x->values, length), x->p->ptr_bits) > 0) {
    block(x, s, id, e, length);
    return;
  }
  tp_sym empty = tp_sym_copy(s), rest = *s;
  tp_sym_assume(x, &empty, nothing);
  tp_sym_assume(x, &rest, tp_mk_not(x->tt, nothing));
  if (!tp_guard_is_false(rest.guard)) block(x, &rest, id, e, length);
  *s = tp_sym_join(x, empty, rest);
}

/* Either pointer is null or another constant, a place in an object that the state knows, null or a
 * cell of a structure, or not known; objects on the heap have bytes of the allocator's between
 * them. */
#include "certify/heaps/heap_compare.h"

#include "certify/certify_limits.h"

typedef struct {
  const tp_chk_heap_world *w;
  tp_chk_heap_state *s;
} comparison;

typedef enum { IS_CONSTANT, IS_PLACE, IS_CELL, IS_UNKNOWN } pointer_class;
typedef struct {
  pointer_class class;
  tp_object_kind kind;  // PLACE: of the object
  tp_term size;         // its size; NONE: not known
} pointer_info;

// ------------------------------------------------------------------------- classes

static tp_term object_of(const comparison *c, tp_term pointer) {
  return tp_mk1(c->w->tt, TP_OP_PTR_OBJ, pointer);
}

/* The number of an object that exists from the start, or 0: no object. */
static pointer_info of_number(const comparison *c, tp_term pointer, uint64_t number) {
  const tp_program *p = c->w->p;
  if (number == 0 && tp_is_const(c->w->tt, tp_mk1(c->w->tt, TP_OP_PTR_OFF, pointer)))
    return (pointer_info){.class = IS_CONSTANT};
  if (number == 0 || number >= p->statics.n) return (pointer_info){.class = IS_UNKNOWN};
  return (pointer_info){
      .class = IS_PLACE,
      .kind = p->statics.at[number].kind,
      .size = tp_program_static_ghost(p, tp_var_of(p, p->ghost_size)->term, number)};
}

/* Null, or a cell that is live: the first of a structure; of a segment that ends in such. */
static bool is_cell_or_null(const comparison *c, tp_term pointer, size_t depth) {
  const tp_chk_heap_state *s = c->s;
  if (tp_term_eq(pointer, tp_mk_null(c->w->tt))) return true;
  const uint32_t i = tp_chk_heap_object_of(s, object_of(c, pointer));
  if (i != UINT32_MAX) return s->objects.at[i].kind == TP_O_HEAP;
  for (size_t k = 0; k < s->parts.n; k++) {
    const tp_chk_heap_part *part = &s->parts.at[k];
    if (tp_term_eq(part->at, pointer))
      return !part->is_segment || (depth > 0 && is_cell_or_null(c, part->end, depth - 1));
  }
  return false;
}

static pointer_info info_of(const comparison *c, tp_term pointer) {
  const tp_term id = object_of(c, pointer);
  const uint32_t i = tp_chk_heap_object_of(c->s, id);
  uint64_t number;
  if (i != UINT32_MAX)
    return (pointer_info){
        .class = IS_PLACE, .kind = c->s->objects.at[i].kind, .size = c->s->objects.at[i].size};
  if (tp_bv_value_u64(c->w->tt, id, &number)) return of_number(c, pointer, number);
  return (pointer_info){.class = is_cell_or_null(c, pointer, c->s->parts.n) ? IS_CELL : IS_UNKNOWN};
}

// --------------------------------------------------------------------- comparisons

static tp_term either(const comparison *c) {
  return tp_chk_heap_symbol(c->w, tp_sort_bool(c->w->tt));
}

/* One past the end of p's object is the start of q's. */
static tp_term touches(const comparison *c, tp_term p, tp_term size_of_p, tp_term q) {
  tp_terms *tt = c->w->tt;
  if (!tp_term_is(size_of_p)) return tp_mk_true(tt);
  return tp_mk_and(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p), size_of_p),
                   tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, q), tp_mk_bv(tt, c->w->p->ptr_bits, 0)));
}

/* Of places in two objects that are not on the heap. */
static tp_term compare_places(const comparison *c, tp_term a, const pointer_info *of_a, tp_term b,
                              const pointer_info *of_b) {
  tp_terms *tt = c->w->tt;
  if (of_a->kind == TP_O_FUNCTION || of_b->kind == TP_O_FUNCTION) return tp_mk_eq(tt, a, b);
  const bool are_alike =
      of_a->kind == of_b->kind && (of_a->kind == TP_O_LITERAL || of_a->kind == TP_O_STACK);
  if (are_alike) return either(c);
  const tp_term side = tp_mk_or(tt, touches(c, a, of_a->size, b), touches(c, b, of_b->size, a));
  return tp_mk_ite(tt, side, either(c), tp_mk_eq(tt, a, b));
}

static tp_term compare(const comparison *c, tp_term a, tp_term b, uint32_t n_choices) {
  tp_terms *tt = c->w->tt;
  if (tp_term_eq(a, b)) return tp_mk_true(tt);
  if (tp_kind(tt, a) != TP_OP_ITE && tp_kind(tt, b) == TP_OP_ITE)
    return compare(c, b, a, n_choices);
  if (tp_kind(tt, a) == TP_OP_ITE)
    return n_choices == 0
               ? either(c)
               : tp_mk_ite(tt, tp_arg(tt, a, 0), compare(c, tp_arg(tt, a, 1), b, n_choices - 1),
                           compare(c, tp_arg(tt, a, 2), b, n_choices - 1));
  const pointer_info of_a = info_of(c, a), of_b = info_of(c, b);
  if (of_a.class == IS_CONSTANT || of_b.class == IS_CONSTANT) return tp_mk_eq(tt, a, b);
  if (of_a.class == IS_UNKNOWN || of_b.class == IS_UNKNOWN) return either(c);
  if (of_a.class == IS_CELL || of_b.class == IS_CELL || of_a.kind == TP_O_HEAP ||
      of_b.kind == TP_O_HEAP || tp_term_eq(object_of(c, a), object_of(c, b)))
    return tp_mk_eq(tt, a, b);
  return compare_places(c, a, &of_a, b, &of_b);
}

// ---------------------------------------------------------------------------- terms

static tp_term value_of(void *ctx, tp_term t) {
  const comparison *c = ctx;
  tp_terms *tt = c->w->tt;
  const tp_term_kind kind = tp_kind(tt, t);
  if (kind == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_PTR)
    return compare(c, tp_chk_heap_evaluate(c->w, c->s, tp_arg(tt, t, 0)),
                   tp_chk_heap_evaluate(c->w, c->s, tp_arg(tt, t, 1)), TP_CERTIFY_HEAP_CHOICES);
  return kind == TP_OP_VAR ? tp_chk_heap_value(c->w, c->s, t) : TP_TERM_NONE;
}

tp_term tp_chk_heap_evaluate(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term t) {
  TP_REQUIRE(w && s);
  comparison c = {w, s};
  tp_map images = {0};
  const tp_mapper m = {.ctx = &c, .before = value_of};
  const tp_term out = tp_map_terms(w->tt, t, &m, &images);
  tp_map_clear(&images);
  return out;
}

/* An offset is compared with those of all slots that have a value; if it is none of them the slot
 * is one of the others. */
#include "certify/heaps/heap_slots.h"

#include "certify/certify_limits.h"

static uint64_t pointer_bytes(const tp_chk_heap_world *w) { return w->p->ptr_bits / 8; }

// -------------------------------------------------------------------- comparisons

typedef enum { SAME, APART, OPEN } relation;

static relation compare(const tp_chk_heap_judge *j, const tp_chk_heap_state *s, tp_term a,
                        tp_term b) {
  tp_terms *tt = j->w->tt;
  const tp_term same = tp_mk_eq(tt, a, b);
  if (tp_is_true(tt, same)) return SAME;
  if (tp_is_false(tt, same) || j->holds(j->ctx, s, tp_mk_not(tt, same))) return APART;
  return j->holds(j->ctx, s, same) ? SAME : OPEN;
}

/* By how much offsets of this form differ, at least: the greatest number that divides all that is
 * not constant in it. */
static uint64_t step_of(const tp_terms *tt, tp_term t) {
  uint64_t n = 1;
  if (tp_kind(tt, t) == TP_OP_BV_CONST) return 0;
  if (tp_kind(tt, t) == TP_OP_BV_MUL)
    return tp_bv_value_u64(tt, tp_arg(tt, t, 0), &n) || tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n)
               ? n
               : 1;
  if (tp_kind(tt, t) == TP_OP_BV_SHL && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n < 32)
    return (uint64_t)1 << n;
  if (tp_kind(tt, t) == TP_OP_BV_CONCAT && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n == 0 &&
      tp_width(tt, tp_arg(tt, t, 1)) < 32)
    return (uint64_t)1 << tp_width(tt, tp_arg(tt, t, 1));
  if (tp_kind(tt, t) != TP_OP_BV_ADD) return 1;
  uint64_t a = step_of(tt, tp_arg(tt, t, 0)), b = step_of(tt, tp_arg(tt, t, 1));
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t constant_in(const tp_terms *tt, tp_term t) {
  uint64_t n = 0;
  if (tp_kind(tt, t) == TP_OP_BV_ADD)
    return constant_in(tt, tp_arg(tt, t, 0)) + constant_in(tt, tp_arg(tt, t, 1));
  return tp_bv_value_u64(tt, t, &n) ? n : 0;
}

/* In an object of zeros there are slots that are null, wherever they are looked for. */
static void find_slots(const tp_chk_heap_world *w, tp_chk_heap_object *o, tp_term offset) {
  uint64_t size;
  const uint64_t bytes = pointer_bytes(w), stride = step_of(w->tt, offset);
  if (o->slots.stride || !o->is_zero || !tp_bv_value_u64(w->tt, o->size, &size)) return;
  if (stride < bytes || stride > size || size / stride > TP_CERTIFY_HEAP_SLOTS) return;
  const uint64_t from = constant_in(w->tt, offset) % stride;
  if (size < from + bytes) return;
  const tp_chk_heap_slots slots = {
      .from = from, .to = from + (size - from - bytes) / stride * stride + 1, .stride = stride};
  for (size_t i = 0; i < o->fields.n; i++)
    if (!tp_chk_heap_fits_slots(w, &slots, &o->fields.at[i])) return;
  o->slots = slots;
  o->is_zero = false;
}

/* The next slot with a value that is not shown to be apart from the offset: its place and what it
 * holds; NULL: there is none. */
static tp_term *meeting(const tp_chk_heap_judge *j, tp_chk_heap_state *s, tp_chk_heap_object *o,
                        tp_term offset, tp_term *place, relation *is) {
  for (size_t i = 0; i < o->open.n; i++) {
    *place = o->open.at[i].offset;
    *is = compare(j, s, *place, offset);
    if (*is != APART) return &o->open.at[i].value;
  }
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_chk_heap_field *f = &o->fields.at[i];
    if (!tp_chk_heap_meets_slots(j->w, &o->slots, f->offset, 1)) continue;
    const uint64_t inside = (f->offset - o->slots.from) % o->slots.stride;
    *place = tp_mk_bv(j->w->tt, j->w->p->ptr_bits, f->offset - inside);
    *is = compare(j, s, *place, offset);
    if (*is != APART) return &o->fields.at[i].value;
  }
  return NULL;
}

static bool is_slot(const tp_chk_heap_judge *j, tp_chk_heap_state *s, tp_chk_heap_object *o,
                    tp_term offset) {
  find_slots(j->w, o, offset);
  return o->slots.stride && j->holds(j->ctx, s, tp_chk_heap_is_slot_term(j->w, &o->slots, offset));
}

bool tp_chk_heap_slot_is_open(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                              tp_term offset, tp_term *a, tp_term *b) {
  tp_chk_heap_object *o = &s->objects.at[object];
  relation is;
  if (!is_slot(j, s, o, offset) || !meeting(j, s, o, offset, a, &is) || is != OPEN) return false;
  *b = offset;
  return true;
}

// ----------------------------------------------------------------------- accesses

tp_term *tp_chk_heap_slot_at(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                             tp_term offset) {
  tp_chk_heap_object *o = &s->objects.at[object];
  tp_terms *tt = j->w->tt;
  tp_term place;
  relation is;
  uint64_t number;
  if (!is_slot(j, s, o, offset)) return NULL;
  tp_term *held = meeting(j, s, o, offset, &place, &is);
  if (held)  // a field in a slot that is a pointer is all of it
    return is == SAME && tp_sort_kind_of(tt, tp_sort_of(tt, *held)) == TP_SORT_PTR ? held : NULL;
  const tp_term null = tp_mk_null(tt),
                value = o->slots.kind ? tp_chk_heap_symbol(j->w, tp_sort_ptr(tt)) : null;
  if (o->slots.kind)
    tp_vec_push(
        &s->parts,
        ((tp_chk_heap_part){
            .kind = o->slots.kind, .at = value, .before = null, .end = null, .last = null}));
  if (tp_bv_value_u64(tt, offset, &number)) {
    tp_vec_push(&o->fields, ((tp_chk_heap_field){number, value}));
    return &tp_vec_last(&o->fields).value;
  }
  tp_vec_push(&o->open, ((tp_chk_heap_slot){offset, value}));
  return &tp_vec_last(&o->open).value;
}

/* Is no byte one of a slot, however the offset is one? */
static bool is_between_slots(const tp_chk_heap_judge *j, const tp_chk_heap_state *s,
                             const tp_chk_heap_slots *slots, tp_term offset, uint64_t n) {
  tp_terms *tt = j->w->tt;
  const uint32_t bits = j->w->p->ptr_bits;
  if (slots->stride < n) return false;
  const tp_term rest =
      tp_mk2(tt, TP_OP_BV_UREM, tp_mk_sub(tt, offset, tp_mk_bv(tt, bits, slots->from)),
             tp_mk_bv(tt, bits, slots->stride));
  return j->holds(
      j->ctx, s,
      tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, bits, pointer_bytes(j->w)), rest),
                tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, rest, tp_mk_bv(tt, bits, slots->stride - n)),
                          tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, bits, slots->from), offset))));
}

void tp_chk_heap_write_beside(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                              tp_term offset, uint64_t n) {
  tp_chk_heap_object *o = &s->objects.at[object];
  if (!o->slots.stride || !is_between_slots(j, s, &o->slots, offset, n)) {
    tp_chk_heap_forget(j->w, s, object);
    return;
  }
  for (size_t i = 0; i < o->fields.n;) {
    const tp_chk_heap_field *f = &o->fields.at[i];
    if (tp_chk_heap_meets_slots(j->w, &o->slots, f->offset,
                                tp_sort_bytes(j->w->tt, tp_sort_of(j->w->tt, f->value))))
      i++;
    else
      o->fields.at[i] = o->fields.at[--o->fields.n];
  }
}

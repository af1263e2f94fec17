/* Slots of an object by their bytes: which of them there are, and which have a field. */
#include "certify/heaps/heap_state.h"

bool tp_chk_heap_is_slot(const tp_chk_heap_slots *slots, uint64_t offset) {
  return slots->stride && offset >= slots->from && offset < slots->to &&
         (offset - slots->from) % slots->stride == 0;
}

static uint64_t pointer_bytes(const tp_chk_heap_world *w) { return w->p->ptr_bits / 8; }

bool tp_chk_heap_meets_slots(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                             uint64_t offset, uint64_t n_bytes) {
  const uint64_t bytes = pointer_bytes(w);
  if (!slots->stride || slots->from >= slots->to || offset + n_bytes <= slots->from) return false;
  for (uint64_t at = slots->from; at < slots->to && at < offset + n_bytes; at += slots->stride)
    if (tp_chk_heap_meet(at, bytes, offset, n_bytes)) return true;
  return false;
}

bool tp_chk_heap_fits_slots(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                            const tp_chk_heap_field *field) {
  const uint64_t n = tp_sort_bytes(w->tt, tp_sort_of(w->tt, field->value));
  return !tp_chk_heap_meets_slots(w, slots, field->offset, n) ||
         (field->offset >= slots->from &&
          (field->offset - slots->from) % slots->stride + n <= pointer_bytes(w));
}

const tp_chk_heap_field *tp_chk_heap_field_of_slot(const tp_chk_heap_world *w,
                                                   const tp_chk_heap_object *o, uint64_t offset) {
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_chk_heap_field *f = &o->fields.at[i];
    if (tp_chk_heap_meet(f->offset, tp_sort_bytes(w->tt, tp_sort_of(w->tt, f->value)), offset,
                         pointer_bytes(w)))
      return f;
  }
  return NULL;
}

bool tp_chk_heap_has_hidden(const tp_chk_heap_world *w, const tp_chk_heap_object *o) {
  if (!o->slots.stride || !o->slots.kind) return false;
  for (uint64_t at = o->slots.from; at < o->slots.to; at += o->slots.stride)
    if (!tp_chk_heap_field_of_slot(w, o, at)) return true;
  return false;
}

tp_term tp_chk_heap_is_slot_term(const tp_chk_heap_world *w, const tp_chk_heap_slots *slots,
                                 tp_term offset) {
  tp_terms *tt = w->tt;
  const uint32_t bits = w->p->ptr_bits;
  const tp_term from = tp_mk_bv(tt, bits, slots->from), to = tp_mk_bv(tt, bits, slots->to),
                rest = tp_mk2(tt, TP_OP_BV_UREM, tp_mk_sub(tt, offset, from),
                              tp_mk_bv(tt, bits, slots->stride));
  return tp_mk_and(
      tt, tp_mk_eq(tt, rest, tp_mk_bv(tt, bits, 0)),
      tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, from, offset), tp_mk2(tt, TP_OP_BV_ULT, offset, to)));
}

void tp_chk_heap_forget(const tp_chk_heap_world *w, tp_chk_heap_state *s, uint32_t object) {
  tp_chk_heap_object *o = &s->objects.at[object];
  s->has_more |= tp_chk_heap_has_hidden(w, o);
  o->fields.n = o->open.n = 0;
  o->is_zero = false;
  o->slots = (tp_chk_heap_slots){0};
}

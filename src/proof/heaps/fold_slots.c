/* Slots of tables, folded: a structure that nothing else leads to is what its slot has. */
#include "proof/heaps/folding.h"

bool tp_fold_is_zero_value(tp_terms *tt, tp_term value) {
  uint64_t number;
  return tp_is_false(tt, value) || tp_term_eq(value, tp_mk_null(tt)) ||
         (tp_bv_value_u64(tt, value, &number) && number == 0);
}

/* Is the value null, or a structure that nothing else leads to? Then that goes. */
static bool fold_value(tp_folding *f, tp_symheap_slots *slots, tp_term value) {
  const tp_term null = tp_mk_null(f->x->tt);
  if (tp_term_eq(value, null)) return true;
  const uint32_t part = tp_fold_part_at(f, value);
  if (part == UINT32_MAX || tp_fold_n_places(f, value) != 2) return false;
  const tp_symheap_part *p = &f->s->parts.at[part];
  if (p->is_segment || (slots->kind && slots->kind != p->kind) || !tp_term_eq(p->before, null))
    return false;
  slots->kind = p->kind;
  tp_symheap_remove_part(f->s, part);
  return true;
}

static bool is_field_of_slot(const tp_symheap_object *o, uint64_t offset) {
  for (size_t i = 0; i < o->fields.n; i++)
    if (o->fields.at[i].offset == offset) return true;
  return false;
}

/* A place of the object that was a slot. */
static bool is_left(const tp_symheap_slots *s, uint64_t offset) {
  return offset % s->stride == s->from % s->stride && (offset < s->from || offset >= s->to);
}

/* Where not all of them are null, nothing is known of what is left where slots were: each might be
 * null or not, and heaps with all of these cases are many. */
static void forget_left(const tp_folding *f, tp_symheap_object *o) {
  const tp_symheap_slots *s = &o->slots;
  const uint64_t bytes = f->x->p->ptr_bits / 8;
  const tp_term null = tp_mk_null(f->x->tt);
  uint64_t size, n = 0;
  if (!tp_bv_value_u64(f->x->tt, o->size, &size)) return;
  for (uint64_t at = s->from % s->stride; at + bytes <= size; at += s->stride)
    n += at < s->from || at >= s->to;
  for (size_t i = 0; i < o->fields.n; i++)
    n -= is_left(s, o->fields.at[i].offset) && tp_term_eq(o->fields.at[i].value, null);
  for (size_t i = 0; i < o->fields.n && n;) {
    if (is_left(s, o->fields.at[i].offset))
      o->fields.at[i] = o->fields.at[--o->fields.n];
    else
      i++;
  }
}

/* What is left at the first or the last slots is no slot any more: a loop has been there. */
static void narrow(tp_folding *f, tp_symheap_object *o) {
  tp_symheap_slots *s = &o->slots;
  while (s->from < s->to && is_field_of_slot(o, s->from)) s->from += s->stride;
  for (;;) {
    const uint64_t last =
        s->from < s->to ? s->from + (s->to - 1 - s->from) / s->stride * s->stride : 0;
    if (s->from >= s->to || !is_field_of_slot(o, last)) break;
    s->to = last;
  }
  forget_left(f, o);
  if (s->from >= s->to) *s = (tp_symheap_slots){0};
}

/* A slot that a variable still names stays: that its place is one is known by that. */
void tp_fold_slots(tp_folding *f, uint32_t object) {
  tp_symheap_object *o = &f->s->objects.at[object];
  for (size_t i = 0; i < o->open.n;) {
    if (!tp_symheap_is_told(f->x, f->s, o->open.at[i].offset) &&
        fold_value(f, &o->slots, o->open.at[i].value))
      o->open.at[i] = o->open.at[--o->open.n];
    else
      i++;
  }
  for (size_t i = 0; i < o->fields.n;) {
    const tp_symheap_field *field = &o->fields.at[i];
    if (tp_symheap_is_slot(&o->slots, field->offset) &&
        !tp_term_eq(field->value, tp_mk_null(f->x->tt)) && fold_value(f, &o->slots, field->value))
      o->fields.at[i] = o->fields.at[--o->fields.n];
    else
      i++;
  }
  if (o->open.n == 0) narrow(f, o);
}

void tp_fold_find_zeros(const tp_folding *f, tp_symheap_object *o) {
  tp_terms *tt = f->x->tt;
  uint64_t size, n = 0;
  const uint64_t bytes = f->x->p->ptr_bits / 8;
  if (o->is_zero || !tp_bv_value_u64(tt, o->size, &size) || o->open.n || o->slots.kind) return;
  for (size_t i = 0; i < o->fields.n; i++) {
    if (!tp_fold_is_zero_value(tt, o->fields.at[i].value)) return;
    n += tp_sort_bytes(tt, tp_sort_of(tt, o->fields.at[i].value));
  }
  if (o->slots.stride == bytes) n += (o->slots.to - o->slots.from + bytes - 1) / bytes * bytes;
  if (n != size || n == 0) return;
  o->fields.n = 0;
  o->slots = (tp_symheap_slots){0};
  o->is_zero = true;
}

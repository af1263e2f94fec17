/* Who leads to a cell that is folded: variables, links of cells, other pointers. */
#include "proof/heaps/folding.h"

uint32_t tp_fold_kind_of(const tp_folding *f, const tp_symheap_object *o) {
  return tp_symheap_kind_of_object(f->x, o);
}

const tp_symheap_link *tp_fold_link_at(const tp_folding *f, uint32_t kind, uint64_t offset) {
  const tp_symheap_kind *k = &f->x->kinds->at[kind];
  for (size_t i = 0; kind && i < k->links.n; i++)
    if (k->links.at[i].offset == offset) return &k->links.at[i];
  return NULL;
}

static void count_field(const tp_folding *f, const tp_symheap_object *o,
                        const tp_symheap_field *field, tp_fold_references *r) {
  const tp_symheap_link *l = tp_fold_link_at(f, tp_fold_kind_of(f, o), field->offset);
  if (tp_symheap_is_slot(&o->slots, field->offset))
    r->n_links++;
  else if (!l)
    r->n_others++;
  else if (l->role != TP_LINK_BACK && l->role != TP_LINK_UNREAD)
    *(l->is_own_kind ? &r->n_links : &r->n_owners) += 1;
}

/* A block that nothing but the object with this number leads to: it is folded with it, so what it
 * leads to counts for nothing. */
static bool belongs_to(const tp_folding *f, const tp_symheap_object *block, tp_term owner) {
  if (block->kind != TP_O_HEAP || tp_term_eq(block->id, owner) || tp_fold_kind_of(f, block) ||
      block->slots.stride || block->open.n || tp_fold_n_places(f, block->id) != 1)
    return false;
  const tp_symheap_object *o = tp_symheap_object_of(f->s, owner);
  for (size_t k = 0; o && k < o->fields.n; k++)
    if (tp_occurs(f->x->tt, block->id, o->fields.at[k].value)) return true;
  return false;
}

tp_fold_references tp_fold_references_to(const tp_folding *f, tp_term part, tp_term at) {
  const tp_terms *tt = f->x->tt;
  const tp_symheap *s = f->s;
  tp_fold_references r = {0};
  for (size_t v = 1; v < f->x->p->vars.n; v++)
    if (tp_term_is(s->vars[v]) && tp_occurs(tt, part, s->vars[v])) {
      r.n_vars++;
      r.is_odd |= !tp_term_eq(s->vars[v], at);
    }
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t k = 0; k < s->objects.at[i].fields.n; k++) {
      const tp_symheap_field *field = &s->objects.at[i].fields.at[k];
      if (!tp_occurs(tt, part, field->value) || belongs_to(f, &s->objects.at[i], part)) continue;
      r.is_odd |= !tp_term_eq(field->value, at);
      count_field(f, &s->objects.at[i], field, &r);
    }
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t k = 0; k < s->objects.at[i].open.n; k++) {
      const tp_term value = s->objects.at[i].open.at[k].value;
      if (!tp_occurs(tt, part, value)) continue;
      r.is_odd |= !tp_term_eq(value, at);
      r.n_links++;
    }
  for (size_t i = 0; i < s->parts.n; i++) {
    const tp_symheap_part *p = &s->parts.at[i];
    r.n_links += tp_occurs(tt, part, p->end);
    r.is_odd |= (tp_occurs(tt, part, p->end) && !tp_term_eq(p->end, at)) ||
                (tp_occurs(tt, part, p->before) && !tp_term_eq(p->before, at));
  }
  return r;
}

tp_term tp_fold_start_of(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  return tp_mk_ptr(f->x->tt, o->id,
                   tp_mk_bv(f->x->tt, f->x->p->ptr_bits, f->x->kinds->at[kind].start));
}

bool tp_fold_may_fold(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  const tp_fold_references r = tp_fold_references_to(f, o->id, tp_fold_start_of(f, o, kind));
  if (r.is_odd) return false;
  if (f->what == TP_FOLD_NAMED) return true;
  return r.n_vars == 0 && r.n_others == 0 && r.n_owners + r.n_links == 1;
}

bool tp_fold_is_owned(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  const tp_fold_references r = tp_fold_references_to(f, o->id, tp_fold_start_of(f, o, kind));
  return !r.is_odd && (r.n_vars == 0 || f->what == TP_FOLD_NAMED) && r.n_others == 0 &&
         r.n_owners + r.n_links == 1;
}

uint32_t tp_fold_part_at(const tp_folding *f, tp_term at) {
  for (uint32_t i = 0; i < f->s->parts.n; i++)
    if (tp_term_eq(f->s->parts.at[i].at, at)) return i;
  return UINT32_MAX;
}

bool tp_fold_fits_size(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  const uint64_t wanted = f->x->kinds->at[kind].size_bytes;
  uint64_t size;
  return o->kind == TP_O_HEAP &&
         (!wanted || (tp_bv_value_u64(f->x->tt, o->size, &size) && size == wanted));
}

uint32_t tp_fold_n_places(const tp_folding *f, tp_term symbol) {
  const tp_terms *tt = f->x->tt;
  uint32_t n = 0;
  for (size_t v = 1; v < f->x->p->vars.n; v++)
    n += tp_term_is(f->s->vars[v]) && tp_occurs(tt, symbol, f->s->vars[v]);
  for (size_t i = 0; i < f->s->objects.n; i++)
    for (size_t k = 0; k < f->s->objects.at[i].fields.n; k++)
      n += tp_occurs(tt, symbol, f->s->objects.at[i].fields.at[k].value);
  for (size_t i = 0; i < f->s->objects.n; i++)
    for (size_t k = 0; k < f->s->objects.at[i].open.n; k++)
      n += tp_occurs(tt, symbol, f->s->objects.at[i].open.at[k].value);
  for (size_t i = 0; i < f->s->parts.n; i++) {
    const tp_symheap_part *p = &f->s->parts.at[i];
    const tp_term terms[] = {p->at, p->before, p->end, p->last};
    for (int k = 0; k < 4; k++) n += tp_occurs(tt, symbol, terms[k]);
  }
  return n;
}

bool tp_symheap_is_led_to_backwards(tp_symheap_search *x, tp_symheap *s) {
  const tp_folding f = {.x = x, .s = s};
  for (size_t i = 0; i < s->objects.n + s->parts.n; i++) {
    const bool is_object = i < s->objects.n;
    if (is_object && s->objects.at[i].kind != TP_O_HEAP) continue;
    const tp_term id = is_object ? s->objects.at[i].id : s->parts.at[i - s->objects.n].at;
    const tp_fold_references r = tp_fold_references_to(&f, id, id);
    if (r.n_vars + r.n_links + r.n_owners + r.n_others == 0) return true;
  }
  return false;
}

/* What a fold forgets: numbers, pointers that lead to nothing that the heap knows, cells that
 * nothing leads to. */
#include "proof/heaps/folding.h"

void tp_fold_open_empty_links(tp_folding *f) {
  for (size_t i = 0; i < f->s->objects.n; i++) {
    const uint32_t kind = tp_fold_kind_of(f, &f->s->objects.at[i]);
    uint32_t n = 0;
    const tp_symheap_kind *k = &f->x->kinds->at[kind];
    for (size_t l = 0; kind && !k->level && l < k->links.n; l++)
      n += k->links.at[l].role == TP_LINK_TO && k->links.at[l].is_own_kind;
    for (size_t l = 0; n > 1 && l < k->links.n; l++) {
      if (k->links.at[l].role != TP_LINK_TO || !k->links.at[l].is_own_kind) continue;
      tp_symheap_object *o = &f->s->objects.at[i];
      const tp_term value = tp_symheap_read(f->x, o, k->links.at[l].offset, tp_sort_ptr(f->x->tt)),
                    null = tp_mk_null(f->x->tt),
                    symbol = tp_symheap_symbol(f->x, tp_sort_ptr(f->x->tt));
      if (!tp_term_is(value) || !tp_term_eq(value, null)) continue;
      tp_symheap_write(f->x, o, k->links.at[l].offset, symbol);
      tp_vec_push(&f->s->parts, ((tp_symheap_part){.kind = kind,
                                                   .at = symbol,
                                                   .before = tp_symheap_back_of(f->x->kinds, kind)
                                                                 ? tp_fold_start_of(f, o, kind)
                                                                 : null,
                                                   .end = null,
                                                   .last = null}));
    }
  }
}

/* A pointer that leads to nothing that the heap knows. */
static bool is_stray(const tp_folding *f, tp_term value) {
  const tp_terms *tt = f->x->tt;
  if (tp_kind(tt, value) == TP_OP_PTR_CONST ||
      tp_symheap_object_at(f->x, f->s, value) != UINT32_MAX)
    return false;
  for (size_t i = 0; i < f->s->parts.n; i++) {
    const tp_symheap_part *p = &f->s->parts.at[i];
    if (tp_term_eq(p->at, value) || tp_term_eq(p->end, value) || tp_term_eq(p->last, value) ||
        tp_term_eq(p->before, value))
      return false;
  }
  return true;
}

/* Where a pointer into a cell, some bytes from its start, starts from: a variable that holds the
 * item around a link. */
static tp_term start_of(const tp_folding *f, tp_term value) {
  const tp_terms *tt = f->x->tt;
  return tp_kind(tt, value) == TP_OP_PTR_ADD && tp_is_const(tt, tp_arg(tt, value, 1))
             ? tp_arg(tt, value, 0)
             : value;
}

/* In an object whose other bytes are 0 what is written stays a field, of any value; so does what a
 * slot holds. */
static void forget_field(const tp_folding *f, tp_symheap_object *o, size_t *k) {
  tp_symheap_field *field = &o->fields.at[*k];
  if (tp_symheap_is_slot(&o->slots, field->offset) ||
      (o->is_zero && !tp_fold_is_zero_value(f->x->tt, field->value))) {
    field->value = tp_symheap_symbol(f->x, tp_sort_of(f->x->tt, field->value));
    ++*k;
  } else {
    *field = o->fields.at[--o->fields.n];
  }
}

/* A number in a cell, of which facts speak. */
static bool is_followed(const tp_folding *f, const tp_symheap_object *o,
                        const tp_symheap_field *field) {
  const uint32_t kind = f->x->facts ? tp_fold_kind_of(f, o) : 0;
  for (size_t i = 0; kind && i < f->x->facts->values.n; i++) {
    const tp_cell_value *v = &f->x->facts->values.at[i];
    if (v->kind == kind && v->offset == field->offset &&
        tp_sort_eq(tp_sort_of(f->x->tt, v->symbol), tp_sort_of(f->x->tt, field->value)))
      return true;
  }
  return false;
}

static bool is_a_choice(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_ITE;
}

/* What a pointer is by a condition on numbers that are forgotten. */
static bool is_open_choice(const tp_folding *f, tp_term value) {
  return tp_any_subterm(f->x->tt, value, is_a_choice, NULL);
}

static bool is_unread(const tp_folding *f, const tp_symheap_object *o, uint64_t offset) {
  const uint32_t kind = tp_fold_kind_of(f, o);
  const tp_symheap_link *l = kind ? tp_fold_link_at(f, kind, offset) : NULL;
  return l && l->role == TP_LINK_UNREAD;
}

void tp_fold_drop_what_is_no_structure(tp_folding *f) {
  tp_terms *tt = f->x->tt;
  tp_symheap_name_places(f->x, f->s);
  for (size_t v = 1; v < f->x->p->vars.n; v++) {
    const tp_term value = f->s->vars[v];
    if (!tp_term_is(value) || tp_is_const(tt, value)) continue;
    const bool is_pointer = tp_sort_kind_of(tt, tp_sort_of(tt, value)) == TP_SORT_PTR;
    if (!is_pointer && f->x->facts && f->x->facts->is_tracked[v]) continue;
    const bool is_forgotten =
        is_pointer ? is_stray(f, start_of(f, value)) || (!f->x->facts && is_open_choice(f, value))
                   : !tp_symheap_is_in_place(f->x, f->s, value);
    if (is_forgotten) f->s->vars[v] = TP_TERM_NONE;
  }
  for (size_t i = 0; i < f->s->objects.n; i++) {
    tp_symheap_object *o = &f->s->objects.at[i];
    for (size_t k = 0; k < o->fields.n;) {
      const tp_term value = o->fields.at[k].value;
      const bool is_pointer = tp_sort_kind_of(tt, tp_sort_of(tt, value)) == TP_SORT_PTR;
      if (is_followed(f, o, &o->fields.at[k]) ||
          (is_pointer && !is_stray(f, value) && !is_unread(f, o, o->fields.at[k].offset) &&
           !is_open_choice(f, value) && !(o->is_zero && tp_fold_is_zero_value(tt, value))))
        k++;
      else
        forget_field(f, o, &k);
    }
    for (size_t k = 0; k < o->open.n; k++)
      if (is_stray(f, o->open.at[k].value))
        o->open.at[k].value = tp_symheap_symbol(f->x, tp_sort_ptr(tt));
    tp_fold_find_zeros(f, o);
  }
}

static bool is_given(const tp_folding *f, tp_term part) {
  for (size_t i = 0; i < f->s->given.n; i++)
    if (tp_term_is(f->s->given.at[i]) && tp_occurs(f->x->tt, part, f->s->given.at[i])) return true;
  return false;
}

bool tp_fold_drop_garbage(tp_folding *f) {
  tp_symheap *s = f->s;
  for (uint32_t i = 0; i < s->objects.n; i++) {
    const tp_term id = s->objects.at[i].id;
    if (s->objects.at[i].kind != TP_O_HEAP || tp_fold_n_places(f, id) || is_given(f, id)) continue;
    tp_symheap_remove(s, i);
    return s->has_more = true;
  }
  for (uint32_t i = 0; i < s->parts.n; i++) {
    const tp_symheap_part *p = &s->parts.at[i];
    const bool has_last = p->is_segment && tp_kind(f->x->tt, p->last) == TP_OP_VAR;
    const uint32_t own = has_last && tp_term_eq(p->at, p->last) ? 2 : 1;
    if (tp_fold_n_places(f, p->at) > own || is_given(f, p->at)) continue;
    if (has_last && tp_fold_n_places(f, p->last) > own) continue;
    tp_symheap_remove_part(s, i);
    return s->has_more = true;
  }
  return false;
}

/* Looking names up in a description. Names are few, so lists are searched from their start. */
#include "shape/description.h"

void tp_description_clear(tp_description *entry) {
  tp_vec_clear(&entry->fields);
  tp_vec_clear(&entry->default_for);
  tp_vec_clear(&entry->orders);
  tp_vec_clear(&entry->families);
  tp_vec_clear(&entry->updates);
  tp_vec_clear(&entry->constraints);
  tp_vec_clear(&entry->invariants);
  tp_vec_clear(&entry->refines_fields);
  tp_arena_clear(&entry->arena);
  *entry = (tp_description){0};
}

uint32_t tp_description_family(const tp_description *entry, const char *name) {
  for (uint32_t i = 0; i < entry->families.n; i++)
    if (strcmp(entry->families.at[i].name, name) == 0) return i;
  return UINT32_MAX;
}

uint32_t tp_description_field(const tp_description *entry, const char *name) {
  for (uint32_t i = 0; i < entry->fields.n; i++)
    if (strcmp(entry->fields.at[i], name) == 0) return i;
  return UINT32_MAX;
}

const char *tp_heap_kind_text(tp_heap_kind kind) {
  switch (kind) {
    case TP_HEAP_NIL: return "x = nil";
    case TP_HEAP_COPY: return "x = y";
    case TP_HEAP_LOAD: return "x = y->f";
    case TP_HEAP_CLEAR: return "x->f = nil";
    case TP_HEAP_STORE: return "x->f = y";
    case TP_HEAP_NEW: return "x = new";
    case TP_HEAP_FREE: return "free x";
    case TP_HEAP_SET: return "set x";
    case TP_HEAP_N_KINDS: break;
  }
  return "?";
}

uint32_t tp_template_families(const tp_template *t) {
  uint32_t out = t->kind == TP_TEMPLATE_FAMILY ? (uint32_t)1 << t->family : 0;
  for (uint32_t k = 0; k < 3; k++)
    if (t->kid[k]) out |= tp_template_families(t->kid[k]);
  return out;
}

/* Does a conjunct of the template say that a pointer, or a link of another cell, leads to v? */
static bool names_cell(const tp_template *t, uint8_t v) {
  if (t->kind == TP_TEMPLATE_AND) return names_cell(t->kid[0], v) || names_cell(t->kid[1], v);
  if (t->kind == TP_TEMPLATE_EXISTS) return t->a != v && names_cell(t->kid[0], v);
  return (t->kind == TP_TEMPLATE_POINTS && t->a == v) ||
         (t->kind == TP_TEMPLATE_FIELD && t->b == v && t->a != v);
}

bool tp_template_searches_cells(const tp_template *t) {
  bool yes = t->kind == TP_TEMPLATE_EXISTS && !names_cell(t->kid[0], t->a);
  for (uint32_t k = 0; k < 3 && !yes; k++) yes = t->kid[k] && tp_template_searches_cells(t->kid[k]);
  return yes;
}

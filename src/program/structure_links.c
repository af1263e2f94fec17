/* Types that are one structure, by tag, by typedef, by members; loads of pointers by the type of
 * what they go through. */
#include "program/structure_links.h"

#include "program/access.h"

static bool has_tag(const tp_type_info *t) { return strncmp(t->name, "struct ", 7) == 0; }

static bool has_same_members(const tp_type_info *a, const tp_type_info *b) {
  if (a->n_members == 0 || a->n_members != b->n_members || a->size_bytes != b->size_bytes)
    return false;
  for (uint32_t i = 0; i < a->n_members; i++)
    if (strcmp(a->members[i].name, b->members[i].name) ||
        a->members[i].offset_bits != b->members[i].offset_bits)
      return false;
  return true;
}

/* Two tags are two structures, whatever their members are called: lists of lists often repeat them.
 * A tag and a typedef may be of two files. */
bool tp_is_one_structure(const tp_program *p, tp_type first, tp_type second) {
  if (!first.id || !second.id) return false;
  const tp_type_info *a = tp_type_of(p, first), *b = tp_type_of(p, second);
  if (first.id == second.id) return true;
  if (a->kind != TP_T_STRUCT || b->kind != TP_T_STRUCT) return false;
  if (a->n_members && a->members == b->members) return true;
  if (has_tag(a) == has_tag(b) && strcmp(a->name, "struct")) return strcmp(a->name, b->name) == 0;
  return has_same_members(a, b);
}

bool tp_is_link_read(const tp_program *p, tp_type structure, uint64_t offset) {
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    tp_access a;
    if (e->kind != TP_E_LOAD ||
        tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, e->var)->term)) != TP_SORT_PTR)
      continue;
    if (!tp_access_of(p, e->a, &a) || !a.var.id || tp_term_is(a.index)) return true;
    if (a.offset < 0 || (uint64_t)a.offset != offset) continue;
    const tp_type type = tp_var_of(p, a.var)->type;
    const tp_type_info *t = type.id ? tp_type_of(p, type) : NULL;
    const bool is_other = t && t->kind == TP_T_POINTER && t->element.id &&
                          tp_type_of(p, t->element)->kind == TP_T_STRUCT &&
                          !tp_is_one_structure(p, t->element, structure);
    if (!is_other) return true;
  }
  return false;
}

/* A whole structure goes out of a heap: it is given to a function with a contract. */
#include "proof/heaps/folding.h"

/* A segment below a cell of a skip list. */
static bool take_segment(const tp_folding *f, uint32_t kind, tp_term at, tp_term end) {
  const uint32_t level = f->x->kinds->at[kind].level;
  while (tp_term_is(at) && !tp_term_eq(at, end)) {
    const uint32_t part = tp_fold_part_at(f, at), object = tp_symheap_object_at(f->x, f->s, at);
    if (part != UINT32_MAX && f->s->parts.at[part].kind == kind) {
      at = f->s->parts.at[part].end;
      tp_symheap_remove_part(f->s, part);
    } else if (object != UINT32_MAX && level == 1) {
      at = tp_symheap_read(f->x, &f->s->objects.at[object],
                           tp_symheap_link_of_level(f->x->kinds, kind, 1)->offset,
                           tp_sort_ptr(f->x->tt));
      tp_symheap_remove(f->s, object);
    } else {
      return false;
    }
  }
  return tp_term_is(at);
}

bool tp_symheap_take(tp_symheap_search *x, tp_symheap *s, uint32_t kind, tp_term at,
                     tp_term *before) {
  tp_folding f = {.x = x, .s = s};
  const uint32_t part = tp_fold_part_at(&f, at), object = tp_symheap_object_at(x, s, at);
  tp_term ignored;
  *before = TP_TERM_NONE;
  if (tp_term_eq(at, tp_mk_null(x->tt))) return true;
  if (part != UINT32_MAX) {
    const tp_symheap_part p = s->parts.at[part];
    if (p.kind != kind) return false;
    *before = p.before;
    tp_symheap_remove_part(s, part);
    return !p.is_segment || tp_symheap_take(x, s, kind, p.end, &ignored);
  }
  if (object == UINT32_MAX || !tp_fold_fits_size(&f, &s->objects.at[object], kind)) return false;
  tp_term_list to = {0};
  const tp_symheap_kind *k = &x->kinds->at[kind];
  for (size_t i = 0; i < k->links.n; i++)
    tp_vec_push(
        &to, tp_symheap_read(x, &s->objects.at[object], k->links.at[i].offset, tp_sort_ptr(x->tt)));
  tp_symheap_remove(s, object);
  bool ok = true;
  for (size_t i = 0; i < k->links.n && ok; i++) {
    const tp_symheap_link *l = &k->links.at[i];
    if (l->role == TP_LINK_BACK) *before = to.at[i];
    if (l->role == TP_LINK_TO || l->role == TP_LINK_TO_CELL)
      ok = tp_term_is(to.at[i]) && tp_symheap_take(x, s, l->to, to.at[i], &ignored);
    for (size_t e = 0; e < k->links.n && l->role == TP_LINK_UPTO; e++)
      if (k->links.at[e].level == l->level + 1)
        ok = tp_term_is(to.at[i]) && take_segment(&f, l->to, to.at[i], to.at[e]);
  }
  tp_vec_clear(&to);
  return ok;
}

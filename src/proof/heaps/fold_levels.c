/* Cells of skip lists, folded: a cell of the lowest level as one of a list, a cell of a higher
 * level together with the segments below it, once these are folded up to where its own links lead.
 *
 * Of which level a cell is, links that lead to it say: the highest one. Each level below has one
 * way to it, too: the last cell of the segment there, or the cell of the higher level itself where
 * the segment is empty. A part that ends at the cell is one way for its level and for those below,
 * as these end in the part's last cell. */
#include "proof/heaps/folding.h"
#include "proof/proof_limits.h"

/* The kind of the highest level; 0: the kind is of no skip list. */
static uint32_t top_of(const tp_folding *f, uint32_t kind) {
  const tp_symheap_kind *k = &f->x->kinds->at[kind];
  uint32_t n = 0;
  for (size_t i = 0; i < k->links.n; i++)
    if (k->links.at[i].level > n) n = k->links.at[i].level;
  return k->level ? tp_symheap_kind_of_level(f->x->kinds, kind, n) : 0;
}

static tp_term link_value(const tp_folding *f, const tp_symheap_object *o, uint32_t kind,
                          uint32_t level) {
  const tp_symheap_link *l = tp_symheap_link_of_level(f->x->kinds, kind, level);
  return tp_symheap_read(f->x, o, l->offset, tp_sort_ptr(f->x->tt));
}

/* Ways to the place, by level; false: one of another kind leads there. */
static bool count_ways(const tp_folding *f, tp_term at, uint32_t top, uint32_t *n_ways) {
  for (size_t i = 0; i < f->s->objects.n; i++) {
    const tp_symheap_object *o = &f->s->objects.at[i];
    const uint32_t kind = tp_fold_kind_of(f, o);
    for (size_t k = 0; k < o->fields.n; k++) {
      if (!tp_term_eq(o->fields.at[k].value, at)) continue;
      const tp_symheap_link *l = tp_fold_link_at(f, kind, o->fields.at[k].offset);
      if (!l || !l->level || top_of(f, kind) != top) return false;
      n_ways[l->level]++;
    }
  }
  for (size_t i = 0; i < f->s->parts.n; i++) {
    const tp_symheap_part *p = &f->s->parts.at[i];
    if (!p->is_segment || !tp_term_eq(p->end, at)) continue;
    if (top_of(f, p->kind) != top) return false;
    for (uint32_t level = f->x->kinds->at[p->kind].level; level; level--) n_ways[level]++;
  }
  return true;
}

uint32_t tp_fold_kind_by_level(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  const uint32_t top = top_of(f, kind), n = f->x->kinds->at[top].level;
  const tp_term at = tp_fold_start_of(f, o, kind);
  const tp_fold_references r = tp_fold_references_to(f, o->id, at);
  uint32_t n_ways[TP_PROOF_HEAPS_LEVELS + 1] = {0}, level = n;
  if (r.is_odd || !count_ways(f, at, top, n_ways)) return 0;
  if (f->what != TP_FOLD_NAMED && (r.n_vars || r.n_others || r.n_owners)) return 0;
  while (level > 1 && !n_ways[level]) level--;
  if (!n_ways[level]) return f->what == TP_FOLD_NAMED ? top : 0;
  for (uint32_t l = 1; l <= level; l++)
    if (n_ways[l] != 1) return 0;
  return tp_symheap_kind_of_level(f->x->kinds, top, level);
}

/* Do only the cell's own links, and the segments behind these, lead to the place? */
static bool is_of_cell(const tp_folding *f, const tp_symheap_object *o, uint32_t kind, tp_term at) {
  const tp_fold_references r = tp_fold_references_to(f, at, at);
  uint32_t n = 0;
  for (uint32_t level = 1; level <= f->x->kinds->at[kind].level; level++) {
    const tp_term value = link_value(f, o, kind, level);
    n += tp_term_eq(value, at);
    n += level > 1 && tp_term_eq(value, at) && !tp_term_eq(link_value(f, o, kind, level - 1), at);
  }
  return !r.is_odd && !r.n_vars && !r.n_others && !r.n_owners && r.n_links == n;
}

/* The link leads on along cells of its own level. */
static tp_fold_fit fits_way(tp_folding *f, const tp_symheap_object *o, uint32_t kind, tp_term value,
                            tp_term *way) {
  const uint32_t part = tp_fold_part_at(f, value);
  if (tp_symheap_is_below(f->x->kinds, kind)) {
    *way = value;  // segments alone have a place where they end
    return TP_FOLD_FITS;
  }
  if (tp_term_eq(value, tp_mk_null(f->x->tt))) return TP_FOLD_FITS;
  if (part != UINT32_MAX && !f->s->parts.at[part].is_segment && f->s->parts.at[part].kind == kind &&
      is_of_cell(f, o, kind, value)) {
    tp_vec_push(&f->parts, part);
    return TP_FOLD_FITS;
  }
  *way = value;
  return TP_FOLD_FITS;
}

static tp_fold_fit fits_segment(tp_folding *f, const tp_symheap_object *o, uint32_t kind,
                                const tp_symheap_link *l, tp_term value) {
  const tp_term end = link_value(f, o, kind, l->level + 1);
  const uint32_t part = tp_fold_part_at(f, value);
  if (tp_term_eq(value, end)) return TP_FOLD_FITS;
  if (part == UINT32_MAX) return TP_FOLD_FITS_NOT;
  const tp_symheap_part *p = &f->s->parts.at[part];
  if (p->kind != l->to || !p->is_segment || !tp_term_eq(p->end, end) ||
      !is_of_cell(f, o, kind, value))
    return TP_FOLD_FITS_NOT;
  tp_vec_push(&f->parts, part);
  return TP_FOLD_FITS;
}

tp_fold_fit tp_fold_fits_level(tp_folding *f, uint32_t object, uint32_t kind,
                               const tp_symheap_link *l, tp_term *way) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  for (uint32_t level = 1; level <= f->x->kinds->at[kind].level; level++)
    if (!tp_term_is(link_value(f, o, kind, level))) return TP_FOLD_FITS_NOT;
  const tp_term value = link_value(f, o, kind, l->level);
  return l->role == TP_LINK_UPTO ? fits_segment(f, o, kind, l, value)
                                 : fits_way(f, o, kind, value, way);
}

/* Folding: cells to which only cells lead become structures, so that finitely many heaps are left
 * at a location.
 *
 *   structure   a cell all of whose links are null, lead to structures, or to what the cell owns
 *   segment     a cell one of whose links, of its own kind, leads elsewhere: on to what a variable
 *               leads to
 *   join        a segment and what follows it, if nothing else leads there
 *
 * Links of which the first cell tells what they own are described by it; a later cell that differs
 * weakens the kind, and the search starts again. What is not a pointer is forgotten. Each fold
 * takes an object or a part away. */
#include "proof/heaps/folding.h"
#include "proof/proof_limits.h"

#include <stdlib.h>

// --------------------------------------------------------------------- structures

static void weaken(tp_folding *f, tp_symheap_link *l, tp_link_role role, uint32_t to) {
  l->role = role;
  l->to = to;
  f->x->kinds_changed = true;
}

// -------------------------------------------------------------------- what cells say

static tp_cell_mask held_by_part(const tp_folding *f, const tp_symheap_part *part) {
  return f->x->facts ? tp_cell_facts_of_part(f->x->facts, f->s, part, TP_CELL_FACTS_ALL) : 0;
}

static tp_cell_mask held_by_object(const tp_folding *f, const tp_symheap_object *o, uint32_t kind) {
  return f->x->facts ? tp_cell_facts_of_object(f->x->facts, f->s, o, kind, TP_CELL_FACTS_ALL) : 0;
}

static tp_term where_of(const tp_folding *f, uint32_t kind, tp_cell_mask mask) {
  return f->x->facts ? tp_cell_facts_where(f->x->facts, f->s, kind, mask) : TP_TERM_NONE;
}

/* What is said of all cells of pieces that become one part: candidates, and the orders between them
 * and objects. */
static tp_term where_of_all(const tp_folding *f, uint32_t kind, tp_cell_mask holds,
                            const tp_cell_piece *pieces, size_t n) {
  const tp_term where = where_of(f, kind, holds),
                bounds = f->x->facts ? tp_cell_orders_bounds(f->x->facts, f->s, kind, pieces, n)
                                     : TP_TERM_NONE;
  if (!tp_term_is(where) || !tp_term_is(bounds)) return tp_term_is(where) ? where : bounds;
  return tp_mk_and(f->x->tt, where, bounds);
}

/* Runs of cells of which different facts hold stay apart, in lists, as long as there are few. */
static bool stay_apart(const tp_folding *f, uint32_t kind, tp_cell_mask a, tp_cell_mask b) {
  size_t n = 0;
  if (a == b) return false;
  for (size_t i = 0; i < f->s->parts.n; i++) n += f->s->parts.at[i].kind == kind;
  return n < TP_PROOF_HEAPS_RUNS && tp_symheap_n_ways(f->x->kinds, kind) == 1;
}

static tp_fold_fit fits_cell(tp_folding *f, uint32_t object, uint32_t kind, tp_term *way);

/* A structure of the kind at the link of the cell at `at`? */
static tp_fold_fit fits_structure(tp_folding *f, tp_symheap_link *l, tp_term value, tp_term at) {
  const uint32_t part = tp_fold_part_at(f, value), object = tp_symheap_object_at(f->x, f->s, value);
  const bool has_back = tp_symheap_back_of(f->x->kinds, l->to) != NULL;
  if (part != UINT32_MAX) {
    const tp_symheap_part *p = &f->s->parts.at[part];
    const tp_fold_references r = tp_fold_references_to(f, value, value);
    if (p->is_segment || p->kind != l->to || r.is_odd ||
        r.n_vars + r.n_others + r.n_links + r.n_owners != 1 ||
        (has_back && !tp_term_eq(p->before, at)) ||
        (l->is_own_kind && stay_apart(f, l->to, f->holds, held_by_part(f, p))))
      return TP_FOLD_GOES_ON;
    if (l->role == TP_LINK_TO_CELL && !p->is_cell) weaken(f, l, TP_LINK_TO, l->to);
    tp_vec_push(&f->parts, part);
    return TP_FOLD_FITS;
  }
  if (object == UINT32_MAX || l->is_own_kind)
    return TP_FOLD_GOES_ON;  // a cell of its own is folded before
  const tp_symheap_object *o = &f->s->objects.at[object];
  if (!tp_fold_fits_size(f, o, l->to)) {
    const uint32_t any = tp_symheap_kind_of_block(f->x->kinds, 0);
    const bool is_block = f->x->kinds->at[l->to].links.n == 0 && l->to != any;
    if (tp_fold_is_owned(f, o, 0))
      weaken(f, l, is_block ? l->role : TP_LINK_ANY, is_block ? any : 0);
    return TP_FOLD_FITS_NOT;
  }
  tp_term way = TP_TERM_NONE;
  if (!tp_fold_is_owned(f, o, l->to) || !tp_term_eq(value, tp_fold_start_of(f, o, l->to)))
    return TP_FOLD_GOES_ON;
  return fits_cell(f, object, l->to, &way) == TP_FOLD_FITS && !tp_term_is(way) ? TP_FOLD_FITS
                                                                               : TP_FOLD_FITS_NOT;
}

/* What the first cell that is folded has at a pointer. */
static void describe(tp_folding *f, tp_symheap_link *l, tp_term value) {
  if (!tp_term_is(value)) {
    weaken(f, l, TP_LINK_ANY, 0);
    return;
  }
  if (tp_term_eq(value, tp_mk_null(f->x->tt))) return;
  const uint32_t object = tp_symheap_object_at(f->x, f->s, value), part = tp_fold_part_at(f, value);
  uint64_t size;
  if (part != UINT32_MAX && !f->s->parts.at[part].is_segment) {
    weaken(f, l, f->s->parts.at[part].is_cell ? TP_LINK_TO_CELL : TP_LINK_TO,
           f->s->parts.at[part].kind);
  } else if (object != UINT32_MAX && f->s->objects.at[object].kind == TP_O_HEAP) {
    const tp_symheap_object *o = &f->s->objects.at[object];
    const bool has_size = tp_bv_value_u64(f->x->tt, o->size, &size);
    uint32_t kind = tp_fold_kind_of(f, o);
    if (!kind) kind = tp_symheap_kind_of_block(f->x->kinds, has_size ? size : 0);
    if (tp_fold_is_owned(f, o, kind))
      weaken(f, l, TP_LINK_TO_CELL, kind);
    else
      weaken(f, l, TP_LINK_ANY, 0);
  } else {
    weaken(f, l, TP_LINK_ANY, 0);
  }
}

static tp_fold_fit fits_link(tp_folding *f, tp_symheap_link *l, tp_term value, tp_term at) {
  switch (l->role) {
    case TP_LINK_ANY:
    case TP_LINK_UNREAD: return TP_FOLD_FITS;
    case TP_LINK_BACK: return tp_term_is(value) ? TP_FOLD_FITS : TP_FOLD_FITS_NOT;
    case TP_LINK_OPEN:
      describe(f, l, value);
      return f->x->kinds_changed ? TP_FOLD_FITS_NOT : TP_FOLD_FITS;
    case TP_LINK_NULL:
      if (!tp_term_is(value) || !tp_term_eq(value, tp_mk_null(f->x->tt)))
        weaken(f, l, TP_LINK_ANY, 0);
      return f->x->kinds_changed ? TP_FOLD_FITS_NOT : TP_FOLD_FITS;
    case TP_LINK_UPTO:
    case TP_LINK_TO:
    case TP_LINK_TO_CELL: break;
  }
  if (!tp_term_is(value)) {
    if (!l->is_own_kind) weaken(f, l, TP_LINK_ANY, 0);
    return TP_FOLD_FITS_NOT;
  }
  if (tp_term_eq(value, tp_mk_null(f->x->tt))) {
    if (l->role == TP_LINK_TO_CELL) weaken(f, l, TP_LINK_TO, l->to);
    return TP_FOLD_FITS;
  }
  const tp_fold_fit r = fits_structure(f, l, value, at);
  if (r == TP_FOLD_GOES_ON && !l->is_own_kind) {
    weaken(f, l, TP_LINK_ANY, 0);
    return TP_FOLD_FITS_NOT;
  }
  return r;
}

/* The cell as one of the kind: *way is where a link of its own kind leads that is no structure;
 * NONE: all are. */
static tp_fold_fit fits_cell(tp_folding *f, uint32_t object, uint32_t kind, tp_term *way) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const tp_term at = tp_fold_start_of(f, o, kind);
  tp_vec_push(&f->objects, object);
  for (size_t i = 0; i < f->x->kinds->at[kind].links.n; i++) {
    tp_symheap_link *l = &f->x->kinds->at[kind].links.at[i];
    const tp_term value = tp_symheap_read(f->x, o, l->offset, tp_sort_ptr(f->x->tt));
    const bool is_level = f->x->kinds->at[kind].level &&
                          (l->role == TP_LINK_UPTO || (l->role == TP_LINK_TO && l->to == kind));
    const tp_fold_fit r =
        is_level ? tp_fold_fits_level(f, object, kind, l, way) : fits_link(f, l, value, at);
    if (r == TP_FOLD_FITS_NOT || f->x->kinds_changed) return TP_FOLD_FITS_NOT;
    if (r != TP_FOLD_GOES_ON) continue;
    const bool is_known = tp_symheap_object_at(f->x, f->s, value) != UINT32_MAX ||
                          tp_fold_part_at(f, value) != UINT32_MAX ||
                          tp_kind(f->x->tt, value) == TP_OP_PTR_CONST;
    if (tp_term_is(*way) || !is_known || l->to != kind) return TP_FOLD_FITS_NOT;
    *way = value;
  }
  return TP_FOLD_FITS;
}

static int descending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void remove_folded(tp_folding *f) {
  if (f->objects.n) qsort(f->objects.at, f->objects.n, sizeof *f->objects.at, descending);
  if (f->parts.n) qsort(f->parts.at, f->parts.n, sizeof *f->parts.at, descending);
  for (size_t i = 0; i < f->objects.n; i++) tp_symheap_remove(f->s, f->objects.at[i]);
  for (size_t i = 0; i < f->parts.n; i++) tp_symheap_remove_part(f->s, f->parts.at[i]);
}

/* What is known of the cells that lead to this one along links of its kind; false: none does. */
static bool find_holds_before(const tp_folding *f, uint32_t kind, tp_term at, tp_cell_mask *out) {
  for (size_t i = 0; i < f->s->parts.n; i++)
    if (f->s->parts.at[i].kind == kind && tp_term_eq(f->s->parts.at[i].end, at)) {
      *out = held_by_part(f, &f->s->parts.at[i]);
      return true;
    }
  for (size_t i = 0; i < f->s->objects.n; i++) {
    const tp_symheap_object *o = &f->s->objects.at[i];
    for (size_t k = 0; tp_fold_kind_of(f, o) == kind && k < o->fields.n; k++) {
      const tp_symheap_link *l = tp_fold_link_at(f, kind, o->fields.at[k].offset);
      if (!l || l->role == TP_LINK_BACK || !tp_term_eq(o->fields.at[k].value, at)) continue;
      *out = held_by_object(f, o, kind);
      return true;
    }
  }
  return false;
}

/* A last cell of which other facts hold than of those before it stays an object, as it may be a
 * mark: a structure may be empty. */
static bool is_mark(const tp_folding *f, uint32_t kind, const tp_symheap_object *o) {
  if (!f->x->facts || f->what == TP_FOLD_NAMED || tp_symheap_n_ways(f->x->kinds, kind) != 1)
    return false;
  const tp_term at = tp_fold_start_of(f, o, kind), null = tp_mk_null(f->x->tt);
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_symheap_link *l = tp_fold_link_at(f, kind, o->fields.at[i].offset);
    if (l && l->role != TP_LINK_BACK && l->to == kind && !tp_term_eq(o->fields.at[i].value, null))
      return false;
  }
  tp_cell_mask before;
  uint32_t n = 0;
  for (size_t i = 0; i < f->s->objects.n; i++)
    n += tp_fold_kind_of(f, &f->s->objects.at[i]) == kind &&
         tp_fold_may_fold(f, &f->s->objects.at[i], kind);
  return n <= TP_PROOF_HEAPS_MARKS && find_holds_before(f, kind, at, &before) && before != f->holds;
}

static bool fold_object(tp_folding *f, uint32_t object) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  uint32_t kind = tp_fold_kind_of(f, o);
  tp_term way = TP_TERM_NONE;
  if (!kind || !tp_symheap_n_ways(f->x->kinds, kind)) return false;
  if (f->x->kinds->at[kind].level)
    kind = tp_fold_kind_by_level(f, o, kind);
  else if (!tp_fold_may_fold(f, o, kind))
    return false;
  if (!kind) return false;
  f->objects.n = f->parts.n = 0;
  f->holds = held_by_object(f, o, kind);
  if (is_mark(f, kind, o) || fits_cell(f, object, kind, &way) != TP_FOLD_FITS) return false;
  tp_cell_mask ordered = f->x->facts ? tp_cell_orders_of_kind(f->x->facts, kind) : 0;
  TP_VEC(tp_cell_piece) pieces = {0};
  tp_vec_push(&pieces, ((tp_cell_piece){.object = &f->s->objects.at[object]}));
  for (size_t i = 0; i < f->parts.n; i++) {
    const tp_symheap_part *p = &f->s->parts.at[f->parts.at[i]];
    if (p->kind != kind) continue;
    f->holds &= held_by_part(f, p);
    tp_vec_push(&pieces, ((tp_cell_piece){.part = p}));
    if (ordered)
      ordered &= p->ordered & tp_cell_orders_between(f->x->facts, f->s, pieces.at[0],
                                                     tp_vec_last(&pieces), ordered);
  }
  const tp_term where = where_of_all(f, kind, f->holds, pieces.at, pieces.n);
  tp_vec_clear(&pieces);
  const tp_symheap_link *back = tp_symheap_back_of(f->x->kinds, kind);
  const tp_term at = tp_fold_start_of(f, o, kind), null = tp_mk_null(f->x->tt),
                symbol = tp_symheap_symbol(f->x, tp_sort_ptr(f->x->tt)),
                before =
                    back ? tp_symheap_read(f->x, o, back->offset, tp_sort_ptr(f->x->tt)) : null;
  const bool is_segment = tp_term_is(way),
             has_owner = tp_fold_references_to(f, o->id, at).n_owners == 1;
  remove_folded(f);
  tp_vec_push(&f->s->parts, ((tp_symheap_part){.kind = kind,
                                               .is_segment = is_segment,
                                               .at = symbol,
                                               .before = before,
                                               .end = is_segment ? way : null,
                                               .last = is_segment && back ? symbol : null,
                                               .is_cell = has_owner && !is_segment,
                                               .where = where,
                                               .holds = f->holds,
                                               .ordered = ordered}));
  tp_symheap_replace(f->x, f->s, at, symbol);
  return true;
}

/* Does a link of the object lead to another one that may be folded? That comes first: what is known
 * of both of them makes them one structure, in which neighbours are in order. */
static bool has_cell_behind(const tp_folding *f, uint32_t object) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const uint32_t kind = tp_fold_kind_of(f, o);
  for (size_t i = 0; i < o->fields.n && kind; i++) {
    const tp_symheap_link *l = tp_fold_link_at(f, kind, o->fields.at[i].offset);
    if (!l || l->role == TP_LINK_BACK || !l->is_own_kind) continue;
    const uint32_t next = tp_symheap_object_at(f->x, f->s, o->fields.at[i].value);
    if (next != UINT32_MAX && next != object &&
        tp_fold_kind_of(f, &f->s->objects.at[next]) == kind &&
        tp_fold_may_fold(f, &f->s->objects.at[next], kind))
      return true;
  }
  return false;
}

static bool fold_one(tp_folding *f, bool at_ends) {
  for (uint32_t i = 0; i < f->s->objects.n && !f->x->kinds_changed; i++)
    if (!(at_ends && has_cell_behind(f, i)) && fold_object(f, i)) return true;
  return false;
}

// -------------------------------------------------------------------------- joins

/* Does nothing but these two lead to where they meet? */
static bool may_join(const tp_folding *f, const tp_symheap_part *a, const tp_symheap_part *b) {
  if (!a->is_segment || a->kind != b->kind || !tp_term_eq(a->end, b->at) ||
      tp_kind(f->x->tt, b->at) != TP_OP_VAR || tp_term_eq(a->at, b->at))
    return false;
  // the only cell of b stays known as the last one
  if (!(b->is_segment && tp_term_eq(b->last, b->at)) && tp_fold_n_places(f, b->at) != 2)
    return false;
  if (!tp_symheap_back_of(f->x->kinds, a->kind)) return true;
  return tp_term_eq(a->last, b->before) &&
         (tp_term_eq(a->last, a->at) || tp_fold_n_places(f, a->last) == 2);
}

/* A segment up to null, of which nothing names the last cell, is all there is. */
static bool end_segment(tp_folding *f, tp_symheap_part *p) {
  const tp_term null = tp_mk_null(f->x->tt);
  if (!p->is_segment || !tp_term_eq(p->end, null) || tp_symheap_is_below(f->x->kinds, p->kind))
    return false;
  if (tp_symheap_back_of(f->x->kinds, p->kind) &&
      tp_fold_n_places(f, p->last) != (tp_term_eq(p->at, p->last) ? 3 : 1))
    return false;
  p->is_segment = false;
  p->last = null;
  return true;
}

static bool join_parts(tp_folding *f) {
  for (uint32_t i = 0; i < f->s->parts.n; i++)
    if (end_segment(f, &f->s->parts.at[i])) return true;
  for (uint32_t i = 0; i < f->s->parts.n; i++)
    for (uint32_t k = 0; k < f->s->parts.n; k++) {
      tp_symheap_part *a = &f->s->parts.at[i], *b = &f->s->parts.at[k];
      if (i == k || !may_join(f, a, b)) continue;
      const tp_cell_mask in_a = held_by_part(f, a), in_b = held_by_part(f, b);
      if (stay_apart(f, a->kind, in_a, in_b)) continue;
      const tp_cell_piece pieces[] = {{.part = a}, {.part = b}};
      a->ordered &= b->ordered;
      if (a->ordered)
        a->ordered = tp_cell_orders_between(f->x->facts, f->s, pieces[0], pieces[1], a->ordered);
      a->holds = in_a & in_b;
      a->where = where_of_all(f, a->kind, a->holds, pieces, 2);
      a->is_segment = b->is_segment;
      a->end = b->end;
      a->last = b->last;
      tp_symheap_remove_part(f->s, k);
      return true;
    }
  return false;
}

// -------------------------------------------------------------------------- heaps

void tp_symheap_fold(tp_symheap_search *x, tp_symheap *s, tp_fold_what what) {
  tp_folding f = {.x = x, .s = s, .what = what};
  tp_fold_drop_what_is_no_structure(&f);
  while (tp_fold_drop_garbage(&f)) continue;
  if (what == TP_FOLD_AT_LOOP) tp_fold_open_empty_links(&f);
  bool again = what != TP_FOLD_NO_CELL;
  while (again && !x->kinds_changed) {
    again = join_parts(&f) || fold_one(&f, true) || fold_one(&f, false);
  }
  for (uint32_t i = 0; i < s->objects.n && what != TP_FOLD_NO_CELL && !x->kinds_changed; i++)
    if (s->objects.at[i].slots.stride) tp_fold_slots(&f, i);
  tp_fold_drop_what_is_no_structure(&f);
  tp_vec_clear(&f.objects);
  tp_vec_clear(&f.parts);
}

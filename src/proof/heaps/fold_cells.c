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
#include "proof/heaps/cell_orders.h"
#include "proof/proof_limits.h"

#include <stdlib.h>

typedef struct {
  tp_symheap_search *x;
  tp_symheap *s;
  tp_fold_what what;
  TP_VEC(uint32_t) objects, parts;  // of the cell that is folded: what goes with it
  tp_cell_mask holds;               // of that cell
} folding;

// --------------------------------------------------------------------- references

typedef struct {
  uint32_t n_vars, n_links, n_owners,
      n_others;  // by variables; own links, other pointers of heap cells; the rest
  bool is_odd;   // not to the place where links lead
} references;

static uint32_t kind_of(const folding *f, const tp_symheap_object *o) {
  return tp_symheap_kind_of_object(f->x, o);
}

static const tp_symheap_link *link_at(const folding *f, uint32_t kind, uint64_t offset) {
  const tp_symheap_kind *k = &f->x->kinds->at[kind];
  for (size_t i = 0; kind && i < k->links.n; i++)
    if (k->links.at[i].offset == offset) return &k->links.at[i];
  return NULL;
}

static void count_field(const folding *f, const tp_symheap_object *o, const tp_symheap_field *field,
                        references *r) {
  const tp_symheap_link *l = link_at(f, kind_of(f, o), field->offset);
  if (tp_symheap_is_slot(&o->slots, field->offset))
    r->n_links++;
  else if (!l)
    r->n_others++;
  else if (l->role != TP_LINK_BACK)
    *(l->is_own_kind ? &r->n_links : &r->n_owners) += 1;
}

/* `part`: an id of an object, or a symbol; at: how pointers to it should look. */
static references references_to(const folding *f, tp_term part, tp_term at) {
  const tp_terms *tt = f->x->tt;
  const tp_symheap *s = f->s;
  references r = {0};
  for (size_t v = 1; v < f->x->p->vars.n; v++)
    if (tp_term_is(s->vars[v]) && tp_occurs(tt, part, s->vars[v])) {
      r.n_vars++;
      r.is_odd |= !tp_term_eq(s->vars[v], at);
    }
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t k = 0; k < s->objects.at[i].fields.n; k++) {
      const tp_symheap_field *field = &s->objects.at[i].fields.at[k];
      if (!tp_occurs(tt, part, field->value)) continue;
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

static tp_term start_of(const folding *f, const tp_symheap_object *o, uint32_t kind) {
  return tp_mk_ptr(f->x->tt, o->id,
                   tp_mk_bv(f->x->tt, f->x->p->ptr_bits, f->x->kinds->at[kind].start));
}

/* Is nothing but one link, at most, in the way of folding? What other cells own is folded with its
 * owner. */
static bool may_fold(const folding *f, const tp_symheap_object *o, uint32_t kind) {
  const references r = references_to(f, o->id, start_of(f, o, kind));
  if (r.is_odd) return false;
  if (f->what == TP_FOLD_NAMED) return true;
  return r.n_vars == 0 && r.n_others == 0 && r.n_owners == 0 && r.n_links == 1;
}

static bool is_owned(const folding *f, const tp_symheap_object *o, uint32_t kind) {
  const references r = references_to(f, o->id, start_of(f, o, kind));
  return !r.is_odd && (r.n_vars == 0 || f->what == TP_FOLD_NAMED) && r.n_others == 0 &&
         r.n_owners + r.n_links == 1;
}

// --------------------------------------------------------------------- structures

static void weaken(folding *f, tp_symheap_link *l, tp_link_role role, uint32_t to) {
  l->role = role;
  l->to = to;
  f->x->kinds_changed = true;
}

static uint32_t part_at(const folding *f, tp_term at) {
  for (uint32_t i = 0; i < f->s->parts.n; i++)
    if (tp_term_eq(f->s->parts.at[i].at, at)) return i;
  return UINT32_MAX;
}

static bool fits_size(const folding *f, const tp_symheap_object *o, uint32_t kind) {
  const uint64_t wanted = f->x->kinds->at[kind].size_bytes;
  uint64_t size;
  return o->kind == TP_O_HEAP &&
         (!wanted || (tp_bv_value_u64(f->x->tt, o->size, &size) && size == wanted));
}

// -------------------------------------------------------------------- what cells say

static tp_cell_mask held_by_part(const folding *f, const tp_symheap_part *part) {
  return f->x->facts ? tp_cell_facts_of_part(f->x->facts, f->s, part, TP_CELL_FACTS_ALL) : 0;
}

static tp_cell_mask held_by_object(const folding *f, const tp_symheap_object *o, uint32_t kind) {
  return f->x->facts ? tp_cell_facts_of_object(f->x->facts, f->s, o, kind, TP_CELL_FACTS_ALL) : 0;
}

static tp_term where_of(const folding *f, uint32_t kind, tp_cell_mask mask) {
  return f->x->facts ? tp_cell_facts_where(f->x->facts, f->s, kind, mask) : TP_TERM_NONE;
}

/* What is said of all cells of pieces that become one part: candidates, and the orders between them
 * and objects. */
static tp_term where_of_all(const folding *f, uint32_t kind, tp_cell_mask holds,
                            const tp_cell_piece *pieces, size_t n) {
  const tp_term where = where_of(f, kind, holds),
                bounds = f->x->facts ? tp_cell_orders_bounds(f->x->facts, f->s, kind, pieces, n)
                                     : TP_TERM_NONE;
  if (!tp_term_is(where) || !tp_term_is(bounds)) return tp_term_is(where) ? where : bounds;
  return tp_mk_and(f->x->tt, where, bounds);
}

/* Runs of cells of which different facts hold stay apart, in lists, as long as there are few. */
static bool stay_apart(const folding *f, uint32_t kind, tp_cell_mask a, tp_cell_mask b) {
  size_t n = 0;
  if (a == b) return false;
  for (size_t i = 0; i < f->s->parts.n; i++) n += f->s->parts.at[i].kind == kind;
  return n < TP_PROOF_HEAPS_RUNS && tp_symheap_n_ways(f->x->kinds, kind) == 1;
}

typedef enum { FITS, FITS_NOT, GOES_ON } fit;
static fit fits_cell(folding *f, uint32_t object, uint32_t kind, tp_term *way);

/* A structure of the kind at the link of the cell at `at`? */
static fit fits_structure(folding *f, tp_symheap_link *l, tp_term value, tp_term at) {
  const uint32_t part = part_at(f, value), object = tp_symheap_object_at(f->x, f->s, value);
  const bool has_back = tp_symheap_back_of(f->x->kinds, l->to) != NULL;
  if (part != UINT32_MAX) {
    const tp_symheap_part *p = &f->s->parts.at[part];
    const references r = references_to(f, value, value);
    if (p->is_segment || p->kind != l->to || r.is_odd ||
        r.n_vars + r.n_others + r.n_links + r.n_owners != 1 ||
        (has_back && !tp_term_eq(p->before, at)) ||
        (l->is_own_kind && stay_apart(f, l->to, f->holds, held_by_part(f, p))))
      return GOES_ON;
    if (l->role == TP_LINK_TO_CELL && !p->is_cell) weaken(f, l, TP_LINK_TO, l->to);
    tp_vec_push(&f->parts, part);
    return FITS;
  }
  if (object == UINT32_MAX || l->is_own_kind) return GOES_ON;  // a cell of its own is folded before
  const tp_symheap_object *o = &f->s->objects.at[object];
  if (!fits_size(f, o, l->to)) {
    const uint32_t any = tp_symheap_kind_of_block(f->x->kinds, 0);
    const bool is_block = f->x->kinds->at[l->to].links.n == 0 && l->to != any;
    if (is_owned(f, o, 0)) weaken(f, l, is_block ? l->role : TP_LINK_ANY, is_block ? any : 0);
    return FITS_NOT;
  }
  tp_term way = TP_TERM_NONE;
  if (!is_owned(f, o, l->to) || !tp_term_eq(value, start_of(f, o, l->to))) return GOES_ON;
  return fits_cell(f, object, l->to, &way) == FITS && !tp_term_is(way) ? FITS : FITS_NOT;
}

/* What the first cell that is folded has at a pointer. */
static void describe(folding *f, tp_symheap_link *l, tp_term value) {
  if (!tp_term_is(value)) {
    weaken(f, l, TP_LINK_ANY, 0);
    return;
  }
  if (tp_term_eq(value, tp_mk_null(f->x->tt))) return;
  const uint32_t object = tp_symheap_object_at(f->x, f->s, value), part = part_at(f, value);
  uint64_t size;
  if (part != UINT32_MAX && !f->s->parts.at[part].is_segment) {
    weaken(f, l, f->s->parts.at[part].is_cell ? TP_LINK_TO_CELL : TP_LINK_TO,
           f->s->parts.at[part].kind);
  } else if (object != UINT32_MAX && f->s->objects.at[object].kind == TP_O_HEAP) {
    const tp_symheap_object *o = &f->s->objects.at[object];
    const bool has_size = tp_bv_value_u64(f->x->tt, o->size, &size);
    uint32_t kind = kind_of(f, o);
    if (!kind) kind = tp_symheap_kind_of_block(f->x->kinds, has_size ? size : 0);
    if (is_owned(f, o, kind))
      weaken(f, l, TP_LINK_TO_CELL, kind);
    else
      weaken(f, l, TP_LINK_ANY, 0);
  } else {
    weaken(f, l, TP_LINK_ANY, 0);
  }
}

static fit fits_link(folding *f, tp_symheap_link *l, tp_term value, tp_term at) {
  switch (l->role) {
    case TP_LINK_ANY: return FITS;
    case TP_LINK_BACK: return tp_term_is(value) ? FITS : FITS_NOT;
    case TP_LINK_OPEN: describe(f, l, value); return f->x->kinds_changed ? FITS_NOT : FITS;
    case TP_LINK_TO:
    case TP_LINK_TO_CELL: break;
  }
  if (!tp_term_is(value)) {
    if (!l->is_own_kind) weaken(f, l, TP_LINK_ANY, 0);
    return FITS_NOT;
  }
  if (tp_term_eq(value, tp_mk_null(f->x->tt))) {
    if (l->role == TP_LINK_TO_CELL) weaken(f, l, TP_LINK_TO, l->to);
    return FITS;
  }
  const fit r = fits_structure(f, l, value, at);
  if (r == GOES_ON && !l->is_own_kind) {
    weaken(f, l, TP_LINK_ANY, 0);
    return FITS_NOT;
  }
  return r;
}

/* The cell as one of the kind: *way is where a link of its own kind leads that is no structure;
 * NONE: all are. */
static fit fits_cell(folding *f, uint32_t object, uint32_t kind, tp_term *way) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const tp_term at = start_of(f, o, kind);
  tp_vec_push(&f->objects, object);
  for (size_t i = 0; i < f->x->kinds->at[kind].links.n; i++) {
    tp_symheap_link *l = &f->x->kinds->at[kind].links.at[i];
    const tp_term value = tp_symheap_read(f->x, o, l->offset, tp_sort_ptr(f->x->tt));
    const fit r = fits_link(f, l, value, at);
    if (r == FITS_NOT || f->x->kinds_changed) return FITS_NOT;
    if (r != GOES_ON) continue;
    const bool is_known = tp_symheap_object_at(f->x, f->s, value) != UINT32_MAX ||
                          part_at(f, value) != UINT32_MAX ||
                          tp_kind(f->x->tt, value) == TP_OP_PTR_CONST;
    if (tp_term_is(*way) || !is_known || l->to != kind) return FITS_NOT;
    *way = value;
  }
  return FITS;
}

static int descending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void remove_folded(folding *f) {
  if (f->objects.n) qsort(f->objects.at, f->objects.n, sizeof *f->objects.at, descending);
  if (f->parts.n) qsort(f->parts.at, f->parts.n, sizeof *f->parts.at, descending);
  for (size_t i = 0; i < f->objects.n; i++) tp_symheap_remove(f->s, f->objects.at[i]);
  for (size_t i = 0; i < f->parts.n; i++) tp_symheap_remove_part(f->s, f->parts.at[i]);
}

/* What is known of the cells that lead to this one along links of its kind; false: none does. */
static bool find_holds_before(const folding *f, uint32_t kind, tp_term at, tp_cell_mask *out) {
  for (size_t i = 0; i < f->s->parts.n; i++)
    if (f->s->parts.at[i].kind == kind && tp_term_eq(f->s->parts.at[i].end, at)) {
      *out = held_by_part(f, &f->s->parts.at[i]);
      return true;
    }
  for (size_t i = 0; i < f->s->objects.n; i++) {
    const tp_symheap_object *o = &f->s->objects.at[i];
    for (size_t k = 0; kind_of(f, o) == kind && k < o->fields.n; k++) {
      const tp_symheap_link *l = link_at(f, kind, o->fields.at[k].offset);
      if (!l || l->role == TP_LINK_BACK || !tp_term_eq(o->fields.at[k].value, at)) continue;
      *out = held_by_object(f, o, kind);
      return true;
    }
  }
  return false;
}

/* A last cell of which other facts hold than of those before it stays an object, as it may be a
 * mark: a structure may be empty. */
static bool is_mark(const folding *f, uint32_t kind, const tp_symheap_object *o) {
  if (!f->x->facts || f->what == TP_FOLD_NAMED || tp_symheap_n_ways(f->x->kinds, kind) != 1)
    return false;
  const tp_term at = start_of(f, o, kind), null = tp_mk_null(f->x->tt);
  for (size_t i = 0; i < o->fields.n; i++) {
    const tp_symheap_link *l = link_at(f, kind, o->fields.at[i].offset);
    if (l && l->role != TP_LINK_BACK && l->to == kind && !tp_term_eq(o->fields.at[i].value, null))
      return false;
  }
  tp_cell_mask before;
  uint32_t n = 0;
  for (size_t i = 0; i < f->s->objects.n; i++)
    n += kind_of(f, &f->s->objects.at[i]) == kind && may_fold(f, &f->s->objects.at[i], kind);
  return n <= TP_PROOF_HEAPS_MARKS && find_holds_before(f, kind, at, &before) && before != f->holds;
}

static bool fold_object(folding *f, uint32_t object) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const uint32_t kind = kind_of(f, o);
  tp_term way = TP_TERM_NONE;
  if (!kind || !tp_symheap_n_ways(f->x->kinds, kind) || !may_fold(f, o, kind)) return false;
  f->objects.n = f->parts.n = 0;
  f->holds = held_by_object(f, o, kind);
  if (is_mark(f, kind, o) || fits_cell(f, object, kind, &way) != FITS) return false;
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
  const tp_term at = start_of(f, o, kind), null = tp_mk_null(f->x->tt),
                symbol = tp_symheap_symbol(f->x, tp_sort_ptr(f->x->tt)),
                before =
                    back ? tp_symheap_read(f->x, o, back->offset, tp_sort_ptr(f->x->tt)) : null;
  const bool is_segment = tp_term_is(way);
  remove_folded(f);
  tp_vec_push(&f->s->parts, ((tp_symheap_part){.kind = kind,
                                               .is_segment = is_segment,
                                               .at = symbol,
                                               .before = before,
                                               .end = is_segment ? way : null,
                                               .last = is_segment && back ? symbol : null,
                                               .where = where,
                                               .holds = f->holds,
                                               .ordered = ordered}));
  tp_symheap_replace(f->x, f->s, at, symbol);
  return true;
}

/* Does a link of the object lead to another one that may be folded? That comes first: what is known
 * of both of them makes them one structure, in which neighbours are in order. */
static bool has_cell_behind(const folding *f, uint32_t object) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const uint32_t kind = kind_of(f, o);
  for (size_t i = 0; i < o->fields.n && kind; i++) {
    const tp_symheap_link *l = link_at(f, kind, o->fields.at[i].offset);
    if (!l || l->role == TP_LINK_BACK || !l->is_own_kind) continue;
    const uint32_t next = tp_symheap_object_at(f->x, f->s, o->fields.at[i].value);
    if (next != UINT32_MAX && next != object && kind_of(f, &f->s->objects.at[next]) == kind &&
        may_fold(f, &f->s->objects.at[next], kind))
      return true;
  }
  return false;
}

static bool fold_one(folding *f, bool at_ends) {
  for (uint32_t i = 0; i < f->s->objects.n && !f->x->kinds_changed; i++)
    if (!(at_ends && has_cell_behind(f, i)) && fold_object(f, i)) return true;
  return false;
}

// -------------------------------------------------------------------------- joins

static uint32_t n_places(const folding *f, tp_term symbol) {
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

/* Does nothing but these two lead to where they meet? */
static bool may_join(const folding *f, const tp_symheap_part *a, const tp_symheap_part *b) {
  if (!a->is_segment || a->kind != b->kind || !tp_term_eq(a->end, b->at) ||
      tp_kind(f->x->tt, b->at) != TP_OP_VAR || tp_term_eq(a->at, b->at))
    return false;
  // the only cell of b stays known as the last one
  if (!(b->is_segment && tp_term_eq(b->last, b->at)) && n_places(f, b->at) != 2) return false;
  if (!tp_symheap_back_of(f->x->kinds, a->kind)) return true;
  return tp_term_eq(a->last, b->before) &&
         (tp_term_eq(a->last, a->at) || n_places(f, a->last) == 2);
}

/* A segment up to null, of which nothing names the last cell, is all there is. */
static bool end_segment(folding *f, tp_symheap_part *p) {
  const tp_term null = tp_mk_null(f->x->tt);
  if (!p->is_segment || !tp_term_eq(p->end, null)) return false;
  if (tp_symheap_back_of(f->x->kinds, p->kind) &&
      n_places(f, p->last) != (tp_term_eq(p->at, p->last) ? 3 : 1))
    return false;
  p->is_segment = false;
  p->last = null;
  return true;
}

static bool join_parts(folding *f) {
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

// -------------------------------------------------------------------------- slots

static bool is_zero_value(tp_terms *tt, tp_term value) {
  uint64_t number;
  return tp_is_false(tt, value) || tp_term_eq(value, tp_mk_null(tt)) ||
         (tp_bv_value_u64(tt, value, &number) && number == 0);
}

/* Is the value null, or a structure that nothing else leads to? Then that goes. */
static bool fold_value(folding *f, tp_symheap_slots *slots, tp_term value) {
  const tp_term null = tp_mk_null(f->x->tt);
  if (tp_term_eq(value, null)) return true;
  const uint32_t part = part_at(f, value);
  if (part == UINT32_MAX || n_places(f, value) != 2) return false;
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
static void forget_left(const folding *f, tp_symheap_object *o) {
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
static void narrow(folding *f, tp_symheap_object *o) {
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
static void fold_slots(folding *f, uint32_t object) {
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

/* An object all of whose bytes are fields that are 0, or slots that are null, is one of zeros. */
static void find_zeros(const folding *f, tp_symheap_object *o) {
  tp_terms *tt = f->x->tt;
  uint64_t size, n = 0;
  const uint64_t bytes = f->x->p->ptr_bits / 8;
  if (o->is_zero || !tp_bv_value_u64(tt, o->size, &size) || o->open.n || o->slots.kind) return;
  for (size_t i = 0; i < o->fields.n; i++) {
    if (!is_zero_value(tt, o->fields.at[i].value)) return;
    n += tp_sort_bytes(tt, tp_sort_of(tt, o->fields.at[i].value));
  }
  if (o->slots.stride == bytes) n += (o->slots.to - o->slots.from + bytes - 1) / bytes * bytes;
  if (n != size || n == 0) return;
  o->fields.n = 0;
  o->slots = (tp_symheap_slots){0};
  o->is_zero = true;
}

// ------------------------------------------------------------------- what is dropped

/* In cells with several links, an empty structure is one of any size: otherwise each cell on the
 * way to a leaf would be a heap of its own. */
static void open_empty_links(folding *f) {
  for (size_t i = 0; i < f->s->objects.n; i++) {
    const uint32_t kind = kind_of(f, &f->s->objects.at[i]);
    uint32_t n = 0;
    const tp_symheap_kind *k = &f->x->kinds->at[kind];
    for (size_t l = 0; kind && l < k->links.n; l++)
      n += k->links.at[l].role == TP_LINK_TO && k->links.at[l].is_own_kind;
    for (size_t l = 0; n > 1 && l < k->links.n; l++) {
      if (k->links.at[l].role != TP_LINK_TO || !k->links.at[l].is_own_kind) continue;
      tp_symheap_object *o = &f->s->objects.at[i];
      const tp_term value = tp_symheap_read(f->x, o, k->links.at[l].offset, tp_sort_ptr(f->x->tt)),
                    null = tp_mk_null(f->x->tt),
                    symbol = tp_symheap_symbol(f->x, tp_sort_ptr(f->x->tt));
      if (!tp_term_is(value) || !tp_term_eq(value, null)) continue;
      tp_symheap_write(f->x, o, k->links.at[l].offset, symbol);
      tp_vec_push(&f->s->parts,
                  ((tp_symheap_part){
                      .kind = kind,
                      .at = symbol,
                      .before = tp_symheap_back_of(f->x->kinds, kind) ? start_of(f, o, kind) : null,
                      .end = null,
                      .last = null}));
    }
  }
}

/* A pointer that leads to nothing that the heap knows. */
static bool is_stray(const folding *f, tp_term value) {
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

/* In an object whose other bytes are 0 what is written stays a field, of any value; so does what a
 * slot holds. */
static void forget_field(const folding *f, tp_symheap_object *o, size_t *k) {
  tp_symheap_field *field = &o->fields.at[*k];
  if (tp_symheap_is_slot(&o->slots, field->offset) ||
      (o->is_zero && !is_zero_value(f->x->tt, field->value))) {
    field->value = tp_symheap_symbol(f->x, tp_sort_of(f->x->tt, field->value));
    ++*k;
  } else {
    *field = o->fields.at[--o->fields.n];
  }
}

/* A number in a cell, of which facts speak. */
static bool is_followed(const folding *f, const tp_symheap_object *o,
                        const tp_symheap_field *field) {
  const uint32_t kind = f->x->facts ? kind_of(f, o) : 0;
  for (size_t i = 0; kind && i < f->x->facts->values.n; i++) {
    const tp_cell_value *v = &f->x->facts->values.at[i];
    if (v->kind == kind && v->offset == field->offset &&
        tp_sort_eq(tp_sort_of(f->x->tt, v->symbol), tp_sort_of(f->x->tt, field->value)))
      return true;
  }
  return false;
}

static void drop_what_is_no_structure(folding *f) {
  tp_terms *tt = f->x->tt;
  tp_symheap_name_places(f->x, f->s);
  for (size_t v = 1; v < f->x->p->vars.n; v++) {
    const tp_term value = f->s->vars[v];
    if (!tp_term_is(value) || tp_is_const(tt, value)) continue;
    const bool is_pointer = tp_sort_kind_of(tt, tp_sort_of(tt, value)) == TP_SORT_PTR;
    if (!is_pointer && f->x->facts && f->x->facts->is_tracked[v]) continue;
    if (is_pointer ? is_stray(f, value) : !tp_symheap_is_in_place(f->x, f->s, value))
      f->s->vars[v] = TP_TERM_NONE;
  }
  for (size_t i = 0; i < f->s->objects.n; i++) {
    tp_symheap_object *o = &f->s->objects.at[i];
    for (size_t k = 0; k < o->fields.n;) {
      const tp_term value = o->fields.at[k].value;
      const bool is_pointer = tp_sort_kind_of(tt, tp_sort_of(tt, value)) == TP_SORT_PTR;
      if (is_followed(f, o, &o->fields.at[k]) ||
          (is_pointer && !is_stray(f, value) && !(o->is_zero && is_zero_value(tt, value))))
        k++;
      else
        forget_field(f, o, &k);
    }
    for (size_t k = 0; k < o->open.n; k++)
      if (is_stray(f, o->open.at[k].value))
        o->open.at[k].value = tp_symheap_symbol(f->x, tp_sort_ptr(tt));
    find_zeros(f, o);
  }
}

static bool is_given(const folding *f, tp_term part) {
  for (size_t i = 0; i < f->s->given.n; i++)
    if (tp_term_is(f->s->given.at[i]) && tp_occurs(f->x->tt, part, f->s->given.at[i])) return true;
  return false;
}

/* Cells that nothing leads to would make ever more heaps: there are more, is all that is kept of
 * them. */
static bool drop_garbage(folding *f) {
  tp_symheap *s = f->s;
  for (uint32_t i = 0; i < s->objects.n; i++) {
    const tp_term id = s->objects.at[i].id;
    if (s->objects.at[i].kind != TP_O_HEAP || n_places(f, id) || is_given(f, id)) continue;
    tp_symheap_remove(s, i);
    return s->has_more = true;
  }
  for (uint32_t i = 0; i < s->parts.n; i++) {
    const tp_symheap_part *p = &s->parts.at[i];
    const bool has_last = p->is_segment && tp_kind(f->x->tt, p->last) == TP_OP_VAR;
    const uint32_t own = has_last && tp_term_eq(p->at, p->last) ? 2 : 1;
    if (n_places(f, p->at) > own || is_given(f, p->at)) continue;
    if (has_last && n_places(f, p->last) > own) continue;
    tp_symheap_remove_part(s, i);
    return s->has_more = true;
  }
  return false;
}

void tp_symheap_fold(tp_symheap_search *x, tp_symheap *s, tp_fold_what what) {
  folding f = {.x = x, .s = s, .what = what};
  drop_what_is_no_structure(&f);
  while (drop_garbage(&f)) continue;
  if (what == TP_FOLD_AT_LOOP) open_empty_links(&f);
  bool again = what != TP_FOLD_NO_CELL;
  while (again && !x->kinds_changed) {
    again = join_parts(&f) || fold_one(&f, true) || fold_one(&f, false);
  }
  for (uint32_t i = 0; i < s->objects.n && what != TP_FOLD_NO_CELL && !x->kinds_changed; i++)
    if (s->objects.at[i].slots.stride) fold_slots(&f, i);
  drop_what_is_no_structure(&f);
  tp_vec_clear(&f.objects);
  tp_vec_clear(&f.parts);
}

// ------------------------------------------------------------------------ calls

bool tp_symheap_take(tp_symheap_search *x, tp_symheap *s, uint32_t kind, tp_term at,
                     tp_term *before) {
  folding f = {.x = x, .s = s};
  const uint32_t part = part_at(&f, at), object = tp_symheap_object_at(x, s, at);
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
  if (object == UINT32_MAX || !fits_size(&f, &s->objects.at[object], kind)) return false;
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
  }
  tp_vec_clear(&to);
  return ok;
}

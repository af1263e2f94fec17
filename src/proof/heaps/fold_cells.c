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
#include "proof/heaps/symbolic_heap.h"

#include "term/text.h"

#include <stdlib.h>

typedef struct {
  tp_symheap_search *x;
  tp_symheap *s;
  tp_fold_what what;
  TP_VEC(uint32_t) objects, parts;  // of the cell that is folded: what goes with it
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
  if (!l)
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
        (has_back && !tp_term_eq(p->before, at)))
      return GOES_ON;
    if (l->role == TP_LINK_TO_CELL) weaken(f, l, TP_LINK_TO, l->to);
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
    weaken(f, l, TP_LINK_TO, f->s->parts.at[part].kind);
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

static bool fold_object(folding *f, uint32_t object) {
  const tp_symheap_object *o = &f->s->objects.at[object];
  const uint32_t kind = kind_of(f, o);
  tp_term way = TP_TERM_NONE;
  if (!kind || !tp_symheap_kind_has_way(f->x->kinds, kind) || !may_fold(f, o, kind)) return false;
  f->objects.n = f->parts.n = 0;
  if (fits_cell(f, object, kind, &way) != FITS) return false;
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
                                               .last = is_segment && back ? symbol : null}));
  tp_symheap_replace(f->x, f->s, at, symbol);
  return true;
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

static bool join_parts(folding *f) {
  for (uint32_t i = 0; i < f->s->parts.n; i++)
    for (uint32_t k = 0; k < f->s->parts.n; k++) {
      tp_symheap_part *a = &f->s->parts.at[i], *b = &f->s->parts.at[k];
      if (i == k || !may_join(f, a, b)) continue;
      a->is_segment = b->is_segment;
      a->end = b->end;
      a->last = b->last;
      tp_symheap_remove_part(f->s, k);
      return true;
    }
  return false;
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

static bool is_zero_value(const tp_terms *tt, tp_term value) {
  uint64_t number;
  return tp_is_false(tt, value) || (tp_bv_value_u64(tt, value, &number) && number == 0) ||
         (tp_kind(tt, value) == TP_OP_PTR_CONST && tp_ptr_const_object(tt, value) == 0 &&
          tp_ptr_const_offset(tt, value) == 0);
}

/* In an object whose other bytes are 0 what is written stays a field, of any value. */
static void forget_field(const folding *f, tp_symheap_object *o, size_t *k) {
  tp_symheap_field *field = &o->fields.at[*k];
  if (o->is_zero && !is_zero_value(f->x->tt, field->value)) {
    field->value = tp_symheap_symbol(f->x, tp_sort_of(f->x->tt, field->value));
    ++*k;
  } else {
    *field = o->fields.at[--o->fields.n];
  }
}

static void drop_what_is_no_structure(folding *f) {
  tp_terms *tt = f->x->tt;
  for (size_t v = 1; v < f->x->p->vars.n; v++) {
    const tp_term value = f->s->vars[v];
    if (!tp_term_is(value) || tp_is_const(tt, value)) continue;
    if (tp_sort_kind_of(tt, tp_sort_of(tt, value)) != TP_SORT_PTR || is_stray(f, value))
      f->s->vars[v] = TP_TERM_NONE;
  }
  for (size_t i = 0; i < f->s->objects.n; i++) {
    tp_symheap_object *o = &f->s->objects.at[i];
    for (size_t k = 0; k < o->fields.n;) {
      const tp_term value = o->fields.at[k].value;
      const bool is_pointer = tp_sort_kind_of(tt, tp_sort_of(tt, value)) == TP_SORT_PTR;
      if (is_pointer && !is_stray(f, value) && !(o->is_zero && is_zero_value(tt, value)))
        k++;
      else
        forget_field(f, o, &k);
    }
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
    again = false;
    for (uint32_t i = 0; i < s->objects.n && !again && !x->kinds_changed; i++)
      again = fold_object(&f, i);
    again = again || join_parts(&f);
  }
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

// ------------------------------------------------------------------------- text

typedef struct {
  const tp_symheap_search *x;
  uint32_t first;
  tp_map *numbers;
  tp_str *out;
} writer;

static bool name_symbol(void *ctx, tp_term var, tp_str *out) {
  writer *w = ctx;
  uint64_t n;
  if (!tp_map_get(w->numbers, var.id, &n))
    tp_map_set(w->numbers, var.id, n = w->first + w->numbers->n);
  tp_str_printf(out, "(sym %u ", (unsigned)n);
  tp_sort_write(w->x->tt, tp_sort_of(w->x->tt, var), out);
  tp_str_add(out, ")");
  return true;
}

static void put(writer *w, tp_term t) {
  const tp_text_vars names = {.ctx = w, .name = name_symbol};
  tp_str_add(w->out, " ");
  const bool is_written = tp_term_write(w->x->tt, t, names, w->out);
  TP_INVARIANT(is_written);  // each symbol has a name, and nothing is bound
  (void)is_written;
}

static int by_offset(const void *a, const void *b) {
  const tp_symheap_field *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset ? 1 : 0;
}

static void put_object(writer *w, tp_symheap_object *o) {
  tp_str_add(w->out, "object");
  put(w, o->id);
  put(w, o->size);
  tp_str_printf(w->out, " %d%s\n", (int)o->kind, o->is_zero ? " zero" : "");
  if (o->fields.n) qsort(o->fields.at, o->fields.n, sizeof *o->fields.at, by_offset);
  for (size_t i = 0; i < o->fields.n; i++) {
    tp_str_printf(w->out, "field %llu", (unsigned long long)o->fields.at[i].offset);
    put(w, o->fields.at[i].value);
    tp_str_add(w->out, "\n");
  }
}

static void put_part(writer *w, const tp_symheap_part *p) {
  tp_str_printf(w->out, p->is_segment ? "segment %u" : "structure %u", p->kind);
  put(w, p->at);
  put(w, p->before);
  if (p->is_segment) {
    put(w, p->end);
    put(w, p->last);
  }
  tp_str_add(w->out, "\n");
}

/* The number that the symbol in an address has; UINT64_MAX: none yet. */
static uint64_t number_of(const writer *w, tp_term t) {
  uint64_t n = UINT64_MAX;
  if (tp_is_const(w->x->tt, t)) return 0;
  (void)tp_map_get(w->numbers, t.id, &n);
  return n;
}

/* What the contract's symbols are: the terms that the heap has for them. */
static void put_given(writer *w, const tp_symheap *s, const tp_term_list *symbols) {
  tp_terms *tt = w->x->tt;
  for (size_t i = 0; symbols && i < symbols->n; i++) {
    const tp_term value = s->given.at[i];
    if (!tp_term_is(value) || tp_term_eq(value, symbols->at[i])) continue;
    if (!tp_term_eq(value, tp_mk_null(tt)) && tp_symheap_object_at(w->x, s, value) == UINT32_MAX)
      continue;
    tp_str_add(w->out, "given");
    put(w, symbols->at[i]);
    put(w, value);
    tp_str_add(w->out, "\n");
  }
}

/* Objects and parts in the order in which what stands before leads to them; then the others. */
void tp_symheap_print(const tp_symheap_search *x, const tp_symheap *s, const tp_term_list *symbols,
                      tp_map *numbers, uint32_t first_symbol, tp_str *out) {
  writer w = {.x = x, .first = first_symbol, .numbers = numbers, .out = out};
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    if (!tp_term_is(s->vars[v])) continue;
    tp_str_printf(out, "var %u", v);
    put(&w, s->vars[v]);
    tp_str_printf(out, "  # %s\n", x->p->vars.at[v].name);
  }
  const size_t n = s->objects.n + s->parts.n;
  bool *done = TP_NEW_ARRAY(bool, n + 1);
  for (size_t left = n; left; left--) {
    size_t best = n;
    uint64_t best_number = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
      if (done[i]) continue;
      const uint64_t number =
          number_of(&w, i < s->objects.n ? s->objects.at[i].id : s->parts.at[i - s->objects.n].at);
      if (best == n || number < best_number) best = i, best_number = number;
    }
    done[best] = true;
    if (best < s->objects.n)
      put_object(&w, &s->objects.at[best]);
    else
      put_part(&w, &s->parts.at[best - s->objects.n]);
  }
  put_given(&w, s, symbols);
  if (s->has_more) tp_str_add(out, "more\n");
  tp_free(done);
}

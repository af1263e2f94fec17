/* Terms evaluated in a heap, conditions that give values to variables, the heap as a formula.
 *
 * Variables are replaced by their values, pointers to cells by constants whose objects are the
 * cells' numbers; the term then folds. Numbers of cells are names, so that is done only in terms
 * that compare objects and look things up by them, and do nothing else with their numbers. The
 * ghosts become arrays that hold what is known of each cell. */
#include "cpa/heap/heap_priv.h"
#include "program/cells.h"

static bool is_object(const tp_terms *tt, tp_term t) {
  const tp_sort s = tp_sort_of(tt, t);
  if (tp_sort_kind_of(tt, s) != TP_SORT_BV || tp_width(tt, t) != TP_OBJ_BITS) return false;
  if (tp_kind(tt, t) == TP_OP_ITE)
    return is_object(tt, tp_arg(tt, t, 1)) || is_object(tt, tp_arg(tt, t, 2));
  return tp_kind(tt, t) == TP_OP_PTR_OBJ;
}

static bool computes_with_object(void *ctx, const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  (void)ctx;
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS) return true;
  if (k == TP_OP_EQ || k == TP_OP_ITE || k == TP_OP_SELECT || k == TP_OP_PTR_MK) return false;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (is_object(tt, tp_arg(tt, t, i))) return true;
  return false;
}

static bool is_plain(tp_explicit *h, tp_term t) {
  uint64_t known;
  if (tp_map_get(&h->is_plain, t.id, &known)) return known != 0;
  bool plain = !is_object(h->tt, t) && !tp_any_subterm(h->tt, t, computes_with_object, NULL);
  tp_map_set(&h->is_plain, t.id, plain);
  return plain;
}

// ------------------------------------------------------------------------ ghosts

static tp_term object_of(const tp_explicit *h, uint32_t cell) {
  return tp_mk_bv(h->tt, TP_OBJ_BITS, h->first_object + cell);
}

static tp_term written(const tp_explicit *h, tp_term array, tp_term object, tp_term value) {
  return tp_mk3(h->tt, TP_OP_STORE, array, object, value);
}

static tp_term ghost_array(const tp_heap_draft *d, tp_var ghost) {
  const tp_explicit *h = d->h;
  const tp_program *p = h->p;
  const bool live = ghost.id == p->ghost_live.id, size = ghost.id == p->ghost_size.id;
  const tp_term nothing = tp_mk_bv(h->tt, TP_OBJ_BITS, 0);
  tp_term array = tp_var_of(p, ghost)->term;
  array = written(h, array, nothing,
                  live ? tp_mk_false(h->tt) : tp_mk_bv(h->tt, size ? p->ptr_bits : 8, 0));
  for (uint32_t i = 0; i < d->cells.n; i++) {
    const tp_explicit_cell *c = &d->cells.at[i].cell;
    if (live && c->life == TP_CELL_EITHER) continue;
    if (size && !tp_term_is(c->size)) continue;
    const tp_term value = live   ? tp_mk_bool(h->tt, c->life == TP_CELL_LIVE)
                          : size ? c->size
                                 : tp_mk_bv(h->tt, 8, TP_O_HEAP);
    array = written(h, array, object_of(h, i), value);
  }
  return array;
}

/* The number of live heap objects; false: not known. */
static bool n_live(const tp_explicit_cell *(*cell)(const void *of, size_t i), const void *of,
                   size_t n, tp_other_cells others, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < n; i++) {
    if (cell(of, i)->life == TP_CELL_EITHER) return false;
    *out += cell(of, i)->life == TP_CELL_LIVE;
  }
  return others != TP_OTHERS_ANY;
}

static const tp_explicit_cell *cell_of_draft(const void *of, size_t i) {
  return &((const tp_heap_draft *)of)->cells.at[i].cell;
}
static const tp_explicit_cell *cell_of_heap(const void *of, size_t i) {
  return &((const tp_explicit_heap *)of)->cells[i];
}

static tp_term value_of(const tp_heap_draft *d, tp_var v) {
  const tp_program *p = d->h->p;
  uint64_t n = 0;
  if (v.id == p->ghost_live.id || v.id == p->ghost_size.id || v.id == p->ghost_kind.id)
    return ghost_array(d, v);
  if (v.id != p->ghost_heap.id && v.id != p->ghost_leaked.id) return tp_heap_get(d, v);
  if (!n_live(cell_of_draft, d, d->cells.n, d->others, &n)) return TP_TERM_NONE;
  if (v.id == p->ghost_heap.id) return tp_mk_bv(d->h->tt, 32, n);
  return n == 0 ? tp_mk_false(d->h->tt) : TP_TERM_NONE;
}

typedef struct {
  const tp_heap_draft *d;
  bool names_cells;
} reading;

static tp_term read_var(void *ctx, tp_term symbol) {
  const reading *r = ctx;
  const tp_explicit *h = r->d->h;
  const tp_var v = tp_program_var_of(h->p, symbol);
  uint32_t c;
  uint64_t offset;
  if (!v.id) return TP_TERM_NONE;
  if (!r->names_cells &&
      (v.id == h->p->ghost_live.id || v.id == h->p->ghost_size.id || v.id == h->p->ghost_kind.id))
    return TP_TERM_NONE;
  const tp_term value = value_of(r->d, v);
  return !r->names_cells && tp_heap_cell_of(h, value, &c, &offset) ? TP_TERM_NONE : value;
}

tp_term tp_heap_fold(const tp_heap_draft *d, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  if (tp_is_const(d->h->tt, t)) return t;
  reading r = {d, is_plain(d->h, t)};
  return tp_subst(d->h->tt, t, read_var, &r, NULL);
}

tp_term tp_heap_eval(const tp_heap_draft *d, tp_term t) {
  if (!tp_term_is(t)) return t;
  const tp_term folded = tp_heap_fold(d, t);
  return tp_is_const(d->h->tt, folded) &&
                 tp_sort_kind_of(d->h->tt, tp_sort_of(d->h->tt, folded)) != TP_SORT_INT
             ? folded
             : TP_TERM_NONE;
}

// -------------------------------------------------------------------- conditions

static void assume_equalities(tp_heap_draft *d, tp_term t, bool value) {
  const tp_explicit *h = d->h;
  const tp_term_kind k = tp_kind(h->tt, t);
  if (k == TP_OP_NOT) {
    assume_equalities(d, tp_arg(h->tt, t, 0), !value);
  } else if (k == TP_OP_VAR) {
    const tp_var v = tp_program_var_of(h->p, t);
    if (v.id && tp_var_of(h->p, v)->kind != TP_V_GHOST) tp_heap_put(d, v, tp_mk_bool(h->tt, value));
  } else if (k == TP_OP_EQ && value) {
    for (uint32_t i = 0; i < 2; i++) {
      const tp_term var = tp_arg(h->tt, t, i), constant = tp_arg(h->tt, t, 1 - i);
      const tp_sort_kind sort = tp_sort_kind_of(h->tt, tp_sort_of(h->tt, var));
      const tp_var v =
          tp_kind(h->tt, var) == TP_OP_VAR ? tp_program_var_of(h->p, var) : TP_VAR_NONE;
      if (!v.id || tp_var_of(h->p, v)->kind == TP_V_GHOST || !tp_is_const(h->tt, constant) ||
          sort == TP_SORT_FP || sort == TP_SORT_INT)
        continue;
      tp_heap_put(d, v, constant);
    }
  }
}

/* Twice: what one conjunct says of a variable, another one may compare with. */
bool tp_heap_assume(tp_heap_draft *d, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(d->h->tt, tp_sort_of(d->h->tt, condition)) == TP_SORT_BOOL);
  for (int pass = 0; pass < 2; pass++) {
    const tp_term folded = tp_heap_fold(d, condition);
    if (tp_is_false(d->h->tt, folded)) return false;
    tp_term_list parts = {0};
    tp_conjuncts(d->h->tt, folded, &parts);
    for (size_t i = 0; i < parts.n; i++) assume_equalities(d, parts.at[i], true);
    tp_vec_clear(&parts);
  }
  return !tp_is_false(d->h->tt, tp_heap_fold(d, condition));
}

// ----------------------------------------------------------------------- formulas

static tp_term moved(const tp_explicit *h, tp_term pointer, uint64_t offset) {
  return tp_mk_ptr_add(h->tt, pointer, tp_mk_bv(h->tt, h->p->ptr_bits, offset));
}

/* A term for the start of each cell: a variable that leads to it, or what stands in a field. */
static void name_cell(const tp_explicit *h, tp_term *names, tp_term place, tp_term value) {
  uint32_t c;
  uint64_t offset;
  if (tp_heap_cell_of(h, value, &c, &offset) && !tp_term_is(names[c]))
    names[c] = moved(h, place, 0 - offset);
}

static tp_term place_of(const tp_explicit *h, tp_term cell, const tp_explicit_field *f) {
  return tp_cell(h->p, tp_sort_of(h->tt, f->value), moved(h, cell, f->offset));
}

static tp_term is_value(const tp_explicit *h, const tp_term *names, tp_term place, tp_term value) {
  uint32_t c;
  uint64_t offset;
  if (!tp_term_is(place)) return tp_mk_true(h->tt);
  return tp_mk_eq(h->tt, place,
                  tp_heap_cell_of(h, value, &c, &offset) ? moved(h, names[c], offset) : value);
}

static tp_term cell_formula(const tp_explicit *h, const tp_term *names, const tp_explicit_cell *c,
                            tp_term name) {
  tp_terms *tt = h->tt;
  const tp_program *p = h->p;
  const tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, name);
  const tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_live)->term, object),
                size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_size)->term, object);
  const tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_kind)->term, object);
  tp_term all =
      tp_mk_and(tt, tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_HEAP)),
                tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, name), tp_mk_bv(tt, p->ptr_bits, 0)));
  if (tp_term_is(c->size)) all = tp_mk_and(tt, all, tp_mk_eq(tt, size, c->size));
  if (c->life != TP_CELL_EITHER)
    all = tp_mk_and(tt, all, c->life == TP_CELL_LIVE ? live : tp_mk_not(tt, live));
  for (size_t i = 0; i < c->n_fields && c->life == TP_CELL_LIVE; i++)
    if (tp_term_is(c->fields[i].value))
      all = tp_mk_and(tt, all,
                      is_value(h, names, place_of(h, name, &c->fields[i]), c->fields[i].value));
  return all;
}

tp_term tp_heap_formula(tp_cpa *cpa, const tp_elem *e) {
  const tp_explicit *h = tp_explicit_of(cpa);
  const tp_explicit_heap *heap = &e->heap;
  tp_terms *tt = h->tt;
  tp_term all = tp_mk_true(tt), *names = TP_NEW_ARRAY(tp_term, heap->n_cells + 1);
  uint64_t n;
  for (size_t i = 0; i < heap->n_vars; i++)
    name_cell(h, names, tp_var_of(h->p, heap->vars[i].var)->term, heap->vars[i].value);
  for (size_t i = 0; i < heap->n_cells; i++)
    for (size_t f = 0; f < heap->cells[i].n_fields; f++)
      if (tp_term_is(heap->cells[i].fields[f].value))
        name_cell(h, names, place_of(h, names[i], &heap->cells[i].fields[f]),
                  heap->cells[i].fields[f].value);
  for (size_t i = 0; i < heap->n_vars; i++)
    all = tp_mk_and(
        tt, all, is_value(h, names, tp_var_of(h->p, heap->vars[i].var)->term, heap->vars[i].value));
  for (size_t i = 0; i < heap->n_cells; i++)
    all = tp_mk_and(tt, all, cell_formula(h, names, &heap->cells[i], names[i]));
  for (size_t i = 0; i < heap->n_cells; i++)
    for (size_t k = 0; k < i; k++)
      all = tp_mk_and(tt, all,
                      tp_mk_not(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, names[i]),
                                             tp_mk1(tt, TP_OP_PTR_OBJ, names[k]))));
  if (n_live(cell_of_heap, heap, heap->n_cells, heap->others, &n))
    all = tp_mk_and(tt, all,
                    tp_mk_eq(tt, tp_var_of(h->p, h->p->ghost_heap)->term, tp_mk_bv(tt, 32, n)));
  tp_free(names);
  return all;
}

/* Zeros that nobody has written over are not said, nor what stands in a cell that may have been
 * freed. */
bool tp_heap_has_exact_formula(tp_cpa *cpa, const tp_elem *e) {
  (void)cpa;
  for (size_t i = 0; i < e->heap.n_cells; i++)
    if (e->heap.cells[i].rest == TP_REST_ZEROS || e->heap.cells[i].life == TP_CELL_EITHER)
      return false;
  return true;
}

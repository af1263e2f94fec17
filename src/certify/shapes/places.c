/* Places: cells, fields and pointers as terms, before and after. */
#include "certify/shapes/shape_priv.h"

#include "program/cells.h"

void tp_cs_heap_init(tp_csearch *s, tp_cs_heap *h, uint32_t number) {
  *h = (tp_cs_heap){.number = number, .c = &s->shape->graphs->classes.at[number]};
  h->places = TP_NEW_ARRAY(tp_cs_place, TP_CS_PLACES);
  const uint32_t contexts[2] = {s->shape->start.context, s->here.context};
  for (int when = 0; when < 2; when++) {
    h->readable[when] = TP_NEW_ARRAY(bool, h->c->predicates.n);
    tp_cshape_readable(s->g, h->c, contexts[when], h->readable[when]);
  }
}

void tp_cs_heap_clear(tp_cs_heap *h) {
  for (size_t i = 0; i < h->paths.n; i++)
    for (int when = 0; when < TP_CS_MOMENTS; when++) {
      tp_free(h->paths.at[i].path[when]);
      tp_free(h->paths.at[i].cycle[when]);
    }
  tp_vec_clear(&h->paths);
  tp_vec_clear(&h->some);
  tp_free(h->places);
  tp_free(h->node);
  tp_free(h->readable[0]);
  tp_free(h->readable[1]);
}

int tp_cs_place_of(tp_csearch *s, tp_cs_heap *h, tp_term at, tp_cs_importance importance) {
  for (uint32_t i = 0; i < h->n; i++) {
    if (!tp_term_eq(h->places[i].at, at)) continue;
    if (importance == TP_CS_BASE && !h->places[i].is_base) {
      h->places[i].is_base = true;
      if (i < h->told) h->told = i;  // all of it is said again
    }
    return (int)i;
  }
  if (h->n == TP_CS_PLACES) {
    s->failed = true;
    return 0;
  }
  h->places[h->n] = (tp_cs_place){.at = at, .is_base = importance == TP_CS_BASE};
  return (int)h->n++;
}

tp_term tp_cs_at(const tp_cs_heap *h, int i) { return h->places[i].at; }
tp_term tp_cs_same(tp_csearch *s, const tp_cs_heap *h, int i, int j) {
  return tp_mk_eq(s->tt, tp_cs_at(h, i), tp_cs_at(h, j));
}
tp_term tp_cs_is_null(tp_csearch *s, const tp_cs_heap *h, int i) {
  return tp_mk_eq(s->tt, tp_cs_at(h, i), tp_mk_null(s->tt));
}

static uint32_t ghosts_at(const tp_csearch *s, tp_cs_moment when) {
  return when == TP_CS_BEFORE ? 0 : s->g->state.ghosts;
}

/* (o, 0) of a heap object of the class's size that was allocated so far. */
static tp_term is_cell(tp_csearch *s, const tp_cs_heap *h, tp_term at, tp_cs_moment when) {
  tp_terms *tt = s->tt;
  tp_chk_history *past = &s->g->history;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, at), offset = tp_mk1(tt, TP_OP_PTR_OFF, at);
  const tp_term all[] = {
      tp_mk_eq(tt, offset, tp_mk_bv(tt, s->g->p->ptr_bits, 0)),
      tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, s->g->p->statics.n), object),
      tp_chk_history_is_allocated(
          past, when == TP_CS_BEFORE ? (tp_chk_epoch){past->next, 0} : s->g->state.age, object),
      tp_mk_eq(tt, tp_chk_history_ghost_read(past, ghosts_at(s, when), TP_GHOST_KIND, object),
               tp_mk_bv(tt, 8, TP_O_HEAP)),
      tp_mk_eq(tt, tp_chk_history_ghost_read(past, ghosts_at(s, when), TP_GHOST_SIZE, object),
               tp_mk_bv(tt, s->g->p->ptr_bits, h->c->size))};
  return tp_mk_and_n(tt, all, sizeof all / sizeof *all);
}

tp_term tp_cs_cell(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when) {
  tp_cs_place *x = &h->places[i];
  if (!tp_term_is(x->cell[when])) x->cell[when] = is_cell(s, h, x->at, when);
  return x->cell[when];
}

tp_term tp_cs_leads(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when) {
  tp_cs_place *x = &h->places[i];
  if (!tp_term_is(x->leads[when])) {
    tp_term live = tp_chk_history_ghost_read(&s->g->history, ghosts_at(s, when), TP_GHOST_LIVE,
                                             tp_mk1(s->tt, TP_OP_PTR_OBJ, x->at));
    x->leads[when] = tp_mk_and(s->tt, tp_cs_cell(s, h, i, when), live);
  }
  return x->leads[when];
}

static tp_term read_pointer(tp_csearch *s, tp_term at, tp_cs_moment when) {
  return tp_chk_history_read(&s->g->history, when == TP_CS_BEFORE ? 0 : s->g->state.memory, at,
                             tp_sort_ptr(s->tt))
      .term;
}

/* Of a cell the address is (o, offset of the field): without a sum, reads behind writes are no
 * arithmetic. Of what is no cell nobody asks for the value. */
tp_term tp_cs_field(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f) {
  tp_cs_place *x = &h->places[i];
  tp_term object = tp_mk1(s->tt, TP_OP_PTR_OBJ, x->at),
          offset = tp_mk_bv(s->tt, s->g->p->ptr_bits, h->c->offsets.at[f]);
  if (!tp_term_is(x->field[when][f]))
    x->field[when][f] = read_pointer(s, tp_mk_ptr(s->tt, object, offset), when);
  return x->field[when][f];
}

/* The same as the program reads it, through a pointer. */
static tp_term field_through(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f) {
  return read_pointer(s,
                      tp_mk_ptr_add(s->tt, h->places[i].at,
                                    tp_mk_bv(s->tt, s->g->p->ptr_bits, h->c->offsets.at[f])),
                      when);
}

int tp_cs_next(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f,
               tp_cs_importance importance) {
  int k = tp_cs_place_of(s, h, tp_cs_field(s, h, i, when, f), importance);
  if (!h->places[i].next[when][f]) {
    h->places[i].next[when][f] = k + 1;
    if ((uint32_t)i < h->told) h->told = (uint32_t)i;
  }
  return k;
}

/* "Equal terms are equal to the same terms": known to the solver, but bit by bit only, which takes
 * it long to find out. */
static void tell_triangle(tp_csearch *s, tp_term ab, tp_term bc, tp_term ac) {
  tp_terms *tt = s->tt;
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ab, bc), ac));
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ab, ac), bc));
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ac, bc), ab));
}

void tp_cs_tell_equalities(tp_csearch *s, tp_cs_heap *h, int k) {
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < j; i++)
      tell_triangle(s, tp_cs_same(s, h, i, j), tp_cs_same(s, h, j, k), tp_cs_same(s, h, i, k));
    tp_term null = tp_mk_null(s->tt), same = tp_cs_same(s, h, j, k);
    tell_triangle(s, same, tp_mk_eq(s->tt, tp_cs_at(h, j), null),
                  tp_mk_eq(s->tt, tp_cs_at(h, k), null));
    for (int i = 0; i <= k; i++)
      for (uint32_t f = 0; f < h->c->offsets.n; f++)
        for (tp_cs_moment when = TP_CS_BEFORE; when <= TP_CS_AFTER; when++) {
          tp_term t = tp_cs_field(s, h, i, when, f);
          tell_triangle(s, tp_mk_eq(s->tt, t, tp_cs_at(h, j)), tp_mk_eq(s->tt, t, tp_cs_at(h, k)),
                        same);
        }
  }
}

static int find(const tp_cs_heap *h, tp_term at) {
  for (uint32_t i = 0; i < h->n; i++)
    if (tp_term_eq(h->places[i].at, at)) return (int)i;
  return -1;
}

static void see_field(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f) {
  tp_term field = tp_cs_field(s, h, i, when, f), through = field_through(s, h, i, when, f);
  int k = find(h, field);
  if (k < 0) k = find(h, through);
  if (k < 0 || h->places[i].next[when][f]) return;
  tp_chk_query_assert(
      s->q, tp_mk_implies(s->tt, tp_cs_cell(s, h, i, when), tp_mk_eq(s->tt, field, through)));
  h->places[i].next[when][f] = k + 1;
  if ((uint32_t)i < h->told) h->told = (uint32_t)i;
}

void tp_cs_see_fields(tp_csearch *s, tp_cs_heap *h) {
  for (uint32_t i = 0; i < h->n; i++)
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (tp_cs_moment when = TP_CS_BEFORE; when <= TP_CS_AFTER; when++)
        see_field(s, h, (int)i, when, f);
}

tp_term tp_cs_value(tp_csearch *s, tp_var v, tp_cs_moment when) {
  return when == TP_CS_BEFORE ? s->shape->values[v.id].term : tp_chk_exec_get(s->g, v).term;
}

tp_term tp_cs_is_held(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when) {
  tp_term any = tp_mk_false(s->tt);
  for (size_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CP_POINTER && h->readable[when][k])
      any = tp_mk_or(
          s->tt, any,
          tp_mk_eq(s->tt, tp_cs_at(h, i), tp_cs_value(s, h->c->predicates.at[k].var, when)));
  return tp_mk_and(s->tt, any, tp_mk_not(s->tt, tp_cs_is_null(s, h, i)));
}

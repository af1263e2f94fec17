/* Address terms: cells, fields and pointers as terms, in the heaps at the start and at the end of a
 * path. A term is made once; which address is a field of which other one is noted when both are
 * known. */
#include "certify/shapes/shape_search.h"

#include "certify/certify_limits.h"
#include "program/cells.h"

void tp_chk_class_heap_init(tp_chk_search *s, tp_chk_class_heap *h, uint32_t number) {
  *h = (tp_chk_class_heap){.number = number, .c = &s->shape->graphs->classes.at[number]};
  TP_REQUIRE(number && number < s->n_heaps && h->c->offsets.n <= TP_CERTIFY_CLASS_FIELDS);
  h->addresses = TP_NEW_ARRAY(tp_chk_address, TP_CERTIFY_SEARCH_ADDRESSES);
  const uint32_t contexts[2] = {s->shape->start.context, s->here.context};
  for (int when = 0; when < 2; when++) {
    h->readable[when] = TP_NEW_ARRAY(bool, h->c->predicates.n);
    tp_chk_readable_predicates(s->g, h->c, contexts[when], h->readable[when]);
  }
}

void tp_chk_class_heap_clear(tp_chk_class_heap *h) {
  for (size_t i = 0; i < h->paths.n; i++)
    for (int when = 0; when < TP_CHK_N_VERSIONS; when++) {
      tp_free(h->paths.at[i].path[when]);
      tp_free(h->paths.at[i].cycle[when]);
    }
  tp_vec_clear(&h->paths);
  tp_vec_clear(&h->existentials);
  tp_free(h->addresses);
  tp_free(h->node);
  tp_free(h->readable[0]);
  tp_free(h->readable[1]);
}

bool tp_chk_class_heap_check(const tp_chk_search *s, const tp_chk_class_heap *h) {
  bool ok = h->n <= TP_CERTIFY_SEARCH_ADDRESSES && h->n_asserted <= h->n;
  for (uint32_t i = 0; i < h->n; i++) {
    const tp_chk_address *x = &h->addresses[i];
    ok = ok && tp_sort_kind_of(s->tt, tp_sort_of(s->tt, x->at)) == TP_SORT_PTR;
    for (uint32_t j = 0; j < i; j++) ok = ok && !tp_term_eq(x->at, h->addresses[j].at);
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (int when = TP_CHK_PRE; when <= TP_CHK_POST; when++)
        ok = ok && x->next[when][f] >= 0 && x->next[when][f] <= (int)h->n;
  }
  return ok;
}

int tp_chk_address_number(tp_chk_search *s, tp_chk_class_heap *h, tp_term at,
                          tp_chk_address_kind kind) {
  for (uint32_t i = 0; i < h->n; i++) {
    if (!tp_term_eq(h->addresses[i].at, at)) continue;
    if (kind == TP_CHK_BASE && !h->addresses[i].is_base) {
      h->addresses[i].is_base = true;
      if (i < h->n_asserted) h->n_asserted = i;  // everything of it is asserted again
    }
    return (int)i;
  }
  if (h->n == TP_CERTIFY_SEARCH_ADDRESSES) {
    s->failed = true;
    return 0;
  }
  h->addresses[h->n] = (tp_chk_address){.at = at, .is_base = kind == TP_CHK_BASE};
  return (int)h->n++;
}

tp_term tp_chk_address_term(const tp_chk_class_heap *h, int i) {
  TP_REQUIRE(i >= 0 && i < TP_CERTIFY_SEARCH_ADDRESSES && tp_term_is(h->addresses[i].at));
  return h->addresses[i].at;
}
tp_term tp_chk_same_address(tp_chk_search *s, const tp_chk_class_heap *h, int i, int j) {
  return tp_mk_eq(s->tt, tp_chk_address_term(h, i), tp_chk_address_term(h, j));
}
tp_term tp_chk_is_null(tp_chk_search *s, const tp_chk_class_heap *h, int i) {
  return tp_mk_eq(s->tt, tp_chk_address_term(h, i), tp_mk_null(s->tt));
}

static uint32_t ghosts_at(const tp_chk_search *s, tp_chk_heap_version when) {
  return when == TP_CHK_PRE ? 0 : s->g->state.ghosts;
}

/* (o, 0) of a heap object of the class's size that was allocated before. */
static tp_term is_cell(tp_chk_search *s, const tp_chk_class_heap *h, tp_term at,
                       tp_chk_heap_version when) {
  tp_terms *tt = s->tt;
  tp_chk_history *past = &s->g->history;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, at), offset = tp_mk1(tt, TP_OP_PTR_OFF, at);
  const tp_term all[] = {
      tp_mk_eq(tt, offset, tp_mk_bv(tt, s->g->p->ptr_bits, 0)),
      tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, s->g->p->statics.n), object),
      tp_chk_history_is_allocated(
          past, when == TP_CHK_PRE ? (tp_chk_epoch){past->next, 0} : s->g->state.age, object),
      tp_mk_eq(tt, tp_chk_history_ghost_read(past, ghosts_at(s, when), TP_CHK_GHOST_KIND, object),
               tp_mk_bv(tt, 8, TP_O_HEAP)),
      tp_mk_eq(tt, tp_chk_history_ghost_read(past, ghosts_at(s, when), TP_CHK_GHOST_SIZE, object),
               tp_mk_bv(tt, s->g->p->ptr_bits, h->c->size))};
  return tp_mk_and_n(tt, all, sizeof all / sizeof *all);
}

tp_term tp_chk_is_cell(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when) {
  TP_REQUIRE(when != TP_CHK_COMMON);
  tp_chk_address *x = &h->addresses[i];
  if (!tp_term_is(x->cell[when])) x->cell[when] = is_cell(s, h, x->at, when);
  return x->cell[when];
}

tp_term tp_chk_is_live_cell(tp_chk_search *s, tp_chk_class_heap *h, int i,
                            tp_chk_heap_version when) {
  tp_chk_address *x = &h->addresses[i];
  if (!tp_term_is(x->live[when])) {
    tp_term live = tp_chk_history_ghost_read(&s->g->history, ghosts_at(s, when), TP_CHK_GHOST_LIVE,
                                             tp_mk1(s->tt, TP_OP_PTR_OBJ, x->at));
    x->live[when] = tp_mk_and(s->tt, tp_chk_is_cell(s, h, i, when), live);
  }
  return x->live[when];
}

static tp_term read_pointer(tp_chk_search *s, tp_term at, tp_chk_heap_version when) {
  return tp_chk_history_read(&s->g->history, when == TP_CHK_PRE ? 0 : s->g->state.memory, at,
                             tp_sort_ptr(s->tt))
      .term;
}

/* Of a cell the field's address is (o, offset): without a sum, reads after writes need no
 * arithmetic. If address i is no cell, no assertion uses the value. */
tp_term tp_chk_field_term(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                          uint32_t f) {
  TP_REQUIRE(when != TP_CHK_COMMON && f < h->c->offsets.n);
  tp_chk_address *x = &h->addresses[i];
  tp_term object = tp_mk1(s->tt, TP_OP_PTR_OBJ, x->at),
          offset = tp_mk_bv(s->tt, s->g->p->ptr_bits, h->c->offsets.at[f]);
  if (!tp_term_is(x->field[when][f]))
    x->field[when][f] = read_pointer(s, tp_mk_ptr(s->tt, object, offset), when);
  return x->field[when][f];
}

/* The same as the program reads it, through a pointer. */
static tp_term field_through(tp_chk_search *s, tp_chk_class_heap *h, int i,
                             tp_chk_heap_version when, uint32_t f) {
  return read_pointer(s,
                      tp_mk_ptr_add(s->tt, h->addresses[i].at,
                                    tp_mk_bv(s->tt, s->g->p->ptr_bits, h->c->offsets.at[f])),
                      when);
}

int tp_chk_field_number(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                        uint32_t f, tp_chk_address_kind kind) {
  int k = tp_chk_address_number(s, h, tp_chk_field_term(s, h, i, when, f), kind);
  if (!h->addresses[i].next[when][f]) {
    h->addresses[i].next[when][f] = k + 1;
    if ((uint32_t)i < h->n_asserted) h->n_asserted = (uint32_t)i;
  }
  return k;
}

/* Transitivity of equality. Circuits have it bit by bit only, and take long to find it. */
static void assert_transitive(tp_chk_search *s, tp_term ab, tp_term bc, tp_term ac) {
  tp_terms *tt = s->tt;
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ab, bc), ac));
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ab, ac), bc));
  tp_chk_query_assert(s->q, tp_mk_implies(tt, tp_mk_and(tt, ac, bc), ab));
}

void tp_chk_assert_equalities(tp_chk_search *s, tp_chk_class_heap *h, int k) {
  if (!tp_chk_query_is_exact(s->q)) return;  // the skeleton adds what a model violates
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < j; i++)
      assert_transitive(s, tp_chk_same_address(s, h, i, j), tp_chk_same_address(s, h, j, k),
                        tp_chk_same_address(s, h, i, k));
    tp_term null = tp_mk_null(s->tt), same = tp_chk_same_address(s, h, j, k);
    assert_transitive(s, same, tp_mk_eq(s->tt, tp_chk_address_term(h, j), null),
                      tp_mk_eq(s->tt, tp_chk_address_term(h, k), null));
    for (int i = 0; i <= k; i++)
      for (uint32_t f = 0; f < h->c->offsets.n; f++)
        for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++) {
          tp_term t = tp_chk_field_term(s, h, i, when, f);
          assert_transitive(s, tp_mk_eq(s->tt, t, tp_chk_address_term(h, j)),
                            tp_mk_eq(s->tt, t, tp_chk_address_term(h, k)), same);
        }
  }
}

int tp_chk_address_find(const tp_chk_class_heap *h, tp_term at) {
  for (uint32_t i = 0; i < h->n; i++)
    if (tp_term_eq(h->addresses[i].at, at)) return (int)i;
  return -1;
}

static void link_field(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                       uint32_t f) {
  tp_term field = tp_chk_field_term(s, h, i, when, f), through = field_through(s, h, i, when, f);
  int k = tp_chk_address_find(h, field);
  if (k < 0) k = tp_chk_address_find(h, through);
  if (k < 0 || h->addresses[i].next[when][f]) return;
  tp_chk_query_assert(
      s->q, tp_mk_implies(s->tt, tp_chk_is_cell(s, h, i, when), tp_mk_eq(s->tt, field, through)));
  h->addresses[i].next[when][f] = k + 1;
  if ((uint32_t)i < h->n_asserted) h->n_asserted = (uint32_t)i;
}

void tp_chk_link_fields(tp_chk_search *s, tp_chk_class_heap *h) {
  for (uint32_t i = 0; i < h->n; i++)
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++)
        link_field(s, h, (int)i, when, f);
}

tp_term tp_chk_variable_term(tp_chk_search *s, tp_var v, tp_chk_heap_version when) {
  return when == TP_CHK_PRE ? s->shape->values[v.id].term : tp_chk_exec_get(s->g, v).term;
}

tp_term tp_chk_is_pointed_to(tp_chk_search *s, tp_chk_class_heap *h, int i,
                             tp_chk_heap_version when) {
  tp_term any = tp_mk_false(s->tt);
  for (size_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CHK_P_POINTER && h->readable[when][k])
      any = tp_mk_or(s->tt, any,
                     tp_mk_eq(s->tt, tp_chk_address_term(h, i),
                              tp_chk_variable_term(s, h->c->predicates.at[k].var, when)));
  return tp_mk_and(s->tt, any, tp_mk_not(s->tt, tp_chk_is_null(s, h, i)));
}

tp_term tp_chk_is_element(tp_chk_search *s, tp_chk_class_heap *h, int i, int holder,
                          tp_chk_heap_version when) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_or(tt, tp_chk_is_cell(s, h, i, when), tp_chk_is_pointed_to(s, h, i, when));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term leads = tp_mk_and(
        tt, tp_chk_is_live_cell(s, h, holder, when),
        tp_mk_eq(tt, tp_chk_field_term(s, h, holder, when, f), tp_chk_address_term(h, i)));
    any = tp_mk_or(tt, any, tp_mk_and(tt, leads, tp_mk_not(tt, tp_chk_is_null(s, h, i))));
  }
  return any;
}

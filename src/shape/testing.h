/* What tests of the shape engine share: entries of lib/shape, classes over pointers named p, q, r,
 * ..., heaps with operations of their own, which know nothing about structures, and heaps as
 * two-valued structures. */
#ifndef TP_SHAPE_TESTING_H
#define TP_SHAPE_TESTING_H

#include "shape/transform.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
  tp_diag *diag;
  tp_description *entry;
  tp_shape_class *c;
  tp_shape_engine *e;
} shape_fixture;

/* names: one letter for each pointer, capital ones are not separating. */
static inline shape_fixture shape_open(const char *path, const char *names,
                                       const tp_data_predicate *data_predicates,
                                       uint32_t n_data_predicates) {
  shape_fixture f = {.diag = tp_diag_new(stderr, false), .entry = TP_NEW(tp_description)};
  assert_int_equal(tp_description_read(f.entry, path, f.diag), TP_OK);
  tp_tracked_pointer pointers[8];
  char text[8][2] = {{0}};
  const uint32_t n = (uint32_t)strlen(names);
  for (uint32_t i = 0; i < n; i++) {
    text[i][0] = (char)(names[i] | 0x20);
    pointers[i] = (tp_tracked_pointer){text[i], names[i] & 0x20};
  }
  const tp_tracking d = {.pointers = pointers,
                         .n_pointers = n,
                         .data_predicates = data_predicates,
                         .n_data_predicates = n_data_predicates};
  assert_int_equal(tp_shape_class_new((tp_generator){f.entry, tp_description_all_families(f.entry)},
                                      NULL, &d, &f.c),
                   TP_OK);
  f.e = tp_shape_engine_new(f.c);
  return f;
}

static inline void shape_close(shape_fixture *f) {
  tp_shape_engine_free(f->e);
  tp_shape_class_free(f->c);
  tp_description_clear(f->entry);
  tp_free(f->entry);
  tp_diag_free(f->diag);
}

// ------------------------------------------------------------------ plain heaps

enum { PLAIN_CELLS = 12, PLAIN_POINTERS = 4, PLAIN_NIL = 0xff };
typedef struct {
  uint32_t n;
  uint8_t pointer[PLAIN_POINTERS], field[3][PLAIN_CELLS];
  bool freed[PLAIN_CELLS], outside[PLAIN_CELLS];
  uint64_t chance;  // from which unknown pointers are drawn
  uint8_t data[PLAIN_CELLS];
  bool holds[2][PLAIN_CELLS];  // data_predicates about cells
} plain;

static inline plain plain_empty(void) {
  plain h = {0};
  memset(h.pointer, PLAIN_NIL, sizeof h.pointer);
  memset(h.field, PLAIN_NIL, sizeof h.field);
  return h;
}

/* Anything that a pointer can be. */
static inline uint8_t plain_any(plain *h) {
  h->chance = tp_hash_mix(h->chance, h->n);
  const uint64_t k = h->chance % (h->n + 1);
  return k == h->n ? PLAIN_NIL : (uint8_t)k;
}

/* Some cells outside the structure, and pointers to them. */
static inline plain plain_start(uint64_t chance, uint32_t n_pointers) {
  plain h = plain_empty();
  h.chance = chance;
  h.n = 1 + (uint32_t)(chance % 3);
  for (uint32_t u = 0; u < h.n; u++) h.outside[u] = true;
  for (uint32_t p = 0; p < n_pointers; p++) h.pointer[p] = plain_any(&h);
  return h;
}

/* Assertions are facts of their own here, which nothing but steps about them changes. */
static inline bool plain_data_step(plain *h, const tp_shape_step *s) {
  bool *holds = h->holds[s->data_predicate];
  if (s->kind == TP_SHAPE_STEP_HAVOC_DATA) {
    for (uint32_t u = 0; u < h->n; u++) holds[u] = plain_any(h) % 2;
    return true;
  }
  const uint8_t u = h->pointer[s->x];
  if (u == PLAIN_NIL || h->freed[u]) return false;
  if (h->outside[u]) return true;
  if (s->kind == TP_SHAPE_STEP_ASSUME_DATA) return holds[u] == (s->value == TP_KLEENE_TRUE);
  holds[u] = s->value == TP_KLEENE_HALF ? plain_any(h) % 2 : s->value == TP_KLEENE_TRUE;
  return true;
}

static inline uint8_t plain_source(plain *h, int y) {
  if (y >= 0) return h->pointer[y];
  const uint8_t any = plain_any(h);
  return y == TP_OUTSIDE_SLOT && any != PLAIN_NIL && !h->outside[any] ? PLAIN_NIL : any;
}

static inline bool plain_follows(const plain *h, int x) {
  return h->pointer[x] != PLAIN_NIL && !h->freed[h->pointer[x]];
}

/* False: the run ends here. Cells are never used again. */
static inline bool plain_step(plain *h, const tp_shape_step *s) {
  uint8_t *x = s->x >= 0 ? &h->pointer[s->x] : NULL;
  if (s->kind == TP_SHAPE_STEP_IS_NIL) return *x == PLAIN_NIL;
  if (s->kind == TP_SHAPE_STEP_NOT_NIL) return *x != PLAIN_NIL;
  if (s->kind == TP_SHAPE_STEP_SAME) return *x == h->pointer[s->y];
  if (s->kind == TP_SHAPE_STEP_DIFFERENT) return *x != h->pointer[s->y];
  if (s->kind == TP_SHAPE_STEP_AT_MOST) {
    if (!plain_follows(h, s->x) || !plain_follows(h, s->y)) return false;
    return (h->data[*x] <= h->data[h->pointer[s->y]]) == (s->value == TP_KLEENE_TRUE);
  }
  if (s->kind != TP_SHAPE_STEP_HEAP) return plain_data_step(h, s);
  const int through = s->heap == TP_HEAP_LOAD ? s->y : s->x;
  const bool follows = s->heap != TP_HEAP_NIL && s->heap != TP_HEAP_COPY && s->heap != TP_HEAP_NEW;
  if (follows && through >= 0 && h->pointer[through] != PLAIN_NIL &&
      h->outside[h->pointer[through]]) {
    if (s->heap == TP_HEAP_LOAD) *x = plain_any(h);
    return true;
  }
  switch (s->heap) {
    case TP_HEAP_NIL: *x = PLAIN_NIL; return true;
    case TP_HEAP_COPY: *x = plain_source(h, s->y); return true;
    case TP_HEAP_LOAD:
      if (!plain_follows(h, s->y)) return false;
      *x = h->field[s->field][h->pointer[s->y]];
      return true;
    case TP_HEAP_CLEAR:
    case TP_HEAP_STORE:
      if (!plain_follows(h, s->x)) return false;
      h->field[s->field][*x] = s->heap == TP_HEAP_CLEAR ? PLAIN_NIL : plain_source(h, s->y);
      return true;
    case TP_HEAP_NEW:
      if (h->n == PLAIN_CELLS) return false;
      h->data[h->n] = (uint8_t)(h->n * 7 % 5);
      for (int i = 0; i < 2; i++) h->holds[i][h->n] = plain_any(h) % 2;
      *x = (uint8_t)h->n++;
      return true;
    case TP_HEAP_FREE:
      if (!plain_follows(h, s->x)) return false;
      for (uint32_t f = 0; f < 3; f++) h->field[f][*x] = PLAIN_NIL;
      h->freed[*x] = true;
      return true;
    case TP_HEAP_SET:
      if (!plain_follows(h, s->x) || (s->y >= 0 && !plain_follows(h, s->y))) return false;
      h->data[*x] = (uint8_t)(s->y >= 0 ? h->data[h->pointer[s->y]] : (h->data[*x] + 2) % 5);
      return true;
    case TP_HEAP_N_KINDS: break;
  }
  return false;
}

static inline void plain_structure(const shape_fixture *f, const plain *h, tp_structure *s) {
  tp_structure_reset(s);
  for (uint32_t u = 0; u < h->n; u++) tp_structure_add(s);
  for (uint32_t p = 0; p < f->c->n_pointers; p++)
    if (h->pointer[p] != PLAIN_NIL)
      tp_k64_set(&s->unary[f->c->points[p]], h->pointer[p], TP_KLEENE_TRUE);
  for (uint32_t u = 0; u < h->n; u++) {
    if (h->freed[u]) tp_k64_set(&s->unary[f->c->freed], u, TP_KLEENE_TRUE);
    if (h->outside[u]) tp_k64_set(&s->unary[f->c->outside], u, TP_KLEENE_TRUE);
    for (uint32_t i = 0; i < f->c->n_fields; i++)
      if (h->field[i][u] != PLAIN_NIL)
        tp_k64_set(tp_structure_row(s, f->c->field[i], u), h->field[i][u], TP_KLEENE_TRUE);
  }
  for (uint32_t i = 0; i < f->c->n_data_predicates; i++)
    for (uint32_t u = 0; u < h->n; u++)
      if (h->holds[i][u]) tp_k64_set(&s->unary[f->c->data_predicate[i]], u, TP_KLEENE_TRUE);
  for (uint32_t u = 0; u < h->n; u++)
    for (uint32_t v = 0; f->c->n_orders && v < h->n; v++)
      if (h->data[u] <= h->data[v])
        tp_k64_set(tp_structure_row(s, f->c->order[0], u), v, TP_KLEENE_TRUE);
  tp_shape_define_all(f->e, s);
}

static inline bool shape_embeds(const tp_structure *s, const tp_structure *t) {
  bool yes;
  assert_int_equal(tp_structure_embeds(s, t, &yes), TP_OK);
  return yes;
}

// -------------------------------------------------------------- small programs

typedef struct {
  uint32_t from, to;
  tp_shape_step step;
} plain_edge;

/* The graphs at each location of a program, of which there are some at location 0: the empty heap,
 * if none. False: more than `most`. */
static inline bool shape_explore(const shape_fixture *f, const plain_edge *edges, size_t n_edges,
                                 tp_graph_ids *at, uint32_t *events, size_t most) {
  size_t total = 1;
  if (at[0].n == 0) tp_graph_ids_add(&at[0], tp_shape_engine_empty(f->e));
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t i = 0; i < n_edges; i++) {
      tp_graph_ids *to = &at[edges[i].to], next = {0};
      for (size_t k = 0; k < at[edges[i].from].n; k++)
        assert_int_equal(
            tp_shape_post(f->e, at[edges[i].from].at[k], &edges[i].step, &next, events), TP_OK);
      const size_t before = to->n;
      for (size_t k = 0; k < next.n; k++) tp_graph_ids_add(to, next.at[k]);
      tp_vec_clear(&next);
      grows = grows || to->n > before;
      total += to->n - before;
      if (total > most) return false;
    }
  }
  return true;
}

#endif

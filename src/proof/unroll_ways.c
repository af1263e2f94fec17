/* Keys of states. Variables that are not live at a location are left out: what will not be read
 * keeps nothing apart. */
#include "proof/unroll_ways.h"

#include "formula/content.h"
#include "program/cursors.h"
#include "program/liveness.h"
#include "program/locals.h"
#include "proof/proof_limits.h"

typedef struct {
  uint32_t object;
  uint64_t offset;
  bool steps, indexes;
} cell;

struct tp_ways {
  tp_symex *x;
  tp_cursors cursors;
  tp_liveness *liveness;
  tp_locals locals;  // cursors alone
  TP_VEC(cell) cells;
};

/* Keeps the cursors of each function. */
static void drop_others(tp_ways *w) {
  const tp_program *p = w->x->p;
  uint32_t n = 0;
  for (uint32_t f = 0; f < p->funcs.n; f++) {
    const uint32_t first = w->locals.first[f], end = w->locals.first[f + 1];
    w->locals.first[f] = n;
    for (uint32_t i = first; i < end; i++)
      if (w->cursors.is_cursor[w->locals.at[i].id]) w->locals.at[n++] = w->locals.at[i];
  }
  w->locals.first[p->funcs.n] = n;
}

tp_ways *tp_ways_new(tp_symex *x) {
  tp_ways *w = TP_NEW(tp_ways);
  w->x = x;
  tp_cursors_init(&w->cursors, x->p);
  tp_locals_init(&w->locals, x->p);
  w->liveness = tp_liveness_new(x->p);
  drop_others(w);
  return w;
}

void tp_ways_free(tp_ways *w) {
  if (!w) return;
  tp_cursors_clear(&w->cursors);
  tp_locals_clear(&w->locals);
  tp_liveness_free(w->liveness);
  tp_vec_clear(&w->cells);
  tp_free(w);
}

void tp_ways_restart(tp_ways *w) { w->cells.n = 0; }

static cell *cell_at(tp_ways *w, uint32_t object, uint64_t offset) {
  for (size_t i = 0; i < w->cells.n; i++)
    if (w->cells.at[i].object == object && w->cells.at[i].offset == offset) return &w->cells.at[i];
  if (w->cells.n == TP_PROOF_WAYS_CELLS) return NULL;
  tp_vec_push(&w->cells, (cell){.object = object, .offset = offset});
  return &tp_vec_last(&w->cells);
}

void tp_ways_see(tp_ways *w, tp_sym *s, tp_edge e) {
  if (!w->cursors.steps[e.id] && !w->cursors.indexes[e.id]) return;
  const tp_term at = tp_sym_eval(w->x, s, tp_edge_of(w->x->p, e)->a);
  const tp_targets *t = tp_pointer_targets(&w->x->pointers, at);
  uint64_t offset;
  if (t->open || t->n != 1 || t->at[0] == 0 ||
      !tp_bv_value_u64(w->x->tt, tp_pointer_offset(&w->x->pointers, at, t->at[0]), &offset))
    return;
  cell *c = cell_at(w, t->at[0], offset);
  if (!c) return;
  c->steps |= w->cursors.steps[e.id];
  c->indexes |= w->cursors.indexes[e.id];
}

static uint64_t add_value(const tp_ways *w, uint64_t key, uint64_t place, tp_term value) {
  const bool is_known = tp_term_is(value) && tp_is_const(w->x->tt, value);
  return is_known ? tp_hash_mix(tp_hash_mix(key, place), value.id) : key;
}

static uint64_t add_vars(const tp_ways *w, uint64_t key, const tp_sym *s, tp_func f, tp_loc at) {
  for (uint32_t i = w->locals.first[f.id]; i < w->locals.first[f.id + 1]; i++) {
    const tp_var v = w->locals.at[i];
    if (tp_is_live(w->liveness, at, v))
      key = add_value(w, key, v.id, (tp_term){(uint32_t)tp_pmap_get(&s->vars, v.id)});
  }
  return key;
}

uint64_t tp_ways_key(tp_ways *w, const tp_sym *s, tp_loc at) {
  uint64_t key = add_vars(w, 0, s, TP_FUNC_NONE, at);
  key = add_vars(w, key, s, tp_loc_of(w->x->p, at)->func, at);
  for (size_t i = 0; i < w->cells.n; i++) {
    const cell *c = &w->cells.at[i];
    const tp_content *in = tp_content_of(tp_pmap_get(&s->objects, c->object));
    if (!c->steps || !c->indexes || !in || tp_term_is(in->array)) continue;
    key = add_value(w, key, (uint64_t)c->object << 32 | c->offset,
                    (tp_term){(uint32_t)tp_pmap_get(&in->cells, c->offset)});
  }
  return key;
}

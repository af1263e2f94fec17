/* Readers of variables, as linked lists in one vector; an edge that reads a variable twice may be
 * in its list twice. */
#include "program/readers.h"

typedef struct {
  tp_readers *r;
  const tp_program *p;
  uint32_t edge;
} walk;

static void add(tp_readers *r, tp_var v, uint32_t edge) {
  if (!v.id) return;
  tp_reader link = {edge, r->first[v.id]};
  if (link.next && r->list.at[link.next].edge == edge) return;
  r->first[v.id] = (uint32_t)r->list.n;
  tp_vec_push(&r->list, link);
}

static void see(void *ctx, tp_term symbol) {
  walk *w = ctx;
  add(w->r, tp_program_var_of(w->p, symbol), w->edge);
}

static void add_term(walk *w, tp_term t) {
  if (tp_term_is(t)) tp_for_vars(w->p->terms, t, see, w);
}

void tp_readers_init(tp_readers *r, const tp_program *p) {
  *r = (tp_readers){.first = TP_NEW_ARRAY(uint32_t, p->vars.n)};
  tp_vec_push(&r->list, (tp_reader){0});
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    walk w = {r, p, i};
    if (!e->from.id) continue;  // removed
    add_term(&w, e->a);
    add_term(&w, e->b);
    add_term(&w, e->c);
    for (uint32_t k = 0; k < e->n_args; k++) add_term(&w, e->args[k]);
    if (e->kind != TP_E_CALL) continue;
    if (e->callee.id)
      add(r, tp_func_of(p, e->callee)->result, i);
    else
      tp_vec_push(&r->through_pointer, i);
  }
}

void tp_readers_clear(tp_readers *r) {
  tp_free(r->first);
  r->first = NULL;
  tp_vec_clear(&r->list);
  tp_vec_clear(&r->through_pointer);
}

void tp_readers_push(const tp_readers *r, tp_var v, tp_edge_worklist *todo) {
  TP_REQUIRE(v.id != 0);
  for (uint32_t at = r->first[v.id]; at; at = r->list.at[at].next)
    tp_vec_push(todo, r->list.at[at].edge);
}

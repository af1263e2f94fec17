/* Countdowns of visits, in blocks of words that machine code shares.
 *
 * A block has one countdown for each location of its function, then one link for each callee of
 * each call. Blocks refer to each other by the number of their first word, so all words may be
 * copied. */
#include "exec/visits.h"

#include "exec/path_code.h"
#include "exec/machine_state.h"

static bool enters(const tp_program *p, const tp_edge_info *e) {
  return e->kind == TP_E_CALL && !(e->callee.id && !tp_func_of(p, e->callee)->has_body);
}

/* Links of a call: one, or one for each number of a callee. */
static uint32_t links_of(const tp_program *p, uint32_t edge) {
  const tp_edge_info *e = &p->edges.at[edge];
  if (!enters(p, e)) return 0;
  return e->callee.id ? 1 : tp_path_n_callees(p, (tp_edge){edge});
}

static void lay_out(tp_visits *v) {
  const tp_program *p = v->p;
  for (uint32_t l = 1; l < p->locs.n; l++) v->place[l] = v->n_places[p->locs.at[l].func.id]++;
  for (uint32_t f = 1; f < p->funcs.n; f++) v->n_words[f] = v->n_places[f];
  for (uint32_t i = 1; i < p->edges.n; i++) {
    if (!p->edges.at[i].from.id) continue;
    uint32_t f = tp_loc_of(p, p->edges.at[i].from)->func.id;
    v->link[i] = v->n_words[f];
    v->n_words[f] += links_of(p, i);
  }
}

static tp_visit_block new_block(tp_visits *v, tp_func f) {
  tp_visit_block b = {(uint32_t)v->words.n};
  for (uint32_t i = 0; i < v->n_words[f.id]; i++) tp_vec_push(&v->words, TP_VISITS_UNLIMITED);
  return b;
}

static void link_common_blocks(tp_visits *v) {
  const tp_program *p = v->p;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    uint32_t n = e->from.id ? links_of(p, i) : 0,
             first = n ? v->common[tp_loc_of(p, e->from)->func.id].at + v->link[i] : 0;
    for (uint32_t k = 0; k < n; k++) {
      tp_func callee = e->callee.id ? e->callee : tp_path_callee(p, (tp_edge){i}, k);
      v->words.at[first + k] = v->common[callee.id].at;
    }
  }
}

void tp_visits_init(tp_visits *v, const tp_program *p) {
  *v = (tp_visits){.p = p};
  tp_vec_push(&v->words, 0);
  v->place = TP_NEW_ARRAY(uint32_t, p->locs.n);
  v->link = TP_NEW_ARRAY(uint32_t, p->edges.n);
  v->n_places = TP_NEW_ARRAY(uint32_t, p->funcs.n);
  v->n_words = TP_NEW_ARRAY(uint32_t, p->funcs.n);
  v->common = TP_NEW_ARRAY(tp_visit_block, p->funcs.n);
  lay_out(v);
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (v->n_places[f]) v->common[f] = new_block(v, (tp_func){f});
  link_common_blocks(v);
}

void tp_visits_clear(tp_visits *v) {
  tp_vec_clear(&v->words);
  tp_free(v->place);
  tp_free(v->link);
  tp_free(v->n_places);
  tp_free(v->n_words);
  tp_free(v->common);
}

/* A copy of the common block, whose countdowns may have been counted by now. */
tp_visit_block tp_visits_add(tp_visits *v, tp_func f) {
  TP_REQUIRE(f.id && v->n_places[f.id]);
  tp_visit_block b = new_block(v, f);
  for (uint32_t i = v->n_places[f.id]; i < v->n_words[f.id]; i++)
    v->words.at[b.at + i] = v->words.at[v->common[f.id].at + i];
  return b;
}

uint32_t tp_visits_link_of(const tp_visits *v, tp_edge call, tp_func callee) {
  TP_REQUIRE(tp_edge_of(v->p, call)->kind == TP_E_CALL);
  uint32_t number = 0;
  if (!tp_edge_of(v->p, call)->callee.id) (void)tp_path_callee_number(v->p, call, callee, &number);
  return v->link[call.id] + number;
}

void tp_visits_link(tp_visits *v, tp_visit_block from, tp_edge call, tp_visit_block to,
                    tp_func callee) {
  TP_REQUIRE(from.at && to.at && to.at < v->words.n);
  v->words.at[from.at + tp_visits_link_of(v, call, callee)] = to.at;
}

tp_visit_block tp_visits_block_of_state(const tp_visits *v, tp_visit_block root,
                                        const tp_state *s) {
  for (size_t i = 1; i < s->frames.n; i++)
    root.at =
        (uint32_t)
            v->words.at[root.at + tp_visits_link_of(v, s->frames.at[i].call, s->frames.at[i].func)];
  return root;
}

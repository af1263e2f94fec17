/* Relevant facts: a walk over the bipartite graph of facts and symbols, from the goals. */
#include "certify/symbolic/relevant_facts.h"

#include "certify/certify_limits.h"

void tp_chk_relevance_init(tp_chk_relevance *r, const tp_terms *tt) {
  *r = (tp_chk_relevance){.tt = tt};
}

void tp_chk_relevance_clear(tp_chk_relevance *r) {
  tp_map_clear(&r->list_of);
  tp_vec_clear(&r->symbols);
  tp_vec_clear(&r->todo);
}

// ---------------------------------------------------------------------- symbols

/* The list of the term's symbols: their number, then their ids. A term that is larger than the
 * limits has the first ones only. */
static const uint32_t *symbols_of(tp_chk_relevance *r, tp_term t) {
  uint64_t start;
  if (tp_map_get(&r->list_of, t.id, &start)) return &r->symbols.at[start];
  start = r->symbols.n;
  tp_map_set(&r->list_of, t.id, start);
  tp_vec_push(&r->symbols, 0);
  tp_map seen = {0};
  r->todo.n = 0;
  tp_vec_push(&r->todo, t.id);
  for (uint32_t terms = 0, found = 0; r->todo.n && terms < TP_CERTIFY_RELEVANT_TERMS; terms++) {
    tp_term at = {tp_vec_pop(&r->todo)};
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    if (tp_kind(r->tt, at) == TP_OP_VAR) {
      if (found++ == TP_CERTIFY_RELEVANT_SYMBOLS) break;
      tp_vec_push(&r->symbols, at.id);
    }
    for (uint32_t i = tp_n_args(r->tt, at); i-- > 0;)
      tp_vec_push(&r->todo, tp_arg(r->tt, at, i).id);
  }
  tp_map_clear(&seen);
  r->symbols.at[start] = (uint32_t)(r->symbols.n - start - 1);
  return &r->symbols.at[start];
}

// ------------------------------------------------------------------------- walk

/* The facts of each symbol, as lists: `first` gives the number of a link + 1. */
typedef struct {
  uint32_t fact, next;
} link;
typedef struct {
  tp_map first;
  TP_VEC(link) links;
  TP_VEC(uint32_t) reached;  // symbols whose facts are not yet taken
} walk;

static void reach(walk *w, const uint32_t *list) {
  for (uint32_t i = 1; i <= list[0]; i++) tp_vec_push(&w->reached, list[i]);
}

static void index_facts(tp_chk_relevance *r, walk *w, const tp_term *facts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const uint32_t *list = symbols_of(r, facts[i]);
    for (uint32_t k = 1; k <= list[0]; k++) {
      uint64_t next = 0;
      (void)tp_map_get(&w->first, list[k], &next);
      link l = {(uint32_t)i, (uint32_t)next};
      tp_vec_push(&w->links, l);
      tp_map_set(&w->first, list[k], w->links.n);
    }
  }
}

size_t tp_chk_relevant_facts(tp_chk_relevance *r, const tp_term *facts, size_t n,
                             const tp_term *goals, size_t n_goals, bool *relevant) {
  walk w = {0};
  size_t count = 0;
  index_facts(r, &w, facts, n);
  memset(relevant, 0, n * sizeof *relevant);
  for (size_t i = 0; i < n_goals; i++) reach(&w, symbols_of(r, goals[i]));
  if (!w.reached.n && n) {
    reach(&w, symbols_of(r, facts[n - 1]));
    count += relevant[n - 1] = true;
  }
  while (w.reached.n) {
    uint32_t symbol = tp_vec_pop(&w.reached);
    uint64_t at = 0;
    if (!tp_map_get(&w.first, symbol, &at)) continue;
    tp_map_set(&w.first, symbol, 0);
    for (; at; at = w.links.at[at - 1].next) {
      uint32_t i = w.links.at[at - 1].fact;
      if (relevant[i]) continue;
      count += relevant[i] = true;
      reach(&w, symbols_of(r, facts[i]));
    }
  }
  tp_map_clear(&w.first);
  tp_vec_clear(&w.links);
  tp_vec_clear(&w.reached);
  TP_INVARIANT(count <= n);
  return count;
}

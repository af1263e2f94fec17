/* Models of a graph: cells are dealt to nodes, then pointers and links are chosen one after the
 * other.
 *
 * Cells of one node follow each other in number, and a link tries the next cell of its own node
 * first, then cells of other nodes from their first on, then what is outside, then nil: where the
 * graph allows both, its link is unknown, and of nil alone it would be known. A link that the graph
 * has for certain leaves no choice. */
#include "adequacy/heap_models.h"

typedef struct {
  const tp_shape_class *c;
  const tp_structure *g;
  const bool *is_known;
  bool (*visit)(void *ctx, const tp_heap_model *m);
  void *ctx;
  uint32_t tries;
  uint8_t first[TP_SHAPE_MAX_NODES], count[TP_SHAPE_MAX_NODES];  // cells by node
  int16_t *pointer;
  tp_heap_model m;
} search;

static bool is_cell(const search *x, uint32_t u) {
  return (x->g->unary[x->c->outside].may >> u & 1) == 0;
}
static bool is_freed(const search *x, uint32_t u) { return x->g->unary[x->c->freed].must >> u & 1; }

uint32_t tp_heap_model_least(const tp_shape_class *c, const tp_structure *g) {
  const uint64_t cells = tp_structure_nodes(g) & ~g->unary[c->outside].may;
  return (uint32_t)(__builtin_popcountll(cells) + __builtin_popcountll(cells & g->summary));
}

/* Where a value of the graph may lead, in the order of preference; `from` a cell or n_cells. */
static uint32_t targets(const search *x, tp_k64 value, uint32_t from, int16_t *out) {
  uint32_t n = 0;
  bool is_outside = false;
  const uint32_t own = from < x->m.n_cells ? x->m.node[from] : TP_SHAPE_MAX_NODES;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t u = 0; u < x->g->n; u++) {
      if ((value.may >> u & 1) == 0 || (value.must && (value.must >> u & 1) == 0)) continue;
      if (!is_cell(x, u)) {
        is_outside = true;
        continue;
      }
      for (uint32_t i = 0; i < x->count[u]; i++) {
        const uint32_t to = x->first[u] + i;
        const bool is_next = u == own && to == from + 1;
        if (is_next == (pass == 0)) out[n++] = (int16_t)to;
      }
    }
  if (is_outside) out[n++] = TP_PARTIAL_NUMBER;
  if (!value.must) out[n++] = TP_PARTIAL_NIL;
  return n;
}

static bool choose_links(search *x, uint32_t f, uint32_t cell) {
  if (f == x->c->n_fields) {
    x->tries++;
    return x->visit(x->ctx, &x->m);
  }
  if (cell == x->m.n_cells) return choose_links(x, f + 1, 0);
  int16_t to[TP_ADEQUACY_HEAP_CELLS + 2];
  uint32_t n = 1;
  to[0] = TP_PARTIAL_NIL;
  if (!x->m.is_freed[cell])
    n = targets(x, *tp_structure_row(x->g, x->c->field[f], x->m.node[cell]), cell, to);
  for (uint32_t i = 0; i < n && x->tries < TP_ADEQUACY_HEAP_MODELS; i++) {
    x->m.field[f][cell] = to[i];
    if (choose_links(x, f, cell + 1)) return true;
  }
  return false;
}

static bool choose_pointers(search *x, uint32_t p) {
  if (p == x->c->n_pointers) return choose_links(x, 0, 0);
  int16_t to[TP_ADEQUACY_HEAP_CELLS + 2];
  uint32_t n = 1;
  to[0] = TP_PARTIAL_NOTHING;
  if (x->is_known[p]) n = targets(x, x->g->unary[x->c->points[p]], x->m.n_cells, to);
  for (uint32_t i = 0; i < n && x->tries < TP_ADEQUACY_HEAP_MODELS; i++) {
    x->pointer[p] = to[i];
    if (choose_pointers(x, p + 1)) return true;
  }
  return false;
}

/* Deals the cells that are left to the nodes from u on, fewest to the first ones. */
static bool deal(search *x, uint32_t u, uint32_t dealt) {
  if (u == x->g->n) {
    x->tries = 0;
    return dealt == x->m.n_cells && choose_pointers(x, 0);
  }
  x->first[u] = (uint8_t)dealt;
  x->count[u] = 0;
  if (!is_cell(x, u)) return deal(x, u + 1, dealt);
  const bool is_summary = tp_structure_is_summary(x->g, u);
  const uint32_t most = is_summary ? x->m.n_cells - dealt : 1;
  for (uint32_t i = 0; i < most && dealt + i < x->m.n_cells; i++) {
    x->m.node[dealt + i] = (uint8_t)u;
    x->m.is_freed[dealt + i] = is_freed(x, u);
    x->count[u] = (uint8_t)(i + 1);
    if ((!is_summary || i > 0) && deal(x, u + 1, dealt + i + 1)) return true;
  }
  return false;
}

bool tp_heap_models(const tp_shape_class *c, const tp_structure *g, const bool *is_known,
                    uint32_t n_cells, bool (*visit)(void *ctx, const tp_heap_model *m), void *ctx) {
  if (n_cells > TP_ADEQUACY_HEAP_CELLS || n_cells < tp_heap_model_least(c, g)) return false;
  search x = {.c = c, .g = g, .is_known = is_known, .visit = visit, .ctx = ctx};
  x.pointer = TP_NEW_ARRAY(int16_t, c->n_pointers + 1);
  x.m.n_cells = n_cells;
  x.m.pointer = x.pointer;
  const bool is_found = deal(&x, 0, 0);
  tp_free(x.pointer);
  return is_found;
}

uint32_t tp_heap_model_graph(tp_shape_engine *e, const tp_structure *g, const tp_heap_model *m) {
  const tp_shape_class *c = tp_shape_engine_class(e);
  int16_t fields[TP_SHAPE_MAX_FIELDS * TP_ADEQUACY_HEAP_CELLS + 1];
  tp_kleene freed[TP_ADEQUACY_HEAP_CELLS + 1];
  tp_kleene *facts = TP_NEW_ARRAY(tp_kleene, m->n_cells * c->n_data_predicates + 1);
  for (uint32_t i = 0; i < m->n_cells; i++) {
    for (uint32_t f = 0; f < c->n_fields; f++) fields[f * m->n_cells + i] = m->field[f][i];
    for (uint32_t d = 0; d < c->n_data_predicates; d++)
      facts[d * m->n_cells + i] = tp_k64_get(g->unary[c->data_predicate[d]], m->node[i]);
    freed[i] = m->is_freed[i] ? TP_KLEENE_TRUE : TP_KLEENE_FALSE;
  }
  const tp_partial_heap heap = {.n_cells = m->n_cells,
                                .pointer = m->pointer,
                                .field = fields,
                                .data_predicate = facts,
                                .freed = freed,
                                .is_complete = true,
                                .outside = TP_PARTIAL_YES};
  tp_graph_ids found = {0};
  const bool is_one = tp_shape_from_partial(e, &heap, &found) == TP_OK && found.n == 1;
  const uint32_t id = is_one ? found.at[0] : 0;
  tp_vec_clear(&found);
  tp_free(facts);
  return id;
}

/* How the shape engine's work grows: a list of any length and k pointers that walk along it on
 * their own.
 *
 *   bench/shape/growth pointers|data STRUCTURE.scg MOST SECONDS
 *
 * pointers: 3 to MOST pointers. data: 3 pointers, 0 to MOST facts about the data of cells, each set
 * to any value where a cell is made. Ends early where the next size would take more than SECONDS,
 * by the growth so far. One line for each size, tab-separated: family, size, structure, graphs at
 * the head of the loop that walks, all graphs, transformers computed, bytes of a graph, CPU seconds
 * (mean of as many runs as a tenth of a second takes), graphs and transformers per second. Numbers
 * of graphs and steps depend on nothing but the input. */
#include "shape/transform.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_POINTERS = 12, MAX_ASSERTIONS = 8, MAX_EDGES = 256 };
typedef struct {
  uint32_t from, to;
  tp_shape_step step;
} edge;
typedef struct {
  edge edges[MAX_EDGES];
  uint32_t n_edges, n_locs;
} program;

static void add(program *p, uint32_t from, uint32_t to, tp_shape_step step) {
  p->edges[p->n_edges++] = (edge){from, to, step};
  if (to >= p->n_locs) p->n_locs = to + 1;
  if (from >= p->n_locs) p->n_locs = from + 1;
}

/* list = nil; while (*) { t = new; t->data = any; t->n = list; list = t; } t = nil; w[i] = list;
 * while (*) if (w[i]) w[i] = w[i]->n; */
static uint32_t walkers(program *p, uint32_t n_pointers, uint32_t n_data_predicates) {
  enum { LIST, T, FIRST };
  *p = (program){0};
  add(p, 0, 1, tp_heap_step(TP_HEAP_NIL, LIST, -1, -1));
  uint32_t at = 2;
  add(p, 1, at, tp_heap_step(TP_HEAP_NEW, T, -1, -1));
  for (uint32_t i = 0; i < n_data_predicates; i++, at++)
    for (int v = 0; v < 2; v++)
      add(p, at, at + 1,
          (tp_shape_step){.kind = TP_SHAPE_STEP_ASSIGN_DATA,
                          .x = T,
                          .data_predicate = (int16_t)i,
                          .value = v ? TP_KLEENE_TRUE : TP_KLEENE_FALSE});
  add(p, at, at + 1, tp_heap_step(TP_HEAP_STORE, T, LIST, 0));
  add(p, at + 1, 1, tp_heap_step(TP_HEAP_COPY, LIST, T, -1));
  at += 2;
  add(p, 1, at, tp_heap_step(TP_HEAP_NIL, T, -1, -1));
  for (uint32_t i = FIRST; i < n_pointers; i++, at++)
    add(p, at, at + 1, tp_heap_step(TP_HEAP_COPY, (int)i, LIST, -1));
  const uint32_t head = at++;
  for (uint32_t i = FIRST; i < n_pointers; i++) {
    add(p, head, at, (tp_shape_step){.kind = TP_SHAPE_STEP_NOT_NIL, .x = (int16_t)i});
    add(p, at++, head, tp_heap_step(TP_HEAP_LOAD, (int)i, (int)i, 0));
  }
  return head;
}

/* All graphs of all locations, by a worklist of (location, graph). */
static bool explore(tp_shape_engine *e, const program *p, tp_graph_ids *at) {
  TP_VEC(uint64_t) waiting = {0};
  uint32_t events = 0;
  tp_graph_ids_add(&at[0], tp_shape_engine_empty(e));
  tp_vec_push(&waiting, at[0].at[0]);
  bool ok = true;
  for (size_t next = 0; ok && next < waiting.n; next++) {
    const uint32_t from = (uint32_t)(waiting.at[next] >> 32), graph = (uint32_t)waiting.at[next];
    for (uint32_t i = 0; ok && i < p->n_edges; i++) {
      if (p->edges[i].from != from) continue;
      tp_graph_ids out = {0}, *to = &at[p->edges[i].to];
      ok = tp_shape_post(e, graph, &p->edges[i].step, &out, &events) == TP_OK;
      for (size_t k = 0; k < out.n; k++) {
        const size_t before = to->n;
        tp_graph_ids_add(to, out.at[k]);
        if (to->n > before) tp_vec_push(&waiting, (uint64_t)p->edges[i].to << 32 | out.at[k]);
      }
      tp_vec_clear(&out);
    }
  }
  tp_vec_clear(&waiting);
  return ok && events == 0;
}

typedef struct {
  size_t at_head, graphs, bytes;
  uint64_t posts;
  double cpu_s;
} result;

/* One run with an engine of its own, which remembers nothing. */
static bool explore_once(tp_shape_class *c, uint32_t n_pointers, uint32_t n_data_predicates,
                         result *r) {
  tp_shape_engine *e = tp_shape_engine_new(c);
  program p;
  const uint32_t head = walkers(&p, n_pointers, n_data_predicates);
  tp_graph_ids *at = TP_NEW_ARRAY(tp_graph_ids, p.n_locs);
  const double start = tp_cpu_s();
  const bool ok = explore(e, &p, at);
  const tp_graph_pool *pool = tp_shape_engine_graphs(e);
  *r = (result){at[head].n, pool->list.n, pool->arena.bytes / (pool->list.n ? pool->list.n : 1),
                tp_shape_engine_stats(e)->posts, tp_cpu_s() - start};
  for (uint32_t i = 0; i < p.n_locs; i++) tp_vec_clear(&at[i]);
  tp_free(at);
  tp_shape_engine_free(e);
  return ok;
}

static bool measure(const tp_description *entry, uint32_t n_pointers, uint32_t n_data_predicates,
                    result *r) {
  static const char *const names[MAX_POINTERS] = {"list", "t", "a", "b", "c", "d",
                                                  "e",    "f", "g", "h", "i", "j"};
  static const char *const texts[MAX_ASSERTIONS] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
  tp_tracked_pointer pointers[MAX_POINTERS];
  tp_data_predicate data_predicates[MAX_ASSERTIONS];
  for (uint32_t i = 0; i < n_pointers; i++) pointers[i] = (tp_tracked_pointer){names[i], true};
  for (uint32_t i = 0; i < n_data_predicates; i++)
    data_predicates[i] = (tp_data_predicate){.text = texts[i]};
  const tp_tracking d = {.pointers = pointers,
                         .n_pointers = n_pointers,
                         .data_predicates = data_predicates,
                         .n_data_predicates = n_data_predicates};
  tp_shape_class *c;
  if (tp_shape_class_new((tp_generator){entry, tp_description_all_families(entry)}, NULL, &d, &c) !=
      TP_OK)
    return false;
  double sum = 0;
  uint32_t n = 0;
  bool ok = true;
  for (; ok && sum < 0.1; n++) {
    ok = explore_once(c, n_pointers, n_data_predicates, r);
    sum += r->cpu_s + 1e-6;
  }
  r->cpu_s = sum / n;
  tp_shape_class_free(c);
  return ok;
}

static void print(const char *family, uint32_t size, const char *structure, const result *r) {
  printf("%s\t%u\t%s\t%zu\t%zu\t%llu\t%zu\t%.6f\t%.0f\t%.0f\n", family, size, structure, r->at_head,
         r->graphs, (unsigned long long)r->posts, r->bytes, r->cpu_s, (double)r->graphs / r->cpu_s,
         (double)r->posts / r->cpu_s);
  fflush(stdout);
}

int main(int argc, char **argv) {
  const bool is_data = argc == 5 && strcmp(argv[1], "data") == 0,
             is_pointers = argc == 5 && strcmp(argv[1], "pointers") == 0;
  const uint32_t most = argc == 5 ? (uint32_t)atoi(argv[3]) : 0;
  const double limit_s = argc == 5 ? atof(argv[4]) : 0;
  if ((!is_data && !is_pointers) ||
      most > (is_data ? (uint32_t)MAX_ASSERTIONS : (uint32_t)MAX_POINTERS))
    return fprintf(stderr, "usage: growth pointers|data STRUCTURE.scg MOST SECONDS\n"), 64;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_description entry = {0};
  bool ok = tp_description_read(&entry, argv[2], diag) == TP_OK;
  double expected_s = 0, before_s = 0;
  for (uint32_t n = is_data ? 0 : 3; ok && n <= most && expected_s <= limit_s; n++) {
    result r;
    ok = measure(&entry, is_data ? 3 : n, is_data ? n : 0, &r);
    if (ok) print(argv[1], n, entry.name, &r);
    expected_s = before_s > 0 ? r.cpu_s * r.cpu_s / before_s : 0;
    before_s = r.cpu_s;
  }
  if (!ok) fprintf(stderr, "growth: %s: failed\n", argv[2]);
  tp_description_clear(&entry);
  tp_diag_free(diag);
  return ok ? 0 : 1;
}

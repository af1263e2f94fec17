/* Three-valued graphs against heaps of a few elements: graphs are made of random heaps, with values
 * blurred; whatever is computed with them is right for each heap that they describe. What
 * "describes" means is written here once more, from doc/certificates.md. TP_SEED: the first round;
 * TP_SOAK: many. */
#include "certify/shapes/three_valued.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  CELLS = 4,
  STRANGERS = 2,
  MOST = CELLS + STRANGERS,
  HEAPS = 3,
  NODES = 4,
  VARIABLES = 4,
  ROUNDS = 3000,
  SOAK_ROUNDS = 400000
};
enum { X = 1, Y, FREED, FOREIGN, LINK, DATA, RELATION, BACK, N_PREDICATES };

/* Elements: cells, then strangers. -1: null. */
typedef struct {
  int n_cells, n;
  bool freed[MOST], data[MOST], relation[MOST][MOST];
  int field[2][MOST], pointer[2];
} heap;

typedef struct {
  tp_rng rng;
  tp_chk_class c;
  tp_arena arena;
  heap heaps[HEAPS];
  int n_heaps;
} scene;

static uint32_t below(scene *s, uint64_t n) { return (uint32_t)tp_rng_below(&s->rng, n); }

// ------------------------------------------------------------------------ heaps

static bool is_held(const heap *h, int e) {
  bool held = h->pointer[0] == e || h->pointer[1] == e;
  for (int c = 0; c < h->n_cells; c++)
    held = held || (!h->freed[c] && (h->field[0][c] == e || h->field[1][c] == e));
  return held;
}

static int anywhere(scene *s, const heap *h) { return (int)below(s, (uint64_t)h->n + 1) - 1; }

/* A stranger that nothing holds is no element: x gets hold of the last such one. */
static heap some_heap(scene *s) {
  heap h = {.n_cells = (int)below(s, CELLS + 1)};
  h.n = h.n_cells + (int)below(s, STRANGERS + 1);
  for (int e = 0; e < h.n; e++) {
    h.freed[e] = e < h.n_cells && below(s, 4) == 0;
    h.data[e] = below(s, 2);
    for (int f = 0; f < 2; f++) h.field[f][e] = anywhere(s, &h);
    for (int g = 0; g < h.n; g++) h.relation[e][g] = below(s, 2);
  }
  for (int p = 0; p < 2; p++) h.pointer[p] = anywhere(s, &h);
  for (int e = h.n - 1; e >= h.n_cells; e--)
    if (!is_held(&h, e)) {
      if (e + 1 == h.n)
        h.n--;
      else
        h.pointer[0] = e;
    }
  while (h.n > h.n_cells && !is_held(&h, h.n - 1)) h.n--;
  for (int e = h.n_cells; e < h.n; e++)
    if (!is_held(&h, e)) return (heap){.pointer = {-1, -1}};
  return h;
}

static bool leads(const heap *h, int f, int a, int b) {
  return a < h->n_cells && !h->freed[a] && h->field[f][a] == b;
}

static bool value_in(const heap *h, uint32_t k, int a, int b) {
  switch (k) {
    case X:
    case Y: return h->pointer[k - X] == a;
    case FREED: return h->freed[a];
    case FOREIGN: return a >= h->n_cells;
    case LINK: return leads(h, 0, a, b);
    case BACK: return leads(h, 1, a, b);
    case DATA: return h->data[a];
    default: return h->relation[a][b];
  }
}

static bool has_path(const heap *h, uint64_t fields, int a, int b) {
  bool seen[MOST] = {false};
  int todo[MOST], n = 0;
  for (todo[n++] = a; n > 0;) {
    const int at = todo[--n];
    for (int to = 0; to < h->n; to++) {
      const bool is_step =
          ((fields & 1) && leads(h, 0, at, to)) || ((fields & 2) && leads(h, 1, at, to));
      if (!is_step || seen[to]) continue;
      seen[to] = true;
      todo[n++] = to;
    }
  }
  return seen[b];
}

// --------------------------------------------------------------------- formulas

enum { ZERO, ONE, OPEN };
static int least(int a, int b) {
  return a == ZERO || b == ZERO ? ZERO : a == ONE && b == ONE ? ONE : OPEN;
}
static int opposite(int a) { return a == OPEN ? OPEN : a == ONE ? ZERO : ONE; }

/* In one heap, of these elements; an open value stands for either. */
static int truth(const heap *h, const tp_chk_formula *f, const int *env) {
  int inner[TP_CHK_VARIABLES], t, c;
  switch (f->kind) {
    case TP_CHK_F_VALUE: return f->value == TP_CHK_HALF ? OPEN : f->value == 1 ? ONE : ZERO;
    case TP_CHK_F_ATOM:
      return value_in(h, f->predicate, env[f->a], f->has_b ? env[f->b] : 0) ? ONE : ZERO;
    case TP_CHK_F_EQUAL: return env[f->a] == env[f->b] ? ONE : ZERO;
    case TP_CHK_F_NOT: return opposite(truth(h, f->kid[0], env));
    case TP_CHK_F_AND: return least(truth(h, f->kid[0], env), truth(h, f->kid[1], env));
    case TP_CHK_F_OR:
      return opposite(
          least(opposite(truth(h, f->kid[0], env)), opposite(truth(h, f->kid[1], env))));
    case TP_CHK_F_IF:
      c = truth(h, f->kid[0], env);
      if (c != OPEN) return truth(h, f->kid[c == ONE ? 1 : 2], env);
      t = truth(h, f->kid[1], env);
      return t == truth(h, f->kid[2], env) ? t : OPEN;
    case TP_CHK_F_EXISTS:
    case TP_CHK_F_FORALL:
      memcpy(inner, env, sizeof inner);
      t = ONE;
      for (inner[f->a] = 0; inner[f->a] < h->n; inner[f->a]++) {
        c = truth(h, f->kid[0], inner);
        t = least(t, f->kind == TP_CHK_F_FORALL ? c : opposite(c));
      }
      return f->kind == TP_CHK_F_FORALL ? t : opposite(t);
    case TP_CHK_F_PATH:
      return (f->is_reflexive && env[f->a] == env[f->b]) ||
                     has_path(h, f->fields, env[f->a], env[f->b])
                 ? ONE
                 : ZERO;
  }
  return OPEN;
}

static const tp_chk_formula *some_formula(scene *s, int depth, bool may_be_open) {
  tp_chk_formula *f = tp_arena_alloc(&s->arena, sizeof *f);
  *f = (tp_chk_formula){.a = (uint8_t)below(s, VARIABLES),
                        .b = (uint8_t)below(s, VARIABLES),
                        .fields = 1 + below(s, 3),
                        .is_reflexive = below(s, 2)};
  static const tp_chk_formula_kind small[] = {TP_CHK_F_ATOM, TP_CHK_F_ATOM,  TP_CHK_F_ATOM,
                                              TP_CHK_F_ATOM, TP_CHK_F_EQUAL, TP_CHK_F_PATH,
                                              TP_CHK_F_PATH, TP_CHK_F_VALUE};
  static const tp_chk_formula_kind large[] = {TP_CHK_F_NOT,    TP_CHK_F_AND,   TP_CHK_F_AND,
                                              TP_CHK_F_OR,     TP_CHK_F_OR,    TP_CHK_F_IF,
                                              TP_CHK_F_EXISTS, TP_CHK_F_FORALL};
  f->kind = depth == 0 || below(s, 4) == 0 ? small[below(s, 8)] : large[below(s, 8)];
  if (f->kind == TP_CHK_F_VALUE) f->value = (uint8_t)below(s, may_be_open ? 3 : 2);
  if (f->kind == TP_CHK_F_ATOM) {
    f->predicate = 1 + below(s, N_PREDICATES - 1);
    f->has_b = s->c.predicates.at[f->predicate].arity == 2;
  }
  const int kids =
      f->kind == TP_CHK_F_IF ? 3
      : f->kind == TP_CHK_F_AND || f->kind == TP_CHK_F_OR
          ? 2
          : f->kind == TP_CHK_F_NOT || f->kind == TP_CHK_F_EXISTS || f->kind == TP_CHK_F_FORALL;
  for (int i = 0; i < kids; i++) f->kid[i] = some_formula(s, depth - 1, may_be_open);
  return f;
}

// ------------------------------------------------------------------------ graphs

static bool agrees(uint8_t at_node, bool in_heap) {
  return at_node == TP_CHK_HALF || at_node == in_heap;
}

/* Elements 0 .. e - 1 of the heap are at nodes; can the others be? */
static bool can_place(const heap *h, const tp_chk_structure *g, int *at, int e) {
  if (e == h->n) {
    for (uint32_t v = 0; v < g->n; v++) {
      int count = 0;
      for (int i = 0; i < h->n; i++) count += at[i] == (int)v;
      if ((g->is_single[v] && count > 1) || (g->is_inhabited[v] && count == 0)) return false;
    }
    return true;
  }
  for (at[e] = 0; at[e] < (int)g->n; at[e]++) {
    bool ok = true;
    for (uint32_t k = 1; k < N_PREDICATES && ok; k++)
      for (int i = 0; i <= e && ok; i++) {
        const uint32_t u = (uint32_t)at[i], v = (uint32_t)at[e];
        if (g->c->predicates.at[k].arity == 1)
          ok = agrees(*tp_chk_structure_at(g, k, u, 0), value_in(h, k, i, 0));
        else
          ok = agrees(*tp_chk_structure_at(g, k, u, v), value_in(h, k, i, e)) &&
               agrees(*tp_chk_structure_at(g, k, v, u), value_in(h, k, e, i));
      }
    if (ok && can_place(h, g, at, e + 1)) return true;
  }
  return false;
}

static bool describes(const tp_chk_structure *g, const heap *h) {
  int at[MOST + 1];
  return can_place(h, g, at, 0);
}

/* Does what is known of a node, or a pair, become unknown? */
static uint8_t blurred(scene *s, uint8_t value) { return below(s, 5) == 0 ? TP_CHK_HALF : value; }

/* A graph of all heaps, where the elements of each are at the nodes that `at` says. Values at nodes
 * without elements are any. */
static tp_chk_structure *graph_of(scene *s, int at[HEAPS][MOST]) {
  const uint32_t n = 1 + below(s, NODES);
  tp_chk_structure *g = tp_chk_structure_new(&s->c, n);
  for (uint32_t v = 0; v < n; v++) g->is_single[v] = g->is_inhabited[v] = true;
  bool seen[N_PREDICATES][NODES][NODES] = {{{false}}};
  for (int i = 0; i < s->n_heaps; i++) {
    const heap *h = &s->heaps[i];
    int count[NODES] = {0};
    for (int e = 0; e < h->n; e++) count[at[i][e] = (int)below(s, n)]++;
    for (uint32_t v = 0; v < n; v++) {
      g->is_single[v] = g->is_single[v] && count[v] <= 1;
      g->is_inhabited[v] = g->is_inhabited[v] && count[v] > 0;
    }
    for (uint32_t k = 1; k < N_PREDICATES; k++)
      for (int a = 0; a < h->n; a++)
        for (int b = 0; b < (s->c.predicates.at[k].arity == 2 ? h->n : 1); b++) {
          const uint32_t u = (uint32_t)at[i][a],
                         v = s->c.predicates.at[k].arity == 2 ? (uint32_t)at[i][b] : 0;
          uint8_t *value = tp_chk_structure_at(g, k, u, v), now = value_in(h, k, a, b);
          *value = !seen[k][u][v] || *value == now ? now : TP_CHK_HALF;
          seen[k][u][v] = true;
        }
  }
  for (uint32_t k = 1; k < N_PREDICATES; k++)
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t v = 0; v < (s->c.predicates.at[k].arity == 2 ? n : 1); v++) {
        uint8_t *value = tp_chk_structure_at(g, k, u, v);
        *value = seen[k][u][v] ? blurred(s, *value) : (uint8_t)below(s, 3);
      }
  for (uint32_t v = 0; v < n; v++) {
    g->is_single[v] = g->is_single[v] && below(s, 6) > 0;
    g->is_inhabited[v] = g->is_inhabited[v] && below(s, 6) > 0;
  }
  return g;
}

// ------------------------------------------------------------------------ rounds

static void add_predicate(scene *s, tp_chk_predicate_kind kind, uint32_t arity, uint32_t field) {
  tp_chk_predicate p = {.kind = kind, .arity = arity, .field = field};
  tp_vec_push(&s->c.predicates, p);
}

static scene open_scene(uint64_t seed) {
  scene s = {0};
  tp_rng_init(&s.rng, seed);
  tp_arena_init(&s.arena);
  tp_vec_push(&s.c.offsets, 0);
  tp_vec_push(&s.c.offsets, 8);
  add_predicate(&s, TP_CHK_P_OPAQUE, 1, 0);
  add_predicate(&s, TP_CHK_P_POINTER, 1, 0);
  add_predicate(&s, TP_CHK_P_POINTER, 1, 0);
  add_predicate(&s, TP_CHK_P_FREED, 1, 0);
  add_predicate(&s, TP_CHK_P_OUTSIDE, 1, 0);
  add_predicate(&s, TP_CHK_P_FIELD, 2, 0);
  add_predicate(&s, TP_CHK_P_DATA, 1, 0);
  add_predicate(&s, TP_CHK_P_OPAQUE, 2, 0);
  add_predicate(&s, TP_CHK_P_FIELD, 2, 1);
  s.n_heaps = 1 + (int)below(&s, HEAPS);
  for (int i = 0; i < s.n_heaps; i++) s.heaps[i] = some_heap(&s);
  return s;
}

static void close_scene(scene *s) {
  tp_vec_clear(&s->c.predicates);
  tp_vec_clear(&s->c.offsets);
  tp_arena_clear(&s->arena);
}

static uint64_t first_round(void) {
  return getenv("TP_SEED") ? strtoull(getenv("TP_SEED"), NULL, 10) : 1;
}
static uint64_t rounds(void) { return getenv("TP_SOAK") ? SOAK_ROUNDS : ROUNDS; }

/* Of all elements at the nodes of `env`, variables from v on. */
static void agrees_with(const heap *h, const int *at, const tp_chk_formula *f, const uint8_t *env,
                        uint8_t value, int *elements, int v, uint64_t seed) {
  if (v == VARIABLES) {
    const int in_heap = truth(h, f, elements);
    if (in_heap != (value == 1 ? ONE : ZERO))
      fail_msg("TP_SEED=%llu: %u of nodes, %d of elements", (unsigned long long)seed, value,
               in_heap);
    return;
  }
  for (int e = 0; e < h->n; e++)
    if (at[e] == (int)env[v]) {
      elements[v] = e;
      agrees_with(h, at, f, env, value, elements, v + 1, seed);
    }
}

static void formulas_say_what_holds(void **unused) {
  (void)unused;
  uint64_t definite = 0;
  for (uint64_t seed = first_round(); seed < first_round() + rounds(); seed++) {
    scene s = open_scene(seed);
    int at[HEAPS][MOST], elements[TP_CHK_VARIABLES] = {0};
    tp_chk_structure *g = graph_of(&s, at);
    for (int i = 0; i < s.n_heaps; i++)
      if (!describes(g, &s.heaps[i]))
        fail_msg("TP_SEED=%llu: the graph is not one of heap %d", (unsigned long long)seed, i);
    for (int k = 0; k < 20; k++) {
      const tp_chk_formula *f = some_formula(&s, 4, true);
      uint8_t env[TP_CHK_VARIABLES] = {0};
      for (int v = 0; v < VARIABLES; v++) env[v] = (uint8_t)below(&s, g->n);
      const uint8_t value = tp_chk_structure_eval(g, f, env);
      for (uint8_t v = 0; v < 2; v++)
        if (tp_chk_structure_is(g, f, env, v) != (value == v))
          fail_msg("TP_SEED=%llu: is it %u? It is %u", (unsigned long long)seed, v, value);
      if (value == TP_CHK_HALF) continue;
      definite++;
      for (int i = 0; i < s.n_heaps; i++)
        agrees_with(&s.heaps[i], at[i], f, env, value, elements, 0, seed);
    }
    tp_chk_structure_free(g);
    close_scene(&s);
  }
  assert_true(definite > rounds());
}

// ------------------------------------------------------------------------- rules

/* The rule holds in each heap, for all elements. */
static bool is_true_from(const scene *s, const tp_chk_rule *r, const heap *h, int *env, int v) {
  if (v == VARIABLES) return truth(h, r->body, env) != ONE || truth(h, r->head, env) == ONE;
  if (!(r->variables >> v & 1)) return is_true_from(s, r, h, env, v + 1);
  for (env[v] = 0; env[v] < h->n; env[v]++) {
    int inner[TP_CHK_VARIABLES];
    memcpy(inner, env, sizeof inner);
    if (!is_true_from(s, r, h, inner, v + 1)) return false;
  }
  return true;
}

static bool is_rule(const scene *s, const tp_chk_rule *r) {
  for (int i = 0; i < s->n_heaps; i++) {
    int env[TP_CHK_VARIABLES] = {0};
    if (!is_true_from(s, r, &s->heaps[i], env, 0)) return false;
  }
  return true;
}

enum { RULES = 40 };
typedef struct {
  const scene *s;
  const tp_chk_rule *rules;
  uint32_t used;
} proofs;

static bool holds(void *ctx, size_t rule) {
  proofs *p = ctx;
  p->used++;
  return is_rule(p->s, &p->rules[rule]);
}

static tp_chk_rule some_rule(scene *s) {
  tp_chk_rule r = {.head = some_formula(s, (int)below(s, 3), false),
                   .body = some_formula(s, (int)below(s, 3), false)};
  r.variables = tp_chk_formula_free_variables(r.head) | tp_chk_formula_free_variables(r.body);
  r.reads = tp_chk_formula_reads(&s->c, r.head) | tp_chk_formula_reads(&s->c, r.body);
  return r;
}

static uint32_t count_open(const tp_chk_structure *g) {
  uint32_t n = 0;
  for (uint32_t k = 1; k < N_PREDICATES; k++)
    for (uint32_t u = 0; u < g->n; u++)
      for (uint32_t v = 0; v < (g->c->predicates.at[k].arity == 2 ? g->n : 1); v++)
        n += *tp_chk_structure_at(g, k, u, v) == TP_CHK_HALF;
  return n;
}

/* Whether rules are true is asked of the heaps; those that are keep all of them. */
static void sharpening_keeps_heaps(void **unused) {
  (void)unused;
  uint64_t learnt = 0, removed = 0;
  for (uint64_t seed = first_round(); seed < first_round() + rounds(); seed++) {
    scene s = open_scene(seed);
    int at[HEAPS][MOST];
    tp_chk_structure *g = graph_of(&s, at);
    tp_chk_rule rules[RULES];
    for (int i = 0; i < RULES; i++) rules[i] = some_rule(&s);
    proofs p = {&s, rules, 0};
    const uint32_t before = count_open(g), nodes = g->n;
    const tp_chk_rules all = {rules, RULES, holds, &p};
    if (!tp_chk_structure_coerce(g, &all))
      fail_msg("TP_SEED=%llu: no heap is left", (unsigned long long)seed);
    for (int i = 0; i < s.n_heaps; i++)
      if (!describes(g, &s.heaps[i]))
        fail_msg("TP_SEED=%llu: heap %d is not described any more", (unsigned long long)seed, i);
    learnt += g->n == nodes && count_open(g) < before;
    removed += g->n < nodes;
    tp_chk_structure_free(g);
    close_scene(&s);
  }
  assert_true(learnt > 0 && removed > 0);
}

// ---------------------------------------------------------------- cases, embedding

static void cases_leave_out_no_heap(void **unused) {
  (void)unused;
  uint64_t splits = 0;
  for (uint64_t seed = first_round(); seed < first_round() + rounds(); seed++) {
    scene s = open_scene(seed);
    int at[HEAPS][MOST];
    tp_chk_structure *g = graph_of(&s, at);
    tp_chk_structures cases = {0};
    const uint32_t u = below(&s, g->n);
    if (tp_chk_structure_focus(g, below(&s, 2) ? LINK : BACK, u, &cases)) {
      splits++;
      for (int i = 0; i < s.n_heaps; i++) {
        bool any = false;
        for (size_t k = 0; k < cases.n && !any; k++) any = describes(cases.at[k], &s.heaps[i]);
        if (!any) fail_msg("TP_SEED=%llu: heap %d is in no case", (unsigned long long)seed, i);
      }
    }
    for (size_t k = 0; k < cases.n; k++) tp_chk_structure_free(cases.at[k]);
    tp_vec_clear(&cases);
    tp_chk_structure_free(g);
    close_scene(&s);
  }
  assert_true(splits > rounds() / 20);
}

/* The graph as a certificate has it, nodes merged; some values blurred, some wrong. */
static tp_chk_graph written(scene *s, const tp_chk_structure *g) {
  const uint32_t n = 1 + below(s, g->n);
  tp_chk_graph out = {.of = 1, .n = n};
  uint32_t to[NODES], count[NODES] = {0};
  bool *single = tp_arena_array(&s->arena, bool, n);
  for (uint32_t v = 0; v < g->n; v++) count[to[v] = v < n ? v : below(s, n)]++;
  for (uint32_t v = 0; v < n; v++) single[v] = count[v] == 1 && g->is_single[v];
  out.is_single = single;
  out.values = tp_arena_alloc(&s->arena, N_PREDICATES * sizeof *out.values);
  for (uint32_t k = 1; k < N_PREDICATES; k++) {
    const bool is_pair = s->c.predicates.at[k].arity == 2;
    uint8_t *values = tp_arena_alloc(&s->arena, n * n + 1);
    bool seen[NODES * NODES] = {false};
    for (uint32_t u = 0; u < g->n; u++)
      for (uint32_t v = 0; v < (is_pair ? g->n : 1); v++) {
        const uint32_t i = is_pair ? to[u] * n + to[v] : to[u];
        const uint8_t now = *tp_chk_structure_at(g, k, u, v);
        values[i] = !seen[i] || values[i] == now ? now : TP_CHK_HALF;
        seen[i] = true;
      }
    for (uint32_t i = 0; i < (is_pair ? n * n : n); i++)
      values[i] = below(s, 40) == 0 ? (uint8_t)below(s, 3) : blurred(s, values[i]);
    out.values[k] = values;
  }
  return out;
}

static void what_embeds_is_described(void **unused) {
  (void)unused;
  uint64_t embedded = 0, kept = 0;
  for (uint64_t seed = first_round(); seed < first_round() + rounds(); seed++) {
    scene s = open_scene(seed);
    int at[HEAPS][MOST];
    bool readable[N_PREDICATES];
    tp_chk_structure *g = graph_of(&s, at);
    for (int k = 0; k < N_PREDICATES; k++)
      readable[k] = k == FOREIGN || k == FREED || k == LINK || k == BACK || below(&s, 5) > 0;
    const tp_chk_graph t = written(&s, g);
    tp_chk_structure *said = tp_chk_structure_of_graph(&s.c, &t, readable);
    assert_non_null(said);
    const bool fits = tp_chk_structure_embeds(g, &t, readable);
    embedded += fits;
    for (int i = 0; i < s.n_heaps; i++)
      if (fits && !describes(said, &s.heaps[i]))
        fail_msg("TP_SEED=%llu: heap %d is not described", (unsigned long long)seed, i);
    for (uint32_t v = 0; v < t.n; v++) {  // condition 3
      bool must = t.values[FOREIGN][v] == 0 || (readable[X] && t.values[X][v] == 1) ||
                  (readable[Y] && t.values[Y][v] == 1);
      kept += must;
      assert_true(said->is_inhabited[v] == must && said->is_single[v] == t.is_single[v]);
    }
    tp_chk_structure_free(said);
    tp_chk_structure_free(g);
    close_scene(&s);
  }
  assert_true(embedded > rounds() / 100 && kept > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_leave_out_no_heap), cmocka_unit_test(formulas_say_what_holds),
      cmocka_unit_test(sharpening_keeps_heaps), cmocka_unit_test(what_embeds_is_described)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

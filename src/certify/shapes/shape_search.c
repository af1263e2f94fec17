/* The search for a counterexample: a run that graphs describe at the start of a path and not at its
 * end.
 *
 * Start (graph_start.c): symbols say which addresses are elements and at which node each is; every
 * node that cannot be empty gets an address. End (graph_target.c): that a graph does not describe
 * the heap is asserted, with two new addresses as witnesses, only for graphs that a model might
 * satisfy: few matter. Each round asserts what the last model violates (instances on demand), up to
 * a bound on rounds and on addresses; then the answer is UNKNOWN. Precision is lost in the choice
 * of instances, and in the skeleton, which the search leaves for bits when nothing else is new. */
#include "certify/shapes/shape_search.h"

#include "certify/certify_limits.h"

bool tp_chk_shape_is_changed(const tp_chk_exec *g, tp_var v) {
  tp_term changed[TP_CHK_MOST_CHANGED],
      object = tp_mk1(g->tt, TP_OP_PTR_OBJ, g->shape->values[v.id].term);
  uint32_t n;
  bool yes = false;
  if (!tp_chk_history_changed_objects(&g->history, g->state.memory, g->state.ghosts, changed,
                                      TP_CHK_MOST_CHANGED, &n))
    return true;
  for (uint32_t i = 0; i < n; i++) yes = yes || tp_term_eq(changed[i], object);
  return yes;
}

void tp_chk_shape_begin(tp_chk_exec *g, const uint32_t *chosen) {
  TP_REQUIRE(g->shape);
  tp_chk_shape_start *s = g->shape;
  s->is_chosen = false;
  for (size_t k = 1; k < s->graphs->classes.n; k++) {
    s->chosen[k] = chosen ? chosen[k] : 0;
    TP_INVARIANT(!s->chosen[k] || s->graphs->graphs.at[s->chosen[k]].of == k);
    s->is_chosen = s->is_chosen || s->chosen[k];
  }
  s->start = tp_chk_paths_current(g);
  for (uint32_t i = 1; i < g->p->vars.n; i++)
    if (g->p->vars.at[i].kind != TP_V_GHOST) s->values[i] = tp_chk_exec_get(g, (tp_var){i});
}

// ---------------------------------------------------------------------- addresses

/* Has the pointer a definite value? (Without nodes: null.) */
static bool says_where(const tp_chk_graph *graph, uint32_t pointer) {
  if (graph->n == 0) return true;
  for (uint32_t v = 0; v < graph->n; v++)
    if (graph->values[pointer][v] != TP_CHK_HALF) return true;
  return false;
}

/* Does some graph of the cutpoint? */
static bool cutpoint_says_where(const tp_chk_search *s, const tp_chk_class_heap *h,
                                uint32_t pointer, uint32_t cutpoint) {
  const tp_chk_cert *e = s->g->cert;
  const tp_chk_cutpoint *l = &e->cutpoints.at[cutpoint];
  for (uint32_t k = l->first; k < l->first + l->n; k++)
    for (uint32_t i = 0; i < e->described.at[k].n; i++) {
      const tp_chk_graph_set *set = &e->graph_sets.at[e->described.at[k].first + i];
      for (uint32_t m = 0; m < set->n; m++) {
        const tp_chk_graph *graph = &e->graphs.graphs.at[e->graphs_of_sets.at[set->first + m]];
        if (graph->of == h->number && says_where(graph, pointer)) return true;
      }
    }
  return false;
}

/* Values of these pointers become addresses. */
static void add_named(tp_chk_search *s, tp_chk_class_heap *h, const bool *named) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].kind != TP_CHK_P_POINTER || !named[k] ||
        !h->readable[TP_CHK_POST][k])
      continue;
    tp_term at = tp_chk_variable_term(s, h->c->predicates.at[k].var, TP_CHK_POST);
    if (!tp_is_const(s->tt, at)) (void)tp_chk_address_number(s, h, at, TP_CHK_BASE);
  }
}

/* Values of pointers of which graphs speak become addresses. */
static void add_pointers(tp_chk_search *s, tp_chk_class_heap *h, uint32_t cutpoint) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].kind != TP_CHK_P_POINTER) continue;
    for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++) {
      if (!h->readable[when][k]) continue;
      if (when == TP_CHK_PRE &&
          !(s->shape->chosen[h->number] && says_where(tp_chk_start_graph(s, h), k)))
        continue;
      if (when == TP_CHK_POST && cutpoint && !cutpoint_says_where(s, h, k, cutpoint)) continue;
      tp_term at = tp_chk_variable_term(s, h->c->predicates.at[k].var, when);
      if (!tp_is_const(s->tt, at)) (void)tp_chk_address_number(s, h, at, TP_CHK_BASE);
    }
  }
}

void tp_chk_add_goal_addresses(tp_chk_search *s, const tp_term *goals, size_t n) {
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0};
  for (size_t i = 0; i < n; i++) tp_vec_push(&todo, goals[i]);
  while (todo.n) {
    tp_term t = tp_vec_pop(&todo);
    bool is_address =
        tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_PTR && !tp_is_const(s->tt, t);
    if (tp_map_has(&seen, t.id)) continue;
    tp_map_set(&seen, t.id, 1);
    for (uint32_t k = 1; k < s->n_heaps && is_address; k++)
      (void)tp_chk_address_number(s, &s->heaps[k], t, TP_CHK_BASE);
    for (uint32_t i = 0; i < tp_n_args(s->tt, t) && !is_address; i++)
      tp_vec_push(&todo, tp_arg(s->tt, t, i));
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
}

/* The cells that changed, and the values of their fields in both heaps. */
static void add_changes(tp_chk_search *s, tp_chk_class_heap *h, const tp_term *objects,
                        uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    int i = tp_chk_address_number(
        s, h, tp_mk_ptr(s->tt, objects[k], tp_mk_bv(s->tt, s->g->p->ptr_bits, 0)), TP_CHK_BASE);
    TP_INVARIANT(h->n_changed < TP_CHK_MOST_CHANGED);
    h->changed[h->n_changed++] = i;
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (tp_chk_heap_version when = TP_CHK_PRE; when <= TP_CHK_POST; when++)
        (void)tp_chk_field_number(s, h, i, when, f, TP_CHK_BASE);
  }
}

/* Everything known of addresses, until no address is new. */
static void assert_addresses(tp_chk_search *s, tp_chk_class_heap *h) {
  if (h->n_asserted < h->n) tp_chk_link_fields(s, h);
  while (h->n_asserted < h->n && !s->failed) {
    int k = (int)h->n_asserted++;
    if (h->addresses[k].is_base && s->shape->chosen[h->number]) tp_chk_assert_start_graph(s, h, k);
    tp_chk_assert_equalities(s, h, k);
    tp_chk_assert_paths(s, h, k);
    if (h->n_asserted == h->n) tp_chk_assert_existentials(s, h);
  }
}

/* In which heap of the search was the witness asked for? COMMON: in none of them. */
static tp_chk_heap_version heap_of(const tp_chk_search *s, const tp_chk_leak_witness *w) {
  if (w->memory == 0 && w->ghosts == 0) return TP_CHK_PRE;
  const bool is_now = w->memory == s->g->state.memory && w->ghosts == s->g->state.ghosts;
  return is_now ? TP_CHK_POST : TP_CHK_COMMON;
}

/* A lost object is reached from no root, so no path along fields leads there. */
static void assert_is_lost(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_leak_witness *w,
                           int lost) {
  const tp_chk_heap_version when = heap_of(s, w);
  for (uint32_t r = 0; r < w->n_roots && when != TP_CHK_COMMON; r++) {
    const int root = tp_chk_address_find(h, s->g->leak_roots.at[w->first_root + r]);
    for (size_t p = 0; p < h->paths.n && root >= 0; p++)
      assert_implies(
          s, w->condition,
          tp_mk_not(s->tt, tp_chk_path_term(s, h, h->paths.at[p].fields, when, root, lost)));
  }
}

static void assert_leaks(tp_chk_search *s, tp_chk_class_heap *h) {
  if (h->n_leak_addresses == h->n && h->n_leak_paths == h->paths.n) return;
  h->n_leak_addresses = h->n;
  h->n_leak_paths = (uint32_t)h->paths.n;
  for (size_t i = 0; i < s->g->witnesses.n; i++) {
    const int lost = tp_chk_address_find(h, s->g->witnesses.at[i].at);
    if (lost >= 0) assert_is_lost(s, h, &s->g->witnesses.at[i], lost);
  }
}

/* A search without addresses of pointers. */
static tp_chk_search *open_search(tp_chk_exec *g, tp_chk_effort effort) {
  tp_chk_search *s = TP_NEW(tp_chk_search);
  *s = (tp_chk_search){.g = g,
                       .shape = g->shape,
                       .tt = g->tt,
                       .here = tp_chk_paths_current(g),
                       .n_heaps = (uint32_t)g->shape->graphs->classes.n,
                       .effort = effort};
  tp_term changed[TP_CHK_MOST_CHANGED];
  uint32_t n_changed;
  s->knows_changes = tp_chk_history_changed_objects(&g->history, g->state.memory, g->state.ghosts,
                                                    changed, TP_CHK_MOST_CHANGED, &n_changed);
  s->is_unchanged = g->state.memory == 0 && g->state.ghosts == 0;
  s->q = tp_chk_query_new(g);
  s->heaps = TP_NEW_ARRAY(tp_chk_class_heap, s->n_heaps + 1);
  for (uint32_t k = 1; k < s->n_heaps; k++) {
    tp_chk_class_heap *h = &s->heaps[k];
    tp_chk_class_heap_init(s, h, k);
    if (s->knows_changes) add_changes(s, h, changed, n_changed);
  }
  return s;
}

tp_chk_search *tp_chk_search_new(tp_chk_exec *g, uint32_t cutpoint, tp_chk_effort effort) {
  TP_REQUIRE(g->shape && cutpoint < g->cert->cutpoints.n);
  tp_chk_search *s = open_search(g, effort);
  for (uint32_t k = 1; k < s->n_heaps; k++) {
    add_pointers(s, &s->heaps[k], cutpoint);
    if (s->shape->chosen[k])
      tp_chk_init_nodes(s, &s->heaps[k], tp_chk_start_graph(s, &s->heaps[k]));
  }
  return s;
}

tp_chk_search *tp_chk_search_about(tp_chk_exec *g, uint32_t number, const bool *named,
                                   tp_chk_effort effort) {
  TP_REQUIRE(g->shape && !g->shape->is_chosen);
  tp_chk_search *s = open_search(g, effort);
  TP_REQUIRE(number && number < s->n_heaps);
  add_named(s, &s->heaps[number], named);
  return s;
}

void tp_chk_search_free(tp_chk_search *s) {
  for (uint32_t k = 1; k < s->n_heaps; k++) tp_chk_class_heap_clear(&s->heaps[k]);
  tp_free(s->heaps);
  tp_chk_query_free(s->q);
  tp_free(s);
}

// --------------------------------------------------------------------- searching

static void assert_all(tp_chk_search *s, tp_chk_target_graphs *all) {
  uint32_t before;
  do {
    before = 0;
    for (uint32_t k = 1; k < s->n_heaps; k++) {
      assert_addresses(s, &s->heaps[k]);
      assert_leaks(s, &s->heaps[k]);
      before += s->heaps[k].n;
    }
    for (size_t i = 0; i < all->n; i++)
      if (all->at[i].is_asserted) tp_chk_assert_empty_nodes(s, &all->at[i]);
    for (uint32_t k = 1; k < s->n_heaps; k++) before -= s->heaps[k].n_asserted;
  } while (before && !s->failed);
}

// ----------------------------------------------------------------------- growing

/* In the model a path goes on from address i along this field, to a value that is no address yet;
 * -1: along none. */
static int unseen_field(tp_chk_search *s, tp_chk_class_heap *h, int i) {
  bool goes_on = false;
  for (size_t p = 0; p < h->paths.n && !goes_on; p++)
    for (uint32_t j = 0; j < h->n && !goes_on; j++)
      goes_on = (int)j != i &&
                tp_chk_query_holds(
                    s->q, tp_chk_path_term(s, h, h->paths.at[p].fields, TP_CHK_POST, i, (int)j)) &&
                !tp_chk_query_holds(s->q, tp_chk_same_address(s, h, i, (int)j));
  if (!goes_on || !tp_chk_query_holds(s->q, tp_chk_is_live_cell(s, h, i, TP_CHK_POST))) return -1;
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term to = tp_chk_field_term(s, h, i, TP_CHK_POST, f);
    bool seen = tp_chk_query_holds(s->q, tp_mk_eq(s->tt, to, tp_mk_null(s->tt)));
    for (uint32_t j = 0; j < h->n && !seen; j++)
      seen = tp_chk_query_holds(s->q, tp_mk_eq(s->tt, to, tp_chk_address_term(h, (int)j)));
    if (!seen) return (int)f;
  }
  return -1;
}

/* Adds the value of such a field as an address; false: there is none. */
static bool grow(tp_chk_search *s, tp_chk_class_heap *h) {
  for (uint32_t i = 0; i < h->n; i++) {
    if (!h->addresses[i].is_base || h->addresses[i].depth == TP_CERTIFY_SEARCH_FIELDS) continue;
    int f = unseen_field(s, h, (int)i);
    if (f < 0) continue;
    int k = tp_chk_field_number(s, h, (int)i, TP_CHK_POST, (uint32_t)f, TP_CHK_BASE);
    h->addresses[k].depth = h->addresses[i].depth + 1;
    return true;
  }
  return false;
}

static void become_exact(tp_chk_search *s) {
  tp_chk_query_be_exact(s->q);
  for (uint32_t k = 1; k < s->n_heaps; k++)
    for (uint32_t i = 0; i < s->heaps[k].n_asserted; i++)
      tp_chk_assert_equalities(s, &s->heaps[k], (int)i);
}

tp_chk_answer tp_chk_search_run(tp_chk_search *s, tp_chk_target_graphs *all) {
  for (uint32_t round = 0; round < TP_CERTIFY_SEARCH_ROUNDS; round++) {
    assert_all(s, all);
    if (s->failed || s->g->result != TP_CERTIFY_ACCEPTED) return TP_CHK_UNKNOWN;
    tp_smt_answer a = tp_chk_query_check(s->q);
    for (uint32_t k = 1; k < s->n_heaps; k++)
      TP_INVARIANT(tp_chk_class_heap_check(s, &s->heaps[k]));
    if (a != TP_SMT_SAT) return a == TP_SMT_UNSAT ? TP_CHK_PROVED : TP_CHK_UNKNOWN;
    bool is_repaired = false;
    for (uint32_t k = 1; k < s->n_heaps; k++)
      is_repaired = tp_chk_refine_paths(s, &s->heaps[k]) || is_repaired;
    if (is_repaired) continue;
    tp_chk_target_graph *t = tp_chk_next_target(s, all);
    if (t) {
      tp_chk_assert_target(s, t);
      continue;
    }
    bool has_more = false;
    for (uint32_t k = 1; k < s->n_heaps; k++)
      has_more = tp_chk_instantiate_nodes(s, &s->heaps[k]) || has_more;
    for (uint32_t k = 1; k < s->n_heaps && !has_more; k++)
      has_more = tp_chk_add_witness(s, &s->heaps[k]);
    for (uint32_t k = 1; k < s->n_heaps && !has_more; k++) has_more = grow(s, &s->heaps[k]);
    for (uint32_t k = 1; k < s->n_heaps && !has_more; k++)
      has_more = tp_chk_add_cycles(&s->heaps[k]);
    if (has_more) continue;
    if (s->effort == TP_CHK_BY_SKELETON || tp_chk_query_is_exact(s->q)) return TP_CHK_UNKNOWN;
    become_exact(s);
  }
  return TP_CHK_UNKNOWN;
}

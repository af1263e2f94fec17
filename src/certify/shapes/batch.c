/* Graphs in which pointers have values of the same kinds are executed together: what pointers are
 * is assumed at the start, so that edges and memory are simple terms.
 *
 * Obligations on the path (is this pointer valid? is this an error?) are shown by literals: which
 * literals about a pointer's element imply the goal is found out once; each graph is then asked for
 * them. At the end of the path the proved updates (transformer.h) make of each graph a structure,
 * which is coerced by proved rules and must embed in a target. Precision is lost where an
 * obligation needs more than one literal. */
#include "certify/shapes/batch.h"

#include "certify/certify_limits.h"
#include "certify/shapes/lemma_book.h"
#include "certify/shapes/transformer.h"

typedef struct {
  uint32_t graph, group;
  tp_chk_structure *k;              // NULL: it describes no heap, or is too large
  bool is_inductive, is_candidate;  // every obligation was shown; every one so far was
} start;

/* The value of a tracked pointer in all graphs of a group. */
typedef enum { LEADS_SOMEWHERE, LEADS_TO_NULL, LEADS_TO_CELL } leading;
typedef struct {
  leading kind;
  uint32_t like;  // CELL: the first pointer that leads to the same one
} target;

struct tp_chk_batch {
  tp_chk_exec *g;
  const tp_chk_class *c;
  uint32_t number, context;
  bool *readable;
  start *starts;
  uint32_t n, group;  // the path is executed for graphs of this group
};

static bool is_active(const tp_chk_batch *c, uint32_t i) {
  return c->starts[i].is_candidate && c->starts[i].group == c->group;
}

// ------------------------------------------------------------------------- rules

typedef struct {
  tp_chk_batch *c;
  uint32_t context;
  tp_loc loc;
} rule_scope;

/* A rule is proved of all heaps: nothing is assumed of the states of the context. */
static bool rule_holds(void *ctx, size_t rule) {
  const rule_scope *x = ctx;
  return tp_chk_book_rule(tp_chk_lemma_book_of(x->c->g), x->c->g, x->c->number, (uint32_t)rule,
                          x->context, x->loc);
}

static bool coerce(tp_chk_batch *c, tp_chk_structure *k, uint32_t context, tp_loc loc) {
  rule_scope scope = {c, context, loc};
  tp_chk_rules rules = {c->c->rules.at, c->c->rules.n, rule_holds, &scope};
  return tp_chk_structure_coerce(k, &rules);
}

// ------------------------------------------------------------------------ starts

static tp_chk_batch *batch_new(tp_chk_exec *g, const tp_chk_cutpoint *l, const uint32_t *graphs,
                               uint32_t n) {
  const tp_chk_cert *e = g->cert;
  tp_chk_batch *c = TP_NEW(tp_chk_batch);
  *c = (tp_chk_batch){.g = g, .n = n, .context = l->context, .starts = TP_NEW_ARRAY(start, n + 1)};
  c->number = e->graphs.graphs.at[graphs[0]].of;
  c->c = &e->graphs.classes.at[c->number];
  c->readable = TP_NEW_ARRAY(bool, c->c->predicates.n);
  tp_chk_readable_predicates(g, c->c, l->context, c->readable);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t graph = graphs[i];
    TP_INVARIANT(e->graphs.graphs.at[graph].of == c->number);
    tp_chk_structure *k = tp_chk_structure_of_graph(c->c, &e->graphs.graphs.at[graph], c->readable);
    if (!k) continue;
    bool is_heap = coerce(c, k, l->context, l->loc);
    if (!is_heap) tp_chk_structure_free(k);
    c->starts[i] = (start){
        .graph = graph, .k = is_heap ? k : NULL, .is_inductive = !is_heap, .is_candidate = is_heap};
  }
  return c;
}

static void batch_free(tp_chk_batch *c) {
  for (uint32_t i = 0; i < c->n; i++) tp_chk_structure_free(c->starts[i].k);
  tp_free(c->starts);
  tp_free(c->readable);
  tp_free(c);
}

static bool has_active(const tp_chk_batch *c) {
  for (uint32_t i = 0; i < c->n; i++)
    if (is_active(c, i)) return true;
  return false;
}

/* No graph is left in the batch: the rest of the execution shows nothing. */
static bool goes_on(tp_chk_batch *c) {
  if (has_active(c)) return true;
  tp_chk_exec_fail(c->g, TP_CERTIFY_UNDECIDED, c->g->state.loc, "no graph is shown to be closed");
  return false;
}

// ---------------------------------------------------------------------- literals

typedef TP_VEC(tp_chk_pointer_literal) literals;

static bool leads_to_cells_only(const tp_chk_structure *k, uint32_t field, uint32_t outside,
                                uint32_t u) {
  for (uint32_t v = 0; v < k->n; v++)
    if (*tp_chk_structure_at(k, field, u, v) != 0 &&
        (!outside || *tp_chk_structure_at(k, outside, v, 0) != 0))
      return false;
  return true;
}

static bool is_null(const tp_chk_structure *k, uint32_t pointer) {
  for (uint32_t v = 0; v < k->n; v++)
    if (*tp_chk_structure_at(k, pointer, v, 0) != 0) return false;
  return true;
}

/* Does the literal hold of every heap of the graph? */
static bool holds(const tp_chk_structure *k, tp_chk_pointer_literal l) {
  uint32_t outside = tp_chk_class_find(k->c, TP_CHK_P_OUTSIDE),
           freed = tp_chk_class_find(k->c, TP_CHK_P_FREED);
  if (l.kind == TP_CHK_TARGET_NULL) return is_null(k, l.pointer);
  int u = tp_chk_structure_pointer_node(k, l.pointer);
  if (u < 0) return false;
  switch (l.kind) {
    case TP_CHK_TARGET_VALUE: return *tp_chk_structure_at(k, l.k, (uint32_t)u, 0) == l.value;
    case TP_CHK_TARGET_LIVE:
      return outside && freed && *tp_chk_structure_at(k, outside, (uint32_t)u, 0) == 0 &&
             *tp_chk_structure_at(k, freed, (uint32_t)u, 0) == 0;
    case TP_CHK_TARGET_FIELD: return leads_to_cells_only(k, l.k, outside, (uint32_t)u);
    case TP_CHK_TARGET_NULL:
    case TP_CHK_TARGET_NONNULL: break;
  }
  return true;
}

/* Is the literal about data, and open in the graph? A comparison on the path may decide it. */
static bool is_open(const tp_chk_structure *k, tp_chk_pointer_literal l) {
  if (l.kind != TP_CHK_TARGET_VALUE || k->c->predicates.at[l.k].kind != TP_CHK_P_DATA) return false;
  const int u = tp_chk_structure_pointer_node(k, l.pointer);
  return u >= 0 && *tp_chk_structure_at(k, l.k, (uint32_t)u, 0) == TP_CHK_HALF;
}

/* Adds the literal if it holds of some graph of the batch, or is open there. */
static void offer(const tp_chk_batch *c, tp_chk_pointer_literal l, literals *out) {
  bool any = false;
  for (uint32_t i = 0; i < c->n && !any; i++)
    any = is_active(c, i) && (holds(c->starts[i].k, l) || is_open(c->starts[i].k, l));
  if (any) tp_vec_push(out, l);
}

static void offer_all(const tp_chk_batch *c, literals *out) {
  for (uint32_t p = 1; p < c->c->predicates.n; p++) {
    if (c->c->predicates.at[p].kind != TP_CHK_P_POINTER || !c->readable[p]) continue;
    offer(c, (tp_chk_pointer_literal){TP_CHK_TARGET_NULL, p, 0, false}, out);
    offer(c, (tp_chk_pointer_literal){TP_CHK_TARGET_NONNULL, p, 0, false}, out);
    offer(c, (tp_chk_pointer_literal){TP_CHK_TARGET_LIVE, p, 0, false}, out);
    for (uint32_t k = 1; k < c->c->predicates.n; k++) {
      if (!c->readable[k] || k == p) continue;
      if (c->c->predicates.at[k].kind == TP_CHK_P_FIELD)
        offer(c, (tp_chk_pointer_literal){TP_CHK_TARGET_FIELD, p, k, false}, out);
      for (int value = 0; value < 2 && c->c->predicates.at[k].arity == 1; value++)
        offer(c, (tp_chk_pointer_literal){TP_CHK_TARGET_VALUE, p, k, value}, out);
    }
  }
}

/* Decides by graph: one of the goals holds here, in all states that the graph describes; without
 * goals: no run gets here. A graph is decided by one literal that holds of it and implies a goal.
 * excluded: NULL, or the literals about data that do are appended there. */
static uint32_t show(tp_chk_batch *c, const tp_term *goals, size_t n, bool *shown,
                     literals *excluded) {
  tp_chk_step step = {.g = c->g, .number = c->number};
  literals all = {0};
  uint32_t count = 0;
  offer_all(c, &all);
  bool *excludes = TP_NEW_ARRAY(bool, all.n + 1);
  if (all.n) tp_chk_lemma_excluding(&step, all.at, all.n, goals, n, excludes);
  for (uint32_t i = 0; i < c->n; i++) {
    shown[i] = false;
    for (size_t l = 0; l < all.n && is_active(c, i) && !shown[i]; l++)
      shown[i] = excludes[l] && holds(c->starts[i].k, all.at[l]);
    count += shown[i];
  }
  for (size_t l = 0; l < all.n && excluded; l++)
    if (excludes[l] && all.at[l].kind == TP_CHK_TARGET_VALUE &&
        c->c->predicates.at[all.at[l].k].kind == TP_CHK_P_DATA)
      tp_vec_push(excluded, all.at[l]);
  tp_free(excludes);
  tp_vec_clear(&all);
  return count;
}

static void keep_only(tp_chk_batch *c, const bool *shown) {
  for (uint32_t i = 0; i < c->n; i++)
    if (is_active(c, i)) c->starts[i].is_candidate = shown[i];
}

bool tp_chk_batch_try(tp_chk_batch *c, const tp_term *goals, size_t n) {
  TP_REQUIRE(n > 0);
  bool *shown = TP_NEW_ARRAY(bool, c->n + 1), any = show(c, goals, n, shown, NULL) > 0;
  if (any) keep_only(c, shown);
  tp_free(shown);
  return any;
}

bool tp_chk_batch_require(tp_chk_batch *c, const tp_term *goals, size_t n) {
  bool *shown = TP_NEW_ARRAY(bool, c->n + 1);
  (void)show(c, goals, n, shown, NULL);
  keep_only(c, shown);
  tp_free(shown);
  return goes_on(c);
}

bool tp_chk_batch_shows(tp_chk_batch *c, const tp_term *goals, size_t n) {
  bool *shown = TP_NEW_ARRAY(bool, c->n + 1), all = true;
  (void)show(c, goals, n, shown, NULL);
  for (uint32_t i = 0; i < c->n; i++) all = all && (shown[i] || !is_active(c, i));
  tp_free(shown);
  return all;
}

// ----------------------------------------------------------------------- arriving

/* Targets: graphs beside formulas that hold here. all: a formula without graphs holds. */
static void collect_targets(tp_chk_batch *c, uint32_t cutpoint, tp_map *targets, bool *all) {
  tp_chk_exec *g = c->g;
  const tp_chk_cert *e = g->cert;
  const tp_chk_cutpoint *l = &e->cutpoints.at[cutpoint];
  for (uint32_t k = l->first; k < l->first + l->n && !*all; k++) {
    const tp_chk_graph_sets *d = &e->described.at[k];
    tp_term meaning = tp_chk_eval_formula(g, e->formulas.at[k]);
    if (d->n > 1 || tp_chk_prove_unless_excluded(g, meaning) != TP_CHK_PROVED) continue;
    *all = d->n == 0;
    const tp_chk_graph_set *set = d->n ? &e->graph_sets.at[d->first] : NULL;
    for (uint32_t i = 0; set && i < set->n; i++) {
      uint32_t graph = e->graphs_of_sets.at[set->first + i];
      if (e->graphs.graphs.at[graph].of == c->number) tp_map_set(targets, graph, 1);
    }
  }
}

static bool is_described(const tp_chk_transformer *x, const tp_chk_structure *k,
                         const tp_map *targets) {
  const tp_chk_graphs *graphs = &x->step.g->cert->graphs;
  for (size_t i = 0; i < targets->n; i++)
    if (tp_chk_structure_embeds(k, &graphs->graphs.at[targets->entries[i].key], x->readable))
      return true;
  return false;
}

/* Structures behind the step, in which more cases are told apart. */
typedef struct {
  tp_chk_batch *c;
  const tp_chk_transformer *x;
  const tp_map *targets;
  uint32_t left;  // cases that may still be looked at
} splitting;

static bool is_target(splitting *s, tp_chk_structure *k, uint32_t levels);

/* The case in which predicate p has this value at u (and v): it has no heap, or is described. */
static bool is_settled(splitting *s, const tp_chk_structure *k, uint32_t p, uint32_t u, uint32_t v,
                       bool value, uint32_t levels) {
  const tp_chk_state *now = &s->c->g->state;
  tp_chk_structure *part = tp_chk_structure_copy(k);
  *tp_chk_structure_at(part, p, u, v) = value;
  const bool yes = !coerce(s->c, part, now->context, now->loc) || is_target(s, part, levels);
  tp_chk_structure_free(part);
  return yes;
}

/* Is the value open, of a link between two cells or of one cell's data? */
static bool has_cases(const tp_chk_structure *k, uint32_t p, uint32_t u, uint32_t v) {
  const uint32_t other = k->c->predicates.at[p].arity == 2 ? v : u;
  return *tp_chk_structure_at(k, p, u, v) == TP_CHK_HALF && k->is_single[u] &&
         k->is_single[other] && k->is_inhabited[u] && k->is_inhabited[other];
}

/* TVLA's focus, where it decides: of the two cases of an open value one is settled at once, and the
 * other one is, perhaps with more such cases. */
static bool is_settled_by_cases(splitting *s, const tp_chk_structure *k, uint32_t levels) {
  const tp_chk_class *c = k->c;
  for (uint32_t p = 1; p < c->predicates.n; p++) {
    const tp_chk_predicate_kind kind = c->predicates.at[p].kind;
    if ((kind != TP_CHK_P_FIELD && kind != TP_CHK_P_DATA) || !s->x->readable[p]) continue;
    for (uint32_t u = 0; u < k->n; u++)
      for (uint32_t v = 0; v < (kind == TP_CHK_P_FIELD ? k->n : 1); v++) {
        if (!has_cases(k, p, u, v)) continue;
        if (s->left < 2) return false;
        s->left -= 2;
        const bool yes = is_settled(s, k, p, u, v, true, 0),
                   no = is_settled(s, k, p, u, v, false, yes ? levels - 1 : 0);
        if ((yes && no) || (no && is_settled(s, k, p, u, v, true, levels - 1))) return true;
      }
  }
  return false;
}

static bool is_target(splitting *s, tp_chk_structure *k, uint32_t levels) {
  return is_described(s->x, k, s->targets) || (levels && is_settled_by_cases(s, k, levels));
}

/* Runs that come here have a pointer's cell whose data is not as an excluded literal says: so open
 * values become definite. False: no run comes here from the structure. */
static bool sharpen_data(tp_chk_structure *k, const literals *excluded) {
  for (size_t i = 0; i < excluded->n; i++) {
    const tp_chk_pointer_literal l = excluded->at[i];
    const int u = tp_chk_structure_pointer_node(k, l.pointer);
    if (u < 0 || !k->is_single[u]) continue;
    uint8_t *value = tp_chk_structure_at(k, l.k, (uint32_t)u, 0);
    if (*value == l.value) return false;
    *value = !l.value;
  }
  return true;
}

/* Whatever the step makes of heaps of the structure embeds in a target. excluded: what no run that
 * comes here starts with; levels: of further cases. */
static bool is_inductive(tp_chk_batch *c, tp_chk_transformer *x, const tp_chk_structure *k,
                         const tp_map *targets, const literals *excluded, uint32_t levels) {
  const tp_chk_state *now = &c->g->state;
  splitting s = {c, x, targets, TP_CERTIFY_SPLIT_CASES};
  tp_chk_structures cases = {0};
  bool ok = tp_chk_transformer_focus(x, k, &cases);
  for (size_t i = 0; i < cases.n && ok; i++) {
    if (!sharpen_data(cases.at[i], excluded) ||
        !coerce(c, cases.at[i], c->context, c->g->start.loc))
      continue;
    tp_chk_structure *after = tp_chk_transformer_apply(x, cases.at[i]);
    ok = after && (!coerce(c, after, now->context, now->loc) || is_target(&s, after, levels));
    tp_chk_structure_free(after);
  }
  for (size_t i = 0; i < cases.n; i++) tp_chk_structure_free(cases.at[i]);
  tp_vec_clear(&cases);
  return ok;
}

/* Which graphs are shown to be closed by what the step makes of them? Of others, first whether a
 * run comes here from them at all: the book's updates cost nothing, those of the path do. */
static void transform_all(tp_chk_batch *c, const tp_map *targets, bool *closed) {
  tp_chk_transformer x;
  literals none = {0}, data = {0};
  bool known = tp_chk_transformer_init(&x, c->g, c->number, targets), all = true;
  bool *excluded = TP_NEW_ARRAY(bool, c->n + 1);
  for (uint32_t i = 0; i < c->n; i++) {
    closed[i] = known && is_active(c, i) && is_inductive(c, &x, c->starts[i].k, targets, &none, 0);
    all = all && (closed[i] || !is_active(c, i));
  }
  if (!all) (void)show(c, NULL, 0, excluded, &data);
  for (uint32_t i = 0; i < c->n; i++)
    closed[i] =
        closed[i] || (is_active(c, i) &&
                      (excluded[i] || (known && is_inductive(c, &x, c->starts[i].k, targets, &data,
                                                             TP_CERTIFY_SPLIT_LEVELS))));
  all = true;
  for (uint32_t i = 0; i < c->n; i++) all = all && (closed[i] || !is_active(c, i));
  if (known && !all && tp_chk_transformer_refine(&x))
    for (uint32_t i = 0; i < c->n; i++)
      closed[i] = closed[i] || (is_active(c, i) && is_inductive(c, &x, c->starts[i].k, targets,
                                                                &data, TP_CERTIFY_SPLIT_LEVELS));
  tp_chk_transformer_clear(&x);
  tp_vec_clear(&data);
  tp_free(excluded);
}

bool tp_chk_batch_arrives(tp_chk_batch *c, uint32_t cutpoint) {
  TP_REQUIRE(cutpoint && cutpoint < c->g->cert->cutpoints.n && c->g->shape->batch == c);
  bool *closed = TP_NEW_ARRAY(bool, c->n + 1), all = false;
  tp_map targets = {0};
  collect_targets(c, cutpoint, &targets, &all);
  if (!all) {
    transform_all(c, &targets, closed);
    keep_only(c, closed);
  }
  tp_map_clear(&targets);
  tp_free(closed);
  return goes_on(c);
}

// ------------------------------------------------------------------------- groups

/* The value of pointer p in heaps of the structure. */
static target target_of(const tp_chk_batch *c, const tp_chk_structure *k, uint32_t p) {
  const tp_chk_pointer_literal null = {TP_CHK_TARGET_NULL, p, 0, false},
                               live = {TP_CHK_TARGET_LIVE, p, 0, false};
  if (holds(k, null)) return (target){LEADS_TO_NULL, 0};
  if (!holds(k, live)) return (target){LEADS_SOMEWHERE, 0};
  uint32_t like = 1;
  while (!(c->c->predicates.at[like].kind == TP_CHK_P_POINTER && c->readable[like] &&
           tp_chk_structure_pointer_node(k, like) == tp_chk_structure_pointer_node(k, p)))
    like++;
  return (target){LEADS_TO_CELL, like};
}

static bool is_tracked(const tp_chk_batch *c, uint32_t p) {
  return c->c->predicates.at[p].kind == TP_CHK_P_POINTER && c->readable[p];
}

static bool same_targets(const tp_chk_batch *c, const tp_chk_structure *a,
                         const tp_chk_structure *b) {
  for (uint32_t p = 1; p < c->c->predicates.n; p++) {
    if (!is_tracked(c, p)) continue;
    target x = target_of(c, a, p), y = target_of(c, b, p);
    if (x.kind != y.kind || x.like != y.like) return false;
  }
  return true;
}

static void find_groups(tp_chk_batch *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    TP_INVARIANT(!c->starts[i].is_candidate || c->starts[i].k);
    if (!c->starts[i].is_candidate) continue;
    for (uint32_t j = 0; j < i && !c->starts[i].group; j++)
      if (c->starts[j].is_candidate && same_targets(c, c->starts[i].k, c->starts[j].k))
        c->starts[i].group = c->starts[j].group;
    if (!c->starts[i].group) c->starts[i].group = ++n;
  }
}

/* The address is one of a cell that was not freed. */
static void assume_live_cell(tp_chk_batch *c, tp_term address) {
  tp_term facts[5];
  tp_chk_live_cell_facts(c->g, c->c, address, facts);
  for (int i = 0; i < 5; i++) tp_chk_assume(c->g, facts[i]);
}

/* What all graphs of the group say of pointers is assumed. */
static void assume_pointers(tp_chk_batch *c, const tp_chk_structure *k) {
  tp_chk_exec *g = c->g;
  for (uint32_t p = 1; p < c->c->predicates.n; p++) {
    if (!is_tracked(c, p)) continue;
    tp_var v = c->c->predicates.at[p].var;
    target t = target_of(c, k, p);
    if (t.kind == LEADS_TO_NULL)
      tp_chk_exec_set(g, v, (tp_chk_value){tp_mk_null(g->tt), TP_PROVENANCE_NONE});
    if (t.kind != LEADS_TO_CELL) continue;
    tp_term address = t.like == p
                          ? tp_mk_ptr(g->tt, tp_mk1(g->tt, TP_OP_PTR_OBJ, tp_var_of(g->p, v)->term),
                                      tp_mk_bv(g->tt, g->p->ptr_bits, 0))
                          : tp_chk_exec_get(g, c->c->predicates.at[t.like].var).term;
    tp_chk_exec_set(g, v, (tp_chk_value){address, TP_PROVENANCE_NONE});
    if (t.like == p) assume_live_cell(c, address);
  }
}

// ---------------------------------------------------------------------- execution

/* Executes for the graphs of the group, of which this is the first. */
static void execute_group(tp_chk_batch *c, const tp_chk_cutpoint *l, tp_term formula,
                          const tp_chk_structure *first) {
  tp_chk_exec *g = c->g;
  TP_REQUIRE(first && g->result == TP_CERTIFY_ACCEPTED);
  tp_chk_exec_begin(g, l->context, l->loc, false);
  assume_pointers(c, first);
  tp_chk_assume_cutpoint_formula(g, formula);
  tp_chk_shape_begin(g, NULL);
  tp_chk_exec_run(g, false);
  for (uint32_t i = 0; i < c->n; i++)
    if (is_active(c, i)) c->starts[i].is_inductive = g->result == TP_CERTIFY_ACCEPTED;
  if (g->result == TP_CERTIFY_ACCEPTED) return;
  g->result =
      TP_CERTIFY_ACCEPTED;  // alone, more may be shown of a graph, and a message says which one
  tp_str_clear(&g->report->why);
  g->report->where = TP_LOC_NONE;
}

void tp_chk_batch_check(tp_chk_exec *g, const tp_chk_cutpoint *l, tp_term formula,
                        const uint32_t *graphs, uint32_t n, bool *inductive) {
  TP_REQUIRE(n > 0 && g->shape && !g->shape->batch);
  tp_chk_batch *c = g->shape->batch = batch_new(g, l, graphs, n);
  find_groups(c);
  for (uint32_t i = 0; i < n; i++) {
    if (c->starts[i].group <= c->group) continue;
    c->group = c->starts[i].group;
    execute_group(c, l, formula, c->starts[i].k);
  }
  for (uint32_t i = 0; i < n; i++) inductive[i] = c->starts[i].is_inductive;
  g->shape->batch = NULL;
  batch_free(c);
}

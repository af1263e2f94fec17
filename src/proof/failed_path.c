/* What is known of a pointer and its links is compared before and behind each step of the path.
 *
 * A heap of which nothing is known any more explains everything behind it: the first such step is
 * named. Otherwise the last one is, behind which a link of a cell is 1/2 that was definite, while
 * the pointer to the cell stays and no step wrote the link: abstraction made one node of two that
 * no predicate keeps apart. Where the path has no such step, another turn of a loop may have. */
#include "proof/failed_path.h"

#include "cpa/composite.h"
#include "cpa/shape/shape_cpa.h"
#include "engine/engine.h"

// --------------------------------------------------------------------- the path

void tp_failed_path_nodes(const tp_reached *r, const tp_program *p, tp_property property,
                          tp_node_list *out) {
  uint32_t at = 0;
  for (uint32_t i = 1; i <= tp_reached_n(r) && !at; i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (!n->removed && n->loc.id && tp_property_covers(property, tp_loc_of(p, n->loc)->error))
      at = i;
  }
  for (; at; at = tp_reached_node(r, at)->parent) tp_vec_push(out, at);
  for (size_t i = 0; i < out->n / 2; i++) {
    const uint32_t first = out->at[i];
    out->at[i] = out->at[out->n - 1 - i];
    out->at[out->n - 1 - i] = first;
  }
}

const char *tp_failed_path_step(const tp_reached *r, const tp_program *p, uint32_t node,
                                tp_arena *arena) {
  const tp_node *n = tp_reached_node(r, node);
  if (!n->parent) return "the start";
  tp_str text = {0};
  if (n->step.kind == TP_STEP_RETURN)
    tp_str_printf(&text, "return from %s", tp_func_of(p, n->step.callee)->name);
  else
    tp_edge_print(p, n->step.edge, &text);
  tp_str_printf(&text, " at %s", tp_position_text(p, tp_edge_of(p, n->step.edge)->pos, arena));
  const char *out = tp_arena_strdup(arena, tp_str_text(&text));
  tp_str_clear(&text);
  return out;
}

// ------------------------------------------------------------------------- facts

/* Node of the cell to which pointer x leads; -1: that is not known, or to none. */
static int cell_of(const tp_shape_class *c, const tp_structure *s, uint32_t x) {
  const uint64_t to = s->unary[c->points[x]].must;
  if (!to || (s->unary[c->outside].may & to)) return -1;
  int u = 0;
  while (!(to >> u & 1)) u++;
  return u;
}

/* What the graphs of a set in which pointer x leads to a cell say of a link of that cell: whether
 * it is null, in each of them. */
typedef enum { NO_CELL, IS_DEFINITE, IS_OPEN } saying;
static saying link_of(const tp_cell_kind *k, const tp_graph_ids *set, uint32_t x, uint32_t f) {
  const tp_shape_class *c = tp_shape_engine_class(k->engine);
  saying all = NO_CELL;
  for (size_t g = 0; g < set->n && all != IS_OPEN; g++) {
    const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(k->engine), set->at[g])->s;
    const int u = cell_of(c, s, x);
    if (u < 0) continue;
    const tp_k64 row = *tp_structure_row(s, c->field[f], (uint32_t)u);
    all = row.may == 0 || row.must ? IS_DEFINITE : IS_OPEN;
  }
  return all;
}

// ------------------------------------------------------------------------ losses

typedef struct {
  tp_cpa *composite, *shape;
  const tp_reached *r;
  const tp_program *p;
  tp_arena *arena;
  tp_graph_ids *all_heaps;  // by kind
} search;

static const tp_graph_ids *graphs_at(const search *s, uint32_t node, uint32_t kind) {
  const tp_elem *e = tp_reached_node(s->r, node)->state.elem;
  for (size_t i = 0; i < tp_composite_n(s->composite); i++) {
    const tp_view v = tp_composite_view(s->composite, e, i);
    if (v.cpa == s->shape) return tp_shape_graphs(v.elem, kind);
  }
  return NULL;
}

static bool is_all_heaps(const search *s, uint32_t kind, const tp_graph_ids *set) {
  const tp_graph_ids *all = &s->all_heaps[kind];
  return set->n == all->n &&
         (set->n == 0 || memcmp(set->at, all->at, set->n * sizeof *set->at) == 0);
}

/* The families of the kind's class that are not used: "shared, downCyclic"; NULL: all are. */
static const char *unused_families(const search *s, const tp_cell_kind *k) {
  const tp_generator m = tp_shape_engine_class(k->engine)->generator;
  tp_str names = {0};
  for (uint32_t i = 0; m.entry && i < m.entry->families.n; i++)
    if (!(m.families >> i & 1))
      tp_str_printf(&names, "%s%s", names.n ? ", " : "", m.entry->families.at[i].name);
  const char *out = names.n ? tp_arena_strdup(s->arena, names.text) : NULL;
  tp_str_clear(&names);
  return out;
}

static const char *type_name(const search *s, const tp_cell_kind *k) {
  return tp_type_of(s->p, k->structure)->name;
}

static const char *lost_everything(const search *s, const tp_cell_kind *k, uint32_t node) {
  const tp_edge_info *e = tp_edge_of(s->p, tp_reached_node(s->r, node)->step.edge);
  const char *why = e->kind == TP_E_STORE || e->kind == TP_E_COPY || e->kind == TP_E_SET
                        ? ": the address that is written is that of no pointer that graphs follow"
                        : "";
  return tp_arena_printf(s->arena, "behind %s nothing is known of the cells of type %s%s",
                         tp_failed_path_step(s->r, s->p, node, s->arena), type_name(s, k), why);
}

static const char *lost_link(const search *s, const tp_cell_kind *k, uint32_t node, uint32_t x,
                             uint32_t f) {
  const char *unused = unused_families(s, k);
  return tp_arena_printf(
      s->arena,
      "behind %s it is not known whether %s->%s is null: no predicate keeps the cell there apart "
      "from others%s%s%s",
      tp_failed_path_step(s->r, s->p, node, s->arena), tp_var_of(s->p, k->pointers[x])->name,
      tp_shape_engine_class(k->engine)->fields[f], unused ? " (not tracked here: " : "",
      unused ? unused : "", unused ? ")" : "");
}

/* Does the step change links of cells, or which cell the pointer leads to? */
static bool is_reason(const search *s, const tp_node *n, tp_var x) {
  if (n->step.kind != TP_STEP_EDGE) return true;
  const tp_edge_info *e = tp_edge_of(s->p, n->step.edge);
  const bool is_harmless = e->kind == TP_E_SKIP || e->kind == TP_E_ASSUME ||
                           e->kind == TP_E_ASSIGN || e->kind == TP_E_LOAD || e->kind == TP_E_ALLOC;
  return !is_harmless || e->var.id == x.id;
}

/* A link that was definite before the step to the node, and is not behind it; NULL: none. */
static const char *loss_at(const search *s, uint32_t kind, uint32_t before, uint32_t node) {
  const tp_cell_kind *k = tp_shape_cells(s->shape, kind);
  const tp_shape_class *c = tp_shape_engine_class(k->engine);
  const tp_graph_ids *a = graphs_at(s, before, kind), *b = graphs_at(s, node, kind);
  for (uint32_t x = 0; x < c->n_pointers; x++) {
    if (tp_var_of(s->p, k->pointers[x])->kind == TP_V_TEMP ||
        is_reason(s, tp_reached_node(s->r, node), k->pointers[x]))
      continue;
    for (uint32_t f = 0; f < c->n_fields; f++)
      if (link_of(k, a, x, f) == IS_DEFINITE && link_of(k, b, x, f) == IS_OPEN)
        return lost_link(s, k, node, x, f);
  }
  return NULL;
}

/* Elements are joined at loops: what was lost in another turn of a loop is no step of the path. The
 * first such step in the function of the error. */
static const char *find_loss_beside(const search *s, uint32_t error, uint32_t kind) {
  const char *found = NULL;
  const tp_func func = tp_loc_of(s->p, tp_reached_node(s->r, error)->loc)->func;
  for (uint32_t i = 1; i <= tp_reached_n(s->r) && !found; i++) {
    const tp_node *n = tp_reached_node(s->r, i);
    if (n->removed || !n->parent || !n->loc.id || tp_loc_of(s->p, n->loc)->func.id != func.id ||
        !graphs_at(s, i, kind) || !graphs_at(s, n->parent, kind))
      continue;
    found = loss_at(s, kind, n->parent, i);
  }
  return found;
}

static const char *find_loss(const search *s, const tp_node_list *path, uint32_t kind) {
  const char *found = NULL;
  for (size_t i = 1; i < path->n; i++) {
    const tp_graph_ids *a = graphs_at(s, path->at[i - 1], kind),
                       *b = graphs_at(s, path->at[i], kind);
    if (!a || !b) continue;
    if (is_all_heaps(s, kind, b) && !is_all_heaps(s, kind, a))
      return lost_everything(s, tp_shape_cells(s->shape, kind), path->at[i]);
    const char *here = loss_at(s, kind, path->at[i - 1], path->at[i]);
    if (here) found = here;
  }
  return found || path->n == 0 ? found : find_loss_beside(s, path->at[path->n - 1], kind);
}

const char *tp_failed_path_loss(tp_cpa *composite, const tp_reached *r, tp_property property,
                                tp_arena *arena) {
  search s = {.composite = composite,
              .shape = tp_composite_find(composite, &tp_cpa_shape),
              .r = r,
              .p = composite->env->program,
              .arena = arena};
  const uint32_t n_kinds = s.shape ? tp_shape_n_cells(s.shape) : 0;
  const char *found = NULL;
  tp_node_list path = {0};
  s.all_heaps = TP_NEW_ARRAY(tp_graph_ids, n_kinds + 1);
  for (uint32_t k = 0; k < n_kinds; k++)
    tp_shape_engine_top(tp_shape_cells(s.shape, k)->engine, &s.all_heaps[k]);
  if (n_kinds) tp_failed_path_nodes(r, s.p, property, &path);
  for (uint32_t k = 0; k < n_kinds && !found; k++) found = find_loss(&s, &path, k);
  for (uint32_t k = 0; k < n_kinds; k++) tp_vec_clear(&s.all_heaps[k]);
  tp_free(s.all_heaps);
  tp_vec_clear(&path);
  return found;
}

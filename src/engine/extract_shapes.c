/* Class by class: the analysis's predicates in their order, then graphs as they are asked for. */
#include "engine/extract_shapes.h"

#include "cpa/composite.h"
#include "cpa/shape/shape_type.h"
#include "engine/formula_text.h"
#include "engine/extract_hints.h"
#include "program/access.h"
#include "program/cells.h"
#include "engine/engine_limits.h"

typedef struct {
  const tp_cell_kind *cells;
  const tp_shape_class *c;
  uint32_t number;  // in the certificate; 0: none yet
  tp_graph_ids all_heaps;
  tp_map graphs;  // of the engine -> of the certificate
} kind;

struct tp_shape_extraction {
  tp_cpa *composite, *shape;
  tp_program *p;
  tp_cert_shapes *to;
  kind *kinds;
  uint32_t n;
  uint64_t all_kinds;   // a bit for each; those beyond are never off
  uint64_t followed;    // kinds that graphs follow somewhere
  tp_map handed_over;   // element -> its part of `shape`, handed over
  bool counts_objects;  // an edge asks how many objects live
};

// -------------------------------------------------------------------- predicates

static tp_cert_predicate defined(const tp_shape_class *c, const tp_shape_predicate *p,
                                 tp_str *text) {
  tp_str_clear(text);
  if (!tp_formula_write(&(tp_formula_writing){.c = c}, p->definition, text))
    return (tp_cert_predicate){.kind = TP_CERT_OPAQUE, .arity = p->arity};
  return (tp_cert_predicate){
      .kind = TP_CERT_DEFINED, .arity = p->arity, .formula = tp_str_text(text)};
}

static tp_cert_predicate datum(const tp_shape_extraction *h, const tp_data_formula *d) {
  tp_terms *tt = h->p->terms;
  tp_term cell = tp_mk_var(tt, "cell", tp_sort_ptr(tt)),
          at = tp_mk_ptr_add(tt, cell, tp_mk_bv(tt, h->p->ptr_bits, d->offset));
  return (tp_cert_predicate){
      .kind = TP_CERT_DATA,
      .data = tp_replace(tt, d->fact, d->value, tp_cell(h->p, tp_sort_of(tt, d->value), at)),
      .cell = cell};
}

static tp_cert_predicate predicate_of(const tp_shape_extraction *h, const kind *k,
                                      const tp_shape_predicate *p, tp_str *text) {
  switch (p->kind) {
    case TP_SHAPE_PREDICATE_POINTS:
      return (tp_cert_predicate){.kind = TP_CERT_POINTER,
                                 .var = k->cells->pointers[p->argument[0]]};
    case TP_SHAPE_PREDICATE_FREED: return (tp_cert_predicate){.kind = TP_CERT_FREED};
    case TP_SHAPE_PREDICATE_OUTSIDE: return (tp_cert_predicate){.kind = TP_CERT_OUTSIDE};
    case TP_SHAPE_PREDICATE_DATA: return datum(h, &k->cells->data[p->argument[0]]);
    case TP_SHAPE_PREDICATE_FIELD:
      return (tp_cert_predicate){.kind = TP_CERT_FIELD, .field = (uint32_t)p->argument[0]};
    case TP_SHAPE_PREDICATE_ORDER: break;
    case TP_SHAPE_PREDICATE_FAMILY: return defined(k->c, p, text);
  }
  return (tp_cert_predicate){.kind = TP_CERT_OPAQUE, .arity = p->arity};
}

static void open_kind(tp_shape_extraction *h, uint32_t i) {
  kind *k = &h->kinds[i];
  k->cells = tp_shape_cells(h->shape, i);
  k->c = tp_shape_engine_class(k->cells->engine);
  tp_shape_engine_top(k->cells->engine, &k->all_heaps);
}

/* The kind's class, before its first graph: refinement leaves kinds behind that no element follows.
 */
static void add_class(tp_shape_extraction *h, kind *k) {
  tp_str text = {0};
  k->number = tp_cert_shapes_class(h->to, k->cells->size_bytes);
  for (uint32_t f = 0; f < k->c->n_fields; f++)
    tp_cert_shapes_field(h->to, k->number, k->cells->offsets[f]);
  for (size_t n = 0; n < k->c->predicates.n; n++)
    (void)tp_cert_shapes_predicate(h->to, k->number,
                                   predicate_of(h, k, &k->c->predicates.at[n], &text));
  tp_extract_hints(h->p, k->cells, h->to, k->number);
  tp_str_clear(&text);
}

// ------------------------------------------------------------------------ graphs

static char letter(tp_kleene v) {
  return v == TP_KLEENE_HALF ? 'h' : v == TP_KLEENE_TRUE ? '1' : '0';
}

/* Is there a unary value that is 0 at one and 1 at the other? */
static bool are_apart(const kind *k, const tp_structure *s, uint32_t u, uint32_t v) {
  for (uint32_t p = 0; p < k->c->n_unary; p++) {
    const tp_kleene a = tp_k64_get(s->unary[p], u), b = tp_k64_get(s->unary[p], v);
    if (a != b && a != TP_KLEENE_HALF && b != TP_KLEENE_HALF) return true;
  }
  return false;
}

static tp_k64 joined(tp_k64 a, tp_k64 b) { return (tp_k64){a.may | b.may, a.must & b.must}; }

/* Node v becomes part of u: all that either of them was. */
static void merge_nodes(const kind *k, tp_structure *s, uint32_t u, uint32_t v) {
  for (uint32_t p = 0; p < k->c->n_unary; p++)
    tp_k64_set(&s->unary[p], u,
               tp_kleene_join(tp_k64_get(s->unary[p], u), tp_k64_get(s->unary[p], v)));
  for (uint32_t p = 0; p < k->c->n_binary; p++) {
    for (uint32_t w = 0; w < s->n; w++) {
      tp_k64 *row = tp_structure_row(s, p, w);
      tp_k64_set(row, u, tp_kleene_join(tp_k64_get(*row, u), tp_k64_get(*row, v)));
    }
    *tp_structure_row(s, p, u) = joined(*tp_structure_row(s, p, u), *tp_structure_row(s, p, v));
  }
  s->summary |= tp_k64_bit(u);
  tp_structure_remove(s, v);
}

/* A checker has to know an element's node by its unary values: nodes that these do not tell apart
 * become one. */
static void tell_apart(const kind *k, tp_structure *s) {
  for (uint32_t u = 0; u < s->n; u++)
    for (uint32_t v = u + 1; v < s->n; v++) {
      if (are_apart(k, s, u, v)) continue;
      merge_nodes(k, s, u, v);
      u = UINT32_MAX;  // from the start: u may be like others now
      break;
    }
}

static uint32_t add_graph(tp_shape_extraction *h, const kind *k, const tp_structure *s) {
  tp_str values = {0};
  for (uint32_t u = 0; u < s->n; u++)
    tp_str_add_char(&values, tp_structure_is_summary(s, u) ? 'h' : '1');
  for (size_t i = 0; i < k->c->predicates.n; i++) {
    const tp_shape_predicate *p = &k->c->predicates.at[i];
    for (uint32_t u = 0; u < s->n; u++) {
      if (p->arity == 1) tp_str_add_char(&values, letter(tp_k64_get(s->unary[p->index], u)));
      for (uint32_t v = 0; p->arity == 2 && v < s->n; v++)
        tp_str_add_char(&values, letter(tp_k64_get(*tp_structure_row(s, p->index, u), v)));
    }
  }
  uint32_t number = tp_cert_shapes_graph(h->to, k->number, s->n, tp_str_text(&values));
  tp_str_clear(&values);
  return number;
}

/* The graph's number in the certificate. */
static uint32_t graph_of(tp_shape_extraction *h, kind *k, uint32_t id) {
  uint64_t known;
  if (tp_map_get(&k->graphs, id, &known)) return (uint32_t)known;
  if (!k->number) add_class(h, k);
  tp_structure *s = tp_shape_class_structure_new(k->c);
  tp_structure_copy(s, &tp_graph_at(tp_shape_engine_graphs(k->cells->engine), id)->s);
  tell_apart(k, s);
  uint32_t number = add_graph(h, k, s);
  tp_map_set(&k->graphs, id, number);
  tp_structure_clear(s);
  tp_free(s);
  return number;
}

static bool same_set(const tp_graph_ids *a, const tp_graph_ids *b) {
  return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

static const tp_elem *part_of(const tp_shape_extraction *h, const tp_elem *e) {
  size_t i = 0;
  while (tp_composite_view(h->composite, e, i).cpa != h->shape) i++;
  return tp_composite_view(h->composite, e, i).elem;
}

void tp_shape_extraction_visit(tp_shape_extraction *h, const tp_elem *e) {
  h->followed |= h->all_kinds & ~tp_shape_off(part_of(h, e));
}

static const tp_explicit_heap *explicit_heap(const tp_shape_extraction *h, const tp_elem *e) {
  for (size_t i = 0; i < tp_composite_n(h->composite); i++) {
    tp_view v = tp_composite_view(h->composite, e, i);
    if (v.cpa->ops->explicit_heap)
      return v.cpa->ops->explicit_heap((tp_cpa *)(uintptr_t)v.cpa, v.elem);
  }
  return NULL;
}

/* The part of `shape`, with graphs of all kinds that have them somewhere. A kind that is handed
 * over later has them from the start: formulas speak of the cells that they name, and nothing but a
 * graph can say that there are no others, and that fields which nobody has written lead to none. */
static const tp_elem *graphs_of(tp_shape_extraction *h, const tp_elem *e) {
  const tp_explicit_heap *heap = explicit_heap(h, e);
  uint64_t known;
  if (!heap || tp_shape_is_refined(h->shape) || (tp_shape_off(part_of(h, e)) & h->followed) == 0)
    return part_of(h, e);
  if (tp_map_get(&h->handed_over, (uintptr_t)e, &known)) return (const tp_elem *)(uintptr_t)known;
  const tp_elem *graphs = tp_shape_transfer_heap(h->shape, part_of(h, e), h->followed, heap);
  tp_map_set(&h->handed_over, (uintptr_t)e, (uintptr_t)graphs);
  return graphs;
}

/* Does b mean all that a would mean with these graphs? */
static bool is_below(tp_shape_extraction *h, const tp_elem *a, const tp_elem *graphs_of_a,
                     const tp_elem *b) {
  bool is = true;
  for (size_t i = 0; i < tp_composite_n(h->composite) && is; i++) {
    tp_view x = tp_composite_view(h->composite, a, i), y = tp_composite_view(h->composite, b, i);
    if (x.cpa == h->shape) x.elem = graphs_of_a, y.elem = graphs_of(h, b);
    is = x.elem == y.elem || x.cpa->ops->leq((tp_cpa *)(uintptr_t)x.cpa, x.elem, y.elem);
  }
  return is;
}

bool tp_shape_extraction_leq(tp_shape_extraction *h, const tp_elem *a, const tp_elem *b) {
  return is_below(h, a, graphs_of(h, a), b);
}

/* Where shape types are refined, elements are not merged while the search goes on: the way to each
 * is one way. */
const tp_elem *tp_shape_extraction_join(tp_shape_extraction *h, const tp_elem *a,
                                        const tp_elem *b) {
  const tp_elem *x = part_of(h, a), *y = part_of(h, b);
  if (!tp_shape_is_refined(h->shape) ||
      tp_cpa_merge_key(h->shape, x) != tp_cpa_merge_key(h->shape, y) ||
      !tp_term_eq(tp_shape_links(h->shape, x), tp_shape_links(h->shape, y)))
    return NULL;
  for (size_t i = 0; i < tp_composite_n(h->composite); i++) {
    tp_view v = tp_composite_view(h->composite, a, i), w = tp_composite_view(h->composite, b, i);
    tp_cpa *cpa = (tp_cpa *)(uintptr_t)v.cpa;
    if (v.cpa != h->shape && v.elem != w.elem &&
        !(cpa->ops->leq(cpa, v.elem, w.elem) && cpa->ops->leq(cpa, w.elem, v.elem)))
      return NULL;
  }
  return tp_composite_replace(h->composite, a, h->shape, h->shape->ops->join(h->shape, x, y));
}

/* Cells are explicit in e: are its heaps with this graph of kind i those of another element, too,
 * that has graphs only? */
static bool is_elsewhere(tp_shape_extraction *h, const tp_elem *e, uint32_t i, uint32_t graph,
                         const tp_elem *const *place, size_t n) {
  if ((tp_shape_off(part_of(h, e)) & h->followed) == 0) return false;
  const tp_elem *only = tp_shape_with_graph(h->shape, graphs_of(h, e), i, graph);
  for (size_t k = 0; k < n; k++)
    if ((tp_shape_off(part_of(h, place[k])) & h->followed) == 0 && is_below(h, e, only, place[k]))
      return true;
  return false;
}

typedef struct {
  uint32_t kind, graph;
} graph_of_kind;

bool tp_shape_extraction_describe(tp_shape_extraction *h, uint32_t entry, const tp_elem *e,
                                  const tp_elem *const *place, size_t n) {
  TP_REQUIRE(n > 0);
  const tp_elem *graphs = graphs_of(h, e);
  TP_VEC(graph_of_kind) kept = {0};
  bool is_needed = true;
  for (uint32_t i = 0; i < h->n; i++) {
    const tp_graph_ids *set = tp_shape_graphs(graphs, i);
    const size_t before = kept.n;
    if (same_set(set, &h->kinds[i].all_heaps)) continue;
    for (size_t g = 0; g < set->n; g++)
      if (!is_elsewhere(h, e, i, set->at[g], place, n))
        tp_vec_push(&kept, ((graph_of_kind){i, set->at[g]}));
    is_needed = is_needed && kept.n > before;
  }
  for (size_t i = 0; i < kept.n && is_needed; i++)
    tp_cert_shapes_describe(h->to, entry,
                            graph_of(h, &h->kinds[kept.at[i].kind], kept.at[i].graph));
  tp_vec_clear(&kept);
  return is_needed;
}

// ---------------------------------------------------------------------- composite

typedef struct {
  const tp_program *p;
  bool is_there;
} search;
static void look_for_count(void *ctx, tp_term var) {
  search *s = ctx;
  s->is_there |= tp_program_var_of(s->p, var).id == s->p->ghost_heap.id;
}

/* Does the term speak of how many heap objects live? NONE: no. */
static bool speaks_of_count(const tp_program *p, tp_term t) {
  search s = {p, false};
  if (tp_term_is(t)) tp_for_vars(p->terms, t, look_for_count, &s);
  return s.is_there;
}

static bool asks_for_count(const tp_program *p) {
  bool asks = false;
  for (size_t i = 1; i < p->edges.n && !asks; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    asks = speaks_of_count(p, e->a) || speaks_of_count(p, e->b);
    for (uint32_t k = 0; k < e->n_args && !asks; k++) asks = speaks_of_count(p, e->args[k]);
  }
  return asks;
}

tp_shape_extraction *tp_shape_extraction_new(tp_cpa *composite, tp_cert_shapes *to) {
  tp_cpa *shape = tp_composite_find(composite, &tp_cpa_shape);
  if (!shape || tp_shape_n_cells(shape) == 0) return NULL;
  tp_shape_extraction *h = TP_NEW(tp_shape_extraction);
  *h = (tp_shape_extraction){.composite = composite,
                             .shape = shape,
                             .p = (tp_program *)shape->env->program,
                             .to = to,
                             .n = tp_shape_n_cells(shape)};
  h->all_kinds = tp_k64_all(h->n < 64 ? h->n : 64);
  h->kinds = TP_NEW_ARRAY(kind, h->n);
  for (uint32_t i = 0; i < h->n; i++) open_kind(h, i);
  h->counts_objects = asks_for_count(h->p);
  return h;
}

void tp_shape_extraction_free(tp_shape_extraction *h) {
  if (!h) return;
  for (uint32_t i = 0; i < h->n; i++) {
    tp_vec_clear(&h->kinds[i].all_heaps);
    tp_map_clear(&h->kinds[i].graphs);
  }
  tp_map_clear(&h->handed_over);
  tp_free(h->kinds);
  tp_free(h);
}

bool tp_shape_extraction_is_expressible(const tp_shape_extraction *h, const tp_elem *e) {
  bool speaks = true;
  for (size_t i = 0; i < tp_composite_n(h->composite); i++) {
    tp_view v = tp_composite_view(h->composite, e, i);
    speaks = speaks &&
             (v.cpa == h->shape || tp_cpa_has_exact_formula((tp_cpa *)(uintptr_t)v.cpa, v.elem));
  }
  return speaks;
}

/* Do graphs say already what the explicit heap says of cells? They do not say how many objects
 * live. */
static bool graphs_say_cells(tp_shape_extraction *h, const tp_elem *e,
                             const tp_explicit_heap *heap) {
  if (!h->followed || h->counts_objects || h->n > 64) return false;
  const uint64_t made = tp_shape_off(part_of(h, e)) & h->followed;
  const tp_elem *graphs = graphs_of(h, e);
  for (uint32_t i = 0; i < h->n; i++)
    if ((made & tp_k64_bit(i)) && !same_set(tp_shape_graphs(graphs, i), &h->kinds[i].all_heaps) &&
        tp_shape_describes_cells(h->shape, graphs, i, heap))
      return true;
  return heap->n_cells == 0;
}

/* Is the variable a pointer of a kind that has graphs here? They say where it is null. */
static bool is_in_graphs(tp_shape_extraction *h, const tp_elem *e, tp_var v) {
  for (uint32_t i = 0; i < h->n; i++) {
    bool is_tracked = false;
    for (uint32_t k = 0; k < h->kinds[i].c->n_pointers; k++)
      is_tracked |= h->kinds[i].cells->pointers[k].id == v.id;
    if (is_tracked && !same_set(tp_shape_graphs(graphs_of(h, e), i), &h->kinds[i].all_heaps))
      return true;
  }
  return false;
}

/* What the explicit heap says of variables that lead to no cell. */
static tp_term beside_cells(tp_shape_extraction *h, const tp_elem *e,
                            const tp_explicit_heap *heap) {
  tp_terms *tt = h->p->terms;
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < heap->n_vars; i++) {
    const tp_explicit_var *v = &heap->vars[i];
    if (tp_explicit_is_cell(tt, heap, v->value) ||
        (tp_term_eq(v->value, tp_mk_null(tt)) && is_in_graphs(h, e, v->var)))
      continue;
    all = tp_mk_and(tt, all, tp_mk_eq(tt, tp_var_of(h->p, v->var)->term, v->value));
  }
  return all;
}

/* How many objects live is said nowhere, if some entries cannot say it and nobody asks. */
static tp_term without_count(const tp_shape_extraction *h, tp_term t) {
  tp_term_list parts = {0};
  tp_term all = tp_mk_true(h->p->terms);
  if (!h->followed || h->counts_objects) return t;
  tp_conjuncts(h->p->terms, t, &parts);
  for (size_t i = 0; i < parts.n; i++)
    if (!speaks_of_count(h->p, parts.at[i])) all = tp_mk_and(h->p->terms, all, parts.at[i]);
  tp_vec_clear(&parts);
  return all;
}

tp_term tp_shape_extraction_formula(tp_shape_extraction *h, const tp_elem *e) {
  tp_terms *tt = h->p->terms;
  tp_term all = tp_shape_links(h->shape, part_of(h, e));
  for (size_t i = 0; i < tp_composite_n(h->composite); i++) {
    tp_view v = tp_composite_view(h->composite, e, i);
    if (v.cpa == h->shape) continue;
    const tp_explicit_heap *heap =
        v.cpa->ops->explicit_heap ? v.cpa->ops->explicit_heap((tp_cpa *)(uintptr_t)v.cpa, v.elem)
                                  : NULL;
    all = tp_mk_and(tt, all,
                    heap && graphs_say_cells(h, e, heap)
                        ? beside_cells(h, e, heap)
                        : v.cpa->ops->formula((tp_cpa *)(uintptr_t)v.cpa, v.elem));
  }
  return without_count(h, all);
}

/* A load of a number changes nothing, and makes no pointer that graphs tell of. */
static bool touches_heap(const tp_program *p, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_LOAD:
      return tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, e->var)->term)) ==
             TP_SORT_PTR;
    case TP_E_STORE:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: return true;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_HAVOC:
    case TP_E_CALL:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: break;
  }
  return false;
}

// ------------------------------------------------------------------------ labels

static bool is_straight(const tp_edge_info *e) {
  return e->kind == TP_E_STORE || e->kind == TP_E_LOAD || e->kind == TP_E_SKIP ||
         e->kind == TP_E_ASSIGN || e->kind == TP_E_ASSUME || e->kind == TP_E_ALLOC;
}

/* The edge that allocates, without content, and that leads straight to l; NONE: there is none. */
static tp_edge allocation_before(const tp_program *p, tp_loc l) {
  tp_edge_list in = tp_in_edges(p, l);
  for (uint32_t i = 0; i < TP_ENGINE_ALLOCATION_EDGES && in.n == 1; i++) {
    const tp_edge_info *e = &p->edges.at[in.at[0]];
    if (e->kind == TP_E_ALLOC) return tp_term_is(e->b) ? (tp_edge){0} : (tp_edge){in.at[0]};
    if (!is_straight(e)) break;
    in = tp_in_edges(p, e->from);
  }
  return (tp_edge){0};
}

/* The path goes along e: *fresh has the variables that hold the new object. */
static void follow(const tp_program *p, const tp_edge_info *e, tp_map *fresh) {
  tp_var from = e->kind == TP_E_ASSIGN ? tp_program_var_of(p, e->a) : (tp_var){0};
  if (from.id && tp_map_has(fresh, from.id)) tp_map_set(fresh, e->var.id, 1);
}

static bool writes_into(const tp_program *p, const tp_edge_info *e, const tp_map *fresh) {
  tp_access a;
  return e->kind == TP_E_STORE && tp_access_of(p, e->a, &a) && a.var.id &&
         tp_map_has(fresh, a.var.id);
}

/* Is an object being made here, between its allocation and the last of the writes into it that
 * follow? It holds any numbers then: a checker that looks at it behind the last write has less to
 * do. */
static bool is_half_made(const tp_program *p, tp_loc l) {
  tp_edge alloc = allocation_before(p, l);
  if (!alloc.id) return false;
  tp_map fresh = {0};
  bool passed = false, more = false;
  const tp_edge_info *e = tp_edge_of(p, alloc);
  tp_map_set(&fresh, e->var.id, 1);
  for (uint32_t i = 0; i < 2 * TP_ENGINE_ALLOCATION_EDGES && !more; i++) {
    passed = passed || e->to.id == l.id;
    tp_edge_list out = tp_out_edges(p, e->to);
    if (passed && (out.n != 1 || !is_straight(&p->edges.at[out.at[0]]))) break;
    size_t k = 0;
    while (!passed && k < out.n && allocation_before(p, p->edges.at[out.at[k]].to).id != alloc.id)
      k++;  // the branch that leads to l has this one alone
    if (k == out.n) break;
    e = &p->edges.at[out.at[k]];
    follow(p, e, &fresh);
    more = passed && writes_into(p, e, &fresh);
  }
  tp_map_clear(&fresh);
  return more || tp_edge_of(p, alloc)->to.id == l.id;
}

/* Behind a load of a pointer there is always one: what the new object gets from there is a value
 * then, where in one step it would be a field of another cell. */
bool tp_is_shape_cutpoint(const tp_program *p, tp_loc l) {
  tp_edge_list in = tp_in_edges(p, l);
  bool touches = false, loads = false;
  for (size_t i = 0; i < in.n; i++) {
    const tp_edge_info *e = &p->edges.at[in.at[i]];
    touches = touches || touches_heap(p, e);
    loads = loads || (e->kind == TP_E_LOAD && touches_heap(p, e));
  }
  return loads || (touches && !is_half_made(p, l));
}

/* The invariants of a reached set: numbers are given out again, without gaps, in the order of the
 * old ones; locations are sorted; at each location the elements are compared by the analysis's own
 * order.
 */
#include "engine/extract.h"

#include "cpa/arguments.h"
#include "engine/extract_shapes.h"
#include "engine/engine_limits.h"

#include <stdlib.h>

typedef struct {
  tp_recursion *r;
  tp_reached *reached;
  tp_cpa *cpa;
  const tp_contexts *contexts;  // of the run
  const tp_program *p;
  tp_invariants *out;
  uint32_t *contract;  // number in the run -> number in the certificate; 0: none
  uint32_t *context;
  tp_term everywhere;  // holds at every location, see held_constants
  tp_arguments *arguments;
  tp_shape_extraction *shapes;  // NULL: the certificate has none
  bool is_inexpressible;        // property NONE: a cutpoint has more than formulas can say
} extraction;

// ------------------------------------------------------------ pointers to functions

/* Adds v == c for each constant c that the value can be; false: it can be something else. */
static bool add_choices(tp_terms *tt, tp_term v, tp_term value, tp_term *any) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(tt, v), tp_sort_of(tt, value)));
  TP_VEC(tp_term) todo = {0};
  bool known = true;
  tp_vec_push(&todo, value);
  for (size_t i = 0; i < todo.n && known; i++) {
    tp_term t = todo.at[i];
    known = todo.n < TP_ENGINE_FUNCTION_CHOICES;
    if (tp_kind(tt, t) == TP_OP_ITE) {
      tp_vec_push(&todo, tp_arg(tt, t, 1));
      tp_vec_push(&todo, tp_arg(tt, t, 2));
    } else if (tp_kind(tt, t) == TP_OP_PTR_CONST) {
      *any = tp_mk_or(tt, *any, tp_mk_eq(tt, v, t));
    } else {
      known = false;
    }
  }
  tp_vec_clear(&todo);
  return known;
}

/* All values that a global is ever given, if they are constants; TRUE: they are not. */
static tp_term choices_of(const tp_program *p, tp_var v) {
  const tp_var_info *info = tp_var_of(p, v);
  tp_term any = tp_mk_false(p->terms);
  bool known = tp_term_is(info->initial) && add_choices(p->terms, info->term, info->initial, &any);
  for (size_t e = 1; e < p->edges.n && known; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->var.id == v.id)
      known = edge->kind == TP_E_ASSIGN && add_choices(p->terms, info->term, edge->a, &any);
  }
  return known ? any : tp_mk_true(p->terms);
}

typedef struct {
  const tp_program *p;
  tp_map globals;  // that calls go through
} callees;

static void visit_callee(void *ctx, tp_term symbol) {
  callees *c = ctx;
  tp_var v = tp_program_var_of(c->p, symbol);
  bool is_pointer = tp_sort_kind_of(c->p->terms, tp_sort_of(c->p->terms, symbol)) == TP_SORT_PTR;
  if (v.id && is_pointer && tp_var_of(c->p, v)->kind == TP_V_GLOBAL)
    tp_map_set(&c->globals, v.id, 1);
}

/* Which functions a call through a pointer can mean is known from points-to classes, which a
 * checker does not take for granted. For globals that only ever hold constants the reason can be
 * said: at every location they hold one of them. */
static tp_term held_constants(const tp_program *p) {
  callees c = {.p = p};
  tp_term all = tp_mk_true(p->terms);
  for (size_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->kind == TP_E_CALL && !edge->callee.id)
      tp_for_vars(p->terms, edge->a, visit_callee, &c);
  }
  for (size_t i = 0; i < c.globals.n; i++)
    all = tp_mk_and(p->terms, all, choices_of(p, (tp_var){(uint32_t)c.globals.entries[i].key}));
  tp_map_clear(&c.globals);
  return all;
}

// ----------------------------------------------------------------------- numbers

/* Contracts of functions without body say nothing and have no entry in a certificate. */
static void add_contracts(extraction *h) {
  tp_summaries all = {0};
  tp_recursion_summaries(h->r, "cpa", &all);
  for (uint32_t k = 1; k < all.list.n; k++) {
    tp_summary x = all.list.at[k];
    x.pre = tp_mk_and(h->p->terms, x.pre, h->everywhere);
    x.post = tp_mk_and(h->p->terms, x.post, h->everywhere);
    if (tp_func_of(h->p, x.func)->has_body)
      h->contract[k] = tp_summaries_add(&h->out->contracts, x);
  }
  tp_summaries_clear(&all);
}

/* Does it start at main, or at a contract of today? Nodes that a refinement removed may have
 * started at one that is no more. */
static bool is_in_use(const extraction *h, tp_context context) {
  if (!context.id) return true;
  while (tp_context_of(h->contexts, context)->parent.id)
    context = tp_context_of(h->contexts, context)->parent;
  uint32_t k = tp_context_of(h->contexts, context)->contract;
  return k == 0 ||
         (k <= tp_recursion_n(h->r) && tp_recursion_contract(h->r, k)->root.id == context.id);
}

/* A context's parent has a smaller number, in the run and so in the certificate. */
static void add_contexts(extraction *h) {
  size_t n = h->contexts->list.n;
  bool *needed = TP_NEW_ARRAY(bool, n);
  for (uint32_t i = 1; i <= tp_reached_n(h->reached); i++) {
    const tp_node *node = tp_reached_node(h->reached, i);
    needed[node->context.id] |= !node->removed || is_in_use(h, node->context);
  }
  for (size_t i = n; i-- > 1;)
    if (needed[i]) needed[h->contexts->list.at[i].parent.id] = true;
  for (size_t i = 1; i < n; i++) {
    const tp_context_info *c = &h->contexts->list.at[i];
    if (!needed[i]) continue;
    if (c->parent.id)
      h->context[i] = tp_context_push(&h->out->contexts, (tp_context){h->context[c->parent.id]},
                                      c->call, c->func)
                          .id;
    else
      h->context[i] =
          tp_context_root(&h->out->contexts, c->func, c->contract ? h->contract[c->contract] : 0)
              .id;
  }
  tp_free(needed);
}

// ---------------------------------------------------------------------- formulas

typedef struct {
  const extraction *h;
  tp_context context;
  bool fits;
} scope;

static void visit_var(void *ctx, tp_term var) {
  scope *at = ctx;
  if (!tp_invariant_may_use(at->h->p, &at->h->out->contexts, at->context, var)) at->fits = false;
}

/* The conjuncts of t over variables that exist in the context. */
static tp_term visible_part(const extraction *h, tp_context context, tp_term t) {
  tp_terms *tt = h->p->terms;
  tp_term_list parts = {0};
  tp_term kept = tp_mk_true(tt);
  scope whole = {h, context, true};
  tp_for_vars(tt, t, visit_var, &whole);
  if (whole.fits) return t;
  tp_conjuncts(tt, t, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    scope at = {h, context, true};
    tp_for_vars(tt, parts.at[i], visit_var, &at);
    if (at.fits) kept = tp_mk_and(tt, kept, parts.at[i]);
  }
  tp_vec_clear(&parts);
  return kept;
}

// ------------------------------------------------------------------------ locations

/* A node at a label, with the numbers of the certificate. */
typedef struct {
  tp_context context;
  tp_loc loc;
  uint32_t node;
  const tp_elem *elem;  // of the node, or of several
} spot;
typedef TP_VEC(spot) spots;

static int by_place(const void *a, const void *b) {
  const spot *x = a, *y = b;
  if (x->context.id != y->context.id) return x->context.id < y->context.id ? -1 : 1;
  if (x->loc.id != y->loc.id) return x->loc.id < y->loc.id ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static bool leq(const extraction *h, spot a, spot b) {
  const tp_elem *x = a.elem, *y = b.elem;
  if (h->shapes) return x == y || tp_shape_extraction_leq(h->shapes, x, y);
  return x == y || h->cpa->ops->leq(h->cpa, x, y);
}

/* Is spot i of this location covered by another one that stays? Of two equal ones the first stays.
 */
static bool is_redundant(const extraction *h, const spot *at, size_t n, size_t i) {
  for (size_t k = 0; k < n; k++)
    if (k != i && leq(h, at[i], at[k]) && (k < i || !leq(h, at[k], at[i]))) return true;
  return false;
}

/* Where an analysis knows more than it can say (a path formula between block ends), a label would
 * lose it: the checker walks on through locations that are no cutpoints. */
static bool is_expressible(const extraction *h, const spot *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(h->shapes ? tp_shape_extraction_is_expressible(h->shapes, at[i].elem)
                    : tp_cpa_has_exact_formula(h->cpa, at[i].elem)))
      return false;
  return true;
}

/* In a proof such a location is left out. To an importer a cutpoint without entry is one that no
 * run comes to (engine/import.c), so it gets the entry TRUE. In the cut set formulas of other
 * locations may rest on what could not be said at this one: then nothing can be imported. */
static void add_true(extraction *h, spot at) {
  if (h->out->property != TP_P_NONE) return;
  if (tp_loc_of(h->p, at.loc)->is_cutpoint) h->is_inexpressible = true;
  tp_vec_push(&h->out->list, (tp_invariant){at.context, at.loc, tp_mk_true(h->p->terms)});
}

/* Elements that differ in graphs alone become one entry: the checker looks at the graphs of an
 * entry together. The number of spots that are left. */
static size_t join_spots(const extraction *h, spot *at, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    const tp_elem *joined = NULL;
    for (; k < kept && !joined; k++)
      joined = tp_shape_extraction_join(h->shapes, at[k].elem, at[i].elem);
    if (joined)
      at[k - 1].elem = joined;
    else
      at[kept++] = at[i];
  }
  return kept;
}

static void add_cutpoint(extraction *h, spot *at, size_t n) {
  if (h->shapes) n = join_spots(h, at, n);
  if (!is_expressible(h, at, n)) {
    add_true(h, at[0]);
    return;
  }
  size_t first = h->out->list.n;
  const tp_elem **elems = TP_NEW_ARRAY(const tp_elem *, n);
  for (size_t i = 0; i < n; i++) elems[i] = at[i].elem;
  tp_term known_here = tp_mk_and(
      h->p->terms, tp_arguments_hold(h->arguments, &h->out->contexts, at->context), h->everywhere);
  for (size_t i = 0; i < n; i++) {
    if (n <= TP_ENGINE_COMPARED_STATES && is_redundant(h, at, n, i)) continue;
    const tp_elem *e = elems[i];
    tp_term f = visible_part(
        h, at[i].context,
        h->shapes ? tp_shape_extraction_formula(h->shapes, e) : h->cpa->ops->formula(h->cpa, e));
    f = tp_mk_and(h->p->terms, f, known_here);
    bool known = tp_is_false(h->p->terms, f);
    for (size_t k = first; k < h->out->list.n && !known && !h->shapes; k++)
      known = tp_term_eq(h->out->list.at[k].formula, f);
    if (known) continue;
    if (h->shapes &&
        !tp_shape_extraction_describe(h->shapes, (uint32_t)h->out->list.n, e, elems, n))
      continue;
    tp_vec_push(&h->out->list, (tp_invariant){at[i].context, at[i].loc, f});
  }
  tp_free(elems);
}

static bool is_cutpoint(const extraction *h, tp_loc l) {
  return tp_is_certificate_cutpoint(h->p, l) || (h->shapes && tp_is_shape_cutpoint(h->p, l));
}

static void add_cutpoints(extraction *h) {
  spots all = {0};
  for (uint32_t i = 1; h->shapes && i <= tp_reached_n(h->reached); i++)
    if (!tp_reached_node(h->reached, i)->removed)
      tp_shape_extraction_visit(h->shapes, tp_reached_node(h->reached, i)->state.elem);
  for (uint32_t i = 1; i <= tp_reached_n(h->reached); i++) {
    const tp_node *n = tp_reached_node(h->reached, i);
    if (!n->removed && n->loc.id && is_cutpoint(h, n->loc))
      tp_vec_push(&all, (spot){{h->context[n->context.id]}, n->loc, i, n->state.elem});
  }
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_place);
  for (size_t i = 0, k; i < all.n; i = k) {
    for (k = i; k < all.n && all.at[k].context.id == all.at[i].context.id &&
                all.at[k].loc.id == all.at[i].loc.id;)
      k++;
    add_cutpoint(h, &all.at[i], k - i);
  }
  tp_vec_clear(&all);
}

bool tp_extract_invariants(tp_recursion *r, const tp_cpa_env *env, tp_cpa *cpa,
                           tp_property property, tp_cert_shapes *shapes, tp_invariants *out) {
  TP_REQUIRE(out->list.n == 0 && tp_reached_waiting(tp_recursion_reached(r)) == 0);
  extraction h = {.r = r,
                  .reached = tp_recursion_reached(r),
                  .cpa = cpa,
                  .contexts = env->contexts,
                  .p = env->program,
                  .out = out};
  h.contract = TP_NEW_ARRAY(uint32_t, tp_recursion_n(r) + 1);
  out->property = property;
  out->ptr_bits = h.p->ptr_bits;
  out->fingerprint = tp_program_fingerprint(h.p);
  h.everywhere = held_constants(h.p);
  h.arguments = tp_arguments_new(h.p);
  h.shapes = shapes ? tp_shape_extraction_new(cpa, shapes) : NULL;
  out->shapes = h.shapes ? shapes : NULL;
  add_contracts(&h);
  h.context = TP_NEW_ARRAY(uint32_t, h.contexts->list.n);
  add_contexts(&h);
  add_cutpoints(&h);
  tp_arguments_free(h.arguments);
  tp_shape_extraction_free(h.shapes);
  tp_free(h.contract);
  tp_free(h.context);
  return !h.is_inexpressible;
}

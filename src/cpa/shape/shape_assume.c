/* Assume: restricts a set of graphs to those in which a condition may hold.
 *
 * The condition is decomposed along its connectives; its atoms are steps: comparisons of pointers,
 * and of numbers that links equate with the data of a cell. Conditions over ghosts (is the object
 * alive, how big is it) are evaluated case by case: in each, a pointer is null, leads to a live
 * cell, to a freed one, or anywhere, and the condition folds to a constant or stays 1/2. Precision
 * is lost where more than TP_CPA_SHAPE_ASSUME_POINTERS pointers occur in one condition. */
#include "cpa/shape/shape_priv.h"

#include "cpa/cpa_limits.h"

typedef struct {
  const tp_shape_draft *d;
  const tp_shape_cpa *h;
  const tp_shape_cpa_kind *k;
} restriction;

static void post(const restriction *a, tp_graph_ids *set, tp_shape_step step) {
  (void)tp_shape_cpa_post(a->h, a->k, set, step);
}

// ---------------------------------------------------------------------- pointers

typedef enum { SIDE_UNKNOWN, SIDE_NULL, SIDE_STATIC, SIDE_POINTER } side_kind;
static side_kind side_of(const restriction *a, tp_term t, int *slot) {
  if (tp_kind(a->h->tt, t) == TP_OP_PTR_CONST)
    return tp_term_eq(t, tp_mk_null(a->h->tt)) ? SIDE_NULL : SIDE_STATIC;
  if (tp_kind(a->h->tt, t) != TP_OP_VAR) return SIDE_UNKNOWN;
  *slot = tp_shape_cpa_slot(a->k, tp_program_var_of(a->h->p, t));
  return *slot < 0 ? SIDE_UNKNOWN : SIDE_POINTER;
}

static void restrict_equal(const restriction *a, tp_graph_ids *set, tp_term t, bool value) {
  TP_REQUIRE(tp_kind(a->h->tt, t) == TP_OP_EQ);
  int x = TP_UNKNOWN_SLOT, y = TP_UNKNOWN_SLOT;
  side_kind left = side_of(a, tp_arg(a->h->tt, t, 0), &x),
            right = side_of(a, tp_arg(a->h->tt, t, 1), &y);
  if (left != SIDE_POINTER) {
    const side_kind swapped = left;
    left = right;
    right = swapped;
    x = y;
  }
  if (left != SIDE_POINTER) return;
  if (right == SIDE_NULL)
    post(a, set,
         tp_shape_cpa_pointer_step(value ? TP_SHAPE_STEP_IS_NIL : TP_SHAPE_STEP_NOT_NIL, x,
                                   TP_UNKNOWN_SLOT));
  if (right == SIDE_STATIC && value)
    post(a, set, tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, x, TP_UNKNOWN_SLOT));
  if (right == SIDE_POINTER)
    post(a, set,
         tp_shape_cpa_pointer_step(value ? TP_SHAPE_STEP_SAME : TP_SHAPE_STEP_DIFFERENT, x, y));
}

// -------------------------------------------------------------------------- data

/* t is value = constant? Then the constant. */
static tp_term constant_of(const tp_terms *tt, tp_term t, tp_term value) {
  if (tp_kind(tt, t) != TP_OP_EQ) return TP_TERM_NONE;
  for (uint32_t i = 0; i < 2; i++)
    if (tp_term_eq(tp_arg(tt, t, i), value) && tp_is_const(tt, tp_arg(tt, t, 1 - i)))
      return tp_arg(tt, t, 1 - i);
  return TP_TERM_NONE;
}

tp_kleene tp_shape_cpa_decide(tp_terms *tt, const tp_data_formula *d, tp_term assumption) {
  const tp_term is = constant_of(tt, assumption, d->value),
                would_be = constant_of(tt, d->fact, d->value);
  const tp_term known =
      tp_term_is(is) ? tp_shape_cpa_substitute(tt, d->fact, d->value, is) : d->fact;
  if (tp_is_true(tt, known) || tp_is_false(tt, tp_mk_and(tt, assumption, tp_mk_not(tt, known))))
    return TP_KLEENE_TRUE;
  if (tp_is_false(tt, known) || tp_is_false(tt, tp_mk_and(tt, assumption, known)))
    return TP_KLEENE_FALSE;
  if (tp_term_is(would_be) &&
      tp_is_false(tt, tp_shape_cpa_substitute(tt, assumption, d->value, would_be)))
    return TP_KLEENE_FALSE;
  return TP_KLEENE_HALF;
}

typedef struct {
  const restriction *a;
  tp_graph_ids *set;
  tp_term assumption;
} data_question;

/* A condition on a number holds of the data of the cell that a link equates it with. */
static void query_linked(void *ctx, tp_term var) {
  const data_question *q = ctx;
  const restriction *a = q->a;
  const tp_shape_link *l = tp_shape_cpa_link_of(a->d, tp_program_var_of(a->h->p, var));
  const int x = l ? tp_shape_cpa_slot(a->k, l->pointer) : TP_UNKNOWN_SLOT;
  for (uint32_t i = 0; x >= 0 && i < a->k->c->n_data_predicates; i++) {
    const tp_data_formula *data_formula = &a->k->visible.data[i];
    if (data_formula->offset != l->offset || data_formula->width_bits != l->width_bits) continue;
    const tp_kleene v = tp_shape_cpa_decide(
        a->h->tt, data_formula,
        tp_shape_cpa_substitute(a->h->tt, q->assumption, var, data_formula->value));
    if (v == TP_KLEENE_HALF) continue;
    post(a, q->set, tp_shape_cpa_data_step(TP_SHAPE_STEP_ASSUME_DATA, x, i, v));
  }
}

static void restrict_data(const restriction *a, tp_graph_ids *set, tp_term t, bool value) {
  if (a->d->links.n == 0) return;
  data_question q = {a, set, value ? t : tp_mk_not(a->h->tt, t)};
  tp_for_vars(a->h->tt, t, query_linked, &q);
}

// ------------------------------------------------------------------- connectives

static void restrict_to(const restriction *a, tp_graph_ids *set, tp_term t, bool value,
                        uint32_t depth);

/* Those of both conditions, or of either. */
static void restrict_both(const restriction *a, tp_graph_ids *set, tp_term s, bool s_value,
                          tp_term t, bool t_value, uint32_t depth) {
  restrict_to(a, set, s, s_value, depth);
  restrict_to(a, set, t, t_value, depth);
}

static void restrict_either(const restriction *a, tp_graph_ids *set, tp_term t, bool value,
                            uint32_t depth) {
  tp_graph_ids other = {0};
  tp_shape_cpa_set_copy(&other, set);
  restrict_to(a, set, tp_arg(a->h->tt, t, 0), value, depth);
  restrict_to(a, &other, tp_arg(a->h->tt, t, 1), value, depth);
  tp_shape_cpa_set_add(set, &other);
  tp_vec_clear(&other);
}

/* c ? x : y */
static void restrict_choice(const restriction *a, tp_graph_ids *set, tp_term c, tp_term x,
                            bool x_value, tp_term y, bool y_value, uint32_t depth) {
  tp_graph_ids other = {0};
  tp_shape_cpa_set_copy(&other, set);
  restrict_both(a, set, c, true, x, x_value, depth);
  restrict_both(a, &other, c, false, y, y_value, depth);
  tp_shape_cpa_set_add(set, &other);
  tp_vec_clear(&other);
}

static void restrict_to(const restriction *a, tp_graph_ids *set, tp_term t, bool value,
                        uint32_t depth) {
  tp_terms *tt = a->h->tt;
  if (depth > TP_CPA_SHAPE_ASSUME_LEVELS || set->n == 0) return;
  const tp_term_kind kind = tp_kind(tt, t);
  const bool of_bools =
      kind == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BOOL;
  const bool of_pointers =
      kind == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_PTR;
  depth++;
  if (kind == TP_OP_TRUE || kind == TP_OP_FALSE) {
    if ((kind == TP_OP_TRUE) != value) set->n = 0;
  } else if (kind == TP_OP_NOT) {
    restrict_to(a, set, tp_arg(tt, t, 0), !value, depth);
  } else if (kind == TP_OP_AND || kind == TP_OP_OR) {
    if ((kind == TP_OP_AND) == value)
      restrict_both(a, set, tp_arg(tt, t, 0), value, tp_arg(tt, t, 1), value, depth);
    else
      restrict_either(a, set, t, value, depth);
  } else if (kind == TP_OP_ITE) {
    restrict_choice(a, set, tp_arg(tt, t, 0), tp_arg(tt, t, 1), value, tp_arg(tt, t, 2), value,
                    depth);
  } else if (of_bools || kind == TP_OP_XOR) {
    const bool equal = (kind == TP_OP_EQ) == value;
    restrict_choice(a, set, tp_arg(tt, t, 0), tp_arg(tt, t, 1), equal, tp_arg(tt, t, 1), !equal,
                    depth);
  } else if (of_pointers) {
    restrict_equal(a, set, t, value);
  } else {
    restrict_data(a, set, t, value);
  }
}

// ------------------------------------------------------------------------ ghosts

/* The values that a graph gives to symbols of a condition. */
typedef struct {
  tp_term from, to;
} replacement;

typedef struct {
  tp_term live, size, kind;  // the ghost arrays, written where something is known
  replacement pointers[TP_CPA_SHAPE_ASSUME_POINTERS];
  uint32_t n;
  replacement lost, heap;
} valuation;

typedef struct {
  const restriction *a;
  tp_term condition;  // with its value
  int slots[TP_CPA_SHAPE_ASSUME_POINTERS];
  uint32_t n;
  bool asks_ghosts, asks_sums;
  tp_graph_ids *out;
} ghost_query;

static void visit_symbol(void *ctx, tp_term var) {
  ghost_query *q = ctx;
  const tp_program *p = q->a->h->p;
  const tp_var v = tp_program_var_of(p, var);
  if (!v.id) return;
  q->asks_ghosts |=
      v.id == p->ghost_live.id || v.id == p->ghost_size.id || v.id == p->ghost_kind.id;
  q->asks_sums |= v.id == p->ghost_leaked.id || v.id == p->ghost_heap.id;
  const int slot = tp_shape_cpa_slot(q->a->k, v);
  if (slot >= 0 && q->n < TP_CPA_SHAPE_ASSUME_POINTERS) q->slots[q->n++] = slot;
}

static tp_term value_of_symbol(void *ctx, tp_term var) {
  const struct {
    const valuation *values;
    const tp_program *p;
  } *x = ctx;
  const valuation *values = x->values;
  for (uint32_t i = 0; i < values->n; i++)
    if (tp_term_eq(values->pointers[i].from, var)) return values->pointers[i].to;
  const tp_var v = tp_program_var_of(x->p, var);
  if (!v.id) return TP_TERM_NONE;
  if (v.id == x->p->ghost_live.id) return values->live;
  if (v.id == x->p->ghost_size.id) return values->size;
  if (v.id == x->p->ghost_kind.id) return values->kind;
  if (v.id == x->p->ghost_leaked.id) return values->lost.to;
  return v.id == x->p->ghost_heap.id ? values->heap.to : TP_TERM_NONE;
}

/* Keeps the graphs of the set if the condition, folded with these values, is not false; if it is no
 * constant, its atoms restrict the set. */
static void restrict_by_ghosts(const ghost_query *q, tp_graph_ids *set, const valuation *values) {
  struct {
    const valuation *values;
    const tp_program *p;
  } x = {values, q->a->h->p};
  const tp_term folded = tp_subst(q->a->h->tt, q->condition, value_of_symbol, &x, NULL);
  if (tp_is_false(q->a->h->tt, folded)) return;
  if (!tp_is_true(q->a->h->tt, folded)) restrict_to(q->a, set, q->condition, true, 0);
  tp_shape_cpa_set_add(q->out, set);
}

static void assign_object(const restriction *a, valuation *values, tp_term object, uint64_t size,
                          bool is_live, tp_object_kind kind) {
  tp_terms *tt = a->h->tt;
  values->live = tp_mk3(tt, TP_OP_STORE, values->live, object, tp_mk_bool(tt, is_live));
  values->size =
      tp_mk3(tt, TP_OP_STORE, values->size, object, tp_mk_bv(tt, a->h->p->ptr_bits, size));
  values->kind = tp_mk3(tt, TP_OP_STORE, values->kind, object, tp_mk_bv(tt, 8, (uint64_t)kind));
}

typedef enum { LEADS_ANYWHERE, LEADS_TO_LIVE, LEADS_TO_FREED } target;
static target target_of(const restriction *a, uint32_t graph, int x) {
  const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(a->k->e), graph)->s;
  const uint64_t to = s->unary[a->k->c->points[x]].must;
  if (!to || (s->unary[a->k->c->outside].may & to)) return LEADS_ANYWHERE;
  if (s->unary[a->k->c->freed].must & to) return LEADS_TO_FREED;
  return s->unary[a->k->c->freed].may & to ? LEADS_ANYWHERE : LEADS_TO_LIVE;
}

/* Cases of pointer i of the question, and of those behind it. */
static void split(const ghost_query *q, const tp_graph_ids *set, uint32_t i,
                  const valuation *values) {
  TP_REQUIRE(i <= q->n && values->n <= TP_CPA_SHAPE_ASSUME_POINTERS);
  const restriction *a = q->a;
  tp_graph_ids part = {0}, rest = {0};
  tp_shape_cpa_set_copy(&part, set);
  if (i == q->n) {
    restrict_by_ghosts(q, &part, values);
    tp_vec_clear(&part);
    return;
  }
  const int x = q->slots[i];
  const tp_term var = tp_var_of(a->h->p, a->k->visible.pointers[x])->term;
  valuation null = *values;
  post(a, &part, tp_shape_cpa_pointer_step(TP_SHAPE_STEP_IS_NIL, x, TP_UNKNOWN_SLOT));
  null.pointers[null.n++] = (replacement){var, tp_mk_null(a->h->tt)};
  if (part.n) split(q, &part, i + 1, &null);
  tp_shape_cpa_set_copy(&rest, set);
  post(a, &rest, tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, x, TP_UNKNOWN_SLOT));
  for (target t = LEADS_ANYWHERE; t <= LEADS_TO_FREED; t++) {
    valuation more = *values;
    if (t != LEADS_ANYWHERE) {
      assign_object(a, &more, a->k->object[x], a->k->visible.size_bytes, t == LEADS_TO_LIVE,
                    TP_O_HEAP);
      more.pointers[more.n++] = (replacement){
          var, tp_mk_ptr(a->h->tt, a->k->object[x], tp_mk_bv(a->h->tt, a->h->p->ptr_bits, 0))};
    }
    part.n = 0;
    for (size_t g = 0; g < rest.n; g++)
      if (target_of(a, rest.at[g], x) == t) tp_graph_ids_add(&part, rest.at[g]);
    if (part.n) split(q, &part, i + 1, &more);
  }
  tp_vec_clear(&part);
  tp_vec_clear(&rest);
}

/* What a graph says of the live cells that it has. */
typedef bool (*cell_claim)(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, uint32_t graph);
static bool none_is_live(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, uint32_t graph) {
  (void)h;
  return !tp_shape_cpa_has_live_cells(k, graph);
}

/* The claim holds of all cells of this size, whatever graph of another kind stands for the heap. */
static bool holds_elsewhere(const restriction *a, uint64_t size_bytes, cell_claim claim) {
  for (uint32_t k = 0; k < a->h->n; k++) {
    const tp_graph_ids *set = &a->d->region.sets[k];
    bool holds = a->k != &a->h->kinds[k] && a->h->kinds[k].visible.size_bytes == size_bytes &&
                 !tp_shape_cpa_is_off(a->d->off, k);
    for (size_t g = 0; g < set->n && holds; g++) holds = claim(a->h, &a->h->kinds[k], set->at[g]);
    if (holds) return true;
  }
  return false;
}

/* ... of all heap objects. */
static bool holds_everywhere(const restriction *a, uint32_t graph, cell_claim claim) {
  bool all = a->h->knows_sizes && claim(a->h, a->k, graph);
  for (uint32_t i = 0; i < a->h->n_sizes && all; i++)
    all = a->h->sizes[i] == a->k->visible.size_bytes || holds_elsewhere(a, a->h->sizes[i], claim);
  return all;
}

/* No cell is lost if none is live, or variables and walks from them come to all that are; for
 * conditions at the end of a program. */
static void assign_sums(const restriction *a, uint32_t graph, valuation *values) {
  const tp_program *p = a->h->p;
  if (holds_everywhere(a, graph, tp_shape_cpa_reaches_live_cells))
    values->lost.to = tp_mk_false(a->h->tt);
  if (holds_everywhere(a, graph, none_is_live))
    values->heap.to = tp_mk_bv(a->h->tt, tp_width(a->h->tt, tp_var_of(p, p->ghost_heap)->term), 0);
}

static void restrict_with_ghosts(ghost_query *q, tp_graph_ids *set) {
  const restriction *a = q->a;
  const tp_program *p = a->h->p;
  valuation values = {.live = tp_var_of(p, p->ghost_live)->term,
                      .size = tp_var_of(p, p->ghost_size)->term,
                      .kind = tp_var_of(p, p->ghost_kind)->term};
  assign_object(a, &values, tp_mk_bv(a->h->tt, TP_OBJ_BITS, 0), 0, false, TP_O_NONE);
  tp_graph_ids out = {0}, one = {0};
  q->out = &out;
  for (size_t i = 0; i < set->n; i++) {
    valuation mine = values;
    if (q->asks_sums) assign_sums(a, set->at[i], &mine);
    one.n = 0;
    tp_graph_ids_add(&one, set->at[i]);
    split(q, &one, 0, &mine);
  }
  tp_vec_clear(&one);
  tp_vec_clear(set);
  *set = out;
}

void tp_shape_cpa_assume(const tp_shape_draft *d, const tp_shape_cpa_kind *k, tp_graph_ids *set,
                         tp_term condition, bool value) {
  const restriction a = {d, d->h, k};
  ghost_query q = {.a = &a, .condition = value ? condition : tp_mk_not(d->h->tt, condition)};
  tp_for_vars(d->h->tt, condition, visit_symbol, &q);
  if (q.asks_ghosts || q.asks_sums)
    restrict_with_ghosts(&q, set);
  else
    restrict_to(&a, set, condition, value, 0);
}

/* Data predicates of a kind of cells, found in the program: equations between a number in a cell
 * and the constants that the program stores there or compares with, and comparisons with constants
 * and variables. Two equations with different constants exclude each other. At most
 * TP_CPA_SHAPE_DATA: a predicate that separates can double the number of graphs. */
#include "cpa/shape/shape_priv.h"
#include "cpa/cpa_limits.h"
#include "smt/smt.h"

#include <stdio.h>

typedef struct {
  tp_shape_cpa *h;
  tp_shape_cpa_kind *k;
  tp_data_formula *at;
  uint32_t n;
} data_list;

static bool is_field(const tp_shape_cpa_kind *k, uint64_t offset, uint64_t bytes,
                     uint64_t pointer_bytes) {
  for (uint32_t f = 0; f < k->entry->fields.n; f++)
    if (offset < k->visible.offsets[f] + pointer_bytes && k->visible.offsets[f] < offset + bytes)
      return true;
  return false;
}

/* The symbol for a number at this place of a cell; NONE: there is a link. */
static tp_term symbol_of(const data_list *l, uint64_t offset, tp_sort sort) {
  const uint32_t width = tp_sort_width(l->h->tt, sort);
  if (is_field(l->k, offset, width / 8, l->h->p->ptr_bits / 8)) return TP_TERM_NONE;
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i].offset == offset && l->at[i].width_bits == width) return l->at[i].value;
  return tp_mk_var(l->h->tt, "datum", sort);
}

/* A number and a constant are equal: different ones exclude each other. */
static bool is_equation(const tp_shape_cpa *h, tp_term fact) {
  return tp_kind(h->tt, fact) == TP_OP_EQ &&
         (tp_is_const(h->tt, tp_arg(h->tt, fact, 0)) || tp_is_const(h->tt, tp_arg(h->tt, fact, 1)));
}

static void add_fact(data_list *l, uint64_t offset, tp_term value, tp_term fact) {
  if (l->n == TP_CPA_SHAPE_DATA || tp_is_const(l->h->tt, fact)) return;
  for (uint32_t i = 0; i < l->n; i++)
    if (tp_term_eq(l->at[i].fact, fact) || tp_term_eq(l->at[i].fact, tp_mk_not(l->h->tt, fact)))
      return;
  l->at[l->n++] =
      (tp_data_formula){offset, tp_width(l->h->tt, value), value, fact, is_equation(l->h, fact)};
}

static void add_equation(data_list *l, uint64_t offset, tp_term constant) {
  const tp_term value = symbol_of(l, offset, tp_sort_of(l->h->tt, constant));
  if (tp_term_is(value)) add_fact(l, offset, value, tp_mk_eq(l->h->tt, value, constant));
}

/* The address is that of a number in a cell: pointer variable and offset. */
static bool is_in_cell(const data_list *l, tp_term address, uint64_t *offset) {
  tp_access a;
  if (!tp_access_of(l->h->p, address, &a) || !a.var.id || tp_term_is(a.index) || a.offset < 0 ||
      tp_shape_cpa_slot(l->k, a.var) < 0)
    return false;
  *offset = (uint64_t)a.offset;
  return true;
}

typedef struct {
  data_list *l;
  tp_var var;  // that was loaded
  uint64_t offset;
} comparison;

/* Equations between the variable and constants, anywhere in the term. */
static void find_constants(const comparison *x, tp_term root) {
  const tp_terms *tt = x->l->h->tt;
  const tp_term var = tp_var_of(x->l->h->p, x->var)->term;
  tp_term_list todo = {0};
  tp_vec_push(&todo, root);
  for (uint32_t budget = TP_CPA_SHAPE_CONDITION_TERMS; todo.n && budget; budget--) {
    const tp_term t = tp_vec_pop(&todo);
    for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
      const tp_term a = tp_arg(tt, t, i);
      if (tp_kind(tt, t) == TP_OP_EQ && tp_term_eq(a, var) &&
          tp_kind(tt, tp_arg(tt, t, 1 - i)) == TP_OP_BV_CONST)
        add_equation(x->l, x->offset, tp_arg(tt, t, 1 - i));
      tp_vec_push(&todo, a);
    }
  }
  tp_vec_clear(&todo);
}

// Comparisons of a number with what does not change in cells: constants, and variables that are no
// temporaries.

typedef struct {
  const comparison *x;
  bool mentions, is_plain;
} operands;

static void visit_operand(void *ctx, tp_term t) {
  operands *o = ctx;
  const tp_shape_cpa *h = o->x->l->h;
  const tp_var v = tp_program_var_of(h->p, t);
  const tp_var_info *info = v.id ? tp_var_of(h->p, v) : NULL;
  if (v.id == o->x->var.id)
    o->mentions = true;
  else
    o->is_plain = o->is_plain && info && info->kind != TP_V_TEMP && info->kind != TP_V_GHOST &&
                  !info->is_address && tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_BV;
}

static void find_compared_fields(const comparison *x, tp_term root) {
  tp_terms *tt = x->l->h->tt;
  const tp_term var = tp_var_of(x->l->h->p, x->var)->term;
  tp_term_list todo = {0};
  tp_vec_push(&todo, root);
  for (uint32_t budget = TP_CPA_SHAPE_CONDITION_TERMS; todo.n && budget; budget--) {
    const tp_term t = tp_vec_pop(&todo);
    if (!tp_is_bv_comparison(tt, t)) {
      for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
        if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) == TP_SORT_BOOL)
          tp_vec_push(&todo, tp_arg(tt, t, i));
      continue;
    }
    operands o = {x, false, true};
    tp_for_vars(tt, t, visit_operand, &o);
    const tp_term value =
        o.mentions && o.is_plain ? symbol_of(x->l, x->offset, tp_sort_of(tt, var)) : TP_TERM_NONE;
    if (tp_term_is(value) && x->l->n < TP_CPA_SHAPE_COMPARISONS)
      add_fact(x->l, x->offset, value, tp_replace(tt, t, var, value));
  }
  tp_vec_clear(&todo);
}

static void find_comparisons(data_list *l) {
  const tp_shape_cpa *h = l->h;
  uint64_t offset;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_LOAD || !is_in_cell(l, e->a, &offset) ||
        tp_sort_kind_of(h->tt, tp_sort_of(h->tt, tp_var_of(h->p, e->var)->term)) != TP_SORT_BV)
      continue;
    for (uint32_t k = 1; k < h->p->edges.n; k++)
      if (h->p->edges.at[k].kind == TP_E_ASSUME)
        find_compared_fields(&(comparison){l, e->var, offset}, h->p->edges.at[k].a);
  }
}

/* A constant that is stored decides comparisons; that it is this one is no matter of its own then.
 */
static bool is_compared(const data_list *l, uint64_t offset) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i].offset == offset && !l->at[i].is_separating) return true;
  return false;
}

static void find_data(data_list *l) {
  const tp_shape_cpa *h = l->h;
  uint64_t offset;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind == TP_E_STORE && tp_kind(h->tt, e->b) == TP_OP_BV_CONST &&
        is_in_cell(l, e->a, &offset) && !is_compared(l, offset))
      add_equation(l, offset, e->b);
    if (e->kind != TP_E_LOAD || !is_in_cell(l, e->a, &offset)) continue;
    for (uint32_t k = 1; k < h->p->edges.n; k++)
      if (h->p->edges.at[k].kind == TP_E_ASSUME)
        find_constants(&(comparison){l, e->var, offset}, h->p->edges.at[k].a);
  }
}

static uint32_t find_exclusions(const data_list *l, uint8_t (*out)[2]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->n; i++)
    for (uint32_t k = i + 1; k < l->n; k++)
      if (tp_is_false(l->h->tt, tp_mk_and(l->h->tt, l->at[i].fact, l->at[k].fact)))
        out[n][0] = (uint8_t)i, out[n++][1] = (uint8_t)k;
  return n;
}

static tp_data_predicate assertion_of(tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                      const tp_data_formula *d) {
  TP_REQUIRE(d->width_bits % 8 == 0);
  tp_str text = {0};
  if (tp_access_member(h->p, k->visible.structure, d->offset, d->width_bits / 8, &text).id == 0)
    tp_str_printf(&text, "[%llu]", (unsigned long long)d->offset);
  const bool is_eq = is_equation(h, d->fact);
  const tp_term constant = is_eq && tp_is_const(h->tt, tp_arg(h->tt, d->fact, 0))
                               ? tp_arg(h->tt, d->fact, 0)
                               : tp_arg(h->tt, d->fact, 1);
  tp_str_add(&text, is_eq ? " = " : ": ");
  tp_print_c(h->tt, is_eq ? constant : d->fact, TP_C_READABLE, &text);
  const tp_data_predicate a = {.text = tp_arena_strdup(&h->cpa->arena, tp_str_text(&text)),
                               .is_separating = d->is_separating};
  tp_str_clear(&text);
  return a;
}

/* Numbers in cells rarely matter where only memory is asked about. */
bool tp_shape_cpa_compares_data(const tp_shape_cpa *h) {
  return strcmp(tp_cpa_setting(h->cpa, "data", "auto"), "auto") == 0 &&
         tp_property_covers(h->cpa->env->property, TP_P_UNREACH_CALL);
}

/* The number at this offset of a cell, as a bit of tp_shape_type's `numbers`; those behind the last
 * bit share it. */
static void drop_unnamed(data_list *l, uint64_t numbers) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    const uint64_t word = l->at[i].offset / 8;
    if (numbers >> (word < 63 ? word : 63) & 1) l->at[n++] = l->at[i];
  }
  l->n = n;
}

void tp_shape_cpa_find_data(tp_shape_cpa *h, tp_shape_cpa_kind *k, tp_shape_cpa_data *out) {
  data_list data = {h, k, tp_arena_array(&h->cpa->arena, tp_data_formula, TP_CPA_SHAPE_DATA), 0};
  if (tp_shape_cpa_compares_data(h)) find_comparisons(&data);
  if (strcmp(tp_cpa_setting(h->cpa, "data", "auto"), "none") != 0) find_data(&data);
  TP_INVARIANT(data.n <= TP_CPA_SHAPE_DATA);
  if (k->type.entry) drop_unnamed(&data, k->type.numbers);
  k->visible.data = data.at;
  out->n = data.n;
  for (uint32_t i = 0; i < data.n; i++) out->data_predicates[i] = assertion_of(h, k, &data.at[i]);
  out->n_exclusions = find_exclusions(&data, out->exclusions);
}

/* Interior pointers, by points-to class.
 *
 * A program makes such pointers by sums, by way of integers, or by moving bytes of pointers about.
 * One pass visits all edges. Addresses of loads and stores are no values: p->f makes no pointer.
 */
#include "program/interior.h"

struct tp_interior {
  const tp_program *p;
  const tp_terms *tt;
  const tp_pointsto *pt;
  bool *has_interior;  // by points-to class: has it interior pointers?
  bool all_have;       // all classes may have some
};

static void mark_class(tp_interior *h, tp_class c) {
  if (c.id == TP_CLASS_ANY.id)
    h->all_have = true;
  else if (c.id)
    h->has_interior[c.id] = true;
}

static tp_visit visit_subterm(void *ctx, tp_term t) {
  tp_interior *h = ctx;
  const tp_term_kind kind = tp_kind(h->tt, t);
  const bool is_pointer = tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_PTR;
  const bool is_start = kind == TP_OP_VAR || kind == TP_OP_ITE ||
                        (kind == TP_OP_PTR_CONST && tp_ptr_const_offset(h->tt, t) == 0);
  if (is_pointer && !is_start) mark_class(h, tp_pointsto_of_address(h->pt, t));
  if (kind == TP_OP_PTR_TO_INT) mark_class(h, tp_pointsto_of_address(h->pt, tp_arg(h->tt, t, 0)));
  return TP_VISIT_ARGS;
}

/* The pointer value t, and every pointer in it that is converted to an integer. */
static void visit_value(tp_interior *h, tp_term t) {
  tp_visitor v = {.ctx = h, .visit = visit_subterm, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(h->tt, t, &v, NULL);
}

static bool is_pointer_access(const tp_interior *h, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_LOAD || e->kind == TP_E_STORE);
  const tp_term value = e->kind == TP_E_LOAD ? tp_var_of(h->p, e->var)->term : e->b;
  return tp_sort_kind_of(h->tt, tp_sort_of(h->tt, value)) == TP_SORT_PTR;
}

static tp_class class_of(const tp_interior *h, tp_term address) {
  return tp_pointsto_of_address(h->pt, address);
}

/* Integers and pointers read and written in one region, or bytes copied from a class that holds
 * pointers: a program may assemble pointers from their bytes. */
static void find_assembled(tp_interior *h) {
  const uint32_t n_regions = tp_pointsto_n_regions(h->pt), n_classes = tp_pointsto_n_classes(h->pt);
  uint8_t *uses = TP_NEW_ARRAY(uint8_t, n_regions + 1);
  bool *has_pointers = TP_NEW_ARRAY(bool, n_classes + 1);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_LOAD && e->kind != TP_E_STORE) continue;
    const bool is_pointer = is_pointer_access(h, e);
    const tp_class c = class_of(h, e->a);
    const tp_term value = e->kind == TP_E_LOAD ? tp_var_of(h->p, e->var)->term : e->b;
    const uint32_t r =
        tp_pointsto_region(h->pt, e->a, tp_sort_bytes(h->tt, tp_sort_of(h->tt, value)));
    TP_INVARIANT(r <= n_regions);
    uses[r] |= is_pointer ? 1 : 2;
    h->all_have |= c.id == TP_CLASS_ANY.id;
    if (is_pointer && c.id != TP_CLASS_ANY.id) has_pointers[c.id] = true;
  }
  for (uint32_t r = 1; r <= n_regions; r++) h->all_have |= uses[r] == 3;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_COPY) continue;
    const tp_class from = class_of(h, e->b);
    h->all_have |= from.id == TP_CLASS_ANY.id || has_pointers[from.id];
  }
  tp_free(uses);
  tp_free(has_pointers);
}

tp_interior *tp_interior_new(const tp_program *p, const tp_pointsto *pt) {
  tp_interior *h = TP_NEW(tp_interior);
  *h = (tp_interior){.p = p,
                     .tt = p->terms,
                     .pt = pt,
                     .has_interior = TP_NEW_ARRAY(bool, tp_pointsto_n_classes(pt) + 1)};
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind == TP_E_ASSIGN || e->kind == TP_E_RETURN) visit_value(h, e->a);
    if (e->kind == TP_E_STORE) visit_value(h, e->b);
    for (uint32_t k = 0; k < e->n_args; k++) visit_value(h, e->args[k]);
  }
  find_assembled(h);
  return h;
}

void tp_interior_free(tp_interior *h) {
  if (h) tp_free(h->has_interior);
  tp_free(h);
}

bool tp_may_be_interior(const tp_interior *h, tp_term address) {
  const tp_class c = class_of(h, address);
  TP_INVARIANT(c.id == TP_CLASS_ANY.id || c.id <= tp_pointsto_n_classes(h->pt));
  return h->all_have || c.id == TP_CLASS_ANY.id || h->has_interior[c.id];
}

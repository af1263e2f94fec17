/* Calls in a store: frames come and go, summaries stand for whole calls.
 *
 * No function is active twice in a context, so the variables of all active frames lie side by side
 * in one element and a call only assigns. What a callee leaves behind at its return are its
 * variables; stack objects that they name end with them.
 *
 * A summary is made without the caller: the callee is analysed from what `reduce` leaves (globals,
 * parameters, statics), and `expand` puts together the caller's variables from before and the
 * globals and statics from the exit. What the callee can have changed through pointers is
 * forgotten. Objects are named by variables, so a name by a global means another object after the
 * call: facts from before that mention one are forgotten too, and facts from the exit that mention
 * the callee's. */
#include "cpa/store_priv.h"

static bool is_local(const tp_store *st, uint64_t v) { return st->p->vars.at[v].func.id != 0; }

typedef TP_VEC(tp_absval) value_list;

static void bind_arguments(tp_store *st, const tp_elem *before, tp_elem *out, const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_CALL || call->kind == TP_STEP_SUMMARY);
  const tp_edge_info *edge = tp_edge_of(st->p, call->edge);
  const tp_func_info *f = tp_func_of(st->p, call->callee);
  value_list values = {0};
  for (uint32_t i = 0; i < f->n_params; i++)
    tp_vec_push(
        &values,
        i < edge->n_args && tp_sort_eq(tp_sort_of(st->tt, edge->args[i]),
                                       tp_sort_of(st->tt, tp_var_of(st->p, f->params[i])->term))
            ? tp_store_eval(st, before, edge->args[i])
            : TP_ABSVAL_TOP);
  for (uint32_t i = 0; i < f->n_params; i++)
    tp_store_assign_var(st, out, f->params[i], values.at[i]);
  tp_vec_clear(&values);
}

static void havoc_frame(tp_store *st, tp_elem *e, tp_func f) {
  for (uint32_t i = st->locals.first[f.id]; i < st->locals.first[f.id + 1]; i++)
    tp_store_havoc_var(st, e, st->locals.at[i]);
}

void tp_store_enter(tp_store *st, const tp_elem *e, tp_elem *out, const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_CALL || call->kind == TP_STEP_SUMMARY);
  havoc_frame(st, out, call->callee);  // from an earlier activation
  bind_arguments(st, e, out, call);
}

/* The stack objects of a frame end with it. */
static void end_frame_objects(tp_store *st, tp_elem *e, tp_func f) {
  for (uint32_t i = st->locals.first[f.id]; i < st->locals.first[f.id + 1]; i++) {
    tp_object_name o = tp_store_name(st, st->locals.at[i]);
    if (tp_store_is_stack(st, e, o)) tp_store_remove_object(st, e, o);
  }
}

static tp_absval result_of(tp_store *st, const tp_elem *e, tp_func f, tp_var to) {
  tp_var result = tp_func_of(st->p, f)->result;
  if (!result.id || !tp_sort_eq(tp_sort_of(st->tt, tp_var_of(st->p, result)->term),
                                tp_sort_of(st->tt, tp_var_of(st->p, to)->term)))
    return TP_ABSVAL_TOP;
  return (tp_absval){tp_pmap_get(&e->vars, result.id)};
}

void tp_store_leave(tp_store *st, const tp_elem *e, tp_elem *out, const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_RETURN);
  tp_var to = tp_edge_of(st->p, call->edge)->var;
  (void)e;
  end_frame_objects(st, out, call->callee);
  if (to.id) tp_store_assign_var(st, out, to, result_of(st, out, call->callee, to));
  havoc_frame(st, out, call->callee);
}

// ------------------------------------------------------------------- summaries

void tp_store_havoc_all(tp_store *st, tp_elem *e) {
  tp_store_havoc_contents(st, e, TP_STORE_HAVOC_STACK);
  for (uint64_t v = 0, value; tp_pmap_next(&e->vars, v, &v, &value); v++)
    tp_store_havoc_var(st, e, (tp_var){(uint32_t)v});
  tp_store_count_havoc(st);
}

static void havoc_globals(tp_store *st, tp_elem *e) {
  for (uint32_t i = st->locals.first[0]; i < st->locals.first[1]; i++)
    tp_store_havoc_var(st, e, st->locals.at[i]);
}

/* Nothing is known of the callee: it may have changed all that it can see. */
void tp_store_skip_call(tp_store *st, tp_elem *out, const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_SUMMARY);
  tp_var to = tp_edge_of(st->p, call->edge)->var;
  havoc_globals(st, out);
  tp_store_havoc_contents(st, out, TP_STORE_HAVOC_STACK);
  if (to.id) tp_store_assign_var(st, out, to, TP_ABSVAL_TOP);
  tp_store_count_havoc(st);
}

static void remove_dynamic_objects(tp_store *st, tp_elem *e) {
  for (uint64_t o = st->n_statics + 1, object_info; tp_pmap_next(&e->objects, o, &o, &object_info);
       o++)
    tp_store_remove_object(st, e, (tp_object_name){(uint32_t)o});
}

/* e: the caller's state before the call. */
const tp_elem *tp_store_reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  TP_REQUIRE(call->callee.id);
  tp_store *st = tp_store_of(self);
  tp_elem *d = tp_store_draft(st, e);
  tp_store_enter(st, e, d, call);
  tp_store_drop_copies(d);
  remove_dynamic_objects(st, d);
  for (uint64_t v = 0, value; tp_pmap_next(&d->vars, v, &v, &value); v++)
    if (is_local(st, v) && st->p->vars.at[v].func.id != call->callee.id)
      tp_store_havoc_var(st, d, (tp_var){(uint32_t)v});
  if (st->options.own_location)
    d->loc = tp_func_of(st->p, call->callee)->entry, d->context = call->root;
  return d;
}

/* A value at the exit as the caller sees it: the callee's own objects have no name any more. */
static tp_absval outside(const tp_store *st, tp_sort s, tp_absval v) {
  if (tp_sort_kind_of(st->tt, s) != TP_SORT_PTR || v.id == 0 || tp_absval_eq(v, TP_STORE_CELL_TOP))
    return v;
  tp_store_targets t = tp_store_targets_of(st, v);
  for (uint32_t i = 0; i < t.n; i++) {
    tp_object_name o = tp_store_ptr_of(st, t.at[i])->object;
    if (tp_store_is_dynamic(st, o) && is_local(st, tp_store_naming_var(st, o).id))
      return TP_ABSVAL_TOP;
  }
  return v;
}

static bool is_outside(const tp_store *st, tp_object_name o) {
  return !tp_store_is_dynamic(st, o) || !is_local(st, tp_store_naming_var(st, o).id);
}

static void assign_memory(tp_store *st, tp_elem *out, const tp_elem *exit) {
  for (uint64_t o = 0, object_info; tp_pmap_next(&exit->objects, o, &o, &object_info); o++)
    if (is_outside(st, (tp_object_name){(uint32_t)o})) tp_pmap_set(&out->objects, o, object_info);
  for (uint64_t c = 0, value; tp_pmap_next(&exit->cells, c, &c, &value); c++) {
    const tp_store_cell *cell = &st->cells.at[c];
    if (!is_outside(st, cell->object)) continue;
    tp_absval v = outside(st, cell->sort, (tp_absval){value});
    tp_store_cell_set(st, out, (uint32_t)c, tp_absval_eq(v, TP_STORE_CELL_TOP) ? TP_ABSVAL_TOP : v);
  }
}

const tp_elem *tp_store_expand(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                               const tp_step *call) {
  TP_REQUIRE(tp_edge_of(tp_store_of(self)->p, call->edge)->kind == TP_E_CALL);
  tp_store *st = tp_store_of(self);
  tp_var to = tp_edge_of(st->p, call->edge)->var;
  tp_elem *d = tp_store_draft(st, before);
  tp_store_drop_copies(d);
  for (uint64_t o = st->n_statics + 1, object_info; tp_pmap_next(&d->objects, o, &o, &object_info);
       o++)
    if (is_outside(st, (tp_object_name){(uint32_t)o}))
      tp_store_remove_object(st, d, (tp_object_name){(uint32_t)o});
  havoc_globals(st, d);
  tp_store_havoc_contents(st, d, TP_STORE_HAVOC_STACK);
  assign_memory(st, d, exit);
  for (uint32_t i = st->locals.first[0]; i < st->locals.first[1]; i++) {
    tp_var v = st->locals.at[i];
    tp_sort s = tp_sort_of(st->tt, tp_var_of(st->p, v)->term);
    tp_store_set_var(st, d, v, outside(st, s, (tp_absval){tp_pmap_get(&exit->vars, v.id)}));
  }
  if (to.id)
    tp_store_assign_var(st, d, to,
                        outside(st, tp_sort_of(st->tt, tp_var_of(st->p, to)->term),
                                result_of(st, exit, call->callee, to)));
  if (before->loc.id) d->loc = call->to;
  return d;
}

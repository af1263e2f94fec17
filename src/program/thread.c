/* Jump threading: see thread.h.
 *
 * Such a variable is assigned constants only and read in conditions over nothing else. From each
 * assignment the value is followed through edges that only end lifetimes, until the variable is no
 * longer needed; each of these locations gets a copy for the value, in which branches on the
 * variable are decided. Where anything else would have to be copied, the variable stays. */
#include "program/thread.h"

#include <string.h>

#include "program/program_limits.h"

typedef struct {
  tp_loc from, copy;
  tp_term value;
} pending_copy;

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_var var;
  tp_map live;    // locations at which the variable may be read before it is assigned
  tp_map copies;  // location and value -> copy
  TP_VEC(pending_copy) todo;
  tp_term_list values;  // a copy's key has the position of its value
} threading;

// ----------------------------------------------------------------------- variables

typedef struct {
  const tp_program *p;
  bool *is_refused, *is_read;  // by variable
  bool is_alone;
  uint32_t n;
} reading;

static void refuse(void *ctx, tp_term symbol) {
  reading *r = ctx;
  r->is_refused[tp_program_var_of(r->p, symbol).id] = true;
}

static void count(void *ctx, tp_term symbol) {
  reading *r = ctx;
  (void)symbol;
  r->n++;
}

static void note(void *ctx, tp_term symbol) {
  reading *r = ctx;
  r->is_read[tp_program_var_of(r->p, symbol).id] = true;
}

/* Only the variable of a condition over one variable is read in the right way. */
static void see_edge(reading *r, const tp_edge_info *e) {
  tp_terms *tt = r->p->terms;
  const bool is_constant = e->kind == TP_E_ASSIGN && tp_kind(tt, e->a) == TP_OP_BV_CONST;
  if (e->var.id && !is_constant) r->is_refused[e->var.id] = true;
  const tp_term operands[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3; i++) {
    if (!tp_term_is(operands[i])) continue;
    r->n = 0;
    tp_for_vars(tt, operands[i], count, r);
    tp_for_vars(tt, operands[i], e->kind == TP_E_ASSUME && r->n == 1 ? note : refuse, r);
  }
  for (uint32_t i = 0; i < e->n_args; i++) tp_for_vars(tt, e->args[i], refuse, r);
}

/* Made by the compiler: without a type of the user's. */
static bool is_made(const tp_program *p, uint32_t v) {
  const tp_var_info *info = &p->vars.at[v];
  return info->kind == TP_V_TEMP && !info->type.id &&
         tp_sort_kind_of(p->terms, tp_sort_of(p->terms, info->term)) == TP_SORT_BV;
}

// -------------------------------------------------------------------------- where

static bool reads(const threading *x, const tp_edge_info *e) {
  return e->kind == TP_E_ASSUME && tp_occurs(x->tt, tp_var_of(x->p, x->var)->term, e->a);
}

static bool assigns(const threading *x, const tp_edge_info *e) { return e->var.id == x->var.id; }

/* Backwards from the branches on the variable. */
static void find_live(threading *x) {
  TP_VEC(tp_loc) todo = {0};
  for (uint32_t i = 1; i < x->p->edges.n; i++)
    if (x->p->edges.at[i].from.id && reads(x, &x->p->edges.at[i]))
      tp_vec_push(&todo, x->p->edges.at[i].from);
  while (todo.n) {
    const tp_loc l = tp_vec_pop(&todo);
    if (tp_map_has(&x->live, l.id)) continue;
    tp_map_set(&x->live, l.id, 1);
    const tp_edge_list in = tp_in_edges(x->p, l);
    for (uint32_t k = 0; k < in.n; k++)
      if (!assigns(x, &x->p->edges.at[in.at[k]])) tp_vec_push(&todo, x->p->edges.at[in.at[k]].from);
  }
  tp_vec_clear(&todo);
}

static bool ends_lifetime(const tp_edge_info *e) {
  return e->kind == TP_E_END_SCOPE || (e->name && strcmp(e->name, TP_LIFETIME_ENDS) == 0);
}

/* An edge that may stand in the program several times. */
static bool may_repeat(const threading *x, const tp_edge_info *e) {
  return e->kind == TP_E_SKIP || ends_lifetime(e) || reads(x, e) || assigns(x, e);
}

/* All edges out of live locations may be repeated, and the variable is set on every way there. */
static bool is_threadable(const threading *x) {
  const tp_program *p = x->p;
  const tp_func f = tp_var_of(p, x->var)->func;
  if (x->live.n == 0 || x->live.n > TP_PROGRAM_THREADED_LOCATIONS ||
      tp_map_has(&x->live, tp_func_of(p, f)->entry.id))
    return false;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id || !tp_map_has(&x->live, e->from.id)) continue;
    const tp_loc_info *l = tp_loc_of(p, e->from);
    if (!may_repeat(x, e) || l->error != TP_P_NONE || l->is_unsupported || l->is_idle || l->label)
      return false;
  }
  for (size_t i = 0; i < p->input_restrictions.n; i++)
    if (tp_map_has(&x->live, tp_edge_of(p, p->input_restrictions.at[i].at)->from.id)) return false;
  return true;
}

// ------------------------------------------------------------------------ copies

static uint64_t index_of_value(threading *x, tp_term value) {
  size_t i = 0;
  while (i < x->values.n && !tp_term_eq(x->values.at[i], value)) i++;
  if (i == x->values.n) tp_vec_push(&x->values, value);
  return i;
}

/* The location to go to with this value: a copy where the variable is still needed. */
static tp_loc place(threading *x, tp_loc l, tp_term value) {
  if (!tp_map_has(&x->live, l.id)) return l;
  const uint64_t key = (uint64_t)l.id << 16 | index_of_value(x, value);
  uint64_t known;
  if (tp_map_get(&x->copies, key, &known)) return (tp_loc){(uint32_t)known};
  const tp_loc copy = tp_program_add_loc(x->p, *tp_loc_of(x->p, l));
  tp_map_set(&x->copies, key, copy.id);
  tp_vec_push(&x->todo, (pending_copy){l, copy, value});
  return copy;
}

/* The edges out of a copy. */
static void copy_edges(threading *x, pending_copy at) {
  const tp_edge_list out = tp_out_edges(x->p, at.from);
  for (uint32_t k = 0; k < out.n; k++) {
    tp_edge_info e = x->p->edges.at[out.at[k]];
    tp_term value = at.value;
    if (reads(x, &e)) {
      const tp_term decided = tp_replace(x->tt, e.a, tp_var_of(x->p, x->var)->term, at.value);
      if (tp_is_false(x->tt, decided)) continue;
      e = (tp_edge_info){.kind = TP_E_SKIP, .to = e.to, .pos = e.pos};
    } else if (assigns(x, &e)) {
      value = e.a;
      e = (tp_edge_info){.kind = TP_E_SKIP, .to = e.to, .pos = e.pos};
    }
    e.from = at.copy;
    e.to = place(x, e.to, value);
    (void)tp_program_add_edge(x->p, e);
  }
}

/* Conditions over one variable and constants are decided by its value: all of them, or the variable
 * stays. */
static bool decides_all(const threading *x) {
  const tp_term symbol = tp_var_of(x->p, x->var)->term;
  for (uint32_t i = 1; i < x->p->edges.n; i++) {
    const tp_edge_info *value = &x->p->edges.at[i];
    if (!value->from.id || !assigns(x, value)) continue;
    for (uint32_t k = 1; k < x->p->edges.n; k++) {
      const tp_edge_info *e = &x->p->edges.at[k];
      if (e->from.id && reads(x, e) &&
          !tp_is_const(x->tt, tp_replace(x->tt, e->a, symbol, value->a)))
        return false;
    }
  }
  return true;
}

/* Every assignment leads to the copy of its value; the locations that were copied are reached no
 * more. */
static void thread(threading *x) {
  const uint32_t n = (uint32_t)x->p->edges.n;
  for (uint32_t i = 1; i < n; i++) {
    const tp_edge_info e = x->p->edges.at[i];
    if (!e.from.id || !assigns(x, &e) || tp_map_has(&x->live, e.from.id)) continue;
    const tp_loc to = place(x, e.to, e.a);
    x->p->edges.at[i] = (tp_edge_info){.kind = TP_E_SKIP, .from = e.from, .to = to, .pos = e.pos};
  }
  while (x->todo.n) copy_edges(x, tp_vec_pop(&x->todo));
}

static bool thread_var(tp_program *p, tp_var v) {
  threading x = {.p = p, .tt = p->terms, .var = v};
  find_live(&x);
  const bool is = is_threadable(&x) && decides_all(&x);
  if (is) thread(&x);
  tp_map_clear(&x.live);
  tp_map_clear(&x.copies);
  tp_vec_clear(&x.todo);
  tp_vec_clear(&x.values);
  if (is) tp_program_finish(p);
  return is;
}

bool tp_program_thread_jumps(tp_program *p) {
  reading r = {.p = p,
               .is_refused = TP_NEW_ARRAY(bool, p->vars.n + 1),
               .is_read = TP_NEW_ARRAY(bool, p->vars.n + 1)};
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id) see_edge(&r, &p->edges.at[i]);
  bool is_changed = false;
  for (uint32_t v = 1, n = (uint32_t)p->vars.n; v < n; v++)
    if (!r.is_refused[v] && r.is_read[v] && is_made(p, v)) is_changed |= thread_var(p, (tp_var){v});
  tp_free(r.is_refused);
  tp_free(r.is_read);
  return is_changed;
}

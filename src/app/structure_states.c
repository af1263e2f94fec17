/* The members are terms over the parameter of the state function, evaluated before its first edge.
 */
#include "app/structure_states.h"

#include "app/app_limits.h"
#include "app/environment.h"
#include "expression/expression.h"

#include <stdio.h>

static tp_loc entry_of(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && strcmp(p->funcs.at[i].name, name) == 0)
      return p->funcs.at[i].entry;
  return TP_LOC_NONE;
}

static tp_var global_of(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].kind == TP_V_GLOBAL && strcmp(p->vars.at[i].name, name) == 0)
      return (tp_var){i};
  return TP_VAR_NONE;
}

/* NONE: a member of bytes, or one that cannot be read. */
static tp_term term_of(const tp_program *p, tp_loc at, const tp_made_structure_field *f) {
  tp_expression_error error = {0};
  tp_c_value v = {0};
  if (f->kind == TP_FIELD_BYTES) return TP_TERM_NONE;
  tp_status st = tp_expression_read(p, at, f->text, &v, &error);
  if (st == TP_OK) st = tp_c_value_load(p, &v, &error.why);
  tp_str_clear(&error.why);
  return st == TP_OK ? v.value : TP_TERM_NONE;
}

bool tp_structure_states_init(tp_structure_states *x, const tp_program *p,
                              const tp_made_structures *all) {
  TP_REQUIRE(x && p && all);
  *x = (tp_structure_states){.p = p, .all = all};
  x->entries = TP_NEW_ARRAY(tp_loc, all->list.n + 1);
  x->terms = TP_NEW_ARRAY(tp_term *, all->list.n + 1);
  x->sign = global_of(p, "twoproof_sign");
  x->use = global_of(p, "twoproof_use");
  bool is_read = true;
  for (size_t k = 0; k < all->list.n; k++) {
    const tp_made_structure *s = &all->list.at[k];
    char name[64];
    snprintf(name, sizeof name, TP_STRUCTURE_STATE "%zu", k + 1);
    x->entries[k] = entry_of(p, name);
    x->terms[k] = TP_NEW_ARRAY(tp_term, s->fields.n + 1);
    for (size_t i = 0; i < s->fields.n && x->entries[k].id; i++) {
      x->terms[k][i] = term_of(p, x->entries[k], &s->fields.at[i]);
      is_read &= s->fields.at[i].kind == TP_FIELD_BYTES || tp_term_is(x->terms[k][i]);
    }
  }
  x->start = tp_state_initial(p);
  return is_read;
}

void tp_structure_states_clear(tp_structure_states *x) {
  for (size_t k = 0; x->terms && k < x->all->list.n; k++) tp_free(x->terms[k]);
  tp_free(x->terms);
  tp_free(x->entries);
  if (x->start) tp_state_free(x->start);
}

static bool evaluate(const tp_structure_states *x, const tp_state *s, size_t structure, size_t i,
                     tp_field_value *out) {
  const tp_made_structure *of = &x->all->list.at[structure];
  const tp_made_structure_field *f = &of->fields.at[i];
  tp_value v;
  *out = (tp_field_value){0};
  if (f->kind == TP_FIELD_BYTES) return true;
  if (tp_state_eval(s, x->terms[structure][i], &v) != TP_OK) return false;
  if (f->kind == TP_FIELD_NUMBER) {
    const uint32_t width = tp_width(x->p->terms, x->terms[structure][i]);
    out->value = (tp_i128)v.bits;
    if (of->numbers.at[f->number].is_signed && width < 128 && (v.bits >> (width - 1) & 1))
      out->value -= (tp_i128)1 << width;
    return true;
  }
  tp_object_info info;
  out->object = v.object;
  out->offset = (uint64_t)v.bits;
  if (!v.object || !tp_state_object_info(s, v.object, &info)) return true;
  out->size = info.size;
  out->is_live = info.live;
  out->is_block = info.kind == TP_O_HEAP && v.bits == 0;
  out->is_function = info.kind == TP_O_FUNCTION && v.bits == 0;
  return true;
}

static int64_t value_of(const tp_structure_states *x, const tp_state *s, tp_var var) {
  tp_value v;
  return var.id && tp_state_eval(s, tp_var_of(x->p, var)->term, &v) == TP_OK ? (int32_t)v.bits : 0;
}

static bool look(void *ctx, const tp_state *before, tp_edge e) {
  tp_structure_states *x = ctx;
  const tp_loc from = x->p->edges.at[e.id].from;
  for (size_t k = 0; k < x->all->list.n; k++) {
    tp_field_value values[TP_APP_STRUCTURE_FIELDS];
    if (from.id != x->entries[k].id) continue;
    const size_t n = x->all->list.at[k].fields.n;
    bool is_known = n <= TP_APP_STRUCTURE_FIELDS;
    for (size_t i = 0; i < n && is_known; i++) is_known = evaluate(x, before, k, i, &values[i]);
    if (is_known)
      x->see(x->ctx, k, values, value_of(x, before, x->sign),
             (uint32_t)value_of(x, before, x->use));
  }
  return true;
}

typedef struct {
  tp_structure_states *x;
  bool *taken;
  bool is_new;
} watch;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  watch *w = ctx;
  if (w->taken && !w->taken[e.id]) w->taken[e.id] = w->is_new = true;
  return look(w->x, before, e);
}

static void run_once(tp_structure_states *x, tp_oracle *oracle, watch *w) {
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = w, .edge = note_edge};
  tp_state *state = tp_state_copy(x->start);
  (void)tp_exec_run(x->p, state, oracle, (tp_run_limits){.steps = TP_APP_STRUCTURE_STEPS},
                    &observer);
  tp_state_free(state);
}

void tp_structure_states_run(tp_structure_states *x, const tp_inputs *inputs) {
  TP_REQUIRE(x && x->see && inputs);
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  watch w = {.x = x};
  run_once(x, &oracle, &w);
}

void tp_structure_states_sample(tp_structure_states *x, uint64_t seed, uint32_t runs,
                                double cpu_s) {
  TP_REQUIRE(x && x->see);
  tp_random_inputs draw;
  tp_random_inputs_init(&draw, x->p, seed);
  draw.prefers_small = true;
  bool *taken = TP_NEW_ARRAY(bool, x->p->edges.n + 1);
  const double start_s = tp_cpu_s();
  for (uint32_t i = 0; i < runs && tp_cpu_s() - start_s < cpu_s; i++) {
    tp_inputs made;
    tp_inputs_init(&made);
    tp_random_inputs_start(&draw, &made);
    tp_oracle oracle = tp_random_inputs_oracle(&draw);
    watch w = {.x = x, .taken = taken};
    run_once(x, &oracle, &w);
    if (w.is_new) tp_random_inputs_keep(&draw, &made);
    tp_inputs_clear(&made);
  }
  tp_free(taken);
  tp_random_inputs_clear(&draw);
}

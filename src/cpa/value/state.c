/* The row `value`: settings; steps at a precision. */
#include "cpa/constant/constant_cpa.h"
#include "cpa/cpa_limits.h"
#include "cpa/value/value_priv.h"

/* The first name is the default. */
static bool choose_name(const tp_cpa *self, const char *key, const char *const *names, int *out,
                        tp_str *why) {
  const char *text = tp_cpa_setting(self, key, names[0]);
  for (*out = 0; names[*out]; (*out)++)
    if (strcmp(text, names[*out]) == 0) return true;
  tp_str_printf(why, "value.%s = %s: one of", key, text);
  for (int i = 0; names[i]; i++) tp_str_printf(why, " %s", names[i]);
  tp_str_add(why, " was expected");
  return false;
}

static bool choose_precision(const tp_cpa *self, tp_value_settings *own, tp_str *why) {
  static const char *const scopes[] = {"all", "location", "function", "global", NULL},
                           *const unknowns[] = {"stays", "leaves", "infer", NULL};
  int scope, unknown;
  if (!choose_name(self, "precision", scopes, &scope, why) ||
      !choose_name(self, "unknown", unknowns, &unknown, why))
    return false;
  own->scope = (tp_track_scope)scope;
  own->unknown = (tp_unknown_setting)unknown;
  return true;
}

/* What a refinement asked for is followed without end, if nothing else is said. */
static bool choose_threshold(tp_cpa *self, tp_value_settings *own, tp_str *why) {
  const char *text = tp_cpa_setting(self, "threshold", own->scope == TP_TRACK_ALL ? "" : "inf");
  own->threshold = TP_VALUE_NO_THRESHOLD;
  if (strcmp(text, "0") == 0)
    own->unknown = TP_UNKNOWN_LEAVES;  // nothing is tracked: all there is leaves
  return strcmp(text, "inf") == 0 ||
         tp_cpa_setting_u64(self, "threshold", TP_CPA_VALUE_THRESHOLD, &own->threshold, why);
}

static bool open(tp_cpa *self, tp_str *why) {
  tp_value_settings *own = tp_arena_new(&self->arena, tp_value_settings);
  tp_store_options options = {.values = &tp_constant_values, .own = own};
  if (!choose_precision(self, own, why) || !choose_threshold(self, own, why)) return false;
  if (!tp_cpa_setting_flag(self, "lift", false, &own->lifts, why)) return false;
  if (!tp_cpa_setting_flag(self, "memory", true, &options.tracks_memory, why)) return false;
  if (!tp_cpa_setting_flag(self, "liveness", true, &options.havocs_dead, why)) return false;
  if (!tp_cpa_setting_flag(self, "points-to", false, &options.trusts_points_to, why)) return false;
  return tp_store_open(self, options, why);
}

static void close(tp_cpa *self) {
  if (self->state) {
    tp_value_settings *own = tp_store_own(self);
    tp_value_clear_counts(own);
    tp_vec_clear(&own->tracked);
    tp_map_clear(&own->is_tracked);
    tp_vec_clear(&own->dropped);
    tp_map_clear(&own->is_dropped);
    tp_map_clear(&own->is_lifted);
    tp_vec_clear(&own->from_start);
  }
  tp_store_close(self);
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = tp_store_initial(self, entry, context);
  s.prec = tp_value_precision(self);
  s.elem = tp_value_restrict(self, s.elem, s.prec);
  return s;
}

const tp_elem *tp_value_step(tp_cpa *self, const tp_elem *e, const tp_step *step) {
  tp_out out = {0};
  tp_store_transfer(self, e, NULL, step, &out);
  const tp_elem *next = out.list.n ? out.list.at[0].elem : NULL;
  tp_vec_clear(&out.list);
  return next;
}

/* Without an end to tracking nothing is handed over. */
static bool adjusts_unknown(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->unknown != TP_UNKNOWN_STAYS && own->threshold != TP_VALUE_NO_THRESHOLD;
}

static const tp_prec *adjust_var(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_var v) {
  return v.id && tp_store_get(self, e, v).id == 0
             ? tp_value_adjust_unknown(self, p, tp_store_lvalue_of(v))
             : p;
}

/* What the step assigned without knowing the value. */
static const tp_prec *adjust_unknown(tp_cpa *self, const tp_elem *e, const tp_prec *p,
                                     const tp_step *step) {
  const tp_edge_info *edge = tp_edge_of(self->env->program, step->edge);
  if (step->kind != TP_STEP_CALL) return adjust_var(self, e, p, edge->var);
  const tp_func_info *f = tp_func_of(self->env->program, step->callee);
  for (uint32_t i = 0; i < f->n_params; i++) p = adjust_var(self, e, p, f->params[i]);
  return p;
}

/* A step of the store; what it assigned or learnt of lvalues that are dropped, or not tracked, is
 * forgotten. */
static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  size_t first = out->list.n;
  tp_store_transfer(self, e, p, step, out);
  for (size_t i = first; i < out->list.n; i++) {
    tp_succ *s = &out->list.at[i];
    if (p) s->elem = tp_value_restrict(self, s->elem, p);
    if (tp_value_is_refined(self)) s->elem = tp_value_project(self, s->elem, step->to);
    if (p && adjusts_unknown(self)) s->prec = adjust_unknown(self, s->elem, p, step);
  }
}

static const char *const settings[] = {"threshold", "memory",  "points-to", "liveness",
                                       "precision", "unknown", "lift",      NULL};

const tp_cpa_ops tp_cpa_value = {
    .name = "value",
    .help = "explicit values of variables and memory cells, each up to a number of different ones",
    .settings = settings,
    .has_join = true,
    .default_merge = "sep",
    .open = open,
    .close = close,
    .initial = initial,
    .transfer = transfer,
    .leq = tp_store_leq,
    .top = tp_store_top,
    .join = tp_store_join,
    .widen = tp_store_widen,
    .print = tp_store_print,
    .formula = tp_store_formula,
    .adjust = tp_value_adjust,
    .each_untracked = tp_value_each_untracked,
    .range = tp_store_range,
    .strengthen = tp_store_strengthen,
    .implied_by = tp_store_implied_by,
    .reduce = tp_store_reduce,
    .expand = tp_store_expand};

/* The row `value`: settings; steps at a precision. */
#include "cpa/constant/constant.h"
#include "cpa/value/value_priv.h"

enum { DEFAULT_THRESHOLD = 50 };           // a counted loop of 50 turns is run through

static bool choose(const tp_cpa *self, const char *key, bool otherwise, bool *out, tp_str *why) {
  const char *text = tp_cpa_setting(self, key, otherwise ? "on" : "off");
  *out = strcmp(text, "on") == 0;
  if (*out || strcmp(text, "off") == 0) return true;
  tp_str_printf(why, "value.%s = %s: on or off was expected", key, text);
  return false;
}

static bool choose_scope(const tp_cpa *self, tp_track_scope *out, tp_str *why) {
  static const char *const names[] = {"all", "location", "function", "global"};
  const char *text = tp_cpa_setting(self, "precision", "all");
  for (int i = TP_TRACK_ALL; i <= TP_TRACK_GLOBAL; i++) {
    *out = (tp_track_scope)i;
    if (strcmp(text, names[i]) == 0) return true;
  }
  tp_str_printf(why, "value.precision = %s: all, location, function or global was expected", text);
  return false;
}

static bool open(tp_cpa *self, tp_str *why) {
  tp_value_settings *own = tp_arena_new(&self->arena, tp_value_settings);
  tp_store_options options = {.values = &tp_constant_values, .own = own};
  own->threshold = TP_VALUE_FOREVER;
  if (strcmp(tp_cpa_setting(self, "threshold", ""), "inf") != 0 &&
      !tp_cpa_setting_u64(self, "threshold", DEFAULT_THRESHOLD, &own->threshold, why))
    return false;
  if (!choose_scope(self, &own->scope, why)) return false;
  if (!choose(self, "memory", true, &options.tracks_memory, why)) return false;
  if (!choose(self, "liveness", true, &options.forgets_dead, why)) return false;
  if (!choose(self, "points-to", false, &options.trusts_points_to, why)) return false;
  return tp_store_open(self, options, why);
}

static void close(tp_cpa *self) {
  if (self->state) {
    tp_value_settings *own = tp_store_own(self);
    tp_value_forget_counts(own);
    tp_vec_clear(&own->tracked);
    tp_map_clear(&own->is_tracked);
  }
  tp_store_close(self);
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = tp_store_initial(self, entry, context);
  s.prec = tp_value_precision(self);
  return s;
}

const tp_elem *tp_value_step(tp_cpa *self, const tp_elem *e, const tp_step *step) {
  tp_out out = {0};
  tp_store_transfer(self, e, NULL, step, &out);
  const tp_elem *next = out.list.n ? out.list.at[0].elem : NULL;
  tp_vec_clear(&out.list);
  return next;
}

/* A step of the store; what it assigned or learnt of places that are dropped, or not tracked, is forgotten. */
static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step, tp_out *out) {
  size_t first = out->list.n;
  tp_store_transfer(self, e, p, step, out);
  for (size_t i = first; i < out->list.n; i++) {
    tp_succ *s = &out->list.at[i];
    if (p) s->elem = tp_value_restrict(self, s->elem, p);
    if (tp_value_is_refined(self)) s->elem = tp_value_only_tracked(self, s->elem, step->to);
  }
}

static const char *const settings[] = {"threshold", "memory", "points-to", "liveness", "precision", NULL};

const tp_cpa_ops tp_cpa_value = {.name = "value",
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
                                 .range = tp_store_range,
                                 .strengthen = tp_store_strengthen,
                                 .implied_by = tp_store_implied_by,
                                 .reduce = tp_store_reduce,
                                 .expand = tp_store_expand};

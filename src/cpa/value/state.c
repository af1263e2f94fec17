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

static bool open(tp_cpa *self, tp_str *why) {
  tp_value_settings *own = tp_arena_new(&self->arena, tp_value_settings);
  tp_store_options options = {.values = &tp_constant_values, .own = own};
  own->threshold = TP_VALUE_FOREVER;
  if (strcmp(tp_cpa_setting(self, "threshold", ""), "inf") != 0 &&
      !tp_cpa_setting_u64(self, "threshold", DEFAULT_THRESHOLD, &own->threshold, why))
    return false;
  if (!choose(self, "memory", true, &options.tracks_memory, why)) return false;
  if (!choose(self, "liveness", true, &options.forgets_dead, why)) return false;
  if (!choose(self, "points-to", false, &options.trusts_points_to, why)) return false;
  return tp_store_open(self, options, why);
}

static void close(tp_cpa *self) {
  if (self->state) tp_value_forget_counts(tp_store_own(self));
  tp_store_close(self);
}

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  tp_succ s = tp_store_initial(self, entry, context);
  s.prec = tp_value_precision(self);
  return s;
}

/* A step of the store; what it assigned or learnt of dropped places is forgotten. */
static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step, tp_out *out) {
  size_t first = out->list.n;
  tp_store_transfer(self, e, p, step, out);
  for (size_t i = first; p && i < out->list.n; i++) out->list.at[i].elem = tp_value_restrict(self, out->list.at[i].elem, p);
}

static const char *const settings[] = {"threshold", "memory", "points-to", "liveness", NULL};

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

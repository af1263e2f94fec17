/* The rows `constant` and `constant-location`: stores over the lattice of constants. */
#include "cpa/constant/constant_cpa.h"

static bool open(tp_cpa *self, tp_str *why) {
  return tp_store_open(
      self, (tp_store_options){.values = &tp_constant_values, .integers_only = true}, why);
}
static bool open_location(tp_cpa *self, tp_str *why) {
  tp_store_options options = {
      .values = &tp_constant_values, .integers_only = true, .own_location = true};
  return tp_store_open(self, options, why);
}

const tp_cpa_ops tp_cpa_constant = {.name = "constant",
                                    .help = "integer variables with one value",
                                    .default_merge = "join",
                                    .open = open,
                                    TP_STORE_OPS};
const tp_cpa_ops tp_cpa_constant_location = {
    .name = "constant-location",
    .help = "the same with the location as a part of the element",
    .default_merge = "join",
    .open = open_location,
    .merge_key = tp_store_merge_key,
    .location = tp_store_location,
    .context = tp_store_context,
    TP_STORE_OPS};

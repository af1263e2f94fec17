/* The row `pointer`: a store over constants whose pointers have several targets. */
#include "cpa/constant/constant_cpa.h"
#include "cpa/cpa_limits.h"
#include "cpa/pointer/pointer_cpa.h"

static bool open(tp_cpa *self, tp_str *why) {
  uint64_t targets;
  tp_store_options options = {.values = &tp_constant_values, .tracks_memory = true};
  if (!tp_cpa_setting_u64(self, "targets", TP_CPA_STORE_TARGETS, &targets, why)) return false;
  if (targets < 1 || targets > TP_CPA_STORE_TARGETS)
    return tp_str_printf(why, "pointer.targets: 1 to %d was expected", TP_CPA_STORE_TARGETS), false;
  options.most_targets = (uint32_t)targets;
  return tp_cpa_setting_flag(self, "liveness", true, &options.havocs_dead, why) &&
         tp_store_open(self, options, why);
}

static const char *const settings[] = {"targets", "liveness", NULL};

const tp_cpa_ops tp_cpa_pointer = {
    .name = "pointer",
    .help = "which objects pointers may lead to, allocations, and constants, also in memory",
    .settings = settings,
    .default_merge = "join",
    .open = open,
    TP_STORE_OPS};

/* Every room's table of tuning constants (base/limits.h), printed. A room with a new table gets its
 * lines here. */
#include "app/limits_table.h"

#include "app/app_limits.h"
#include "base/base_limits.h"
#include "diag/diag_limits.h"
#include "report/report_limits.h"

static const tp_limit limits[] = {
#define TP_LIMIT(name, value, what) {ROOM, #name, value, what},
#define ROOM "base"
    TP_BASE_LIMITS(TP_LIMIT)
#undef ROOM
#define ROOM "diag"
        TP_DIAG_LIMITS(TP_LIMIT)
#undef ROOM
#define ROOM "report"
            TP_REPORT_LIMITS(TP_LIMIT)
#undef ROOM
#define ROOM "app"
                TP_APP_LIMITS(TP_LIMIT) TP_APP_FRACTIONS(TP_LIMIT)
#undef ROOM
#undef TP_LIMIT
};

void tp_limits_print(tp_str *out) {
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    const tp_limit *l = &limits[i];
    tp_str_printf(out, "%-12s %-28s %12.10g  %s\n", l->room, l->name, l->value, l->what);
  }
}

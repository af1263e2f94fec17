/* Every room's table of tuning constants (base/limits.h), printed. A room with a new table gets its
 * line here. */
#include "app/limits_table.h"

#include "adequacy/adequacy_limits.h"
#include "app/app_limits.h"
#include "auto/auto_limits.h"
#include "base/base_limits.h"
#include "blocks/blocks_limits.h"
#include "certify/certify_limits.h"
#include "circuit/circuit_limits.h"
#include "contracts/contracts_limits.h"
#include "cpa/cpa_limits.h"
#include "diag/diag_limits.h"
#include "engine/engine_limits.h"
#include "exec/exec_limits.h"
#include "expression/expression_limits.h"
#include "formula/formula_limits.h"
#include "front/front_limits.h"
#include "lsp/lsp_limits.h"
#include "numeric/numeric_limits.h"
#include "program/program_limits.h"
#include "proof/proof_limits.h"
#include "report/report_limits.h"
#include "search/search_limits.h"
#include "shape/shape_limits.h"
#include "smt/smt_limits.h"
#include "term/term_limits.h"

#define ROW(name, value, what, then) {#name, value, what, then},
#define TABLE(room, rows)          \
  {                                \
    room, (const tp_limit[]) {     \
      rows { NULL, 0, NULL, NULL } \
    }                              \
  }
static const struct {
  const char *name;
  const tp_limit *limits;  // the last has no name
} rooms[] = {
    TABLE("base", TP_BASE_LIMITS(ROW)),
    TABLE("diag", TP_DIAG_LIMITS(ROW)),
    TABLE("term", TP_TERM_LIMITS(ROW)),
    TABLE("circuit", TP_CIRCUIT_LIMITS(ROW)),
    TABLE("smt", TP_SMT_LIMITS(ROW) TP_SMT_FRACTIONS(ROW)),
    TABLE("program", TP_PROGRAM_LIMITS(ROW)),
    TABLE("front", TP_FRONT_LIMITS(ROW)),
    TABLE("formula", TP_FORMULA_LIMITS(ROW)),
    TABLE("numeric", TP_NUMERIC_LIMITS(ROW) TP_NUMERIC_FRACTIONS(ROW)),
    TABLE("exec", TP_EXEC_LIMITS(ROW) TP_EXEC_FRACTIONS(ROW)),
    TABLE("shape", TP_SHAPE_LIMITS(ROW)),
    TABLE("expression", TP_EXPRESSION_LIMITS(ROW)),
    TABLE("cpa", TP_CPA_LIMITS(ROW) TP_CPA_FRACTIONS(ROW)),
    TABLE("engine", TP_ENGINE_LIMITS(ROW) TP_ENGINE_FRACTIONS(ROW)),
    TABLE("blocks", TP_BLOCKS_LIMITS(ROW) TP_BLOCKS_FRACTIONS(ROW)),
    TABLE("proof", TP_PROOF_LIMITS(ROW) TP_PROOF_FRACTIONS(ROW)),
    TABLE("search", TP_SEARCH_LIMITS(ROW) TP_SEARCH_FRACTIONS(ROW)),
    TABLE("adequacy", TP_ADEQUACY_LIMITS(ROW)),
    TABLE("contracts", TP_CONTRACTS_LIMITS(ROW)),
    TABLE("auto", TP_AUTO_LIMITS(ROW)),
    TABLE("certify", TP_CERTIFY_LIMITS(ROW)),
    TABLE("report", TP_REPORT_LIMITS(ROW)),
    TABLE("lsp", TP_LSP_LIMITS(ROW)),
    TABLE("app", TP_APP_LIMITS(ROW) TP_APP_FRACTIONS(ROW)),
};

void tp_limits_print(tp_str *out) {
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    for (const tp_limit *l = rooms[i].limits; l->name; l++)
      tp_str_printf(out, "%-10s %-26s %12.10g  %s; %s\n", rooms[i].name, l->name, l->value, l->what,
                    l->then);
}

/* Bounds as expressions of the contract language.
 *
 * What       node by node, with names that mean what they should where the contract stands; what a
 *            large bound has several times is written once: let part1 = ..., part2 = ... | bound.
 * Represents the same relation (or formula). NULL: the language cannot say it.
 * Ownership  expressions live in the arena of the writer, which is that of the clauses. */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARY_EXPRESSION_H
#define TP_CONTRACTS_SUMMARISE_SUMMARY_EXPRESSION_H

#include "contracts/summarise/summarise_priv.h"
#include "contracts/summarise/summary_contract.h"

typedef const tp_spec_expr *tp_summary_expr;

/* What is written: the contract of one function. */
typedef struct {
  tp_rsums *s;
  tp_rbounds *t;
  const tp_rsum_template *f;
  tp_clauses *out;
  tp_arena *a;
  tp_contract_origin origin;
  TP_VEC(tp_summary_expr) conjuncts;  // of the ensures clause that binds new objects
  TP_VEC(tp_rbound) made;             // new objects that expressions name
  tp_map shared;    // parts of the bound that is written to numbers of their names
  tp_map integers;  // bounds to 1 + whether they have integers
} tp_summary_writer;

static inline tp_summary_expr tp_summary_atom(tp_summary_writer *w, tp_spec_expr_kind kind) {
  return tp_spec_expr_atom(w->a, kind, TP_POS_NONE);
}
static inline tp_summary_expr tp_summary_unary(tp_summary_writer *w, tp_spec_expr_kind kind,
                                               tp_summary_expr x) {
  return tp_spec_expr_unary(w->a, kind, TP_POS_NONE, x);
}
static inline tp_summary_expr tp_summary_binary(tp_summary_writer *w, tp_spec_expr_kind kind,
                                                tp_summary_expr x, tp_summary_expr y) {
  return tp_spec_expr_binary(w->a, kind, TP_POS_NONE, x, y);
}
static inline tp_summary_expr tp_summary_name(tp_summary_writer *w, const char *name,
                                              const char *owner) {
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_NAME, .name = name, .owner = owner},
                           NULL, 0, NULL, 0);
}

/* The member, global or variable by its name alone where that is enough, else with its owner. */
tp_summary_expr tp_summary_symbol_name(tp_summary_writer *w, const tp_symbol *m);
tp_summary_expr tp_summary_variable_name(tp_summary_writer *w, const tp_var_info *v);
const char *tp_summary_new_name(tp_summary_writer *w, int64_t number);
/* All objects of the type. */
tp_summary_expr tp_summary_type_name(tp_summary_writer *w, uint32_t basic);
tp_summary_expr tp_summary_expression(tp_summary_writer *w, tp_rbound bound);

#endif

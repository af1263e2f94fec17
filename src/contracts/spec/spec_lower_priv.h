/* Inside of lowering (contracts/spec/spec_lower.c, contracts/spec/spec_lower_contract.c). */
#ifndef TP_CONTRACTS_SPEC_SPEC_LOWER_PRIV_H
#define TP_CONTRACTS_SPEC_SPEC_LOWER_PRIV_H

#include "contracts/spec/spec_lower.h"

/* A lowered expression: of its sort, one of the three. */
typedef struct {
  tp_rel_expr set;
  tp_rel_int number;
  tp_rel_formula truth;
  bool is_none;  // `none`: no tuple, of whatever arity is needed; set is id 0
} tp_lowered;

/* What a variable, or `this`, stands for. */
typedef struct {
  const tp_symbol *symbol;
  tp_lowered value;
} tp_lower_binding;

/* A named formula or relation over certain arguments, a model field of a certain object. */
typedef struct {
  const tp_symbol *symbol;
  tp_contract_state when;
  uint32_t n_arguments;
  const tp_lowered *arguments;
  tp_lowered value;
} tp_lower_call;

struct tp_lowering {
  tp_contracts *m;
  const tp_object_model *u;
  tp_rel *l;
  tp_state_relations s;
  tp_arena arena;
  tp_contract_state when;        // names without ' are read then
  TP_VEC(tp_lower_binding) env;  // inner ones last
  TP_VEC(tp_lower_call) calls;   // each is lowered once, so that equal calls are equal nodes
  const char *error;
};

/* Keeps the first message. */
void tp_lower_fail(tp_lowering *w, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);
void tp_lower_bind(tp_lowering *w, const tp_symbol *symbol, tp_lowered value);
/* Id 0 without an error where the states have none. */
tp_rel_expr tp_lower_objects(const tp_lowering *w, uint32_t basic);
tp_rel_expr tp_lower_value(const tp_lowering *w, const tp_symbol *symbol, tp_contract_state when);

#endif

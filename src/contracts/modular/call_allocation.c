/* Equations `\alloc' = E` among the conjuncts of the postconditions, under no premise, or under one
 * of the two premises `\result = null` and `\result != null`, which cover all calls together. E is
 * `\alloc`, to which `\result` may be added, and from which anything may be taken. */
#include "contracts/modular/call_allocation.h"

enum { CASE_NULL = 1, CASE_OBJECT = 2, ALL_CASES = 3 };

typedef struct {
  uint32_t covered;  // cases of which there is an equation
  tp_call_allocation found;
} reading;

/* In which cases is the premise true? 0: it is none of the two. */
static uint32_t cases_of(const tp_spec_expr *x) {
  if (x->kind == TP_SPEC_NOT) {
    const uint32_t cases = cases_of(x->kids[0]);
    return cases ? ALL_CASES & ~cases : 0;
  }
  if ((x->kind != TP_SPEC_EQUAL && x->kind != TP_SPEC_UNEQUAL) ||
      x->kids[0]->kind != TP_SPEC_RESULT || x->kids[1]->kind != TP_SPEC_NULL)
    return 0;
  return x->kind == TP_SPEC_EQUAL ? CASE_NULL : CASE_OBJECT;
}

/* Is it `\alloc`, with or without the result, without something? */
static bool is_bound(const tp_spec_expr *x, tp_call_allocation *out) {
  if (x->kind == TP_SPEC_DIFFERENCE) {
    out->may_free = true;
    return is_bound(x->kids[0], out);
  }
  if (x->kind == TP_SPEC_UNION) {
    out->makes = TP_CALL_MAKES_RESULT;
    return x->kids[1]->kind == TP_SPEC_RESULT && is_bound(x->kids[0], out);
  }
  return x->kind == TP_SPEC_ALLOC && !x->is_primed;
}

static void read_equation(reading *r, const tp_spec_expr *x, uint32_t cases) {
  tp_call_allocation is = {TP_CALL_MAKES_NONE, false};
  if (x->kids[0]->kind != TP_SPEC_ALLOC || !x->kids[0]->is_primed || !is_bound(x->kids[1], &is))
    return;
  if (!(cases & ~r->covered)) return;  // known already
  r->covered |= cases;
  if (is.makes > r->found.makes) r->found.makes = is.makes;
  r->found.may_free = r->found.may_free || is.may_free;
}

static void read(reading *r, const tp_spec_expr *x, uint32_t cases) {
  if (!cases) return;
  if (x->kind == TP_SPEC_EQUAL) read_equation(r, x, cases);
  if (x->kind == TP_SPEC_AND)
    for (uint32_t i = 0; i < x->n_kids; i++) read(r, x->kids[i], cases);
  if (x->kind == TP_SPEC_IMPLIES) read(r, x->kids[1], cases & cases_of(x->kids[0]));
}

tp_call_allocation tp_call_allocation_of(const tp_contracts *m, const tp_function_contract *c) {
  TP_REQUIRE(m && c);
  reading r = {.found = {TP_CALL_MAKES_NONE, false}};
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &m->all.at[c->clauses.at[i]];
    if (clause->clause->kind == TP_CLAUSE_ENSURES && clause->expr)
      read(&r, clause->expr, ALL_CASES);
  }
  return r.covered == ALL_CASES ? r.found : (tp_call_allocation){TP_CALL_MAKES_ANY, true};
}

/* Each clause is lowered by itself: one that cannot be lowered leaves the others as they are. */
#include "contracts/modular/call_proposals.h"

#include "contracts/contracts_limits.h"
#include "contracts/modular/two_states.h"

static tp_rel_expr live_owners(tp_rheap *h, const tp_symbol *symbol, const tp_rexec_store *s) {
  const tp_rel_expr all =
      tp_rheap_allocated(h, symbol->basic, (tp_rheap_objects){s->last, s->stack});
  return tp_rel_binary(h->l, TP_REL_DIFFERENCE, all, s->freed);
}

/* The state before the call is that of a heap. */
static tp_rel_formula is_heap(tp_rheap *h, const tp_function_contract *c,
                              const tp_call_template *f) {
  const tp_rexec_store *s = &f->start.before;
  const tp_rheap_objects objects = {s->last, s->stack};
  tp_rel_formula all = tp_rel_bool(h->l, true);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (s->last[b].id)
      all = tp_rel_and(h->l, all, tp_rel_multiplicity(h->l, TP_REL_LONE, s->last[b]));
  for (uint32_t i = 0; i < f->start.n_fields; i++) {
    const tp_rheap_field field = h->fields.at[i];
    if (field.is_inner) continue;
    tp_rel_expr owners = h->null, value = s->fields[i];
    if (!tp_rheap_is_global(field.symbol)) {
      owners = live_owners(h, field.symbol, s);
      value =
          tp_rel_binary(h->l, TP_REL_DOMAIN,
                        tp_rel_binary(h->l, TP_REL_DIFFERENCE, tp_rel_univ(h->l), s->freed), value);
    }
    all = tp_rel_and(h->l, all, tp_rheap_is_value(h, field.symbol, value, owners, objects));
  }
  for (uint32_t i = 0; i < f->n_args && i < c->n_params; i++)
    all = tp_rel_and(h->l, all,
                     tp_rheap_is_value(h, c->params[i], f->start.args[i], h->null, objects));
  return all;
}

// ----------------------------------------------------------------------------- cases

/* How many formulas a refutation of the clause expands to: objects for each variable. */
static uint64_t n_cases(const tp_rheap *h, const tp_spec_expr *x) {
  uint64_t n = 1;
  const uint64_t most = TP_CONTRACTS_PROPOSAL_CASES + 1;
  if (x->kind == TP_SPEC_EXISTS)
    for (uint32_t i = 0; i < x->n_decls && n < most; i++) n *= h->limits.objects + 1;
  for (uint32_t i = 0; i < x->n_kids && n < most; i++) {
    const uint64_t below = n_cases(h, x->kids[i]);
    n = x->kind == TP_SPEC_EXISTS ? n * below : below > n ? below : n;
  }
  return n;
}

// ------------------------------------------------------------------------------- all

typedef struct {
  tp_rheap *h;
  tp_contracts *m;
  const tp_function_contract *c;
  const tp_function_contract *known;  // what calls start with
  tp_two_states states;
  tp_rel_formula premise;
  tp_rel_formulas *out;
  bool is_partial;  // something was left out
} proposer;

/* clause NULL: the frame condition of the symbol. True where it cannot be lowered. */
static tp_rel_formula lowered(proposer *p, const tp_resolved_clause *clause,
                              const tp_symbol *symbol) {
  tp_lowering *w = tp_lowering_new(p->m, p->h->l, tp_two_states_relations(&p->states));
  const tp_rel_formula f =
      clause ? tp_lower_clause(w, clause, TP_POST_STATE) : tp_lower_frame_of(w, p->c, symbol);
  const bool ok = !tp_lowering_error(w) && f.id;
  tp_lowering_free(w);
  p->is_partial = p->is_partial || !ok;
  return ok ? f : tp_rel_bool(p->h->l, true);
}

static void propose(proposer *p, tp_rel_formula f) {
  if (tp_rel_at(p->h->l, f.id)->kind != TP_REL_TRUE)
    tp_vec_push(p->out, tp_rel_implies(p->h->l, p->premise, f));
}

/* Of all members and globals, and of which objects exist, together; not of what no call changes
 * from the start. */
static tp_rel_formula frame_condition(proposer *p) {
  tp_rel_formula all = tp_rel_bool(p->h->l, true);
  for (size_t i = 0; i < p->h->fields.n; i++) {
    const tp_rheap_field field = p->h->fields.at[i];
    if (field.is_inner || (p->known && tp_function_contract_keeps(p->m, p->known, field.symbol)))
      continue;
    if (tp_function_contract_frame(p->m, p->c, field.symbol))
      all = tp_rel_and(p->h->l, all, lowered(p, NULL, field.symbol));
  }
  const tp_symbol *alloc = p->h->object_model->alloc;
  return tp_function_contract_frame(p->m, p->c, alloc)
             ? tp_rel_and(p->h->l, all, lowered(p, NULL, alloc))
             : all;
}

bool tp_call_proposals(tp_rheap *h, tp_contracts *m, const tp_call_template *f,
                       tp_rel_formulas *out) {
  TP_REQUIRE(h && m && f && out && !h->bounds);
  const tp_function_contract *c = tp_contracts_of(m, f->func, TP_CONTRACT_PROPOSED);
  out->n = 0;
  if (!c || c->n_params != f->n_args) return false;
  proposer p = {.h = h, .m = m, .c = c, .out = out, .premise = is_heap(h, c, f)};
  p.known = tp_contracts_of(m, f->func, TP_CONTRACT_SUMMARY);
  p.states = (tp_two_states){.h = h,
                             .before = f->start.before,
                             .after = f->after,
                             .n_fields = f->start.n_fields,
                             .params = f->start.args,
                             .n_params = f->n_args,
                             .result = f->result};
  p.states.after.stack = p.states.before.stack;  // variables of callers outlive the call
  propose(&p, frame_condition(&p));
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &m->all.at[c->clauses.at[i]];
    if (clause->clause->kind != TP_CLAUSE_ENSURES) continue;
    if (n_cases(h, clause->expr) <= TP_CONTRACTS_PROPOSAL_CASES)
      propose(&p, lowered(&p, clause, NULL));
    else
      p.is_partial = true;
  }
  return !p.is_partial;
}

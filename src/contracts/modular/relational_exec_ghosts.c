/* Assignments to ghosts: the relation of the ghost gets the value that the expression has in the
 * state, at all owners or at those that are named. Names of the scope are the variables of the
 * state; all else is read from the heap as contracts read it, with one state in both places. */
#include "contracts/modular/relational_exec_priv.h"
#include "contracts/modular/two_states.h"

typedef struct {
  tp_rexecutor *r;
  tp_rexec_state *s;
  tp_two_states states;
  tp_state_relations of_heap;
} scope;

static tp_rel_expr value(void *ctx, const tp_symbol *symbol, tp_contract_state when) {
  scope *x = ctx;
  tp_rexecutor *r = x->r;
  if (symbol->kind != TP_SYMBOL_LOCAL) return x->of_heap.value(x->of_heap.ctx, symbol, when);
  TP_REQUIRE(symbol->var.id > 0 && symbol->var.id < r->p->vars.n);
  const tp_rexec_value v = x->s->vars[symbol->var.id];
  const tp_rel_expr atom = tp_rexecutor_atom(r, x->s, v, symbol->ctype);
  return r->why ? (tp_rel_expr){0} : atom;
}

static tp_rel_expr objects(void *ctx, uint32_t basic) {
  const scope *x = ctx;
  return x->of_heap.objects(x->of_heap.ctx, basic);
}

/* The whole relation, with this value at the owners. */
static tp_rel_expr at_owners(tp_rexecutor *r, tp_rel_expr old, tp_rel_expr owners, uint32_t n_keys,
                             tp_rel_expr at) {
  tp_rel_expr box = owners;
  for (uint32_t i = 0; i < n_keys; i++)
    box = tp_rel_binary(r->l, TP_REL_PRODUCT, box, tp_rel_univ(r->l));
  return tp_rexec_union(r, tp_rexec_difference(r, old, box),
                        tp_rel_binary(r->l, TP_REL_PRODUCT, owners, at));
}

/* Ghosts are what they were declared to be, wherever somebody reads them. type: all tuples that the
 * declared type has. */
static void check_declared(tp_rexecutor *r, tp_rexec_state *s, const tp_symbol *ghost,
                           tp_rel_expr new, tp_rel_expr type) {
  tp_rheap *h = r->h;
  const tp_rheap_objects made = tp_rexecutor_objects(r, s);
  const tp_rel_expr owners = ghost->basic ? tp_rheap_allocated(h, ghost->basic, made) : h->null;
  const tp_rel_formula fits = tp_rel_and(r->l, tp_rheap_is_value(h, ghost, new, owners, made),
                                         tp_rel_compare(r->l, TP_REL_IN, new, type));
  tp_rexecutor_end(r, s, TP_REXEC_UNSUPPORTED, tp_rel_not(r->l, fits),
                   tp_arena_printf(r->arena,
                                   "an assignment to the ghost %s of a value that its declaration "
                                   "does not allow",
                                   ghost->name));
}

/* The relation of the ghost behind the assignment; what its declaration does not allow ends the
 * execution. */
static tp_rel_expr new_value(scope *x, const tp_resolved_clause *c, uint32_t field) {
  tp_rexecutor *r = x->r;
  const tp_modifies_target *to = &c->targets[0];
  const uint32_t n_keys = tp_rheap_n_keys(r->h, c->symbol);
  const tp_rel_expr old = tp_rexecutor_field(r, x->s, field);
  tp_lowering *w =
      tp_lowering_new(r->policy.contracts, r->l, (tp_state_relations){x, value, objects});
  const uint32_t arity = to->objects ? n_keys : n_keys + 1;
  tp_rel_expr new = tp_lower_relation(w, c->expr, arity, TP_PRE_STATE);
  if (to->objects && new.id) {
    const tp_rel_expr owners =
        tp_rexec_difference(r, tp_lower_relation(w, to->objects, 1, TP_PRE_STATE), r->h->null);
    new = at_owners(r, old, owners, n_keys, new);
  }
  if (!tp_lowering_error(w) && !r->why && !x->s->is_dead)
    check_declared(r, x->s, c->symbol, new, tp_lower_type(w, c->symbol->type));
  if (tp_lowering_error(w) && !r->why)
    tp_rexec_unsupported(r, tp_arena_strdup(r->arena, tp_lowering_error(w)));
  tp_lowering_free(w);
  return new;
}

void tp_rexecutor_assign_ghost(tp_rexecutor *r, tp_rexec_state *s, const tp_resolved_clause *c) {
  TP_REQUIRE(c->clause->kind == TP_CLAUSE_ASSIGN && c->n_targets == 1 && !c->targets[0].indices);
  const char *why = NULL;
  const uint32_t field = tp_rheap_field_of(r->h, c->symbol, &why);
  if (field == TP_RHEAP_NO_FIELD || field >= r->max_fields) {
    tp_rexec_unsupported(r, why ? why : "too many members");
    return;
  }
  tp_rexecutor_store_globals(r, s);
  if (s->is_dead) return;
  scope x = {.r = r, .s = s, .states = {.h = r->h}};
  x.states.before = x.states.after = tp_rexecutor_store(r, s);
  x.states.n_fields = (uint32_t)r->h->fields.n;
  x.of_heap = tp_two_states_relations(&x.states);
  const tp_rel_expr new = new_value(&x, c, field);
  if (!r->why && !s->is_dead) s->fields[field] = new;
}

/* Vacuity queries. Each clause is one formula of the finder, so that an unsatisfiable core names
 * the clauses that contradict each other. */
#include "contracts/spec/vacuity.h"

#include "contracts/contracts_limits.h"
#include "contracts/rel/finder.h"

typedef struct {
  tp_rel_formula formula;
  const tp_resolved_clause *clause;  // NULL: it is the question itself
} part;

typedef struct {
  tp_contracts *m;
  tp_rel *l;
  tp_bounded_states *small;
  tp_lowering *w;
  TP_VEC(part) parts;
} question;

static void add_clause(question *q, const tp_resolved_clause *c, tp_contract_state when) {
  tp_vec_push(&q->parts, (part){tp_lower_clause(q->w, c, when), c});
}

static void add_invariants(question *q, tp_contract_state when) {
  for (size_t i = 0; i < q->m->all.n; i++)
    if (q->m->all.at[i].clause->kind == TP_CLAUSE_INVARIANT) add_clause(q, &q->m->all.at[i], when);
}

static void add_contract(question *q, const tp_function_contract *c, bool returns) {
  TP_REQUIRE(c != NULL);
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &q->m->all.at[c->clauses.at[i]];
    const tp_clause_kind k = clause->clause->kind;
    if (k == TP_CLAUSE_REQUIRES || k == TP_CLAUSE_PRESERVES) add_clause(q, clause, TP_PRE_STATE);
    if (returns && (k == TP_CLAUSE_ENSURES || k == TP_CLAUSE_PRESERVES))
      add_clause(q, clause, TP_POST_STATE);
  }
}

/* The frame conditions on the relations that occur in the query; others do not affect its answer.
 */
static tp_rel_formula frame_of(question *q, const tp_function_contract *c) {
  const tp_object_model *u = q->m->object_model;
  tp_rel_formula all = tp_lower_frame_of(q->w, c, u->alloc);
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (s->changes && s->kind != TP_SYMBOL_MODEL && tp_bounded_states_has(q->small, s))
      all = tp_rel_and(q->l, all, tp_lower_frame_of(q->w, c, s));
  }
  return all;
}

static void add_frame(question *q, const tp_function_contract *c) {
  const tp_resolved_clause *modifies = NULL;
  for (size_t i = 0; i < c->clauses.n && !modifies; i++)
    if (q->m->all.at[c->clauses.at[i]].clause->kind == TP_CLAUSE_MODIFIES)
      modifies = &q->m->all.at[c->clauses.at[i]];
  if (modifies) tp_vec_push(&q->parts, (part){frame_of(q, c), modifies});
}

static void add_object(question *q, uint32_t basic) {
  const tp_state_relations s = tp_bounded_states_relations(q->small);
  const tp_rel_expr exist = s.value(s.ctx, q->m->object_model->alloc, TP_PRE_STATE);
  tp_vec_push(&q->parts, (part){tp_rel_multiplicity(q->l, TP_REL_SOME,
                                                    tp_rel_binary(q->l, TP_REL_INTERSECTION, exist,
                                                                  s.objects(s.ctx, basic))),
                                NULL});
}

static void unknown(tp_vacuity_result *out, const char *why) {
  out->answer = TP_VACUITY_UNKNOWN;
  tp_str_printf(&out->text, "%s", why);
}

static void name_core(const question *q, tp_rel_finder *f, tp_vacuity_result *out) {
  tp_arena scratch;
  tp_arena_init(&scratch);
  tp_rel_formula *core = tp_arena_array(&scratch, tp_rel_formula, q->parts.n + 1);
  size_t n = 0;
  if (tp_rel_finder_core(f, core, &n) != TP_REL_UNSAT) n = 0;
  for (size_t i = 0; i < q->parts.n; i++) {
    bool is_in = false, is_new = q->parts.at[i].clause != NULL;
    for (size_t k = 0; k < n; k++) is_in = is_in || core[k].id == q->parts.at[i].formula.id;
    for (size_t k = 0; k < out->core.n; k++)
      is_new = is_new && out->core.at[k] != q->parts.at[i].clause;
    if (is_in && is_new) tp_vec_push(&out->core, q->parts.at[i].clause);
  }
  tp_arena_clear(&scratch);
}

static void conclude(const question *q, tp_rel_finder *f, const tp_rel_bounds *b,
                     tp_vacuity_result *out) {
  switch (tp_rel_finder_solve(f, NULL, 0)) {
    case TP_REL_SAT:
      out->answer = TP_VACUITY_FOUND;
      tp_rel_instance_print(tp_rel_finder_instance(f), b, &out->text);
      return;
    case TP_REL_UNSAT: break;
    case TP_REL_UNKNOWN:
    case TP_REL_INCONSISTENT:
      unknown(out, tp_rel_finder_error(f) ? tp_rel_finder_error(f) : "the solver gave up");
      return;
  }
  out->answer = TP_VACUITY_NONE;
  out->is_width_binding = tp_rel_finder_width_binding(f) != TP_REL_UNSAT;
  if (!out->is_width_binding && tp_rel_finder_solve(f, NULL, 0) == TP_REL_UNSAT)
    name_core(q, f, out);
}

static void solve(const question *q, tp_state_scope size, tp_vacuity_result *out) {
  const tp_rel_bounds *b = tp_lowering_error(q->w) ? NULL : tp_bounded_states_bounds(q->small);
  if (!b) {
    unknown(out, tp_lowering_error(q->w) ? tp_lowering_error(q->w) : "there are too many objects");
    return;
  }
  tp_rel_options options = tp_rel_default_options();
  options.width_bits = size.width_bits;
  options.conflicts = TP_CONTRACTS_VACUITY_CONFLICTS;
  options.max_cells = TP_CONTRACTS_VACUITY_CELLS;
  tp_rel_finder *f = tp_rel_finder_new(b, options);
  bool ok = true;
  for (size_t i = 0; i < q->parts.n && ok; i++)
    ok = tp_rel_finder_add(f, q->parts.at[i].formula) == TP_OK;
  if (ok)
    conclude(q, f, b, out);
  else
    unknown(out, tp_rel_finder_error(f));
  tp_rel_finder_free(f);
}

void tp_vacuity_find_state(tp_contracts *m, tp_vacuity_query asked,
                           const tp_function_contract *contract, uint32_t basic,
                           tp_state_scope size, tp_vacuity_result *out) {
  TP_REQUIRE(asked == TP_VACUITY_OBJECT || contract);
  *out = (tp_vacuity_result){0};
  question q = {.m = m, .l = tp_rel_new()};
  q.small = tp_bounded_states_new(m, q.l, size);
  q.w = tp_lowering_new(m, q.l, tp_bounded_states_relations(q.small));
  add_invariants(&q, TP_PRE_STATE);
  if (asked == TP_VACUITY_OBJECT)
    add_object(&q, basic);
  else
    add_contract(&q, contract, asked == TP_VACUITY_RETURN);
  if (asked == TP_VACUITY_RETURN) {
    add_invariants(&q, TP_POST_STATE);
    add_frame(&q, contract);
  }
  // what is true of every state goes with each clause, so that it is never what a core can do
  // without
  const tp_rel_formula typed = tp_bounded_states_axioms(q.small, q.w);
  if (q.parts.n == 0) tp_vec_push(&q.parts, (part){typed, NULL});
  for (size_t i = 0; i < q.parts.n; i++)
    q.parts.at[i].formula = tp_rel_and(q.l, typed, q.parts.at[i].formula);
  solve(&q, size, out);
  tp_vec_clear(&q.parts);
  tp_lowering_free(q.w);
  tp_bounded_states_free(q.small);
  tp_rel_free(q.l);
}

void tp_vacuity_result_clear(tp_vacuity_result *r) {
  tp_str_clear(&r->text);
  tp_vec_clear(&r->core);
}

// ----------------------------------------------------------------------- warnings

/* The last clause of the core is blamed, the others are named. */
static uint32_t warn(tp_contracts *m, const tp_vacuity_result *r, tp_state_scope size,
                     const char *what) {
  tp_diag *diag = m->clauses->diag;
  if (r->answer != TP_VACUITY_NONE || r->core.n == 0) return 0;
  tp_diag_say(diag, TP_WARNING, tp_vec_last(&r->core)->clause->pos, "contract",
              "%s (with %u objects of each type and integers of %u bits)%s", what, size.n_each,
              size.width_bits, r->core.n > 1 ? "; it contradicts what is said here:" : "");
  for (size_t i = 0; i + 1 < r->core.n; i++)
    tp_diag_say(diag, TP_NOTE, r->core.at[i]->clause->pos, "contract", "in contradiction to it");
  return 1;
}

/* Ask, and warn where nothing is found. Was there a state? */
static bool ask(tp_contracts *m, tp_vacuity_query q, const tp_function_contract *c, uint32_t basic,
                tp_state_scope size, const char *what, uint32_t *n_warnings) {
  tp_vacuity_result r;
  tp_vacuity_find_state(m, q, c, basic, size, &r);
  *n_warnings += warn(m, &r, size, what);
  const bool found = r.answer == TP_VACUITY_FOUND;
  tp_vacuity_result_clear(&r);
  return found;
}

static bool has_clause(const tp_contracts *m, const tp_function_contract *c, tp_clause_kind kind) {
  for (size_t i = 0; i < c->clauses.n; i++)
    if (m->all.at[c->clauses.at[i]].clause->kind == kind) return true;
  return false;
}

static bool has_invariant(const tp_contracts *m, uint32_t basic) {
  for (size_t i = 0; i < m->all.n; i++) {
    const tp_clause *c = m->all.at[i].clause;
    uint32_t own;
    if (c->kind == TP_CLAUSE_INVARIANT && c->subject.about == TP_SUBJECT_STRUCT &&
        tp_object_model_struct(m->object_model, c->subject.name, &own) && own == basic)
      return true;
  }
  return false;
}

uint32_t tp_vacuity_warn(tp_contracts *m, tp_state_scope size) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < m->object_model->basics.n; b++)
    if (has_invariant(m, b))
      (void)ask(m, TP_VACUITY_OBJECT, NULL, b, size,
                "no object of this struct can meet its invariants", &n);
  for (size_t i = 0; i < m->of_functions.n; i++) {
    const tp_function_contract *c = m->of_functions.at[i];
    if (c->is_library ||
        !ask(m, TP_VACUITY_CALL, c, 0, size, "no call can meet what this function requires", &n))
      continue;
    if (has_clause(m, c, TP_CLAUSE_ENSURES) || c->has_modifies)
      (void)ask(m, TP_VACUITY_RETURN, c, 0, size, "the function cannot return as this says", &n);
  }
  return n;
}

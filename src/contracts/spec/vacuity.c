/* One formula for each clause, so that what contradicts can be named. */
#include "contracts/spec/vacuity.h"

#include "contracts/rel/finder.h"

enum { MAX_CONFLICTS = 20000, MAX_CELLS = 4000000 };

typedef struct {
  tp_rel_formula formula;
  const tp_clause_meaning *clause;  // NULL: it is the question itself
} part;

typedef struct {
  tp_meanings *m;
  tp_rel *l;
  tp_small *small;
  tp_lowering *w;
  TP_VEC(part) parts;
} question;

static void add_clause(question *q, const tp_clause_meaning *c, tp_moment when) {
  tp_vec_push(&q->parts, (part){tp_lower_clause(q->w, c, when), c});
}

static void add_invariants(question *q, tp_moment when) {
  for (size_t i = 0; i < q->m->all.n; i++)
    if (q->m->all.at[i].clause->kind == TP_CLAUSE_INVARIANT) add_clause(q, &q->m->all.at[i], when);
}

static void add_contract(question *q, const tp_contract *c, bool returns) {
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_clause_meaning *clause = &q->m->all.at[c->clauses.at[i]];
    const tp_clause_kind k = clause->clause->kind;
    if (k == TP_CLAUSE_REQUIRES || k == TP_CLAUSE_PRESERVES)
      add_clause(q, clause, TP_MOMENT_BEFORE);
    if (returns && (k == TP_CLAUSE_ENSURES || k == TP_CLAUSE_PRESERVES))
      add_clause(q, clause, TP_MOMENT_AFTER);
  }
}

/* What may not change, of all that the question speaks of: of other things nobody would notice. */
static tp_rel_formula frame_of(question *q, const tp_contract *c) {
  const tp_universe *u = q->m->universe;
  tp_rel_formula all = tp_lower_frame_of(q->w, c, u->alloc);
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (s->changes && s->kind != TP_SYMBOL_MODEL && tp_small_has(q->small, s))
      all = tp_rel_and(q->l, all, tp_lower_frame_of(q->w, c, s));
  }
  return all;
}

static void add_frame(question *q, const tp_contract *c) {
  const tp_clause_meaning *modifies = NULL;
  for (size_t i = 0; i < c->clauses.n && !modifies; i++)
    if (q->m->all.at[c->clauses.at[i]].clause->kind == TP_CLAUSE_MODIFIES)
      modifies = &q->m->all.at[c->clauses.at[i]];
  if (modifies) tp_vec_push(&q->parts, (part){frame_of(q, c), modifies});
}

static void add_object(question *q, uint32_t basic) {
  const tp_states s = tp_small_states(q->small);
  const tp_rel_expr exist = s.value(s.ctx, q->m->universe->alloc, TP_MOMENT_BEFORE);
  tp_vec_push(
      &q->parts,
      (part){tp_rel_many(q->l, TP_REL_SOME,
                         tp_rel_binary(q->l, TP_REL_INTERSECTION, exist, s.objects(s.ctx, basic))),
             NULL});
}

static void unknown(tp_state_result *out, const char *why) {
  out->answer = TP_STATE_UNKNOWN;
  tp_str_printf(&out->text, "%s", why);
}

static void name_core(const question *q, tp_rel_finder *f, tp_state_result *out) {
  tp_arena scratch;
  tp_arena_init(&scratch);
  tp_rel_formula *core = tp_arena_array(&scratch, tp_rel_formula, q->parts.n + 1);
  size_t n = 0;
  if (tp_rel_finder_core(f, core, &n) != TP_REL_NO_INSTANCE) n = 0;
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
                     tp_state_result *out) {
  switch (tp_rel_finder_solve(f, NULL, 0)) {
    case TP_REL_FOUND:
      out->answer = TP_STATE_FOUND;
      tp_rel_instance_print(tp_rel_finder_instance(f), b, &out->text);
      return;
    case TP_REL_NO_INSTANCE: break;
    case TP_REL_GAVE_UP:
    case TP_REL_BROKEN:
      unknown(out, tp_rel_finder_error(f) ? tp_rel_finder_error(f) : "the solver gave up");
      return;
  }
  out->answer = TP_STATE_NONE;
  out->is_width_binding = tp_rel_finder_width_binding(f) != TP_REL_NO_INSTANCE;
  if (!out->is_width_binding && tp_rel_finder_solve(f, NULL, 0) == TP_REL_NO_INSTANCE)
    name_core(q, f, out);
}

static void solve(const question *q, tp_small_size size, tp_state_result *out) {
  const tp_rel_bounds *b = tp_lowering_error(q->w) ? NULL : tp_small_bounds(q->small);
  if (!b) {
    unknown(out, tp_lowering_error(q->w) ? tp_lowering_error(q->w) : "there are too many objects");
    return;
  }
  tp_rel_options options = tp_rel_default_options();
  options.width_bits = size.width_bits;
  options.conflicts = MAX_CONFLICTS;
  options.max_cells = MAX_CELLS;
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

void tp_find_state(tp_meanings *m, tp_state_question asked, const tp_contract *contract,
                   uint32_t basic, tp_small_size size, tp_state_result *out) {
  *out = (tp_state_result){0};
  question q = {.m = m, .l = tp_rel_new()};
  q.small = tp_small_new(m, q.l, size);
  q.w = tp_lowering_new(m, q.l, tp_small_states(q.small));
  add_invariants(&q, TP_MOMENT_BEFORE);
  if (asked == TP_ASK_OBJECT)
    add_object(&q, basic);
  else
    add_contract(&q, contract, asked == TP_ASK_RETURN);
  if (asked == TP_ASK_RETURN) {
    add_invariants(&q, TP_MOMENT_AFTER);
    add_frame(&q, contract);
  }
  // what is true of every state goes with each clause, so that it is never what a core can do
  // without
  const tp_rel_formula typed = tp_small_typed(q.small, q.w);
  if (q.parts.n == 0) tp_vec_push(&q.parts, (part){typed, NULL});
  for (size_t i = 0; i < q.parts.n; i++)
    q.parts.at[i].formula = tp_rel_and(q.l, typed, q.parts.at[i].formula);
  solve(&q, size, out);
  tp_vec_clear(&q.parts);
  tp_lowering_free(q.w);
  tp_small_free(q.small);
  tp_rel_free(q.l);
}

void tp_state_result_clear(tp_state_result *r) {
  tp_str_clear(&r->text);
  tp_vec_clear(&r->core);
}

// ----------------------------------------------------------------------- warnings

/* The last clause of the core is blamed, the others are named. */
static uint32_t warn(tp_meanings *m, const tp_state_result *r, tp_small_size size,
                     const char *what) {
  tp_diag *diag = m->clauses->diag;
  if (r->answer != TP_STATE_NONE || r->core.n == 0) return 0;
  tp_diag_say(diag, TP_WARNING, tp_vec_last(&r->core)->clause->pos, "contract",
              "%s (with %u objects of each type and integers of %u bits)%s", what, size.n_each,
              size.width_bits, r->core.n > 1 ? "; it contradicts what is said here:" : "");
  for (size_t i = 0; i + 1 < r->core.n; i++)
    tp_diag_say(diag, TP_NOTE, r->core.at[i]->clause->pos, "contract", "in contradiction to it");
  return 1;
}

/* Ask, and warn where nothing is found. Was there a state? */
static bool ask(tp_meanings *m, tp_state_question q, const tp_contract *c, uint32_t basic,
                tp_small_size size, const char *what, uint32_t *n_warnings) {
  tp_state_result r;
  tp_find_state(m, q, c, basic, size, &r);
  *n_warnings += warn(m, &r, size, what);
  const bool found = r.answer == TP_STATE_FOUND;
  tp_state_result_clear(&r);
  return found;
}

static bool has_clause(const tp_meanings *m, const tp_contract *c, tp_clause_kind kind) {
  for (size_t i = 0; i < c->clauses.n; i++)
    if (m->all.at[c->clauses.at[i]].clause->kind == kind) return true;
  return false;
}

static bool has_invariant(const tp_meanings *m, uint32_t basic) {
  for (size_t i = 0; i < m->all.n; i++) {
    const tp_clause *c = m->all.at[i].clause;
    uint32_t own;
    if (c->kind == TP_CLAUSE_INVARIANT && c->subject.about == TP_ABOUT_STRUCT &&
        tp_universe_struct(m->universe, c->subject.name, &own) && own == basic)
      return true;
  }
  return false;
}

uint32_t tp_warn_of_vacuity(tp_meanings *m, tp_small_size size) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < m->universe->basics.n; b++)
    if (has_invariant(m, b))
      (void)ask(m, TP_ASK_OBJECT, NULL, b, size, "no object of this struct can meet its invariants",
                &n);
  for (size_t i = 0; i < m->contracts.n; i++) {
    const tp_contract *c = m->contracts.at[i];
    if (c->is_library ||
        !ask(m, TP_ASK_CALL, c, 0, size, "no call can meet what this function requires", &n))
      continue;
    if (has_clause(m, c, TP_CLAUSE_ENSURES) || c->has_modifies)
      (void)ask(m, TP_ASK_RETURN, c, 0, size, "the function cannot return as this says", &n);
  }
  return n;
}

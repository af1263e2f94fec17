#include "sightings.h"

#include "exec/machine_state.h"

enum { MOST_PER_LOCATION = 10, MOST = 1500 };

// -------------------------------------------------------------------- collecting

static uint32_t keep(sightings *s, const tp_state *state, tp_loc loc, tp_term result) {
  if (s->list.n >= MOST || s->n_at[loc.id] >= MOST_PER_LOCATION) return 0;
  s->n_at[loc.id]++;
  uint32_t *entered = tp_arena_array(&s->arena, uint32_t, s->entered.n + 1);
  if (s->entered.n) memcpy(entered, s->entered.at, s->entered.n * sizeof *entered);
  tp_vec_push(&s->list, (sighting){tp_state_copy(state), loc, result, s->entered.n, entered});
  return (uint32_t)s->list.n - 1;
}

/* Before each edge: where the run is; a frame that is new is at its entry. */
static bool before_edge(void *ctx, const tp_state *state, tp_edge e) {
  sightings *s = ctx;
  const tp_edge_info *edge = tp_edge_of(s->p, e);
  size_t depth = tp_state_depth(state);
  if (s->entered.n > depth) s->entered.n = depth;
  if (depth == 1 && edge->from.id == tp_func_of(s->p, s->p->main)->entry.id)
    s->entered.n = 0;  // perhaps another run
  if (s->entered.n < depth) {
    tp_vec_push(&s->entered, 0);
    s->entered.at[depth - 1] = keep(s, state, edge->from, TP_TERM_NONE);
    uint32_t self = s->entered.at[depth - 1];
    if (self) ((uint32_t *)(uintptr_t)s->list.at[self].entered)[depth - 1] = self;
  } else if (tp_is_certificate_cutpoint(s->p, edge->from)) {
    (void)keep(s, state, edge->from, TP_TERM_NONE);
  }
  if (edge->kind == TP_E_RETURN) (void)keep(s, state, edge->to, edge->a);
  return true;
}

void sightings_collect(const tp_program *p, tp_property asked, exact_limits limits, sightings *out,
                       exact_result *exact) {
  *out = (sightings){.p = p, .n_at = TP_NEW_ARRAY(uint32_t, p->locs.n)};
  tp_arena_init(&out->arena);
  tp_vec_push(&out->list, (sighting){0});
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = out, .edge = before_edge};
  limits.observer = &observer;
  exact_run(p, asked, limits, exact);
}

void sightings_clear(sightings *s) {
  for (size_t i = 1; i < s->list.n; i++) tp_state_free(s->list.at[i].state);
  tp_vec_clear(&s->list);
  tp_vec_clear(&s->entered);
  tp_free(s->n_at);
  tp_arena_clear(&s->arena);
}

// ------------------------------------------------------------------ holding against

typedef struct {
  const sightings *s;
  const tp_invariants *v;
} held;

typedef struct {
  tp_term var, value;
} replaced;

static tp_term replace(void *ctx, tp_term var) {
  const replaced *r = ctx;
  return tp_term_eq(var, r->var) ? r->value : TP_TERM_NONE;
}

typedef enum { HOLDS, FAILS, CANNOT_SAY } answer;

/* At an exit the result is what is about to be returned. */
static answer ask(const held *h, const sighting *at, tp_term formula) {
  tp_value v;
  tp_var result = tp_func_of(h->s->p, tp_loc_of(h->s->p, at->loc)->func)->result;
  replaced r = {result.id ? tp_var_of(h->s->p, result)->term : TP_TERM_NONE, at->result};
  if (tp_term_is(at->result) && tp_term_is(r.var))
    formula = tp_subst(h->s->p->terms, formula, replace, &r, NULL);
  if (tp_state_eval(at->state, formula, &v) != TP_OK) return CANNOT_SAY;
  return v.bits ? HOLDS : FAILS;
}

static tp_context find_context(const tp_contexts *cs, tp_context_info wanted) {
  for (uint32_t i = 1; i < cs->list.n; i++) {
    const tp_context_info *c = &cs->list.at[i];
    if (c->parent.id == wanted.parent.id && c->call.id == wanted.call.id &&
        c->func.id == wanted.func.id && c->contract == wanted.contract)
      return (tp_context){i};
  }
  return TP_CONTEXT_NONE;
}

static tp_func func_of_frame(const sighting *at, size_t i) { return at->state->frames.at[i].func; }
static bool has_contract(const held *h, tp_func f) {
  return tp_summaries_next(&h->v->contracts, f, 0) != 0;
}

static void explain(const held *h, const sighting *at, const char *what, uint32_t number,
                    tp_str *why) {
  tp_str state = {0};
  tp_state_write(at->state, &state);
  tp_str_printf(why, "%s %u is wrong at location %u of %s in\n%s", what, number, at->loc.id,
                tp_func_of(h->s->p, tp_loc_of(h->s->p, at->loc)->func)->name, tp_str_text(&state));
  tp_str_clear(&state);
}

/* The formulas at this place in the context that starts at frame `from`, under this contract (0:
 * main). */
static bool place_is_refuted(const held *h, const sighting *at, size_t from, uint32_t contract,
                             tp_str *why) {
  tp_context c = find_context(
      &h->v->contexts, (tp_context_info){.func = func_of_frame(at, from), .contract = contract});
  for (size_t i = from + 1; i < at->depth && c.id; i++)
    c = find_context(&h->v->contexts, (tp_context_info){.parent = c,
                                                        .call = at->state->frames.at[i].call,
                                                        .func = func_of_frame(at, i)});
  if (!c.id) return false;
  bool any = false;
  for (size_t i = 0; i < h->v->list.n; i++) {
    const tp_invariant *x = &h->v->list.at[i];
    if (x->context.id != c.id || x->loc.id != at->loc.id) continue;
    if (ask(h, at, x->formula) != FAILS) return false;
    any = true;
  }
  if (any) explain(h, at, "what holds in context", c.id, why);
  return any;
}

static bool is_refuted_by(const held *h, const sighting *at, tp_str *why) {
  const tp_summaries *contracts = &h->v->contracts;
  size_t from = at->depth;
  while (from > 0 && !has_contract(h, func_of_frame(at, from - 1))) from--;
  if (from == 0) return place_is_refuted(h, at, 0, 0, why);
  from--;
  tp_func f = func_of_frame(at, from);
  if (!at->entered[from]) return false;
  const sighting *entry = &h->s->list.at[at->entered[from]];
  bool any_pre = false, is_entry = entry == at,
       returns = from + 1 == at->depth && at->loc.id == tp_func_of(h->s->p, f)->exit.id;
  for (uint32_t k = 0; (k = tp_summaries_next(contracts, f, k)) != 0;) {
    answer pre = ask(h, entry, contracts->list.at[k].pre);
    if (pre != FAILS) any_pre = true;
    if (pre != HOLDS) continue;
    if (place_is_refuted(h, at, from, k, why)) return true;
    if (!returns || ask(h, at, contracts->list.at[k].post) != FAILS) continue;
    explain(h, at, "post", k, why);
    return true;
  }
  if (is_entry && !any_pre)
    explain(h, at, "every pre of the function with contract", tp_summaries_next(contracts, f, 0),
            why);
  return is_entry && !any_pre;
}

bool sightings_refute(const sightings *s, const tp_invariants *v, tp_str *why) {
  held h = {s, v};
  for (size_t i = 1; i < s->list.n; i++)
    if (is_refuted_by(&h, &s->list.at[i], why)) return true;
  return false;
}

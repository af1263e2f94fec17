/* Candidates are said of an object, or of any cell, and a solver is asked which of them follow: all
 * at once, and again without those that its model contradicts. */
#include "proof/heaps/cell_facts.h"

#include "proof/heaps/order_closure.h"

tp_cell_facts *tp_cell_facts_new(const tp_symheap_search *x, uint64_t rlimit, tp_stats *stats) {
  TP_REQUIRE(x);
  tp_cell_facts *c = TP_NEW(tp_cell_facts);
  c->x = x;
  c->is_tracked = TP_NEW_ARRAY(bool, x->p->vars.n);
  c->solver =
      tp_smt_new(x->tt, (tp_smt_options){.rlimit = rlimit, .trusts_models = true, .stats = stats});
  tp_cell_facts_find(c);
  return c;
}

void tp_cell_facts_free(tp_cell_facts *c) {
  if (!c) return;
  for (size_t k = 0; k < c->of_kind.n; k++) {
    tp_vec_clear(&c->of_kind.at[k]);
    tp_vec_clear(&c->stronger.at[k]);
  }
  tp_vec_clear(&c->of_kind);
  tp_vec_clear(&c->stronger);
  tp_vec_clear(&c->of_variables);
  tp_vec_clear(&c->values);
  tp_vec_clear(&c->orders);
  tp_free(c->is_tracked);
  tp_smt_free(c->solver);
  tp_free(c);
}

bool tp_cell_facts_is_empty(const tp_cell_facts *c) {
  for (size_t k = 1; k < c->of_kind.n; k++)
    if (c->of_kind.at[k].n) return false;
  return c->orders.n == 0;
}

// ---------------------------------------------------------------------- instances

typedef struct {
  tp_cell_facts *c;
  tp_symheap *s;               // values of variables; NULL: they stay
  const tp_symheap_object *o;  // values in the cell; NULL: they stay
  bool is_open;                // a variable has no value here: its function is not active
} instance;

static tp_term instance_of(void *ctx, tp_term symbol) {
  instance *x = ctx;
  const tp_symheap_search *search = x->c->x;
  for (size_t i = 0; x->o && i < x->c->values.n; i++) {
    const tp_cell_value *v = &x->c->values.at[i];
    if (!tp_term_eq(v->symbol, symbol)) continue;
    const tp_sort sort = tp_sort_of(search->tt, symbol);
    const tp_term value = tp_symheap_read(search, x->o, v->offset, sort);
    return tp_term_is(value) ? value : tp_symheap_symbol(search, sort);
  }
  const tp_var v = x->s ? tp_program_var_of(search->p, symbol) : TP_VAR_NONE;
  if (!v.id) return TP_TERM_NONE;
  x->is_open |= !tp_term_is(x->s->vars[v.id]);
  return x->s->vars[v.id];
}

/* Of variables without a value nothing holds. */
static tp_term say(instance x, tp_term t) {
  const tp_term out = tp_subst(x.c->x->tt, t, instance_of, &x, NULL);
  return x.is_open ? tp_mk_false(x.c->x->tt) : out;
}

/* The conjunction of those in the mask; where one of two holds, the other is not mentioned.
 * stronger: by number, those that imply it; NULL: none does. */
static tp_term all_of(const tp_cell_facts *c, const tp_cell_masks *stronger,
                      const tp_term_list *said, tp_cell_mask mask) {
  tp_terms *tt = c->x->tt;
  tp_term out = tp_mk_true(tt);
  for (size_t i = 0; i < said->n; i++)
    if ((mask >> i & 1) && !(stronger && (mask & stronger->at[i])))
      out = tp_mk_and(tt, out, said->at[i]);
  return out;
}

/* Those that the model does not contradict. */
static tp_cell_mask without_contradicted(tp_cell_facts *c, const tp_term_list *said,
                                         tp_cell_mask mask) {
  tp_cell_mask out = mask;
  tp_value value;
  for (size_t i = 0; i < said->n; i++)
    if ((mask >> i & 1) && tp_smt_value(c->solver, said->at[i], &value) && value.bits == 0)
      out &= ~((tp_cell_mask)1 << i);
  return out;
}

static bool follows(tp_cell_facts *c, tp_term t) {
  const tp_term contrary = tp_mk_not(c->x->tt, t);
  return tp_is_true(c->x->tt, t) ||
         (!tp_is_false(c->x->tt, t) && tp_smt_check(c->solver, &contrary, 1) == TP_SMT_UNSAT);
}

/* Each by itself: where a model says nothing. */
static tp_cell_mask each_that_follows(tp_cell_facts *c, const tp_term_list *said,
                                      tp_cell_mask mask) {
  for (size_t i = 0; i < said->n; i++)
    if ((mask >> i & 1) && !follows(c, said->at[i])) mask &= ~((tp_cell_mask)1 << i);
  return mask;
}

static tp_cell_mask bit(size_t i) { return (tp_cell_mask)1 << i; }

static tp_cell_mask all_candidates(const tp_cell_facts *c, uint32_t kind) {
  const size_t n = kind < c->of_kind.n ? c->of_kind.at[kind].n : 0;
  TP_INVARIANT(n <= 64);  // a bit for each
  return n == 64 ? TP_CELL_FACTS_ALL : bit(n) - 1;
}

static void note_known(void *ctx, tp_term symbol) { tp_map_set(ctx, symbol.id, 1); }

typedef struct {
  const tp_map *known;
  bool is_any;
} lookup;

static void look_up(void *ctx, tp_term symbol) {
  lookup *l = ctx;
  l->is_any |= tp_map_has(l->known, symbol.id);
}

/* Those that speak of what something is known of: of others none that is worth a question holds. */
static tp_cell_mask of_something_known(tp_cell_facts *c, const tp_symheap *s, tp_term where,
                                       const tp_term_list *said, tp_cell_mask mask) {
  tp_map known = {0};
  for (size_t i = 0; i < s->facts.n; i++) tp_for_vars(c->x->tt, s->facts.at[i], note_known, &known);
  if (tp_term_is(where)) tp_for_vars(c->x->tt, where, note_known, &known);
  for (size_t i = 0; i < said->n; i++) {
    lookup l = {&known, tp_is_true(c->x->tt, said->at[i])};
    if (mask & bit(i)) tp_for_vars(c->x->tt, said->at[i], look_up, &l);
    if (!l.is_any) mask &= ~bit(i);
  }
  tp_map_clear(&known);
  return mask;
}

/* Orders follow by transitivity, or do not: a solver is asked about the others. sure: those that
 * follow; what is left is open. */
static tp_cell_mask without_decided(tp_cell_facts *c, const tp_symheap *s, tp_term where,
                                    const tp_term_list *said, tp_cell_mask mask,
                                    tp_cell_mask *sure) {
  tp_order_closure orders;
  tp_order_closure_init(&orders, c->x->tt);
  for (size_t i = 0; i < s->facts.n; i++) tp_order_closure_assume(&orders, s->facts.at[i]);
  if (tp_term_is(where)) tp_order_closure_assume(&orders, where);
  for (size_t i = 0; i < said->n; i++) {
    if (!(mask & bit(i))) continue;
    const tp_order_answer answer = tp_order_closure_ask(&orders, said->at[i]);
    if (answer != TP_ORDER_OPEN) mask &= ~bit(i);
    if (answer == TP_ORDER_HOLDS) *sure |= bit(i);
  }
  tp_order_closure_clear(&orders);
  return mask;
}

/* Which of these follow from what was assumed, and from `where`? All at once: a model of the
 * contrary leaves some out. */
static tp_cell_mask holding(tp_cell_facts *c, const tp_symheap *s, const tp_cell_masks *stronger,
                            tp_term where, const tp_term_list *said, tp_cell_mask mask) {
  tp_terms *tt = c->x->tt;
  tp_cell_mask sure = 0;
  for (size_t i = 0; i < said->n; i++)
    if (tp_is_false(tt, said->at[i])) mask &= ~bit(i);
  mask = of_something_known(c, s, where, said, mask);
  mask = without_decided(c, s, where, said, mask, &sure);
  if (!mask) return sure;
  tp_smt_push(c->solver);
  for (size_t i = 0; i < s->facts.n; i++) tp_smt_assert(c->solver, s->facts.at[i]);
  if (tp_term_is(where)) tp_smt_assert(c->solver, where);
  while (mask) {
    const tp_term contrary = tp_mk_not(tt, all_of(c, stronger, said, mask));
    if (tp_is_false(tt, contrary)) break;
    const tp_smt_answer answer = tp_smt_check(c->solver, &contrary, 1);
    if (answer == TP_SMT_UNSAT) break;
    const tp_cell_mask left = answer == TP_SMT_SAT ? without_contradicted(c, said, mask) : mask;
    if (left == mask) {
      mask = each_that_follows(c, said, mask);
      break;
    }
    mask = left;
  }
  tp_smt_pop(c->solver);
  return mask | sure;
}

tp_cell_mask tp_cell_facts_that_follow(tp_cell_facts *c, const tp_symheap *s, tp_term given,
                                       const tp_term_list *said, tp_cell_mask mask) {
  TP_REQUIRE(c && s && said);
  return holding(c, s, NULL, given, said, mask);
}

static tp_term_list said_of_all(tp_cell_facts *c, uint32_t kind, instance x) {
  tp_term_list out = {0};
  for (size_t i = 0; kind < c->of_kind.n && i < c->of_kind.at[kind].n; i++)
    tp_vec_push(&out, say(x, c->of_kind.at[kind].at[i]));
  return out;
}

tp_cell_mask tp_cell_facts_of_object(tp_cell_facts *c, tp_symheap *s, const tp_symheap_object *o,
                                     uint32_t kind, tp_cell_mask among) {
  among &= all_candidates(c, kind);
  if (!among) return 0;
  tp_term_list said = said_of_all(c, kind, (instance){.c = c, .s = s, .o = o});
  const tp_cell_mask out = holding(c, s, &c->stronger.at[kind], TP_TERM_NONE, &said, among);
  tp_vec_clear(&said);
  return out;
}

/* What is said of the part holds; a solver is asked where variables may have changed since. */
tp_cell_mask tp_cell_facts_of_part(tp_cell_facts *c, tp_symheap *s, const tp_symheap_part *part,
                                   tp_cell_mask among) {
  const uint32_t kind = part->kind;
  among &= all_candidates(c, kind);
  if (!among || !tp_term_is(part->where)) return 0;
  const tp_cell_mask asked = c->of_variables.at[kind];
  tp_cell_mask out = part->holds & among & ~asked;
  if (asked & among) {
    tp_term_list said = said_of_all(c, kind, (instance){.c = c, .s = s});
    out |= holding(c, s, &c->stronger.at[kind], part->where, &said, asked & among);
    tp_vec_clear(&said);
  }
  return out;
}

tp_cell_mask tp_cell_facts_of_variables(tp_cell_facts *c, tp_symheap *s, tp_cell_mask among) {
  among &= all_candidates(c, 0);
  if (!among) return 0;
  tp_term_list said = said_of_all(c, 0, (instance){.c = c, .s = s});
  const tp_cell_mask out = holding(c, s, &c->stronger.at[0], TP_TERM_NONE, &said, among);
  tp_vec_clear(&said);
  return out;
}

tp_term tp_cell_facts_where(tp_cell_facts *c, tp_symheap *s, uint32_t kind, tp_cell_mask mask) {
  tp_term_list said = {0};
  if (!mask) return TP_TERM_NONE;
  for (size_t i = 0; i < c->of_kind.at[kind].n; i++)
    tp_vec_push(&said, say((instance){.c = c, .s = s}, c->of_kind.at[kind].at[i]));
  const tp_term out = all_of(c, &c->stronger.at[kind], &said, mask);
  tp_vec_clear(&said);
  return out;
}

tp_term tp_cell_facts_said_of(tp_cell_facts *c, tp_symheap_object *o, tp_term where) {
  const tp_terms *tt = c->x->tt;
  for (size_t i = 0; i < c->values.n; i++) {
    const tp_cell_value *v = &c->values.at[i];
    const tp_sort sort = tp_sort_of(tt, v->symbol);
    if (tp_occurs(tt, v->symbol, where) && !tp_term_is(tp_symheap_read(c->x, o, v->offset, sort)))
      tp_symheap_write(c->x, o, v->offset, tp_symheap_symbol(c->x, sort));
  }
  return say((instance){.c = c, .o = o}, where);
}

bool tp_cell_facts_is_impossible(tp_cell_facts *c, const tp_symheap *s) {
  if (s->facts.n == 0) return false;
  tp_order_closure orders;
  tp_order_closure_init(&orders, c->x->tt);
  for (size_t i = 0; i < s->facts.n; i++) tp_order_closure_assume(&orders, s->facts.at[i]);
  const tp_order_answer answer = tp_order_closure_is_contradiction(&orders);
  tp_order_closure_clear(&orders);
  if (answer != TP_ORDER_OPEN) return answer == TP_ORDER_HOLDS;
  tp_smt_push(c->solver);
  for (size_t i = 0; i < s->facts.n; i++) tp_smt_assert(c->solver, s->facts.at[i]);
  const bool is = tp_smt_check(c->solver, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_pop(c->solver);
  return is;
}

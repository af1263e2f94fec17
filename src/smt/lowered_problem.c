/* The lowered problem with a trail: what a frame visited is forgotten when the frame is popped.
 *
 * A lowered term is visited once. Its helper variables bring their defining facts, which are
 * visited in turn; the loop ends because helpers of a fact belong to smaller original terms. */
#include "smt/lowered_problem.h"

#include "smt/backend.h"

void tp_problem_init(tp_problem *p, tp_terms *tt) {
  *p = (tp_problem){.tt = tt, .lower = tp_lower_new(tt), .theories = TP_THEORY_BV};
}

void tp_problem_clear(tp_problem *p) {
  tp_lower_free(p->lower);
  tp_vec_clear(&p->facts);
  tp_vec_clear(&p->vars);
  tp_vec_clear(&p->frames);
  tp_vec_clear(&p->starts);
  tp_vec_clear(&p->visited);
  tp_vec_clear(&p->trail);
  tp_vec_clear(&p->todo);
}

void tp_problem_push(tp_problem *p) {
  tp_vec_push(&p->frames, (tp_problem_frame){.facts = p->facts.n,
                                             .vars = p->vars.n,
                                             .trail = p->trail.n,
                                             .linked = p->linked,
                                             .theories = p->theories});
  tp_vec_push(&p->starts, p->facts.n);
}

static bool is_visited(const tp_problem *p, tp_term t) {
  return t.id < p->visited.n && p->visited.at[t.id];
}

void tp_problem_pop(tp_problem *p) {
  TP_REQUIRE(p->frames.n > 0 && p->starts.n == p->frames.n);
  tp_problem_frame f = tp_vec_pop(&p->frames);
  TP_INVARIANT(f.facts <= p->facts.n && f.vars <= p->vars.n && f.trail <= p->trail.n);
  p->starts.n--;
  p->facts.n = f.facts;
  p->vars.n = f.vars;
  while (p->trail.n > f.trail) p->visited.at[tp_vec_pop(&p->trail).id] = 0;
  p->linked = f.linked;
  p->theories = f.theories;
  p->n_pops++;
  // A term that stayed visited would not bring its variables and facts again. Looked at after 1, 2,
  // 4, ... pops, then after every 256, so that it costs nothing beside a query.
  TP_INVARIANT(((p->n_pops & (p->n_pops - 1)) && p->n_pops % 256) || tp_problem_check(p));
}

bool tp_problem_check(const tp_problem *p) {
  size_t n = 0;
  for (size_t i = 0; i < p->visited.n; i++) n += p->visited.at[i] != 0;
  bool ok = n == p->trail.n && p->starts.n == p->frames.n;
  for (size_t i = 0; i < p->trail.n && ok; i++) ok = is_visited(p, p->trail.at[i]);
  for (size_t i = 0; i < p->vars.n && ok; i++) ok = is_visited(p, p->vars.at[i]);
  for (size_t i = 1; i < p->frames.n && ok; i++)
    ok = p->frames.at[i - 1].facts <= p->frames.at[i].facts &&
         p->frames.at[i - 1].trail <= p->frames.at[i].trail;
  return ok;
}

static unsigned theory_of_sort(const tp_terms *tt, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_FP: return TP_THEORY_FP;
    case TP_SORT_INT: return TP_THEORY_INT;
    case TP_SORT_ARRAY:
      return TP_THEORY_ARRAY | theory_of_sort(tt, tp_sort_index(tt, s)) |
             theory_of_sort(tt, tp_sort_element(tt, s));
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_PTR: break;
  }
  return TP_THEORY_BV;
}

/* Visit what is new in a lowered term; helper variables bring their facts, which are visited too.
 */
static void visit(tp_problem *p, tp_term t) {
  tp_vec_push(&p->todo, t);
  while (p->todo.n) {
    tp_term top = tp_vec_pop(&p->todo);
    if (is_visited(p, top)) continue;
    if (top.id >= p->visited.n) tp_vec_resize(&p->visited, tp_terms_count(p->tt) + 1);
    p->visited.at[top.id] = 1;
    tp_vec_push(&p->trail, top);
    tp_term_kind k = tp_kind(p->tt, top);
    p->theories |= theory_of_sort(p->tt, tp_sort_of(p->tt, top));
    if (k == TP_OP_FORALL || k == TP_OP_EXISTS) p->theories |= TP_THEORY_QUANTIFIER;
    for (uint32_t i = 0; i < tp_n_args(p->tt, top); i++)
      tp_vec_push(&p->todo, tp_arg(p->tt, top, i));
    if (k != TP_OP_VAR) continue;
    tp_vec_push(&p->vars, top);
    tp_term fact = tp_lower_fact(p->lower, top);
    if (!tp_term_is(fact)) continue;
    tp_vec_push(&p->facts, fact);
    tp_vec_push(&p->todo, fact);
  }
}

/* Where the base array occurs, the bases of constant objects are its elements. */
static void link_bases(tp_problem *p) {
  tp_term array = tp_lower_base_array(p->lower);
  if (!tp_term_is(array) || !is_visited(p, array)) return;
  for (; p->linked < tp_lower_n_bases(p->lower); p->linked++) {
    tp_term link = tp_lower_base_link(p->lower, p->linked);
    tp_vec_push(&p->facts, link);
    visit(p, link);
  }
}

bool tp_problem_add_assumption(tp_problem *p, tp_term assumption, tp_term *lowered) {
  if (!tp_lower_term(p->lower, assumption, lowered)) return !(p->left_out = true);
  visit(p, *lowered);
  link_bases(p);
  return true;
}

bool tp_problem_add_fact(tp_problem *p, tp_term fact) {
  tp_term lowered;
  if (!tp_lower_term(p->lower, fact, &lowered)) return !(p->left_out = true);
  TP_INVARIANT(tp_sort_kind_of(p->tt, tp_sort_of(p->tt, lowered)) == TP_SORT_BOOL);
  tp_vec_push(&p->facts, lowered);
  visit(p, lowered);
  link_bases(p);
  return true;
}

/* Each lemma asks for a counterexample: elements that the statement speaks of become new addresses,
 * the negated statement a fact, and the search (shape_search.c) says that there is none. Of many
 * candidates each model refutes those that it violates, so that a few searches decide all. */
#include "certify/shapes/lemmas.h"

#include "certify/shapes/shape_search.h"

typedef struct {
  tp_chk_search *s;
  tp_chk_class_heap *h;
  tp_terms *tt;
} question;

/* The facts that were added contradict each other. Frees the search. */
static bool is_impossible(question *q) {
  TP_REQUIRE(q->s->effort == TP_CHK_BY_SKELETON);
  tp_chk_target_graphs none = {0};
  bool yes = tp_chk_search_run(q->s, &none) == TP_CHK_PROVED;
  tp_chk_search_free(q->s);
  return yes;
}

static void add(question *q, tp_term t) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(q->tt, t), tp_sort_bool(q->tt)));
  tp_chk_query_assert(q->s->q, t);
}
static tp_term no(question *q, tp_term t) { return tp_mk_not(q->tt, t); }
static int new_address(question *q) {
  return tp_chk_address_number(q->s, q->h, tp_chk_exec_nondet(q->s->g, tp_sort_ptr(q->tt)),
                               TP_CHK_BASE);
}

/* A cell, of which only what its fields hold matters. */
static int any_holder(question *q) {
  int i = new_address(q);
  q->h->addresses[i].is_holder = true;
  return i;
}

static question open_question(const tp_chk_step *step, tp_chk_effort effort) {
  question q = {.s = step->named ? tp_chk_search_about(step->g, step->number, step->named, effort)
                                 : tp_chk_search_new(step->g, 0, effort),
                .tt = step->g->tt};
  TP_REQUIRE(step->number && step->number < q.s->n_heaps);
  q.h = &q.s->heaps[step->number];
  return q;
}

/* A search with the values of pointers at the start as addresses. */
static question open_step(const tp_chk_step *step, tp_chk_effort effort) {
  question q = open_question(step, effort);
  for (uint32_t k = 1; k < q.h->c->predicates.n; k++) {
    if (q.h->c->predicates.at[k].kind != TP_CHK_P_POINTER || !q.h->readable[TP_CHK_PRE][k] ||
        (step->named && !step->named[k]))
      continue;
    tp_term at = tp_chk_variable_term(q.s, q.h->c->predicates.at[k].var, TP_CHK_PRE);
    if (!tp_is_const(q.tt, at)) (void)tp_chk_address_number(q.s, q.h, at, TP_CHK_BASE);
  }
  return q;
}

/* Any element at the end. */
static int any_element(question *q) {
  int i = new_address(q);
  add(q, tp_chk_is_element(q->s, q->h, i, any_holder(q), TP_CHK_POST));
  return i;
}

/* Address i was an element at the start; holder: of a field with this value, if no pointer had it.
 */
static tp_term was_element(question *q, int i, int holder) {
  return tp_chk_is_element(q->s, q->h, i, holder, TP_CHK_PRE);
}

/* Of others: their addresses are those that pointers lead to. */
static tp_term is_new_address(question *q, const tp_chk_step *step, int k, int i) {
  if (step->new_kind[k] == TP_CHK_NEW_OTHERS)
    return tp_chk_is_pointed_to(q->s, q->h, i, TP_CHK_POST);
  return tp_mk_eq(q->tt, tp_chk_address_term(q->h, i), step->new_at[k]);
}

static void add_is_old(question *q, const tp_chk_step *step, int i) {
  for (int k = 0; k < step->n_new; k++) {
    if (step->new_kind[k] == TP_CHK_NEW_MADE)
      add(q, no(q, is_new_address(q, step, k, i)));
    else
      add(q, tp_mk_implies(q->tt, is_new_address(q, step, k, i), was_element(q, i, any_holder(q))));
  }
}

/* Any element at the end that is not new. */
static int any_old_element(question *q, const tp_chk_step *step) {
  int i = any_element(q);
  add_is_old(q, step, i);
  return i;
}

/* Any element of the start; *is_element: it is one at the end. */
static int any_former_element(question *q, const tp_chk_step *step, tp_term *is_element) {
  int i = new_address(q);
  *is_element = tp_chk_is_element(q->s, q->h, i, any_holder(q), TP_CHK_POST);
  add(q, tp_mk_or(q->tt, *is_element, was_element(q, i, any_holder(q))));
  add_is_old(q, step, i);
  return i;
}

/* New element k, if it was no element at the start: no pointer and no field had its address. Of
 * others: one that is none of the new elements before. */
static int new_element(question *q, const tp_chk_step *step, int k) {
  TP_REQUIRE(k >= 0 && k < step->n_new);
  int i = step->new_kind[k] == TP_CHK_NEW_OTHERS
              ? new_address(q)
              : tp_chk_address_number(q->s, q->h, step->new_at[k], TP_CHK_BASE);
  if (step->new_kind[k] == TP_CHK_NEW_MADE) return i;
  if (step->new_kind[k] == TP_CHK_NEW_OTHERS) {
    add(q, is_new_address(q, step, k, i));
    add(q, no(q, tp_chk_is_cell(q->s, q->h, i, TP_CHK_PRE)));
    for (int j = 0; j < k; j++) add(q, no(q, is_new_address(q, step, j, i)));
  }
  q->h->addresses[i].is_unreached = true;
  add(q, no(q, tp_chk_is_pointed_to(q->s, q->h, i, TP_CHK_PRE)));
  for (uint32_t j = 0, n = q->h->n; j < n; j++) add(q, no(q, was_element(q, i, (int)j)));
  return i;
}

// --------------------------------------------------------------------- elements

static bool is_always_cell(const tp_chk_step *step, tp_term address, bool cell) {
  question q = open_step(step, TP_CHK_BY_SKELETON);
  int i = tp_chk_address_number(q.s, q.h, address, TP_CHK_BASE);
  tp_term t = tp_chk_is_cell(q.s, q.h, i, TP_CHK_POST);
  add(&q, cell ? no(&q, t) : t);
  return is_impossible(&q);
}

/* Every element at the end was one at the start, or is new. */
static bool are_all_known(const tp_chk_step *step) {
  question q = open_step(step, TP_CHK_BY_SKELETON);
  int i = any_element(&q);
  for (int k = 0; k < step->n_new; k++) add(&q, no(&q, is_new_address(&q, step, k, i)));
  for (uint32_t j = 0, n = q.h->n; j < n; j++) add(&q, no(&q, was_element(&q, i, (int)j)));
  return is_impossible(&q);
}

static void add_new(tp_chk_step *step, tp_term address, tp_chk_new_kind kind) {
  TP_REQUIRE(step->n_new < TP_CHK_MOST_NEW);
  step->new_at[step->n_new] = address;
  step->new_kind[step->n_new++] = kind;
}

bool tp_chk_lemma_new_elements(tp_chk_step *step) {
  const tp_chk_exec *g = step->g;
  tp_chk_epoch age = g->state.age;
  step->n_new = 0;
  if (!tp_term_eq(age.base, g->history.next) || age.made > 1) return false;
  if (age.made) {
    tp_term at =
        tp_mk_ptr(g->tt, tp_chk_history_next_object(&g->history, (tp_chk_epoch){age.base, 0}),
                  tp_mk_bv(g->tt, g->p->ptr_bits, 0));
    if (is_always_cell(step, at, true))
      add_new(step, at, TP_CHK_NEW_MADE);
    else if (!is_always_cell(step, at, false))
      return false;
  }
  if (are_all_known(step)) return true;
  const int n_made = step->n_new;
  add_new(step,
          tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0),
                    tp_mk_bv(g->tt, g->p->ptr_bits, TP_UNWRITTEN)),
          TP_CHK_NEW_UNWRITTEN);
  if (are_all_known(step)) return true;
  step->n_new = n_made;
  add_new(step, TP_TERM_NONE, TP_CHK_NEW_OTHERS);
  if (are_all_known(step)) return true;
  step->n_new = n_made;
  add_new(step,
          tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0),
                    tp_mk_bv(g->tt, g->p->ptr_bits, TP_UNWRITTEN)),
          TP_CHK_NEW_UNWRITTEN);
  add_new(step, TP_TERM_NONE, TP_CHK_NEW_OTHERS);
  return are_all_known(step);
}

// ----------------------------------------------------------------- many candidates

/* Which of the terms cannot hold? Each model shows which can; those are left out, until the others
 * cannot. Frees the search. */
static void find_impossible(question *q, const tp_term *terms, size_t n, bool *out) {
  TP_REQUIRE(terms && out);
  tp_chk_target_graphs none = {0};
  size_t left = n, before;
  bool done = false;
  for (size_t i = 0; i < n; i++) out[i] = true;
  do {
    tp_term any = tp_mk_false(q->tt);
    before = left;
    for (size_t i = 0; i < n; i++)
      if (out[i]) any = tp_mk_or(q->tt, any, terms[i]);
    add(q, any);
    done = tp_chk_search_run(q->s, &none) == TP_CHK_PROVED;
    for (size_t i = 0; i < n && !done; i++)
      if (out[i] && tp_chk_query_holds(q->s->q, terms[i])) left--, out[i] = false;
  } while (!done && left && left < before);
  for (size_t i = 0; i < n && !done; i++) out[i] = false;
  tp_chk_search_free(q->s);
}

// ---------------------------------------------------------------------- updates

/* The formula was 1 and the value is 0 now, or the reverse. */
static tp_term difference(question *q, const tp_chk_formula *f, const int *env, tp_term now) {
  tp_term least = tp_chk_formula_term(q->s, q->h, f, TP_CHK_PRE, env, false),
          most = tp_chk_formula_term(q->s, q->h, f, TP_CHK_PRE, env, true);
  return tp_mk_or(q->tt, tp_mk_and(q->tt, least, no(q, now)), tp_mk_and(q->tt, now, no(q, most)));
}

/* Proved candidates of elements i (and j); is_element: they are elements at the end, which is not
 * presumed of pointers' predicates: what a pointer leads to is an element. env: the variables. */
static void find_true(question *q, const tp_chk_candidate_update *candidates, size_t n,
                      const int *env, int i, int j, tp_term is_element, bool *out) {
  tp_term *terms = TP_NEW_ARRAY(tp_term, n + 1);
  for (size_t m = 0; m < n; m++) {
    const uint32_t k = candidates[m].predicate;
    terms[m] = difference(q, candidates[m].formula, env,
                          tp_chk_predicate_term(q->s, q->h, k, TP_CHK_POST, i, j));
    if (q->h->c->predicates.at[k].kind != TP_CHK_P_POINTER)
      terms[m] = tp_mk_and(q->tt, is_element, terms[m]);
  }
  find_impossible(q, terms, n, out);
  tp_free(terms);
}

void tp_chk_lemma_of_old(const tp_chk_step *step, uint32_t arity,
                         const tp_chk_candidate_update *candidates, size_t n, tp_chk_effort effort,
                         bool *out) {
  question q = open_step(step, effort);
  int env[TP_CHK_VARIABLES] = {0};
  tp_term is_element = tp_mk_true(q.tt);
  env[0] = arity == 2 ? any_old_element(&q, step) : any_former_element(&q, step, &is_element);
  env[1] = arity == 2 ? any_old_element(&q, step) : 0;
  find_true(&q, candidates, n, env, env[0], env[1], is_element, out);
}

void tp_chk_lemma_unchanged(const tp_chk_step *step, uint32_t arity, uint32_t *out) {
  question q = open_step(step, TP_CHK_BY_SKELETON);
  const tp_chk_class *c = q.h->c;
  int i = any_old_element(&q, step), j = arity == 2 ? any_old_element(&q, step) : 0;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (c->predicates.at[k].arity != arity || !q.h->readable[TP_CHK_POST][k]) continue;
    tp_term now = tp_chk_predicate_term(q.s, q.h, k, TP_CHK_POST, i, j);
    out[k] = 0;
    for (uint32_t m = 0; m < c->predicates.n && !out[k]; m++) {
      uint32_t at = m ? m : k;  // k itself first
      if (c->predicates.at[at].arity == arity && q.h->readable[TP_CHK_PRE][at] &&
          tp_term_eq(tp_chk_predicate_term(q.s, q.h, at, TP_CHK_PRE, i, j), now))
        out[k] = at;
    }
  }
  for (uint32_t k = 1; k < c->predicates.n && q.s->failed; k++)
    out[k] = 0;  // i and j stand for no elements: there are too many addresses
  tp_chk_search_free(q.s);
}

void tp_chk_lemma_of_new(const tp_chk_step *step, int a, int b,
                         const tp_chk_candidate_update *candidates, size_t n, tp_chk_effort effort,
                         bool *out) {
  question q = open_step(step, effort);
  int env[TP_CHK_VARIABLES] = {0};
  if (a == TP_CHK_ANY_OLD || b == TP_CHK_ANY_OLD) env[0] = any_old_element(&q, step);
  int i = a == TP_CHK_ANY_OLD ? env[0] : new_element(&q, step, a),
      j = b == TP_CHK_ANY_OLD                                ? env[0]
          : a == b && step->new_kind[a] != TP_CHK_NEW_OTHERS ? i
                                                             : new_element(&q, step, b);
  find_true(&q, candidates, n, env, i, j, tp_mk_true(q.tt), out);
}

// ------------------------------------------------------------------------ rules

/* Witnesses of a head "there is": the last elements on paths to the named ones. */
static void assert_last_steps(question *q, const tp_chk_rule *r, const int *env, uint32_t n_named) {
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++)
    for (uint32_t i = 0; i < n_named && (r->variables >> v & 1); i++)
      tp_chk_assert_last_steps(q->s, q->h, TP_CHK_POST, (int)i, env[v]);
}

/* The body holds; a new element is the witness of each "there is". */
static void add_body(question *q, const tp_chk_formula *f, const int *env) {
  int inner[TP_CHK_VARIABLES];
  if (f->kind == TP_CHK_F_AND) {
    add_body(q, f->kid[0], env);
    add_body(q, f->kid[1], env);
  } else if (f->kind == TP_CHK_F_EXISTS) {
    memcpy(inner, env, sizeof inner);
    inner[f->a] = any_element(q);
    add_body(q, f->kid[0], inner);
  } else {
    add(q, tp_chk_formula_term(q->s, q->h, f, TP_CHK_POST, env, false));
  }
}

bool tp_chk_lemma_rule(const tp_chk_step *step, const tp_chk_rule *r) {
  TP_REQUIRE(r->head && r->body);
  question q = open_question(step, TP_CHK_BY_SKELETON);
  int env[TP_CHK_VARIABLES] = {0};
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++)
    if (r->variables >> v & 1) env[v] = new_address(&q);
  add_body(&q, r->body, env);
  add(&q, no(&q, tp_chk_formula_term(q.s, q.h, r->head, TP_CHK_POST, env, false)));
  if (r->head->kind == TP_CHK_F_EXISTS) assert_last_steps(&q, r, env, q.h->n);
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++)
    if (r->variables >> v & 1)
      add(&q, tp_chk_is_element(q.s, q.h, env[v], any_holder(&q), TP_CHK_POST));
  return is_impossible(&q);
}

// ------------------------------------------------------------------------ states

static tp_term literal(question *q, tp_chk_pointer_literal l) {
  TP_REQUIRE(q->h->c->predicates.at[l.pointer].kind == TP_CHK_P_POINTER);
  const tp_chk_class *c = q->h->c;
  int i = tp_chk_address_number(
      q->s, q->h, tp_chk_variable_term(q->s, c->predicates.at[l.pointer].var, TP_CHK_PRE),
      TP_CHK_BASE);
  tp_term null = tp_chk_is_null(q->s, q->h, i), something = no(q, null), more = TP_TERM_NONE;
  switch (l.kind) {
    case TP_CHK_TARGET_NULL: return null;
    case TP_CHK_TARGET_NONNULL: return something;
    case TP_CHK_TARGET_VALUE:
      more = literal_of(q->s, tp_chk_predicate_term(q->s, q->h, l.k, TP_CHK_PRE, i, 0), l.value);
      break;
    case TP_CHK_TARGET_LIVE: more = tp_chk_is_live_cell(q->s, q->h, i, TP_CHK_PRE); break;
    case TP_CHK_TARGET_FIELD: {
      int to =
          tp_chk_field_number(q->s, q->h, i, TP_CHK_PRE, c->predicates.at[l.k].field, TP_CHK_BASE);
      more = tp_mk_implies(q->tt, tp_chk_is_live_cell(q->s, q->h, i, TP_CHK_PRE),
                           tp_mk_or(q->tt, tp_chk_is_null(q->s, q->h, to),
                                    tp_chk_is_cell(q->s, q->h, to, TP_CHK_PRE)));
      break;
    }
  }
  return tp_mk_and(q->tt, something, more);
}

void tp_chk_lemma_excluding(const tp_chk_step *step, const tp_chk_pointer_literal *literals,
                            size_t n, const tp_term *goals, size_t n_goals, bool *out) {
  question q = open_step(step, TP_CHK_BY_SKELETON);
  tp_term *terms = TP_NEW_ARRAY(tp_term, n + 1);
  tp_chk_add_goal_addresses(q.s, goals, n_goals);
  for (size_t i = 0; i < n_goals; i++) add(&q, no(&q, goals[i]));
  for (size_t i = 0; i < n; i++) terms[i] = literal(&q, literals[i]);
  find_impossible(&q, terms, n, out);
  tp_free(terms);
}

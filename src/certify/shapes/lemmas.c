#include "certify/shapes/lemmas.h"

#include "certify/shapes/shape_priv.h"

typedef struct {
  tp_csearch *s;
  tp_cs_heap *h;
  tp_terms *tt;
} question;

/* What was added cannot be. */
static bool is_impossible(question *q) {
  tp_cs_targets none = {0};
  bool yes = tp_cs_search(q->s, &none) == TP_CHK_PROVED;
  tp_cs_search_free(q->s);
  return yes;
}

static void add(question *q, tp_term t) { tp_chk_query_assert(q->s->q, t); }
static tp_term no(question *q, tp_term t) { return tp_mk_not(q->tt, t); }
static int fresh_place(question *q) {
  return tp_cs_place_of(q->s, q->h, tp_chk_exec_nondet(q->s->g, tp_sort_ptr(q->tt)), TP_CS_BASE);
}

static question open_question(const tp_cstep *step) {
  question q = {.s = tp_cs_search_new(step->g, 0), .tt = step->g->tt};
  q.h = &q.s->heaps[step->number];
  q.s->only_sketches = true;
  return q;
}

/* ... with places for what pointers lead to at the start. */
static question open_step(const tp_cstep *step) {
  question q = open_question(step);
  for (uint32_t k = 1; k < q.h->c->predicates.n; k++) {
    if (q.h->c->predicates.at[k].kind != TP_CP_POINTER || !q.h->readable[TP_CS_BEFORE][k]) continue;
    tp_term at = tp_cs_value(q.s, q.h->c->predicates.at[k].var, TP_CS_BEFORE);
    if (!tp_is_const(q.tt, at)) (void)tp_cs_place_of(q.s, q.h, at, TP_CS_BASE);
  }
  return q;
}

/* Any element that is here. */
static int any_element(question *q) {
  int i = fresh_place(q), holder = fresh_place(q);
  add(q, tp_cs_is_element_here(q->s, q->h, i, holder));
  return i;
}

/* It was an element at the start; holder: of a field that held it, if nothing else did. */
static tp_term was_element(question *q, int i, int holder) {
  tp_term any = tp_mk_or(q->tt, tp_cs_cell(q->s, q->h, i, TP_CS_BEFORE),
                         tp_cs_is_held(q->s, q->h, i, TP_CS_BEFORE));
  for (uint32_t f = 0; f < q->h->c->offsets.n; f++) {
    tp_term leads = tp_mk_and(
        q->tt, tp_cs_leads(q->s, q->h, holder, TP_CS_BEFORE),
        tp_mk_eq(q->tt, tp_cs_field(q->s, q->h, holder, TP_CS_BEFORE, f), tp_cs_at(q->h, i)));
    any = tp_mk_or(q->tt, any, tp_mk_and(q->tt, leads, no(q, tp_cs_is_null(q->s, q->h, i))));
  }
  return any;
}

static tp_term is_fresh_address(question *q, const tp_cstep *step, int k, int i) {
  return tp_mk_eq(q->tt, tp_cs_at(q->h, i), step->fresh[k]);
}

static void add_is_old(question *q, const tp_cstep *step, int i) {
  for (int k = 0; k < step->n_fresh; k++) {
    if (step->is_made[k])
      add(q, no(q, is_fresh_address(q, step, k, i)));
    else
      add(q,
          tp_mk_implies(q->tt, is_fresh_address(q, step, k, i), was_element(q, i, fresh_place(q))));
  }
}

/* Any element that is here and was at the start. */
static int any_old_element(question *q, const tp_cstep *step) {
  int i = any_element(q);
  add_is_old(q, step, i);
  return i;
}

/* Any element of the start; here: it is one still. */
static int any_former_element(question *q, const tp_cstep *step, tp_term *here) {
  int i = fresh_place(q);
  *here = tp_cs_is_element_here(q->s, q->h, i, fresh_place(q));
  add(q, tp_mk_or(q->tt, *here, was_element(q, i, fresh_place(q))));
  add_is_old(q, step, i);
  return i;
}

/* Fresh element k, if it was no element at the start: nothing held it. */
static int fresh_element(question *q, const tp_cstep *step, int k) {
  int i = tp_cs_place_of(q->s, q->h, step->fresh[k], TP_CS_BASE);
  if (step->is_made[k]) return i;
  add(q, no(q, tp_cs_is_held(q->s, q->h, i, TP_CS_BEFORE)));
  for (uint32_t j = 0, n = q->h->n; j < n; j++) add(q, no(q, was_element(q, i, (int)j)));
  return i;
}

// --------------------------------------------------------------------- elements

static bool is_always_cell(const tp_cstep *step, tp_term address, bool cell) {
  question q = open_step(step);
  int i = tp_cs_place_of(q.s, q.h, address, TP_CS_BASE);
  tp_term t = tp_cs_cell(q.s, q.h, i, TP_CS_AFTER);
  add(&q, cell ? no(&q, t) : t);
  return is_impossible(&q);
}

/* Every element that is here was one at the start, or is fresh. */
static bool are_all_known(const tp_cstep *step) {
  question q = open_step(step);
  int i = any_element(&q);
  for (int k = 0; k < step->n_fresh; k++) add(&q, no(&q, is_fresh_address(&q, step, k, i)));
  for (uint32_t j = 0, n = q.h->n; j < n; j++) add(&q, no(&q, was_element(&q, i, (int)j)));
  return is_impossible(&q);
}

static void add_fresh(tp_cstep *step, tp_term address, bool is_made) {
  step->fresh[step->n_fresh] = address;
  step->is_made[step->n_fresh++] = is_made;
}

bool tp_clemma_see_fresh(tp_cstep *step) {
  const tp_chk_exec *g = step->g;
  tp_chk_epoch age = g->state.age;
  step->n_fresh = 0;
  if (!tp_term_eq(age.base, g->history.next) || age.made > 1) return false;
  if (age.made) {
    tp_term at =
        tp_mk_ptr(g->tt, tp_chk_history_next_object(&g->history, (tp_chk_epoch){age.base, 0}),
                  tp_mk_bv(g->tt, g->p->ptr_bits, 0));
    if (is_always_cell(step, at, true))
      add_fresh(step, at, true);
    else if (!is_always_cell(step, at, false))
      return false;
  }
  if (are_all_known(step)) return true;
  add_fresh(step,
            tp_mk_ptr(g->tt, tp_mk_bv(g->tt, TP_OBJ_BITS, 0),
                      tp_mk_bv(g->tt, g->p->ptr_bits, TP_UNWRITTEN)),
            false);
  return are_all_known(step);
}

// ----------------------------------------------------------------- many candidates

/* Which of the terms cannot hold? As long as some can: it is possible, and so are those that hold,
 * too, in the state that was found. */
static void find_impossible(question *q, const tp_term *terms, size_t n, bool *out) {
  tp_cs_targets none = {0};
  size_t left = n, before;
  bool done = false;
  for (size_t i = 0; i < n; i++) out[i] = true;
  do {
    tp_term any = tp_mk_false(q->tt);
    before = left;
    for (size_t i = 0; i < n; i++)
      if (out[i]) any = tp_mk_or(q->tt, any, terms[i]);
    add(q, any);
    done = tp_cs_search(q->s, &none) == TP_CHK_PROVED;
    for (size_t i = 0; i < n && !done; i++)
      if (out[i] && tp_chk_query_holds(q->s->q, terms[i])) left--, out[i] = false;
  } while (!done && left && left < before);
  for (size_t i = 0; i < n && !done; i++) out[i] = false;
  tp_cs_search_free(q->s);
}

// ---------------------------------------------------------------------- updates

/* The formula was 1 and the value is 0 now, or the other way round. */
static tp_term difference(question *q, const tp_cformula *f, const int *env, tp_term now) {
  tp_term least = tp_cs_formula(q->s, q->h, f, TP_CS_BEFORE, env, false),
          most = tp_cs_formula(q->s, q->h, f, TP_CS_BEFORE, env, true);
  return tp_mk_or(q->tt, tp_mk_and(q->tt, least, no(q, now)), tp_mk_and(q->tt, now, no(q, most)));
}

/* Of elements i (and j) now; here: they are elements still. If a pointer leads to one, it is: so
 * that is not presumed. env: what variables are. */
static void find_true(question *q, const tp_cguess *guesses, size_t n, const int *env, int i, int j,
                      tp_term here, bool *out) {
  tp_term *terms = TP_NEW_ARRAY(tp_term, n + 1);
  for (size_t m = 0; m < n; m++) {
    const uint32_t k = guesses[m].predicate;
    terms[m] =
        difference(q, guesses[m].formula, env, tp_cs_predicate(q->s, q->h, k, TP_CS_AFTER, i, j));
    if (q->h->c->predicates.at[k].kind != TP_CP_POINTER)
      terms[m] = tp_mk_and(q->tt, here, terms[m]);
  }
  find_impossible(q, terms, n, out);
  tp_free(terms);
}

static bool is_exact(tp_cdepth depth) { return depth == TP_CDEPTH_BITS; }

void tp_clemma_old(const tp_cstep *step, uint32_t arity, const tp_cguess *guesses, size_t n,
                   tp_cdepth depth, bool *out) {
  question q = open_step(step);
  int env[TP_CGRAPH_VARIABLES] = {0};
  tp_term here = tp_mk_true(q.tt);
  q.s->only_sketches = !is_exact(depth);
  env[0] = arity == 2 ? any_old_element(&q, step) : any_former_element(&q, step, &here);
  env[1] = arity == 2 ? any_old_element(&q, step) : 0;
  find_true(&q, guesses, n, env, env[0], env[1], here, out);
}

void tp_clemma_same(const tp_cstep *step, uint32_t arity, uint32_t *out) {
  question q = open_step(step);
  const tp_cclass *c = q.h->c;
  int i = any_old_element(&q, step), j = arity == 2 ? any_old_element(&q, step) : 0;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (c->predicates.at[k].arity != arity || !q.h->readable[TP_CS_AFTER][k]) continue;
    tp_term now = tp_cs_predicate(q.s, q.h, k, TP_CS_AFTER, i, j);
    out[k] = 0;
    for (uint32_t m = 0; m < c->predicates.n && !out[k]; m++) {
      uint32_t at = m ? m : k;  // k itself first
      if (c->predicates.at[at].arity == arity && q.h->readable[TP_CS_BEFORE][at] &&
          tp_term_eq(tp_cs_predicate(q.s, q.h, at, TP_CS_BEFORE, i, j), now))
        out[k] = at;
    }
  }
  for (uint32_t k = 1; k < c->predicates.n && q.s->failed; k++)
    out[k] = 0;  // i and j are not any elements: there was no room
  tp_cs_search_free(q.s);
}

void tp_clemma_fresh(const tp_cstep *step, int a, int b, const tp_cguess *guesses, size_t n,
                     tp_cdepth depth, bool *out) {
  question q = open_step(step);
  int env[TP_CGRAPH_VARIABLES] = {0};
  q.s->only_sketches = !is_exact(depth);
  if (a == TP_OLD || b == TP_OLD) env[0] = any_old_element(&q, step);
  int i = a == TP_OLD ? env[0] : fresh_element(&q, step, a), j = b == TP_OLD ? env[0]
                                                                 : a == b
                                                                     ? i
                                                                     : fresh_element(&q, step, b);
  find_true(&q, guesses, n, env, i, j, tp_mk_true(q.tt), out);
}

// ------------------------------------------------------------------------ rules

/* "There is" something, the rule says: it is the last on a path, if it is anything. */
static void tell_last_steps(question *q, const tp_crule *r, const int *env, uint32_t n_named) {
  for (uint32_t v = 0; v < TP_CGRAPH_VARIABLES; v++)
    for (uint32_t i = 0; i < n_named && (r->variables >> v & 1); i++)
      tp_cs_tell_last_steps(q->s, q->h, TP_CS_AFTER, (int)i, env[v]);
}

/* The body holds: where it says "there is", of some element that has no name yet. */
static void add_body(question *q, const tp_cformula *f, const int *env) {
  int inner[TP_CGRAPH_VARIABLES];
  if (f->kind == TP_CF_AND) {
    add_body(q, f->kid[0], env);
    add_body(q, f->kid[1], env);
  } else if (f->kind == TP_CF_SOME) {
    memcpy(inner, env, sizeof inner);
    inner[f->a] = any_element(q);
    add_body(q, f->kid[0], inner);
  } else {
    add(q, tp_cs_formula(q->s, q->h, f, TP_CS_AFTER, env, false));
  }
}

bool tp_clemma_rule(const tp_cstep *step, const tp_crule *r) {
  question q = open_question(step);
  int env[TP_CGRAPH_VARIABLES] = {0};
  for (uint32_t v = 0; v < TP_CGRAPH_VARIABLES; v++)
    if (r->variables >> v & 1) env[v] = fresh_place(&q);
  add_body(&q, r->body, env);
  add(&q, no(&q, tp_cs_formula(q.s, q.h, r->head, TP_CS_AFTER, env, false)));
  if (r->head->kind == TP_CF_SOME) tell_last_steps(&q, r, env, q.h->n);
  for (uint32_t v = 0; v < TP_CGRAPH_VARIABLES; v++)
    if (r->variables >> v & 1) add(&q, tp_cs_is_element_here(q.s, q.h, env[v], fresh_place(&q)));
  return is_impossible(&q);
}

// ------------------------------------------------------------------------ states

static tp_term literal(question *q, tp_cliteral l) {
  const tp_cclass *c = q->h->c;
  int i = tp_cs_place_of(
      q->s, q->h, tp_cs_value(q->s, c->predicates.at[l.pointer].var, TP_CS_BEFORE), TP_CS_BASE);
  tp_term null = tp_cs_is_null(q->s, q->h, i), something = no(q, null), more = TP_TERM_NONE;
  switch (l.kind) {
    case TP_CLIT_NULL: return null;
    case TP_CLIT_SOMETHING: return something;
    case TP_CLIT_VALUE:
      more = literal_of(q->s, tp_cs_predicate(q->s, q->h, l.k, TP_CS_BEFORE, i, 0), l.value);
      break;
    case TP_CLIT_LIVE: more = tp_cs_leads(q->s, q->h, i, TP_CS_BEFORE); break;
    case TP_CLIT_FIELD: {
      int to = tp_cs_next(q->s, q->h, i, TP_CS_BEFORE, c->predicates.at[l.k].field, TP_CS_BASE);
      more = tp_mk_implies(
          q->tt, tp_cs_leads(q->s, q->h, i, TP_CS_BEFORE),
          tp_mk_or(q->tt, tp_cs_is_null(q->s, q->h, to), tp_cs_cell(q->s, q->h, to, TP_CS_BEFORE)));
      break;
    }
  }
  return tp_mk_and(q->tt, something, more);
}

void tp_clemma_excluders(const tp_cstep *step, const tp_cliteral *literals, size_t n,
                         const tp_term *goals, size_t n_goals, bool *out) {
  question q = open_step(step);
  tp_term *terms = TP_NEW_ARRAY(tp_term, n + 1);
  tp_cs_add_goals(q.s, goals, n_goals);
  for (size_t i = 0; i < n_goals; i++) add(&q, no(&q, goals[i]));
  for (size_t i = 0; i < n; i++) terms[i] = literal(&q, literals[i]);
  find_impossible(&q, terms, n, out);
  tp_free(terms);
}

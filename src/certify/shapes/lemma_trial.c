/* A heap is a structure in which every node is one element and every value is definite: cells come
 * first, then two outside elements; the second one stands for memory that nobody has written. What
 * definitions say is evaluated, in their order. */
#include "certify/shapes/lemma_trial.h"

#include "certify/certify_limits.h"

enum { OUTSIDE_ELEMENTS = 2, NOWHERE = -1 };

typedef struct {
  const tp_chk_effect *e;
  tp_rng rng;
  uint32_t n_cells, n;
} maker;

static bool is_field(const tp_chk_class *c, uint32_t k, uint32_t f) {
  return c->predicates.at[k].kind == TP_CHK_P_FIELD && c->predicates.at[k].field == f;
}

static void set(tp_chk_structure *g, uint32_t k, uint32_t u, uint32_t v, bool value) {
  *tp_chk_structure_at(g, k, u, v) = value;
}

static int some_element(maker *m) { return (int)tp_rng_below(&m->rng, m->n + 1) + NOWHERE; }

/* Predicate k holds of one node, or of none. */
static void lead(tp_chk_structure *g, uint32_t k, int to) {
  for (uint32_t v = 0; v < g->n; v++) set(g, k, v, 0, (int)v == to);
}

static int target_of(const tp_chk_structure *g, uint32_t k) {
  for (uint32_t v = 0; v < g->n; v++)
    if (*tp_chk_structure_at(g, k, v, 0) == 1) return (int)v;
  return NOWHERE;
}

static void lead_field(tp_chk_structure *g, uint32_t f, uint32_t u, int to) {
  for (uint32_t k = 1; k < g->c->predicates.n; k++)
    for (uint32_t v = 0; v < g->n && is_field(g->c, k, f); v++) set(g, k, u, v, (int)v == to);
}

static int field_of(const tp_chk_structure *g, uint32_t f, uint32_t u) {
  for (uint32_t k = 1; k < g->c->predicates.n; k++)
    for (uint32_t v = 0; v < g->n && is_field(g->c, k, f); v++)
      if (*tp_chk_structure_at(g, k, u, v) == 1) return (int)v;
  return NOWHERE;
}

static void evaluate_definitions(tp_chk_structure *g) {
  for (uint32_t k = 1; k < g->c->predicates.n; k++) {
    const tp_chk_predicate *p = &g->c->predicates.at[k];
    for (uint32_t u = 0; u < g->n && p->kind == TP_CHK_P_DEFINED; u++)
      for (uint32_t v = 0; v < (p->arity == 2 ? g->n : 1); v++) {
        const uint8_t env[TP_CHK_VARIABLES] = {(uint8_t)u, (uint8_t)v};
        *tp_chk_structure_at(g, k, u, v) = tp_chk_structure_eval(g, p->definition, env);
      }
  }
}

static tp_chk_structure *heap_new(const tp_chk_class *c, uint32_t n) {
  tp_chk_structure *g = tp_chk_structure_new(c, n);
  for (uint32_t v = 0; v < n; v++) g->is_single[v] = g->is_inhabited[v] = true;
  return g;
}

static bool is_outside(const maker *m, uint32_t v) {
  return v >= m->n_cells && v < m->n_cells + OUTSIDE_ELEMENTS;
}

/* Cells, links and pointers at random: half of the links go on to the next cell. */
static tp_chk_structure *random_heap(maker *m) {
  const tp_chk_class *c = m->e->c;
  m->n_cells = 1 + (uint32_t)tp_rng_below(&m->rng, TP_CERTIFY_TRIAL_CELLS);
  m->n = m->n_cells + OUTSIDE_ELEMENTS;
  tp_chk_structure *g = heap_new(c, m->n);
  const uint32_t freed = tp_chk_class_find(c, TP_CHK_P_FREED);
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    const tp_chk_predicate *p = &c->predicates.at[k];
    if (p->kind == TP_CHK_P_POINTER) lead(g, k, some_element(m));
    for (uint32_t v = 0; v < m->n; v++) {
      if (p->kind == TP_CHK_P_FREED)
        set(g, k, v, 0, !is_outside(m, v) && tp_rng_below(&m->rng, 6) == 0);
      if (p->kind == TP_CHK_P_OUTSIDE) set(g, k, v, 0, is_outside(m, v));
      if (p->kind == TP_CHK_P_DATA) set(g, k, v, 0, tp_rng_below(&m->rng, 2));
    }
  }
  for (uint32_t f = 0; f < c->offsets.n; f++)
    for (uint32_t u = 0; u < m->n; u++) {
      bool is_live = u < m->n_cells && !(freed && *tp_chk_structure_at(g, freed, u, 0));
      int to = tp_rng_below(&m->rng, 2) ? (int)((u + 1) % m->n_cells) : some_element(m);
      lead_field(g, f, u, is_live ? to : NOWHERE);
    }
  return g;
}

/* Does the pointer lead to a live cell? */
static bool leads_to_cell(const maker *m, const tp_chk_structure *g, uint32_t pointer) {
  const uint32_t freed = tp_chk_class_find(g->c, TP_CHK_P_FREED);
  int v = target_of(g, pointer);
  return v >= 0 && (uint32_t)v < m->n_cells &&
         !(freed && *tp_chk_structure_at(g, freed, (uint32_t)v, 0));
}

static bool is_executable(const maker *m, const tp_chk_structure *g) {
  const tp_chk_effect *e = m->e;
  bool ok = true;
  for (uint32_t k = 1; k < g->c->predicates.n; k++)
    if (g->c->predicates.at[k].kind == TP_CHK_P_POINTER && e->pointers[k].kind == TP_CHK_FROM_FIELD)
      ok = ok && leads_to_cell(m, g, e->pointers[k].pointer);
  for (uint32_t i = 0; i < e->n_written; i++) {
    if (e->written[i].pointer) ok = ok && leads_to_cell(m, g, e->written[i].pointer);
    for (uint32_t f = 0; f < g->c->offsets.n; f++)
      if (e->written[i].fields[f].kind == TP_CHK_FROM_FIELD)
        ok = ok && leads_to_cell(m, g, e->written[i].fields[f].pointer);
  }
  return ok;
}

static int value_from(maker *m, const tp_chk_structure *before, tp_chk_origin o) {
  switch (o.kind) {
    case TP_CHK_FROM_POINTER: return target_of(before, o.pointer);
    case TP_CHK_FROM_FIELD:
      return field_of(before, o.field, (uint32_t)target_of(before, o.pointer));
    case TP_CHK_FROM_NEW: return (int)m->n;
    case TP_CHK_FROM_UNWRITTEN: return (int)m->n - 1;
    case TP_CHK_FROM_ANYWHERE: return some_element(m);
    case TP_CHK_FROM_NULL:
    case TP_CHK_FROM_NOWHERE: break;
  }
  return NOWHERE;
}

/* The made cell, if there is one, is the node behind the others. */
static tp_chk_structure *execute(maker *m, const tp_chk_structure *before, bool makes) {
  const tp_chk_effect *e = m->e;
  const tp_chk_class *c = e->c;
  tp_chk_structure *g = heap_new(c, m->n + makes);
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    const tp_chk_predicate *p = &c->predicates.at[k];
    for (uint32_t u = 0; u < g->n && p->kind != TP_CHK_P_DEFINED; u++)
      for (uint32_t v = 0; v < (p->arity == 2 ? g->n : 1); v++)
        *tp_chk_structure_at(g, k, u, v) =
            u < m->n && v < m->n ? *tp_chk_structure_at(before, k, u, v) : 0;
    if (p->kind == TP_CHK_P_POINTER && e->after[k])
      lead(g, k, value_from(m, before, e->pointers[k]));
  }
  for (uint32_t i = 0; i < e->n_written; i++) {
    const tp_chk_written_cell *w = &e->written[i];
    const uint32_t u = w->pointer ? (uint32_t)target_of(before, w->pointer) : m->n,
                   freed = tp_chk_class_find(c, TP_CHK_P_FREED);
    for (uint32_t f = 0; f < c->offsets.n; f++)
      lead_field(g, f, u, w->is_freed ? NOWHERE : value_from(m, before, w->fields[f]));
    if (freed && w->is_freed) set(g, freed, u, 0, true);
  }
  return g;
}

tp_chk_trial tp_chk_trial_new(const tp_chk_effect *e) {
  tp_chk_trial t = {0};
  maker m = {.e = e};
  tp_rng_init(&m.rng, 1);
  for (uint32_t i = 0; i < e->n_written; i++) t.makes = t.makes || !e->written[i].pointer;
  for (int i = 0; i < TP_CERTIFY_TRIAL_HEAPS; i++) {
    tp_chk_structure *before = random_heap(&m);
    if (!is_executable(&m, before)) {
      tp_chk_structure_free(before);
      continue;
    }
    tp_chk_trial_heap h = {before, execute(&m, before, t.makes)};
    evaluate_definitions(h.before);
    evaluate_definitions(h.behind);
    tp_vec_push(&t.heaps, h);
  }
  return t;
}

void tp_chk_trial_clear(tp_chk_trial *t) {
  for (size_t i = 0; i < t->heaps.n; i++) {
    tp_chk_structure_free(t->heaps.at[i].before);
    tp_chk_structure_free(t->heaps.at[i].behind);
  }
  tp_vec_clear(&t->heaps);
}

// ------------------------------------------------------------------------- trying

/* A cell, or an outside address to which a pointer or a field leads. */
static bool is_element(const tp_chk_structure *g, uint32_t v, uint32_t n_cells) {
  bool yes = v < n_cells;
  for (uint32_t k = 1; k < g->c->predicates.n && !yes; k++) {
    const tp_chk_predicate_kind kind = g->c->predicates.at[k].kind;
    for (uint32_t u = 0; u < g->n && kind == TP_CHK_P_FIELD && !yes; u++)
      yes = *tp_chk_structure_at(g, k, u, v) == 1;
    yes = yes || (kind == TP_CHK_P_POINTER && *tp_chk_structure_at(g, k, v, 0) == 1);
  }
  return yes;
}

/* Does a lemma about this kind of element (lemmas.h) speak of node v of `behind`? Old elements that
 * are none behind are left out: of most predicates nothing is claimed there. */
static bool is_meant(const tp_chk_trial_heap *h, tp_chk_trial_element kind, uint32_t v) {
  const uint32_t n = h->before->n, n_cells = n - OUTSIDE_ELEMENTS;
  switch (kind) {
    case TP_CHK_TRIAL_OLD:
      return v < n && is_element(h->before, v, n_cells) && is_element(h->behind, v, n_cells);
    case TP_CHK_TRIAL_MADE: return v == n;
    case TP_CHK_TRIAL_UNWRITTEN: return v + 1 == n && !is_element(h->before, v, n_cells);
  }
  return false;
}

static bool refutes(const tp_chk_trial_heap *h, tp_chk_trial_element x, tp_chk_trial_element y,
                    const tp_chk_candidate_update *candidate) {
  const bool is_binary = h->before->c->predicates.at[candidate->predicate].arity == 2;
  for (uint32_t a = 0; a < h->behind->n; a++)
    for (uint32_t b = 0; b < (is_binary ? h->behind->n : 1) && is_meant(h, x, a); b++) {
      if (is_binary && !is_meant(h, y, b)) continue;
      // Of a pair with a new element, variable 0 is the other element; of new ones there is none.
      const uint32_t first = x == TP_CHK_TRIAL_OLD   ? a
                             : y == TP_CHK_TRIAL_OLD ? b
                                                     : 0,
                     second = is_binary && y == TP_CHK_TRIAL_OLD ? b : 0;
      const uint8_t env[TP_CHK_VARIABLES] = {(uint8_t)first, (uint8_t)second};
      uint8_t now = *tp_chk_structure_at(h->behind, candidate->predicate, a, is_binary ? b : 0);
      uint8_t claimed = tp_chk_structure_eval(h->before, candidate->formula, env);
      if (now != TP_CHK_HALF && claimed != TP_CHK_HALF && now != claimed) return true;
    }
  return false;
}

bool tp_chk_trial_refutes(const tp_chk_trial *t, tp_chk_trial_element x, tp_chk_trial_element y,
                          const tp_chk_candidate_update *candidate) {
  for (size_t i = 0; i < t->heaps.n; i++)
    if (refutes(&t->heaps.at[i], x, y, candidate)) return true;
  return false;
}

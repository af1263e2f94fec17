/* Parts of a conjunction that share no variable are abstracted one by one: predicates are queried
 * with the part that mentions their variables only. */
#include "cpa/predicate/parts.h"

#include "cpa/cpa_limits.h"
#include "formula/eliminate.h"

// --------------------------------------------------------------- definitions

/* The term that the conjunct gives a constant, and which: u of u = 3, u and true of a condition u,
 * u and false of its negation. */
static tp_term given_by(tp_terms *tt, tp_term conjunct, tp_term *value) {
  tp_term_kind k = tp_kind(tt, conjunct);
  *value = tp_mk_bool(tt, k != TP_OP_NOT);
  if (k == TP_OP_NOT) return tp_arg(tt, conjunct, 0);
  for (uint32_t i = 0; i < 2 && k == TP_OP_EQ; i++) {
    *value = tp_arg(tt, conjunct, i);
    if (tp_is_const(tt, *value)) return tp_arg(tt, conjunct, 1 - i);
  }
  return *value = tp_mk_true(tt), conjunct;
}

/* Is the conjunct itself the definition? */
static bool is_source(tp_parts *p, tp_term t, tp_term value) {
  uint64_t known;
  return tp_map_get(&p->known, t.id, &known) && known == value.id;
}

static void find_definitions(tp_parts *p) {
  tp_map_clear(&p->known);
  for (size_t i = 0; i < p->conjuncts.n; i++) {
    tp_term value, t = given_by(p->paths->tt, p->conjuncts.at[i], &value);
    if (!tp_is_const(p->paths->tt, t) && !tp_map_has(&p->known, t.id))
      tp_map_set(&p->known, t.id, value.id);
  }
}

/* The conjunct with what the others say. Where a term is said to be a constant it stays; in a
 * condition only what is below it changes, so each conjunct rests on smaller terms. */
static tp_term substitute(tp_parts *p, tp_term conjunct) {
  tp_terms *tt = p->paths->tt;
  tp_term value, t = given_by(tt, conjunct, &value), args[3];
  bool is_equation = tp_kind(tt, conjunct) == TP_OP_EQ && !tp_term_eq(t, conjunct), changed = false;
  if (is_equation && is_source(p, t, value)) return conjunct;
  if (is_equation) t = conjunct;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
    args[i] = tp_replace_all(tt, tp_arg(tt, t, i), &p->known);
    changed |= !tp_term_eq(args[i], tp_arg(tt, t, i));
  }
  if (!changed) return conjunct;
  tp_term made = tp_remake(tt, t, args);
  return !is_equation && tp_is_false(tt, value) ? tp_mk_not(tt, made) : made;
}

static bool substitute_all(tp_parts *p) {
  TP_VEC(tp_term) old = {0};
  bool changed = false;
  for (size_t i = 0; i < p->conjuncts.n; i++) tp_vec_push(&old, p->conjuncts.at[i]);
  p->conjuncts.n = 0;
  for (size_t i = 0; i < old.n; i++) {
    tp_term now = substitute(p, old.at[i]);
    changed |= !tp_term_eq(now, old.at[i]);
    tp_conjuncts(p->paths->tt, now, &p->conjuncts);
  }
  tp_vec_clear(&old);
  return changed;
}

/* x = constant, and nothing else mentions x. */
static bool is_redundant(tp_parts *p, tp_term conjunct) {
  tp_term value, t = given_by(p->paths->tt, conjunct, &value);
  return p->is_settled && tp_kind(p->paths->tt, t) == TP_OP_VAR && is_source(p, t, value);
}

// ---------------------------------------------------------------------- groups

static uint32_t top_of(const tp_parts *p, uint32_t group) {
  while (p->joined.at[group] != group) group = p->joined.at[group];
  return group;
}

static uint32_t new_group(tp_parts *p) {
  uint32_t group = (uint32_t)p->joined.n;
  tp_vec_push(&p->joined, group);
  return group;
}

static void join(tp_parts *p, uint32_t a, uint32_t b) {
  a = top_of(p, a);
  b = top_of(p, b);
  if (a < b)
    p->joined.at[b] = a;
  else
    p->joined.at[a] = b;
}

/* What stands for a variable: itself, or for pointers and memory all of them. */
static uint32_t name_of(const tp_parts *p, tp_term var) {
  enum { POINTERS_AND_MEMORY = 0 };  // no term has this number
  tp_sort_kind kind = tp_sort_kind_of(p->paths->tt, tp_sort_of(p->paths->tt, var));
  return kind == TP_SORT_PTR || kind == TP_SORT_ARRAY || tp_term_eq(var, p->paths->next)
             ? POINTERS_AND_MEMORY
             : var.id;
}

typedef struct {
  tp_parts *p;
  uint32_t group;  // of the conjunct
} placing;

static void assign_group(void *ctx, tp_term var) {
  placing *c = ctx;
  uint32_t name = name_of(c->p, var);
  uint64_t known;
  if (tp_map_get(&c->p->group_of, name, &known))
    join(c->p, (uint32_t)known, c->group);
  else
    tp_map_set(&c->p->group_of, name, c->group);
}

// ----------------------------------------------------------------------- parts

static void find_parts(tp_parts *p) {
  tp_terms *tt = p->paths->tt;
  size_t n = 0;
  for (size_t i = 0; i < p->conjuncts.n; i++)
    if (!is_redundant(p, p->conjuncts.at[i])) p->conjuncts.at[n++] = p->conjuncts.at[i];
  p->conjuncts.n = n;
  for (size_t i = 0; i < n; i++) {
    tp_for_vars(tt, p->conjuncts.at[i], assign_group, &(placing){p, new_group(p)});
    tp_vec_push(&p->parts, tp_mk_true(tt));
  }
  for (uint32_t i = 0; i < n; i++) {
    tp_term *part = &p->parts.at[top_of(p, i)];
    *part = tp_mk_and(tt, *part, p->conjuncts.at[i]);
  }
}

void tp_parts_init(tp_parts *p, const tp_paths *paths, tp_term formula) {
  *p = (tp_parts){.paths = paths};
  tp_conjuncts(paths->tt, formula, &p->conjuncts);
  for (int round = 0; round < TP_CPA_PREDICATE_PART_ROUNDS && !p->is_settled; round++) {
    find_definitions(p);
    p->is_settled = !substitute_all(p);
  }
  if (!p->is_settled) find_definitions(p);
  find_parts(p);
}

tp_term tp_parts_meaning(tp_parts *p, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  return tp_replace_all(p->paths->tt, t, &p->known);
}

void tp_parts_clear(tp_parts *p) {
  tp_vec_clear(&p->conjuncts);
  tp_map_clear(&p->known);
  tp_map_clear(&p->group_of);
  tp_vec_clear(&p->joined);
  tp_vec_clear(&p->parts);
}

typedef struct {
  const tp_parts *p;
  bool *is_mentioned;  // by group
} gathering;

static void gather(void *ctx, tp_term var) {
  gathering *g = ctx;
  uint64_t group;
  if (tp_map_get(&g->p->group_of, name_of(g->p, var), &group))
    g->is_mentioned[top_of(g->p, (uint32_t)group)] = true;
}

tp_term tp_parts_about(const tp_parts *p, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  tp_term all = tp_mk_true(p->paths->tt);
  gathering g = {p, TP_NEW_ARRAY(bool, p->parts.n + 1)};
  tp_for_vars(p->paths->tt, t, gather, &g);
  for (size_t i = 0; i < p->parts.n; i++)
    if (g.is_mentioned[i]) all = tp_mk_and(p->paths->tt, all, p->parts.at[i]);
  tp_free(g.is_mentioned);
  return all;
}

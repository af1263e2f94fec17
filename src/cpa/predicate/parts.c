#include "cpa/predicate/parts.h"

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
  if (a < b) p->joined.at[b] = a;
  else p->joined.at[a] = b;
}

/* What stands for a variable: itself, or for pointers and memory all of them. */
static uint32_t name_of(const tp_parts *p, tp_term var) {
  enum { POINTERS_AND_MEMORY = 0 };          // no term has this number
  tp_sort_kind kind = tp_sort_kind_of(p->paths->tt, tp_sort_of(p->paths->tt, var));
  return kind == TP_SORT_PTR || kind == TP_SORT_ARRAY || tp_term_eq(var, p->paths->next) ? POINTERS_AND_MEMORY : var.id;
}

typedef struct {
  tp_parts *p;
  uint32_t group;              // of the conjunct
} placing;

static void place(void *ctx, tp_term var) {
  placing *c = ctx;
  uint32_t name = name_of(c->p, var);
  uint64_t known;
  if (tp_map_get(&c->p->group_of, name, &known)) join(c->p, (uint32_t)known, c->group);
  else tp_map_set(&c->p->group_of, name, c->group);
}

// ----------------------------------------------------------------------- parts

void tp_parts_init(tp_parts *p, const tp_paths *paths, tp_term formula) {
  tp_terms *tt = paths->tt;
  tp_term_list conjuncts = {0};              // by group, before groups are joined
  *p = (tp_parts){.paths = paths};
  tp_conjuncts(tt, formula, &conjuncts);
  for (size_t i = 0; i < conjuncts.n; i++) tp_for_vars(tt, conjuncts.at[i], place, &(placing){p, new_group(p)});
  for (size_t i = 0; i < conjuncts.n; i++) tp_vec_push(&p->parts, tp_mk_true(tt));
  for (uint32_t i = 0; i < conjuncts.n; i++) {
    tp_term *part = &p->parts.at[top_of(p, i)];
    *part = tp_mk_and(tt, *part, conjuncts.at[i]);
  }
  tp_vec_clear(&conjuncts);
}

void tp_parts_clear(tp_parts *p) {
  tp_map_clear(&p->group_of);
  tp_vec_clear(&p->joined);
  tp_vec_clear(&p->parts);
}

typedef struct {
  const tp_parts *p;
  bool *speaks;                // by group
} gathering;

static void gather(void *ctx, tp_term var) {
  gathering *g = ctx;
  uint64_t group;
  if (tp_map_get(&g->p->group_of, name_of(g->p, var), &group)) g->speaks[top_of(g->p, (uint32_t)group)] = true;
}

tp_term tp_parts_about(const tp_parts *p, tp_term t) {
  tp_term all = tp_mk_true(p->paths->tt);
  gathering g = {p, TP_NEW_ARRAY(bool, p->parts.n + 1)};
  tp_for_vars(p->paths->tt, t, gather, &g);
  for (size_t i = 0; i < p->parts.n; i++)
    if (g.speaks[i]) all = tp_mk_and(p->paths->tt, all, p->parts.at[i]);
  tp_free(g.speaks);
  return all;
}

/* Assignments to ghosts: into the source as calls, and back from calls to clauses. */
#include "contracts/spec/ghost_statements.h"

#include "base/files.h"

#include <stdlib.h>

static const char prefix[] = "__twoproof_ghost_";

// ------------------------------------------------------------------- in the source

static bool is_assignment(const tp_clause *c) {
  return c->kind == TP_CLAUSE_ASSIGN && c->subject.about == TP_SUBJECT_BODY;
}

static void add_declarations(const tp_clauses *c, size_t first, tp_str *out) {
  for (size_t i = first; i < c->all.n; i++)
    if (is_assignment(&c->all.at[i])) tp_str_printf(out, "void %s%zu(void); ", prefix, i);
}

bool tp_ghost_statements_insert(const tp_clauses *c, size_t first, const char *path,
                                const char *text, tp_str *out) {
  TP_REQUIRE(first <= c->all.n);
  const size_t n = strlen(text), before = out->n;
  size_t copied = 0;
  add_declarations(c, first, out);
  if (out->n == before) return false;
  tp_str_add(out, "\n# 1 \"");
  tp_str_add_c_text(out, path);
  tp_str_add(out, "\"\n");
  for (size_t i = first; i < c->all.n; i++) {  // in the order of reading, which is that of the text
    const tp_clause *clause = &c->all.at[i];
    if (!is_assignment(clause)) continue;
    TP_REQUIRE(clause->text_offset >= copied && clause->text_offset <= n);
    tp_str_add_n(out, text + copied, clause->text_offset - copied);
    copied = clause->text_offset;
    tp_str_printf(out, "%s%zu(); ", prefix, i);
  }
  tp_str_add_n(out, text + copied, n - copied);
  return true;
}

// ------------------------------------------------------------------- in the program

static bool number_of(const char *function, size_t *out) {
  const size_t n = sizeof prefix - 1;
  char *end;
  if (strncmp(function, prefix, n) != 0 || function[n] < '0' || function[n] > '9') return false;
  *out = strtoul(function + n, &end, 10);
  return *end == 0;
}

bool tp_is_ghost_statement(const char *function) {
  size_t number;
  return number_of(function, &number);
}

const tp_resolved_clause *tp_ghost_statement_of(const tp_contracts *m, const char *function) {
  size_t number;
  if (!number_of(function, &number) || number >= m->clauses->all.n) return NULL;
  for (size_t i = 0; i < m->all.n; i++)
    if (m->all.at[i].clause == &m->clauses->all.at[number]) return &m->all.at[i];
  return NULL;
}

// -------------------------------------------------------------------- in summaries

typedef struct {
  const tp_program *p;
  bool *changes;  // by function and clause
  size_t n_clauses;
} effects;

static bool add_effects(const effects *x, uint32_t to, uint32_t from) {
  bool is_new = false;
  for (size_t i = 0; i < x->n_clauses; i++) {
    bool *there = &x->changes[to * x->n_clauses + i];
    is_new = is_new || (x->changes[from * x->n_clauses + i] && !*there);
    *there = *there || x->changes[from * x->n_clauses + i];
  }
  return is_new;
}

/* One step of the closure: what edges call. A call through a pointer may lead to every function. */
static bool follow_calls(const effects *x) {
  bool is_new = false;
  for (uint32_t i = 1; i < x->p->edges.n; i++) {
    const tp_edge_info *e = &x->p->edges.at[i];
    const uint32_t f = tp_loc_of(x->p, e->from)->func.id;
    if (e->callee.id) is_new |= add_effects(x, f, e->callee.id);
    for (uint32_t g = 1; e->kind == TP_E_CALL && !e->callee.id && g < x->p->funcs.n; g++)
      is_new |= add_effects(x, f, g);
  }
  return is_new;
}

static void extend(const effects *x, const tp_clauses *with_ghosts, uint32_t f, tp_clauses *into,
                   tp_clause *modifies) {
  TP_VEC(const tp_spec_expr *) all = {0};
  for (uint32_t i = 0; i < modifies->n_targets; i++)
    if (modifies->targets[i]->kind != TP_SPEC_NONE) tp_vec_push(&all, modifies->targets[i]);
  const size_t before = all.n;
  for (size_t i = 0; i < x->n_clauses; i++) {
    if (!x->changes[f * x->n_clauses + i]) continue;
    const tp_spec_expr *target = with_ghosts->all.at[i].targets[0];
    while (target->kind == TP_SPEC_JOIN) target = target->kids[target->n_kids - 1];
    tp_vec_push(&all, target);
  }
  if (all.n > before) {
    const tp_spec_expr **own = tp_arena_array(&into->arena, const tp_spec_expr *, all.n);
    memcpy(own, all.at, all.n * sizeof *own);
    modifies->targets = own;
    modifies->n_targets = (uint32_t)all.n;
  }
  tp_vec_clear(&all);
}

void tp_ghost_statements_extend_frames(const tp_program *p, const tp_clauses *with_ghosts,
                                       tp_clauses *summaries) {
  effects x = {.p = p, .n_clauses = with_ghosts->all.n};
  size_t number;
  bool any = false;
  x.changes = TP_NEW_ARRAY(bool, p->funcs.n *x.n_clauses + 1);
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (number_of(p->funcs.at[f].name, &number) && number < x.n_clauses)
      any = x.changes[f * x.n_clauses + number] = true;
  while (any && follow_calls(&x)) continue;
  for (size_t i = 0; any && i < summaries->all.n; i++) {
    tp_clause *c = &summaries->all.at[i];
    if (c->kind != TP_CLAUSE_MODIFIES || !c->subject.name) continue;
    for (uint32_t f = 1; f < p->funcs.n; f++)
      if (strcmp(p->funcs.at[f].name, c->subject.name) == 0)
        extend(&x, with_ghosts, f, summaries, c);
  }
  tp_free(x.changes);
}

/* Which edges are goals: outcomes of conditions are ASSUME edges with a sibling; a statement is an
 * edge that is no ASSUME, by its line; a call is a CALL edge, or the input that stands for a
 * function without body. Texts come from the printer of edges. */
#include "program/goals.h"

#include "program/program_limits.h"

#include <stdlib.h>

static bool is_user_edge(const tp_program *p, const tp_edge_info *e) {
  if (!e->from.id || !tp_pos_known(e->pos)) return false;
  return !tp_func_of(p, tp_loc_of(p, e->from)->func)->is_model;
}

static bool is_outcome(const tp_program *p, const tp_edge_info *e) {
  return e->kind == TP_E_ASSUME && tp_out_edges(p, e->from).n > 1;
}

static bool is_statement(const tp_program *p, const tp_edge_info *e) {
  const bool is_named = e->name && strcmp(e->name, TP_LIFETIME_ENDS) == 0;
  return e->kind != TP_E_ASSUME && e->kind != TP_E_SKIP && e->kind != TP_E_END_SCOPE && !is_named &&
         tp_out_edges(p, e->from).n == 1;
}

static bool is_call_of(const tp_program *p, const tp_edge_info *e, const char *callee) {
  if (e->callee.id) return strcmp(tp_func_of(p, e->callee)->name, callee) == 0;
  return e->kind == TP_E_HAVOC && e->name && strcmp(e->name, callee) == 0;
}

/* The condition of "L1 -> L2: assume(C)". */
static const char *condition_text(const tp_program *p, tp_edge e, tp_arena *arena) {
  static const char open[] = "assume(";
  tp_str line = {0};
  tp_edge_print(p, e, &line);
  const char *from = strstr(tp_str_text(&line), open), *to = strrchr(tp_str_text(&line), ')');
  TP_INVARIANT(from && to && to > from + sizeof open - 1);
  const char *copy =
      tp_arena_strndup(arena, from + sizeof open - 1, (size_t)(to - from) - (sizeof open - 1));
  tp_str_clear(&line);
  return copy;
}

// ------------------------------------------------------------------ temporaries

/* The edge that sets a temporary, if it is the only one: by variable; 0: there is none, or
 * several. */
typedef struct {
  const tp_program *p;
  uint32_t *edge_of;
  bool *has_several;
  tp_arena *arena;
} definitions;

static definitions definitions_of(const tp_program *p, tp_arena *arena) {
  definitions d = {p, tp_arena_array(arena, uint32_t, p->vars.n),
                   tp_arena_array(arena, bool, p->vars.n), arena};
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const uint32_t v = p->edges.at[e].var.id;
    if (!v || p->vars.at[v].kind != TP_V_TEMP || d.has_several[v]) continue;
    d.has_several[v] = d.edge_of[v] != 0;
    d.edge_of[v] = d.has_several[v] ? 0 : e;
  }
  return d;
}

/* "f(n)" of "tmp4 = f(n)"; NULL: the edge has no such text. */
static const char *right_side(const definitions *d, uint32_t edge, const char *name) {
  static const char sets[] = " = ";
  tp_str line = {0};
  tp_edge_print(d->p, (tp_edge){edge}, &line);
  const char *from = tp_str_text(&line);
  const size_t n = strlen(name);
  const bool fits = strncmp(from, name, n) == 0 && strncmp(from + n, sets, sizeof sets - 1) == 0;
  const char *copy = fits ? tp_arena_strdup(d->arena, from + n + sizeof sets - 1) : NULL;
  tp_str_clear(&line);
  return copy;
}

typedef struct {
  const definitions *d;
  TP_VEC(uint32_t) found;  // variables
} temporary_search;

static void see_temporary(void *ctx, tp_term symbol) {
  temporary_search *s = ctx;
  uint64_t v = 0;
  if (tp_map_get(&s->d->p->var_of_term, symbol.id, &v) &&
      (s->d->edge_of[v] || s->d->has_several[v]))
    tp_vec_push(&s->found, (uint32_t)v);
}

static bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Has it no operator outside of brackets? */
static bool is_one_operand(const char *text) {
  int depth = 0;
  for (; *text; text++) {
    depth += *text == '(' || *text == '[';
    depth -= *text == ')' || *text == ']';
    if (depth == 0 && *text == ' ') return false;
  }
  return true;
}

/* The text with each occurrence of the name replaced, in parentheses where it is part of more. */
static const char *replaced(const definitions *d, const char *text, const char *name,
                            const char *by) {
  const size_t n = strlen(name);
  tp_str out = {0};
  const bool is_all = strcmp(text, name) == 0, is_plain = is_all || is_one_operand(by);
  for (const char *c = text; *c;) {
    const bool is_here = strncmp(c, name, n) == 0 && !is_name_character(c[n]) &&
                         (c == text || !is_name_character(c[-1]));
    if (is_here)
      tp_str_printf(&out, is_plain ? "%s" : "(%s)", by);
    else
      tp_str_add_char(&out, *c);
    c += is_here ? n : 1;
  }
  const char *kept = tp_arena_strdup(d->arena, tp_str_text(&out));
  tp_str_clear(&out);
  return kept;
}

/* Users know no temporaries: what they hold stands in their place, or "(...)" where that is of
 * several ways. */
static const char *without_temporaries(const definitions *d, tp_edge e, const char *text) {
  temporary_search s = {.d = d};
  tp_for_vars(d->p->terms, tp_edge_of(d->p, e)->a, see_temporary, &s);
  for (size_t i = 0; i < s.found.n && i < TP_PROGRAM_GOAL_TEMPORARIES; i++) {
    const tp_var_info *v = &d->p->vars.at[s.found.at[i]];
    const uint32_t edge = d->edge_of[s.found.at[i]];
    if (!edge) {
      text = replaced(d, text, v->name, "(...)");
      continue;
    }
    const tp_edge_info *by = &d->p->edges.at[edge];
    const char *right = right_side(d, edge, v->name);
    if (!right) continue;
    text = replaced(d, text, v->name, right);
    if (tp_term_is(by->a)) tp_for_vars(d->p->terms, by->a, see_temporary, &s);
    for (uint32_t k = 0; k < by->n_args; k++)
      tp_for_vars(d->p->terms, by->args[k], see_temporary, &s);
  }
  tp_vec_clear(&s.found);
  return text;
}

// ------------------------------------------------------------------------- goals

/* False: the edge is of no goal. */
static bool goal_of(const definitions *d, tp_edge e, tp_goal_cover cover, const char *callee,
                    tp_goal *out) {
  const tp_program *p = d->p;
  tp_arena *arena = d->arena;
  const tp_edge_info *info = tp_edge_of(p, e);
  if (!is_user_edge(p, info)) return false;
  *out = (tp_goal){.pos = info->pos, .func = tp_loc_of(p, info->from)->func};
  switch (cover) {
    case TP_COVER_BOUNDARIES:
    case TP_COVER_BRANCHES:
      if (!is_outcome(p, info)) return false;
      out->text = condition_text(p, e, arena);
      out->shown = without_temporaries(d, e, out->text);
      return true;
    case TP_COVER_STATEMENTS:
      if (!is_statement(p, info)) return false;
      out->pos.column = 0;
      out->text = out->shown = "statement";
      return true;
    case TP_COVER_CALLS:
      if (!is_call_of(p, info, callee)) return false;
      out->text = out->shown = tp_arena_printf(arena, "call of %s", callee);
      return true;
    case TP_COVER_RETURNS:
      if (info->kind != TP_E_RETURN || strcmp(tp_func_of(p, out->func)->name, callee) != 0)
        return false;
      out->text = out->shown = "return";
      return true;
  }
  return false;
}

static int compare_goals(const tp_goal *a, const tp_goal *b) {
  const uint32_t x[] = {a->func.id, a->pos.file, a->pos.line, a->pos.column},
                 y[] = {b->func.id, b->pos.file, b->pos.line, b->pos.column};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return strcmp(a->text, b->text);
}

typedef struct {
  tp_goal goal;
  uint32_t edge;
} found_goal;

static int by_goal(const void *a, const void *b) {
  const found_goal *x = a, *y = b;
  const int order = compare_goals(&x->goal, &y->goal);
  return order ? order : (x->edge > y->edge) - (x->edge < y->edge);
}

void tp_goals_init(tp_goals *g, const tp_program *p, tp_goal_cover cover, const char *callee) {
  TP_REQUIRE(g && p && ((cover != TP_COVER_CALLS && cover != TP_COVER_RETURNS) || callee));
  memset(g, 0, sizeof *g);
  g->n_edges = p->edges.n;
  g->of_edge = TP_NEW_ARRAY(uint32_t, p->edges.n + 1);
  TP_VEC(found_goal) found = {0};
  const definitions d = definitions_of(p, &g->arena);
  for (uint32_t e = 0; e < p->edges.n; e++) {
    tp_goal goal;
    g->of_edge[e] = UINT32_MAX;
    if (e && goal_of(&d, (tp_edge){e}, cover, callee, &goal))
      tp_vec_push(&found, (found_goal){goal, e});
  }
  if (found.n) qsort(found.at, found.n, sizeof *found.at, by_goal);
  for (size_t i = 0; i < found.n; i++) {
    const bool is_new = i == 0 || compare_goals(&found.at[i - 1].goal, &found.at[i].goal) != 0;
    if (is_new) tp_vec_push(&g->v, found.at[i].goal);
    g->of_edge[found.at[i].edge] = (uint32_t)g->v.n - 1;
  }
  tp_vec_clear(&found);
}

/* The number beside a constant, on the side that the order says. */
static bool neighbour(tp_terms *tt, tp_term constant, bool is_below, tp_term *out) {
  if (tp_kind(tt, constant) != TP_OP_BV_CONST) return false;
  const uint32_t width = tp_width(tt, constant);
  const tp_term one = tp_mk_bv(tt, width, 1);
  *out = is_below ? tp_mk_sub(tt, constant, one) : tp_mk2(tt, TP_OP_BV_ADD, constant, one);
  return true;
}

/* a <= b: a == b, or a < b. a < 8: a == 7, or a < 7; 7 < a: a == 8, or 8 < a. False: the condition
 * is of another form, or one of the two is never true. */
static bool split_order(tp_terms *tt, tp_term t, tp_term *equal, tp_term *beyond) {
  const tp_order order = tp_kind_order(tp_kind(tt, t));
  if (!order.is_order) return false;
  tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  if (order.is_strict && !neighbour(tt, b, true, &b) && !neighbour(tt, a, false, &a)) return false;
  *equal = tp_mk_eq(tt, a, b);
  *beyond = tp_mk2(tt, order.is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, a, b);
  return !tp_is_const(tt, *equal) && !tp_is_const(tt, *beyond);
}

void tp_goals_split_orders(tp_program *p) {
  TP_REQUIRE(p);
  bool has_split = false;
  const size_t n = p->edges.n;
  for (uint32_t e = 1; e < n; e++) {
    const tp_edge_info *info = &p->edges.at[e];
    tp_term equal, beyond;
    if (!is_user_edge(p, info) || !is_outcome(p, info) ||
        !split_order(p->terms, info->a, &equal, &beyond))
      continue;
    tp_edge_info second = *info;
    second.a = beyond;
    p->edges.at[e].a = equal;
    (void)tp_program_add_edge(p, second);
    has_split = true;
  }
  if (!has_split) return;
  tp_program_finish(p);
  tp_program_require_checked(p);
}

void tp_goals_leave_out(tp_goals *g, const tp_program *p, const char *path) {
  TP_REQUIRE(g && p && path && g->n_edges == p->edges.n);
  uint32_t *now = TP_NEW_ARRAY(uint32_t, g->v.n + 1), n = 0;
  for (size_t i = 0; i < g->v.n; i++) {
    const bool is_out = strcmp(tp_diag_path(p->diag, g->v.at[i].pos.file), path) == 0;
    now[i] = is_out ? UINT32_MAX : n;
    if (!is_out) g->v.at[n++] = g->v.at[i];
  }
  for (size_t e = 0; e < g->n_edges; e++)
    if (g->of_edge[e] != UINT32_MAX) g->of_edge[e] = now[g->of_edge[e]];
  g->v.n = n;
  tp_free(now);
}

void tp_goals_clear(tp_goals *g) {
  tp_free(g->of_edge);
  tp_vec_clear(&g->v);
  tp_arena_clear(&g->arena);
  memset(g, 0, sizeof *g);
}

void tp_goals_make_errors(const tp_goals *g, const bool *wanted, tp_program *p) {
  TP_REQUIRE(g && wanted && p && g->n_edges == p->edges.n);
  for (size_t l = 1; l < p->locs.n; l++) {
    tp_loc_info *info = &p->locs.at[l];
    info->error = TP_P_NONE;
    info->message = NULL;
    info->manner = TP_FAILS_AT_LOCATION;
  }
  for (uint32_t e = 1; e < g->n_edges; e++) {
    const uint32_t goal = g->of_edge[e];
    if (goal == UINT32_MAX || !wanted[goal]) continue;
    const tp_edge_info old = p->edges.at[e];
    const tp_loc reached = tp_program_add_loc(
        p, (tp_loc_info){.func = g->v.at[goal].func,
                         .pos = old.pos,
                         .error = TP_P_UNREACH_CALL,
                         .message = tp_arena_strdup(&p->arena, g->v.at[goal].text)});
    // an outcome is its condition, a statement is where it starts
    if (old.kind == TP_E_ASSUME)
      p->edges.at[e].to = reached;
    else
      p->edges.at[e] =
          (tp_edge_info){.kind = TP_E_SKIP, .from = old.from, .to = reached, .pos = old.pos};
  }
  tp_program_finish(p);
  tp_program_require_checked(p);
}

/* A temporary is named by what defines it: the one edge that loads, computes or draws its value. */
#include "app/goal_text.h"

#include "app/app_limits.h"
#include "base/files.h"
#include "expression/expression_print.h"
#include "program/cells.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  tp_program *p;
  uint32_t *definition;  // by variable: its edge; 0: none, UINT32_MAX: several
  uint32_t depth;
  bool is_hidden;  // a part has no text
  tp_loc at;
  tp_arena arena;
  uint32_t file;  // whose text is in hand
  tp_str source;
} shower;

static void find_definitions(shower *s) {
  for (uint32_t e = 1; e < s->p->edges.n; e++) {
    const tp_edge_info *info = &s->p->edges.at[e];
    if (!info->var.id || !info->from.id) continue;
    uint32_t *d = &s->definition[info->var.id];
    *d = *d ? UINT32_MAX : e;
  }
}

static const tp_edge_info *definition(const shower *s, tp_term t) {
  const tp_var v = tp_program_var_of(s->p, t);
  if (!v.id || s->p->vars.at[v.id].kind != TP_V_TEMP) return NULL;
  const uint32_t e = s->definition[v.id];
  return e && e != UINT32_MAX ? tp_edge_of(s->p, (tp_edge){e}) : NULL;
}

static tp_term cells_for(void *ctx, tp_term var);

static tp_term with_cells(shower *s, tp_term t) {
  tp_map memo = {0};
  const tp_term made = tp_subst(s->p->terms, t, cells_for, s, &memo);
  tp_map_clear(&memo);
  return made;
}

/* What a temporary was loaded from or computed of, as a term over the user's variables. */
static tp_term cells_for(void *ctx, tp_term var) {
  shower *s = ctx;
  const tp_edge_info *d = definition(s, var);
  if (!d || s->depth >= TP_APP_GOAL_TEXT_DEPTH) return var;
  s->depth++;
  tp_term made = var;
  if (d->kind == TP_E_LOAD)
    made = tp_cell(s->p, tp_sort_of(s->p->terms, var), with_cells(s, d->a));
  else if (d->kind == TP_E_ASSIGN)
    made = with_cells(s, d->a);
  s->depth--;
  return tp_term_is(made) ? made : var;
}

/* A symbol whose name is the text. */
static tp_term symbol_for(void *ctx, tp_term var) {
  shower *s = ctx;
  tp_terms *tt = s->p->terms;
  const tp_edge_info *d = definition(s, var);
  const tp_var v = tp_program_var_of(s->p, var);
  if (!v.id || s->p->vars.at[v.id].kind != TP_V_TEMP) return var;
  tp_str text = {0};
  tp_term made = var;
  if (d && d->kind == TP_E_CALL)
    tp_str_printf(&text, "%s(...)",
                  d->callee.id ? tp_func_of(s->p, d->callee)->name : "the function");
  else if (d && d->kind == TP_E_HAVOC && d->name)
    tp_str_printf(&text, "%s()", d->name + (d->name[0] == '~'));
  else if (d)
    (void)tp_expression_print(s->p, s->at, with_cells(s, var), &text);
  if (text.n)
    made = tp_mk_var(tt, tp_arena_strdup(&s->p->arena, tp_str_text(&text)), tp_sort_of(tt, var));
  s->is_hidden |= !text.n;
  tp_str_clear(&text);
  return made;
}

/* The line of the source, without what stands around it. */
static const char *source_line(shower *s, tp_pos pos) {
  if (s->file != pos.file) {
    tp_str_clear(&s->source);
    s->file = pos.file;
    if (tp_read_file(tp_diag_path_as_given(s->p->diag, pos.file), &s->source) != TP_OK)
      tp_str_clear(&s->source);
  }
  const char *at = tp_str_text(&s->source);
  for (uint32_t line = 1; line < pos.line && at; line++) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  if (!at) return "the condition";
  at += strspn(at, " \t");
  size_t n = strcspn(at, "\r\n");
  while (n > 0 && (isspace((unsigned char)at[n - 1]) || at[n - 1] == '{')) n--;
  return n ? tp_arena_strndup(&s->arena, at, n) : "the condition";
}

static const char *show(shower *s, tp_edge edge, tp_arena *arena) {
  const tp_edge_info *e = tp_edge_of(s->p, edge);
  tp_str text = {0};
  s->at = e->from;
  s->is_hidden = false;
  if (!tp_expression_print(s->p, e->from, with_cells(s, e->a), &text)) {
    tp_map memo = {0};
    const tp_term t = tp_subst(s->p->terms, e->a, symbol_for, s, &memo);
    tp_map_clear(&memo);
    tp_str_clear(&text);
    if (!s->is_hidden) tp_print_c(s->p->terms, t, TP_C_READABLE, &text);
  }
  const char *made = text.n ? tp_arena_strdup(arena, tp_str_text(&text))
                            : tp_arena_printf(arena, "\"%s\" %s", source_line(s, e->pos),
                                              e->negated ? "false" : "true");
  tp_str_clear(&text);
  return made;
}

void tp_goals_show(tp_goals *g, tp_program *p) {
  TP_REQUIRE(g && p && g->n_edges <= p->edges.n);
  shower s = {.p = p, .definition = TP_NEW_ARRAY(uint32_t, p->vars.n + 1), .file = UINT32_MAX};
  bool *is_done = TP_NEW_ARRAY(bool, g->v.n + 1);
  find_definitions(&s);
  for (uint32_t e = 1; e < g->n_edges; e++) {
    const uint32_t goal = g->of_edge[e];
    if (goal == UINT32_MAX || is_done[goal] || p->edges.at[e].kind != TP_E_ASSUME) continue;
    is_done[goal] = true;
    g->v.at[goal].text = show(&s, (tp_edge){e}, &g->arena);
  }
  tp_free(s.definition);
  tp_free(is_done);
  tp_str_clear(&s.source);
  tp_arena_clear(&s.arena);
}

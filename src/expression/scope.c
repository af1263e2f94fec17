/* Name lookup by comparing positions: a local is visible from its declaration on. */
#include "expression/scope.h"

static bool is_before(tp_pos a, tp_pos b) {
  return a.file != b.file || a.line < b.line || (a.line == b.line && a.column <= b.column);
}

/* A loop's own variable is declared behind the keyword where its head stands. */
static bool is_visible(const tp_loc_info *at, tp_pos declared) {
  if (!tp_pos_known(at->pos) || is_before(declared, at->pos)) return true;
  return at->is_loop_head && declared.line == at->pos.line;
}

/* The local of this name that is declared last before the place; without such, the first one. */
static tp_var find_local(const tp_program *p, tp_loc at, const char *name) {
  const tp_loc_info *l = tp_loc_of(p, at);
  tp_var best = TP_VAR_NONE;
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->func.id != l->func.id || (v->kind != TP_V_LOCAL && v->kind != TP_V_PARAM) ||
        v->type.id == 0 || strcmp(v->name, name) != 0)
      continue;
    bool is_better =
        is_visible(l, v->pos) && best.id &&
        (!is_visible(l, tp_var_of(p, best)->pos) || is_before(tp_var_of(p, best)->pos, v->pos));
    if (best.id == 0 || is_better) best.id = i;
  }
  return best;
}

tp_name_meaning tp_scope_find(const tp_program *p, tp_loc at, const char *name) {
  TP_REQUIRE(name && at.id < p->locs.n);
  tp_var local = at.id ? find_local(p, at, name) : TP_VAR_NONE;
  if (local.id) return (tp_name_meaning){.kind = TP_NAME_VAR, .var = local};
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].kind == TP_V_GLOBAL && strcmp(p->vars.at[i].name, name) == 0)
      return (tp_name_meaning){.kind = TP_NAME_VAR, .var = {i}};
  for (uint32_t i = 1; i < p->statics.n; i++)
    if (p->statics.at[i].kind != TP_O_NONE && strcmp(p->statics.at[i].name, name) == 0)
      return (tp_name_meaning){.kind = TP_NAME_STATIC, .object = i};
  return (tp_name_meaning){.kind = TP_NAME_UNKNOWN};
}

tp_type tp_scope_type(const tp_program *p, const char *name) {
  TP_REQUIRE(name != NULL);
  for (uint32_t i = 1; i < p->types.n; i++)
    if (strcmp(p->types.at[i].name, name) == 0) return (tp_type){i};
  return TP_TYPE_NONE;
}

tp_func tp_scope_function(const tp_program *p, const char *name) {
  TP_REQUIRE(name != NULL);
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (strcmp(p->funcs.at[i].name, name) == 0) return (tp_func){i};
  return TP_FUNC_NONE;
}

/* Every path through the function is executed once, with a term for each variable; at a branch the
 * results of both sides become a conditional. There are no loops, so this terminates; functions
 * with very many paths are refused. */
#include "expression/pure_function.h"

#include "expression/expression_limits.h"
#include "program/cells.h"

// ---------------------------------------------------------------- what it does

static const char *effect_of(const tp_program *p, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_RETURN: return NULL;
    case TP_E_ASSIGN:
      return tp_var_of(p, e->var)->kind == TP_V_GLOBAL ? "changes a global variable" : NULL;
    case TP_E_LOAD: return e->volatile_access ? "reads volatile memory" : NULL;
    case TP_E_STORE:
    case TP_E_COPY:
    case TP_E_SET: return "writes to memory";
    case TP_E_ALLOC:
      return e->object_kind == TP_O_HEAP
                 ? "allocates memory"
                 : "has a variable in memory (its address is taken, or it is an array or a struct)";
    case TP_E_FREE: return "frees memory";
    case TP_E_HAVOC: return e->input == TP_I_INDETERMINATE ? NULL : "asks for an input";
    case TP_E_HAVOC_MEMORY: return "asks for an input";
    case TP_E_CALL: return "calls a function";
    case TP_E_END_SCOPE:
      return "has a variable in memory (its address is taken, or it is an array or a struct)";
  }
  return NULL;
}

bool tp_function_is_impure(const tp_program *p, tp_func f, tp_pos *where, const char **what) {
  TP_REQUIRE(f.id > 0 && f.id < p->funcs.n && where && what);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->from.id == 0 || tp_loc_of(p, e->from)->func.id != f.id) continue;
    const tp_loc_info *l = tp_loc_of(p, e->from);
    if (l->order == TP_ORDER_NONE) continue;
    *what = l->loop ? "has a loop" : effect_of(p, e);
    *where = l->loop ? p->loops.at[l->loop].pos : e->pos;
    if (*what) return true;
  }
  for (uint32_t i = 1; i < p->locs.n; i++) {
    const tp_loc_info *l = &p->locs.at[i];
    if (l->func.id != f.id || !l->is_unsupported) continue;
    *what = "does something that is not modelled";
    *where = l->pos;
    return true;
  }
  return false;
}

// --------------------------------------------------------------------- the ways

/* Values of the function's variables along the path so far; NONE: indeterminate. */
typedef struct {
  const tp_program *p;
  tp_map values;  // variable -> term
  bool reads_indeterminate;
} way;

typedef struct {
  tp_term value, defined;  // value NONE: no way from here returns
} outcome;

typedef struct {
  const tp_program *p;
  uint32_t n_ways;
  const char *problem;
} walker;

static tp_term value_in(void *ctx, tp_term symbol) {
  way *w = ctx;
  tp_var v = tp_program_var_of(w->p, symbol);
  uint64_t t;
  if (v.id == 0 || tp_var_of(w->p, v)->kind == TP_V_GLOBAL ||
      tp_var_of(w->p, v)->kind == TP_V_GHOST)
    return TP_TERM_NONE;
  if (tp_map_get(&w->values, v.id, &t) && t) return (tp_term){(uint32_t)t};
  w->reads_indeterminate = true;
  return TP_TERM_NONE;
}

static tp_term on_way(walker *x, way *w, tp_term t, tp_term *defined) {
  tp_term r = tp_subst(x->p->terms, t, value_in, w, NULL);
  if (w->reads_indeterminate) x->problem = "reads a variable that has no value yet";
  if (defined) *defined = tp_mk_and(x->p->terms, *defined, tp_operations_are_defined(x->p, r));
  return r;
}

static void copy_map(tp_map *to, const tp_map *from) {
  for (size_t i = 0; i < from->n; i++) tp_map_set(to, from->entries[i].key, from->entries[i].value);
}

static outcome follow(walker *x, tp_loc at, way *w);

/* One edge that is no branch, and everything behind it. */
static outcome follow_edge(walker *x, const tp_edge_info *e, way *w) {
  const tp_program *p = x->p;
  tp_terms *tt = p->terms;
  tp_term defined = tp_mk_true(tt);
  if (e->kind == TP_E_RETURN) {
    tp_term value = tp_term_is(e->a) ? on_way(x, w, e->a, &defined) : TP_TERM_NONE;
    return (outcome){value, defined};
  }
  if (e->kind == TP_E_ASSIGN) {
    tp_map_set(&w->values, e->var.id, on_way(x, w, e->a, &defined).id);
  } else if (e->kind == TP_E_HAVOC) {
    tp_map_set(&w->values, e->var.id, 0);
  } else if (e->kind == TP_E_LOAD) {
    tp_sort sort = tp_sort_of(tt, tp_var_of(p, e->var)->term);
    tp_term address = on_way(x, w, e->a, &defined), cell = tp_cell(p, sort, address);
    if (!tp_term_is(cell)) x->problem = "reads a value of unusual width";
    defined = tp_mk_and(tt, defined, tp_access_is_valid(p, address, tp_sort_bytes(tt, sort)));
    tp_map_set(&w->values, e->var.id, cell.id);
  }
  outcome rest = x->problem ? (outcome){TP_TERM_NONE, tp_mk_false(tt)} : follow(x, e->to, w);
  rest.defined = tp_mk_and(tt, defined, rest.defined);
  return rest;
}

static outcome join(tp_terms *tt, tp_term condition, outcome a, outcome b) {
  outcome r = {TP_TERM_NONE, tp_mk_ite(tt, condition, a.defined, b.defined)};
  if (!tp_term_is(a.value) || !tp_term_is(b.value))
    r.value = tp_term_is(a.value) ? a.value : b.value;
  else
    r.value = tp_mk_ite(tt, condition, a.value, b.value);
  return r;
}

static outcome follow(walker *x, tp_loc at, way *w) {
  tp_terms *tt = x->p->terms;
  outcome all = {TP_TERM_NONE, tp_mk_false(tt)};  // a way that ends elsewhere has no value
  if (tp_loc_of(x->p, at)->error != TP_P_NONE) return all;
  tp_edge_list out = tp_out_edges(x->p, at);
  for (uint32_t i = out.n; i-- > 0 && !x->problem;) {
    const tp_edge_info *e = tp_edge_of(x->p, (tp_edge){out.at[i]});
    if (e->kind != TP_E_ASSUME) return follow_edge(x, e, w);
    if (++x->n_ways > TP_EXPRESSION_PURE_BRANCHES) {
      x->problem = "has too many branches";
      return all;
    }
    way branch = {x->p, {0}, false};
    copy_map(&branch.values, &w->values);
    tp_term defined = tp_mk_true(tt), condition = on_way(x, &branch, e->a, &defined);
    outcome o = x->problem ? all : follow(x, e->to, &branch);
    tp_map_clear(&branch.values);
    all = join(tt, condition, o, all);
    all.defined = tp_mk_and(tt, defined, all.defined);
  }
  return all;
}

// ------------------------------------------------------------------------ calls

static tp_status refuse(const tp_program *p, tp_func f, const char *what, tp_pos where,
                        tp_str *why) {
  tp_str_printf(why, "%s is no predicate: it %s", tp_func_of(p, f)->name, what);
  if (tp_pos_known(where)) tp_str_printf(why, " (line %u)", where.line);
  return TP_ERR_INPUT;
}

static tp_status bind(const tp_program *p, tp_func f, const tp_c_value *arguments, uint32_t n,
                      way *w, tp_term *defined, tp_str *why) {
  const tp_func_info *info = tp_func_of(p, f);
  if (n != info->n_params || info->is_variadic) {
    tp_str_printf(why, "%s wants %u arguments, not %u", info->name, info->n_params, n);
    return TP_ERR_INPUT;
  }
  for (uint32_t i = 0; i < n; i++) {
    const tp_var_info *v = tp_var_of(p, info->params[i]);
    tp_c_value a;
    TP_TRY(tp_c_cast(p, tp_c_type_of(p, v->type), arguments[i], &a, why));
    if (!tp_sort_eq(tp_sort_of(p->terms, a.value), tp_sort_of(p->terms, v->term)))
      return refuse(p, f, "has a parameter of an unusual type", v->pos, why);
    tp_map_set(&w->values, info->params[i].id, a.value.id);
    *defined = tp_mk_and(p->terms, *defined, a.defined);
  }
  return TP_OK;
}

tp_status tp_pure_call(const tp_program *p, tp_func f, const tp_c_value *arguments, uint32_t n,
                       tp_c_value *out, tp_str *why) {
  TP_REQUIRE(f.id > 0 && f.id < p->funcs.n && (n == 0 || arguments));
  const tp_func_info *info = tp_func_of(p, f);
  tp_pos where = info->pos;
  const char *what = NULL;
  tp_c_type type =
      info->type.id ? tp_c_type_of(p, tp_type_of(p, info->type)->element) : tp_c_type_int(32, true);
  if (tp_function_is_impure(p, f, &where, &what)) return refuse(p, f, what, where, why);
  way w = {p, {0}, false};
  walker x = {.p = p};
  tp_term defined = tp_mk_true(p->terms);
  tp_status st = bind(p, f, arguments, n, &w, &defined, why);
  if (st == TP_OK) {
    outcome o = follow(&x, info->entry, &w);
    if (!x.problem && !tp_term_is(o.value)) x.problem = "returns no value";
    if (x.problem)
      st = refuse(p, f, x.problem, info->pos, why);
    else
      *out = (tp_c_value){type, o.value, TP_TERM_NONE, tp_mk_and(p->terms, defined, o.defined)};
  }
  tp_map_clear(&w.values);
  return st;
}

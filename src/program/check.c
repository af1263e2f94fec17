/* The invariants of a program model that do not follow from its edges alone: tables and operands.
 *
 * Whatever builds or rewrites a program can check the result: handles are in range, operands have
 * the right sorts, variables occur only in their own function, calls fit their callees, each
 * function has one exit, branching is deterministic. What tp_program_finish derives from the edges
 * is checked by check_derived.c. The first violation found is described in a line with its
 * position.
 *
 * That several ASSUME edges are exclusive and exhaustive is decided for pairs p, not p by comparing
 * terms, otherwise by evaluating all conditions for a fixed set of pseudo-random values: a test
 * that can only find faults, because solvers belong to a room above this one. */
#include "program/check_priv.h"

#include "program/program_limits.h"

static bool fail_edge(tp_model_check *c, uint32_t e, const char *what) {
  tp_str pos = {0};
  if (c->p->diag) tp_pos_print(c->p->diag, c->p->edges.at[e].pos, &pos);
  tp_model_check_fail(c, "edge %u (%s): %s", e, tp_str_text(&pos), what);
  tp_str_clear(&pos);
  return false;
}

// --------------------------------------------------------- types and variables

static bool has_type(const tp_program *p, tp_type t) { return t.id < p->types.n; }

static bool check_types(tp_model_check *c) {
  const tp_program *p = c->p;
  for (size_t i = 1; i < p->types.n; i++) {
    const tp_type_info *t = &p->types.at[i];
    TP_MODEL_REQUIRE(t->name, "type %zu has no name", i);
    TP_MODEL_REQUIRE((unsigned)t->kind <= TP_T_FUNCTION, "type %zu (%s): unknown kind", i, t->name);
    TP_MODEL_REQUIRE((t->align_bytes & (t->align_bytes - 1)) == 0,
                     "type %zu (%s): alignment is no power of two", i, t->name);
    TP_MODEL_REQUIRE(has_type(p, t->element), "type %zu (%s): element type out of range", i,
                     t->name);
    TP_MODEL_REQUIRE(t->n_members == 0 || t->members, "type %zu (%s): members missing", i, t->name);
    TP_MODEL_REQUIRE(t->n_params == 0 || t->params, "type %zu (%s): parameters missing", i,
                     t->name);
    for (uint32_t k = 0; k < t->n_params; k++)
      TP_MODEL_REQUIRE(has_type(p, t->params[k]), "type %zu (%s): parameter %u out of range", i,
                       t->name, k);
    for (uint32_t k = 0; k < t->n_members; k++) {
      const tp_member *m = &t->members[k];
      TP_MODEL_REQUIRE(m->name && m->type.id && has_type(p, m->type),
                       "type %zu (%s): member %u has no type", i, t->name, k);
      TP_MODEL_REQUIRE(m->type.id != i, "type %zu (%s): contains itself", i, t->name);
      TP_MODEL_REQUIRE(m->offset_bits / 8 <= t->size_bytes,
                       "type %zu (%s): member %s lies behind the end", i, t->name, m->name);
    }
  }
  return true;
}

static bool is_sort(const tp_program *p, tp_term t, tp_sort_kind kind) {
  return tp_term_is(t) && tp_sort_kind_of(p->terms, tp_sort_of(p->terms, t)) == kind;
}
static bool is_ptr(const tp_program *p, tp_term t) { return is_sort(p, t, TP_SORT_PTR); }
static bool is_bv(const tp_program *p, tp_term t, uint32_t width) {
  return is_sort(p, t, TP_SORT_BV) && tp_width(p->terms, t) == width;
}
static bool is_scalar(const tp_program *p, tp_term t) {
  return tp_term_is(t) && !is_sort(p, t, TP_SORT_ARRAY) && !is_sort(p, t, TP_SORT_INT);
}
static bool same_sort(const tp_program *p, tp_term a, tp_term b) {
  return tp_sort_eq(tp_sort_of(p->terms, a), tp_sort_of(p->terms, b));
}

static bool is_constant(const tp_program *p, tp_term t) { return tp_is_const(p->terms, t); }

static bool check_vars(tp_model_check *c) {
  const tp_program *p = c->p;
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    TP_MODEL_REQUIRE(v->name, "variable %zu has no name", i);
    TP_MODEL_REQUIRE(tp_term_is(v->term) && tp_kind(p->terms, v->term) == TP_OP_VAR,
                     "variable %s has no symbol", v->name);
    TP_MODEL_REQUIRE(tp_program_var_of(p, v->term).id == i,
                     "variable %s: its symbol belongs to another", v->name);
    TP_MODEL_REQUIRE(has_type(p, v->type), "variable %s: type out of range", v->name);
    bool is_local = v->kind != TP_V_GLOBAL && v->kind != TP_V_GHOST;
    TP_MODEL_REQUIRE(v->func.id < p->funcs.n, "variable %s: function out of range", v->name);
    TP_MODEL_REQUIRE(is_local == (v->func.id != 0),
                     "variable %s: a local belongs to a function, a global to none", v->name);
    TP_MODEL_REQUIRE((unsigned)v->kind <= TP_V_GHOST, "variable %s: unknown kind", v->name);
    TP_MODEL_REQUIRE(!v->is_address || is_ptr(p, v->term), "variable %s: an address is no pointer",
                     v->name);
    TP_MODEL_REQUIRE(v->kind == TP_V_GLOBAL || (!v->is_internal && !v->enclosing_function),
                     "variable %s: only globals can be static", v->name);
    TP_MODEL_REQUIRE(v->absence == TP_PRESENT || !tp_term_is(v->initial),
                     "variable %s: absent, and has an initial value", v->name);
    if (!tp_term_is(v->initial)) continue;
    TP_MODEL_REQUIRE(v->kind == TP_V_GLOBAL, "variable %s: only globals have initial values",
                     v->name);
    TP_MODEL_REQUIRE(is_constant(p, v->initial), "variable %s: initial value is no constant",
                     v->name);
    TP_MODEL_REQUIRE(tp_sort_eq(tp_sort_of(p->terms, v->initial), tp_sort_of(p->terms, v->term)),
                     "variable %s: initial value has another sort", v->name);
  }
  return true;
}

static bool is_array_of(const tp_program *p, tp_term t, tp_sort_kind index, tp_sort_kind element) {
  const tp_terms *tt = p->terms;
  if (!is_sort(p, t, TP_SORT_ARRAY)) return false;
  const tp_sort s = tp_sort_of(tt, t);
  return tp_sort_kind_of(tt, tp_sort_index(tt, s)) == index &&
         tp_sort_kind_of(tt, tp_sort_element(tt, s)) == element;
}

/* The ghosts and the symbols of memory cells are the program's, with the sorts of the header. */
static bool check_ghosts(tp_model_check *c) {
  const tp_program *p = c->p;
  const tp_var ghosts[] = {p->ghost_size, p->ghost_live, p->ghost_kind, p->ghost_heap,
                           p->ghost_leaked};
  for (size_t i = 0; i < sizeof ghosts / sizeof *ghosts; i++)
    TP_MODEL_REQUIRE(
        ghosts[i].id && ghosts[i].id < p->vars.n && tp_var_of(p, ghosts[i])->kind == TP_V_GHOST,
        "ghost %zu is no ghost variable", i);
  TP_MODEL_REQUIRE(
      is_array_of(p, tp_var_of(p, p->ghost_size)->term, TP_SORT_BV, TP_SORT_BV) &&
          is_array_of(p, tp_var_of(p, p->ghost_live)->term, TP_SORT_BV, TP_SORT_BOOL) &&
          is_array_of(p, tp_var_of(p, p->ghost_kind)->term, TP_SORT_BV, TP_SORT_BV),
      "a ghost of objects has another sort");
  TP_MODEL_REQUIRE(is_bv(p, tp_var_of(p, p->ghost_heap)->term, TP_OBJ_BITS) &&
                       is_sort(p, tp_var_of(p, p->ghost_leaked)->term, TP_SORT_BOOL),
                   "a ghost of the heap has another sort");
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    TP_MODEL_REQUIRE(
        is_sort(p, p->memory[i], TP_SORT_ARRAY) && !tp_program_var_of(p, p->memory[i]).id,
        "memory %zu is no symbol of memory cells", i);
  return true;
}

static bool check_relocs(tp_model_check *c, const tp_static *s) {
  const tp_program *p = c->p;
  uint64_t end = 0, size = p->ptr_bits / 8;
  for (uint32_t k = 0; k < s->n_relocs; k++) {
    const tp_reloc *r = &s->relocs[k];
    TP_MODEL_REQUIRE(r->object > 0 && r->object < p->statics.n,
                     "static %s: pointer at %llu to no static", s->name,
                     (unsigned long long)r->offset);
    TP_MODEL_REQUIRE(r->offset >= end && r->offset + size <= s->size_bytes,
                     "static %s: pointer at %llu overlaps another or lies outside", s->name,
                     (unsigned long long)r->offset);
    end = r->offset + size;
  }
  return true;
}

/* Rewritings for absent functions take the function from its object (program/absent.h). */
static bool is_object_of_absent(const tp_program *p, uint32_t object) {
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].object == object && p->funcs.at[f].absence == TP_ABSENT) return true;
  return false;
}

static bool check_statics(tp_model_check *c) {
  const tp_program *p = c->p;
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    TP_MODEL_REQUIRE(s->name, "static %zu has no name", i);
    TP_MODEL_REQUIRE(has_type(p, s->type), "static %s: type out of range", s->name);
    TP_MODEL_REQUIRE(s->kind == TP_O_GLOBAL || s->kind == TP_O_LITERAL || s->kind == TP_O_FUNCTION,
                     "static %s: kind of object cannot be static", s->name);
    TP_MODEL_REQUIRE(
        s->func.id < p->funcs.n &&
            (s->kind == TP_O_FUNCTION) == (s->func.id != 0 || is_object_of_absent(p, (uint32_t)i)),
        "static %s: functions, and only they, name a function", s->name);
    TP_MODEL_REQUIRE((s->align_bytes & (s->align_bytes - 1)) == 0,
                     "static %s: alignment is no power of two", s->name);
    TP_MODEL_REQUIRE(s->n_relocs == 0 || s->relocs, "static %s: pointers missing", s->name);
    TP_MODEL_REQUIRE(s->absence == TP_PRESENT || s->is_extern,
                     "static %s: absent, and defined here", s->name);
    if (!check_relocs(c, s)) return false;
  }
  return true;
}

// ------------------------------------------------------- functions, locations

static bool is_loc_of(const tp_program *p, tp_loc l, size_t f) {
  return l.id > 0 && l.id < p->locs.n && p->locs.at[l.id].func.id == f;
}

static bool is_var_of(const tp_program *p, tp_var v, size_t f) {
  return v.id > 0 && v.id < p->vars.n && p->vars.at[v.id].func.id == f;
}

static bool check_func(tp_model_check *c, size_t i) {
  const tp_program *p = c->p;
  const tp_func_info *f = &p->funcs.at[i];
  TP_MODEL_REQUIRE(f->name, "function %zu has no name", i);
  TP_MODEL_REQUIRE(has_type(p, f->type), "function %s: type out of range", f->name);
  TP_MODEL_REQUIRE(
      f->object < p->statics.n && (f->object == 0 || p->statics.at[f->object].func.id == i ||
                                   (f->absence == TP_ABSENT && !p->statics.at[f->object].func.id)),
      "function %s: its object is another's", f->name);
  TP_MODEL_REQUIRE((unsigned)f->absence <= TP_ABSENT_IN_SYSTEM && (unsigned)f->purity <= TP_CONST,
                   "function %s: unknown kind of declaration", f->name);
  TP_MODEL_REQUIRE(!f->has_body || f->absence == TP_PRESENT, "function %s: absent, and has a body",
                   f->name);
  if (!f->has_body) return true;
  TP_MODEL_REQUIRE(is_loc_of(p, f->entry, i), "function %s: entry is not its own", f->name);
  TP_MODEL_REQUIRE(is_loc_of(p, f->exit, i), "function %s: exit is not its own", f->name);
  TP_MODEL_REQUIRE(f->entry.id != f->exit.id, "function %s: entry and exit are one", f->name);
  TP_MODEL_REQUIRE(f->n_params == 0 || f->params, "function %s: parameters missing", f->name);
  for (uint32_t k = 0; k < f->n_params; k++)
    TP_MODEL_REQUIRE(
        is_var_of(p, f->params[k], i) && tp_var_of(p, f->params[k])->kind == TP_V_PARAM,
        "function %s: parameter %u is no parameter of it", f->name, k);
  TP_MODEL_REQUIRE(f->result.id == 0 || is_var_of(p, f->result, i),
                   "function %s: result variable is not its own", f->name);
  if (f->is_variadic) {
    tp_var last = f->n_params ? f->params[f->n_params - 1] : TP_VAR_NONE;
    TP_MODEL_REQUIRE(
        last.id && tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, last)->term)) ==
                       TP_SORT_PTR,
        "function %s: variadic without a pointer to the extra arguments", f->name);
  }
  return true;
}

static bool check_funcs(tp_model_check *c) {
  const tp_program *p = c->p;
  for (size_t i = 1; i < p->funcs.n; i++)
    if (!check_func(c, i)) return false;
  TP_MODEL_REQUIRE(p->main.id < p->funcs.n, "main is out of range");
  TP_MODEL_REQUIRE(p->main.id == 0 || p->funcs.at[p->main.id].has_body, "main has no body");
  return true;
}

static bool check_loc_handles(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t i = 1; i < p->locs.n; i++) {
    tp_func f = p->locs.at[i].func;
    TP_MODEL_REQUIRE(f.id > 0 && f.id < p->funcs.n, "location L%u is in no function", i);
    const tp_loc_info *l = &p->locs.at[i];
    TP_MODEL_REQUIRE((unsigned)l->error < TP_N_PROPERTIES, "location L%u: unknown property", i);
    TP_MODEL_REQUIRE((unsigned)l->manner <= TP_FAILS_POINTER_PAIR, "location L%u: unknown manner",
                     i);
    TP_MODEL_REQUIRE(l->error != TP_P_NONE || (!l->message && l->manner == TP_FAILS_AT_LOCATION),
                     "location L%u describes a failure, and is no error location", i);
  }
  return true;
}

static bool check_locs(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t i = 1; i < p->locs.n; i++) {
    const tp_loc_info *l = &p->locs.at[i];
    if (tp_out_edges(p, (tp_loc){i}).n == 0) continue;
    TP_MODEL_REQUIRE(l->error == TP_P_NONE, "error location L%u has edges out of it", i);
    TP_MODEL_REQUIRE(!l->is_unsupported, "unsupported location L%u has edges out of it", i);
    TP_MODEL_REQUIRE(p->funcs.at[l->func.id].exit.id != i, "exit L%u of %s has edges out of it", i,
                     p->funcs.at[l->func.id].name);
  }
  return true;
}

// ----------------------------------------------------------------------- edges

typedef struct {
  const tp_model_check *c;
  tp_func func;
  const char *wrong;  // set at the first variable that must not be here
} var_scope;

static void see_var(void *ctx, tp_term t) {
  var_scope *s = ctx;
  tp_var v = tp_program_var_of(s->c->p, t);
  if (v.id == 0)
    s->wrong = "a variable that the program does not have";
  else if (tp_var_of(s->c->p, v)->func.id && tp_var_of(s->c->p, v)->func.id != s->func.id)
    s->wrong = "a variable of another function";
}

static bool var_takes(const tp_program *p, tp_var v, tp_term t) {
  return same_sort(p, tp_var_of(p, v)->term, t);
}

/* NULL if the call fits, else what is wrong. */
static const char *call_fault(const tp_program *p, const tp_edge_info *e) {
  if (e->n_args && !e->args) return "arguments missing";
  for (uint32_t i = 0; i < e->n_args; i++)
    if (!is_scalar(p, e->args[i])) return "an argument is no scalar";
  if (e->callee.id == 0)
    return is_ptr(p, e->a) ? NULL : "call through something that is no pointer";
  if (e->callee.id >= p->funcs.n) return "callee out of range";
  const tp_func_info *f = tp_func_of(p, e->callee);
  if (!f->has_body) return "call of a function without body";
  if (f->n_params != e->n_args) return "number of arguments differs from number of parameters";
  for (uint32_t i = 0; i < e->n_args; i++)
    if (!var_takes(p, f->params[i], e->args[i]))
      return "an argument has another sort than its parameter";
  if (e->var.id == 0) return NULL;
  if (f->result.id == 0) return "result of a function that has none";
  return same_sort(p, tp_var_of(p, e->var)->term, tp_var_of(p, f->result)->term)
             ? NULL
             : "result has another sort";
}

static const char *return_fault(const tp_program *p, const tp_edge_info *e) {
  const tp_func_info *f = tp_func_of(p, p->locs.at[e->from.id].func);
  if (e->to.id != f->exit.id) return "return does not lead to the exit";
  if (tp_term_is(e->a) != (f->result.id != 0))
    return "return with a value, but no result variable (or the reverse)";
  return !tp_term_is(e->a) || var_takes(p, f->result, e->a)
             ? NULL
             : "returned value has another sort than the result";
}

static const char *alloc_fault(const tp_program *p, const tp_edge_info *e) {
  if (e->var.id == 0 || !is_ptr(p, tp_var_of(p, e->var)->term))
    return "allocation into something that is no pointer";
  if (!is_bv(p, e->a, p->ptr_bits)) return "size has not the width of pointers";
  if (tp_term_is(e->b) && !is_bv(p, e->b, 8)) return "fill byte has not 8 bits";
  return e->object_kind != TP_O_NONE && e->object_kind != TP_O_FUNCTION
             ? NULL
             : "allocation of no kind of object";
}

/* NULL if kind, operands and sorts fit, else what is wrong. */
static const char *operand_fault(const tp_program *p, const tp_edge_info *e) {
  uint32_t w = p->ptr_bits;
  switch (e->kind) {
    case TP_E_SKIP: return NULL;
    case TP_E_ASSIGN:
      if (e->var.id == 0 || !is_scalar(p, e->a))
        return "assignment lacks a variable or a scalar value";
      return var_takes(p, e->var, e->a) ? NULL : "value has another sort than the variable";
    case TP_E_ASSUME: return is_sort(p, e->a, TP_SORT_BOOL) ? NULL : "condition is not Boolean";
    case TP_E_LOAD:
      if (e->var.id == 0 || !is_scalar(p, tp_var_of(p, e->var)->term))
        return "load lacks a scalar variable";
      return is_ptr(p, e->a) ? NULL : "load from something that is no pointer";
    case TP_E_STORE:
      if (!is_ptr(p, e->a)) return "store to something that is no pointer";
      return is_scalar(p, e->b) ? NULL : "stored value is no scalar";
    case TP_E_ALLOC: return alloc_fault(p, e);
    case TP_E_FREE: return is_ptr(p, e->a) ? NULL : "free of something that is no pointer";
    case TP_E_COPY:
      if (!is_ptr(p, e->a) || !is_ptr(p, e->b)) return "copy between things that are no pointers";
      return is_bv(p, e->c, w) ? NULL : "length has not the width of pointers";
    case TP_E_SET:
      if (!is_ptr(p, e->a) || !is_bv(p, e->b, 8)) return "set needs a pointer and a byte";
      return is_bv(p, e->c, w) ? NULL : "length has not the width of pointers";
    case TP_E_HAVOC:
      if (!e->var.id && e->input == TP_I_EXTERN) return NULL;  // a function without result
      return e->var.id && is_scalar(p, tp_var_of(p, e->var)->term)
                 ? NULL
                 : "havoc lacks a scalar variable";
    case TP_E_HAVOC_MEMORY:
      if (!is_ptr(p, e->a)) return "havoc of something that is no pointer";
      return !tp_term_is(e->c) || is_bv(p, e->c, w) ? NULL : "length has not the width of pointers";
    case TP_E_CALL: return call_fault(p, e);
    case TP_E_RETURN: return return_fault(p, e);
    case TP_E_END_SCOPE:
      return is_ptr(p, e->a) ? NULL : "end of scope of something that is no pointer";
  }
  return "unknown kind of edge";
}

/* NULL if the fields beside the operands fit the kind of the edge, else what is wrong. */
static const char *field_fault(const tp_program *p, const tp_edge_info *e) {
  const bool is_input = e->kind == TP_E_HAVOC || e->kind == TP_E_HAVOC_MEMORY;
  if ((unsigned)e->input > TP_I_ENVIRONMENT) return "unknown kind of input";
  if ((unsigned)e->object_kind > TP_O_HEAP) return "unknown kind of object";
  if (e->callee.id >= p->funcs.n) return "callee out of range";
  if (e->n_args && !e->args) return "arguments missing";
  if (e->n_args && e->kind != TP_E_CALL && !is_input) return "arguments of what is no call";
  if (e->may_write && !is_input) return "writes memory, and is no call";
  if (e->volatile_access && e->kind != TP_E_LOAD && e->kind != TP_E_STORE)
    return "volatile, and no access";
  if (e->negated && e->kind != TP_E_ASSUME) return "negated, and no assumption";
  return NULL;
}

static const char *scope_fault(tp_model_check *c, const tp_edge_info *e) {
  var_scope scope = {c, c->p->locs.at[e->from.id].func, NULL};
  const tp_term operands[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3; i++)
    if (tp_term_is(operands[i])) tp_for_vars(c->p->terms, operands[i], see_var, &scope);
  for (uint32_t i = 0; i < e->n_args; i++) tp_for_vars(c->p->terms, e->args[i], see_var, &scope);
  if (e->var.id) {
    const tp_var_info *v = tp_var_of(c->p, e->var);
    if (v->kind == TP_V_GHOST) return "assignment to a ghost variable";
    see_var(&scope, v->term);
  }
  return scope.wrong;
}

static bool check_edges(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->from.id == 0 && e->to.id == 0 && e->kind == TP_E_SKIP) continue;  // was unreachable
    if (e->from.id == 0 || e->from.id >= p->locs.n || e->to.id == 0 || e->to.id >= p->locs.n)
      return fail_edge(c, i, "location out of range");
    const tp_func_info *f = tp_func_of(p, p->locs.at[e->from.id].func);
    if (p->locs.at[e->to.id].func.id != p->locs.at[e->from.id].func.id)
      return fail_edge(c, i, "leads into another function");
    if (e->var.id >= p->vars.n) return fail_edge(c, i, "variable out of range");
    if (!has_type(p, e->type)) return fail_edge(c, i, "type out of range");
    const char *wrong = field_fault(p, e);
    if (!wrong) wrong = operand_fault(p, e);
    if (!wrong) wrong = scope_fault(c, e);
    if (!wrong && e->to.id == f->exit.id && e->kind != TP_E_RETURN)
      wrong = "leads to the exit without being a return";
    if (wrong) return fail_edge(c, i, wrong);
  }
  return true;
}

// -------------------------------------------------------------------- branches

typedef struct {
  const tp_program *p;
  uint64_t sample;
} sample_env;

/* Small values and extremes decide most branches; constants of the conditions are tried elsewhere.
 */
static tp_value sample_value(const sample_env *env, tp_sort s, uint64_t what) {
  const tp_terms *tt = env->p->terms;
  uint64_t h = tp_hash_mix(env->sample, what);
  tp_value v = {.bits = h % 3 == 0 ? h % 7 : h % 3 == 1 ? UINT64_MAX - h % 5 : h >> 2};
  uint32_t width = tp_sort_width(tt, s);
  if (width < 128) v.bits &= ((tp_u128)1 << width) - 1;
  if (tp_sort_kind_of(tt, s) == TP_SORT_PTR && h % 4 != 0) v.object = (uint32_t)(h % 8);
  return v;
}
static bool sample_var(void *ctx, tp_term var, tp_value *out) {
  sample_env *env = ctx;
  tp_sort s = tp_sort_of(env->p->terms, var);
  if (tp_sort_kind_of(env->p->terms, s) == TP_SORT_ARRAY) return false;
  *out = sample_value(env, s, tp_var_index(env->p->terms, var));
  return true;
}
static uint64_t sample_base(void *ctx, uint32_t object) {
  (void)ctx;
  return (uint64_t)object << 16;
}
static bool sample_select(void *ctx, tp_term array, tp_value index, tp_value *out) {
  sample_env *env = ctx;
  tp_sort element = tp_sort_element(env->p->terms, tp_sort_of(env->p->terms, array));
  *out = sample_value(env, element,
                      tp_hash_mix(tp_var_index(env->p->terms, array), (uint64_t)index.bits));
  return true;
}

/* Exactly one condition holds in each sample that can be evaluated. */
static bool is_one_way_each(tp_model_check *c, tp_edge_list out) {
  for (uint64_t sample = 0; sample < TP_PROGRAM_BRANCH_SAMPLES; sample++) {
    sample_env ctx = {c->p, sample};
    tp_env env = {&ctx, sample_var, sample_base, sample_select};
    uint32_t n_true = 0;
    bool is_known = true;
    tp_mark mark = tp_arena_mark(&c->scratch);
    for (uint32_t i = 0; i < out.n && is_known; i++) {
      tp_value v;
      is_known = tp_eval(c->p->terms, c->p->edges.at[out.at[i]].a, &env, &c->scratch, &v) == TP_OK;
      n_true += is_known && v.bits;
    }
    tp_arena_release(&c->scratch, mark);
    if (is_known && n_true != 1) return false;
  }
  return true;
}

static bool is_complement(const tp_terms *tt, tp_term a, tp_term b) {
  return (tp_kind(tt, a) == TP_OP_NOT && tp_term_eq(tp_arg(tt, a, 0), b)) ||
         (tp_kind(tt, b) == TP_OP_NOT && tp_term_eq(tp_arg(tt, b, 0), a));
}

static bool check_branches(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t l = 1; l < p->locs.n; l++) {
    tp_edge_list out = tp_out_edges(p, (tp_loc){l});
    if (out.n < 2) continue;
    for (uint32_t i = 0; i < out.n; i++)
      TP_MODEL_REQUIRE(p->edges.at[out.at[i]].kind == TP_E_ASSUME,
                       "L%u: several edges, and edge %u is no assumption", l, out.at[i]);
    if (out.n == 2 && is_complement(p->terms, p->edges.at[out.at[0]].a, p->edges.at[out.at[1]].a))
      continue;
    TP_MODEL_REQUIRE(is_one_way_each(c, out), "L%u: conditions of the edges overlap or leave a gap",
                     l);
  }
  return true;
}

// ----------------------------------------------------------- lists of a program

/* A restriction stands on a SKIP, or on the ASSUME that a rewriting made of it; an edge that
 * nothing reaches has no locations. */
static bool check_lists(tp_model_check *c) {
  const tp_program *p = c->p;
  for (size_t i = 0; i < p->input_restrictions.n; i++) {
    const tp_input_restriction *r = &p->input_restrictions.at[i];
    TP_MODEL_REQUIRE(r->at.id && r->at.id < p->edges.n, "input restriction %zu: no edge", i);
    const tp_edge_kind kind = tp_edge_of(p, r->at)->kind;
    TP_MODEL_REQUIRE(kind == TP_E_SKIP || kind == TP_E_ASSUME,
                     "input restriction %zu: its edge does something", i);
    TP_MODEL_REQUIRE(is_sort(p, r->holds, TP_SORT_BOOL), "input restriction %zu is not Boolean", i);
  }
  for (size_t i = 1; i < p->unsupported.n; i++)
    TP_MODEL_REQUIRE(p->unsupported.at[i].what && p->unsupported.at[i].loc.id < p->locs.n,
                     "unsupported construct %zu: no name, or location out of range", i);
  for (size_t i = 0; i < p->remarks.n; i++)
    TP_MODEL_REQUIRE(p->remarks.at[i].text, "remark %zu has no text", i);
  for (size_t i = 1; i < p->assumptions.n; i++)
    TP_MODEL_REQUIRE(p->assumptions.at[i], "assumption %zu has no text", i);
  return true;
}

static bool check_tables(tp_model_check *c) {
  return check_types(c) && check_vars(c) && check_ghosts(c) && check_statics(c) && check_funcs(c) &&
         check_loc_handles(c) && check_edges(c) && check_lists(c);
}

bool tp_program_check(const tp_program *p, tp_str *why) {
  tp_model_check c = {.p = p, .why = why};
  tp_arena_init(&c.scratch);
  bool ok = check_tables(&c) && tp_model_check_derived(&c) && check_locs(&c) && check_branches(&c);
  tp_arena_clear(&c.scratch);
  return ok;
}

bool tp_program_check_tables(const tp_program *p, tp_str *why) {
  tp_model_check c = {.p = p, .why = why};
  tp_arena_init(&c.scratch);
  bool ok = check_tables(&c);
  tp_arena_clear(&c.scratch);
  return ok;
}

#ifdef TP_CHECKED
void tp_program_require_derived(const tp_program *p) {
  tp_str why = {0};
  tp_model_check c = {.p = p, .why = &why};
  tp_arena_init(&c.scratch);
  if (!tp_model_check_derived(&c)) tp_invariant_failed(__FILE__, __LINE__, tp_str_text(&why));
  tp_arena_clear(&c.scratch);
  tp_str_clear(&why);
}

void tp_program_require_checked(const tp_program *p) {
  tp_str why = {0};
  if (!tp_program_check(p, &why)) tp_invariant_failed(__FILE__, __LINE__, tp_str_text(&why));
  tp_str_clear(&why);
}
#endif

/* Which loops do inputs decide? Variables that take an input, or a value made from such a variable,
 * are traced without regard to the order of execution; memory is one cell. A loop is decided by
 * inputs if a condition that leaves it reads such a variable, or if an input is asked for inside
 * it. */
#include "auto/features.h"

#include "program/readers.h"

typedef struct {
  const tp_program *p;
  bool *is_called;  // by function
  bool *is_input;   // by variable
  bool memory;
  tp_readers readers;
  tp_edge_worklist todo;  // edges that read what has become input
} walk;

// ------------------------------------------------------------ functions of a run

static bool is_of_run(const walk *w, const tp_edge_info *e) {
  return e->from.id && w->is_called[tp_loc_of(w->p, e->from)->func.id];
}

/* Forwards and backwards in turn: calls lead against the order of the text as often as with it. */
static void mark_called(walk *w) {
  const tp_program *p = w->p;
  bool changed = true;
  w->is_called[p->main.id] = true;
  for (bool backwards = false; changed; backwards = !backwards) {
    changed = false;
    for (size_t i = 1; i < p->edges.n; i++) {
      const tp_edge_info *e = &p->edges.at[backwards ? p->edges.n - i : i];
      if (e->kind != TP_E_CALL || !is_of_run(w, e)) continue;
      const size_t first = e->callee.id ? e->callee.id : 1;  // through a pointer: any
      const size_t last = e->callee.id ? e->callee.id : p->funcs.n - 1;
      for (size_t f = first; f <= last; f++) {
        changed = changed || !w->is_called[f];
        w->is_called[f] = true;
      }
    }
  }
}

// ---------------------------------------------------------------------- inputs

typedef struct {
  const walk *w;
  bool found;
} reading;

static void see_var(void *ctx, tp_term var) {
  reading *r = ctx;
  tp_var v = tp_program_var_of(r->w->p, var);
  r->found |= v.id && r->w->is_input[v.id];
}

static bool reads_input(const walk *w, tp_term t) {
  reading r = {w, false};
  if (t.id) tp_for_vars(w->p->terms, t, see_var, &r);
  return r.found;
}

static void set_input(walk *w, tp_var v) {
  if (!v.id || w->is_input[v.id]) return;
  w->is_input[v.id] = true;
  tp_readers_push(&w->readers, v, &w->todo);
}

static void set_memory(walk *w) {
  if (w->memory) return;
  w->memory = true;
  for (uint32_t i = 1; i < w->p->edges.n; i++)
    if (w->p->edges.at[i].kind == TP_E_LOAD) tp_vec_push(&w->todo, i);
}

static void follow(walk *w, const tp_edge_info *e) {
  const tp_program *p = w->p;
  if (!is_of_run(w, e)) return;
  switch (e->kind) {
    case TP_E_HAVOC: set_input(w, e->var); break;
    case TP_E_ASSIGN:
      if (reads_input(w, e->a)) set_input(w, e->var);
      break;
    case TP_E_LOAD:
      if (w->memory || e->volatile_access) set_input(w, e->var);
      break;
    case TP_E_STORE:
      if (!w->memory && reads_input(w, e->b)) set_memory(w);
      break;
    case TP_E_HAVOC_MEMORY: set_memory(w); break;
    case TP_E_RETURN:
      if (reads_input(w, e->a)) set_input(w, tp_func_of(p, tp_loc_of(p, e->from)->func)->result);
      break;
    case TP_E_CALL: {
      if (!e->callee.id) {
        set_input(w, e->var);  // who knows
        break;
      }
      const tp_func_info *f = tp_func_of(p, e->callee);
      for (uint32_t i = 0; i < e->n_args && i < f->n_params; i++)
        if (reads_input(w, e->args[i])) set_input(w, f->params[i]);
      if (!f->has_body || (f->result.id && w->is_input[f->result.id])) set_input(w, e->var);
      break;
    }
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_END_SCOPE: break;
  }
}

static bool is_inside(const tp_program *p, tp_loc l, uint32_t loop) {
  uint32_t at = tp_loc_of(p, l)->loop;
  while (at && at != loop) at = p->loops.at[at].parent;
  return at == loop;
}

/* Marks the loops around l, from the innermost one, that the edge leaves, or all of them. */
static void mark_loops(const tp_program *p, const tp_edge_info *e, bool only_left, bool *decided) {
  for (uint32_t loop = tp_loc_of(p, e->from)->loop; loop; loop = p->loops.at[loop].parent) {
    if (only_left && is_inside(p, e->to, loop)) return;
    decided[loop] = true;
  }
}

static void mark_decided(const walk *w, bool *decided) {
  const tp_program *p = w->p;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!is_of_run(w, e)) continue;
    if (e->kind == TP_E_ASSUME && reads_input(w, e->a)) mark_loops(p, e, true, decided);
    if (e->kind == TP_E_HAVOC) mark_loops(p, e, false, decided);
  }
}

// -------------------------------------------------------------------- counting

static bool is_float(const tp_program *p, tp_var v) {
  return v.id &&
         tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, v)->term)) == TP_SORT_FP;
}

static bool is_indexed(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_PTR_ADD && !tp_is_const(tt, tp_arg(tt, t, 1));
}

/* Does an edge of a loop compute an address with an index? */
static bool has_index(const tp_program *p, const tp_edge_info *e) {
  const tp_terms *tt = p->terms;
  if (!tp_loc_of(p, e->from)->loop) return false;
  return (tp_term_is(e->a) && tp_any_subterm(tt, e->a, is_indexed, NULL)) ||
         (tp_term_is(e->b) && tp_any_subterm(tt, e->b, is_indexed, NULL));
}

static void count_edges(const walk *w, tp_features *f) {
  for (size_t i = 1; i < w->p->edges.n; i++) {
    const tp_edge_info *e = &w->p->edges.at[i];
    if (!is_of_run(w, e)) continue;
    f->n_edges++;
    f->asks |= (e->kind == TP_E_HAVOC && e->input != TP_I_INDETERMINATE) ||
               e->kind == TP_E_HAVOC_MEMORY || (e->kind == TP_E_CALL && !e->callee.id);
    f->has_heap |= e->kind == TP_E_ALLOC && e->object_kind == TP_O_HEAP;
    f->has_memory |= e->kind == TP_E_LOAD || e->kind == TP_E_STORE || e->kind == TP_E_COPY ||
                     e->kind == TP_E_SET;
    f->has_floats |= is_float(w->p, e->var);
    f->has_elements = f->has_elements || has_index(w->p, e);
  }
  f->has_elements = f->has_elements && f->has_memory;
}

// ----------------------------------------------------------------------- flags

/* A variable whose writes all are of constants. */
typedef struct {
  tp_term value;  // the first that was written
  bool has_others, is_tested, is_flag;
} flag;
typedef struct {
  const tp_program *p;
  flag *at;  // by variable
} flags;

static void test_flag(void *ctx, tp_term var) {
  const flags *f = ctx;
  const tp_var v = tp_program_var_of(f->p, var);
  if (v.id) f->at[v.id].is_tested = true;
}

/* Every other write than of a constant, an input or the result of a call say, ends the flag. */
static void note_write(const tp_program *p, const tp_edge_info *e, flag *at) {
  if (e->kind == TP_E_ASSIGN && tp_is_const(p->terms, e->a)) {
    at->has_others |= tp_term_is(at->value) && !tp_term_eq(at->value, e->a);
    if (!tp_term_is(at->value)) at->value = e->a;
  } else if (e->kind != TP_E_HAVOC || e->input != TP_I_INDETERMINATE) {
    at->is_flag = false;  // the indeterminate value of a declaration is none that is used
  }
}

static size_t count_flags(const walk *w) {
  const tp_program *p = w->p;
  flags all = {p, TP_NEW_ARRAY(flag, p->vars.n)};
  for (size_t i = 1; i < p->vars.n; i++) all.at[i].is_flag = true;
  for (size_t i = 1; i < p->funcs.n; i++)
    for (uint32_t k = 0; k < p->funcs.at[i].n_params; k++)
      all.at[p->funcs.at[i].params[k].id].is_flag = false;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!is_of_run(w, e)) continue;
    if (e->var.id) note_write(p, e, &all.at[e->var.id]);
    if (e->kind == TP_E_ASSUME) tp_for_vars(p->terms, e->a, test_flag, &all);
  }
  size_t n = 0;
  for (size_t i = 1; i < p->vars.n; i++)
    n += all.at[i].is_flag && all.at[i].has_others && all.at[i].is_tested;
  tp_free(all.at);
  return n;
}

/* Pointers of cells to cells: to the structure they are in, or, in arrays, to void. */
static bool may_link(const tp_program *p, const tp_type_info *member, size_t structure) {
  const bool is_array = member->kind == TP_T_ARRAY && member->element.id;
  const tp_type_info *one = is_array ? tp_type_of(p, member->element) : member;
  if (one->kind != TP_T_POINTER) return false;
  const bool is_void = !one->element.id || tp_type_of(p, one->element)->kind == TP_T_VOID;
  return one->element.id == structure || (is_array && is_void);
}

static bool has_links(const tp_program *p) {
  for (size_t t = 1; t < p->types.n; t++) {
    const tp_type_info *info = &p->types.at[t];
    for (uint32_t m = 0; info->kind == TP_T_STRUCT && m < info->n_members; m++)
      if (may_link(p, tp_type_of(p, info->members[m].type), t)) return true;
  }
  return false;
}

tp_features tp_features_of(const tp_program *p, tp_property property) {
  tp_features f = {.is_about_memory = tp_property_covers(TP_P_VALID_MEMSAFETY, property) ||
                                      property == TP_P_VALID_MEMSAFETY ||
                                      property == TP_P_VALID_MEMCLEANUP};
  walk w = {.p = p,
            .is_called = TP_NEW_ARRAY(bool, p->funcs.n),
            .is_input = TP_NEW_ARRAY(bool, p->vars.n)};
  bool *decided = TP_NEW_ARRAY(bool, p->loops.n + 1);
  mark_called(&w);
  tp_readers_init(&w.readers, p);
  for (uint32_t i = 1; i < p->edges.n; i++) tp_vec_push(&w.todo, i);
  while (w.todo.n) follow(&w, &p->edges.at[tp_vec_pop(&w.todo)]);
  mark_decided(&w, decided);
  for (size_t i = 1; i < p->loops.n; i++) {
    if (!w.is_called[tp_loc_of(p, p->loops.at[i].head)->func.id]) continue;
    f.n_loops++;
    f.n_input_loops += decided[i];
  }
  for (size_t i = 1; i < p->funcs.n; i++)
    f.has_recursion |= w.is_called[i] && p->funcs.at[i].is_recursive;
  for (size_t i = 1; i < p->locs.n; i++)
    f.n_checks +=
        tp_property_covers(property, p->locs.at[i].error) && w.is_called[p->locs.at[i].func.id];
  count_edges(&w, &f);
  f.n_flags = count_flags(&w);
  f.has_links = f.has_heap && has_links(p);
  tp_free(decided);
  tp_free(w.is_called);
  tp_free(w.is_input);
  tp_readers_clear(&w.readers);
  tp_vec_clear(&w.todo);
  return f;
}

void tp_features_print(const tp_features *f, tp_str *out) {
  tp_str_printf(out, "%zu operations, %zu check%s", f->n_edges, f->n_checks,
                f->n_checks == 1 ? "" : "s");
  if (f->n_loops)
    tp_str_printf(out, ", %zu loop%s (%zu decided by inputs)", f->n_loops,
                  f->n_loops == 1 ? "" : "s", f->n_input_loops);
  if (f->has_recursion) tp_str_add(out, ", recursion");
  if (f->has_links)
    tp_str_add(out, ", linked structures");
  else if (f->has_heap)
    tp_str_add(out, ", heap");
  else if (f->has_memory)
    tp_str_add(out, ", memory");
  if (f->has_floats) tp_str_add(out, ", floats");
}

/* Path formulas: states, evaluation, joining, sequencing, calls. Memory is path_memory.c's, what is
 * true of every state path_facts.c's. */
#include "formula/eliminate.h"
#include "formula/path_priv.h"

// --------------------------------------------------------------------- factory

void tp_paths_init(tp_paths *x, const tp_program *p) {
  memset(x, 0, sizeof *x);
  x->p = p;
  x->tt = p->terms;
  tp_guards_init(&x->guards, x->tt);
  tp_locals_init(&x->locals, p);
  x->pointsto = tp_pointsto_new(p);
  x->next = tp_mk_var(x->tt, "next", tp_sort_bv(x->tt, TP_OBJ_BITS));
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    x->start_memory[i] = tp_mk_var(x->tt, "start", tp_sort_of(x->tt, p->memory[i]));
  tp_paths_find_sorts(x);
  tp_paths_find_crossing(x);
}

void tp_paths_clear(tp_paths *x) {
  tp_guards_clear(&x->guards);
  tp_locals_clear(&x->locals);
  tp_pointsto_free(x->pointsto);
  tp_map_clear(&x->inputs);
  tp_map_clear(&x->is_input);
  tp_map_clear(&x->region_sorts);
  tp_map_clear(&x->crossing);
  tp_map_clear(&x->settled);
  tp_map_clear(&x->makes_pointer);
  tp_flattener_clear(&x->flattener);
  tp_vec_clear(&x->blocks);
  tp_map_clear(&x->block_of);
}

bool tp_paths_is_input(const tp_paths *x, tp_term var) {
  TP_REQUIRE(tp_term_is(var));
  return tp_map_has(&x->is_input, var.id);
}

// ---------------------------------------------------------------------- inputs

static uint64_t input_key(uint64_t source, uint64_t count, tp_sort sort) {
  return tp_hash_mix(tp_hash_mix(source + 1, count), sort.id);
}

tp_term tp_paths_input_of(const tp_paths *x, tp_edge e, uint64_t count, tp_sort sort) {
  TP_REQUIRE(e.id > 0 && e.id < x->p->edges.n);
  uint64_t found;
  return tp_map_get(&x->inputs, input_key(e.id, count, sort), &found) ? (tp_term){(uint32_t)found}
                                                                      : TP_TERM_NONE;
}

static tp_term input_number(tp_paths *x, uint64_t source, uint64_t count, const char *name,
                            tp_sort sort) {
  uint64_t key = input_key(source, count, sort), found;
  if (tp_map_get(&x->inputs, key, &found)) return (tp_term){(uint32_t)found};
  tp_term v = tp_mk_var(x->tt, name, sort);
  tp_map_set(&x->inputs, key, v.id);
  tp_map_set(&x->is_input, v.id, 1);
  return v;
}

tp_term tp_path_input(tp_paths *x, tp_path *a, uint64_t source, const char *name, tp_sort sort) {
  uint64_t count = tp_pmap_get(&a->values, tp_path_key_count(x, source));
  tp_pmap_set(&a->values, tp_path_key_count(x, source), count + 1);
  return input_number(x, source, count, name, sort);
}

/* An integer that becomes a pointer, where a pointer is asked for. */
static tp_sort input_sort(const tp_paths *x, tp_sort sort) {
  return tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR ? tp_sort_bv(x->tt, x->p->ptr_bits) : sort;
}

static tp_term as_value(const tp_paths *x, tp_sort sort, tp_term input) {
  if (tp_sort_kind_of(x->tt, sort) != TP_SORT_PTR) return input;
  return tp_mk_ptr(x->tt, tp_mk_bv(x->tt, TP_OBJ_BITS, 0), input);
}

tp_term tp_path_input_value(tp_paths *x, tp_path *a, tp_edge e, tp_sort sort) {
  const char *name = tp_edge_of(x->p, e)->name;
  return as_value(x, sort, tp_path_input(x, a, e.id, name ? name : "input", input_sort(x, sort)));
}

tp_term tp_path_any_value(tp_paths *x, tp_path *a, tp_edge e, tp_sort sort) {
  const char *name = tp_edge_of(x->p, e)->name;
  return tp_path_input(x, a, e.id, name ? name : "any", sort);
}

/* A variable that nobody wrote in this activation. */
static tp_term undefined(tp_paths *x, const tp_path *a, tp_var v) {
  const tp_var_info *info = tp_var_of(x->p, v);
  uint64_t source = x->p->edges.n + v.id;
  tp_sort sort = tp_sort_of(x->tt, info->term);
  return as_value(x, sort,
                  input_number(x, source, tp_pmap_get(&a->values, tp_path_key_count(x, source)),
                               info->name, input_sort(x, sort)));
}

// ---------------------------------------------------------------------- states

tp_path tp_path_here(tp_paths *x) {
  (void)x;
  return (tp_path){.guard = TP_GUARD_TRUE};
}

tp_path tp_path_start(tp_paths *x) {
  tp_path a = tp_path_here(x);
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    const tp_var_info *info = &x->p->vars.at[v];
    if (info->kind == TP_V_GLOBAL && tp_term_is(info->initial))
      tp_pmap_set(&a.values, v, info->initial.id);
    else if (info->kind != TP_V_GLOBAL && info->kind != TP_V_GHOST)
      tp_pmap_set(&a.values, v, TP_PATH_UNDEFINED);
  }
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    tp_path_set(&a, tp_path_key_memory(x, i), x->start_memory[i]);
  tp_path_set(&a, tp_path_key_next(x), tp_mk_bv(x->tt, TP_OBJ_BITS, x->p->statics.n));
  tp_path_set(&a, x->p->ghost_heap.id, tp_mk_bv(x->tt, 32, 0));
  tp_path_set(&a, x->p->ghost_leaked.id, tp_mk_false(x->tt));
  return a;
}

tp_path tp_path_copy(const tp_path *a) { return (tp_path){a->guard, tp_pmap_copy(&a->values)}; }

void tp_path_clear(tp_path *a) {
  tp_pmap_clear(&a->values);
  a->guard = TP_GUARD_FALSE;
}

void tp_path_set(tp_path *a, uint64_t key, tp_term value) {
  TP_REQUIRE(key > 0 && value.id != TP_PATH_UNDEFINED);
  tp_pmap_set(&a->values, key, value.id);
}

/* The symbol that a key stands for before the path. */
static tp_term symbol_of(const tp_paths *x, uint64_t key) {
  if (key < x->p->vars.n) return x->p->vars.at[key].term;
  return key == tp_path_key_next(x) ? x->next : x->p->memory[key - x->p->vars.n];
}

tp_term tp_path_get_key(tp_paths *x, const tp_path *a, uint64_t key) {
  TP_REQUIRE(key > 0 && key <= tp_path_key_next(x));
  uint64_t value = tp_pmap_get(&a->values, key);
  if (!value) return symbol_of(x, key);
  if (value == TP_PATH_UNDEFINED) return undefined(x, a, (tp_var){(uint32_t)key});
  return (tp_term){(uint32_t)value};
}

/* The key of a symbol; 0: none. */
static uint64_t key_of(const tp_paths *x, tp_term symbol) {
  tp_var v = tp_program_var_of(x->p, symbol);
  if (v.id) return v.id;
  if (tp_term_eq(symbol, x->next)) return tp_path_key_next(x);
  for (size_t i = 0; i < TP_N_MEMORIES; i++)
    if (tp_term_eq(symbol, x->p->memory[i])) return tp_path_key_memory(x, i);
  return 0;
}

// ------------------------------------------------------------------- evaluation

typedef struct {
  tp_paths *x;
  const tp_path *a;
} reading;

static tp_term value_of(void *ctx, tp_term symbol) {
  const reading *r = ctx;
  uint64_t key = key_of(r->x, symbol);
  return key ? tp_path_get_key(r->x, r->a, key) : TP_TERM_NONE;
}

tp_term tp_path_after(tp_paths *x, const tp_path *a, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  reading r = {x, a};
  return tp_paths_fold_statics(x, tp_subst(x->tt, t, value_of, &r, NULL));
}

static tp_term value_defining(void *ctx, tp_term symbol) {
  const reading *r = ctx;
  uint64_t key = key_of(r->x, symbol);
  if (!key) return TP_TERM_NONE;
  tp_term value = tp_path_get_key(r->x, r->a, key);
  if (tp_pmap_get(&r->a->values, key) == TP_PATH_UNDEFINED)
    tp_pmap_set(&((tp_path *)(uintptr_t)r->a)->values, key, value.id);
  return value;
}

// ---------------------------------------------------- integers that become pointers

typedef struct {
  const tp_terms *tt;
  tp_term_list *out;
} cast_search;

static tp_visit add_cast(void *ctx, tp_term t) {
  const cast_search *s = ctx;
  if (tp_kind(s->tt, t) == TP_OP_INT_TO_PTR && !tp_is_const(s->tt, tp_arg(s->tt, t, 0)))
    tp_vec_push(s->out, t);
  return TP_VISIT_ARGS;
}

/* Pointers that the term makes of integers which are no constants. */
static void find_casts(const tp_terms *tt, tp_term t, tp_term_list *out) {
  cast_search s = {tt, out};
  tp_visitor v = {.ctx = &s, .visit = add_cast, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(tt, t, &v, NULL);
}

/* Does an edge's term make such pointers? */
static bool makes_pointer(tp_paths *x, tp_term t) {
  uint64_t known;
  tp_term_list casts = {0};
  if (tp_map_get(&x->makes_pointer, t.id, &known)) return known;
  find_casts(x->tt, t, &casts);
  known = casts.n > 0;
  tp_map_set(&x->makes_pointer, t.id, known);
  tp_vec_clear(&casts);
  return known;
}

/* An integer whose origin lies before the path may be an address in any object: it becomes some
 * pointer with this address, the same one wherever the same integer does. */
static tp_term with_origins(tp_paths *x, tp_path *a, tp_term t) {
  tp_term_list casts = {0};
  tp_map map = {0};
  find_casts(x->tt, t, &casts);
  for (size_t i = 0; i < casts.n; i++) {
    tp_term pointer = input_number(x, UINT64_MAX - 3, tp_arg(x->tt, casts.at[i], 0).id, "pointer",
                                   tp_sort_ptr(x->tt));
    tp_map_set(&map, casts.at[i].id, pointer.id);
  }
  for (size_t i = 0; i < casts.n; i++) {
    tp_term pointer = tp_replace_all(x->tt, casts.at[i], &map),
            number = tp_replace_all(x->tt, tp_arg(x->tt, casts.at[i], 0), &map);
    a->guard = tp_guard_and(&x->guards, a->guard,
                            tp_mk_eq(x->tt, tp_mk1(x->tt, TP_OP_PTR_TO_INT, pointer), number));
  }
  if (casts.n) t = tp_replace_all(x->tt, t, &map);
  tp_vec_clear(&casts);
  tp_map_clear(&map);
  return t;
}

tp_term tp_path_eval(tp_paths *x, tp_path *a, tp_term t) {
  reading r = {x, a};
  tp_term value = tp_paths_fold_statics(x, tp_subst(x->tt, t, value_defining, &r, NULL));
  return makes_pointer(x, t) ? with_origins(x, a, value) : value;
}

tp_term tp_path_condition(const tp_paths *x, const tp_path *a) {
  return tp_guard_term(&x->guards, a->guard);
}

void tp_path_assume(tp_paths *x, tp_path *a, tp_term fact) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, fact)) == TP_SORT_BOOL);
  tp_term now = tp_path_eval(x, a, fact);  // may add to the guard itself
  a->guard = tp_guard_and(&x->guards, a->guard, now);
}

// ---------------------------------------------------------------------- joining

typedef struct {
  tp_paths *x;
  tp_term selector;
  const tp_path *a, *b;
  tp_path out;
} joiner;

static void join_value(void *ctx, uint64_t key, uint64_t in_a, uint64_t in_b) {
  joiner *j = ctx;
  if (key > tp_path_key_next(j->x)) {
    tp_pmap_set(&j->out.values, key, in_a > in_b ? in_a : in_b);
    return;
  }
  tp_term a = tp_path_get_key(j->x, j->a, key), b = tp_path_get_key(j->x, j->b, key);
  tp_path_set(&j->out, key, tp_mk_ite(j->x->tt, j->selector, a, b));
}

tp_path tp_path_join(tp_paths *x, tp_path a, tp_path b) {
  if (tp_path_is_false(&a) || tp_path_is_false(&b)) {
    tp_path_clear(tp_path_is_false(&a) ? &a : &b);
    return tp_guard_is_false(a.guard) ? b : a;
  }
  joiner j = {.x = x, .a = &a, .b = &b, .out = tp_path_copy(&a)};
  tp_guard outer = tp_guard_is_above(&x->guards, a.guard, b.guard) ? a.guard : b.guard;
  if (tp_guard_is_above(&x->guards, outer, a.guard) &&
      tp_guard_is_above(&x->guards, outer, b.guard)) {
    // A choice that no condition decides: the guards do not exclude each other.
    tp_term choice = input_number(x, UINT64_MAX - 1, x->n_renamed++, "choice", tp_sort_bool(x->tt));
    tp_term either = tp_mk_ite(x->tt, choice, tp_path_condition(x, &a), tp_path_condition(x, &b));
    j.selector = choice;
    j.out.guard = tp_guard_and(&x->guards, outer, either);
  } else {
    j.out.guard = tp_guard_join(&x->guards, a.guard, b.guard, &j.selector);
  }
  tp_pmap_diff(&a.values, &b.values, join_value, &j);
  tp_path_clear(&a);
  tp_path_clear(&b);
  return j.out;
}

// ------------------------------------------------------------------- sequencing

typedef struct {
  tp_paths *x;
  const tp_path *first;
  tp_map *renamed;  // inputs of the second
  tp_map memo;
  tp_path out;
} sequencer;

static tp_term behind_first(void *ctx, tp_term symbol) {
  sequencer *s = ctx;
  uint64_t found, key = key_of(s->x, symbol);
  if (key) return tp_path_get_key(s->x, s->first, key);
  if (!tp_paths_is_input(s->x, symbol)) return TP_TERM_NONE;
  if (tp_map_get(s->renamed, symbol.id, &found)) return (tp_term){(uint32_t)found};
  tp_term v = input_number(s->x, UINT64_MAX - 2, s->x->n_renamed++, tp_var_name(s->x->tt, symbol),
                           tp_sort_of(s->x->tt, symbol));
  tp_map_set(s->renamed, symbol.id, v.id);
  return v;
}

static tp_term moved(sequencer *s, tp_term t) {
  return tp_paths_fold_statics(s->x, tp_subst(s->x->tt, t, behind_first, s, &s->memo));
}

static void append_value(void *ctx, uint64_t key, uint64_t value, uint64_t none) {
  sequencer *s = ctx;
  (void)none;
  if (key > tp_path_key_next(s->x))
    tp_pmap_set(&s->out.values, key, value + tp_pmap_get(&s->first->values, key));
  else if (value == TP_PATH_UNDEFINED)
    tp_pmap_set(&s->out.values, key, value);
  else
    tp_path_set(&s->out, key, moved(s, (tp_term){(uint32_t)value}));
}

tp_path tp_path_then(tp_paths *x, const tp_path *a, const tp_path *b) {
  tp_map renamed = {0};
  sequencer s = {.x = x, .first = a, .renamed = &renamed, .out = tp_path_copy(a)};
  s.out.guard = tp_guard_and(&x->guards, a->guard, moved(&s, tp_path_condition(x, b)));
  tp_pmap_each(&b->values, append_value, &s);
  tp_map_clear(&renamed);
  tp_map_clear(&s.memo);
  return s.out;
}

tp_term tp_path_follow(tp_paths *x, const tp_path *a, tp_map *renamed, tp_term t) {
  TP_REQUIRE(tp_term_is(t) && renamed);
  sequencer s = {.x = x, .first = a, .renamed = renamed};
  tp_term followed = moved(&s, t);
  tp_map_clear(&s.memo);
  return followed;
}

// ------------------------------------------------------------------------ edges

void tp_path_edge(tp_paths *x, tp_path *a, tp_edge id) {
  TP_REQUIRE(id.id > 0 && id.id < x->p->edges.n);
  const tp_edge_info *e = tp_edge_of(x->p, id);
  switch (e->kind) {
    case TP_E_SKIP:
    case TP_E_CALL: break;
    case TP_E_ASSIGN: tp_path_set(a, e->var.id, tp_path_eval(x, a, e->a)); break;
    case TP_E_ASSUME:
      tp_path_ask_lost(x, a, e);
      tp_path_assume(x, a, e->a);
      break;
    case TP_E_RETURN: {
      tp_var result = tp_func_of(x->p, tp_loc_of(x->p, e->from)->func)->result;
      if (result.id && tp_term_is(e->a)) tp_path_set(a, result.id, tp_path_eval(x, a, e->a));
      break;
    }
    case TP_E_HAVOC:
      if (e->var.id)
        tp_path_set(
            a, e->var.id,
            tp_path_input_value(x, a, id, tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term)));
      if (e->may_write) tp_path_havoc_memory(x, a, id.id);
      break;
    case TP_E_LOAD:
    case TP_E_STORE:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: tp_path_memory_edge(x, a, id, e); break;
  }
  if (e->kind != TP_E_SKIP && e->kind != TP_E_ASSUME) tp_path_havoc_leaked(x, a, id);
}

// ------------------------------------------------------------------------ calls

static void make_undefined(tp_paths *x, tp_path *a, tp_var v) {
  uint64_t count = tp_path_key_count(x, x->p->edges.n + v.id);
  if (tp_pmap_get(&a->values, v.id) == TP_PATH_UNDEFINED) return;
  tp_pmap_set(&a->values, v.id, TP_PATH_UNDEFINED);
  tp_pmap_set(&a->values, count, tp_pmap_get(&a->values, count) + 1);
}

static void havoc_locals(tp_paths *x, tp_path *a, tp_func f) {
  for (uint32_t i = x->locals.first[f.id]; i < x->locals.first[f.id + 1]; i++)
    make_undefined(x, a, x->locals.at[i]);
}

void tp_path_call(tp_paths *x, tp_path *a, tp_edge call, tp_func callee) {
  TP_REQUIRE(tp_edge_of(x->p, call)->kind == TP_E_CALL && callee.id);
  const tp_edge_info *e = tp_edge_of(x->p, call);
  const tp_func_info *f = tp_func_of(x->p, callee);
  if (!e->callee.id)
    tp_path_assume(x, a, tp_mk_eq(x->tt, e->a, tp_mk_ptr_const(x->tt, f->object, 0)));
  tp_term *args = TP_NEW_ARRAY(tp_term, e->n_args + 1);
  for (uint32_t i = 0; i < e->n_args; i++) args[i] = tp_path_eval(x, a, e->args[i]);
  havoc_locals(x, a, callee);
  for (uint32_t i = 0; i < f->n_params && i < e->n_args; i++)
    if (tp_sort_eq(tp_sort_of(x->tt, args[i]),
                   tp_sort_of(x->tt, tp_var_of(x->p, f->params[i])->term)))
      tp_path_set(a, f->params[i].id, args[i]);
  tp_free(args);
  tp_path_havoc_leaked(x, a, call);
}

/* The result variable's value; of another sort than what is returned: any. */
static void assign_result(tp_paths *x, tp_path *a, tp_edge call, tp_term value) {
  const tp_edge_info *e = tp_edge_of(x->p, call);
  if (!e->var.id) return;
  tp_sort sort = tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term);
  bool fits = tp_term_is(value) && tp_sort_eq(tp_sort_of(x->tt, value), sort);
  tp_path_set(a, e->var.id, fits ? value : tp_path_any_value(x, a, call, sort));
}

void tp_path_return(tp_paths *x, tp_path *a, tp_edge call, tp_func callee) {
  TP_REQUIRE(tp_edge_of(x->p, call)->kind == TP_E_CALL && callee.id);
  tp_var result = tp_func_of(x->p, callee)->result;
  tp_term value = result.id ? tp_path_eval(x, a, tp_var_of(x->p, result)->term) : TP_TERM_NONE;
  havoc_locals(x, a, callee);
  assign_result(x, a, call, value);
  tp_path_havoc_leaked(x, a, call);
}

void tp_path_summary(tp_paths *x, tp_path *a, tp_edge call, tp_func callee, tp_term post) {
  TP_REQUIRE(tp_edge_of(x->p, call)->kind == TP_E_CALL &&
             tp_sort_kind_of(x->tt, tp_sort_of(x->tt, post)) == TP_SORT_BOOL);
  const tp_program *p = x->p;
  for (uint32_t i = x->locals.first[0]; i < x->locals.first[1]; i++) {
    tp_var v = x->locals.at[i];
    if (v.id == p->ghost_size.id || v.id == p->ghost_kind.id)
      continue;  // of objects that exist, these stay
    tp_path_set(a, v.id, tp_path_any_value(x, a, call, tp_sort_of(x->tt, tp_var_of(p, v)->term)));
  }
  tp_path_havoc_memory(x, a, call.id);
  tp_term before = tp_path_get_key(x, a, tp_path_key_next(x));
  tp_term more = tp_path_input(x, a, call.id, "next", tp_sort_bv(x->tt, TP_OBJ_BITS));
  a->guard = tp_guard_and(&x->guards, a->guard, tp_mk2(x->tt, TP_OP_BV_ULE, before, more));
  tp_path_set(a, tp_path_key_next(x), more);
  tp_var result = tp_func_of(p, callee)->result;
  if (result.id) {
    // The result's own variable may be the caller's, too, if the function is active already: it is
    // put back.
    uint64_t own = tp_pmap_get(&a->values, result.id);
    tp_term value = tp_path_any_value(x, a, call, tp_sort_of(x->tt, tp_var_of(p, result)->term));
    tp_path_set(a, result.id, value);
    tp_path_assume(x, a, post);
    tp_pmap_set(&a->values, result.id, own);
    assign_result(x, a, call, value);
  } else {
    tp_path_assume(x, a, post);
    assign_result(x, a, call, TP_TERM_NONE);
  }
  tp_path_havoc_leaked(x, a, call);
}

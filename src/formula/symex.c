/* Symbolic execution: tables, evaluation, joins, the edges that do not touch memory. */
#include "formula/symex_priv.h"

// ---------------------------------------------------------------------- tables

static void add_statics(tp_symex *x) {
  tp_vec_push(&x->instances, (tp_instance){0});
  tp_vec_push(&x->backgrounds, (tp_background){0});
  for (uint32_t i = 1; i < x->p->statics.n; i++) {
    const tp_static *st = &x->p->statics.at[i];
    tp_instance o = {.kind = st->kind,
                     .size = tp_mk_bv(x->tt, x->p->ptr_bits, st->size_bytes),
                     .has_const_size = true,
                     .size_bytes = st->size_bytes,
                     .is_const = st->is_const || st->kind == TP_O_LITERAL,
                     .allocated = tp_mk_true(x->tt)};
    tp_vec_push(&x->instances, o);
    if (st->is_extern)
      (void)tp_background_input(x, i);
    else
      (void)tp_background_image(x, i);
  }
}

void tp_symex_init(tp_symex *x, const tp_program *p, tp_property asked) {
  memset(x, 0, sizeof *x);
  x->p = p;
  x->tt = p->terms;
  x->checks_access = tp_property_covers(asked, TP_P_VALID_DEREF);
  x->checks_free = tp_property_covers(asked, TP_P_VALID_FREE);
  tp_arena_init(&x->arena);
  tp_guards_init(&x->guards, x->tt);
  tp_value_sets_init(&x->values, x->tt);
  tp_pointers_init(&x->pointers, x->tt);
  add_statics(x);
}

static void clear_records(tp_symex *x) {
  for (size_t i = 0; i < x->backgrounds.n; i++) {
    tp_vec_clear(&x->backgrounds.at[i].pieces);
    tp_map_clear(&x->backgrounds.at[i].piece_at);
  }
  tp_map_clear(&x->assumption_at);
  tp_map_clear(&x->made_at);
  tp_map_clear(&x->fills);
  x->backgrounds.n = x->instances.n = x->events.n = x->pieces.n = x->assumptions.n = x->gaps.n = 0;
}

void tp_symex_restart(tp_symex *x) {
  clear_records(x);
  tp_guards_reset(&x->guards);
  for (size_t i = 0; i < x->pool.n; i++) x->pool.at[i].used = 0;
  add_statics(x);
}

void tp_symex_clear(tp_symex *x) {
  clear_records(x);
  for (size_t i = 0; i < x->pool.n; i++) tp_vec_clear(&x->pool.at[i].vars);
  tp_vec_clear(&x->pool);
  tp_map_clear(&x->pools);
  tp_map_clear(&x->scripts);
  tp_vec_clear(&x->results);
  tp_vec_clear(&x->instances);
  tp_vec_clear(&x->backgrounds);
  tp_vec_clear(&x->events);
  tp_vec_clear(&x->pieces);
  tp_vec_clear(&x->assumptions);
  tp_vec_clear(&x->gaps);
  tp_pointers_clear(&x->pointers);
  tp_value_sets_clear(&x->values);
  tp_guards_clear(&x->guards);
  tp_arena_clear(&x->arena);
}

tp_term tp_symex_fresh(tp_symex *x, const char *name, tp_sort sort) {
  uint64_t index;
  if (!tp_map_get(&x->pools, sort.id, &index)) {
    tp_vec_push(&x->pool, (tp_input_pool){.used = 0});
    index = x->pool.n;
    tp_map_set(&x->pools, sort.id, index);
  }
  tp_input_pool *pool = &x->pool.at[index - 1];
  if (pool->used == pool->vars.n) tp_vec_push(&pool->vars, tp_mk_var(x->tt, name, sort));
  return pool->vars.at[pool->used++];
}

// ---------------------------------------------------------------------- states

tp_sym tp_sym_initial(tp_symex *x) {
  tp_sym s = {.guard = TP_GUARD_TRUE, .heap = tp_mk_bv(x->tt, 32, 0)};
  s.objects.ops = &tp_content_ops;
  for (uint32_t i = 1; i < x->p->vars.n; i++) {
    const tp_var_info *v = &x->p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && tp_term_is(v->initial)) tp_pmap_set(&s.vars, i, v->initial.id);
  }
  return s;
}

tp_sym tp_sym_copy(const tp_sym *s) {
  tp_sym c = *s;
  c.vars = tp_pmap_copy(&s->vars);
  c.objects = tp_pmap_copy(&s->objects);
  return c;
}

void tp_sym_clear(tp_sym *s) {
  tp_pmap_clear(&s->vars);
  tp_pmap_clear(&s->objects);
  s->guard = TP_GUARD_FALSE;
}

tp_term tp_sym_get(tp_symex *x, tp_sym *s, tp_var v) {
  TP_REQUIRE(v.id > 0 && v.id < x->p->vars.n);
  tp_term value = {(uint32_t)tp_pmap_get(&s->vars, v.id)};
  if (tp_term_is(value)) return value;
  const tp_var_info *info = tp_var_of(x->p, v);
  value = tp_symex_fresh(x, info->name, tp_sort_of(x->tt, info->term));
  tp_pmap_set(&s->vars, v.id, value.id);
  return value;
}

void tp_sym_set(tp_sym *s, tp_var v, tp_term value) { tp_pmap_set(&s->vars, v.id, value.id); }

void tp_sym_assume(tp_symex *x, tp_sym *s, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, condition)) == TP_SORT_BOOL);
  s->guard = tp_guard_and(&x->guards, s->guard, condition);
}

static void add_assumption(tp_symex *x, tp_term condition, tp_pos pos, const char *what) {
  uint64_t at, key = tp_hash_mix(tp_hash_mix(tp_hash_mix(pos.file, pos.line), pos.column),
                                 tp_hash_bytes(what, strlen(what), 0));
  if (tp_map_get(&x->assumption_at, key, &at)) {
    tp_note *n = &x->assumptions.at[at - 1];
    n->condition = tp_mk_or(x->tt, n->condition, condition);
    return;
  }
  tp_vec_push(&x->assumptions, (tp_note){.condition = condition, .pos = pos, .what = what});
  tp_map_set(&x->assumption_at, key, x->assumptions.n);
}

void tp_sym_require(tp_symex *x, tp_sym *s, tp_term condition, tp_pos pos, const char *what) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, condition)) == TP_SORT_BOOL && what);
  if (tp_is_true(x->tt, condition)) return;
  tp_guard bad = tp_guard_and(&x->guards, s->guard, tp_mk_not(x->tt, condition));
  if (!tp_guard_is_false(bad)) add_assumption(x, tp_guard_term(&x->guards, bad), pos, what);
  tp_sym_assume(x, s, condition);
}

void tp_sym_give_up(tp_symex *x, tp_sym *s, tp_term condition, tp_pos pos, const char *what,
                    tp_gap_kind kind) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, condition)) == TP_SORT_BOOL && what);
  tp_guard lost = tp_guard_and(&x->guards, s->guard, condition);
  if (tp_guard_is_false(lost)) return;
  tp_vec_push(&x->gaps, (tp_note){tp_guard_term(&x->guards, lost), pos, what, kind});
  tp_sym_assume(x, s, tp_mk_not(x->tt, condition));
}

// ---------------------------------------------------------------------- joining

typedef struct {
  tp_symex *x;
  tp_term selector;
  tp_sym *a, *b;
  tp_sym out;
  bool failed;
} joiner;

static void join_var(void *ctx, uint64_t var, uint64_t in_a, uint64_t in_b) {
  joiner *j = ctx;
  tp_term a = {(uint32_t)in_a}, b = {(uint32_t)in_b};
  if (!in_a) tp_pmap_set(&j->out.vars, var, in_b);
  if (in_a && in_b) tp_pmap_set(&j->out.vars, var, tp_mk_ite(j->x->tt, j->selector, a, b).id);
}

static void join_object(void *ctx, uint64_t object, uint64_t in_a, uint64_t in_b) {
  joiner *j = ctx;
  bool is_static = object < j->x->p->statics.n;
  if ((!in_a || !in_b) && !is_static) {
    if (in_a) return;
    tp_content_ops.retain(in_b);
    tp_pmap_set(&j->out.objects, object, in_b);
    return;
  }
  tp_content *a = tp_sym_content(j->x, j->a, (uint32_t)object),
             *b = tp_sym_content(j->x, j->b, (uint32_t)object);
  tp_content *c = tp_content_join(j->x, j->selector, a, b);
  if (c)
    tp_pmap_set(&j->out.objects, object, (uint64_t)(uintptr_t)c);
  else
    j->failed = true;
}

tp_sym tp_sym_join(tp_symex *x, tp_sym a, tp_sym b) {
  if (tp_guard_is_false(a.guard)) {
    tp_sym_clear(&a);
    return b;
  }
  if (tp_guard_is_false(b.guard)) {
    tp_sym_clear(&b);
    return a;
  }
  joiner j = {.x = x, .a = &a, .b = &b, .out = tp_sym_copy(&a)};
  j.out.guard = tp_guard_join(&x->guards, a.guard, b.guard, &j.selector);
  tp_pmap_diff(&a.vars, &b.vars, join_var, &j);
  j.out.heap = tp_mk_ite(x->tt, j.selector, a.heap, b.heap);
  tp_sym before_a = tp_sym_copy(&a),
         before_b = tp_sym_copy(&b);  // statics may be added to a and b meanwhile
  tp_pmap_diff(&before_a.objects, &before_b.objects, join_object, &j);
  tp_sym_clear(&before_a);
  tp_sym_clear(&before_b);
  tp_sym_clear(&a);
  tp_sym_clear(&b);
  if (j.failed)
    tp_sym_give_up(x, &j.out, tp_mk_true(x->tt), TP_POS_NONE,
                   "contents of a large object differ between paths", TP_GAP_CONSTRUCT);
  return j.out;
}

// ------------------------------------------------------------------- evaluation

static uint32_t script_index(const tp_map *at, tp_term t) {
  TP_REQUIRE(at->n > 0);
  uint64_t i = 0;
  (void)tp_map_get(at, t.id, &i);
  return (uint32_t)i;
}

static tp_script *compile(tp_symex *x, tp_term t) {
  tp_script *sc = tp_arena_new(&x->arena, tp_script);
  TP_VEC(tp_term) stack = {0};
  TP_VEC(struct tp_script_node) nodes = {0};
  tp_map at = {0};
  tp_vec_push(&stack, t);
  while (stack.n) {
    tp_term top = tp_vec_last(&stack);
    uint32_t n = tp_n_args(x->tt, top), missing = 0;
    for (uint32_t i = 0; i < n && !tp_map_has(&at, top.id); i++)
      if (!tp_map_has(&at, tp_arg(x->tt, top, i).id)) {
        tp_vec_push(&stack, tp_arg(x->tt, top, i));
        missing++;
      }
    if (missing) continue;
    if (!tp_map_has(&at, top.id)) {
      struct tp_script_node node = {.original = top};
      for (uint32_t i = 0; i < n; i++) node.arg[i] = script_index(&at, tp_arg(x->tt, top, i));
      tp_map_set(&at, top.id, nodes.n);
      tp_vec_push(&nodes, node);
    }
    (void)tp_vec_pop(&stack);
  }
  sc->n = (uint32_t)nodes.n;
  sc->nodes = tp_arena_alloc(&x->arena, nodes.n * sizeof *sc->nodes);
  memcpy(sc->nodes, nodes.at, nodes.n * sizeof *sc->nodes);
  tp_vec_clear(&stack);
  tp_vec_clear(&nodes);
  tp_map_clear(&at);
  return sc;
}

static tp_term eval_var(tp_symex *x, tp_sym *s, tp_term t) {
  const tp_program *p = x->p;
  tp_var v = tp_program_var_of(p, t);
  if (!v.id) return t;
  if (v.id == p->ghost_heap.id) return s->heap;
  if (v.id == p->ghost_leaked.id) return tp_ghost_lost(x, s);
  if (v.id == p->ghost_size.id || v.id == p->ghost_live.id || v.id == p->ghost_kind.id)
    return t;  // read by SELECT
  return tp_sym_get(x, s, v);
}

/* SELECT on one of the ghost arrays? */
static bool is_ghost_select(const tp_symex *x, tp_term t, tp_ghost *g) {
  if (tp_kind(x->tt, t) != TP_OP_SELECT || tp_kind(x->tt, tp_arg(x->tt, t, 0)) != TP_OP_VAR)
    return false;
  tp_var v = tp_program_var_of(x->p, tp_arg(x->tt, t, 0));
  *g = v.id == x->p->ghost_size.id   ? TP_GHOST_SIZE
       : v.id == x->p->ghost_live.id ? TP_GHOST_LIVE
                                     : TP_GHOST_KIND;
  return v.id && (v.id == x->p->ghost_size.id || v.id == x->p->ghost_live.id ||
                  v.id == x->p->ghost_kind.id);
}

static tp_term eval_node(tp_symex *x, tp_sym *s, const struct tp_script_node *node,
                         const tp_term *results) {
  tp_term t = node->original, args[3] = {{0}, {0}, {0}};
  uint32_t n = tp_n_args(x->tt, t);
  tp_ghost g;
  if (tp_kind(x->tt, t) == TP_OP_VAR) return eval_var(x, s, t);
  if (n == 0) return t;
  if (is_ghost_select(x, t, &g)) return tp_ghost_select(x, s, g, results[node->arg[1]]);
  for (uint32_t i = 0; i < n; i++) args[i] = results[node->arg[i]];
  return tp_rebuild(x->tt, t, args);
}

tp_term tp_sym_eval(tp_symex *x, tp_sym *s, tp_term t) {
  uint64_t found;
  if (tp_n_args(x->tt, t) == 0) return tp_kind(x->tt, t) == TP_OP_VAR ? eval_var(x, s, t) : t;
  const tp_script *sc;
  if (tp_map_get(&x->scripts, t.id, &found)) {
    sc = (const tp_script *)(uintptr_t)found;
  } else {
    sc = compile(x, t);
    tp_map_set(&x->scripts, t.id, (uint64_t)(uintptr_t)sc);
  }
  tp_vec_resize(&x->results, sc->n);
  for (uint32_t i = 0; i < sc->n; i++) {
    tp_term value = eval_node(x, s, &sc->nodes[i], x->results.at);
    x->results.at[i] = value;
  }
  TP_INVARIANT(tp_sort_eq(tp_sort_of(x->tt, x->results.at[sc->n - 1]), tp_sort_of(x->tt, t)));
  return x->results.at[sc->n - 1];
}

// ------------------------------------------------------------------------ edges

/* The value of an input of this sort: pointers are integers that became pointers. */
static tp_term input_value(tp_symex *x, const tp_edge_info *e, tp_sort sort, tp_term *var) {
  const char *name = e->name ? e->name : "input";
  if (tp_sort_kind_of(x->tt, sort) != TP_SORT_PTR) return *var = tp_symex_fresh(x, name, sort);
  *var = tp_symex_fresh(x, name, tp_sort_bv(x->tt, x->p->ptr_bits));
  return tp_mk_ptr(x->tt, tp_mk_bv(x->tt, TP_OBJ_BITS, 0), *var);
}

static void havoc(tp_symex *x, tp_sym *s, tp_edge id, const tp_edge_info *e) {
  if (e->may_write) {
    tp_note gap = {tp_guard_term(&x->guards, s->guard), e->pos,
                   tp_arena_printf(&x->arena, "external function %s may write memory",
                                   e->name ? e->name : "?"),
                   TP_GAP_CALLEE};
    tp_vec_push(&x->gaps, gap);
  }
  if (!e->var.id) return;
  tp_term var, value = input_value(x, e, tp_sort_of(x->tt, tp_var_of(x->p, e->var)->term), &var);
  tp_vec_push(&x->events, (tp_symex_event){.guard = s->guard, .edge = id, .var = var});
  tp_sym_set(s, e->var, value);
}

void tp_sym_step(tp_symex *x, tp_sym *s, tp_edge id) {
  TP_REQUIRE(id.id > 0 && id.id < x->p->edges.n);
  const tp_edge_info *e = tp_edge_of(x->p, id);
  x->edges_done++;
  switch (e->kind) {
    case TP_E_SKIP:
    case TP_E_CALL:
    case TP_E_RETURN: break;
    case TP_E_ASSIGN: tp_sym_set(s, e->var, tp_sym_eval(x, s, e->a)); break;
    case TP_E_ASSUME:
      if (e->name)
        tp_sym_require(x, s, tp_sym_eval(x, s, e->a), e->pos, e->name);
      else
        tp_sym_assume(x, s, tp_sym_eval(x, s, e->a));
      break;
    case TP_E_LOAD: tp_sym_load(x, s, e); break;
    case TP_E_STORE: tp_sym_store(x, s, e); break;
    case TP_E_ALLOC: tp_sym_alloc(x, s, id, e); break;
    case TP_E_FREE: tp_sym_free(x, s, e); break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: tp_sym_block(x, s, id, e); break;
    case TP_E_HAVOC: havoc(x, s, id, e); break;
    case TP_E_END_SCOPE: tp_sym_end_scope(x, s, e); break;
  }
}

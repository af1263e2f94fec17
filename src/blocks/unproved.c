/* Each edge out of a reached location is looked at in each element there. An access counts as
 * settled if its address is a known object plus offsets whose range, as the analysis knows it,
 * stays inside. Pointers of unknown origin are the certificate checker's business: it refuses a
 * proof that follows one. */
#include "blocks/unproved.h"

/* A local in memory. */
typedef struct {
  uint64_t size;  // bytes, 0: not known
  bool *absent;   // by location: it may not be allocated there
} local;

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_property property;
  tp_view view;
  tp_loc loc;       // where the operation is
  tp_map local_of;  // variable -> local *
  tp_arena arena;
} visitor;

// --------------------------------------------------------------------- accesses

typedef enum { READS, WRITES } access_mode;

static bool range_of(const visitor *l, tp_term t, tp_range *r) {
  return l->view.cpa && tp_view_range(l->view, t, r);
}

static bool is_true(const visitor *l, tp_term t) {
  tp_range r;
  return tp_is_true(l->tt, t) || (range_of(l, t, &r) && r.umin == 1);
}

/* Bounds of t in its signed reading. */
static bool signed_range(const visitor *l, tp_term t, int64_t *low, int64_t *high) {
  tp_range r;
  uint64_t c;
  if (tp_bv_value_u64(l->tt, t, &c)) {
    *low = *high = l->p->ptr_bits == 32 ? (int64_t)(int32_t)(uint32_t)c : (int64_t)c;
    return true;
  }
  if (!range_of(l, t, &r)) return false;
  *low = r.smin;
  *high = r.smax;
  return true;
}

/* Where the local of this variable may not exist: locations that a path from the function's entry
 * or from the end of its scope comes to without allocating it. */
static local *look_up_local(visitor *l, tp_var v) {
  const tp_program *p = l->p;
  uint64_t found;
  if (tp_map_get(&l->local_of, v.id, &found)) return (local *)(uintptr_t)found;
  local *at = tp_arena_new(&l->arena, local);
  bool *absent = at->absent = tp_arena_array(&l->arena, bool, p->locs.n);
  TP_VEC(tp_loc) todo = {0};
  tp_vec_push(&todo, tp_func_of(p, tp_var_of(p, v)->func)->entry);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    uint64_t size = 0;
    if (e->kind == TP_E_END_SCOPE && tp_term_eq(e->a, tp_var_of(p, v)->term))
      tp_vec_push(&todo, e->to);
    if (e->kind != TP_E_ALLOC || e->var.id != v.id) continue;
    bool known = tp_bv_value_u64(l->tt, e->a, &size) && (at->size == 0 || at->size == size);
    at->size = known ? size : UINT64_MAX;
  }
  if (at->size == UINT64_MAX) at->size = 0;
  while (todo.n) {
    tp_loc x = tp_vec_pop(&todo);
    if (absent[x.id]) continue;
    absent[x.id] = true;
    tp_edge_list out = tp_out_edges(p, x);
    for (uint32_t i = 0; i < out.n; i++) {
      const tp_edge_info *e = &p->edges.at[out.at[i]];
      if (e->kind != TP_E_ALLOC || e->var.id != v.id) tp_vec_push(&todo, e->to);
    }
  }
  tp_vec_clear(&todo);
  tp_map_set(&l->local_of, v.id, (uint64_t)(uintptr_t)at);
  return at;
}

/* The size of the local that this variable holds the address of, if it certainly exists here. 0:
 * not known. */
static uint64_t local_size(visitor *l, tp_term base) {
  tp_var v = tp_program_var_of(l->p, base);
  if (!v.id || !tp_var_of(l->p, v)->is_address || !tp_var_of(l->p, v)->func.id) return 0;
  const local *at = look_up_local(l, v);
  return at->absent[l->loc.id] ? 0 : at->size;
}

static uint64_t object_size(visitor *l, tp_term base, access_mode mode) {
  if (tp_kind(l->tt, base) != TP_OP_PTR_CONST) return local_size(l, base);
  uint32_t o = tp_ptr_const_object(l->tt, base);
  if (o == 0 || o >= l->p->statics.n) return 0;
  const tp_static *st = &l->p->statics.at[o];
  bool is_const = st->is_const || st->kind == TP_O_LITERAL;
  return st->kind == TP_O_FUNCTION || (mode == WRITES && is_const) ? 0 : st->size_bytes;
}

/* Do the bytes from `address` on lie in a live object? */
static bool is_inside(visitor *l, tp_term address, uint64_t n_bytes, access_mode mode) {
  tp_i128 low = 0, high = 0;
  while (tp_kind(l->tt, address) == TP_OP_PTR_ADD) {
    int64_t a, b;
    if (!signed_range(l, tp_arg(l->tt, address, 1), &a, &b)) return false;
    low += a, high += b;
    address = tp_arg(l->tt, address, 0);
  }
  if (tp_kind(l->tt, address) == TP_OP_PTR_CONST) {
    tp_term moved = tp_mk_bv(l->tt, l->p->ptr_bits, tp_ptr_const_offset(l->tt, address));
    int64_t a = 0, b = 0;
    (void)signed_range(l, moved, &a, &b);
    low += a, high += b;
  }
  tp_i128 size = (tp_i128)object_size(l, address, mode);
  return low >= 0 && high + (tp_i128)n_bytes <= size;
}

static uint64_t bytes_of(const visitor *l, tp_term value) {
  return tp_sort_bytes(l->tt, tp_sort_of(l->tt, value));
}

/* A block of a length that the analysis bounds. */
static bool is_block_inside(visitor *l, tp_term address, tp_term length, access_mode mode) {
  tp_range r;
  uint64_t n;
  if (tp_bv_value_u64(l->tt, length, &n)) return n == 0 || is_inside(l, address, n, mode);
  return range_of(l, length, &r) && r.umax <= INT64_MAX && is_inside(l, address, r.umax, mode);
}

// -------------------------------------------------------------------- operations

/* What ends runs at this operation although the property does not check it; NULL: nothing. Static
 * text, or from the program. */
static const char *missing_meaning(visitor *l, const tp_edge_info *e) {
  static const char read[] = "read through an invalid pointer",
                    write[] = "write through an invalid pointer";
  bool checks_access = tp_property_covers(l->property, TP_P_VALID_DEREF);
  switch (e->kind) {
    case TP_E_ASSUME: return e->name && !is_true(l, e->a) ? e->name : NULL;
    case TP_E_LOAD:
      return checks_access || is_inside(l, e->a, bytes_of(l, tp_var_of(l->p, e->var)->term), READS)
                 ? NULL
                 : read;
    case TP_E_STORE:
      return checks_access || is_inside(l, e->a, bytes_of(l, e->b), WRITES) ? NULL : write;
    case TP_E_COPY:
      if (checks_access || !tp_term_is(e->c)) return NULL;
      if (!is_block_inside(l, e->a, e->c, WRITES)) return write;
      return is_block_inside(l, e->b, e->c, READS) ? NULL : read;
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
      return checks_access || !tp_term_is(e->c) || is_block_inside(l, e->a, e->c, WRITES) ? NULL
                                                                                          : write;
    case TP_E_FREE:
      if (tp_property_covers(l->property, TP_P_VALID_FREE) || tp_term_eq(e->a, tp_mk_null(l->tt)))
        return NULL;
      return "free of an invalid pointer";
    case TP_E_CALL: return e->callee.id ? NULL : "call through a pointer that is not a function";
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_RETURN:
    case TP_E_END_SCOPE: return NULL;  // ends are those of the scopes that were entered
  }
  return NULL;
}

static const char *gap_of(const tp_edge_info *e, tp_arena *arena) {
  if (e->kind == TP_E_HAVOC && e->may_write)
    return tp_arena_printf(arena, "external function %s may write memory", e->name ? e->name : "?");
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c))
    return "a function without body may write memory";
  return NULL;
}

// ----------------------------------------------------------------------- looking

static const char *with_position(const tp_program *p, const char *format, const char *what,
                                 tp_pos pos, tp_arena *arena) {
  tp_str at = {0};
  if (p->diag) tp_pos_print(p->diag, pos, &at);
  const char *text = tp_arena_printf(arena, format, what, tp_str_text(&at));
  tp_str_clear(&at);
  return text;
}

static void assume(tp_unproved *d, const char *text) {
  for (size_t i = 0; i < d->assumptions.n; i++)
    if (!strcmp(d->assumptions.at[i], text)) return;
  tp_vec_push(&d->assumptions, text);
}

static void visit_edge(visitor *l, uint32_t edge, const char **unproved, tp_unproved *out) {
  TP_REQUIRE(edge > 0 && edge < l->p->edges.n);
  const tp_edge_info *e = &l->p->edges.at[edge];
  const char *gap = out->gap ? NULL : gap_of(e, &out->arena);
  if (gap) {
    out->gap = with_position(l->p, "%s at %s", gap, e->pos, &out->arena);
    out->gap_pos = e->pos;
  }
  l->loc = e->from;
  if (!unproved[edge]) unproved[edge] = missing_meaning(l, e);
}

static void visit_node(visitor *l, const tp_node *n, const char **unproved, tp_unproved *out) {
  tp_edge_list edges = tp_out_edges(l->p, n->loc);
  l->view.elem = n->state.elem;
  for (uint32_t i = 0; i < edges.n; i++) visit_edge(l, edges.at[i], unproved, out);
}

/* Calls that were taken as a whole although nobody knows what they do. */
static void visit_contracts(tp_recursion *r, const tp_program *p, tp_unproved *out) {
  for (uint32_t k = 1; k <= tp_recursion_n(r) && !out->gap; k++) {
    const tp_contract *c = tp_recursion_contract(r, k);
    const tp_func_info *f = tp_func_of(p, c->func);
    if (!f->has_body && c->users.n)
      out->gap = tp_arena_printf(&out->arena, "external function %s may write memory", f->name);
  }
}

static void start(visitor *l, tp_unproved *out) {
  *out = (tp_unproved){0};
  tp_arena_init(&out->arena);
  tp_arena_init(&l->arena);
  for (size_t i = 1; i < l->p->assumptions.n; i++)
    assume(out, tp_arena_strdup(&out->arena, l->p->assumptions.at[i]));
}

/* unproved: by edge; freed. */
static void finish(visitor *l, const char **unproved, tp_unproved *out) {
  for (uint32_t e = 1; e < l->p->edges.n; e++)
    if (unproved[e])
      assume(out,
             with_position(l->p, "no %s at %s", unproved[e], l->p->edges.at[e].pos, &out->arena));
  tp_free(unproved);
  tp_map_clear(&l->local_of);
  tp_arena_clear(&l->arena);
}

void tp_unproved_find(tp_recursion *r, const tp_cpa_env *env, tp_cpa *cpa, tp_unproved *out) {
  const tp_program *p = env->program;
  tp_reached *reached = tp_recursion_reached(r);
  visitor l = {.p = p, .tt = p->terms, .property = env->property, .view = {.cpa = cpa}};
  const char **unproved = TP_NEW_ARRAY(const char *, p->edges.n);
  start(&l, out);
  for (uint32_t i = 1; i <= tp_reached_n(reached); i++) {
    const tp_node *n = tp_reached_node(reached, i);
    if (!n->removed && n->loc.id) visit_node(&l, n, unproved, out);
  }
  visit_contracts(r, p, out);
  finish(&l, unproved, out);
}

void tp_unproved_of_edges(const tp_program *p, tp_property property, const bool *edges,
                          tp_unproved *out) {
  visitor l = {.p = p, .tt = p->terms, .property = property};
  const char **unproved = TP_NEW_ARRAY(const char *, p->edges.n);
  start(&l, out);
  for (uint32_t e = 1; e < p->edges.n; e++)
    if (edges[e]) visit_edge(&l, e, unproved, out);
  finish(&l, unproved, out);
}

void tp_unproved_clear(tp_unproved *d) {
  tp_vec_clear(&d->assumptions);
  tp_arena_clear(&d->arena);
}

/* Which objects can become variables: a search over calls.
 *
 * All objects of few bytes are candidates at first. Functions are followed with what
 * their parameters hold, from those that nobody calls; wherever the address of a candidate is used
 * for something that has no meaning for a variable - it is stored, returned, compared in a callee,
 * read at another width or at an offset that is not constant - the candidate is rejected, and the
 * search begins again without it. Each search is without effect on the program, and one that
 * rejects nothing is the answer; there are at most as many as there are candidates.
 *
 * A pointer that is assigned once, to the address of an object, stands for the address where it is
 * set on all paths. An address is used only where its object lives on all paths: so an access that
 * is left out could not have failed. */
#include "program/promote_priv.h"

#include <string.h>

bool tp_promote_is_end(const tp_program *p, const tp_edge_info *e) {
  return e->kind == TP_E_ASSIGN && tp_promote_is_null(p->terms, e->a);
}

// ------------------------------------------------------------------- candidates

static void add_object(tp_promotion *x, tp_promote_object o) {
  tp_vec_push(&x->objects, o);
  if (o.address.id) x->object_of_var[o.address.id] = (uint32_t)x->objects.n;
  if (o.object) x->object_of_static[o.object] = (uint32_t)x->objects.n;
}

static bool fits(const tp_program *p, uint64_t size_bytes) {
  return size_bytes > 0 && size_bytes <= (uint64_t)TP_PROGRAM_PROMOTED_SLOTS * p->ptr_bits / 8;
}

/* A stack object whose size is constant, of a function that is not active twice. */
static void add_stack_object(tp_promotion *x, const tp_edge_info *e) {
  const tp_program *p = x->p;
  const tp_var_info *v = tp_var_of(p, e->var);
  uint64_t size = 0, fill = 0;
  if (x->object_of_var[e->var.id] || !v->is_address || v->kind == TP_V_GLOBAL || !v->func.id)
    return;
  if (tp_func_of(p, v->func)->is_recursive || tp_func_of(p, v->func)->is_model) return;
  if (!tp_bv_value_u64(x->tt, e->a, &size) || !fits(p, size)) return;
  if (tp_term_is(e->b) && (!tp_bv_value_u64(x->tt, e->b, &fill) || fill)) return;
  add_object(x, (tp_promote_object){
                    .address = e->var, .func = v->func, .size_bytes = size, .pos = v->pos});
}

static void find_candidates(tp_promotion *x) {
  const tp_program *p = x->p;
  for (uint32_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    if (s->kind != TP_O_GLOBAL || s->is_const || s->is_extern || !fits(p, s->size_bytes)) continue;
    add_object(x, (tp_promote_object){.object = i, .size_bytes = s->size_bytes, .pos = s->pos});
  }
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->from.id && e->kind == TP_E_ALLOC && e->object_kind == TP_O_STACK) add_stack_object(x, e);
  }
  for (uint32_t i = 1; i < p->statics.n; i++)  // an address in an initial image
    for (uint32_t k = 0; k < p->statics.at[i].n_relocs; k++) {
      const uint32_t o = x->object_of_static[p->statics.at[i].relocs[k].object];
      if (o) x->objects.at[o - 1].is_rejected = true;
    }
}

/* The edge that defines a variable, if there is one only and it assigns. */
static void find_definitions(tp_promotion *x) {
  const tp_program *p = x->p;
  uint32_t *n = tp_arena_array(&x->arena, uint32_t, p->vars.n);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id || !e->var.id) continue;
    if (tp_promote_is_end(p, e) && tp_var_of(p, e->var)->kind != TP_V_PARAM) continue;
    n[e->var.id]++;
    x->definition[e->var.id] = n[e->var.id] == 1 ? i : UINT32_MAX;
  }
}

// ---------------------------------------------------------------------- contexts

static bool same_params(const tp_promotion *x, const tp_promote_context *c, tp_func f,
                        const tp_promote_ref *params) {
  if (c->func.id != f.id) return false;
  for (uint32_t i = 0; i < tp_func_of(x->p, f)->n_params; i++)
    if (!tp_promote_ref_eq(c->params[i], params[i])) return false;
  return true;
}

static void add_ref(tp_promote_context *c, tp_var v, tp_promote_ref r) {
  tp_vec_push(&c->ref_list, r);
  tp_map_set(&c->refs, v.id, c->ref_list.n);
}

/* One bit for each object of the frame, and for each pointer that is assigned once. Beyond 64 the
 * objects are rejected. */
static void track(tp_promotion *x, tp_promote_context *c, tp_var v, tp_promote_ref r) {
  if (c->tracked.n == 64) {
    tp_promote_object_of(x, r)->is_rejected = true;
    return;
  }
  add_ref(c, v, r);
  tp_vec_push(&c->tracked, v);
}

static void find_refs(tp_promotion *x, tp_promote_context *c) {
  const tp_program *p = x->p;
  const tp_func_info *f = tp_func_of(p, c->func);
  for (uint32_t i = 0; i < f->n_params; i++)
    if (c->params[i].object) add_ref(c, f->params[i], c->params[i]);
  for (uint32_t i = x->locals.first[c->func.id]; i < x->locals.first[c->func.id + 1]; i++) {
    const uint32_t o = x->object_of_var[x->locals.at[i].id];
    if (o && !x->objects.at[o - 1].is_rejected)
      track(x, c, x->locals.at[i], (tp_promote_ref){o, 0});
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t k = 0; k < x->edges_of[c->func.id].n; k++) {
      const uint32_t i = x->edges_of[c->func.id].at[k];
      const tp_edge_info *e = &p->edges.at[i];
      if (e->kind != TP_E_ASSIGN || x->definition[e->var.id] != i || tp_promote_is_end(p, e) ||
          tp_map_has(&c->refs, e->var.id) || tp_var_of(p, e->var)->func.id != c->func.id ||
          tp_var_of(p, e->var)->kind == TP_V_PARAM)
        continue;
      const tp_promote_ref r = tp_promote_ref_of(x, c, e->a);
      if (!r.object) continue;
      track(x, c, e->var, r);
      is_new = true;
    }
  }
}

static uint64_t bit_of(const tp_promote_context *c, tp_var v) {
  for (size_t i = 0; i < c->tracked.n; i++)
    if (c->tracked.at[i].id == v.id) return (uint64_t)1 << i;
  return 0;
}

/* The object of this address variable, and pointers to it. */
static uint64_t bits_of_object(const tp_promote_context *c, tp_var address) {
  tp_promote_ref mine, other;
  uint64_t bits = 0;
  if (!tp_promote_ref_of_var(c, address, &mine)) return 0;
  for (size_t i = 0; i < c->tracked.n; i++)
    if (tp_promote_ref_of_var(c, c->tracked.at[i], &other) && other.object == mine.object)
      bits |= (uint64_t)1 << i;
  return bits;
}

static uint64_t valid_behind(const tp_promotion *x, const tp_promote_context *c,
                             const tp_edge_info *e, uint64_t before) {
  tp_access a;
  if (e->kind == TP_E_ALLOC) return (before & ~bits_of_object(c, e->var)) | bit_of(c, e->var);
  if (e->kind == TP_E_END_SCOPE)
    return tp_access_of(x->p, e->a, &a) ? before & ~bits_of_object(c, a.var) : 0;
  const uint64_t bit = e->kind == TP_E_ASSIGN ? bit_of(c, e->var) : 0;
  if (!bit) return before;
  if (x->object_of_var[e->var.id]) return before & ~bits_of_object(c, e->var);
  if (tp_promote_is_end(x->p, e)) return before & ~bit;
  const bool is_set = tp_access_of(x->p, e->a, &a) &&
                      (!a.var.id || !bit_of(c, a.var) || (before & bit_of(c, a.var)));
  return is_set ? before | bit : before & ~bit;
}

/* The greatest solution: a bit is set where it is on all paths. */
static void find_valid(tp_promotion *x, tp_promote_context *c) {
  const tp_program *p = x->p;
  const uint32_t n = x->n_locs[c->func.id];
  c->valid = tp_arena_array(&x->arena, uint64_t, n + 1);
  for (uint32_t i = 0; i < n; i++) c->valid[i] = UINT64_MAX;
  c->valid[x->loc_index[tp_func_of(p, c->func)->entry.id]] = 0;
  if (!c->tracked.n) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k < x->edges_of[c->func.id].n; k++) {
      const tp_edge_info *e = &p->edges.at[x->edges_of[c->func.id].at[k]];
      uint64_t *to = &c->valid[x->loc_index[e->to.id]];
      const uint64_t behind = *to & valid_behind(x, c, e, c->valid[x->loc_index[e->from.id]]);
      changed |= behind != *to;
      *to = behind;
    }
  }
}

/* Appends the context; false: there are too many. */
static bool add_context(tp_promotion *x, tp_func f, const tp_promote_ref *params) {
  if (x->contexts.n == x->n_funcs + TP_PROGRAM_PROMOTED_CONTEXTS) return false;
  const uint32_t n = tp_func_of(x->p, f)->n_params;
  tp_promote_context c = {.func = f, .target = f};
  c.params = tp_arena_array(&x->arena, tp_promote_ref, n + 1);
  for (uint32_t i = 0; i < n && params; i++) c.params[i] = params[i];
  find_refs(x, &c);
  find_valid(x, &c);
  tp_vec_push(&x->contexts, c);
  return true;
}

static void clear_contexts(tp_promotion *x) {
  for (size_t i = 0; i < x->contexts.n; i++) {
    tp_map_clear(&x->contexts.at[i].refs);
    tp_vec_clear(&x->contexts.at[i].ref_list);
    tp_vec_clear(&x->contexts.at[i].tracked);
  }
  x->contexts.n = 0;
}

static tp_promote_ref *params_of_call(tp_promotion *x, const tp_promote_context *c,
                                      const tp_edge_info *e) {
  tp_promote_ref *params = tp_arena_array(&x->arena, tp_promote_ref, e->n_args + 1);
  for (uint32_t i = 0; i < e->n_args; i++)
    if (tp_promote_is_usable(x, c, e->from, e->args[i]))
      params[i] = tp_promote_ref_of(x, c, e->args[i]);
  return params;
}

tp_promote_context *tp_promote_context_of_call(tp_promotion *x, const tp_promote_context *c,
                                               const tp_edge_info *call) {
  TP_REQUIRE(call->kind == TP_E_CALL && call->callee.id);
  const tp_promote_ref *params = params_of_call(x, c, call);
  for (size_t i = 0; i < x->contexts.n; i++)
    if (same_params(x, &x->contexts.at[i], call->callee, params)) return &x->contexts.at[i];
  return NULL;
}

// ------------------------------------------------------------------------- a search

/* Has the object an initial value there that is no constant of the sort? */
static bool has_other_image(const tp_promotion *x, const tp_promote_object *o, uint64_t offset,
                            tp_sort sort) {
  const uint32_t n_bytes = tp_sort_bytes(x->tt, sort);
  const tp_static *s = &x->p->statics.at[o->object];
  for (uint32_t k = 0; o->object && k < s->n_relocs; k++) {
    const uint64_t at = s->relocs[k].offset;
    const bool meets = at < offset + n_bytes && offset < at + x->p->ptr_bits / 8;
    if (meets && (at != offset || tp_sort_kind_of(x->tt, sort) != TP_SORT_PTR)) return true;
  }
  return n_bytes > sizeof(uint64_t);
}

static void add_slot(tp_promotion *x, tp_promote_ref r, tp_term value) {
  tp_promote_object *o = tp_promote_object_of(x, r);
  const tp_sort sort = tp_sort_of(x->tt, value);
  const uint32_t n_bytes = tp_sort_bytes(x->tt, sort);
  if (r.offset + n_bytes > o->size_bytes || has_other_image(x, o, r.offset, sort)) {
    o->is_rejected = true;
    return;
  }
  for (uint32_t i = 0; i < o->n_slots; i++) {
    const tp_promote_slot *s = &o->slots[i];
    if (s->offset == r.offset && tp_sort_eq(s->sort, sort)) return;
    if (s->offset < r.offset + n_bytes && r.offset < s->offset + s->n_bytes) {
      o->is_rejected = true;  // the same bytes in two ways
      return;
    }
  }
  if (o->n_slots == TP_PROGRAM_PROMOTED_SLOTS)
    o->is_rejected = true;
  else
    o->slots[o->n_slots++] = (tp_promote_slot){r.offset, n_bytes, sort, TP_VAR_NONE};
}

static void scan_access(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e,
                        tp_term value) {
  const tp_promote_ref r = tp_promote_ref_of(x, c, e->a);
  if (!r.object || e->volatile_access || !tp_promote_is_usable(x, c, e->from, e->a))
    tp_promote_reject(x, c, e->from, e->a);
  else
    add_slot(x, r, value);
  if (r.object && (e->kind == TP_E_STORE || tp_var_of(x->p, e->var)->kind != TP_V_GLOBAL))
    tp_promote_object_of(x, r)->is_used = true;
}

/* A value may ask about an object that is known to live; nothing of its address may be left. */
static void scan_value(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e,
                       tp_term t) {
  if (tp_promote_is_mentioned(x, c, e->from, t) &&
      tp_promote_has_address(x, c, e->from, tp_promote_fold(x, c, e->from, t), false))
    tp_promote_reject(x, c, e->from, t);
}

/* Conditions may compare addresses, where they have a name. */
static void scan_condition(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e) {
  if (tp_promote_is_mentioned(x, c, e->from, e->a) &&
      tp_promote_has_address(x, c, e->from, tp_promote_fold(x, c, e->from, e->a), true))
    tp_promote_reject(x, c, e->from, e->a);
}

static void scan_call(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e) {
  const tp_func_info *f = e->callee.id ? tp_func_of(x->p, e->callee) : NULL;
  if (tp_term_is(e->a)) tp_promote_reject(x, c, e->from, e->a);
  const bool is_followed = f && f->has_body && !f->is_variadic && f->n_params == e->n_args;
  for (uint32_t i = 0; i < e->n_args; i++) {
    const tp_promote_ref r = tp_promote_ref_of(x, c, e->args[i]);
    const bool is_ref = r.object && tp_promote_is_usable(x, c, e->from, e->args[i]);
    if (!is_ref)
      scan_value(x, c, e, e->args[i]);
    else if (!is_followed || x->definition[f->params[i].id])
      tp_promote_reject(x, c, e->from, e->args[i]);
  }
}

/* Zeros over the whole object. */
static bool is_clearing(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e) {
  uint64_t byte = 1, n = 0;
  const tp_promote_ref r = tp_promote_ref_of(x, c, e->a);
  return r.object && r.offset == 0 && tp_promote_is_usable(x, c, e->from, e->a) &&
         tp_bv_value_u64(x->tt, e->b, &byte) && byte == 0 && tp_bv_value_u64(x->tt, e->c, &n) &&
         n == tp_promote_object_of(x, r)->size_bytes;
}

static bool has_slot_in_hole(const tp_promote_object *o) {
  for (uint32_t i = 0; i < o->n_slots; i++)
    for (uint64_t b = o->slots[i].offset; b < o->slots[i].offset + o->slots[i].n_bytes; b++)
      if (o->is_hole[b]) return true;
  return false;
}

/* Padding of an object of this frame, or of a static, is indeterminate from here on: the edge stays
 * what it is, an input of bytes in memory, if no slot has any of them. */
static bool is_padding(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e) {
  uint64_t n = 0;
  tp_access a;
  const tp_promote_ref r = tp_promote_ref_of(x, c, e->a);
  if (!r.object || e->input != TP_I_INDETERMINATE || !tp_term_is(e->c) ||
      !tp_bv_value_u64(x->tt, e->c, &n) || !tp_access_of(x->p, e->a, &a) ||
      (a.var.id && !x->object_of_var[a.var.id]) || !tp_promote_is_usable(x, c, e->from, e->a))
    return false;
  tp_promote_object *o = tp_promote_object_of(x, r);
  if (n > o->size_bytes || r.offset > o->size_bytes - n) return false;
  for (uint64_t b = r.offset; b < r.offset + n; b++) o->is_hole[b] = true;
  return true;
}

static bool is_address_of_object(const tp_promotion *x, tp_term t) {
  return tp_kind(x->tt, t) == TP_OP_VAR && x->object_of_var[tp_program_var_of(x->p, t).id];
}

static void scan_edge(tp_promotion *x, const tp_promote_context *c, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_LOAD: scan_access(x, c, e, tp_var_of(x->p, e->var)->term); return;
    case TP_E_STORE:
      scan_access(x, c, e, e->b);
      scan_value(x, c, e, e->b);
      return;
    case TP_E_ASSUME: scan_condition(x, c, e); return;
    case TP_E_CALL: scan_call(x, c, e); return;
    case TP_E_ASSIGN:
      if (!tp_map_has(&c->refs, e->var.id)) scan_value(x, c, e, e->a);
      return;
    case TP_E_ALLOC: tp_promote_reject(x, c, e->from, e->a); return;
    case TP_E_END_SCOPE:
      if (!is_address_of_object(x, e->a)) tp_promote_reject(x, c, e->from, e->a);
      return;
    case TP_E_SKIP: return;
    case TP_E_SET:
      if (is_clearing(x, c, e)) return;
      break;
    case TP_E_HAVOC_MEMORY:
      if (is_padding(x, c, e)) return;
      break;
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_HAVOC:
    case TP_E_RETURN: break;
  }
  const tp_term operands[] = {e->a, e->b, e->c};
  for (size_t i = 0; i < 3; i++) tp_promote_reject(x, c, e->from, operands[i]);
  for (uint32_t i = 0; i < e->n_args; i++) tp_promote_reject(x, c, e->from, e->args[i]);
}

/* Where the function returns, its objects have ended: a variable would keep what they led to. */
static void scan_return(tp_promotion *x, const tp_promote_context *c) {
  const tp_program *p = x->p;
  const uint32_t n = x->n_locs[c->func.id];
  uint64_t *alive = tp_arena_array(&x->arena, uint64_t, n + 1);  // on some path
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k < x->edges_of[c->func.id].n; k++) {
      const tp_edge_info *e = &p->edges.at[x->edges_of[c->func.id].at[k]];
      uint64_t behind = alive[x->loc_index[e->from.id]];
      if (e->kind == TP_E_ALLOC) behind |= bit_of(c, e->var);
      if (e->kind == TP_E_END_SCOPE && is_address_of_object(x, e->a))
        behind &= ~bit_of(c, tp_program_var_of(p, e->a));
      uint64_t *to = &alive[x->loc_index[e->to.id]];
      changed |= (behind & ~*to) != 0;
      *to |= behind;
    }
  }
  const uint64_t at_exit = alive[x->loc_index[tp_func_of(p, c->func)->exit.id]];
  for (size_t i = 0; i < c->tracked.n; i++) {
    tp_promote_ref r;
    if (at_exit >> i & 1 && tp_promote_ref_of_var(c, c->tracked.at[i], &r))
      tp_promote_object_of(x, r)->is_rejected = true;
  }
}

/* Functions that no edge calls. */
static void add_roots(tp_promotion *x, bool *is_called) {
  const tp_program *p = x->p;
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id && p->edges.at[i].kind == TP_E_CALL)
      is_called[p->edges.at[i].callee.id] = true;
  is_called[p->main.id] = false;
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].has_body && !is_called[f]) (void)add_context(x, (tp_func){f}, NULL);
}

/* Follows one context; false: there are too many. */
static bool scan_context(tp_promotion *x, size_t at) {
  const tp_func f = x->contexts.at[at].func;
  scan_return(x, &x->contexts.at[at]);
  for (size_t k = 0; k < x->edges_of[f.id].n; k++) {
    const tp_edge_info *e = &x->p->edges.at[x->edges_of[f.id].at[k]];
    scan_edge(x, &x->contexts.at[at], e);
    if (e->kind != TP_E_CALL || !e->callee.id) continue;
    const tp_promote_ref *params = params_of_call(x, &x->contexts.at[at], e);
    bool is_known = false;
    for (size_t i = 0; i < x->contexts.n && !is_known; i++)
      is_known = same_params(x, &x->contexts.at[i], e->callee, params);
    if (!is_known && !add_context(x, e->callee, params)) return false;
  }
  return true;
}

static size_t n_rejected(const tp_promotion *x) {
  size_t n = 0;
  for (size_t i = 0; i < x->objects.n; i++) n += x->objects.at[i].is_rejected;
  return n;
}

/* Analyses of heaps follow variables best; elsewhere numbers stay where they are. */
static bool is_worth_it(const tp_promotion *x, const tp_promote_object *o) {
  if (!o->is_used) return false;  // all of it are variables already
  if (x->allocates && o->n_slots) return true;
  for (uint32_t i = 0; i < o->n_slots; i++)
    if (tp_sort_kind_of(x->tt, o->slots[i].sort) == TP_SORT_PTR) return true;
  return false;
}

/* One search from the roots; false: too many contexts. */
static bool search(tp_promotion *x) {
  clear_contexts(x);
  for (size_t i = 0; i < x->objects.n; i++) {
    x->objects.at[i].n_slots = 0;
    x->objects.at[i].is_used = false;
    memset(x->objects.at[i].is_hole, 0, sizeof x->objects.at[i].is_hole);
  }
  bool *is_called = tp_arena_array(&x->arena, bool, x->p->funcs.n + 1);
  add_roots(x, is_called);
  for (size_t i = 0; i < x->contexts.n; i++)
    if (!scan_context(x, i)) return false;
  for (size_t i = 0; i < x->objects.n; i++)
    if (!is_worth_it(x, &x->objects.at[i]) || has_slot_in_hole(&x->objects.at[i]))
      x->objects.at[i].is_rejected = true;
  return true;
}

static void index_functions(tp_promotion *x) {
  const tp_program *p = x->p;
  x->loc_index = tp_arena_array(&x->arena, uint32_t, p->locs.n);
  x->n_locs = tp_arena_array(&x->arena, uint32_t, p->funcs.n + 1);
  for (uint32_t l = 1; l < p->locs.n; l++) x->loc_index[l] = x->n_locs[p->locs.at[l].func.id]++;
  x->edges_of = tp_arena_alloc(&x->arena, (p->funcs.n + 1) * sizeof *x->edges_of);
  memset(x->edges_of, 0, (p->funcs.n + 1) * sizeof *x->edges_of);
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id)
      tp_vec_push(&x->edges_of[tp_loc_of(p, p->edges.at[i].from)->func.id], i);
}

bool tp_promote_find(tp_promotion *x) {
  const tp_program *p = x->p;
  x->n_funcs = p->funcs.n;
  x->allocates = tp_program_allocates(p);
  x->object_of_var = tp_arena_array(&x->arena, uint32_t, p->vars.n);
  x->object_of_static = tp_arena_array(&x->arena, uint32_t, p->statics.n + 1);
  x->definition = tp_arena_array(&x->arena, uint32_t, p->vars.n);
  find_candidates(x);
  if (n_rejected(x) == x->objects.n) return false;
  tp_locals_init(&x->locals, p);
  find_definitions(x);
  index_functions(x);
  for (size_t before = SIZE_MAX; before != n_rejected(x);) {
    before = n_rejected(x);
    if (before == x->objects.n || !search(x)) return false;
  }
  return n_rejected(x) < x->objects.n;
}

void tp_promote_clear(tp_promotion *x) {
  clear_contexts(x);
  tp_vec_clear(&x->contexts);
  tp_vec_clear(&x->objects);
  for (size_t f = 0; x->edges_of && f <= x->n_funcs; f++) tp_vec_clear(&x->edges_of[f]);
  tp_locals_clear(&x->locals);
  tp_arena_clear(&x->arena);
}

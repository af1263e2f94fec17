/* Objects become variables: the program is rewritten.
 *
 * A search (promote_find.c) has found the objects and the contexts of functions. Each context
 * becomes a function: the first of a function is rewritten in place, others are copies made before
 * that. In it reads and writes of a slot are assignments, parameters that hold addresses are left
 * out, and conditions over lifetime and size of the objects are decided. A stack object keeps its
 * declaration, so inputs stay the same: slots are read from it right behind. Where its lifetime
 * ends, slots for pointers become null, as memory that only they led to is lost. */
#include "program/promote.h"

#include <string.h>

#include "program/promote_priv.h"

// ------------------------------------------------------------------------- slots

/* The place in words of C, such as list.head. */
static const char *slot_name(tp_promotion *x, const char *object, tp_type type,
                             const tp_promote_slot *s, tp_type *member) {
  tp_str path = {0};
  *member = tp_access_member(x->p, type, s->offset, s->n_bytes, &path);
  tp_str name = {0};
  const char *rest = tp_str_text(&path);
  tp_str_add(&name, object);
  if (*rest && *rest != '[') tp_str_add(&name, ".");
  tp_str_add(&name, rest);
  const char *out = tp_arena_strdup(&x->p->arena, tp_str_text(&name));
  tp_str_clear(&path);
  tp_str_clear(&name);
  return out;
}

static uint64_t image_bits(const tp_static *s, const tp_promote_slot *slot) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < slot->n_bytes && i < 8 && s->image; i++)
    bits |= (uint64_t)s->image[slot->offset + i] << (8 * i);
  return bits;
}

/* The value with these bits, of a sort that slots have. */
static tp_term value_of_bits(tp_promotion *x, tp_sort sort, uint64_t bits) {
  switch (tp_sort_kind_of(x->tt, sort)) {
    case TP_SORT_BOOL: return tp_mk_bool(x->tt, bits & 1);
    case TP_SORT_BV: return tp_mk_bv(x->tt, tp_sort_width(x->tt, sort), bits);
    case TP_SORT_PTR: return tp_mk_ptr_const(x->tt, 0, bits);
    case TP_SORT_FP: return tp_mk_fp(x->tt, tp_sort_width(x->tt, sort), bits);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  TP_INVARIANT(false);
  return TP_TERM_NONE;
}

static tp_term initial_value(tp_promotion *x, const tp_static *s, const tp_promote_slot *slot) {
  for (uint32_t i = 0; i < s->n_relocs; i++)
    if (s->relocs[i].offset == slot->offset)
      return tp_mk_ptr_const(x->tt, s->relocs[i].object, s->relocs[i].addend);
  return value_of_bits(x, slot->sort, image_bits(s, slot));
}

static void make_slots(tp_promotion *x, tp_promote_object *o) {
  tp_program *p = x->p;
  for (uint32_t i = 0; i < o->n_slots; i++) {
    tp_promote_slot *s = &o->slots[i];
    tp_var_info v = {.kind = TP_V_GLOBAL, .pos = o->pos};
    if (o->object) {
      const tp_static *of = &p->statics.at[o->object];
      v.name = slot_name(x, of->name, of->type, s, &v.type);
      v.is_internal = of->is_internal;
      v.enclosing_function = of->enclosing_function;
      v.initial = initial_value(x, of, s);
    } else {
      const tp_var_info *of = tp_var_of(p, o->address);
      v.name = slot_name(x, of->name, of->type, s, &v.type);
      v.is_internal = true;
      v.enclosing_function = tp_func_of(p, o->func)->name;
      v.initial = value_of_bits(x, s->sort, 0);
    }
    s->var = tp_program_add_var(p, v, s->sort);
  }
}

static tp_promote_slot *slot_at(tp_promotion *x, tp_promote_ref r, tp_sort sort) {
  tp_promote_object *o = &x->objects.at[r.object - 1];
  for (uint32_t i = 0; i < o->n_slots; i++)
    if (o->slots[i].offset == r.offset && tp_sort_eq(o->slots[i].sort, sort)) return &o->slots[i];
  TP_INVARIANT(false);  // the search has seen this access
  return NULL;
}

// ------------------------------------------------------------------------ edges

/* The function that is written: the context's own, or a copy. */
typedef struct {
  tp_promotion *x;
  const tp_promote_context *c;
  bool is_copy;
  tp_map vars, locs;  // of the function -> of the copy
  tp_edge_info first;
  bool has_first;
  uint32_t in_place;  // the edge that is replaced
  tp_loc at;          // where the next edge begins
} writer;

static tp_var var_in_copy(writer *w, tp_var v) {
  uint64_t image;
  return v.id && tp_map_get(&w->vars, v.id, &image) ? (tp_var){(uint32_t)image} : v;
}

static tp_term symbol_in_copy(void *ctx, tp_term symbol) {
  writer *w = ctx;
  const tp_var v = tp_program_var_of(w->x->p, symbol), image = var_in_copy(w, v);
  return image.id == v.id ? TP_TERM_NONE : tp_var_of(w->x->p, image)->term;
}

static tp_term in_copy(writer *w, tp_term t) {
  if (!tp_term_is(t) || !w->is_copy) return t;
  tp_map memo = {0};
  t = tp_subst(w->x->tt, t, symbol_in_copy, w, &memo);
  tp_map_clear(&memo);
  return t;
}

static tp_loc loc_in_copy(writer *w, tp_loc l) {
  uint64_t image;
  return tp_map_get(&w->locs, l.id, &image) ? (tp_loc){(uint32_t)image} : l;
}

/* Between the pieces of one edge. */
static tp_loc between(writer *w, tp_pos pos) {
  return tp_program_add_loc(w->x->p, (tp_loc_info){.func = w->c->target, .pos = pos});
}

/* One edge from w->at; `to` is a location of the target. */
static void put(writer *w, tp_edge_info e, tp_loc to) {
  tp_program *p = w->x->p;
  e.from = w->at;
  e.to = to;
  e.var = var_in_copy(w, e.var);
  e.a = in_copy(w, e.a);
  e.b = in_copy(w, e.b);
  e.c = in_copy(w, e.c);
  tp_term *args = e.n_args ? tp_arena_array(&p->arena, tp_term, e.n_args) : NULL;
  for (uint32_t i = 0; i < e.n_args; i++) args[i] = in_copy(w, e.args[i]);
  if (e.n_args) e.args = args;
  if (w->in_place) {
    p->edges.at[w->in_place] = e;
    w->in_place = 0;
  } else {
    (void)tp_program_add_edge(p, e);
  }
  w->at = to;
}

/* The edge, then one for each slot of the object. */
typedef tp_edge_info (*slot_edge)(writer *w, const tp_promote_object *o, const tp_promote_slot *s);
static void put_for_slots(writer *w, tp_edge_info first, tp_promote_ref r, slot_edge edge,
                          tp_loc to) {
  const tp_promote_object *o = &w->x->objects.at[r.object - 1];
  tp_edge_info pending = first;
  for (uint32_t i = 0; i < o->n_slots; i++) {
    put(w, pending, between(w, first.pos));
    pending = edge(w, o, &o->slots[i]);
    pending.pos = first.pos;
  }
  put(w, pending, to);
}

static tp_edge_info clear_slot(writer *w, const tp_promote_object *o, const tp_promote_slot *s) {
  (void)o;
  return (tp_edge_info){.kind = TP_E_ASSIGN, .var = s->var, .a = value_of_bits(w->x, s->sort, 0)};
}

/* Numbers lead to no memory. */
static tp_edge_info end_slot(writer *w, const tp_promote_object *o, const tp_promote_slot *s) {
  if (tp_sort_kind_of(w->x->tt, s->sort) != TP_SORT_PTR) return (tp_edge_info){.kind = TP_E_SKIP};
  tp_edge_info e = clear_slot(w, o, s);
  e.name = TP_LIFETIME_ENDS;
  return e;
}

static tp_edge_info read_slot(writer *w, const tp_promote_object *o, const tp_promote_slot *s) {
  tp_promotion *x = w->x;
  const tp_term base = tp_var_of(x->p, o->address)->term;
  return (tp_edge_info){
      .kind = TP_E_LOAD,
      .var = s->var,
      .a = tp_mk_ptr_add(x->tt, base, tp_mk_bv(x->tt, x->p->ptr_bits, s->offset))};
}

static tp_edge_info skip(const tp_edge_info *e) {
  return (tp_edge_info){.kind = TP_E_SKIP, .pos = e->pos};
}

static tp_promote_ref object_named(const writer *w, tp_term address) {
  const tp_promotion *x = w->x;
  if (!tp_term_is(address) || tp_kind(x->tt, address) != TP_OP_VAR) return (tp_promote_ref){0, 0};
  return tp_promote_ref_of(x, w->c, address);
}

static void put_call(writer *w, tp_edge_info e, tp_loc to) {
  tp_promotion *x = w->x;
  const tp_promote_context *callee = tp_promote_context_of_call(x, w->c, &e);
  TP_INVARIANT(callee);  // the search has seen this call
  tp_term *args = e.n_args ? tp_arena_array(&x->p->arena, tp_term, e.n_args) : NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < e.n_args; i++)
    if (!callee->params[i].object) args[n++] = tp_promote_fold(x, w->c, e.from, e.args[i]);
  e.callee = callee->target;
  e.args = args;
  e.n_args = n;
  put(w, e, to);
}

static tp_term slot_term(tp_promotion *x, tp_promote_ref r, tp_term like) {
  return tp_var_of(x->p, slot_at(x, r, tp_sort_of(x->tt, like))->var)->term;
}

/* A read or a write of a slot. */
static tp_edge_info assignment(writer *w, tp_edge_info e) {
  tp_promotion *x = w->x;
  const bool is_load = e.kind == TP_E_LOAD;
  const tp_promote_ref r = tp_promote_ref_of(x, w->c, e.a);
  if (!is_load) e.b = tp_promote_fold(x, w->c, e.from, e.b);
  if (!r.object) return e;
  const tp_term slot = slot_term(x, r, is_load ? tp_var_of(x->p, e.var)->term : e.b);
  if (!is_load) e.var = tp_program_var_of(x->p, slot);
  e.kind = TP_E_ASSIGN;
  e.a = is_load ? slot : e.b;
  e.b = TP_TERM_NONE;
  return e;
}

/* What becomes of an edge that begins, ends or clears an object; false: none of these. */
static bool put_for_object(writer *w, const tp_edge_info *e, tp_loc to) {
  tp_promotion *x = w->x;
  tp_promote_ref r = {0, 0};
  if (e->kind == TP_E_ALLOC) r = object_named(w, tp_var_of(x->p, e->var)->term);
  if (e->kind == TP_E_END_SCOPE) r = object_named(w, e->a);
  if (e->kind == TP_E_SET) r = tp_promote_ref_of(x, w->c, e->a);
  if (!r.object) return false;
  if (e->kind == TP_E_ALLOC)
    put_for_slots(w, *e, r, tp_term_is(e->b) ? clear_slot : read_slot, to);
  else if (e->kind == TP_E_END_SCOPE)
    put_for_slots(w, *e, r, end_slot, to);
  else
    put_for_slots(w, skip(e), r, clear_slot, to);
  return true;
}

/* A condition is decided where it asks about the object only; false: no run goes on, the edge is
 * gone. */
static bool assume(writer *w, tp_edge_info *e) {
  tp_promotion *x = w->x;
  const tp_term before = e->a;
  e->a = tp_promote_fold(x, w->c, e->from, e->a);
  if (tp_term_eq(before, e->a)) return true;
  if (tp_is_true(x->tt, e->a)) *e = skip(e);
  if (e->kind == TP_E_SKIP || !tp_is_false(x->tt, e->a)) return true;
  if (w->in_place) x->p->edges.at[w->in_place] = (tp_edge_info){.kind = TP_E_SKIP, .pos = e->pos};
  return false;
}

/* e: as the function has it. */
static void rewrite(writer *w, tp_edge_info e, tp_loc to) {
  tp_promotion *x = w->x;
  if (put_for_object(w, &e, to)) return;
  if (e.kind == TP_E_CALL && e.callee.id) {
    put_call(w, e, to);
    return;
  }
  if (e.kind == TP_E_LOAD || e.kind == TP_E_STORE)
    e = assignment(w, e);
  else if (e.kind == TP_E_ASSUME && !assume(w, &e))
    return;
  else if (e.kind == TP_E_ASSIGN && !tp_map_has(&w->c->refs, e.var.id))
    e.a = tp_promote_fold(x, w->c, e.from, e.a);
  else if (e.kind == TP_E_ASSIGN && !tp_promote_is_end(x->p, &e) && !x->object_of_var[e.var.id])
    e = skip(&e);
  put(w, e, to);
}

// --------------------------------------------------------------------- functions

static tp_var copy_var(writer *w, tp_var v) {
  tp_program *p = w->x->p;
  tp_var_info info = *tp_var_of(p, v);
  info.func = w->c->target;
  const tp_var made = tp_program_add_var(p, info, tp_sort_of(p->terms, info.term));
  tp_map_set(&w->vars, v.id, made.id);
  return made;
}

/* What the lists of the program say about the location or the edge. */
static void copy_lists(writer *w, uint32_t edge, uint32_t copied) {
  tp_program *p = w->x->p;
  for (size_t i = 0, n = p->input_restrictions.n; i < n; i++) {
    tp_input_restriction r = p->input_restrictions.at[i];
    if (r.at.id != edge) continue;
    r.at = (tp_edge){copied};
    r.holds = in_copy(w, r.holds);
    tp_vec_push(&p->input_restrictions, r);
  }
}

static void copy_locations(writer *w) {
  tp_program *p = w->x->p;
  for (uint32_t l = 1, n = (uint32_t)p->locs.n; l < n; l++) {
    tp_loc_info info = p->locs.at[l];
    if (info.func.id != w->c->func.id || tp_map_has(&w->locs, l)) continue;
    info.func = w->c->target;
    const tp_loc made = tp_program_add_loc(p, info);
    tp_map_set(&w->locs, l, made.id);
    for (size_t i = 1, m = p->unsupported.n; i < m; i++) {
      tp_unsupported u = p->unsupported.at[i];
      if (u.loc.id != l) continue;
      u.loc = made;
      tp_vec_push(&p->unsupported, u);
    }
  }
}

/* The function that stands for the context, with its own variables and locations, without edges. */
static void open_copy(writer *w, tp_promote_context *c) {
  tp_promotion *x = w->x;
  tp_program *p = x->p;
  tp_func_info info = *tp_func_of(p, c->func);
  info.object = 0;
  c->target = tp_program_add_func(p, info);
  copy_locations(w);
  for (uint32_t i = x->locals.first[c->func.id]; i < x->locals.first[c->func.id + 1]; i++)
    (void)copy_var(w, x->locals.at[i]);
  tp_func_info *made = &p->funcs.at[c->target.id];
  made->entry = loc_in_copy(w, made->entry);
  made->exit = loc_in_copy(w, made->exit);
  made->result = var_in_copy(w, made->result);
  tp_var *params = tp_arena_array(&p->arena, tp_var, info.n_params + 1);
  for (uint32_t i = 0; i < info.n_params; i++) params[i] = var_in_copy(w, info.params[i]);
  made->params = params;
}

/* Parameters that hold addresses of objects go. */
static void drop_params(tp_program *p, const tp_promote_context *c) {
  tp_func_info *f = &p->funcs.at[c->target.id];
  tp_var *params = tp_arena_array(&p->arena, tp_var, f->n_params + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (c->params[i].object)
      p->vars.at[f->params[i].id].kind = TP_V_LOCAL;
    else
      params[n++] = f->params[i];
  f->params = params;
  f->n_params = n;
}

static void write_edges(writer *w, const tp_edge_info *edges) {
  tp_promotion *x = w->x;
  const tp_promote_edges *mine = &x->edges_of[w->c->func.id];
  for (size_t k = 0; k < mine->n; k++) {
    const tp_edge_info *e = &edges[k];
    const uint32_t next = (uint32_t)x->p->edges.n;
    w->in_place = w->is_copy ? 0 : mine->at[k];
    w->at = loc_in_copy(w, e->from);
    rewrite(w, *e, loc_in_copy(w, e->to));
    if (w->is_copy) copy_lists(w, mine->at[k], next);
  }
}

/* The edges of the context's function as they were. */
static const tp_edge_info *edges_before(tp_promotion *x, tp_func f) {
  const tp_promote_edges *mine = &x->edges_of[f.id];
  tp_edge_info *out = tp_arena_array(&x->arena, tp_edge_info, mine->n + 1);
  for (size_t k = 0; k < mine->n; k++) out[k] = x->p->edges.at[mine->at[k]];
  return out;
}

static bool is_first_of_function(const tp_promotion *x, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (x->contexts.at[k].func.id == x->contexts.at[i].func.id) return false;
  return true;
}

static bool are_copies_few(const tp_promotion *x) {
  size_t n = 0;
  for (size_t i = 0; i < x->contexts.n; i++)
    if (!is_first_of_function(x, i)) n += x->edges_of[x->contexts.at[i].func.id].n;
  return n <= TP_PROGRAM_PROMOTED_COPIES;
}

/* Targets first, as calls name them; then the edges of all; parameters last, as calls count them.
 */
static void write_all(tp_promotion *x) {
  const size_t n = x->contexts.n;
  writer *w = tp_arena_array(&x->arena, writer, n + 1);
  const tp_edge_info **edges = tp_arena_array(&x->arena, const tp_edge_info *, n + 1);
  for (size_t i = 0; i < n; i++) edges[i] = edges_before(x, x->contexts.at[i].func);
  for (size_t i = 0; i < n; i++) {
    w[i] = (writer){.x = x, .c = &x->contexts.at[i], .is_copy = !is_first_of_function(x, i)};
    if (w[i].is_copy) open_copy(&w[i], &x->contexts.at[i]);
  }
  for (size_t i = 0; i < n; i++) write_edges(&w[i], edges[i]);
  for (size_t i = 0; i < n; i++) {
    drop_params(x->p, &x->contexts.at[i]);
    tp_map_clear(&w[i].vars);
    tp_map_clear(&w[i].locs);
  }
}

bool tp_program_promote_objects(tp_program *p) {
  tp_promotion x = {.p = p, .tt = p->terms};
  tp_arena_init(&x.arena);
  const bool is_changed = tp_promote_find(&x) && are_copies_few(&x);
  if (is_changed) {
    for (size_t i = 0; i < x.objects.n; i++)
      if (!x.objects.at[i].is_rejected) make_slots(&x, &x.objects.at[i]);
    write_all(&x);
  }
  tp_promote_clear(&x);
  return is_changed;
}

/* Transfer: what each operation of the program model does to intervals.
 *
 * A store through an exact pointer overrides, with an exact value in both bounds (a strong update);
 * a store through another one may change each object that the pointer may lead to (a weak update).
 * New objects have symbols of their own, in loops one symbol stands for all of a type.
 *
 * Source: Taghdiri 2008, sec. 4.3. */
#include "contracts/summarise/summarise_priv.h"

#include "contracts/spec/ghost_statements.h"

static tp_rbound none(const tp_summariser *r, uint32_t arity) {
  return tp_rbound_none(r->t, arity);
}

static tp_rinterval limited(const tp_summariser *r, tp_rinterval i) {
  return tp_rinterval_limit(r->t, i, &r->s->limits);
}

// --------------------------------------------------------------------- variables

static bool starts_at(const tp_rsum_value *v, tp_var var) { return v->origin.from.id == var.id; }

void tp_rsum_set_var(tp_summariser *r, tp_rsum_state *s, tp_var v, tp_rsum_value value) {
  TP_REQUIRE(v.id > 0 && v.id < r->p->vars.n);
  const tp_var_info *info = tp_var_of(r->p, v);
  const tp_term symbol = info->term;
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++) {
    tp_rsum_value *other = &s->vars[i];
    if (starts_at(other, v)) other->origin = (tp_rsum_origin){0};
    if (tp_term_is(other->means) && tp_occurs(r->p->terms, symbol, other->means))
      other->means = TP_TERM_NONE;
  }
  if (starts_at(&value, v)) value.origin = (tp_rsum_origin){0};
  if (tp_term_is(value.means) && tp_occurs(r->p->terms, symbol, value.means))
    value.means = TP_TERM_NONE;
  if (tp_rsum_is_kind(r, info->type, TP_T_POINTER) && !info->is_address)
    value = tp_rsum_view_as(r, value, tp_type_of(r->p, info->type)->element);
  value.at = limited(r, value.at);
  *tp_rsum_slot(r, s, v) = value;
}

static void assign(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  tp_rsum_value v = tp_rsum_value_of(r, s, e->a);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, e->a)) == TP_SORT_BOOL && tp_kind(tt, e->a) != TP_OP_VAR)
    v.means = e->a;
  if (tp_kind(tt, e->a) == TP_OP_VAR && !v.origin.from.id) {
    const tp_var from = tp_program_var_of(r->p, e->a);
    if (from.id && tp_var_of(r->p, from)->kind != TP_V_GHOST)
      v.origin = (tp_rsum_origin){.from = from};
  }
  tp_rsum_set_var(r, s, e->var, v);
}

// ------------------------------------------------------------------------- loads

/* A member of a variable, or of what was read through members of one. */
static tp_rsum_origin origin_of(const tp_summariser *r, const tp_rsum_state *s, tp_term address,
                                uint32_t place) {
  const tp_terms *tt = r->p->terms;
  if (tp_kind(tt, address) == TP_OP_PTR_ADD) address = tp_arg(tt, address, 0);
  const tp_var v =
      tp_kind(tt, address) == TP_OP_VAR ? tp_program_var_of(r->p, address) : TP_VAR_NONE;
  if (!v.id || r->s->places.at[place].arity != 2) return (tp_rsum_origin){0};
  const tp_rsum_value *from = tp_rsum_slot(r, s, v);
  tp_rsum_origin o = {.from = v};
  if (from->cell || from->is_anywhere) return (tp_rsum_origin){0};
  if (from->origin.from.id && from->origin.n < TP_CONTRACTS_BOUND_STEPS) o = from->origin;
  o.places[o.n++] = place;
  return o;
}

static tp_rbound content(const tp_summariser *r, tp_rbound object, tp_rbound index, tp_rbound of) {
  const uint32_t arity = tp_rbound_at(r->t, of)->arity;
  const bool is_any = tp_rbound_at(r->t, of)->kind == TP_RBOUND_UNIV ||
                      tp_rbound_at(r->t, object)->kind == TP_RBOUND_UNIV;
  if (is_any) return tp_rbound_univ(r->t, 1);
  if (arity == 2) return tp_rbound_join(r->t, object, of);
  return tp_rbound_join(r->t, index, tp_rbound_join(r->t, object, of));
}

/* What is read or written through a parameter, or through a choice, is not null. */
static void dereference(tp_summariser *r, tp_rsum_state *s, tp_term address) {
  const tp_terms *tt = r->p->terms;
  if (tp_kind(tt, address) == TP_OP_PTR_ADD) address = tp_arg(tt, address, 0);
  const tp_var v =
      tp_kind(tt, address) == TP_OP_VAR ? tp_program_var_of(r->p, address) : TP_VAR_NONE;
  if (!v.id || tp_var_of(r->p, v)->kind == TP_V_GHOST) return;
  const tp_rsum_value *x = tp_rsum_slot(r, s, v);
  uint64_t known;
  const bool is_exact = tp_rinterval_is_exact(x->at) && !x->cell && !x->is_anywhere &&
                        tp_rsum_is_kind(r, tp_var_of(r->p, v)->type, TP_T_POINTER);
  if (!is_exact || (!tp_rbound_at(r->t, x->at.upper)->has_if &&
                    !tp_map_get(&r->s->var_of, x->at.upper.id, &known)))
    return;
  const tp_rbound is_null = tp_rbound_equal(r->t, x->at.upper, tp_rbound_null(r->t));
  tp_rsum_learn(r, s, tp_rbound_not(r->t, is_null), TP_RSUM_GIVEN);
}

static void load(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  const uint32_t size = tp_sort_bytes(tt, tp_sort_of(tt, tp_var_of(r->p, e->var)->term));
  tp_rsum_cell c;
  tp_rsum_value v = tp_rsum_any_value(r);
  dereference(r, s, e->a);
  if (!e->volatile_access && tp_rsum_cell_at(r, s, e->a, size, &c) &&
      r->s->places.at[c.place].arity <= 3) {
    const tp_rinterval of = s->places[c.place];
    tp_rinterval at = {none(r, 1), content(r, c.object.upper, c.index.upper, of.upper)};
    if (tp_rbound_at(r->t, of.lower)->kind != TP_RBOUND_NONE &&
        tp_rbound_at(r->t, c.object.lower)->kind != TP_RBOUND_UNIV)
      at.lower = content(r, c.object.lower, c.index.lower, of.lower);
    v = tp_rsum_of_type(r, at, c.type);
    v.origin = origin_of(r, s, e->a, c.place);
  }
  tp_rsum_set_var(r, s, e->var, v);
}

// ------------------------------------------------------------------------ stores

/* x -> y, or x -> i -> y. */
static tp_rbound tuple(const tp_summariser *r, uint32_t arity, tp_rbound x, tp_rbound i,
                       tp_rbound y) {
  return tp_rbound_product(r->t, x, arity == 2 ? y : tp_rbound_product(r->t, i, y));
}

static tp_rinterval strong_update(const tp_summariser *r, tp_rinterval f, uint32_t arity,
                                  const tp_rsum_cell *c, tp_rbound y) {
  const tp_rbound x = c->object.upper, i = c->index.upper, all = tp_rbound_univ(r->t, 1),
                  now = tuple(r, arity, x, i, y);
  const tp_rbound was = tuple(r, arity, x, i, all);
  if (arity == 2)
    return (tp_rinterval){tp_rbound_override(r->t, f.lower, now),
                          tp_rbound_override(r->t, f.upper, now)};
  return (tp_rinterval){tp_rbound_union(r->t, tp_rbound_difference(r->t, f.lower, was), now),
                        tp_rbound_union(r->t, tp_rbound_difference(r->t, f.upper, was), now)};
}

static tp_rinterval weak_update(const tp_summariser *r, tp_rinterval f, uint32_t arity,
                                const tp_rsum_cell *c, tp_rbound y) {
  const bool is_exact = tp_rinterval_is_exact(c->object) && arity == 2;
  const tp_rbound x = tp_rbound_objects(r->t, c->object.upper), i = c->index.upper,
                  all = tp_rbound_univ(r->t, 1);
  if (tp_rbound_at(r->t, x)->has_any && tp_rbound_leq(r->t, all, c->object.upper))
    return tp_rinterval_any(r->t, arity);
  const tp_rbound was = tuple(r, arity, is_exact ? c->object.upper : x, i, all),
                  now = tuple(r, arity, is_exact ? c->object.upper : x, i, y);
  f.lower = tp_rbound_difference(r->t, f.lower, was);
  if (is_exact) f.upper = tp_rbound_difference(r->t, f.upper, was);
  f.upper = tp_rbound_union(r->t, f.upper, now);
  return f;
}

static bool is_of_elements(const tp_summariser *r, const tp_symbol *global, uint32_t basic) {
  const bool is_array = tp_rsum_is_kind(r, global->ctype, TP_T_ARRAY);
  const tp_type element = is_array ? tp_type_of(r->p, global->ctype)->element : global->ctype;
  uint32_t own;
  return tp_rsums_basic_of(r->s, element, &own) && own == basic;
}

/* Globals in memory that pointers to this kind of elements may lead to. */
static void globals_changed(tp_summariser *r, tp_rsum_state *s, const tp_symbol *elements) {
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    const tp_symbol *g = r->s->places.at[i].symbol;
    if (g->kind == TP_SYMBOL_GLOBAL && is_of_elements(r, g, elements->basic))
      s->places[i] = tp_rinterval_any(r->t, r->s->places.at[i].arity);
  }
}

static void update(tp_summariser *r, tp_rsum_state *s, const tp_rsum_cell *c, tp_rinterval value) {
  const tp_rsum_place *p = &r->s->places.at[c->place];
  tp_rinterval *f = &s->places[c->place];
  const bool is_strong = tp_rinterval_is_exact(c->object) && tp_rinterval_is_exact(value) &&
                         (p->arity == 2 || tp_rinterval_is_exact(c->index));
  if (p->arity > 3)
    *f = tp_rinterval_any(r->t, p->arity);
  else if (is_strong)
    *f = strong_update(r, *f, p->arity, c, value.upper);
  else
    *f = weak_update(r, *f, p->arity, c, value.upper);
  *f = limited(r, *f);
  if (p->symbol->kind == TP_SYMBOL_ELEMENTS && !tp_rbound_at(r->t, c->object.upper)->has_new)
    globals_changed(r, s, p->symbol);
  tp_rsum_place_changed(r, s, c->place);
}

static void store(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  tp_rsum_cell c;
  dereference(r, s, e->a);
  tp_rsum_value v = tp_rsum_value_of(r, s, e->b);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, e->b)) == TP_SORT_PTR && (v.cell || v.is_anywhere)) {
    tp_rsum_refuse(r, "a pointer into an object is kept in memory");
    return;
  }
  if (!tp_rsum_cell_at(r, s, e->a, tp_sort_bytes(tt, tp_sort_of(tt, e->b)), &c)) {
    tp_rsum_forget(r, s, "a store that no member of a struct is known for");
    return;
  }
  v = tp_rsum_convert(r, v, c.type);
  update(r, s, &c, v.at);
}

// -------------------------------------------------------------------- new objects

/* The objects and the structs inside of them. */
static tp_rbound with_inner(tp_summariser *r, tp_rbound objects, uint32_t basic, int depth) {
  tp_rbound all = objects;
  for (uint32_t i = 0; i < r->s->places.n && depth < TP_CONTRACTS_BOUND_INNER; i++) {
    const tp_symbol *m = r->s->places.at[i].symbol;
    uint32_t inner;
    if (m->kind == TP_SYMBOL_FIELD && m->basic == basic && !m->changes &&
        tp_rsums_basic_of(r->s, m->ctype, &inner))
      all = tp_rbound_union(
          r->t, all,
          with_inner(r, tp_rbound_join(r->t, objects, r->s->places.at[i].name), inner, depth + 1));
  }
  return all;
}

static uint32_t n_enumerated(const tp_summariser *r, tp_rbound alloc, uint32_t basic) {
  const tp_rbound_node *n = tp_rbound_at(r->t, alloc);
  uint32_t found = n->kind == TP_RBOUND_NEW && n->basic == basic;
  for (uint32_t i = 0; i < n->n_kids && n->arity; i++)
    if (tp_rbound_at(r->t, n->kids[i])->arity) found += n_enumerated(r, n->kids[i], basic);
  return found;
}

static bool is_recursive(const tp_summariser *r) { return tp_func_of(r->p, r->func)->is_recursive; }

tp_rinterval tp_rsum_new_symbol(tp_summariser *r, const tp_rsum_state *s, uint32_t basic,
                                uint64_t key) {
  const tp_rbound set = tp_rbound_new_set(r->t, basic);
  uint64_t number;
  if (r->loop_depth || is_recursive(r) || tp_rbound_leq(r->t, set, s->alloc.upper) ||
      n_enumerated(r, s->alloc.upper, basic) >= r->s->limits.allocations)
    return (tp_rinterval){none(r, 1), set};
  if (!tp_map_get(&r->new_of, key, &number)) {
    number = r->into->n_new++;
    tp_map_set(&r->new_of, key, number);
  }
  return tp_rinterval_exact(tp_rbound_new_object(r->t, basic, (uint32_t)number));
}

static tp_rinterval new_object(tp_summariser *r, tp_rsum_state *s, uint32_t basic, uint64_t key) {
  const tp_rinterval object = tp_rsum_new_symbol(r, s, basic, key);
  s->alloc.lower = tp_rbound_union(r->t, s->alloc.lower, with_inner(r, object.lower, basic, 0));
  s->alloc.upper = tp_rbound_union(r->t, s->alloc.upper, with_inner(r, object.upper, basic, 0));
  return object;
}

typedef enum { INDETERMINATE, ZERO } filling;

static tp_rinterval zero_of(tp_summariser *r, tp_type type) {
  if (tp_rsum_is_kind(r, type, TP_T_POINTER)) return tp_rinterval_exact(tp_rbound_null(r->t));
  return tp_rinterval_exact(tp_rbound_int(r->t, 0));
}

/* All members of objects of the type. */
static void fill(tp_summariser *r, tp_rsum_state *s, uint32_t basic, tp_rinterval object,
                 filling how, int depth) {
  for (uint32_t i = 0; i < r->s->places.n && depth < TP_CONTRACTS_BOUND_INNER; i++) {
    const tp_rsum_place *p = &r->s->places.at[i];
    const tp_symbol *m = p->symbol;
    uint32_t inner;
    if (m->kind == TP_SYMBOL_GLOBAL || m->basic != basic) continue;
    if (m->kind == TP_SYMBOL_FIELD && !m->changes) {
      const tp_rinterval inside = {tp_rbound_join(r->t, object.lower, p->name),
                                   tp_rbound_join(r->t, object.upper, p->name)};
      if (tp_rsums_basic_of(r->s, m->ctype, &inner)) fill(r, s, inner, inside, how, depth + 1);
      continue;
    }
    tp_rsum_cell c = {.object = object, .place = i, .type = m->ctype};
    c.index = (tp_rinterval){none(r, 1), tp_rbound_ints(r->t)};
    const bool is_array = tp_rsum_is_kind(r, m->ctype, TP_T_ARRAY);
    const tp_type type = is_array ? tp_type_of(r->p, m->ctype)->element : m->ctype;
    update(r, s, &c, how == ZERO ? zero_of(r, type) : tp_rinterval_any(r->t, 1));
  }
}

/* What the memory is for: the declared type where one is known. */
static tp_type purpose(tp_summariser *r, const tp_edge_info *e) {
  const tp_var_info *v = tp_var_of(r->p, e->var);
  if (v->is_address || e->object_kind == TP_O_STACK) return v->is_address ? v->type : e->type;
  if (tp_rsum_is_kind(r, v->type, TP_T_POINTER)) {
    const tp_type to = tp_type_of(r->p, v->type)->element;
    if (to.id && !tp_rsum_is_kind(r, to, TP_T_VOID)) return to;
  }
  if (!r->s->pointsto) r->s->pointsto = tp_pointsto_new(r->p);
  const tp_edge own = {(uint32_t)(e - r->p->edges.at)};
  return tp_pointsto_struct(r->s->pointsto, tp_pointsto_of_alloc(r->s->pointsto, own));
}

static void alloc(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  tp_type type = purpose(r, e);
  if (tp_rsum_is_kind(r, type, TP_T_ARRAY)) type = tp_type_of(r->p, type)->element;
  uint32_t basic;
  uint64_t byte = 1;
  tp_rsum_value v = tp_rsum_any_value(r);
  if (!type.id || !tp_rsums_basic_of(r->s, type, &basic)) {
    s->alloc.upper = tp_rbound_univ(r->t, 1);
    tp_rsum_set_var(r, s, e->var, v);
    return;
  }
  const bool is_zero = tp_term_is(e->b) && tp_bv_value_u64(r->p->terms, e->b, &byte) && byte == 0;
  v.at = new_object(r, s, basic, (uint64_t)(e - r->p->edges.at) << 32);
  v.view = type;
  fill(r, s, basic, v.at, is_zero ? ZERO : INDETERMINATE, 0);
  tp_rsum_set_var(r, s, e->var, v);
}

void tp_rsum_may_free(tp_summariser *r, const tp_rsum_state *s, tp_rbound objects) {
  const tp_rbound_node *n = tp_rbound_at(r->t, objects);
  if (n->kind == TP_RBOUND_NEW && !tp_rbound_leq(r->t, objects, s->alloc.lower))
    tp_map_set(&r->freed, (uint64_t)n->number, 1);
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (tp_rbound_at(r->t, n->kids[i])->has_new) tp_rsum_may_free(r, s, n->kids[i]);
}

static void end_object(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_value v = tp_rsum_address_of(r, s, e->a);
  uint32_t basic;
  if (tp_rbound_at(r->t, v.at.upper)->kind == TP_RBOUND_NULL) return;
  if (v.is_anywhere || !tp_rsums_basic_of(r->s, v.view, &basic)) {
    s->alloc.lower = none(r, 1);
    tp_rsum_may_free(r, s, s->alloc.upper);
    return;
  }
  const tp_rbound gone = with_inner(r, v.at.upper, basic, 0);
  s->alloc.lower = tp_rbound_difference(r->t, s->alloc.lower, gone);
  if (tp_rinterval_is_exact(v.at))
    s->alloc.upper = tp_rbound_difference(r->t, s->alloc.upper, gone);
  tp_rsum_may_free(r, s, v.at.upper);
  s->alloc = limited(r, s->alloc);
}

// ------------------------------------------------------------------------- blocks

static bool is_whole_struct(tp_summariser *r, const tp_rsum_value *v, tp_term size,
                            uint32_t *basic) {
  uint64_t bytes;
  return !v->is_anywhere && !v->cell && tp_rsums_basic_of(r->s, v->view, basic) &&
         tp_rsum_is_struct(r->s, *basic) && tp_bv_value_u64(r->p->terms, size, &bytes) &&
         bytes == tp_type_of(r->p, v->view)->size_bytes;
}

/* Every member of one object becomes that of another one. */
static void copy_members(tp_summariser *r, tp_rsum_state *s, uint32_t basic, tp_rinterval to,
                         tp_rinterval from, int depth) {
  for (uint32_t i = 0; i < r->s->places.n && depth < TP_CONTRACTS_BOUND_INNER; i++) {
    const tp_rsum_place *p = &r->s->places.at[i];
    uint32_t inner;
    if (p->symbol->kind != TP_SYMBOL_FIELD || p->symbol->basic != basic) continue;
    const tp_rinterval below = {tp_rbound_join(r->t, from.lower, s->places[i].lower),
                                tp_rbound_join(r->t, from.upper, s->places[i].upper)};
    if (!p->symbol->changes && tp_rsums_basic_of(r->s, p->symbol->ctype, &inner)) {
      const tp_rinterval there = {tp_rbound_join(r->t, to.lower, p->name),
                                  tp_rbound_join(r->t, to.upper, p->name)};
      copy_members(r, s, inner, there, below, depth + 1);
      continue;
    }
    tp_rsum_cell c = {.object = to, .place = i};
    c.index = (tp_rinterval){none(r, 1), tp_rbound_ints(r->t)};
    const bool is_any = p->arity != 2 || tp_rinterval_is_any(r->t, s->places[i]);
    update(r, s, &c, is_any ? tp_rinterval_any(r->t, 1) : below);
  }
}

static void copy(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_value to = tp_rsum_address_of(r, s, e->a), from = tp_rsum_address_of(r, s, e->b);
  uint32_t a, b;
  const bool is_constant = tp_kind(r->p->terms, e->b) == TP_OP_PTR_CONST;
  if (is_whole_struct(r, &to, e->c, &a) && is_whole_struct(r, &from, e->c, &b) && a == b &&
      !is_constant)
    copy_members(r, s, a, to.at, from.at, 0);
  else if (!to.is_anywhere && !to.cell && tp_rsums_basic_of(r->s, to.view, &a) && is_constant)
    fill(r, s, a, to.at, INDETERMINATE, 0);
  else
    tp_rsum_forget(r, s, "a copy of something that is no struct");
}

static void set(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_rsum_value to = tp_rsum_address_of(r, s, e->a);
  uint32_t basic;
  uint64_t byte = 1;
  if (to.is_anywhere || to.cell || !tp_rsums_basic_of(r->s, to.view, &basic)) {
    tp_rsum_forget(r, s, "memory that is filled, but not that of an object");
    return;
  }
  const bool is_zero = is_whole_struct(r, &to, e->c, &basic) &&
                       tp_bv_value_u64(r->p->terms, e->b, &byte) && byte == 0;
  fill(r, s, basic, to.at, is_zero ? ZERO : INDETERMINATE, 0);
}

// ------------------------------------------------------------------------- inputs

static void havoc(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const bool is_call = e->input == TP_I_EXTERN;
  const bool is_pure = e->callee.id && (tp_func_of(r->p, e->callee)->purity != TP_IMPURE ||
                                        tp_is_ghost_statement(tp_func_of(r->p, e->callee)->name));
  if (is_call && !is_pure)
    tp_rsum_forget(r, s,
                   tp_arena_printf(&r->s->arena, "a call of %s, which has no body",
                                   e->name ? e->name : "a function"));
  if (!e->var.id) return;
  tp_rsum_value v = tp_rsum_any_value(r);
  const tp_type type = e->type.id ? e->type : tp_var_of(r->p, e->var)->type;
  if (type.id) v = tp_rsum_of_type(r, v.at, type);
  tp_rsum_set_var(r, s, e->var, v);
}

static void skip(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  if (e->callee.id || e->name)
    tp_rsum_forget(r, s,
                   tp_arena_printf(&r->s->arena, "a call of %s, which has no body",
                                   e->name ? e->name : tp_func_of(r->p, e->callee)->name));
}

static void leave(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  const tp_var result = tp_func_of(r->p, r->func)->result;
  if (!result.id || !tp_term_is(e->a)) return;
  tp_rsum_value v = tp_rsum_value_of(r, s, e->a);
  const tp_type type = tp_type_of(r->p, tp_func_of(r->p, r->func)->type)->element;
  if (type.id) v = tp_rsum_convert(r, v, type);
  tp_rsum_set_var(r, s, result, v);
}

void tp_rsum_edge(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  TP_REQUIRE(!s->is_dead);
  switch (e->kind) {
    case TP_E_SKIP: skip(r, s, e); break;
    case TP_E_ASSIGN: assign(r, s, e); break;
    case TP_E_ASSUME: tp_rsum_assume(r, s, e->a); break;
    case TP_E_LOAD: load(r, s, e); break;
    case TP_E_STORE: store(r, s, e); break;
    case TP_E_ALLOC: alloc(r, s, e); break;
    case TP_E_FREE:
    case TP_E_END_SCOPE: end_object(r, s, e); break;
    case TP_E_COPY: copy(r, s, e); break;
    case TP_E_SET: set(r, s, e); break;
    case TP_E_HAVOC: havoc(r, s, e); break;
    case TP_E_HAVOC_MEMORY: tp_rsum_forget(r, s, "memory that becomes an input"); break;
    case TP_E_CALL: tp_rsum_call(r, s, e); break;
    case TP_E_RETURN: leave(r, s, e); break;
  }
}

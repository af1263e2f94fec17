/* Loads, stores, allocation, the end of objects, copies of structs, as updates of relations: a
 * store is an override of the relation at one tuple, an allocation moves `last` to the next atom,
 * free adds the object to `freed`. Every access adds the ends that it can fail in before it changes
 * the state. */
#include "contracts/modular/relational_exec_priv.h"

#include "contracts/modular/memory_purpose.h"

static const tp_type_info *info_of(const tp_rexecutor *r, tp_type t) { return tp_type_of(r->p, t); }
static bool is_kind(const tp_rexecutor *r, tp_type t, tp_type_kind k) {
  return t.id && info_of(r, t)->kind == k;
}
static tp_rel_expr product(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_PRODUCT, a, b);
}
static tp_rel_expr common(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_INTERSECTION, a, b);
}
static tp_rel_formula some(tp_rexecutor *r, tp_rel_expr a) {
  return tp_rel_multiplicity(r->l, TP_REL_SOME, a);
}
static tp_rel_formula none(tp_rexecutor *r, tp_rel_expr a) {
  return tp_rel_multiplicity(r->l, TP_REL_NO, a);
}
static tp_rel_formula under(tp_rexecutor *r, tp_rel_formula when, tp_rel_formula f) {
  return when.id ? tp_rel_and(r->l, when, f) : f;
}

tp_rel_expr tp_rexecutor_field(tp_rexecutor *r, const tp_rexec_state *s, uint32_t field) {
  TP_REQUIRE(field < r->max_fields && field < r->h->fields.n);
  return s->fields[field].id ? s->fields[field] : r->h->fields.at[field].initial;
}

uint32_t tp_rexecutor_field_of(tp_rexecutor *r, const tp_symbol *symbol) {
  const char *why = NULL;
  const uint32_t field = tp_rheap_field_of(r->h, symbol, &why);
  if (field == TP_RHEAP_NO_FIELD) tp_rexec_unsupported(r, why);
  if (field != TP_RHEAP_NO_FIELD && field >= r->max_fields)
    tp_rexec_unsupported(r, "too many members");
  return r->why ? TP_RHEAP_NO_FIELD : field;
}

// -------------------------------------------------------------------- accesses

void tp_rexecutor_check_access(tp_rexecutor *r, tp_rexec_state *s, const tp_rexec_address *p,
                               tp_rel_expr value) {
  tp_rexecutor_settle_doubts(r, s, TP_REXEC_ADDRESS_USED);
  const tp_rel_formula missing = none(r, tp_rexec_difference(r, p->base, r->h->null));
  tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p->when, missing), "null pointer dereference");
  const tp_rel_expr gone = tp_rexecutor_gone(r, s);
  if (gone.id)
    tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p->when, some(r, common(r, p->base, gone))),
                     "access to an object that is gone");
  if (p->index.id)
    tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p->when, none(r, value)), "index out of range");
}

static tp_rel_expr content(tp_rexecutor *r, const tp_rexec_state *s, uint32_t field,
                           const tp_rexec_address *p) {
  const tp_rel_expr of_base = tp_rexec_join(r, p->base, tp_rexecutor_field(r, s, field));
  return p->index.id ? tp_rexec_join(r, tp_rel_atom_of(r->l, p->index), of_base) : of_base;
}

static tp_rexec_value load_cell(tp_rexecutor *r, tp_rexec_state *s, const tp_rexec_address *p,
                                bool as_bool) {
  const uint32_t field = tp_rexecutor_field_of(r, p->cell);
  if (field == TP_RHEAP_NO_FIELD) return (tp_rexec_value){0};
  const tp_rel_expr found = content(r, s, field, p);
  tp_rexecutor_check_access(r, s, p, found);
  return tp_rexecutor_of_atom(r, found, tp_rheap_value_type(r->h, p->cell), as_bool);
}

static void load(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  const tp_sort sort = tp_sort_of(tt, tp_var_of(r->p, e->var)->term);
  const tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  const tp_rexec_value address = tp_rexecutor_address(r, s, e->a);
  const uint64_t size = tp_sort_bytes(tt, sort);
  tp_rexec_value value = {0};
  if (address.n_addresses == 1 &&
      tp_rexecutor_is_register_access(r, &address.addresses[0], size, kind != TP_SORT_BV)) {
    s->vars[e->var.id] = tp_rexecutor_load_parts(r, s, &address.addresses[0], size);
    return;
  }
  for (uint32_t i = 0; i < address.n_addresses && !r->why && !s->is_dead; i++) {
    tp_rexec_address p;
    if (!tp_rexecutor_cell(r, &address.addresses[i], size, kind == TP_SORT_PTR, &p)) return;
    const tp_rexec_value one = tp_rexec_is_constant(&p)
                                   ? tp_rexecutor_load_constant(r, s, &p, kind == TP_SORT_BOOL)
                                   : load_cell(r, s, &p, kind == TP_SORT_BOOL);
    value = i == 0 ? one : tp_rexecutor_choose(r, p.when, one, value);
  }
  s->vars[e->var.id] = value;
}

tp_rel_expr tp_rexecutor_updated(tp_rexecutor *r, tp_rel_expr old, const tp_rexec_address *p,
                                 tp_rel_expr value) {
  if (!p->index.id) return tp_rel_binary(r->l, TP_REL_OVERRIDE, old, product(r, p->base, value));
  const tp_rel_expr key = product(r, p->base, tp_rel_atom_of(r->l, p->index));
  return tp_rexec_union(r, tp_rexec_difference(r, old, product(r, key, tp_rel_univ(r->l))),
                        product(r, key, value));
}

static void store(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_terms *tt = r->p->terms;
  const tp_sort sort = tp_sort_of(tt, e->b);
  const bool is_pointer = tp_sort_kind_of(tt, sort) == TP_SORT_PTR;
  const tp_rexec_value value = tp_rexecutor_value(r, s, e->b);
  tp_rexecutor_settle_doubts(r, s, TP_REXEC_ADDRESS_KEPT);
  const tp_rexec_value address = tp_rexecutor_address(r, s, e->a);
  if (s->is_dead) return;
  if (value.kind == TP_REXEC_VALUE_PARTS && address.n_addresses == 1 && !r->why) {
    tp_rexecutor_store_parts(r, s, &address.addresses[0], tp_sort_bytes(tt, sort), &value);
    return;
  }
  for (uint32_t i = 0; i < address.n_addresses && !r->why && !s->is_dead; i++) {
    tp_rexec_address p;
    if (!tp_rexecutor_cell(r, &address.addresses[i], tp_sort_bytes(tt, sort), is_pointer, &p))
      return;
    if (tp_rexec_is_constant(&p)) {
      tp_rexec_unsupported(r, "a store to constant memory");
      return;
    }
    const uint32_t field = tp_rexecutor_field_of(r, p.cell);
    if (field == TP_RHEAP_NO_FIELD) return;
    const tp_rel_expr atom = tp_rexecutor_atom(r, s, value, tp_rheap_value_type(r->h, p.cell));
    if (r->why) return;
    tp_rexecutor_check_access(r, s, &p, content(r, s, field, &p));
    const tp_rel_expr old = tp_rexecutor_field(r, s, field),
                      new = tp_rexecutor_updated(r, old, &p, atom);
    s->fields[field] = p.when.id ? tp_rexecutor_choose_expr(r, p.when, new, old) : new;
  }
}

// ------------------------------------------------------------------ new objects

typedef enum { FRESH, FRESH_LOCAL, ZERO } filling;

static tp_rel_expr uninitialised(tp_rexecutor *r, uint32_t field, filling how) {
  return how == FRESH_LOCAL ? tp_rexecutor_fresh_local(r, field)
                            : tp_rheap_uninitialised(r->h, field);
}

static tp_rel_expr zero_of(tp_rexecutor *r, tp_type type) {
  return tp_rheap_is_integer(r->h, type) ? tp_rel_atom_of(r->l, tp_rel_constant(r->l, 0))
                                         : r->h->null;
}

/* The members of an object of struct type get a value; members without relations are left to
 * the queries that use them. */
static void fill_struct(tp_rexecutor *r, tp_rexec_state *s, uint32_t basic, tp_rel_expr object,
                        filling how, bool replaces) {
  TP_REQUIRE(r->h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT);
  const tp_object_model *u = r->h->object_model;
  for (size_t i = 0; i < u->symbols.n && !r->why; i++) {
    const tp_symbol *m = u->symbols.at[i];
    const char *why = NULL;
    if (m->kind != TP_SYMBOL_FIELD || m->basic != basic) continue;
    const uint32_t f = tp_rheap_field_of(r->h, m, &why);
    if (f == TP_RHEAP_NO_FIELD) continue;
    if (f >= r->max_fields) {
      tp_rexec_unsupported(r, "too many members");
      return;
    }
    uint32_t inner;
    if (r->h->fields.at[f].is_inner) {
      if (tp_rheap_inner_of(r->h, &r->h->fields.at[f], &inner))
        fill_struct(r, s, inner, tp_rexec_join(r, object, r->h->fields.at[f].lies), how, replaces);
      continue;
    }
    tp_rel_expr keys = object, value;
    if (tp_rheap_n_keys(r->h, m) == 2)
      keys = product(
          r, object,
          tp_rel_relation(r->l,
                          tp_arena_printf(r->arena, "below %llu",
                                          (unsigned long long)info_of(r, m->ctype)->n_elements),
                          1));
    if (how == ZERO)
      value = product(r, keys, zero_of(r, tp_rheap_value_type(r->h, m)));
    else
      value = tp_rel_binary(r->l, TP_REL_DOMAIN, object, uninitialised(r, f, how));
    s->fields[f] = replaces
                       ? tp_rel_binary(r->l, TP_REL_OVERRIDE, tp_rexecutor_field(r, s, f), value)
                       : tp_rexec_union(r, tp_rexecutor_field(r, s, f), value);
  }
}

/* `count` elements, at most `n`, with indices from 0. */
static void fill_array(tp_rexecutor *r, tp_rexec_state *s, uint32_t basic, tp_rel_expr object,
                       tp_rel_int count, uint32_t n, filling how) {
  TP_REQUIRE(r->h->object_model->basics.at[basic].kind == TP_BASIC_ARRAY);
  const tp_object_model *u = r->h->object_model;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *m = u->symbols.at[i];
    if (m->kind != TP_SYMBOL_ELEMENTS || m->basic != basic) continue;
    const uint32_t f = tp_rexecutor_field_of(r, m);
    if (f == TP_RHEAP_NO_FIELD) return;
    const tp_rel_var v = tp_rel_variable(r->l, "index", 1);
    const tp_rel_expr any = tp_rel_relation(r->l, tp_arena_printf(r->arena, "below %u", n), 1);
    const tp_rel_formula is_below =
        tp_rel_compare_ints(r->l, TP_REL_LESS, tp_rel_total(r->l, tp_rel_use(r->l, v)), count);
    const tp_rel_expr keys =
        product(r, object, tp_rel_comprehension(r->l, &(tp_rel_decl){v, any}, 1, is_below));
    const tp_rel_expr value =
        how == ZERO ? product(r, keys, zero_of(r, m->ctype))
                    : common(r, uninitialised(r, f, how), product(r, keys, tp_rel_univ(r->l)));
    s->fields[f] = tp_rexec_union(r, tp_rexecutor_field(r, s, f), value);
  }
}

static tp_type purpose(const tp_rexecutor *r, const tp_edge_info *e) {
  const uint32_t number = (uint32_t)(e - r->p->edges.at);
  TP_REQUIRE(number > 0 && number < r->p->edges.n);
  return tp_memory_purpose(r->p, (tp_edge){number});
}

/* Local arrays of a few elements have them whatever the bound is. */
static uint32_t most_elements(const tp_rexecutor *r, const tp_rexec_offset *bytes, int64_t size,
                              bool is_local) {
  const int64_t declared = bytes->n ? 0 : bytes->constant / size;
  const bool is_small = is_local && declared > 0 && declared <= TP_CONTRACTS_LOCAL_ELEMENTS;
  return is_small ? (uint32_t)declared : r->h->limits.objects;
}

/* A local array of a few structs, all of which have an index. */
static bool is_small_row(const tp_rexecutor *r, const tp_rexec_offset *bytes, int64_t size) {
  const int64_t n = bytes->n || bytes->constant % size ? 0 : bytes->constant / size;
  return n > 0 && n <= TP_CONTRACTS_LOCAL_ELEMENTS &&
         n <= (int64_t)1 << (r->h->limits.width_bits - 1);
}

static const char *name_of_variable(const tp_rexecutor *r, tp_var v) {
  const char *name = v.id ? tp_var_of(r->p, v)->name : NULL;
  return name && *name ? name : "variable";
}

static tp_rel_expr next_object(tp_rexecutor *r, tp_rexec_state *s, uint32_t basic) {
  const tp_rel_expr last = s->last[basic].id ? s->last[basic] : tp_rheap_use(r->h, basic)->last;
  const tp_rel_expr object = tp_rheap_next(r->h, basic, last);
  tp_rexecutor_end(r, s, TP_REXEC_OBJECTS, none(r, object),
                   tp_arena_printf(r->arena, "one more object of type %s",
                                   r->h->object_model->basics.at[basic].name));
  s->last[basic] = object;
  return object;
}

static void alloc(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  tp_type type = purpose(r, e);
  const bool is_array_type = is_kind(r, type, TP_T_ARRAY);
  if (is_array_type) type = info_of(r, type)->element;
  uint32_t basic;
  uint64_t fill = 1;
  filling how = FRESH;
  if (!tp_rheap_basic_of(r->h, type, &basic)) {
    tp_rexec_unsupported(r, "memory for objects of a type that is not known");
    return;
  }
  if (tp_term_is(e->b) && tp_bv_value_u64(r->p->terms, e->b, &fill) && fill == 0)
    how = ZERO;
  else if (tp_term_is(e->b))
    tp_rexec_unsupported(r, "memory that is filled with something else than zeros");
  const bool is_struct = r->h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT;
  const int64_t size = (int64_t)info_of(r, type)->size_bytes;
  tp_rexec_offset sum = {0};
  tp_rel_int count;
  if (r->why || !tp_rexecutor_sum(r, e->a, 1, &sum)) return;
  const bool is_local = e->object_kind == TP_O_STACK;
  const bool is_row = is_struct && is_array_type && is_local && is_small_row(r, &sum, size);
  if (is_struct && !is_row && (sum.n || sum.constant != size || is_array_type)) {
    tp_rexec_unsupported(r, "memory for several structs, or for parts of one");
    return;
  }
  if (!tp_rexecutor_count(r, s, &sum, size, &count)) return;
  const uint32_t n = is_struct ? 1 : most_elements(r, &sum, size, is_local);
  if (!is_struct) {
    const tp_rel_formula too_many =
        tp_rel_compare_ints(r->l, TP_REL_LESS, tp_rel_constant(r->l, n), count);
    const tp_rel_formula is_negative =  // as a size it is larger than all others
        tp_rel_compare_ints(r->l, TP_REL_LESS, count, tp_rel_constant(r->l, 0));
    tp_rexecutor_end(r, s, TP_REXEC_OBJECTS, tp_rel_or(r->l, too_many, is_negative),
                     "an array with more elements");
  }
  if (s->is_dead) return;
  tp_rel_expr object, start;
  tp_rheap_local v;
  if (!is_local)
    object = start = next_object(r, s, basic);
  else if (tp_rexecutor_local(r, s, name_of_variable(r, e->var), basic, n,
                              is_row ? (uint32_t)(sum.constant / size) : 0, &v)) {
    object = start = v.set;
    if (is_row)
      start = tp_rexec_join(r, tp_rel_atom_of(r->l, tp_rel_constant(r->l, 0)), v.elements);
  } else
    return;
  if (is_local && how == FRESH) how = FRESH_LOCAL;
  if (r->why || s->is_dead) return;
  if (is_struct)
    fill_struct(r, s, basic, object, how, false);
  else
    fill_array(r, s, basic, object, count, n, how);
  tp_rexec_address *p = tp_arena_new(r->arena, tp_rexec_address);
  *p = (tp_rexec_address){.base = start, .view = type};
  s->vars[e->var.id] =
      (tp_rexec_value){.kind = TP_REXEC_VALUE_POINTER, .addresses = p, .n_addresses = 1};
}

// ----------------------------------------------------------------- end of objects

tp_rel_expr tp_rexecutor_inside(tp_rexecutor *r, tp_rel_expr owner, uint32_t field, uint32_t k) {
  const tp_rheap_field *f = &r->h->fields.at[field];
  const tp_rel_expr of_owner = tp_rexec_join(r, owner, f->initial);
  if (tp_rheap_n_keys(r->h, f->symbol) < 2) return of_owner;
  return tp_rexec_join(r, tp_rel_atom_of(r->l, tp_rel_constant(r->l, k)), of_owner);
}

tp_rel_expr tp_rexecutor_with_inner(tp_rexecutor *r, tp_rel_expr objects) {
  tp_rel_expr lies = {0};
  for (size_t i = 0; i < r->h->fields.n; i++) {
    const tp_rheap_field f = r->h->fields.at[i];
    if (f.is_inner) lies = lies.id ? tp_rexec_union(r, lies, f.lies) : f.lies;
  }
  return lies.id ? tp_rexec_join(r, objects, tp_rel_unary(r->l, TP_REL_REFLEXIVE, lies)) : objects;
}

static void end_objects(tp_rexecutor *r, tp_rel_expr *gone, tp_rel_formula when,
                        tp_rel_expr objects) {
  tp_rel_expr all = tp_rexecutor_with_inner(r, tp_rexec_difference(r, objects, r->h->null));
  if (when.id) all = tp_rel_if(r->l, when, all, tp_rel_none(r->l, 1));
  *gone = gone->id ? tp_rexec_union(r, *gone, all) : all;
}

/* All that malloc can have returned. */
static tp_rel_expr heap_objects(tp_rexecutor *r) {
  tp_rel_expr all = r->h->null;
  for (uint32_t b = TP_OTHER_BASIC + 1; b < r->h->object_model->basics.n; b++) {
    const tp_rheap_type *t = &r->h->types[b];
    if (t->is_used)
      all = tp_rexec_union(
          r, all, tp_rexec_join(r, t->first, tp_rel_unary(r->l, TP_REL_REFLEXIVE, t->order)));
  }
  return all;
}

static void free_object(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_rexec_value v = tp_rexecutor_address(r, s, e->a);
  for (uint32_t i = 0; i < v.n_addresses && !r->why && !s->is_dead; i++) {
    const tp_rexec_address p = v.addresses[i];
    if (p.cell) {
      tp_rexec_unsupported(r, "free of a pointer into an object");
      return;
    }
    const tp_rel_expr gone = tp_rexecutor_gone(r, s);
    if (gone.id)
      tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p.when, some(r, common(r, p.base, gone))),
                       "free of an object that is gone");
    if (s->stack.id)
      tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p.when, some(r, common(r, p.base, s->stack))),
                       "free of a local variable");
    const tp_rel_formula is_heap = tp_rel_compare(r->l, TP_REL_IN, p.base, heap_objects(r));
    tp_rexecutor_end(r, s, TP_REXEC_FAILS, under(r, p.when, tp_rel_not(r->l, is_heap)),
                     "free of something that is no heap memory");
    end_objects(r, &s->freed, p.when, p.base);
  }
}

static void end_scope(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_rexec_value v = tp_rexecutor_address(r, s, e->a);
  for (uint32_t i = 0; i < v.n_addresses && !r->why; i++) {
    const tp_rexec_address *p = &v.addresses[i];
    uint32_t basic;
    const bool is_struct = !p->cell && tp_rheap_basic_of(r->h, p->view, &basic);
    end_objects(r, &s->ended, p->when, is_struct ? tp_rexecutor_rows(r, p->base, basic) : p->base);
  }
}

// ------------------------------------------------------------------------ blocks

/* From a struct to the struct that lies first in it, which has the same address. */
static bool into_first(tp_rexecutor *r, tp_rexec_address *p, uint32_t *basic) {
  const tp_symbol *m = tp_object_model_member_at(r->h->object_model, *basic, 0);
  const char *why = NULL;
  uint32_t inner;
  if (!m) return false;
  const uint32_t f = tp_rheap_field_of(r->h, m, &why);
  if (f == TP_RHEAP_NO_FIELD || !tp_rheap_inner_of(r->h, &r->h->fields.at[f], &inner)) return false;
  *p = (tp_rexec_address){.base = tp_rexecutor_inside(r, p->base, f, 0),
                          .view = r->h->object_model->basics.at[inner].type,
                          .when = p->when};
  *basic = inner;
  return true;
}

bool tp_rexecutor_struct_of_size(tp_rexecutor *r, tp_rexec_value v, tp_term size,
                                 tp_rexec_address *at, uint32_t *basic) {
  uint64_t bytes;
  if (v.n_addresses != 1 || v.addresses[0].cell || !tp_bv_value_u64(r->p->terms, size, &bytes) ||
      !tp_rheap_basic_of(r->h, v.addresses[0].view, basic))
    return false;
  *at = v.addresses[0];
  while (r->h->object_model->basics.at[*basic].kind == TP_BASIC_STRUCT &&
         info_of(r, at->view)->size_bytes > bytes)
    if (!into_first(r, at, basic)) return false;
  return r->h->object_model->basics.at[*basic].kind == TP_BASIC_STRUCT &&
         info_of(r, at->view)->size_bytes == bytes;
}

static void copy_members(tp_rexecutor *r, tp_rexec_state *s, uint32_t basic, tp_rel_expr to,
                         tp_rel_expr from) {
  const tp_object_model *u = r->h->object_model;
  for (size_t i = 0; i < u->symbols.n && !r->why; i++) {
    const tp_symbol *m = u->symbols.at[i];
    if (m->kind != TP_SYMBOL_FIELD || m->basic != basic) continue;
    const uint32_t f = tp_rexecutor_field_of(r, m);
    uint32_t inner;
    if (f == TP_RHEAP_NO_FIELD) return;
    if (!r->h->fields.at[f].is_inner) {
      const tp_rel_expr old = tp_rexecutor_field(r, s, f);
      s->fields[f] =
          tp_rel_binary(r->l, TP_REL_OVERRIDE, old, product(r, to, tp_rexec_join(r, from, old)));
    } else if (tp_rheap_inner_of(r->h, &r->h->fields.at[f], &inner)) {
      for (uint32_t k = 0; k < r->h->fields.at[f].n_inner; k++)
        copy_members(r, s, inner, tp_rexecutor_inside(r, to, f, k),
                     tp_rexecutor_inside(r, from, f, k));
    }
  }
}

static void copy(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  if (tp_rexecutor_copy_constant(r, s, e)) return;
  const tp_rexec_value to = tp_rexecutor_address(r, s, e->a),
                       from = tp_rexecutor_address(r, s, e->b);
  tp_rexec_address target, source;
  uint32_t a, b;
  if (r->why) return;
  if (!tp_rexecutor_struct_of_size(r, to, e->c, &target, &a) ||
      !tp_rexecutor_struct_of_size(r, from, e->c, &source, &b) || a != b) {
    tp_rexec_unsupported(r, "a copy of something that is no struct");
    return;
  }
  tp_rexecutor_check_access(r, s, &source, source.base);
  tp_rexecutor_check_access(r, s, &target, target.base);
  copy_members(r, s, a, target.base, source.base);
}

static void set(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_rexec_value to = tp_rexecutor_address(r, s, e->a);
  tp_rexec_address target;
  uint64_t byte;
  uint32_t basic;
  if (r->why) return;
  if (!tp_rexecutor_struct_of_size(r, to, e->c, &target, &basic) ||
      !tp_bv_value_u64(r->p->terms, e->b, &byte) || byte != 0) {
    tp_rexec_unsupported(r, "memory that is filled, but not a struct with zeros");
    return;
  }
  tp_rexecutor_check_access(r, s, &target, target.base);
  fill_struct(r, s, basic, target.base, ZERO, true);
}

void tp_rexecutor_memory(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  if (e->volatile_access)
    tp_rexec_unsupported(r, "a volatile access");
  else if (e->kind == TP_E_LOAD)
    load(r, s, e);
  else if (e->kind == TP_E_STORE)
    store(r, s, e);
  else if (e->kind == TP_E_ALLOC)
    alloc(r, s, e);
  else if (e->kind == TP_E_FREE)
    free_object(r, s, e);
  else if (e->kind == TP_E_END_SCOPE)
    end_scope(r, s, e);
  else if (e->kind == TP_E_COPY)
    copy(r, s, e);
  else
    set(r, s, e);
}

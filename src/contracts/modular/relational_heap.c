/* Heaps as relations, collected piece by piece, and what makes them a heap.
 *
 * Relations are made when a query uses them, so that a question pays for the part of the heap
 * that matters to it: what nobody reads or writes may have any value, and keeps it. Atoms are
 * counted when everything is known (relational_heap_bounds.c). */
#include "contracts/modular/relational_heap_priv.h"

#include "contracts/contracts_limits.h"

void tp_rheap_init(tp_rheap *h, const tp_object_model *u, tp_rheap_limits limits) {
  TP_REQUIRE(u && limits.width_bits >= 2 && limits.width_bits <= TP_CONTRACTS_INTEGER_WIDTH);
  *h = (tp_rheap){.program = u->program, .object_model = u, .limits = limits};
  tp_arena_init(&h->arena);
  h->l = tp_rel_new();
  h->null = tp_rel_relation(h->l, "null", 1);
  h->types = TP_NEW_ARRAY(tp_rheap_type, u->basics.n);
}

void tp_rheap_clear(tp_rheap *h) {
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) tp_vec_clear(&h->types[b].atoms);
  tp_free(h->types);
  tp_vec_clear(&h->fields);
  tp_map_clear(&h->field_of);
  tp_vec_clear(&h->statics);
  tp_vec_clear(&h->functions);
  tp_vec_clear(&h->locals);
  tp_vec_clear(&h->is_local);
  tp_vec_clear(&h->inputs);
  tp_vec_clear(&h->havocs);
  if (h->bounds) tp_rel_bounds_free(h->bounds);
  if (h->atoms) tp_rel_universe_free(h->atoms);
  tp_rel_free(h->l);
  tp_arena_clear(&h->arena);
}

// ----------------------------------------------------------------- C's types

bool tp_rheap_is_integer(const tp_rheap *h, tp_type t) {
  return tp_rheap_is_kind(h, t, TP_T_INT) || tp_rheap_is_kind(h, t, TP_T_BOOL) ||
         tp_rheap_is_kind(h, t, TP_T_ENUM);
}

bool tp_rheap_basic_of(const tp_rheap *h, tp_type pointee, uint32_t *basic) {
  uint64_t found;
  if (!pointee.id || (!tp_map_get(&h->object_model->struct_of, pointee.id, &found) &&
                      !tp_map_get(&h->object_model->array_of, pointee.id, &found)))
    return false;
  *basic = (uint32_t)found;
  return true;
}

bool tp_rheap_is_of_type(const tp_rheap *h, uint32_t object, tp_type function) {
  const tp_type own = h->program->statics.at[object].type;
  return own.id == function.id ||
         (own.id && function.id &&
          strcmp(tp_rheap_info_of(h, own)->name, tp_rheap_info_of(h, function)->name) == 0);
}

static bool is_array_member(const tp_rheap *h, const tp_symbol *s) {
  return s->kind == TP_SYMBOL_FIELD && tp_rheap_is_kind(h, s->ctype, TP_T_ARRAY);
}

uint32_t tp_rheap_n_keys(const tp_rheap *h, const tp_symbol *s) {
  if (s->kind == TP_SYMBOL_GHOST) return tp_reltype_arity(s->type) - 1;
  if (s->kind == TP_SYMBOL_ELEMENTS || is_array_member(h, s)) return 2;
  return s->kind == TP_SYMBOL_FIELD;
}

tp_type tp_rheap_value_type(const tp_rheap *h, const tp_symbol *s) {
  return is_array_member(h, s) ? tp_rheap_info_of(h, s->ctype)->element : s->ctype;
}

/* A few elements, all of which have an index. */
static bool is_small_row(const tp_rheap *h, tp_type array) {
  const uint64_t n = tp_rheap_info_of(h, array)->n_elements;
  return n > 0 && n <= TP_CONTRACTS_LOCAL_ELEMENTS && n <= 1ull << (h->limits.width_bits - 1);
}

bool tp_rheap_inner_of(const tp_rheap *h, const tp_rheap_field *f, uint32_t *inner) {
  return f->is_inner && tp_rheap_basic_of(h, tp_rheap_value_type(h, f->symbol), inner);
}

// --------------------------------------------------------------- asking for it

static tp_rel_expr named(tp_rheap *h, uint32_t arity, const char *a, const char *b) {
  return tp_rel_relation(h->l, tp_arena_printf(&h->arena, "%s%s", a, b), arity);
}

/* Structs inside of a struct come with it. */
static void use_inner(tp_rheap *h, uint32_t basic) {
  const char *why;
  for (size_t i = 0; i < h->object_model->symbols.n; i++) {
    const tp_symbol *s = h->object_model->symbols.at[i];
    if (s->kind == TP_SYMBOL_FIELD && s->basic == basic &&
        tp_rheap_is_kind(h, tp_rheap_value_type(h, s), TP_T_STRUCT))
      (void)tp_rheap_field_of(h, s, &why);
  }
}

const tp_rheap_type *tp_rheap_use(tp_rheap *h, uint32_t basic) {
  TP_REQUIRE(basic < h->object_model->basics.n);
  tp_rheap_type *t = &h->types[basic];
  if (t->is_used) return t;
  const char *name = h->object_model->basics.at[basic].name;
  t->is_used = true;
  t->set = named(h, 1, name, "");
  t->first = named(h, 1, "first ", name);
  t->order = named(h, 2, "order ", name);
  t->last = named(h, 1, "last ", name);
  t->locals = named(h, 1, "locals ", name);
  t->shift = named(h, 3, "shift ", name);
  use_inner(h, basic);
  return t;
}

/* All that a pointer of this type can lead to, whether something calls them or not. */
static void use_functions(tp_rheap *h, tp_type type) {
  for (uint32_t i = 1; i < h->program->funcs.n; i++) {
    const uint32_t object = h->program->funcs.at[i].object;
    if (tp_rheap_is_of_type(h, object, type)) (void)tp_rheap_function(h, object);
  }
}

const char *tp_rheap_unsupported_type(tp_rheap *h, tp_type type) {
  if (tp_rheap_is_integer(h, type)) return NULL;
  uint32_t basic;
  if (!tp_rheap_is_kind(h, type, TP_T_POINTER)) return "values of this type";
  const tp_type to = tp_rheap_info_of(h, type)->element;
  if (tp_rheap_is_kind(h, to, TP_T_FUNCTION)) use_functions(h, to);
  if (!to.id || tp_rheap_is_kind(h, to, TP_T_VOID) || tp_rheap_is_kind(h, to, TP_T_FUNCTION))
    return NULL;
  if (!tp_rheap_basic_of(h, to, &basic)) return "pointers of this type";
  if (h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT &&
      tp_rheap_info_of(h, to)->size_bytes == 0)
    return NULL;
  (void)tp_rheap_use(h, basic);
  return NULL;
}

static bool is_ghost_small(const tp_symbol *s) {
  return tp_reltype_arity(s->type) >= 1 && tp_reltype_arity(s->type) <= 3;
}

uint32_t tp_rheap_field_of(tp_rheap *h, const tp_symbol *s, const char **why) {
  TP_REQUIRE(s && why);
  uint64_t known;
  if (tp_map_get(&h->field_of, (uint64_t)(uintptr_t)s, &known)) {
    TP_INVARIANT(known < h->fields.n && h->fields.at[known].symbol == s);
    return (uint32_t)known;
  }
  const tp_type value = tp_rheap_value_type(h, s);
  const bool is_ghost = s->kind == TP_SYMBOL_GHOST, is_global = tp_rheap_is_global(s);
  const bool is_row = is_array_member(h, s);
  const bool is_inner = s->kind == TP_SYMBOL_FIELD && tp_rheap_is_kind(h, value, TP_T_STRUCT) &&
                        (!is_row || is_small_row(h, s->ctype));
  *why = s->refused          ? s->refused
         : is_inner          ? NULL
         : !is_ghost         ? tp_rheap_unsupported_type(h, value)
         : is_ghost_small(s) ? NULL
                             : "a ghost with more than three columns";
  if (*why) return TP_RHEAP_NO_FIELD;
  uint32_t inner;
  const char *owner = is_global ? "" : h->object_model->basics.at[s->basic].name;
  const tp_rel_expr start =
      named(h, tp_rheap_n_keys(h, s) + 1,
            *owner ? tp_arena_printf(&h->arena, "%s::", owner) : "::", s->name);
  const uint32_t field = (uint32_t)h->fields.n;
  tp_rheap_field own = {.symbol = s, .initial = start, .is_inner = is_inner};
  if (is_inner) {
    own.n_inner = is_row ? (uint32_t)tp_rheap_info_of(h, s->ctype)->n_elements : 1;
    own.lies = is_row ? named(h, 2, "inside ", tp_arena_printf(&h->arena, "%s::%s", owner, s->name))
                      : start;
  }
  tp_vec_push(&h->fields, own);
  tp_map_set(&h->field_of, (uint64_t)(uintptr_t)s, field);
  if (!is_global) (void)tp_rheap_use(h, s->basic);
  if (is_inner && tp_rheap_basic_of(h, value, &inner)) (void)tp_rheap_use(h, inner);
  return field;
}

tp_rel_expr tp_rheap_uninitialised(tp_rheap *h, uint32_t field) {
  TP_REQUIRE(field < h->fields.n);
  tp_rheap_field *f = &h->fields.at[field];
  if (!f->uninitialised.id)
    f->uninitialised = named(h, tp_rheap_n_keys(h, f->symbol) + 1, "fresh ",
                             tp_rel_relation_name(h->l, tp_rel_relation_number(h->l, f->initial)));
  return h->fields.at[field].uninitialised;
}

tp_rheap_local tp_rheap_local_of(tp_rheap *h, const char *name, uint32_t basic, uint32_t n_elements,
                                 uint32_t n_atoms) {
  TP_REQUIRE(name && n_elements > 0 && !h->bounds);
  const tp_rel_expr set = named(h, 1, "local ", name);
  for (size_t i = 0; i < h->locals.n; i++) TP_INVARIANT(h->locals.at[i].set.id != set.id);
  (void)tp_rheap_use(h, basic);
  tp_vec_push(&h->locals,
              (tp_rheap_local){set, basic, n_elements, n_atoms ? n_atoms : 1,
                               n_atoms ? named(h, 2, "elements ", name) : (tp_rel_expr){0}});
  return tp_vec_last(&h->locals);
}

bool tp_rheap_has_rows(const tp_rheap *h, uint32_t basic) {
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic && h->statics.at[i].elements.id) return true;
  for (size_t i = 0; i < h->locals.n; i++)
    if (h->locals.at[i].basic == basic && h->locals.at[i].elements.id) return true;
  uint32_t inner;
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *f = &h->fields.at[i];
    if (tp_rheap_inner_of(h, f, &inner) && inner == basic && is_array_member(h, f->symbol))
      return true;
  }
  return false;
}

tp_rel_expr tp_rheap_static_elements(tp_rheap *h, uint32_t object) {
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].object == object) return h->statics.at[i].elements;
  return (tp_rel_expr){0};
}

bool tp_rheap_static_of(tp_rheap *h, uint32_t object, tp_rel_expr *out, uint32_t *basic) {
  TP_REQUIRE(object < h->program->statics.n);
  const tp_static *s = &h->program->statics.at[object];
  const tp_type type =
      tp_rheap_is_kind(h, s->type, TP_T_ARRAY) ? tp_rheap_info_of(h, s->type)->element : s->type;
  const bool is_array_of_structs =
      tp_rheap_is_kind(h, s->type, TP_T_ARRAY) && tp_rheap_is_kind(h, type, TP_T_STRUCT);
  if (s->kind != TP_O_GLOBAL || s->enclosing_function || s->is_const ||
      (is_array_of_structs && !is_small_row(h, s->type)) || !tp_rheap_basic_of(h, type, basic))
    return false;
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].object == object) {
      *out = h->statics.at[i].set;
      return true;
    }
  (void)tp_rheap_use(h, *basic);
  const char *name = tp_arena_printf(&h->arena, "&%s#%u", s->name, object);
  *out = tp_rel_relation(h->l, name, 1);
  tp_rheap_static own = {.set = *out, .basic = *basic, .object = object, .n_atoms = 1};
  if (is_array_of_structs) {
    own.n_atoms = (uint32_t)tp_rheap_info_of(h, s->type)->n_elements;
    own.elements = named(h, 2, "elements ", name);
  }
  tp_vec_push(&h->statics, own);
  return true;
}

tp_rel_expr tp_rheap_function(tp_rheap *h, uint32_t object) {
  TP_REQUIRE(object < h->program->statics.n);
  for (size_t i = 0; i < h->functions.n; i++)
    if (h->functions.at[i].object == object) return h->functions.at[i].set;
  const tp_rel_expr set = tp_rel_relation(
      h->l, tp_arena_printf(&h->arena, "%s()#%u", h->program->statics.at[object].name, object), 1);
  tp_vec_push(
      &h->functions,
      (tp_rheap_static){.set = set, .basic = TP_FUNCTION_BASIC, .object = object, .n_atoms = 1});
  return set;
}

tp_rel_expr tp_rheap_input(tp_rheap *h, const char *name, tp_type type, const char **why) {
  TP_REQUIRE(name && !h->bounds);
  *why = tp_rheap_unsupported_type(h, type);
  if (*why) return (tp_rel_expr){0};
  tp_symbol *s = tp_arena_new(&h->arena, tp_symbol);
  *s =
      (tp_symbol){.kind = TP_SYMBOL_PARAM, .name = tp_arena_strdup(&h->arena, name), .ctype = type};
  const tp_rel_expr set =
      tp_rel_relation(h->l, tp_arena_printf(&h->arena, "%s#%zu", name, h->inputs.n), 1);
  tp_vec_push(&h->inputs, (tp_rheap_field){.symbol = s, .initial = set});
  return set;
}

static tp_rel_expr add_havoc(tp_rheap *h, tp_rheap_havoc v) {
  TP_REQUIRE(v.relation.id && !h->bounds);
  for (size_t i = 0; i < h->havocs.n; i++)
    if (h->havocs.at[i].relation.id == v.relation.id) return v.relation;
  tp_vec_push(&h->havocs, v);
  return v.relation;
}

tp_rel_expr tp_rheap_havoc_value(tp_rheap *h, const char *name, const tp_symbol *symbol) {
  return add_havoc(
      h, (tp_rheap_havoc){.symbol = symbol,
                          .relation = named(h, tp_rheap_n_keys(h, symbol) + 1, name, "")});
}

tp_rel_expr tp_rheap_havoc_set(tp_rheap *h, const char *name, uint32_t basic) {
  return add_havoc(h, (tp_rheap_havoc){.relation = named(h, 1, name, ""), .basic = basic});
}

tp_rel_expr tp_rheap_havoc_flag(tp_rheap *h, const char *name) {
  return add_havoc(h, (tp_rheap_havoc){.relation = named(h, 1, name, ""), .is_flag = true});
}

tp_rel_expr tp_rheap_havoc_fresh(tp_rheap *h, const char *name, const tp_symbol *symbol) {
  return add_havoc(h,
                   (tp_rheap_havoc){.symbol = symbol,
                                    .relation = named(h, tp_rheap_n_keys(h, symbol) + 1, name, ""),
                                    .is_fresh = true});
}

// ------------------------------------------------------------------ expressions

static tp_rel_expr join(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(h->l, TP_REL_JOIN, a, b);
}
static tp_rel_expr both(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(h->l, TP_REL_UNION, a, b);
}
static tp_rel_formula in(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_compare(h->l, TP_REL_IN, a, b);
}

tp_rel_expr tp_rheap_all_locals(tp_rheap *h) {
  tp_rel_expr all = tp_rel_none(h->l, 1);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b)) all = both(h, all, h->types[b].locals);
  return all;
}

tp_rel_expr tp_rheap_allocated(tp_rheap *h, uint32_t basic, tp_rheap_objects objects) {
  TP_REQUIRE(objects.last && basic < h->object_model->basics.n);
  const tp_rheap_type *t = tp_rheap_use(h, basic);
  tp_rel_expr all =
      join(h, objects.last[basic],
           tp_rel_unary(h->l, TP_REL_REFLEXIVE, tp_rel_unary(h->l, TP_REL_TRANSPOSE, t->order)));
  if (objects.stack.id)
    all = both(h, all, tp_rel_binary(h->l, TP_REL_INTERSECTION, objects.stack, t->locals));
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic) all = both(h, all, h->statics.at[i].set);
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    uint32_t inner;
    if (tp_rheap_inner_of(h, &f, &inner) && inner == basic)
      all = both(h, all, join(h, tp_rheap_allocated(h, f.symbol->basic, objects), f.lies));
  }
  return all;
}

tp_rel_expr tp_rheap_next(tp_rheap *h, uint32_t basic, tp_rel_expr last) {
  const tp_rheap_type *t = tp_rheap_use(h, basic);
  return tp_rel_if(h->l, tp_rel_multiplicity(h->l, TP_REL_NO, last), t->first,
                   join(h, last, t->order));
}

// --------------------------------------------------------------- what is a heap

/* What a value of the type can be in the pre-state. */
static tp_rel_expr range_of(tp_rheap *h, tp_type type, tp_rheap_objects objects) {
  if (tp_rheap_is_integer(h, type)) return tp_rel_ints(h->l);
  const tp_type to = tp_rheap_info_of(h, type)->element;
  tp_rel_expr set = h->null;
  uint32_t basic;
  if (to.id && tp_rheap_is_kind(h, to, TP_T_FUNCTION)) {
    for (size_t i = 0; i < h->functions.n; i++)
      if (tp_rheap_is_of_type(h, h->functions.at[i].object, to))
        set = both(h, set, h->functions.at[i].set);
  } else if (tp_rheap_basic_of(h, to, &basic)) {
    if (h->types[basic].is_used) set = both(h, set, tp_rheap_allocated(h, basic, objects));
  } else {
    for (uint32_t b = 0; b < h->object_model->basics.n; b++)
      if (tp_rheap_is_object_type(h, b)) set = both(h, set, tp_rheap_allocated(h, b, objects));
  }
  return set;
}

static tp_rel_expr interval(tp_rheap *h, uint64_t n) {
  return tp_rel_relation(h->l, tp_arena_printf(&h->arena, "below %llu", (unsigned long long)n), 1);
}

/* r is a total function on the indices of what `owner` has: all of an array member, 0 .. length - 1
 * of an array. */
static tp_rel_formula is_array(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr range) {
  if (s->kind == TP_SYMBOL_FIELD)
    return tp_rel_functional(h->l, TP_REL_TOTAL_FUNCTION, r,
                             interval(h, tp_rheap_info_of(h, s->ctype)->n_elements), range);
  const tp_rel_expr zero = tp_rel_atom_of(h->l, tp_rel_constant(h->l, 0)),
                    successor = tp_rel_relation(h->l, "successor", 2);
  const tp_rel_expr indices = join(h, r, tp_rel_univ(h->l));
  const tp_rel_formula starts = in(h, zero, indices);
  const tp_rel_formula goes_on =
      in(h, tp_rel_binary(h->l, TP_REL_DIFFERENCE, indices, zero), join(h, indices, successor));
  return tp_rel_and(h->l, tp_rel_functional(h->l, TP_REL_PARTIAL, r, tp_rel_ints(h->l), range),
                    tp_rel_and(h->l, starts, goes_on));
}

static tp_rel_expr all_allocated(tp_rheap *h, tp_rheap_objects objects) {
  tp_rel_expr all = both(h, h->null, tp_rel_ints(h->l));
  for (size_t i = 0; i < h->functions.n; i++) all = both(h, all, h->functions.at[i].set);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b)) all = both(h, all, tp_rheap_allocated(h, b, objects));
  return all;
}

/* Every column is an allocated object, null or an integer, the first one an owner; where the others
 * determine the last column, there is one of it at most, and a ghost that is declared as one value
 * has it. */
static tp_rel_formula is_ghost(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners,
                               tp_rheap_objects objects) {
  TP_REQUIRE(!r.id || tp_rel_at(h->l, r.id)->arity == tp_reltype_arity(s->type));
  const uint32_t arity = tp_reltype_arity(s->type);
  const tp_rel_expr all = all_allocated(h, objects);
  tp_rel_expr box = s->basic ? owners : all;
  for (uint32_t i = 1; i < arity; i++) box = tp_rel_binary(h->l, TP_REL_PRODUCT, box, all);
  const tp_rel_formula fits = in(h, r, box);
  if (!s->is_function) return fits;
  const bool is_one =
      s->clause->many != TP_MULTIPLICITY_LONE && s->clause->type->kind != TP_SPEC_PRODUCT;
  if (arity == 1)
    return tp_rel_and(h->l, fits, tp_rel_multiplicity(h->l, is_one ? TP_REL_ONE : TP_REL_LONE, r));
  if (arity == 2)
    return tp_rel_and(
        h->l, fits,
        tp_rel_functional(h->l, is_one && s->basic ? TP_REL_TOTAL_FUNCTION : TP_REL_PARTIAL, r,
                          s->basic ? owners : all, all));
  const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
  const tp_rel_formula each =
      tp_rel_functional(h->l, TP_REL_PARTIAL, join(h, tp_rel_use(h->l, v), r), all, all);
  return tp_rel_and(
      h->l, fits,
      tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, s->basic ? owners : all}, 1, each));
}

/* Relation r, of values of the symbol, for these owners. */
static tp_rel_formula is_value(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners,
                               tp_rel_expr range) {
  TP_REQUIRE(!r.id || tp_rel_at(h->l, r.id)->arity == tp_rheap_n_keys(h, s) + 1);
  const uint32_t n_keys = tp_rheap_n_keys(h, s);
  if (n_keys == 0)
    return tp_rel_and(h->l, tp_rel_multiplicity(h->l, TP_REL_ONE, r), in(h, r, range));
  if (n_keys == 1) return tp_rel_functional(h->l, TP_REL_TOTAL_FUNCTION, r, owners, range);
  const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
  const tp_rel_expr own = join(h, tp_rel_use(h->l, v), r);
  const tp_rel_formula each = tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, owners}, 1,
                                              is_array(h, s, own, range));
  const tp_rel_expr box = tp_rel_binary(
      h->l, TP_REL_PRODUCT, tp_rel_binary(h->l, TP_REL_PRODUCT, owners, tp_rel_ints(h->l)), range);
  return tp_rel_and(h->l, each, in(h, r, box));
}

tp_rel_formula tp_rheap_is_value(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners,
                                 tp_rheap_objects objects) {
  if (s->kind == TP_SYMBOL_GHOST) return is_ghost(h, s, r, owners, objects);
  return is_value(h, s, r, owners, range_of(h, tp_rheap_value_type(h, s), objects));
}

/* Arrays that the program defines have their length. */
static tp_rel_formula static_lengths(tp_rheap *h, const tp_rheap_field *f) {
  tp_rel_formula all = tp_rel_bool(h->l, true);
  for (size_t i = 0; i < h->statics.n && f->symbol->kind == TP_SYMBOL_ELEMENTS; i++) {
    if (h->statics.at[i].basic != f->symbol->basic) continue;
    const tp_rel_expr indices =
        join(h, join(h, h->statics.at[i].set, f->initial), tp_rel_univ(h->l));
    all = tp_rel_and(h->l, all,
                     tp_rel_compare(h->l, TP_REL_EQUAL, indices,
                                    interval(h, tp_rheap_n_elements(h, h->statics.at[i].object))));
  }
  return all;
}

/* All objects that can be made, whether allocated or not: not counting local variables. */
static tp_rel_expr made_in_order(tp_rheap *h, uint32_t basic) {
  return join(h, h->types[basic].first,
              tp_rel_unary(h->l, TP_REL_REFLEXIVE, h->types[basic].order));
}

static tp_rel_expr allocatable(tp_rheap *h, uint32_t basic) {
  tp_rel_expr all = both(h, made_in_order(h, basic), h->types[basic].locals);
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    uint32_t inner;
    if (tp_rheap_inner_of(h, &f, &inner) && inner == basic)
      all = both(h, all, join(h, allocatable(h, f.symbol->basic), f.lies));
  }
  return all;
}

/* r gives the elements of these owners, which have n of them, any value. */
static tp_rel_formula has_elements(tp_rheap *h, tp_rel_expr r, tp_rel_expr owners, uint32_t n,
                                   tp_rel_expr range) {
  const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
  const tp_rel_formula each = tp_rel_functional(
      h->l, TP_REL_TOTAL_FUNCTION, join(h, tp_rel_use(h->l, v), r), interval(h, n), range);
  return tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, owners}, 1, each);
}

static tp_rel_expr element_places(tp_rheap *h, tp_rel_expr owners, uint32_t n) {
  return tp_rel_binary(h->l, TP_REL_PRODUCT, owners, interval(h, n));
}

/* Arrays in the heap have as many elements as the bounds allow, local ones what they are declared
 * with. */
static tp_rel_formula fresh_elements(tp_rheap *h, const tp_rheap_field *f, tp_rel_expr range) {
  const uint32_t basic = f->symbol->basic, n = h->limits.objects;
  const tp_rel_expr made = made_in_order(h, basic);
  tp_rel_formula all = has_elements(h, f->uninitialised, made, n, range);
  tp_rel_expr places = element_places(h, made, n);
  for (size_t i = 0; i < h->locals.n; i++) {
    const tp_rheap_local *local = &h->locals.at[i];
    if (local->basic != basic) continue;
    all = tp_rel_and(h->l, all,
                     has_elements(h, f->uninitialised, local->set, local->n_elements, range));
    places = both(h, places, element_places(h, local->set, local->n_elements));
  }
  const tp_rel_expr box = tp_rel_binary(h->l, TP_REL_PRODUCT, places, range);
  return tp_rel_and(h->l, all, in(h, f->uninitialised, box));
}

/* The local variables first .. end - 1 of the type, and what lies inside of them. */
static tp_rel_expr locals_of(tp_rheap *h, uint32_t basic, size_t first, size_t end) {
  tp_rel_expr all = tp_rel_none(h->l, 1);
  uint32_t inner;
  for (size_t i = first; i < end; i++)
    if (h->locals.at[i].basic == basic) all = both(h, all, h->locals.at[i].set);
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    if (tp_rheap_inner_of(h, &f, &inner) && inner == basic)
      all = both(h, all, join(h, locals_of(h, f.symbol->basic, first, end), f.lies));
  }
  return all;
}

tp_rel_formula tp_rheap_is_fresh(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, size_t first,
                                 size_t end, tp_rheap_objects objects) {
  TP_REQUIRE(first <= end && end <= h->locals.n);
  const tp_rel_expr range = range_of(h, tp_rheap_value_type(h, s), objects);
  if (s->kind != TP_SYMBOL_ELEMENTS)
    return is_value(h, s, r, locals_of(h, s->basic, first, end), range);
  tp_rel_formula all = tp_rel_bool(h->l, true);
  for (size_t i = first; i < end; i++) {
    const tp_rheap_local *local = &h->locals.at[i];
    if (local->basic == s->basic)
      all = tp_rel_and(h->l, all, has_elements(h, r, local->set, local->n_elements, range));
  }
  return all;
}

tp_rel_formula tp_rheap_is_heap(tp_rheap *h) {
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, h->object_model->basics.n);
  tp_rel_formula all = tp_rel_bool(h->l, true);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) {
    if (h->types[b].is_used) last[b] = h->types[b].last;
    if (h->types[b].is_used)
      all = tp_rel_and(h->l, all, tp_rel_multiplicity(h->l, TP_REL_LONE, last[b]));
  }
  const tp_rheap_objects objects = {.last = last};
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    if (f.is_inner) continue;
    if (f.symbol->kind == TP_SYMBOL_GHOST) {
      all = tp_rel_and(
          h->l, all,
          is_ghost(h, f.symbol, f.initial,
                   f.symbol->basic ? tp_rheap_allocated(h, f.symbol->basic, objects) : h->null,
                   objects));
      if (f.uninitialised.id)
        all = tp_rel_and(
            h->l, all,
            is_ghost(h, f.symbol, f.uninitialised, allocatable(h, f.symbol->basic), objects));
      continue;
    }
    const tp_rel_expr owners = f.symbol->kind == TP_SYMBOL_GLOBAL
                                   ? h->null
                                   : tp_rheap_allocated(h, f.symbol->basic, objects);
    const tp_rel_expr range = range_of(h, tp_rheap_value_type(h, f.symbol), objects);
    all = tp_rel_and(h->l, all, is_value(h, f.symbol, f.initial, owners, range));
    all = tp_rel_and(h->l, all, static_lengths(h, &f));
    if (f.uninitialised.id && f.symbol->kind == TP_SYMBOL_FIELD)
      all = tp_rel_and(
          h->l, all,
          is_value(h, f.symbol, f.uninitialised, allocatable(h, f.symbol->basic), range));
    if (f.uninitialised.id && f.symbol->kind == TP_SYMBOL_ELEMENTS)
      all = tp_rel_and(h->l, all, fresh_elements(h, &f, range));
  }
  TP_REQUIRE(h->n_foreign_inputs <= h->inputs.n);
  for (size_t i = 0; i < h->inputs.n - h->n_foreign_inputs; i++) {
    const tp_rheap_field f = h->inputs.at[i];
    all = tp_rel_and(
        h->l, all,
        is_value(h, f.symbol, f.initial, h->null, range_of(h, f.symbol->ctype, objects)));
  }
  tp_free(last);
  return all;
}

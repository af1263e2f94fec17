/* Heaps as relations: asked for piece by piece, bound at the end.
 *
 * Relations are made when something touches them, so that a question pays for the part of the heap that matters to it: what nobody reads or writes
 * may have any value, and keeps it. Atoms are counted when everything is known. */
#include "engine/modular/heap.h"

#include <stdio.h>

void tp_rheap_init(tp_rheap *h, const tp_universe *u, tp_rheap_limits limits) {
  *h = (tp_rheap){.program = u->program, .universe = u, .limits = limits};
  tp_arena_init(&h->arena);
  h->l = tp_rel_new();
  h->null = tp_rel_relation(h->l, "null", 1);
  h->types = TP_NEW_ARRAY(tp_rheap_type, u->basics.n);
}

void tp_rheap_clear(tp_rheap *h) {
  for (uint32_t b = 0; b < h->universe->basics.n; b++) tp_vec_clear(&h->types[b].atoms);
  tp_free(h->types);
  tp_vec_clear(&h->fields);
  tp_map_clear(&h->field_of);
  tp_vec_clear(&h->statics);
  tp_vec_clear(&h->functions);
  tp_vec_clear(&h->inputs);
  tp_vec_clear(&h->later);
  if (h->bounds) tp_rel_bounds_free(h->bounds);
  if (h->atoms) tp_rel_universe_free(h->atoms);
  tp_rel_free(h->l);
  tp_arena_clear(&h->arena);
}

// ----------------------------------------------------------------- C's types

static const tp_type_info *info_of(const tp_rheap *h, tp_type t) { return tp_type_of(h->program, t); }
static bool is_kind(const tp_rheap *h, tp_type t, tp_type_kind k) { return t.id && info_of(h, t)->kind == k; }

bool tp_rheap_is_integer(const tp_rheap *h, tp_type t) { return is_kind(h, t, TP_T_INT) || is_kind(h, t, TP_T_BOOL) || is_kind(h, t, TP_T_ENUM); }

bool tp_rheap_basic_of(const tp_rheap *h, tp_type pointee, uint32_t *basic) {
  uint64_t found;
  if (!pointee.id || (!tp_map_get(&h->universe->struct_of, pointee.id, &found) && !tp_map_get(&h->universe->array_of, pointee.id, &found))) return false;
  *basic = (uint32_t)found;
  return true;
}

bool tp_rheap_is_of_type(const tp_rheap *h, uint32_t object, tp_type function) {
  const tp_type own = h->program->statics.at[object].type;
  return own.id == function.id || (own.id && function.id && strcmp(info_of(h, own)->name, info_of(h, function)->name) == 0);
}

static bool is_array_member(const tp_rheap *h, const tp_symbol *s) { return s->kind == TP_SYMBOL_FIELD && is_kind(h, s->ctype, TP_T_ARRAY); }

uint32_t tp_rheap_n_keys(const tp_rheap *h, const tp_symbol *s) {
  if (s->kind == TP_SYMBOL_GHOST) return tp_reltype_arity(s->type) - 1;
  if (s->kind == TP_SYMBOL_ELEMENTS || is_array_member(h, s)) return 2;
  return s->kind == TP_SYMBOL_FIELD;
}

tp_type tp_rheap_value_type(const tp_rheap *h, const tp_symbol *s) { return is_array_member(h, s) ? info_of(h, s->ctype)->element : s->ctype; }

// --------------------------------------------------------------- asking for it

static tp_rel_expr named(tp_rheap *h, uint32_t arity, const char *a, const char *b) {
  return tp_rel_relation(h->l, tp_arena_printf(&h->arena, "%s%s", a, b), arity);
}

/* Structs inside of a struct come with it. */
static void use_inner(tp_rheap *h, uint32_t basic) {
  const char *why;
  for (size_t i = 0; i < h->universe->symbols.n; i++) {
    const tp_symbol *s = h->universe->symbols.at[i];
    if (s->kind == TP_SYMBOL_FIELD && s->basic == basic && is_kind(h, s->ctype, TP_T_STRUCT)) (void)tp_rheap_field_of(h, s, &why);
  }
}

const tp_rheap_type *tp_rheap_use(tp_rheap *h, uint32_t basic) {
  tp_rheap_type *t = &h->types[basic];
  if (t->is_used) return t;
  const char *name = h->universe->basics.at[basic].name;
  t->is_used = true;
  t->set = named(h, 1, name, "");
  t->first = named(h, 1, "first ", name);
  t->order = named(h, 2, "order ", name);
  t->last = named(h, 1, "last ", name);
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

const char *tp_rheap_why_not(tp_rheap *h, tp_type type) {
  if (tp_rheap_is_integer(h, type)) return NULL;
  uint32_t basic;
  if (!is_kind(h, type, TP_T_POINTER)) return "values of this type";
  const tp_type to = info_of(h, type)->element;
  if (is_kind(h, to, TP_T_FUNCTION)) use_functions(h, to);
  if (!to.id || is_kind(h, to, TP_T_VOID) || is_kind(h, to, TP_T_FUNCTION)) return NULL;
  if (!tp_rheap_basic_of(h, to, &basic)) return "pointers of this type";
  if (h->universe->basics.at[basic].kind == TP_BASIC_STRUCT && info_of(h, to)->size_bytes == 0) return NULL;
  (void)tp_rheap_use(h, basic);
  return NULL;
}

static bool is_ghost_small(const tp_symbol *s) { return tp_reltype_arity(s->type) >= 1 && tp_reltype_arity(s->type) <= 3; }

uint32_t tp_rheap_field_of(tp_rheap *h, const tp_symbol *s, const char **why) {
  uint64_t known;
  if (tp_map_get(&h->field_of, (uint64_t)(uintptr_t)s, &known)) return (uint32_t)known;
  const tp_type value = tp_rheap_value_type(h, s);
  const bool is_ghost = s->kind == TP_SYMBOL_GHOST, is_global = tp_rheap_is_global(s);
  const bool is_inner = s->kind == TP_SYMBOL_FIELD && is_kind(h, value, TP_T_STRUCT) && !is_array_member(h, s);
  *why = s->refused ? s->refused : is_inner ? NULL : !is_ghost ? tp_rheap_why_not(h, value) : is_ghost_small(s) ? NULL : "a ghost with more than three columns";
  if (*why) return TP_RHEAP_NO_FIELD;
  uint32_t inner;
  const char *owner = is_global ? "" : h->universe->basics.at[s->basic].name;
  const tp_rel_expr start = named(h, tp_rheap_n_keys(h, s) + 1, *owner ? tp_arena_printf(&h->arena, "%s::", owner) : "::", s->name);
  const uint32_t field = (uint32_t)h->fields.n;
  tp_vec_push(&h->fields, (tp_rheap_field){s, start, {0}, is_inner});
  tp_map_set(&h->field_of, (uint64_t)(uintptr_t)s, field);
  if (!is_global) (void)tp_rheap_use(h, s->basic);
  if (is_inner && tp_rheap_basic_of(h, value, &inner)) (void)tp_rheap_use(h, inner);
  return field;
}

tp_rel_expr tp_rheap_fresh(tp_rheap *h, uint32_t field) {
  tp_rheap_field *f = &h->fields.at[field];
  if (!f->fresh.id) f->fresh = named(h, tp_rheap_n_keys(h, f->symbol) + 1, "fresh ", tp_rel_relation_name(h->l, tp_rel_relation_number(h->l, f->start)));
  return h->fields.at[field].fresh;
}

bool tp_rheap_static_of(tp_rheap *h, uint32_t object, tp_rel_expr *out, uint32_t *basic) {
  const tp_static *s = &h->program->statics.at[object];
  const tp_type type = is_kind(h, s->type, TP_T_ARRAY) ? info_of(h, s->type)->element : s->type;
  const bool is_array_of_structs = is_kind(h, s->type, TP_T_ARRAY) && is_kind(h, type, TP_T_STRUCT);
  if (s->kind != TP_O_GLOBAL || s->is_const || is_array_of_structs || !tp_rheap_basic_of(h, type, basic)) return false;
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].object == object) {
      *out = h->statics.at[i].set;
      return true;
    }
  (void)tp_rheap_use(h, *basic);
  *out = tp_rel_relation(h->l, tp_arena_printf(&h->arena, "&%s#%u", s->name, object), 1);
  tp_vec_push(&h->statics, (tp_rheap_static){*out, *basic, object});
  return true;
}

tp_rel_expr tp_rheap_function(tp_rheap *h, uint32_t object) {
  for (size_t i = 0; i < h->functions.n; i++)
    if (h->functions.at[i].object == object) return h->functions.at[i].set;
  const tp_rel_expr set = tp_rel_relation(h->l, tp_arena_printf(&h->arena, "%s()#%u", h->program->statics.at[object].name, object), 1);
  tp_vec_push(&h->functions, (tp_rheap_static){set, TP_FUNCTION_BASIC, object});
  return set;
}

tp_rel_expr tp_rheap_input(tp_rheap *h, const char *name, tp_type type, const char **why) {
  *why = tp_rheap_why_not(h, type);
  if (*why) return (tp_rel_expr){0};
  tp_symbol *s = tp_arena_new(&h->arena, tp_symbol);
  *s = (tp_symbol){.kind = TP_SYMBOL_PARAM, .name = tp_arena_strdup(&h->arena, name), .ctype = type};
  const tp_rel_expr set = tp_rel_relation(h->l, tp_arena_printf(&h->arena, "%s#%zu", name, h->inputs.n), 1);
  tp_vec_push(&h->inputs, (tp_rheap_field){s, set, {0}, false});
  return set;
}

static tp_rel_expr add_later(tp_rheap *h, tp_rheap_later v) {
  for (size_t i = 0; i < h->later.n; i++)
    if (h->later.at[i].relation.id == v.relation.id) return v.relation;
  tp_vec_push(&h->later, v);
  return v.relation;
}

tp_rel_expr tp_rheap_later_value(tp_rheap *h, const char *name, const tp_symbol *symbol) {
  return add_later(h, (tp_rheap_later){symbol, named(h, tp_rheap_n_keys(h, symbol) + 1, name, ""), 0});
}

tp_rel_expr tp_rheap_later_set(tp_rheap *h, const char *name, uint32_t basic) { return add_later(h, (tp_rheap_later){NULL, named(h, 1, name, ""), basic}); }

// ------------------------------------------------------------------ expressions

static tp_rel_expr join(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) { return tp_rel_binary(h->l, TP_REL_JOIN, a, b); }
static tp_rel_expr both(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) { return tp_rel_binary(h->l, TP_REL_UNION, a, b); }
static tp_rel_formula in(tp_rheap *h, tp_rel_expr a, tp_rel_expr b) { return tp_rel_compare(h->l, TP_REL_IN, a, b); }

tp_rel_expr tp_rheap_there(tp_rheap *h, uint32_t basic, const tp_rel_expr *last) {
  const tp_rheap_type *t = tp_rheap_use(h, basic);
  tp_rel_expr all = join(h, last[basic], tp_rel_unary(h->l, TP_REL_REFLEXIVE, tp_rel_unary(h->l, TP_REL_TRANSPOSE, t->order)));
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic) all = both(h, all, h->statics.at[i].set);
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    uint32_t inner;
    if (f.is_inner && tp_rheap_basic_of(h, f.symbol->ctype, &inner) && inner == basic) all = both(h, all, join(h, tp_rheap_there(h, f.symbol->basic, last), f.start));
  }
  return all;
}

tp_rel_expr tp_rheap_next(tp_rheap *h, uint32_t basic, tp_rel_expr last) {
  const tp_rheap_type *t = tp_rheap_use(h, basic);
  return tp_rel_if(h->l, tp_rel_many(h->l, TP_REL_NO, last), t->first, join(h, last, t->order));
}

// --------------------------------------------------------------- what is a heap

static bool is_object_type(const tp_rheap *h, uint32_t b) { return h->types[b].is_used && b > TP_OTHER_BASIC; }

/* What a value of the type can be at the start. */
static tp_rel_expr range_of(tp_rheap *h, tp_type type, const tp_rel_expr *last) {
  if (tp_rheap_is_integer(h, type)) return tp_rel_ints(h->l);
  const tp_type to = info_of(h, type)->element;
  tp_rel_expr set = h->null;
  uint32_t basic;
  if (to.id && is_kind(h, to, TP_T_FUNCTION)) {
    for (size_t i = 0; i < h->functions.n; i++)
      if (tp_rheap_is_of_type(h, h->functions.at[i].object, to)) set = both(h, set, h->functions.at[i].set);
  } else if (tp_rheap_basic_of(h, to, &basic)) {
    if (h->types[basic].is_used) set = both(h, set, tp_rheap_there(h, basic, last));
  } else {
    for (uint32_t b = 0; b < h->universe->basics.n; b++)
      if (is_object_type(h, b)) set = both(h, set, tp_rheap_there(h, b, last));
  }
  return set;
}

static tp_rel_expr interval(tp_rheap *h, uint64_t n) { return tp_rel_relation(h->l, tp_arena_printf(&h->arena, "below %llu", (unsigned long long)n), 1); }

/* r is a total function on the indices of what `owner` has: all of an array member, 0 .. length - 1 of an array. */
static tp_rel_formula is_array(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr range) {
  if (s->kind == TP_SYMBOL_FIELD) return tp_rel_functional(h->l, TP_REL_TOTAL_FUNCTION, r, interval(h, info_of(h, s->ctype)->n_elements), range);
  const tp_rel_expr zero = tp_rel_atom_of(h->l, tp_rel_constant(h->l, 0)), successor = tp_rel_relation(h->l, "successor", 2);
  const tp_rel_expr indices = join(h, r, tp_rel_univ(h->l));
  const tp_rel_formula starts = in(h, zero, indices);
  const tp_rel_formula goes_on = in(h, tp_rel_binary(h->l, TP_REL_DIFFERENCE, indices, zero), join(h, indices, successor));
  return tp_rel_and(h->l, tp_rel_functional(h->l, TP_REL_PARTIAL, r, tp_rel_ints(h->l), range), tp_rel_and(h->l, starts, goes_on));
}

static tp_rel_expr all_there(tp_rheap *h, const tp_rel_expr *last) {
  tp_rel_expr all = both(h, h->null, tp_rel_ints(h->l));
  for (size_t i = 0; i < h->functions.n; i++) all = both(h, all, h->functions.at[i].set);
  for (uint32_t b = 0; b < h->universe->basics.n; b++)
    if (is_object_type(h, b)) all = both(h, all, tp_rheap_there(h, b, last));
  return all;
}

/* Every column is something that is there, the first one an owner; where the others determine the last column, there is one of it at most, and a
 * ghost that is declared as one value has it. */
static tp_rel_formula is_ghost(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners, const tp_rel_expr *last) {
  const uint32_t arity = tp_reltype_arity(s->type);
  const tp_rel_expr all = all_there(h, last);
  tp_rel_expr box = s->basic ? owners : all;
  for (uint32_t i = 1; i < arity; i++) box = tp_rel_binary(h->l, TP_REL_PRODUCT, box, all);
  const tp_rel_formula fits = in(h, r, box);
  if (!s->is_function) return fits;
  const bool is_one = s->clause->many != TP_MANY_LONE && s->clause->type->kind != TP_PHRASE_PRODUCT;
  if (arity == 1) return tp_rel_and(h->l, fits, tp_rel_many(h->l, is_one ? TP_REL_ONE : TP_REL_LONE, r));
  if (arity == 2) return tp_rel_and(h->l, fits, tp_rel_functional(h->l, is_one && s->basic ? TP_REL_TOTAL_FUNCTION : TP_REL_PARTIAL, r, s->basic ? owners : all, all));
  const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
  const tp_rel_formula each = tp_rel_functional(h->l, TP_REL_PARTIAL, join(h, tp_rel_use(h->l, v), r), all, all);
  return tp_rel_and(h->l, fits, tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, s->basic ? owners : all}, 1, each));
}

/* Relation r, of values of the symbol, for these owners. */
static tp_rel_formula is_value(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners, tp_rel_expr range) {
  const uint32_t n_keys = tp_rheap_n_keys(h, s);
  if (n_keys == 0) return tp_rel_and(h->l, tp_rel_many(h->l, TP_REL_ONE, r), in(h, r, range));
  if (n_keys == 1) return tp_rel_functional(h->l, TP_REL_TOTAL_FUNCTION, r, owners, range);
  const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
  const tp_rel_expr own = join(h, tp_rel_use(h->l, v), r);
  const tp_rel_formula each = tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, owners}, 1, is_array(h, s, own, range));
  const tp_rel_expr box = tp_rel_binary(h->l, TP_REL_PRODUCT, tp_rel_binary(h->l, TP_REL_PRODUCT, owners, tp_rel_ints(h->l)), range);
  return tp_rel_and(h->l, each, in(h, r, box));
}

tp_rel_formula tp_rheap_is_value(tp_rheap *h, const tp_symbol *s, tp_rel_expr r, tp_rel_expr owners, const tp_rel_expr *last) {
  if (s->kind == TP_SYMBOL_GHOST) return is_ghost(h, s, r, owners, last);
  return is_value(h, s, r, owners, range_of(h, tp_rheap_value_type(h, s), last));
}

static uint64_t n_elements(const tp_rheap *h, uint32_t object) {
  const tp_type type = h->program->statics.at[object].type;
  return is_kind(h, type, TP_T_ARRAY) ? info_of(h, type)->n_elements : 1;
}

/* Arrays that the program defines have their length. */
static tp_rel_formula static_lengths(tp_rheap *h, const tp_rheap_field *f) {
  tp_rel_formula all = tp_rel_truth(h->l, true);
  for (size_t i = 0; i < h->statics.n && f->symbol->kind == TP_SYMBOL_ELEMENTS; i++) {
    if (h->statics.at[i].basic != f->symbol->basic) continue;
    const tp_rel_expr indices = join(h, join(h, h->statics.at[i].set, f->start), tp_rel_univ(h->l));
    all = tp_rel_and(h->l, all, tp_rel_compare(h->l, TP_REL_EQUAL, indices, interval(h, n_elements(h, h->statics.at[i].object))));
  }
  return all;
}

/* All objects that can be made, whether there or not. */
static tp_rel_expr makeable(tp_rheap *h, uint32_t basic) {
  const tp_rheap_type *t = &h->types[basic];
  tp_rel_expr all = join(h, t->first, tp_rel_unary(h->l, TP_REL_REFLEXIVE, t->order));
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    uint32_t inner;
    if (f.is_inner && tp_rheap_basic_of(h, f.symbol->ctype, &inner) && inner == basic) all = both(h, all, join(h, makeable(h, f.symbol->basic), f.start));
  }
  return all;
}

tp_rel_formula tp_rheap_is_heap(tp_rheap *h) {
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, h->universe->basics.n);
  tp_rel_formula all = tp_rel_truth(h->l, true);
  for (uint32_t b = 0; b < h->universe->basics.n; b++) {
    if (h->types[b].is_used) last[b] = h->types[b].last;
    if (h->types[b].is_used) all = tp_rel_and(h->l, all, tp_rel_many(h->l, TP_REL_LONE, last[b]));
  }
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field f = h->fields.at[i];
    if (f.is_inner) continue;
    if (f.symbol->kind == TP_SYMBOL_GHOST) {
      all = tp_rel_and(h->l, all, is_ghost(h, f.symbol, f.start, f.symbol->basic ? tp_rheap_there(h, f.symbol->basic, last) : h->null, last));
      if (f.fresh.id) all = tp_rel_and(h->l, all, is_ghost(h, f.symbol, f.fresh, makeable(h, f.symbol->basic), last));
      continue;
    }
    const tp_rel_expr owners = f.symbol->kind == TP_SYMBOL_GLOBAL ? h->null : tp_rheap_there(h, f.symbol->basic, last);
    const tp_rel_expr range = range_of(h, tp_rheap_value_type(h, f.symbol), last);
    all = tp_rel_and(h->l, all, is_value(h, f.symbol, f.start, owners, range));
    all = tp_rel_and(h->l, all, static_lengths(h, &f));
    if (f.fresh.id && f.symbol->kind == TP_SYMBOL_FIELD) all = tp_rel_and(h->l, all, is_value(h, f.symbol, f.fresh, makeable(h, f.symbol->basic), range));
    if (f.fresh.id && f.symbol->kind == TP_SYMBOL_ELEMENTS) {        // for every index
      const tp_rel_expr keys = tp_rel_binary(h->l, TP_REL_PRODUCT, makeable(h, f.symbol->basic), interval(h, h->limits.objects));
      const tp_rel_expr box = tp_rel_binary(h->l, TP_REL_PRODUCT, keys, range);
      const tp_rel_var v = tp_rel_variable(h->l, "owner", 1);
      const tp_rel_formula total = tp_rel_functional(h->l, TP_REL_TOTAL_FUNCTION, join(h, tp_rel_use(h->l, v), f.fresh), interval(h, h->limits.objects), range);
      all = tp_rel_and(h->l, all, tp_rel_quantify(h->l, TP_REL_FOR_ALL, &(tp_rel_decl){v, makeable(h, f.symbol->basic)}, 1, total));
      all = tp_rel_and(h->l, all, in(h, f.fresh, box));
    }
  }
  for (size_t i = 0; i < h->inputs.n; i++) {
    const tp_rheap_field f = h->inputs.at[i];
    all = tp_rel_and(h->l, all, is_value(h, f.symbol, f.start, h->null, range_of(h, f.symbol->ctype, last)));
  }
  tp_free(last);
  return all;
}

// --------------------------------------------------------------------- binding

/* "struct cell" 3: "cell3" */
static const char *atom_name(tp_rheap *h, uint32_t basic, uint32_t i) {
  const char *name = h->universe->basics.at[basic].name;
  return tp_arena_printf(&h->arena, "%s%u", strncmp(name, "struct ", 7) == 0 ? name + 7 : name, i);
}

/* Objects that can be made come first. */
static void make_atoms(tp_rheap *h, uint32_t basic) {
  tp_rheap_type *t = &h->types[basic];
  if (t->atoms.n) return;
  for (uint32_t i = 0; i < h->limits.objects; i++) tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, atom_name(h, basic, i)));
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == basic) tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, h->program->statics.at[h->statics.at[i].object].name));
  for (size_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *f = &h->fields.at[i];
    uint32_t inner;
    if (!f->is_inner || !tp_rheap_basic_of(h, f->symbol->ctype, &inner) || inner != basic) continue;
    make_atoms(h, f->symbol->basic);                         // structs cannot contain themselves
    for (size_t k = 0; k < h->types[f->symbol->basic].atoms.n; k++) {
      const char *owner = tp_rel_atom_name(h->atoms, h->types[f->symbol->basic].atoms.at[k]);
      tp_vec_push(&t->atoms, tp_rel_atom(h->atoms, tp_arena_printf(&h->arena, "%s.%s", owner, f->symbol->name)));
    }
  }
}

typedef struct {
  TP_VEC(uint32_t) at;
} atom_list;

static void add_integers(const tp_rheap *h, tp_type type, atom_list *out) {
  const tp_type_info *info = info_of(h, type);
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1)), most = -least - 1;
  for (int64_t v = least; v <= most; v++) {
    uint32_t atom;
    const bool fits = info->kind == TP_T_BOOL ? v == 0 || v == 1 : info->is_signed || v >= 0;
    if (fits && tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&out->at, atom);
  }
}

static void add_values(const tp_rheap *h, tp_type type, atom_list *out) {
  if (tp_rheap_is_integer(h, type)) {
    add_integers(h, type, out);
    return;
  }
  const tp_type to = info_of(h, type)->element;
  uint32_t basic, n = (uint32_t)h->universe->basics.n, first = 0, last = n;
  tp_vec_push(&out->at, h->null_atom);
  for (size_t i = 0; to.id && is_kind(h, to, TP_T_FUNCTION) && i < h->functions.n; i++)
    if (tp_rheap_is_of_type(h, h->functions.at[i].object, to)) tp_vec_push(&out->at, h->types[TP_FUNCTION_BASIC].atoms.at[i]);
  if (to.id && is_kind(h, to, TP_T_FUNCTION)) first = last = TP_FUNCTION_BASIC;
  else if (tp_rheap_basic_of(h, to, &basic)) first = basic, last = basic + 1;
  else first = TP_OTHER_BASIC + 1;
  for (uint32_t b = first; b < last; b++)
    for (size_t i = 0; i < h->types[b].atoms.n; i++) tp_vec_push(&out->at, h->types[b].atoms.at[i]);
}

/* Indices that an element of this owner can have. */
static uint64_t n_indices(const tp_rheap *h, const tp_symbol *s, uint32_t owner_place) {
  if (s->kind == TP_SYMBOL_FIELD) return info_of(h, s->ctype)->n_elements;
  if (owner_place < h->limits.objects) return h->limits.objects;
  uint32_t place = h->limits.objects;
  for (size_t i = 0; i < h->statics.n; i++)
    if (h->statics.at[i].basic == s->basic && place++ == owner_place) return n_elements(h, h->statics.at[i].object);
  return h->limits.objects;
}

static void add_atoms_of(const tp_rheap *h, uint32_t basic, atom_list *out) {
  uint32_t atom;
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1));
  if (basic == TP_NULL_BASIC) tp_vec_push(&out->at, h->null_atom);
  for (int64_t v = least; basic == TP_INT_BASIC && v < -least; v++)
    if (tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&out->at, atom);
  for (size_t i = 0; basic > TP_INT_BASIC && i < h->types[basic].atoms.n; i++) tp_vec_push(&out->at, h->types[basic].atoms.at[i]);
}

/* All tuples of the products of its type. */
static void upper_of_ghost(const tp_rheap *h, const tp_symbol *s, tp_rel_tuples *out) {
  const uint32_t arity = tp_reltype_arity(s->type);
  for (uint32_t p = 0; p < s->type.n; p++) {
    atom_list column[3] = {0};
    uint32_t tuple[3], at[3] = {0}, c = 0;
    for (; c < arity; c++)
      for (uint32_t b = 0; b < h->universe->basics.n; b++)
        if (tp_product_has(&h->universe->types, &s->type.at[p], c, b)) add_atoms_of(h, b, &column[c]);
    const bool is_empty = column[0].at.n == 0 || (arity > 1 && column[1].at.n == 0) || (arity > 2 && column[2].at.n == 0);
    for (bool more = !is_empty; more;) {
      for (c = 0; c < arity; c++) tuple[c] = column[c].at.at[at[c]];
      tp_rel_tuples_add(out, tp_rel_tuple(h->atoms, tuple, arity));
      for (c = arity; c > 0 && ++at[c - 1] == column[c - 1].at.n; c--) at[c - 1] = 0;
      more = c > 0;
    }
    for (c = 0; c < arity; c++) tp_vec_clear(&column[c].at);
  }
}

static void upper_of(const tp_rheap *h, const tp_symbol *symbol, tp_rel_tuples *out) {
  if (symbol->kind == TP_SYMBOL_GHOST) {
    upper_of_ghost(h, symbol, out);
    return;
  }
  const uint32_t n_keys = tp_rheap_n_keys(h, symbol);
  atom_list values = {0};
  add_values(h, tp_rheap_value_type(h, symbol), &values);
  const tp_rheap_type *owners = n_keys ? &h->types[symbol->basic] : NULL;
  for (size_t o = 0; o < (owners ? owners->atoms.n : 1); o++)
    for (uint64_t i = 0; i < (n_keys == 2 ? n_indices(h, symbol, (uint32_t)o) : 1); i++)
      for (size_t v = 0; v < values.at.n; v++) {
        uint32_t tuple[3], n = 0;
        if (owners) tuple[n++] = owners->atoms.at[o];
        if (n_keys == 2 && !tp_rel_find_int_atom(h->atoms, (int64_t)i, &tuple[n])) continue;
        n += n_keys == 2;
        tuple[n++] = values.at.at[v];
        tp_rel_tuples_add(out, tp_rel_tuple(h->atoms, tuple, n));
      }
  tp_vec_clear(&values.at);
}

static tp_status bind_between(tp_rheap *h, tp_rel_expr r, const tp_rel_tuples *upper) {
  const tp_rel_tuples none = {0};
  return tp_rel_bind(h->bounds, r, &none, upper);
}

static tp_status bind_set(tp_rheap *h, tp_rel_expr r, const uint32_t *atoms, size_t n) {
  tp_rel_tuples s = {0};
  for (size_t i = 0; i < n; i++) tp_rel_tuples_add(&s, atoms[i]);
  const tp_status st = tp_rel_bind_exactly(h->bounds, r, &s);
  tp_rel_tuples_clear(&s);
  return st;
}

static tp_status bind_type(tp_rheap *h, const tp_rheap_type *t) {
  tp_rel_tuples order = {0}, some = {0};
  for (uint32_t i = 0; i < h->limits.objects; i++) {
    tp_rel_tuples_add(&some, t->atoms.at[i]);
    if (i + 1 < h->limits.objects) tp_rel_tuples_add(&order, tp_rel_tuple(h->atoms, &t->atoms.at[i], 2));
  }
  tp_status st = bind_set(h, t->set, t->atoms.at, t->atoms.n);
  if (st == TP_OK) st = bind_set(h, t->first, t->atoms.at, h->limits.objects > 0);
  if (st == TP_OK) st = tp_rel_bind_exactly(h->bounds, t->order, &order);
  if (st == TP_OK) st = bind_between(h, t->last, &some);
  tp_rel_tuples_clear(&order);
  tp_rel_tuples_clear(&some);
  return st;
}

/* The k-th atom of the owner has the k-th of its inner structs, behind those of the fields before. */
static tp_status bind_inner(tp_rheap *h, size_t field) {
  const tp_rheap_field *f = &h->fields.at[field];
  uint32_t inner, other;
  tp_rel_tuples r = {0};
  if (!tp_rheap_basic_of(h, f->symbol->ctype, &inner)) return TP_ERR_INTERNAL;
  const tp_rheap_type *owner = &h->types[f->symbol->basic];
  size_t at = h->limits.objects;
  for (size_t i = 0; i < h->statics.n; i++) at += h->statics.at[i].basic == inner;
  for (size_t i = 0; i < field; i++) {
    const tp_rheap_field *g = &h->fields.at[i];
    if (g->is_inner && tp_rheap_basic_of(h, g->symbol->ctype, &other) && other == inner) at += h->types[g->symbol->basic].atoms.n;
  }
  for (size_t k = 0; k < owner->atoms.n; k++) tp_rel_tuples_add(&r, tp_rel_tuple(h->atoms, (uint32_t[]){owner->atoms.at[k], h->types[inner].atoms.at[at + k]}, 2));
  const tp_status st = tp_rel_bind_exactly(h->bounds, f->start, &r);
  tp_rel_tuples_clear(&r);
  return st;
}

static tp_status bind_field(tp_rheap *h, size_t field) {
  const tp_rheap_field f = h->fields.at[field];
  if (f.is_inner) return bind_inner(h, field);
  tp_rel_tuples upper = {0};
  upper_of(h, f.symbol, &upper);
  tp_status st = bind_between(h, f.start, &upper);
  if (st == TP_OK && f.fresh.id) st = bind_between(h, f.fresh, &upper);
  tp_rel_tuples_clear(&upper);
  return st;
}

static tp_status bind_later(tp_rheap *h, const tp_rheap_later *v) {
  tp_rel_tuples upper = {0};
  if (v->symbol) upper_of(h, v->symbol, &upper);
  for (uint32_t b = TP_OTHER_BASIC + 1; !v->symbol && b < h->universe->basics.n; b++)
    for (size_t i = 0; i < h->types[b].atoms.n && (!v->basic || (v->basic == b && i < h->limits.objects)); i++) tp_rel_tuples_add(&upper, h->types[b].atoms.at[i]);
  const tp_status st = bind_between(h, v->relation, &upper);
  tp_rel_tuples_clear(&upper);
  return st;
}

/* Sets of small numbers, and who comes after whom. */
static tp_status bind_numbers(tp_rheap *h) {
  tp_rel_tuples pairs = {0};
  uint32_t pair[2];
  const int64_t least = -((int64_t)1 << (h->limits.width_bits - 1)), most = -least - 1;
  for (int64_t v = least; v < most; v++)
    if (tp_rel_find_int_atom(h->atoms, v, &pair[0]) && tp_rel_find_int_atom(h->atoms, v + 1, &pair[1])) tp_rel_tuples_add(&pairs, tp_rel_tuple(h->atoms, pair, 2));
  tp_status st = tp_rel_bind_exactly(h->bounds, tp_rel_relation(h->l, "successor", 2), &pairs);
  tp_rel_tuples_clear(&pairs);
  for (uint32_t r = 0; r < tp_rel_n_relations(h->l) && st == TP_OK; r++) {
    const char *name = tp_rel_relation_name(h->l, r);
    if (strncmp(name, "below ", 6) != 0) continue;
    atom_list below = {0};
    uint32_t atom;
    int64_t n = 0;
    for (const char *d = name + 6; *d; d++) n = n * 10 + (*d - '0');
    for (int64_t v = 0; v < n && v <= most; v++)
      if (tp_rel_find_int_atom(h->atoms, v, &atom)) tp_vec_push(&below.at, atom);
    st = bind_set(h, tp_rel_relation(h->l, name, 1), below.at.at, below.at.n);
    tp_vec_clear(&below.at);
  }
  return st;
}

tp_status tp_rheap_bind(tp_rheap *h) {
  h->atoms = tp_rel_universe_new();
  h->null_atom = tp_rel_atom(h->atoms, "null");
  for (size_t i = 0; i < h->functions.n; i++)
    tp_vec_push(&h->types[TP_FUNCTION_BASIC].atoms, tp_rel_atom(h->atoms, h->program->statics.at[h->functions.at[i].object].name));
  for (uint32_t b = 0; b < h->universe->basics.n; b++)
    if (is_object_type(h, b)) make_atoms(h, b);
  tp_rel_int_atoms(h->atoms, h->limits.width_bits);
  h->bounds = tp_rel_bounds_new(h->l, h->atoms);
  TP_TRY(bind_set(h, h->null, &h->null_atom, 1));
  for (size_t i = 0; i < h->functions.n; i++) TP_TRY(bind_set(h, h->functions.at[i].set, &h->types[TP_FUNCTION_BASIC].atoms.at[i], 1));
  for (uint32_t b = 0; b < h->universe->basics.n; b++)
    if (is_object_type(h, b)) TP_TRY(bind_type(h, &h->types[b]));
  TP_VEC(uint32_t) n_seen = {0};
  tp_vec_resize(&n_seen, h->universe->basics.n);
  tp_status st = TP_OK;
  for (size_t i = 0; i < h->statics.n && st == TP_OK; i++) {
    const uint32_t b = h->statics.at[i].basic;
    st = bind_set(h, h->statics.at[i].set, &h->types[b].atoms.at[h->limits.objects + n_seen.at[b]++], 1);
  }
  tp_vec_clear(&n_seen);
  for (size_t i = 0; i < h->fields.n && st == TP_OK; i++) st = bind_field(h, i);
  for (size_t i = 0; i < h->inputs.n && st == TP_OK; i++) {
    tp_rel_tuples upper = {0};
    upper_of(h, h->inputs.at[i].symbol, &upper);
    st = bind_between(h, h->inputs.at[i].start, &upper);
    tp_rel_tuples_clear(&upper);
  }
  for (size_t i = 0; i < h->later.n && st == TP_OK; i++) st = bind_later(h, &h->later.at[i]);
  return st == TP_OK ? bind_numbers(h) : st;
}

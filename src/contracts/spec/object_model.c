/* A C program as relations.
 *
 * One struct of C can be several types of the model: its typedef names, and the same definition
 * seen from several files. They are one basic type here: entries that share their members, or have
 * one tag and one size. Arrays that pointers lead to are identified by what they hold: integers by
 * size and sign, pointers by what those lead to. */
#include "contracts/spec/object_model.h"

#include <stdio.h>

static const tp_type_info *info_of(const tp_object_model *u, tp_type t) {
  return tp_type_of(u->program, t);
}

// ------------------------------------------------------------------ basic types

static bool has_tag(const char *name) { return strncmp(name, "struct ", 7) == 0; }

static bool is_same_struct(const tp_type_info *a, const tp_type_info *b) {
  if (a->members == b->members && a->members) return true;
  return has_tag(a->name) && strcmp(a->name, b->name) == 0 && a->size_bytes == b->size_bytes &&
         a->n_members == b->n_members;
}

static uint32_t add_basic(tp_object_model *u, tp_basic b) {
  tp_vec_push(&u->basics, b);
  return (uint32_t)u->basics.n - 1;
}

static void find_structs(tp_object_model *u) {
  for (uint32_t i = 1; i < u->program->types.n; i++) {
    const tp_type_info *info = &u->program->types.at[i];
    if (info->kind != TP_T_STRUCT) continue;
    uint32_t found = 0;
    for (uint32_t b = TP_OTHER_BASIC + 1; b < u->basics.n && !found; b++)
      if (is_same_struct(info_of(u, u->basics.at[b].type), info)) found = b;
    if (!found)
      found = add_basic(
          u, (tp_basic){.kind = TP_BASIC_STRUCT,
                        .name = strcmp(info->name, "struct") == 0 ? "(unnamed struct)" : info->name,
                        .type = {i}});
    else if (has_tag(info->name) || u->basics.at[found].name[0] == '(')
      u->basics.at[found].name = info->name;
    tp_map_set(&u->struct_of, i, found);
  }
}

/* One text for all types that arrays of which are of one kind. */
static void print_key(const tp_object_model *u, tp_type t, int depth, tp_str *out) {
  const tp_type_info *info = t.id ? info_of(u, t) : NULL;
  uint64_t basic;
  if (!info || info->kind == TP_T_VOID || depth > 20)
    tp_str_add(out, "void");
  else if (tp_map_get(&u->struct_of, t.id, &basic))
    tp_str_printf(out, "s%llu", (unsigned long long)basic);
  else if (info->kind == TP_T_POINTER || info->kind == TP_T_ARRAY) {
    print_key(u, info->element, depth + 1, out);
    if (info->kind == TP_T_POINTER)
      tp_str_add_char(out, '*');
    else
      tp_str_printf(out, "[%llu]", (unsigned long long)info->n_elements);
  } else
    tp_str_printf(out, "%d.%llu.%d", (int)info->kind, (unsigned long long)info->size_bytes,
                  info->is_signed);
}

static bool makes_arrays(tp_type_kind kind) {
  return kind == TP_T_BOOL || kind == TP_T_INT || kind == TP_T_ENUM || kind == TP_T_POINTER ||
         kind == TP_T_ARRAY || kind == TP_T_FLOAT;
}

typedef TP_VEC(const char *) key_list;

/* The kind of arrays of this type; first: the basic type of the first key. */
static void add_array(tp_object_model *u, tp_type element, key_list *keys, uint32_t first) {
  if (!element.id || tp_map_has(&u->array_of, element.id) ||
      !makes_arrays(info_of(u, element)->kind))
    return;
  tp_str key = {0};
  print_key(u, element, 0, &key);
  uint32_t k = 0;
  while (k < keys->n && strcmp(keys->at[k], key.text) != 0) k++;
  if (k == keys->n) {
    tp_vec_push(keys, tp_arena_strdup(&u->arena, key.text));
    add_basic(u, (tp_basic){.kind = TP_BASIC_ARRAY,
                            .name = tp_arena_printf(&u->arena, "%s[]", info_of(u, element)->name),
                            .type = element});
  }
  tp_map_set(&u->array_of, element.id, first + k);
  tp_str_clear(&key);
}

/* Something in memory is an array: of its elements, or with one element. */
static void add_memory(tp_object_model *u, tp_type type, key_list *keys, uint32_t first) {
  if (type.id)
    add_array(u, info_of(u, type)->kind == TP_T_ARRAY ? info_of(u, type)->element : type, keys,
              first);
}

/* One kind of array for each type that some pointer leads to, or that variables in memory have. */
static void find_arrays(tp_object_model *u) {
  key_list keys = {0};
  const tp_program *p = u->program;
  const uint32_t first = (uint32_t)u->basics.n;
  for (uint32_t i = 1; i < p->types.n; i++)
    if (p->types.at[i].kind == TP_T_POINTER) add_array(u, p->types.at[i].element, &keys, first);
  for (uint32_t i = 1; i < p->statics.n; i++)
    if (p->statics.at[i].kind == TP_O_GLOBAL) add_memory(u, p->statics.at[i].type, &keys, first);
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].is_address) add_memory(u, p->vars.at[i].type, &keys, first);
  tp_vec_clear(&keys);
}

// ----------------------------------------------------------------------- values

static tp_reltype or_null(const tp_object_model *u, uint32_t basic) {
  TP_REQUIRE(basic < u->basics.n);
  return tp_reltype_union(&u->types, tp_reltype_basic(&u->types, basic),
                          tp_reltype_basic(&u->types, TP_NULL_BASIC));
}

static tp_reltype pointer_value(const tp_object_model *u, tp_type to) {
  const tp_type_info *info = to.id ? info_of(u, to) : NULL;
  uint64_t basic;
  if (!info || info->kind == TP_T_VOID) return u->objects;
  if (info->kind == TP_T_FUNCTION) return or_null(u, TP_FUNCTION_BASIC);
  if (tp_map_get(&u->struct_of, to.id, &basic) || tp_map_get(&u->array_of, to.id, &basic))
    return or_null(u, (uint32_t)basic);
  return or_null(u, TP_OTHER_BASIC);
}

tp_reltype tp_object_model_value(const tp_object_model *u, tp_type type, const char **refused) {
  TP_REQUIRE(refused && type.id < u->program->types.n);
  const tp_reltype integer = tp_reltype_basic(&u->types, TP_INT_BASIC);
  uint64_t basic;
  *refused = NULL;
  if (!type.id) return TP_RELTYPE_EMPTY;
  const tp_type_info *info = info_of(u, type);
  switch (info->kind) {
    case TP_T_BOOL:
    case TP_T_INT:
    case TP_T_ENUM: return integer;
    case TP_T_POINTER: return pointer_value(u, info->element);
    case TP_T_STRUCT:
      return tp_map_get(&u->struct_of, type.id, &basic)
                 ? tp_reltype_basic(&u->types, (uint32_t)basic)
                 : TP_RELTYPE_EMPTY;
    case TP_T_ARRAY:
      return tp_reltype_product(&u->types, integer,
                                tp_object_model_value(u, info->element, refused));
    case TP_T_FLOAT: *refused = "contracts know objects and integers, no floating point"; break;
    case TP_T_UNION: *refused = "unions have no relations"; break;
    case TP_T_FUNCTION:
    case TP_T_VOID: *refused = "it has no value"; break;
  }
  return TP_RELTYPE_EMPTY;
}

// ---------------------------------------------------------------------- symbols

tp_symbol *tp_object_model_add(tp_object_model *u, tp_symbol s) {
  TP_REQUIRE(s.kind == TP_SYMBOL_PARAM || s.name);
  tp_symbol *own = tp_arena_new(&u->arena, tp_symbol);
  *own = s;
  tp_vec_push(&u->symbols, own);
  return own;
}

/* Members of the struct; those of structs without a name are its own. */
static void add_fields(tp_object_model *u, uint32_t basic, tp_type type, uint64_t offset_bits,
                       int depth) {
  const tp_type_info *info = info_of(u, type);
  for (uint32_t i = 0; i < info->n_members && depth < 20; i++) {
    const tp_member *m = &info->members[i];
    if (!m->type.id) continue;
    const tp_type_kind kind = info_of(u, m->type)->kind;
    if (!*m->name && kind == TP_T_STRUCT)
      add_fields(u, basic, m->type, offset_bits + m->offset_bits, depth + 1);
    if (!*m->name) continue;
    tp_symbol s = {.kind = TP_SYMBOL_FIELD,
                   .name = m->name,
                   .basic = basic,
                   .is_function = true,
                   .ctype = m->type,
                   .offset_bits = offset_bits + m->offset_bits};
    s.changes = kind != TP_T_STRUCT;  // where an inner struct lies never changes
    s.type = tp_reltype_product(&u->types, tp_reltype_basic(&u->types, basic),
                                tp_object_model_value(u, m->type, &s.refused));
    tp_object_model_add(u, s);
  }
}

static void add_global(tp_object_model *u, const char *name, tp_type type, tp_var var,
                       uint32_t object) {
  if (!type.id || !*name) return;
  tp_symbol s = {.kind = TP_SYMBOL_GLOBAL,
                 .name = name,
                 .is_function = true,
                 .ctype = type,
                 .var = var,
                 .object = object};
  s.changes = info_of(u, type)->kind != TP_T_STRUCT;
  s.type = tp_object_model_value(u, type, &s.refused);
  tp_object_model_add(u, s);
}

static void add_basic_symbols(tp_object_model *u) {
  const tp_reltype integer = tp_reltype_basic(&u->types, TP_INT_BASIC);
  for (uint32_t b = TP_OTHER_BASIC + 1; b < u->basics.n; b++) {
    const tp_basic *basic = &u->basics.at[b];
    const tp_reltype set = tp_reltype_basic(&u->types, b);
    if (basic->kind == TP_BASIC_STRUCT) {
      tp_object_model_add(
          u, (tp_symbol){.kind = TP_SYMBOL_SET, .name = basic->name, .basic = b, .type = set});
      add_fields(u, b, basic->type, 0, 0);
    } else {
      tp_symbol s = {.kind = TP_SYMBOL_ELEMENTS,
                     .name = "\\elements",
                     .basic = b,
                     .is_function = true,
                     .changes = true,
                     .ctype = basic->type};
      s.type =
          tp_reltype_product(&u->types, set,
                             tp_reltype_product(&u->types, integer,
                                                tp_object_model_value(u, basic->type, &s.refused)));
      tp_object_model_add(u, s);
    }
  }
}

/* Static variables of functions are none of them: contracts stand outside of functions. */
static void add_program_symbols(tp_object_model *u) {
  const tp_program *p = u->program;
  for (uint32_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].kind == TP_V_GLOBAL && !p->vars.at[i].enclosing_function)
      add_global(u, p->vars.at[i].name, p->vars.at[i].type, (tp_var){i}, 0);
  for (uint32_t i = 1; i < p->statics.n; i++)
    if (p->statics.at[i].kind == TP_O_GLOBAL && !p->statics.at[i].enclosing_function)
      add_global(u, p->statics.at[i].name, p->statics.at[i].type, TP_VAR_NONE, i);
  for (uint32_t i = 1; i < p->funcs.n; i++)
    tp_object_model_add(u, (tp_symbol){.kind = TP_SYMBOL_FUNCTION,
                                       .name = p->funcs.at[i].name,
                                       .type = tp_reltype_basic(&u->types, TP_FUNCTION_BASIC),
                                       .is_function = true,
                                       .object = p->funcs.at[i].object});
}

void tp_object_model_init(tp_object_model *u, const tp_program *p) {
  TP_REQUIRE(u && p);
  *u = (tp_object_model){.program = p};
  tp_arena_init(&u->arena);
  add_basic(u, (tp_basic){.kind = TP_BASIC_NULL, .name = "null"});
  add_basic(u, (tp_basic){.kind = TP_BASIC_INT, .name = "int"});
  add_basic(u, (tp_basic){.kind = TP_BASIC_FUNCTION, .name = "function"});
  add_basic(u, (tp_basic){.kind = TP_BASIC_OTHER, .name = "other object"});
  find_structs(u);
  find_arrays(u);
  u->types = tp_reltypes_of(&u->arena, (uint32_t)u->basics.n);
  uint64_t *bits = tp_arena_array(&u->arena, uint64_t, u->types.words);
  for (uint32_t b = 0; b < u->basics.n; b++)
    if (b != TP_INT_BASIC && b != TP_FUNCTION_BASIC) bits[b / 64] |= (uint64_t)1 << b % 64;
  u->objects = tp_reltype_set(&u->types, bits);
  add_basic_symbols(u);
  add_program_symbols(u);
  bits[0] &= ~(uint64_t)(1u << TP_NULL_BASIC);
  u->alloc = tp_arena_new(&u->arena, tp_symbol);
  *u->alloc = (tp_symbol){.kind = TP_SYMBOL_ALLOC,
                          .name = "\\alloc",
                          .type = tp_reltype_set(&u->types, bits),
                          .changes = true};
  TP_INVARIANT(tp_object_model_check(u));
}

void tp_object_model_clear(tp_object_model *u) {
  tp_vec_clear(&u->basics);
  tp_vec_clear(&u->symbols);
  tp_map_clear(&u->struct_of);
  tp_map_clear(&u->array_of);
  tp_arena_clear(&u->arena);
}

const tp_symbol *tp_object_model_member_at(const tp_object_model *u, uint32_t basic, int64_t byte) {
  TP_REQUIRE(basic < u->basics.n);
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (s->kind != TP_SYMBOL_FIELD || s->basic != basic) continue;
    const int64_t start = (int64_t)(s->offset_bits / 8),
                  size = (int64_t)tp_type_of(u->program, s->ctype)->size_bytes;
    if (byte >= start && byte - start < size) return s;
  }
  return NULL;
}

const tp_symbol *tp_object_model_only_array(const tp_object_model *u, uint32_t basic) {
  TP_REQUIRE(basic < u->basics.n);
  const tp_symbol *only = NULL;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (s->kind != TP_SYMBOL_FIELD || s->basic != basic ||
        tp_type_of(u->program, s->ctype)->kind != TP_T_ARRAY)
      continue;
    if (only) return NULL;
    only = s;
  }
  return only;
}

const tp_symbol *tp_object_model_elements(const tp_object_model *u, uint32_t basic) {
  TP_REQUIRE(basic < u->basics.n);
  for (size_t i = 0; i < u->symbols.n; i++)
    if (u->symbols.at[i]->kind == TP_SYMBOL_ELEMENTS && u->symbols.at[i]->basic == basic)
      return u->symbols.at[i];
  return NULL;
}

bool tp_object_model_struct(const tp_object_model *u, const char *name, uint32_t *basic) {
  TP_REQUIRE(name && basic);
  uint64_t found;
  for (uint32_t i = 1; i < u->program->types.n; i++) {
    const char *own = u->program->types.at[i].name;
    const bool is_it = strcmp(own, name) == 0 || (has_tag(own) && strcmp(own + 7, name) == 0);
    if (is_it && tp_map_get(&u->struct_of, i, &found)) {
      *basic = (uint32_t)found;
      return true;
    }
  }
  return false;
}

// --------------------------------------------------------------------- printing

static void print_column(const tp_object_model *u, const tp_product *p, uint32_t column,
                         bool in_product, tp_str *out) {
  uint32_t n = 0, n_objects = 0;
  for (uint32_t b = 0; b < u->basics.n; b++) {
    n += tp_product_has(&u->types, p, column, b);
    n_objects += b > TP_FUNCTION_BASIC && tp_product_has(&u->types, p, column, b);
  }
  const bool all_objects = n_objects + TP_FUNCTION_BASIC + 1 == u->basics.n && n_objects > 1;
  const uint32_t n_printed = all_objects ? n - n_objects + 1 : n;
  if (in_product && n_printed > 1) tp_str_add_char(out, '(');
  uint32_t k = 0;
  if (all_objects) tp_str_add(out, k++ ? " + object" : "object");
  for (uint32_t i = 0; i < u->basics.n; i++) {
    const uint32_t b = (i + 1) % (uint32_t)u->basics.n;  // null comes last
    if (!tp_product_has(&u->types, p, column, b) || (all_objects && b > TP_FUNCTION_BASIC))
      continue;
    if (k == 6 && n_printed > 7) {
      tp_str_printf(out, " + %u others", n_printed - 6);
      break;
    }
    tp_str_printf(out, "%s%s", k++ ? " + " : "", u->basics.at[b].name);
  }
  if (in_product && n_printed > 1) tp_str_add_char(out, ')');
}

void tp_object_model_print(const tp_object_model *u, tp_reltype type, tp_str *out) {
  if (type.n == 0) tp_str_add(out, "nothing");
  for (uint32_t i = 0; i < type.n; i++) {
    if (i) tp_str_add(out, " + ");
    if (i == 6 && type.n > 7) {
      tp_str_printf(out, "%u others", type.n - 6);
      break;
    }
    for (uint32_t c = 0; c < type.at[i].arity; c++) {
      if (c) tp_str_add(out, " -> ");
      print_column(u, &type.at[i], c, type.at[i].arity > 1, out);
    }
  }
}

bool tp_object_model_check(const tp_object_model *u) {
  if (u->basics.n <= TP_OTHER_BASIC || u->types.n_basics != u->basics.n) return false;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *s = u->symbols.at[i];
    if (!s->name || s->basic >= u->basics.n || !tp_reltype_check(&u->types, s->type)) return false;
    if ((s->kind == TP_SYMBOL_FIELD || s->kind == TP_SYMBOL_ELEMENTS) &&
        (s->basic <= TP_OTHER_BASIC || s->ctype.id >= u->program->types.n))
      return false;
  }
  return u->alloc && u->alloc->kind == TP_SYMBOL_ALLOC;
}

// ------------------------------------------------------- calls through pointers

/* What the pointer of a call is declared to lead to; NONE: it is no variable of pointer type. */
static tp_type pointee_of_call(const tp_object_model *u, const tp_edge_info *call) {
  const tp_var v = tp_program_var_of(u->program, call->a);
  const tp_type type = v.id ? tp_var_of(u->program, v)->type : TP_TYPE_NONE;
  return type.id && info_of(u, type)->kind == TP_T_POINTER ? info_of(u, type)->element
                                                           : TP_TYPE_NONE;
}

bool tp_object_model_can_reach(const tp_object_model *u, const tp_edge_info *call, tp_func f) {
  TP_REQUIRE(call->kind == TP_E_CALL && !call->callee.id && f.id);
  const tp_func_info *info = tp_func_of(u->program, f);
  const tp_type pointee = pointee_of_call(u, call), own = u->program->statics.at[info->object].type;
  if (!pointee.id) return info->n_params == call->n_args;
  return own.id == pointee.id ||
         (own.id && strcmp(info_of(u, own)->name, info_of(u, pointee)->name) == 0);
}

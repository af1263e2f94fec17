/* Both types are walked side by side. A pair of structs that was met is not walked again: lists
 * lead to themselves. A struct without definition in one of the versions fits every other: that
 * version does nothing with its members. */
#include "app/equal_types.h"

typedef struct {
  tp_equal_version old, new;
  tp_arena *arena;
  TP_VEC(uint64_t) seen;
} comparison;

typedef struct {
  const tp_type_info *old, *new;
} pair;

static const char *compare(comparison *c, tp_type of_old, tp_type of_new, const char *where);

static bool is_number(const tp_type_info *t) {
  return t->kind == TP_T_BOOL || t->kind == TP_T_INT || t->kind == TP_T_ENUM ||
         t->kind == TP_T_FLOAT;
}

static bool is_aggregate(const tp_type_info *t) {
  return t->kind == TP_T_STRUCT || t->kind == TP_T_UNION;
}

static const char *name_of(const comparison *c, const tp_program *p, tp_type t) {
  static const char *const kinds[] = {
      [TP_T_VOID] = "void",          [TP_T_BOOL] = "_Bool",      [TP_T_INT] = "an integer",
      [TP_T_ENUM] = "an enum",       [TP_T_FLOAT] = "a float",   [TP_T_POINTER] = "a pointer",
      [TP_T_ARRAY] = "an array",     [TP_T_STRUCT] = "a struct", [TP_T_UNION] = "a union",
      [TP_T_FUNCTION] = "a function"};
  if (!t.id) return "void";
  const tp_type_info *info = tp_type_of(p, t);
  return info->name[0] ? tp_arena_printf(c->arena, "`%s`", info->name) : kinds[info->kind];
}

static const char *other_type(const comparison *c, tp_type of_old, tp_type of_new,
                              const char *where) {
  return tp_arena_printf(c->arena, "%s is of type %s in %s and %s in %s", where,
                         name_of(c, c->old.program, of_old), c->old.name,
                         name_of(c, c->new.program, of_new), c->new.name);
}

static bool has_member(const tp_type_info *t, const char *name) {
  for (uint32_t i = 0; i < t->n_members; i++)
    if (strcmp(t->members[i].name, name) == 0) return true;
  return false;
}

static const char *compare_members(comparison *c, pair t, const char *name) {
  const uint32_t n = t.old->n_members < t.new->n_members ? t.old->n_members : t.new->n_members;
  for (uint32_t i = 0; i < n; i++) {
    const tp_member *a = &t.old->members[i], *b = &t.new->members[i];
    if (strcmp(a->name, b->name) != 0) {
      const bool is_new = !has_member(t.old, b->name);
      if (is_new || !has_member(t.new, a->name))
        return tp_arena_printf(c->arena, "member `%s` of %s is only in %s",
                               is_new ? b->name : a->name, name,
                               is_new ? c->new.name : c->old.name);
      return tp_arena_printf(c->arena, "member %u of %s is `%s` in %s and `%s` in %s", i + 1, name,
                             a->name, c->old.name, b->name, c->new.name);
    }
    const char *where = tp_arena_printf(c->arena, "member `%s` of %s", a->name, name),
               *why = compare(c, a->type, b->type, where);
    if (why) return why;
    if (a->width_bits != b->width_bits)
      return tp_arena_printf(c->arena, "%s has %u bits in %s and %u in %s", where, a->width_bits,
                             c->old.name, b->width_bits, c->new.name);
    if (a->offset_bits != b->offset_bits)
      return tp_arena_printf(c->arena, "%s stands at byte %llu in %s and %llu in %s", where,
                             (unsigned long long)a->offset_bits / 8, c->old.name,
                             (unsigned long long)b->offset_bits / 8, c->new.name);
  }
  if (t.old->n_members == t.new->n_members) return NULL;
  const bool is_new = t.new->n_members > n;
  return tp_arena_printf(c->arena, "member `%s` of %s is only in %s",
                         (is_new ? t.new : t.old)->members[n].name, name,
                         is_new ? c->new.name : c->old.name);
}

static const char *compare_structs(comparison *c, tp_type of_old, tp_type of_new, pair t) {
  const uint64_t key = (uint64_t)of_old.id << 32 | of_new.id;
  for (size_t i = 0; i < c->seen.n; i++)
    if (c->seen.at[i] == key) return NULL;
  tp_vec_push(&c->seen, key);
  if (!t.old->size_bytes || !t.new->size_bytes) return NULL;
  const char *name = t.new->name[0] ? t.new->name : "a struct without name",
             *why = compare_members(c, t, name);
  if (why || t.old->size_bytes == t.new->size_bytes) return why;
  return tp_arena_printf(c->arena, "%s has %llu bytes in %s and %llu in %s", name,
                         (unsigned long long)t.old->size_bytes, c->old.name,
                         (unsigned long long)t.new->size_bytes, c->new.name);
}

static const char *compare_functions(comparison *c, pair t, const char *where) {
  if (t.old->n_params != t.new->n_params || t.old->is_variadic != t.new->is_variadic)
    return tp_arena_printf(c->arena, "%s has %u parameter%s%s in %s and %u%s in %s", where,
                           t.old->n_params, t.old->n_params == 1 ? "" : "s",
                           t.old->is_variadic ? " and more" : "", c->old.name, t.new->n_params,
                           t.new->is_variadic ? " and more" : "", c->new.name);
  const char *why = compare(c, t.old->element, t.new->element,
                            tp_arena_printf(c->arena, "the result of %s", where));
  for (uint32_t i = 0; i < t.old->n_params && !why; i++)
    why = compare(c, t.old->params[i], t.new->params[i],
                  tp_arena_printf(c->arena, "parameter %u of %s", i + 1, where));
  return why;
}

static bool is_void(const tp_program *p, tp_type t) {
  return !t.id || tp_type_of(p, t)->kind == TP_T_VOID;
}

static const char *compare(comparison *c, tp_type of_old, tp_type of_new, const char *where) {
  const bool is_old_void = is_void(c->old.program, of_old),
             is_new_void = is_void(c->new.program, of_new);
  if (is_old_void && is_new_void) return NULL;
  if (is_old_void || is_new_void) return other_type(c, of_old, of_new, where);
  const pair t = {tp_type_of(c->old.program, of_old), tp_type_of(c->new.program, of_new)};
  if (is_number(t.old) && is_number(t.new)) {
    const bool is_same =
        t.old->size_bytes == t.new->size_bytes &&t.old->is_signed == t.new->is_signed &&
        (t.old->kind == TP_T_FLOAT) == (t.new->kind == TP_T_FLOAT) &&
        (t.old->kind == TP_T_BOOL) == (t.new->kind == TP_T_BOOL);
    return is_same ? NULL : other_type(c, of_old, of_new, where);
  }
  if (t.old->kind != t.new->kind) return other_type(c, of_old, of_new, where);
  if (t.old->kind == TP_T_ARRAY && t.old->n_elements != t.new->n_elements)
    return tp_arena_printf(c->arena, "%s has %llu elements in %s and %llu in %s", where,
                           (unsigned long long)t.old->n_elements, c->old.name,
                           (unsigned long long)t.new->n_elements, c->new.name);
  if (is_aggregate(t.old)) return compare_structs(c, of_old, of_new, t);
  if (t.old->kind == TP_T_FUNCTION) return compare_functions(c, t, where);
  return compare(c, t.old->element, t.new->element,
                 t.old->kind == TP_T_POINTER
                     ? tp_arena_printf(c->arena, "what %s points to", where)
                     : tp_arena_printf(c->arena, "an element of %s", where));
}

const char *tp_equal_types_differ(tp_equal_version old, tp_type of_old, tp_equal_version new,
                                  tp_type of_new, const char *where, tp_arena *arena) {
  TP_REQUIRE(old.program && new.program &&where &&arena);
  comparison c = {old, new, arena, {0}};
  const char *why = compare(&c, of_old, of_new, where);
  tp_vec_clear(&c.seen);
  return why;
}

/* Values are printed by their types: numbers, initialisers with the members that are not 0, and
 * references to objects, which are declared on the way. */
#include "app/unit_state.h"

#include "app/app_limits.h"
#include "app/environment.h"
#include "program/cells.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

void tp_unit_state_clear(tp_unit_state *u) {
  tp_str_clear(&u->makes);
  tp_str_clear(&u->ties);
  tp_str_clear(&u->asserts);
  tp_vec_clear(&u->objects);
  tp_arena_clear(&u->arena);
}

static const tp_type_info *type_of(const tp_unit_state *u, tp_type t) {
  return t.id ? tp_type_of(u->p, t) : NULL;
}

static const char *give_up(tp_unit_state *u, const char *why) {
  if (!u->missing) u->missing = why;
  return "0";
}

// ------------------------------------------------------------------------ names

static bool is_taken(const tp_unit_state *u, const char *name) {
  for (size_t i = 0; i < u->objects.n; i++)
    if (strcmp(u->objects.at[i].name, name) == 0) return true;
  for (size_t i = 1; i < u->p->types.n; i++)
    if (strcmp(u->p->types.at[i].name, name) == 0) return true;
  for (size_t i = 1; i < u->p->funcs.n; i++)
    if (strcmp(u->p->funcs.at[i].name, name) == 0) return true;
  return strcmp(name, "result") == 0;
}

const char *tp_unit_state_name(tp_unit_state *u, const char *wanted) {
  char *name = tp_arena_printf(&u->arena, "%s", wanted[0] ? wanted : "object");
  size_t n = 0;
  for (const char *c = name; *c; c++) {
    if (isalnum((unsigned char)*c) || *c == '_')
      name[n++] = *c;
    else if (n && name[n - 1] != '_')
      name[n++] = '_';
  }
  while (n > 1 && name[n - 1] == '_') n--;
  name[n] = 0;
  const char *made = name;
  for (uint32_t i = 2; is_taken(u, made); i++) made = tp_arena_printf(&u->arena, "%s_%u", name, i);
  return made;
}

// ---------------------------------------------------------------------- numbers

static const char *print_float(tp_unit_state *u, uint32_t bytes, uint64_t bits) {
  double number;
  if (bytes == 4) {
    float narrow;
    const uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    number = (double)narrow;
  } else {
    memcpy(&number, &bits, sizeof number);
  }
  if (isnan(number)) return "__builtin_nan(\"\")";
  if (isinf(number)) return number < 0 ? "-__builtin_inf()" : "__builtin_inf()";
  const char *text = tp_arena_printf(&u->arena, "%.17g", number);
  return strpbrk(text, ".e") ? text : tp_arena_printf(&u->arena, "%s.0", text);
}

static const char *print_number(tp_unit_state *u, const tp_type_info *t, uint64_t bits) {
  if (t->kind == TP_T_FLOAT) {
    if (t->size_bytes > 8) return give_up(u, "a value of type long double");
    return print_float(u, (uint32_t)t->size_bytes, bits);
  }
  if (t->size_bytes > 8) return give_up(u, "a value of more than 64 bits");
  const unsigned shift = t->size_bytes >= 8 ? 0 : 64 - 8 * (unsigned)t->size_bytes;
  const int64_t number = (int64_t)(bits << shift) >> shift;  // as gcc and clang shift
  if (t->is_char && isprint((int)(number & 0x7f)) && number > 0 && number != '\'' && number != '\\')
    return tp_arena_printf(&u->arena, "'%c'", (int)number);
  if (t->is_signed) {
    if (number == INT64_MIN) return "(-9223372036854775807 - 1)";
    return tp_arena_printf(&u->arena, "%lld", (long long)number);
  }
  const uint64_t whole = bits << shift >> shift;
  return tp_arena_printf(&u->arena, whole > INT32_MAX ? "%lluu" : "%llu",
                         (unsigned long long)whole);
}

// ---------------------------------------------------------------------- objects

static tp_unit_object *find_object(const tp_unit_state *u, uint32_t id) {
  for (size_t i = 0; i < u->objects.n; i++)
    if (u->objects.at[i].id == id) return &u->objects.at[i];
  return NULL;
}

/* "{...}" or "1" for n elements of a type. */
static const char *elements(tp_unit_state *u, tp_type type, uint32_t object, uint64_t n,
                            const char *name, const char *lvalue) {
  tp_str text = {0};
  const uint64_t size = type.id ? type_of(u, type)->size_bytes : 1;
  uint64_t n_said = n;  // zeros at the end need no words
  uint8_t byte = 0;
  bool is_zero = true;
  while (n_said > 1 && is_zero) {
    for (uint64_t i = 0; i < size && is_zero; i++)
      is_zero = tp_state_read_bytes(u->before, object, (n_said - 1) * size + i, 1, &byte) && !byte;
    if (is_zero && type.id && type_of(u, type)->kind != TP_T_INT) is_zero = false;
    n_said -= is_zero;
  }
  tp_str_add(&text, n_said ? "{" : "{0");
  for (uint64_t i = 0; i < n_said && !u->missing; i++) {
    const char *at = tp_arena_printf(&u->arena, "%s[%llu]", lvalue, (unsigned long long)i);
    tp_str_printf(&text, "%s%s", i ? ", " : "",
                  tp_unit_state_initialiser(u, u->before, type, object, i * size, name, at));
  }
  tp_str_add_char(&text, '}');
  const char *copy = tp_arena_strdup(&u->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return copy;
}

/* "abc" for characters that end with their first 0; NULL: they are none. */
static const char *as_string(tp_unit_state *u, tp_type type, uint32_t object, uint64_t n) {
  uint8_t bytes[TP_APP_UNIT_TEST_BYTES];
  const tp_type_info *t = type_of(u, type);
  if (!t || !t->is_char || n < 2 || n > sizeof bytes ||
      !tp_state_read_bytes(u->before, object, 0, n, bytes))
    return NULL;
  for (uint64_t i = 0; i + 1 < n; i++)
    if (!isprint(bytes[i]) || bytes[i] == '"' || bytes[i] == '\\' || bytes[i] == '?') return NULL;
  return bytes[n - 1] == 0 ? tp_arena_printf(&u->arena, "\"%s\"", (const char *)bytes) : NULL;
}

static const char *declare(tp_unit_state *u, tp_type type, const char *name) {
  return type.id ? tp_environment_declared(u->p, type, name, &u->arena)
                 : tp_arena_printf(&u->arena, "unsigned char %s", name);
}

static void write_object(tp_unit_state *u, const tp_unit_object *o, const tp_object_info *info) {
  const bool is_one = o->n == 1;
  const char *string = as_string(u, o->type, o->id, o->n);
  const char *lvalue =
      is_one && o->is_pointer ? tp_arena_printf(&u->arena, "(*%s)", o->name) : o->name;
  const char *init =
      string   ? string
      : is_one ? tp_unit_state_initialiser(u, u->before, o->type, o->id, 0, o->name, lvalue)
               : elements(u, o->type, o->id, o->n, o->name, lvalue);
  const char *size =
      is_one ? "" : tp_arena_printf(&u->arena, "[%llu]", (unsigned long long)(o->n ? o->n : 1));
  const char *name = o->is_pointer ? tp_arena_printf(&u->arena, "%s_at_start", o->name) : o->name;
  tp_str_printf(&u->makes, "  %s = %s;\n",
                declare(u, o->type, tp_arena_printf(&u->arena, "%s%s", name, size)), init);
  if (!o->is_pointer) return;
  tp_str_printf(&u->makes, "  %s = malloc(%llu);\n",
                declare(u, o->type, tp_arena_printf(&u->arena, "*%s", o->name)),
                (unsigned long long)info->size);
  tp_str_printf(&u->makes, "  memcpy(%s, &%s, %llu);\n", o->name, name,
                (unsigned long long)info->size);
}

static tp_unit_object *make_object(tp_unit_state *u, uint32_t id, tp_type type, const char *name) {
  tp_object_info info, then = {0};
  if (!tp_state_object_info(u->before, id, &info) || !info.live) {
    (void)give_up(u, "a pointer to an object that has ended");
    return NULL;
  }
  if (u->objects.n >= TP_APP_UNIT_TEST_OBJECTS) {
    (void)give_up(u, "too many objects");
    return NULL;
  }
  const tp_type_info *t = type_of(u, type);
  if (t && (t->kind == TP_T_VOID || t->size_bytes == 0 || info.size % t->size_bytes != 0))
    type = TP_TYPE_NONE;
  if (type.id && !t->name[0]) {
    (void)give_up(u, "a type without a name");
    return NULL;
  }
  const uint64_t size = type.id ? t->size_bytes : 1;
  const bool ends = u->after && tp_state_object_info(u->after, id, &then) && !then.live;
  if (info.size > TP_APP_UNIT_TEST_BYTES * 16u) {
    (void)give_up(u, "a large object");
    return NULL;
  }
  const tp_unit_object made = {.id = id,
                               .name = tp_unit_state_name(u, name),
                               .type = type,
                               .n = info.size / size,
                               .is_pointer = ends,
                               .is_open = true};
  const size_t at = u->objects.n;
  tp_vec_push(&u->objects, made);
  write_object(u, &made, &info);
  u->objects.at[at].is_open = false;
  return &u->objects.at[at];
}

/* The address of an offset in an object, as an expression. */
static const char *address(tp_unit_state *u, const tp_unit_object *o, uint64_t offset) {
  const char *start =
      o->is_pointer || o->n != 1 ? o->name : tp_arena_printf(&u->arena, "&%s", o->name);
  const uint64_t size = o->type.id ? type_of(u, o->type)->size_bytes : 1;
  if (offset == 0) return start;
  if (offset % size == 0 && start == o->name)
    return tp_arena_printf(&u->arena, "%s + %llu", start, (unsigned long long)(offset / size));
  return tp_arena_printf(&u->arena, "(void *)((char *)%s + %llu)", start,
                         (unsigned long long)offset);
}

static const char *of_static(tp_unit_state *u, uint32_t id, uint64_t offset) {
  const tp_static *s = &u->p->statics.at[id];
  const bool has_name = (s->kind == TP_O_GLOBAL || s->kind == TP_O_FUNCTION) && s->name &&
                        s->name[0] && !strchr(s->name, '.') && !s->enclosing_function;
  if (!has_name) return give_up(u, "a pointer to an object without a name");
  if (s->kind == TP_O_FUNCTION) return tp_arena_printf(&u->arena, "(void *)%s", s->name);
  return offset ? tp_arena_printf(&u->arena, "(void *)((char *)&%s + %llu)", s->name,
                                  (unsigned long long)offset)
                : tp_arena_printf(&u->arena, "(void *)&%s", s->name);
}

static bool is_same_type(const tp_unit_state *u, tp_type a, tp_type b) {
  return a.id == b.id || (a.id && b.id && strcmp(type_of(u, a)->name, type_of(u, b)->name) == 0);
}

static const char *pointer(tp_unit_state *u, tp_type element, tp_value v, const char *name,
                           const char *lvalue) {
  if (v.object == 0)
    return v.bits == 0 ? "NULL"
                       : tp_arena_printf(&u->arena, "(void *)0x%llx", (unsigned long long)v.bits);
  if (v.object < u->p->statics.n) return of_static(u, v.object, (uint64_t)v.bits);
  const tp_unit_object *o = find_object(u, v.object);
  if (!o) o = make_object(u, v.object, element, name);
  if (!o) return "0";
  const char *text = address(u, o, (uint64_t)v.bits);
  if (!is_same_type(u, o->type, element) && text[0] != '(')
    text = tp_arena_printf(&u->arena, "(void *)%s", text);
  if (!o->is_open) return text;
  tp_str_printf(&u->ties, "  %s = %s;\n", lvalue, text);  // a cycle
  return "NULL";
}

const char *tp_unit_state_value(tp_unit_state *u, tp_type type, tp_value v, const char *name,
                                const char *lvalue) {
  const tp_type_info *t = type_of(u, type);
  if (!t) return give_up(u, "a value of unknown type");
  if (t->kind == TP_T_POINTER) return pointer(u, t->element, v, name, lvalue);
  return print_number(u, t, (uint64_t)v.bits);
}

// ----------------------------------------------------------------- initialisers

static bool read_number(const tp_state *in, uint32_t object, uint64_t offset, uint64_t size,
                        uint64_t *bits) {
  uint8_t bytes[8];
  *bits = 0;
  if (size > 8 || !tp_state_read_bytes(in, object, offset, size, bytes)) return false;
  for (uint64_t i = 0; i < size; i++) *bits |= (uint64_t)bytes[i] << (8 * i);
  return true;
}

static bool read_pointer(const tp_unit_state *u, const tp_state *in, uint32_t object,
                         uint64_t offset, tp_value *v) {
  tp_terms *tt = u->p->terms;
  const tp_term cell = tp_cell(u->p, tp_sort_ptr(tt), tp_mk_ptr_const(tt, object, offset));
  return tp_state_eval(in, cell, v) == TP_OK;
}

static bool read_bit_field(const tp_state *in, const tp_type_info *t, const tp_member *m,
                           uint32_t object, uint64_t offset, uint64_t *bits) {
  const uint64_t first = m->offset_bits / 8, last = (m->offset_bits + m->width_bits - 1) / 8;
  if (!read_number(in, object, offset + first, last - first + 1, bits)) return false;
  *bits >>= m->offset_bits % 8;
  const unsigned shift = 64 - m->width_bits;
  *bits = t->is_signed ? (uint64_t)((int64_t)(*bits << shift) >> shift) : *bits << shift >> shift;
  return true;
}

/* Members that are not 0, with their names; those of members without a name stand among them. */
static void add_members(tp_unit_state *u, const tp_state *in, const tp_type_info *t,
                        uint32_t object, uint64_t offset, const char *name, const char *lvalue,
                        uint32_t *n, tp_str *text) {
  for (uint32_t i = 0; i < t->n_members && !u->missing; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *mt = type_of(u, m->type);
    const uint64_t at = offset + m->offset_bits / 8;
    uint64_t bits = 0;
    if (t->kind == TP_T_UNION && i > 0) break;
    if (!m->name[0]) {
      if (mt && mt->n_members && !m->width_bits)
        add_members(u, in, mt, object, at, name, lvalue, n, text);
      continue;
    }
    const char *value;
    if (m->width_bits) {
      if (!read_bit_field(in, mt, m, object, offset, &bits)) {
        (void)give_up(u, "a bit-field that cannot be read");
        return;
      }
      value = print_number(u, mt, bits);
    } else {
      value = tp_unit_state_initialiser(u, in, m->type, object, at,
                                        tp_arena_printf(&u->arena, "%s_%s", name, m->name),
                                        tp_arena_printf(&u->arena, "%s.%s", lvalue, m->name));
    }
    if (strcmp(value, "0") == 0 || strcmp(value, "NULL") == 0 || strcmp(value, "{0}") == 0)
      continue;
    tp_str_printf(text, "%s.%s = %s", (*n)++ ? ", " : "", m->name, value);
  }
}

const char *tp_unit_state_initialiser(tp_unit_state *u, const tp_state *in, tp_type type,
                                      uint32_t object, uint64_t offset, const char *name,
                                      const char *lvalue) {
  const tp_type_info *t = type_of(u, type);
  tp_value v = {0};
  uint64_t bits = 0;
  if (!t)
    return read_number(in, object, offset, 1, &bits)
               ? tp_arena_printf(&u->arena, "%llu", (unsigned long long)bits)
               : give_up(u, "memory that cannot be read");
  switch (t->kind) {
    case TP_T_POINTER:
      if (!read_pointer(u, in, object, offset, &v)) return give_up(u, "a pointer of parts");
      return pointer(u, t->element, v, name, lvalue);
    case TP_T_BOOL:
    case TP_T_INT:
    case TP_T_ENUM:
    case TP_T_FLOAT:
      if (!read_number(in, object, offset, t->size_bytes, &bits))
        return give_up(u, "a number that cannot be read");
      return print_number(u, t, bits);
    case TP_T_ARRAY: {
      tp_str text = {0};
      const uint64_t size = type_of(u, t->element)->size_bytes;
      for (uint64_t i = 0; i < t->n_elements && !u->missing; i++)
        tp_str_printf(&text, "%s%s", i ? ", " : "",
                      tp_unit_state_initialiser(
                          u, in, t->element, object, offset + i * size, name,
                          tp_arena_printf(&u->arena, "%s[%llu]", lvalue, (unsigned long long)i)));
      const bool is_zero = strspn(tp_str_text(&text), "0, ") == text.n;
      const char *made = is_zero ? "{0}" : tp_arena_printf(&u->arena, "{%s}", tp_str_text(&text));
      tp_str_clear(&text);
      return made;
    }
    case TP_T_STRUCT:
    case TP_T_UNION: {
      tp_str text = {0};
      uint32_t n = 0;
      add_members(u, in, t, object, offset, name, lvalue, &n, &text);
      const char *made = n ? tp_arena_printf(&u->arena, "{%s}", tp_str_text(&text)) : "{0}";
      tp_str_clear(&text);
      return made;
    }
    case TP_T_VOID:
    case TP_T_FUNCTION: return give_up(u, "a value without a type");
  }
  return "0";
}

// ------------------------------------------------------------------- assertions

static void expect_text(tp_unit_state *u, const char *lvalue, const char *relation,
                        const char *text, bool is_integer) {
  if (++u->n_asserts > TP_APP_UNIT_TEST_ASSERTS) return;
  const bool is_equal = strcmp(relation, "==") == 0, is_null = strcmp(text, "NULL") == 0;
  if (!u->is_cmocka)
    tp_str_printf(&u->asserts, "  assert(%s %s %s);\n", lvalue, relation, text);
  else if (is_null)
    tp_str_printf(&u->asserts, "  %s(%s);\n", is_equal ? "assert_null" : "assert_non_null", lvalue);
  else if (is_integer && is_equal)
    tp_str_printf(&u->asserts, "  assert_int_equal(%s, %s);\n", lvalue, text);
  else
    tp_str_printf(&u->asserts, "  assert_true(%s %s %s);\n", lvalue, relation, text);
}

void tp_unit_state_expect(tp_unit_state *u, tp_type type, tp_value v, const char *lvalue) {
  const tp_type_info *t = type_of(u, type);
  if (!t || !u->after) return;
  if (t->kind == TP_T_POINTER) {
    tp_object_info info;
    if (v.object == 0) {
      if (v.bits == 0) expect_text(u, lvalue, "==", "NULL", false);
    } else if (find_object(u, v.object)) {
      const char *to = address(u, find_object(u, v.object), (uint64_t)v.bits);
      expect_text(u, lvalue,
                  "==", to[0] == '(' ? to : tp_arena_printf(&u->arena, "(void *)(%s)", to), false);
    } else if (tp_state_object_info(u->after, v.object, &info) && info.live) {
      expect_text(u, lvalue, "!=", "NULL", false);
    }
    return;
  }
  if (t->kind == TP_T_FLOAT && t->size_bytes > 8) return;
  const char *number = print_number(u, t, (uint64_t)v.bits);
  if (strncmp(number, "__builtin_nan", 13) == 0)
    expect_text(u, lvalue, "!=", lvalue, false);
  else
    expect_text(u, lvalue, "==", number, t->kind != TP_T_FLOAT);
}

static bool is_same_value(tp_value a, tp_value b) {
  return a.object == b.object && a.bits == b.bits;
}

static bool read_leaf(const tp_unit_state *u, const tp_state *in, const tp_type_info *t,
                      const tp_member *field, uint32_t object, uint64_t offset, tp_value *v) {
  uint64_t bits = 0;
  *v = (tp_value){0};
  if (t->kind == TP_T_POINTER) return read_pointer(u, in, object, offset, v);
  const bool can_read = field ? read_bit_field(in, t, field, object, offset, &bits)
                              : read_number(in, object, offset, t->size_bytes, &bits);
  v->bits = bits;
  return can_read;
}

static void expect_leaf(tp_unit_state *u, tp_type type, const tp_member *field, uint32_t object,
                        uint64_t offset, const char *lvalue) {
  const tp_type_info *t = type_of(u, type);
  tp_value old, now, other;
  if (!read_leaf(u, u->before, t, field, object, offset, &old) ||
      !read_leaf(u, u->after, t, field, object, offset, &now) || is_same_value(old, now))
    return;
  const bool is_determined =
      !u->other ||
      (read_leaf(u, u->other, t, field, object, offset, &other) && is_same_value(now, other));
  if (is_determined) tp_unit_state_expect(u, type, now, lvalue);
}

void tp_unit_state_expect_changes(tp_unit_state *u, tp_type type, uint32_t object, uint64_t offset,
                                  const char *lvalue) {
  const tp_type_info *t = type_of(u, type);
  if (!t || t->kind == TP_T_VOID || t->kind == TP_T_FUNCTION || t->kind == TP_T_UNION) return;
  if (t->kind == TP_T_ARRAY) {
    const uint64_t size = type_of(u, t->element)->size_bytes;
    for (uint64_t i = 0; i < t->n_elements; i++)
      tp_unit_state_expect_changes(
          u, t->element, object, offset + i * size,
          tp_arena_printf(&u->arena, "%s[%llu]", lvalue, (unsigned long long)i));
    return;
  }
  if (t->kind != TP_T_STRUCT) {
    expect_leaf(u, type, NULL, object, offset, lvalue);
    return;
  }
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    const char *path = m->name[0] ? tp_arena_printf(&u->arena, "%s.%s", lvalue, m->name) : lvalue;
    if (m->width_bits && m->name[0])
      expect_leaf(u, m->type, m, object, offset, path);
    else if (!m->width_bits)
      tp_unit_state_expect_changes(u, m->type, object, offset + m->offset_bits / 8, path);
  }
}

static void expect_bytes(tp_unit_state *u, const tp_unit_object *o) {
  for (uint64_t i = 0; i < o->n; i++) {
    uint64_t old, now, other = 0;
    if (!read_number(u->before, o->id, i, 1, &old) || !read_number(u->after, o->id, i, 1, &now) ||
        old == now || (u->other && (!read_number(u->other, o->id, i, 1, &other) || other != now)))
      continue;
    expect_text(u, tp_arena_printf(&u->arena, "%s[%llu]", o->name, (unsigned long long)i),
                "==", tp_arena_printf(&u->arena, "%llu", (unsigned long long)now), true);
  }
}

void tp_unit_state_expect_all(tp_unit_state *u) {
  for (size_t i = 0; i < u->objects.n && u->after; i++) {
    const tp_unit_object *o = &u->objects.at[i];
    if (o->is_pointer) continue;  // it has ended
    if (!o->type.id) {
      expect_bytes(u, o);
    } else if (o->n == 1) {
      tp_unit_state_expect_changes(u, o->type, o->id, 0, o->name);
    } else {
      const uint64_t size = type_of(u, o->type)->size_bytes;
      for (uint64_t k = 0; k < o->n; k++)
        tp_unit_state_expect_changes(
            u, o->type, o->id, k * size,
            tp_arena_printf(&u->arena, "%s[%llu]", o->name, (unsigned long long)k));
    }
  }
  if (u->n_asserts > TP_APP_UNIT_TEST_ASSERTS)
    tp_str_printf(&u->asserts, "  // %u more changes\n",
                  u->n_asserts - (uint32_t)TP_APP_UNIT_TEST_ASSERTS);
}

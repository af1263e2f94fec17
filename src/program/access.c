/* Addresses read back as the user wrote them.
 *
 * An address is PTR_ADD(base, offset); the offset is a sum of constants and of
 * products index * constant (term/ keeps it so). One product is understood,
 * more are not. The base's declared type is then entered: arrays by dividing
 * the offset, structs by finding the member that contains it, until a type of
 * the accessed size is left. */
#include "program/access.h"

tp_type tp_access_target(const tp_program *p, tp_var v) {
  TP_REQUIRE(v.id && v.id < p->vars.n);
  const tp_var_info *info = tp_var_of(p, v);
  if (info->type.id == 0 || info->is_address) return info->type;
  const tp_type_info *t = tp_type_of(p, info->type);
  return t->kind == TP_T_POINTER || t->kind == TP_T_ARRAY ? t->element : TP_TYPE_NONE;
}

// --------------------------------------------------------------------- offsets

static int64_t signed_value(const tp_program *p, tp_term t) {
  uint64_t v = 0;
  TP_REQUIRE(tp_kind(p->terms, t) == TP_OP_BV_CONST && tp_width(p->terms, t) <= 64);
  tp_bv_value_u64(p->terms, t, &v);
  uint32_t width = tp_width(p->terms, t);
  return width < 64 && (v >> (width - 1) & 1) ? (int64_t)(v | UINT64_MAX << width) : (int64_t)v;
}

static bool is_bv_const(const tp_program *p, tp_term t) {
  return tp_kind(p->terms, t) == TP_OP_BV_CONST;
}

/* One summand: a constant, or index * stride. */
static bool add_summand(const tp_program *p, tp_term t, tp_access *out) {
  if (is_bv_const(p, t)) {
    out->offset += signed_value(p, t);
    return true;
  }
  if (tp_term_is(out->index)) return false;
  out->index = t;
  out->stride = 1;
  if (tp_kind(p->terms, t) == TP_OP_BV_MUL) {
    tp_term a = tp_arg(p->terms, t, 0), b = tp_arg(p->terms, t, 1);
    if (is_bv_const(p, a) == is_bv_const(p, b)) return true;
    out->index = is_bv_const(p, a) ? b : a;
    out->stride = signed_value(p, is_bv_const(p, a) ? a : b);
  }
  tp_term_kind k = tp_kind(p->terms, out->index);
  if (k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT) out->index = tp_arg(p->terms, out->index, 0);
  return true;
}

static bool add_offset(const tp_program *p, tp_term t, tp_access *out) {
  while (tp_kind(p->terms, t) == TP_OP_BV_ADD) {  // a chain in normal form
    tp_term a = tp_arg(p->terms, t, 0), b = tp_arg(p->terms, t, 1);
    bool is_left_deep = tp_kind(p->terms, a) == TP_OP_BV_ADD;
    if (!add_summand(p, is_left_deep ? b : a, out)) return false;
    t = is_left_deep ? a : b;
  }
  return add_summand(p, t, out);
}

bool tp_access_of(const tp_program *p, tp_term address, tp_access *out) {
  TP_REQUIRE(tp_sort_kind_of(p->terms, tp_sort_of(p->terms, address)) == TP_SORT_PTR);
  *out = (tp_access){0};
  while (tp_kind(p->terms, address) == TP_OP_PTR_ADD) {
    if (!add_offset(p, tp_arg(p->terms, address, 1), out)) return false;
    address = tp_arg(p->terms, address, 0);
  }
  if (tp_kind(p->terms, address) == TP_OP_VAR) {
    out->var = tp_program_var_of(p, address);
    if (out->var.id == 0) return false;
    out->type = tp_access_target(p, out->var);
    return true;
  }
  if (tp_kind(p->terms, address) != TP_OP_PTR_CONST) return false;
  out->object = tp_ptr_const_object(p->terms, address);
  if (out->object == 0 || out->object >= p->statics.n) return false;
  out->offset += (int64_t)tp_ptr_const_offset(p->terms, address);
  out->type = p->statics.at[out->object].type;
  return true;
}

// --------------------------------------------------------------------- members

static const tp_member *member_at(const tp_type_info *t, uint64_t offset, const tp_program *p) {
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    uint64_t start = m->offset_bits / 8, size = tp_type_of(p, m->type)->size_bytes;
    if (m->width_bits == 0 && offset >= start && offset - start < size) return m;
  }
  return NULL;
}

tp_type tp_access_member(const tp_program *p, tp_type type, uint64_t offset, uint64_t size_bytes,
                         tp_str *path) {
  TP_REQUIRE(type.id < p->types.n);
  const char *dot = "";
  while (type.id) {
    const tp_type_info *t = tp_type_of(p, type);
    if (t->kind == TP_T_STRUCT) {
      const tp_member *m = member_at(t, offset, p);
      if (!m) return TP_TYPE_NONE;
      if (path) tp_str_printf(path, "%s%s", dot, m->name);
      offset -= m->offset_bits / 8;
      type = m->type;
    } else if (t->kind == TP_T_ARRAY && t->element.id && tp_type_of(p, t->element)->size_bytes) {
      uint64_t size = tp_type_of(p, t->element)->size_bytes;
      if (path) tp_str_printf(path, "[%llu]", (unsigned long long)(offset / size));
      offset %= size;
      type = t->element;
    } else {
      bool fits =
          offset == 0 && (size_bytes == 0 || t->size_bytes == size_bytes) && t->kind != TP_T_UNION;
      return fits ? type : TP_TYPE_NONE;
    }
    dot = ".";
  }
  return TP_TYPE_NONE;
}

// -------------------------------------------------------------------- printing

/* Literals by their text, others by name. */
static void print_static(const tp_program *p, uint32_t object, tp_str *out) {
  TP_REQUIRE(object && object < p->statics.n);
  const tp_static *s = &p->statics.at[object];
  if (!tp_static_is_string(s) || !s->image || s->n_relocs) {
    tp_str_add(out, *s->name ? s->name : "(unnamed)");
    return;
  }
  tp_str_add_char(out, '"');
  for (uint64_t i = 0; i + 1 < s->size_bytes && i < 40; i++) {
    uint8_t c = s->image[i];
    if (c == '\n')
      tp_str_add(out, "\\n");
    else if (c == '"' || c == '\\')
      tp_str_printf(out, "\\%c", c);
    else if (c >= ' ' && c < 127)
      tp_str_add_char(out, (char)c);
    else
      tp_str_printf(out, "\\%o", c);
  }
  tp_str_add(out, s->size_bytes > 41 ? "...\"" : "\"");
}

static bool print_index(const tp_program *p, const tp_access *a, uint64_t size, int64_t *rest,
                        tp_str *out) {
  int64_t whole = (int64_t)size, constant = a->offset;
  if (whole == 0 || (tp_term_is(a->index) && a->stride != whole)) return false;
  int64_t first = constant / whole - (constant % whole < 0);
  *rest = constant - first * whole;
  tp_str_add_char(out, '[');
  if (tp_term_is(a->index)) {
    tp_print_c(p->terms, a->index, TP_C_READABLE, out);
    if (first != 0)
      tp_str_printf(out, " %c %lld", first < 0 ? '-' : '+',
                    (long long)(first < 0 ? -first : first));
  } else {
    tp_str_printf(out, "%lld", (long long)first);
  }
  tp_str_add_char(out, ']');
  return true;
}

/* name[i].x, name.x or name from the object that base names; false: the types do not fit. */
static bool print_object(const tp_program *p, const tp_access *a, const char *name, uint64_t size,
                         tp_str *out) {
  tp_type type = a->type;
  int64_t rest = a->offset;
  tp_str_add(out, name);
  const tp_type_info *t = tp_type_of(p, type);
  if (t->kind == TP_T_ARRAY && t->element.id) {
    type = t->element;
    if (!print_index(p, a, tp_type_of(p, type)->size_bytes, &rest, out)) return false;
  } else if (tp_term_is(a->index)) {
    return false;
  }
  if (rest < 0) return false;
  tp_str path = {0};
  bool fits = tp_access_member(p, type, (uint64_t)rest, size, &path).id != 0;
  if (fits && path.n) tp_str_printf(out, "%s%s", path.text[0] == '[' ? "" : ".", path.text);
  tp_str_clear(&path);
  return fits;
}

/* *p, p->x or p[i].x from what the pointer variable points to. */
static bool print_pointee(const tp_program *p, const tp_access *a, const char *name, uint64_t size,
                          tp_str *out) {
  uint64_t element = tp_type_of(p, a->type)->size_bytes;
  tp_str path = {0}, head = {0};
  int64_t rest = a->offset;
  bool is_first = !tp_term_is(a->index) && rest >= 0 && (uint64_t)rest < element;
  bool fits = is_first || print_index(p, a, element, &rest, &head);
  fits = fits && rest >= 0 && tp_access_member(p, a->type, (uint64_t)rest, size, &path).id != 0;
  if (fits) {
    const char *link = path.n == 0 || path.text[0] == '[' ? "" : is_first ? "->" : ".";
    if (is_first && path.n && path.text[0] == '[')
      tp_str_printf(out, "(*%s)%s", name, path.text);
    else
      tp_str_printf(out, "%s%s%s%s%s", is_first && path.n == 0 ? "*" : "", name, tp_str_text(&head),
                    link, tp_str_text(&path));
  }
  tp_str_clear(&head);
  tp_str_clear(&path);
  return fits;
}

void tp_access_print(const tp_program *p, tp_term address, tp_type access, uint64_t size_bytes,
                     tp_str *out) {
  tp_access a;
  tp_str text = {0};
  bool fits = false;
  if (tp_access_of(p, address, &a) && a.type.id) {
    if (a.object) {
      tp_str name = {0};
      print_static(p, a.object, &name);
      fits = print_object(p, &a, tp_str_text(&name), size_bytes, &text);
      tp_str_clear(&name);
    } else if (tp_var_of(p, a.var)->is_address) {
      fits = print_object(p, &a, tp_var_of(p, a.var)->name, size_bytes, &text);
    } else {
      fits = print_pointee(p, &a, tp_var_of(p, a.var)->name, size_bytes, &text);
    }
  }
  if (fits) {
    tp_str_add(out, tp_str_text(&text));
  } else {
    tp_str_add_char(out, '*');
    if (access.id) tp_str_printf(out, "(%s *)", tp_type_of(p, access)->name);
    tp_str_add_char(out, '(');
    tp_access_print_value(p, address, out);
    tp_str_add_char(out, ')');
  }
  tp_str_clear(&text);
}

void tp_access_print_value(const tp_program *p, tp_term t, tp_str *out) {
  tp_access a;
  bool is_pointer = tp_sort_kind_of(p->terms, tp_sort_of(p->terms, t)) == TP_SORT_PTR;
  bool is_address = is_pointer && tp_access_of(p, t, &a) && !tp_term_is(a.index) &&
                    (a.object || tp_var_of(p, a.var)->is_address);
  if (!is_address) {
    tp_print_c(p->terms, t, TP_C_READABLE, out);
    return;
  }
  tp_str name = {0};
  if (a.object)
    print_static(p, a.object, &name);
  else
    tp_str_add(&name, tp_var_of(p, a.var)->name);
  const tp_type_info *type = a.type.id ? tp_type_of(p, a.type) : NULL;
  bool decays = (a.object && p->statics.at[a.object].kind != TP_O_GLOBAL) ||
                (type && type->kind == TP_T_ARRAY);
  tp_str text = {0};
  if (a.offset == 0) {
    tp_str_printf(out, "%s%s", decays ? "" : "&", name.text);
  } else if (type && print_object(p, &a, name.text, 0, &text)) {
    tp_str_printf(out, "&%s", text.text);
  } else {
    tp_str_printf(out, "(char *)%s%s + %lld", decays ? "" : "&", name.text, (long long)a.offset);
  }
  tp_str_clear(&text);
  tp_str_clear(&name);
}

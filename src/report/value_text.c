/* Values as C programmers write them: signed or unsigned by their type, characters, pointers by
 * the name of their object. */
#include "report/value_text.h"

#include "term/x87.h"

static void print_float(uint32_t width_bits, tp_u128 bits, tp_str *out) {
  double d;
  if (width_bits == 32) {
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    tp_str_printf(out, "%.9g", (double)f);
    return;
  }
  uint64_t b = (uint64_t)bits;
  memcpy(&d, &b, sizeof d);
  tp_str_printf(out, "%.17g", d);
}

/* The x87's, in the digits that make it again. */
static void print_long_double(tp_u128 bits, tp_str *out) {
  long double x = 0;
  memcpy(&x, &bits, TP_X87_BITS / 8);
  tp_str_printf(out, "%.21Lg", x);
}

static void print_u128(tp_u128 v, tp_str *out) {
  char digits[48];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + (int)(v % 10));
  while ((v /= 10) != 0);
  tp_str_add(out, digits + at);
}

static void print_integer(uint32_t width_bits, bool is_signed, tp_u128 bits, tp_str *out) {
  tp_u128 sign = (tp_u128)1 << (width_bits - 1);
  if (is_signed && bits & sign) {
    tp_u128 mask = (sign << 1) - 1;  // all ones for 128
    tp_str_add_char(out, '-');
    bits = (~bits + 1) & mask;
  }
  print_u128(bits, out);
}

static void print_char(tp_u128 bits, tp_str *out) {
  unsigned c = (unsigned)bits & 0xff;
  if (c >= 32 && c < 127)
    tp_str_printf(out, " ('%s%c')", c == '\'' || c == '\\' ? "\\" : "", (int)c);
}

/* The number of the argument whose string this edge makes: the text of each is an input, asked for
 * before. */
static int argument_of(const tp_program *p, uint32_t edge) {
  int n = -1;
  for (uint32_t i = 1; i < edge; i++) {
    const tp_edge_info *before = tp_edge_of(p, (tp_edge){i});
    n += before->kind == TP_E_HAVOC_MEMORY && before->input == TP_I_ARGS;
  }
  return n;
}

/* Of main's arguments, which are made where main begins: "argv", "argv[2]". */
static bool print_argument(const tp_program *p, uint32_t edge, tp_str *out) {
  const tp_edge_info *e = tp_edge_of(p, (tp_edge){edge});
  const tp_func func = tp_loc_of(p, e->from)->func;
  const tp_pos start = tp_func_of(p, func)->pos;
  if (!e->name || strcmp(e->name, "argv") != 0 || func.id != p->main.id || !e->var.id ||
      e->pos.file != start.file || e->pos.line != start.line || e->pos.column != start.column)
    return false;
  if (tp_var_of(p, e->var)->kind != TP_V_TEMP)
    tp_str_add(out, "argv");
  else
    tp_str_printf(out, "argv[%d]", argument_of(p, edge));
  return true;
}

static void print_object(const tp_object_names *names, uint32_t object, tp_str *out) {
  const tp_program *p = names->program;
  uint64_t edge;
  if (object < p->statics.n) {
    const tp_static *s = &p->statics.at[object];
    bool is_literal = tp_static_is_string(s);
    tp_str_printf(out, "%s%s", is_literal || s->kind == TP_O_FUNCTION ? "" : "&",
                  s->name && s->name[0] ? s->name : "literal");
  } else if (tp_map_get(&names->alloc_of, object, &edge)) {
    const tp_edge_info *e = tp_edge_of(p, (tp_edge){(uint32_t)edge});
    if (print_argument(p, (uint32_t)edge, out)) return;
    bool is_heap = e->object_kind == TP_O_HEAP;
    tp_str_printf(out, "%s%s", is_heap ? "" : "&", e->name ? e->name : "object");
    if (is_heap) tp_str_printf(out, "#%u", object);
  } else {
    tp_str_printf(out, "object#%u", object);
  }
}

static void print_pointer(const tp_object_names *names, tp_value v, tp_str *out) {
  if (v.object == 0 && v.bits == 0) {
    tp_str_add(out, "NULL");
  } else if (v.object == 0) {
    tp_str_printf(out, "(void *)%lld", (long long)(uint64_t)v.bits);
  } else {
    print_object(names, v.object, out);
    int64_t offset = names->program->ptr_bits == 32 ? (int32_t)(uint32_t)v.bits : (int64_t)v.bits;
    if (offset)
      tp_str_printf(out, " %c %llu bytes", offset < 0 ? '-' : '+',
                    offset < 0 ? 0 - (unsigned long long)offset : (unsigned long long)offset);
  }
}

void tp_value_print(const tp_object_names *names, tp_type type, tp_sort sort, tp_value v,
                    tp_str *out) {
  TP_REQUIRE(names->program && type.id < names->program->types.n);
  const tp_program *p = names->program;
  const tp_type_info *t = type.id ? tp_type_of(p, type) : NULL;
  uint32_t width = tp_sort_width(p->terms, sort);
  switch (tp_sort_kind_of(p->terms, sort)) {
    case TP_SORT_BOOL: tp_str_add(out, v.bits ? "1" : "0"); return;
    case TP_SORT_BV: {
      bool is_signed = t ? t->is_signed : true;
      if (width == TP_X87_BITS && t && t->kind == TP_T_FLOAT) {
        print_long_double(v.bits, out);
        return;
      }
      print_integer(width, is_signed, v.bits, out);
      if (width == 8 && t && t->kind == TP_T_INT && strstr(t->name, "char"))
        print_char(v.bits, out);
      return;
    }
    case TP_SORT_FP: print_float(width, v.bits, out); return;
    case TP_SORT_PTR: print_pointer(names, v, out); return;
    case TP_SORT_INT: tp_str_printf(out, "%lld", (long long)(int64_t)v.bits); return;
    case TP_SORT_ARRAY: tp_str_add(out, "..."); return;
  }
}

/* Bottom up, with the type that the parser will compute. A subterm is printed with a C type of its
 * own width; where an operator needs another signedness, a cast is put in front. The text is then
 * read again, and discarded if another term comes out: this file decides how many terms have a C
 * expression, never whether a text is right. */
#include "expression/expression_print.h"

#include "expression/expression_limits.h"
#include "program/access.h"
#include "program/cells.h"
#include "expression/expression.h"

#include <stdio.h>

enum {
  ANY = 0,
  COND = 1,
  OROR = 2,
  ANDAND = 3,
  BITS = 4,
  EQUAL = 6,
  LESS = 7,
  SHIFT = 8,
  SUM = 9,
  PRODUCT = 10,
  UNARY = 11,
  POSTFIX = 12
};

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_loc at;
  tp_arena arena;
  uint32_t depth;
  bool is_total;  // without operations of C that have no meaning for some values
} speller;

/* A piece of text with the type and the precedence that the reader gives it. text NULL: it cannot
 * be said. */
typedef struct {
  const char *text;
  int precedence;
  tp_c_type type;
} piece;
static const piece NOTHING = {NULL, 0, {TP_T_VOID, 0, false, {0}}};

static piece spell(speller *s, tp_term t);

static piece made(speller *s, int precedence, tp_c_type type, const char *fmt, ...) TP_PRINTF(4, 5);
static piece made(speller *s, int precedence, tp_c_type type, const char *fmt, ...) {
  char buffer[1024];
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(buffer, sizeof buffer, fmt, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof buffer) return NOTHING;
  return (piece){tp_arena_strdup(&s->arena, buffer), precedence, type};
}

/* In parentheses if the context binds tighter. */
static const char *within(speller *s, piece a, int context) {
  return a.precedence >= context ? a.text : tp_arena_printf(&s->arena, "(%s)", a.text);
}

// ----------------------------------------------------------------------- types

static tp_c_type condition(void) { return (tp_c_type){TP_T_BOOL, 1, false, TP_TYPE_NONE}; }

static const char *type_name(const speller *s, uint32_t width, bool is_signed) {
  return tp_c_int_name(s->p->ptr_bits, width, is_signed);
}

static piece cast(speller *s, piece a, uint32_t width, bool is_signed) {
  const char *name = type_name(s, width, is_signed);
  if (!a.text || !name) return NOTHING;
  return made(s, UNARY, tp_c_type_int(width, is_signed), "(%s)%s", name, within(s, a, UNARY));
}

/* An integer with this signedness; conditions become 0 or 1. */
static piece as_integer(speller *s, piece a, uint32_t width, bool is_signed) {
  if (!a.text) return NOTHING;
  bool is_int = a.type.kind == TP_T_INT && a.type.width == width && a.type.is_signed == is_signed;
  return is_int ? a : cast(s, a, width, is_signed);
}

// -------------------------------------------------------------------- constants

static piece spell_number(speller *s, tp_term t) {
  uint32_t width = tp_width(s->tt, t);
  uint64_t v;
  if (!tp_bv_value_u64(s->tt, t, &v) || !type_name(s, width, true) || width > 64) return NOTHING;
  int64_t i = width < 64 && v >> (width - 1) ? (int64_t)(v | UINT64_MAX << width) : (int64_t)v;
  if (i > INT32_MIN && i <= INT32_MAX)
    return made(s, i < 0 ? UNARY : POSTFIX, tp_c_type_int(32, true), "%lld", (long long)i);
  return made(s, POSTFIX, tp_c_type_int(width, false), "%llu%s", (unsigned long long)v,
              width == 64 && s->p->ptr_bits == 32 ? "ull"
              : width == 64                       ? "ul"
                                                  : "u");
}

static piece spell_pointer_constant(speller *s, tp_term t) {
  tp_c_type pointer = {TP_T_POINTER, s->p->ptr_bits, false, TP_TYPE_NONE};
  if (tp_term_eq(t, tp_mk_null(s->tt))) return made(s, POSTFIX, pointer, "NULL");
  tp_str text = {0};
  tp_access_print_value(s->p, t, &text);
  piece r = made(s, text.text[0] == '(' ? SUM : UNARY, pointer, "%s", tp_str_text(&text));
  tp_str_clear(&text);
  return tp_ptr_const_object(s->tt, t) ? r : NOTHING;
}

static piece spell_float(speller *s, tp_term t) {
  uint32_t width = tp_width(s->tt, t), low = (uint32_t)tp_bv_value(s->tt, t);
  uint64_t bits = (uint64_t)tp_bv_value(s->tt, t);
  float f;
  double d;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &bits, sizeof d);
  if (width == 32) d = (double)f;
  if (d != d || d - d != 0) return NOTHING;
  return made(s, UNARY, (tp_c_type){TP_T_FLOAT, width, true, TP_TYPE_NONE}, "%a%s", d,
              width == 32 ? "f" : "");
}

// ---------------------------------------------------------------- variables, memory

static piece spell_variable(speller *s, tp_term t) {
  tp_var v = tp_program_var_of(s->p, t);
  if (v.id == 0) return NOTHING;
  const tp_var_info *info = tp_var_of(s->p, v);
  bool is_users = info->kind == TP_V_GLOBAL || info->kind == TP_V_PARAM || info->kind == TP_V_LOCAL;
  if (!is_users || info->type.id == 0) return NOTHING;
  tp_c_type type = tp_c_type_of(s->p, info->type);
  if (info->is_address)
    return made(s, UNARY, (tp_c_type){TP_T_POINTER, s->p->ptr_bits, false, info->type}, "&%s",
                info->name);
  return made(s, POSTFIX, type, "%s", info->name);
}

static bool reads_as(speller *s, const char *text, tp_term want) {
  tp_expression_error error = {0};
  tp_c_value v;
  bool same = tp_expression_read(s->p, s->at, text, &v, &error) == TP_OK &&
              tp_c_value_load(s->p, &v, &error.why) == TP_OK && tp_term_eq(v.value, want);
  tp_str_clear(&error.why);
  return same;
}

/* A pointer as base + bytes, where base can be said. */
static piece spell_bytes(speller *s, tp_term address, const char *pointee) {
  tp_term base = address, offset = TP_TERM_NONE;
  if (tp_kind(s->tt, address) == TP_OP_PTR_ADD) {
    base = tp_arg(s->tt, address, 0);
    offset = tp_arg(s->tt, address, 1);
  }
  piece b = spell(s, base), o = tp_term_is(offset) ? spell(s, offset) : NOTHING;
  if (!b.text || (tp_term_is(offset) && !o.text)) return NOTHING;
  tp_c_type type = {TP_T_POINTER, s->p->ptr_bits, false, TP_TYPE_NONE};
  if (!o.text) return made(s, UNARY, type, "(%s *)%s", pointee, within(s, b, UNARY));
  return made(s, UNARY, type, "(%s *)((char *)%s + %s)", pointee, within(s, b, UNARY),
              within(s, o, PRODUCT));
}

/* index * stride + constant, as the normal form of terms has it. */
static void split_offset(speller *s, tp_term offset, tp_term *index, uint64_t *stride,
                         uint64_t *constant) {
  *constant = 0;
  *stride = 1;
  *index = offset;
  if (tp_kind(s->tt, *index) == TP_OP_BV_ADD &&
      tp_bv_value_u64(s->tt, tp_arg(s->tt, offset, 1), constant))
    *index = tp_arg(s->tt, offset, 0);
  if (tp_kind(s->tt, *index) == TP_OP_BV_MUL &&
      tp_bv_value_u64(s->tt, tp_arg(s->tt, *index, 1), stride))
    *index = tp_arg(s->tt, *index, 0);
}

/* An index as the user would write it: without the extension that C does by itself. */
static piece spell_index(speller *s, tp_term index) {
  bool is_signed = tp_kind(s->tt, index) == TP_OP_BV_SEXT;
  if (is_signed || tp_kind(s->tt, index) == TP_OP_BV_ZEXT) {
    piece inner = spell(s, tp_arg(s->tt, index, 0));
    if (inner.text && inner.type.is_signed == is_signed) return inner;
  }
  return spell(s, index);
}

/* p->cells[i] for an array inside of the struct that p leads to. */
static piece spell_array_member(speller *s, piece base, tp_term offset, tp_c_type *type) {
  tp_term index;
  uint64_t stride, constant;
  const tp_type_info *t = tp_type_of(s->p, base.type.type);
  if (t->kind != TP_T_STRUCT) return NOTHING;
  split_offset(s, offset, &index, &stride, &constant);
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *array = tp_type_of(s->p, m->type);
    uint64_t start = m->offset_bits / 8,
             element = array->kind == TP_T_ARRAY && array->element.id
                           ? tp_type_of(s->p, array->element)->size_bytes
                           : 0;
    if (element == 0 || element != stride || constant < start ||
        constant - start >= array->size_bytes || (constant - start) % element)
      continue;
    piece n = spell_index(s, index);
    if (!n.text) return NOTHING;
    uint64_t more = (constant - start) / element;
    *type = tp_c_type_of(s->p, array->element);
    if (more)
      return made(s, POSTFIX, *type, "%s->%s[%s + %llu]", within(s, base, POSTFIX), m->name,
                  within(s, n, SUM), (unsigned long long)more);
    return made(s, POSTFIX, *type, "%s->%s[%s]", within(s, base, POSTFIX), m->name, n.text);
  }
  return NOTHING;
}

/* The member of what a pointer that is itself a cell leads to: s->elems[i], q->head->next. */
static piece spell_through(speller *s, tp_term address, tp_c_type *type) {
  tp_term base = address, offset = tp_mk_bv(s->tt, s->p->ptr_bits, 0);
  if (tp_kind(s->tt, address) == TP_OP_PTR_ADD) {
    base = tp_arg(s->tt, address, 0);
    offset = tp_arg(s->tt, address, 1);
  }
  piece b = spell(s, base);
  if (!b.text || b.type.kind != TP_T_POINTER || b.type.type.id == 0) return NOTHING;
  const tp_type_info *to = tp_type_of(s->p, b.type.type);
  uint64_t at = 0;
  if (tp_bv_value_u64(s->tt, offset, &at) && at < to->size_bytes && to->kind == TP_T_STRUCT) {
    tp_str path = {0};
    tp_type member = tp_access_member(s->p, b.type.type, at, 0, &path);
    piece r = member.id ? made(s, POSTFIX, tp_c_type_of(s->p, member), "%s->%s",
                               within(s, b, POSTFIX), tp_str_text(&path))
                        : NOTHING;
    tp_str_clear(&path);
    *type = r.type;
    return r;
  }
  piece element = spell_array_member(s, b, offset, type);
  if (element.text) return element;
  *type = tp_c_type_of(s->p, b.type.type);
  if (at == 0 && tp_kind(s->tt, offset) == TP_OP_BV_CONST)
    return made(s, UNARY, *type, "*%s", within(s, b, UNARY));
  if (to->size_bytes == 0) return NOTHING;
  tp_term index = TP_TERM_NONE;
  if (tp_bv_value_u64(s->tt, offset, &at) && at % to->size_bytes == 0)
    index = tp_mk_bv(s->tt, s->p->ptr_bits, at / to->size_bytes);
  else if (to->size_bytes == 1)
    index = offset;
  else if (tp_kind(s->tt, offset) == TP_OP_BV_MUL &&
           tp_bv_value_u64(s->tt, tp_arg(s->tt, offset, 1), &at) && at == to->size_bytes)
    index = tp_arg(s->tt, offset, 0);
  if (!tp_term_is(index)) return NOTHING;
  piece i = spell_index(s, index);
  return i.text ? made(s, POSTFIX, *type, "%s[%s]", within(s, b, POSTFIX), i.text) : NOTHING;
}

/* The type that a reader gives to this lvalue. */
static bool type_read(speller *s, const char *text, tp_c_type *type) {
  tp_expression_error error = {0};
  tp_c_value v;
  bool ok = tp_expression_read(s->p, s->at, text, &v, &error) == TP_OK;
  tp_str_clear(&error.why);
  if (ok) *type = v.type;
  return ok;
}

static piece spell_cell(speller *s, tp_term t, tp_term address) {
  uint64_t bytes = tp_sort_bytes(s->tt, tp_sort_of(s->tt, t));
  tp_str text = {0};
  tp_access_print(s->p, address, TP_TYPE_NONE, bytes, &text);
  piece r = NOTHING;
  tp_c_type type;
  if (text.n < 256 && reads_as(s, tp_str_text(&text), t) && type_read(s, tp_str_text(&text), &type))
    r = made(s, text.text[0] == '*' ? UNARY : POSTFIX, type, "%s", tp_str_text(&text));
  tp_str_clear(&text);
  if (r.text) return r;
  r = spell_through(s, address, &type);
  if (r.text && reads_as(s, r.text, t)) return r;
  const char *name = tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_BV
                         ? type_name(s, tp_width(s->tt, t), true)
                         : NULL;
  piece pointer = name ? spell_bytes(s, address, name) : NOTHING;
  if (!pointer.text) return NOTHING;
  return made(s, UNARY, tp_c_type_int(tp_width(s->tt, t), true), "*%s", pointer.text);
}

/* Ghosts of an object. */
static piece spell_select(speller *s, tp_term t) {
  tp_term address;
  if (tp_is_cell(s->p, t, &address)) return spell_cell(s, t, address);
  tp_var array = tp_program_var_of(s->p, tp_arg(s->tt, t, 0));
  tp_term object = tp_arg(s->tt, t, 1);
  if (tp_kind(s->tt, object) != TP_OP_PTR_OBJ) return NOTHING;
  piece a = spell(s, tp_arg(s->tt, object, 0));
  if (!a.text) return NOTHING;
  if (array.id == s->p->ghost_size.id)
    return made(s, POSTFIX, tp_c_type_int(s->p->ptr_bits, false), "object_size(%s)", a.text);
  if (array.id == s->p->ghost_live.id)
    return made(s, POSTFIX, condition(), "object_live(%s)", a.text);
  if (array.id == s->p->ghost_kind.id)
    return made(s, POSTFIX, tp_c_type_int(8, false), "object_kind(%s)", a.text);
  return NOTHING;
}

// -------------------------------------------------------------------- operators

/* An operand of this signedness. Constants adapt by themselves, but narrow ones are compared as
 * int. */
static piece spell_operand(speller *s, tp_term t, piece a, bool is_signed) {
  uint32_t width = tp_width(s->tt, t);
  if (!a.text || !tp_is_const(s->tt, t)) return as_integer(s, a, width, is_signed);
  if (width < 32 && !is_signed)
    return made(s, POSTFIX, tp_c_type_int(32, true), "%llu",
                (unsigned long long)tp_bv_value(s->tt, t));
  return a;
}

/* a op b on integers of their own width, at least int's, both of this signedness. */
static piece spell_integers(speller *s, tp_term t, const char *op, int mine, bool is_signed,
                            tp_c_type type) {
  tp_term x = tp_arg(s->tt, t, 0), y = tp_arg(s->tt, t, 1);
  piece a = spell_operand(s, x, spell(s, x), is_signed),
        b = spell_operand(s, y, spell(s, y), is_signed);
  if (!a.text || !b.text) return NOTHING;
  return made(s, mine, type, "%s %s %s", within(s, a, mine), op, within(s, b, mine + 1));
}

/* Arithmetic whose bits do not depend on signedness: keep the operands' own if they agree. */
static piece spell_sum(speller *s, tp_term t, const char *op, int mine) {
  tp_term x = tp_arg(s->tt, t, 0), y = tp_arg(s->tt, t, 1);
  uint32_t width = tp_width(s->tt, t);
  piece a = spell(s, x), b = spell(s, y);
  if (!a.text || !b.text || width < 32) return NOTHING;
  bool ca = tp_is_const(s->tt, x), cb = tp_is_const(s->tt, y);
  bool is_signed = ca   ? b.type.is_signed
                   : cb ? a.type.is_signed
                        : a.type.is_signed && b.type.is_signed;
  if (s->is_total && (mine == SUM || mine == PRODUCT)) is_signed = false;
  a = spell_operand(s, x, a, is_signed);
  b = spell_operand(s, y, b, is_signed);
  if (!a.text || !b.text) return NOTHING;
  tp_c_type type = tp_c_type_int(width, is_signed);
  if (s->is_total && ca && cb) return NOTHING;
  if (strcmp(op, "+") == 0 && b.text[0] == '-' && cb)
    return made(s, mine, type, "%s - %s", within(s, a, mine), b.text + 1);
  return made(s, mine, type, "%s %s %s", within(s, a, mine), op, within(s, b, mine + 1));
}

static piece spell_equality(speller *s, tp_term t, const char *op) {
  tp_term x = tp_arg(s->tt, t, 0), y = tp_arg(s->tt, t, 1);
  piece a = spell(s, x), b = spell(s, y);
  if (!a.text || !b.text) return NOTHING;
  if (tp_sort_kind_of(s->tt, tp_sort_of(s->tt, x)) == TP_SORT_BV) {
    bool is_signed = tp_is_const(s->tt, x) ? b.type.is_signed : a.type.is_signed;
    a = spell_operand(s, x, a, is_signed);
    b = spell_operand(s, y, b, is_signed);
    if (!a.text || !b.text) return NOTHING;
  }
  return made(s, EQUAL, condition(), "%s %s %s", within(s, a, EQUAL), op, within(s, b, LESS));
}

static piece spell_connective(speller *s, tp_term t, const char *op, int mine) {
  piece a = spell(s, tp_arg(s->tt, t, 0)), b = spell(s, tp_arg(s->tt, t, 1));
  if (!a.text || !b.text) return NOTHING;
  int other = mine == OROR ? ANDAND : OROR;  // mixed chains get parentheses, as compilers want them
  return made(s, mine, condition(), "%s %s %s", within(s, a, a.precedence == other ? EQUAL : mine),
              op, within(s, b, b.precedence == other ? EQUAL : mine + 1));
}

static piece spell_negation(speller *s, tp_term t) {
  tp_term x = tp_arg(s->tt, t, 0);
  if (tp_kind(s->tt, x) == TP_OP_EQ) {
    piece r = spell_equality(s, x, "!=");
    if (r.text) return r;
  }
  piece a = spell(s, x);
  return a.text ? made(s, UNARY, condition(), "!%s", within(s, a, UNARY)) : NOTHING;
}

static piece spell_extension(speller *s, tp_term t, bool is_signed) {
  tp_term x = tp_arg(s->tt, t, 0);
  if (tp_kind(s->tt, x) == TP_OP_ITE || tp_width(s->tt, x) < 8) return NOTHING;
  piece a = as_integer(s, spell(s, x), tp_width(s->tt, x), is_signed);
  return a.text ? cast(s, a, tp_width(s->tt, t), is_signed) : NOTHING;
}

static piece spell_conditional(speller *s, tp_term t) {
  tp_term x = tp_arg(s->tt, t, 1), y = tp_arg(s->tt, t, 2);
  piece c = spell(s, tp_arg(s->tt, t, 0)), a = spell(s, x), b = spell(s, y);
  if (!c.text || !a.text || !b.text) return NOTHING;
  tp_c_type type = condition();
  if (tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_BV) {
    uint32_t width = tp_width(s->tt, t);
    type = tp_c_type_int(width, true);
    a = as_integer(s, a, width, true);
    b = as_integer(s, b, width, true);
    if (!a.text || !b.text || width < 32) return NOTHING;
  } else if (tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) != TP_SORT_BOOL) {
    type = a.type;
  }
  return made(s, COND, type, "%s ? %s : %s", within(s, c, OROR), within(s, a, OROR),
              within(s, b, COND));
}

static piece spell_float_binary(speller *s, tp_term t, const char *op, int mine,
                                bool is_comparison) {
  piece a = spell(s, tp_arg(s->tt, t, 0)), b = spell(s, tp_arg(s->tt, t, 1));
  if (!a.text || !b.text) return NOTHING;
  return made(s, mine, is_comparison ? condition() : a.type, "%s %s %s", within(s, a, mine), op,
              within(s, b, mine + 1));
}

static piece spell_shift(speller *s, tp_term t, const char *op, bool is_signed) {
  uint32_t width = tp_width(s->tt, t);
  if (width < 32) return NOTHING;
  return spell_integers(s, t, op, SHIFT, is_signed, tp_c_type_int(width, is_signed));
}

static piece spell_integer_operation(speller *s, tp_term t, const char *op, int mine,
                                     bool is_signed) {
  uint32_t width = tp_width(s->tt, t);
  return width < 32 ? NOTHING
                    : spell_integers(s, t, op, mine, is_signed, tp_c_type_int(width, is_signed));
}

static piece spell_prefix(speller *s, tp_term t, const char *op) {
  uint32_t width = tp_width(s->tt, t);
  piece a = spell(s, tp_arg(s->tt, t, 0));
  if (!a.text || width < 32) return NOTHING;
  a = as_integer(s, a, width, a.type.is_signed && !s->is_total);
  return a.text ? made(s, UNARY, a.type, "%s%s", op, within(s, a, POSTFIX)) : NOTHING;
}

static piece spell_sum_of_pointer(speller *s, tp_term t) {
  tp_c_type pointer = {TP_T_POINTER, s->p->ptr_bits, false, TP_TYPE_NONE};
  tp_str text = {0};
  tp_access_print_value(s->p, t, &text);
  piece r = text.n < 256 && reads_as(s, tp_str_text(&text), t)
                ? made(s, ANY, pointer, "%s", tp_str_text(&text))
                : NOTHING;
  tp_str_clear(&text);
  return r.text ? r : spell_bytes(s, t, "void");
}

static piece spell_application(speller *s, tp_term t) {
  uint32_t width = tp_width(s->tt, t);
  switch ((int)tp_kind(s->tt, t)) {
    case TP_OP_NOT: return spell_negation(s, t);
    case TP_OP_AND: return spell_connective(s, t, "&&", ANDAND);
    case TP_OP_OR: return spell_connective(s, t, "||", OROR);
    case TP_OP_EQ: return spell_equality(s, t, "==");
    case TP_OP_XOR: return spell_equality(s, t, "!=");
    case TP_OP_ITE: return spell_conditional(s, t);
    case TP_OP_BV_ADD: return spell_sum(s, t, "+", SUM);
    case TP_OP_BV_MUL: return spell_sum(s, t, "*", PRODUCT);
    case TP_OP_BV_NEG: return spell_prefix(s, t, "-");
    case TP_OP_BV_NOT: return spell_prefix(s, t, "~");
    case TP_OP_BV_UDIV: return spell_integer_operation(s, t, "/", PRODUCT, false);
    case TP_OP_BV_SDIV: return spell_integer_operation(s, t, "/", PRODUCT, true);
    case TP_OP_BV_UREM: return spell_integer_operation(s, t, "%", PRODUCT, false);
    case TP_OP_BV_SREM: return spell_integer_operation(s, t, "%", PRODUCT, true);
    case TP_OP_BV_AND: return spell_sum(s, t, "&", BITS);
    case TP_OP_BV_OR: return spell_sum(s, t, "|", BITS);
    case TP_OP_BV_XOR: return spell_sum(s, t, "^", BITS);
    case TP_OP_BV_SHL: return spell_shift(s, t, "<<", false);
    case TP_OP_BV_LSHR: return spell_shift(s, t, ">>", false);
    case TP_OP_BV_ASHR: return spell_shift(s, t, ">>", true);
    case TP_OP_BV_ULT: return spell_integers(s, t, "<", LESS, false, condition());
    case TP_OP_BV_ULE: return spell_integers(s, t, "<=", LESS, false, condition());
    case TP_OP_BV_SLT: return spell_integers(s, t, "<", LESS, true, condition());
    case TP_OP_BV_SLE: return spell_integers(s, t, "<=", LESS, true, condition());
    case TP_OP_BV_ZEXT: return spell_extension(s, t, false);
    case TP_OP_BV_SEXT: return spell_extension(s, t, true);
    case TP_OP_BV_EXTRACT:
      return tp_extract_lo(s->tt, t) == 0 && type_name(s, width, true)
                 ? cast(s, spell(s, tp_arg(s->tt, t, 0)), width, false)
                 : NOTHING;
    case TP_OP_FP_ADD: return spell_float_binary(s, t, "+", SUM, false);
    case TP_OP_FP_SUB: return spell_float_binary(s, t, "-", SUM, false);
    case TP_OP_FP_MUL: return spell_float_binary(s, t, "*", PRODUCT, false);
    case TP_OP_FP_DIV: return spell_float_binary(s, t, "/", PRODUCT, false);
    case TP_OP_FP_EQ: return spell_float_binary(s, t, "==", EQUAL, true);
    case TP_OP_FP_LT: return spell_float_binary(s, t, "<", LESS, true);
    case TP_OP_FP_LE: return spell_float_binary(s, t, "<=", LESS, true);
    case TP_OP_PTR_OFF: {
      piece a = spell(s, tp_arg(s->tt, t, 0));
      return a.text ? made(s, POSTFIX, tp_c_type_int(s->p->ptr_bits, false), "object_offset(%s)",
                           a.text)
                    : NOTHING;
    }
    case TP_OP_PTR_OBJ: {
      piece a = spell(s, tp_arg(s->tt, t, 0));
      return a.text ? made(s, POSTFIX, tp_c_type_int(TP_OBJ_BITS, false), "object_of(%s)", a.text)
                    : NOTHING;
    }
    case TP_OP_PTR_TO_INT: return cast(s, spell(s, tp_arg(s->tt, t, 0)), width, false);
    case TP_OP_PTR_ADD: return spell_sum_of_pointer(s, t);
    case TP_OP_SELECT: return spell_select(s, t);
    default: return NOTHING;
  }
}

static piece spell_leaf(speller *s, tp_term t) {
  switch ((int)tp_kind(s->tt, t)) {
    case TP_OP_TRUE: return made(s, POSTFIX, condition(), "true");
    case TP_OP_FALSE: return made(s, POSTFIX, condition(), "false");
    case TP_OP_BV_CONST: return spell_number(s, t);
    case TP_OP_FP_CONST: return spell_float(s, t);
    case TP_OP_PTR_CONST: return spell_pointer_constant(s, t);
    case TP_OP_VAR: return spell_variable(s, t);
    default: return NOTHING;
  }
}

static piece spell(speller *s, tp_term t) {
  if (++s->depth > TP_EXPRESSION_PRINT_LEVELS) {
    s->depth--;
    return NOTHING;
  }
  piece r = tp_n_args(s->tt, t) ? spell_application(s, t) : spell_leaf(s, t);
  s->depth--;
  return r;
}

static bool print(const tp_program *p, tp_loc at, tp_term t, bool is_total, tp_str *out) {
  speller s = {.p = p, .tt = p->terms, .at = at, .is_total = is_total};
  tp_arena_init(&s.arena);
  piece r = spell(&s, t);
  bool is_said = r.text && reads_as(&s, r.text, t);
  if (is_said) tp_str_add(out, r.text);
  tp_arena_clear(&s.arena);
  return is_said;
}

bool tp_expression_print(const tp_program *p, tp_loc at, tp_term t, tp_str *out) {
  TP_REQUIRE(tp_term_is(t) && out);
  return print(p, at, t, false, out);
}

/* Has the term itself, without its arguments, a meaning for all of their values? */
static bool is_total_operation(const tp_program *p, tp_term t) {
  tp_terms *tt = p->terms;
  uint64_t n = 0;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_UDIV:
    case TP_OP_BV_UREM: return tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n != 0;
    case TP_OP_BV_SDIV:
    case TP_OP_BV_SREM:  // the least number divided by -1 overflows
      return tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n != 0 &&
             n < (uint64_t)1 << (tp_width(tt, t) - 1);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return tp_bv_value_u64(tt, tp_arg(tt, t, 1), &n) && n < tp_width(tt, t);
    case TP_OP_SELECT: {  // a cell of an object that is there from the start
      tp_term address;
      if (!tp_is_cell(p, t, &address) || tp_kind(tt, address) != TP_OP_PTR_CONST) return false;
      const uint32_t object = tp_ptr_const_object(tt, address);
      return object && object < p->statics.n &&
             tp_ptr_const_offset(tt, address) + tp_sort_bytes(tt, tp_sort_of(tt, t)) <=
                 p->statics.at[object].size_bytes;
    }
    default: return true;
  }
}

static bool is_total(const tp_program *p, tp_term t) {
  TP_VEC(tp_term) todo = {0};
  tp_map seen = {0};
  bool ok = true;
  tp_vec_push(&todo, t);
  while (ok && todo.n > 0) {
    const tp_term x = tp_vec_pop(&todo);
    if (tp_map_has(&seen, x.id)) continue;
    tp_map_set(&seen, x.id, 1);
    ok = is_total_operation(p, x);
    // the address of a cell is a constant by then
    if (tp_kind(p->terms, x) == TP_OP_SELECT) continue;
    for (uint32_t i = 0; i < tp_n_args(p->terms, x); i++)
      tp_vec_push(&todo, tp_arg(p->terms, x, i));
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
  return ok;
}

bool tp_expression_print_total(const tp_program *p, tp_loc at, tp_term t, tp_str *out) {
  TP_REQUIRE(tp_term_is(t) && out);
  return is_total(p, t) && print(p, at, t, true, out);
}

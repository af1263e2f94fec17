/* C 6.3 and 6.5 over terms. Integers narrower than int are promoted, then both operands are
 * converted to one type (6.3.1.8); signed arithmetic wraps around, as in all terms. A Bool term
 * stands for _Bool and for the results of comparisons, which are int in C: it becomes 0 or 1 as
 * soon as it is an operand of arithmetic. */
#include "expression/c_value.h"

#include "program/cells.h"

static tp_status refuse(tp_str *why, const char *what) {
  tp_str_add(why, what);
  return TP_ERR_INPUT;
}

// ----------------------------------------------------------------------- types

tp_c_type tp_c_type_int(uint32_t width, bool is_signed) {
  TP_REQUIRE(width > 0);
  return (tp_c_type){TP_T_INT, width, is_signed, TP_TYPE_NONE};
}
static tp_c_type condition_type(void) { return (tp_c_type){TP_T_BOOL, 1, false, TP_TYPE_NONE}; }

tp_c_type tp_c_type_of(const tp_program *p, tp_type type) {
  if (type.id == 0) return (tp_c_type){TP_T_VOID, 0, false, TP_TYPE_NONE};
  const tp_type_info *t = tp_type_of(p, type);
  uint32_t width = (uint32_t)t->size_bytes * 8;
  switch (t->kind) {
    case TP_T_BOOL: return (tp_c_type){TP_T_BOOL, 1, false, type};
    case TP_T_INT:
    case TP_T_ENUM: return (tp_c_type){TP_T_INT, width, t->is_signed, type};
    case TP_T_FLOAT: return (tp_c_type){TP_T_FLOAT, width, true, type};
    case TP_T_POINTER: return (tp_c_type){TP_T_POINTER, p->ptr_bits, false, t->element};
    case TP_T_VOID:
    case TP_T_ARRAY:
    case TP_T_STRUCT:
    case TP_T_UNION:
    case TP_T_FUNCTION: return (tp_c_type){t->kind, 0, false, type};
  }
  return (tp_c_type){TP_T_VOID, 0, false, TP_TYPE_NONE};
}

void tp_c_type_print(const tp_program *p, tp_c_type t, tp_str *out) {
  switch (t.kind) {
    case TP_T_BOOL: tp_str_add(out, "_Bool"); return;
    case TP_T_INT:
      tp_str_add(out, t.is_signed ? "" : "unsigned ");
      if (t.width == 8)
        tp_str_add(out, t.is_signed ? "signed char" : "char");
      else if (t.width == 16)
        tp_str_add(out, "short");
      else if (t.width == 32)
        tp_str_add(out, "int");
      else if (t.width == 64)
        tp_str_add(out, p->ptr_bits == 64 ? "long" : "long long");
      else
        tp_str_add(out, "__int128");
      return;
    case TP_T_FLOAT: tp_str_add(out, t.width == 32 ? "float" : "double"); return;
    case TP_T_POINTER:
      tp_str_printf(out, "%s *", t.type.id ? tp_type_of(p, t.type)->name : "void");
      return;
    case TP_T_VOID:
    case TP_T_ENUM:
    case TP_T_ARRAY:
    case TP_T_STRUCT:
    case TP_T_UNION:
    case TP_T_FUNCTION: tp_str_add(out, t.type.id ? tp_type_of(p, t.type)->name : "void"); return;
  }
}

/* The sort in which a scalar of this type is kept in memory and variables. */
static bool sort_of(const tp_program *p, tp_c_type t, tp_sort *out) {
  switch (t.kind) {
    case TP_T_BOOL: *out = tp_sort_bool(p->terms); return true;
    case TP_T_INT:
      *out = tp_sort_bv(p->terms, t.width);
      return t.width == 8 || t.width == 16 || t.width == 32 || t.width == 64 || t.width == 128;
    case TP_T_FLOAT: *out = tp_sort_fp(p->terms, t.width); return t.width == 32 || t.width == 64;
    case TP_T_POINTER: *out = tp_sort_ptr(p->terms); return true;
    case TP_T_VOID:
    case TP_T_ENUM:
    case TP_T_ARRAY:
    case TP_T_STRUCT:
    case TP_T_UNION:
    case TP_T_FUNCTION: return false;
  }
  return false;
}

static bool is_arithmetic(tp_c_type t) {
  return t.kind == TP_T_BOOL || t.kind == TP_T_INT || t.kind == TP_T_FLOAT;
}

// ---------------------------------------------------------------------- values

tp_c_value tp_c_value_of(const tp_program *p, tp_c_type type, tp_term value) {
  TP_REQUIRE(tp_term_is(value));
  return (tp_c_value){type, value, TP_TERM_NONE, tp_mk_true(p->terms)};
}

tp_c_value tp_c_value_at(const tp_program *p, tp_c_type type, tp_term address, tp_term defined) {
  TP_REQUIRE(tp_term_is(address) && tp_term_is(defined));
  (void)p;
  return (tp_c_value){type, TP_TERM_NONE, address, defined};
}

tp_term tp_access_is_valid(const tp_program *p, tp_term address, uint64_t n) {
  TP_REQUIRE(tp_term_is(address));
  tp_terms *tt = p->terms;
  if (tp_kind(tt, address) == TP_OP_PTR_CONST) {  // statics are there from the start to the end
    uint32_t object = tp_ptr_const_object(tt, address);
    uint64_t offset = tp_ptr_const_offset(tt, address);
    if (object == 0 || object >= p->statics.n) return tp_mk_false(tt);
    uint64_t size = p->statics.at[object].size_bytes;
    return tp_mk_bool(tt, n <= size && offset <= size - n);
  }
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, address), offset = tp_mk1(tt, TP_OP_PTR_OFF, address);
  tp_term size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_size)->term, object);
  tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_live)->term, object);
  tp_term bytes = tp_mk_bv(tt, p->ptr_bits, n);
  tp_term fits = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, bytes, size),
                           tp_mk2(tt, TP_OP_BV_ULE, offset, tp_mk_sub(tt, size, bytes)));
  return tp_mk_and(tt, live, fits);
}

tp_status tp_c_value_load(const tp_program *p, tp_c_value *v, tp_str *why) {
  TP_REQUIRE(tp_term_is(v->defined) && why);
  tp_terms *tt = p->terms;
  if (tp_term_is(v->value)) return TP_OK;
  if (v->type.kind == TP_T_ARRAY || v->type.kind == TP_T_FUNCTION) {
    tp_type to = v->type.kind == TP_T_ARRAY ? tp_type_of(p, v->type.type)->element : v->type.type;
    *v = (tp_c_value){{TP_T_POINTER, p->ptr_bits, false, to}, v->address, TP_TERM_NONE, v->defined};
    return TP_OK;
  }
  tp_sort sort;
  if (!tp_term_is(v->address) || !sort_of(p, v->type, &sort))
    return refuse(why, "a value of this type cannot be calculated with");
  tp_term cell = tp_cell(p, sort, v->address);
  if (!tp_term_is(cell)) return refuse(why, "a value of this type cannot be read from memory");
  v->defined =
      tp_mk_and(tt, v->defined, tp_access_is_valid(p, v->address, tp_sort_bytes(tt, sort)));
  v->value = cell;
  v->address = TP_TERM_NONE;
  return TP_OK;
}

// ----------------------------------------------------------------- conversions

/* A scalar as a bit-vector of this width: integers by their own signedness, pointers by their
 * address. */
static tp_term bits_of(const tp_program *p, const tp_c_value *v, uint32_t width) {
  TP_REQUIRE(tp_term_is(v->value) && width > 0);
  tp_terms *tt = p->terms;
  if (v->type.kind == TP_T_BOOL) return tp_mk_bool_to_bv(tt, width, v->value);
  if (v->type.kind == TP_T_POINTER)
    return tp_mk_resize(tt, width, false, tp_mk1(tt, TP_OP_PTR_TO_INT, v->value));
  return tp_mk_resize(tt, width, v->type.is_signed, v->value);
}

static tp_term float_of(const tp_program *p, const tp_c_value *v, uint32_t width) {
  TP_REQUIRE(tp_term_is(v->value) && (width == 32 || width == 64));
  tp_terms *tt = p->terms;
  if (v->type.kind == TP_T_FLOAT)
    return v->type.width == width ? v->value : tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, width, v->value);
  bool is_signed = v->type.kind == TP_T_INT && v->type.is_signed;
  tp_term bits = v->type.kind == TP_T_BOOL ? bits_of(p, v, 32) : v->value;
  return tp_mk_fp_conv(tt, is_signed ? TP_OP_FP_OF_SBV : TP_OP_FP_OF_UBV, width, bits);
}

static tp_c_type promoted(tp_c_type t) {
  bool is_small = t.kind == TP_T_BOOL || (t.kind == TP_T_INT && t.width < 32);
  return is_small ? tp_c_type_int(32, true) : t;
}

/* C 6.3.1.8. */
static tp_c_type common_type(tp_c_type a, tp_c_type b) {
  if (a.kind == TP_T_FLOAT || b.kind == TP_T_FLOAT) {
    uint32_t wa = a.kind == TP_T_FLOAT ? a.width : 0, wb = b.kind == TP_T_FLOAT ? b.width : 0;
    return (tp_c_type){TP_T_FLOAT, wa > wb ? wa : wb, true, TP_TYPE_NONE};
  }
  a = promoted(a);
  b = promoted(b);
  uint32_t width = a.width > b.width ? a.width : b.width;
  bool is_signed = a.width == b.width  ? a.is_signed && b.is_signed
                   : a.width > b.width ? a.is_signed
                                       : b.is_signed;
  return tp_c_type_int(width, is_signed);
}

static tp_term converted(const tp_program *p, const tp_c_value *v, tp_c_type to) {
  return to.kind == TP_T_FLOAT ? float_of(p, v, to.width) : bits_of(p, v, to.width);
}

tp_status tp_c_condition(const tp_program *p, tp_c_value a, tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  TP_TRY(tp_c_value_load(p, &a, why));
  tp_term t = TP_TERM_NONE;
  if (a.type.kind == TP_T_BOOL)
    t = a.value;
  else if (a.type.kind == TP_T_INT)
    t = tp_mk_bv_to_bool(tt, a.value);
  else if (a.type.kind == TP_T_POINTER)
    t = tp_mk_not(tt, tp_mk_eq(tt, a.value, tp_mk_null(tt)));
  else if (a.type.kind == TP_T_FLOAT)
    t = tp_mk_not(tt, tp_mk2(tt, TP_OP_FP_EQ, a.value, tp_mk_fp(tt, a.type.width, 0)));
  else
    return refuse(why, "this is no condition");
  *out = (tp_c_value){condition_type(), t, TP_TERM_NONE, a.defined};
  return TP_OK;
}

tp_status tp_c_cast(const tp_program *p, tp_c_type to, tp_c_value a, tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  if (to.kind == TP_T_BOOL) {
    TP_TRY(tp_c_condition(p, a, out, why));
    return TP_OK;
  }
  TP_TRY(tp_c_value_load(p, &a, why));
  tp_term t = TP_TERM_NONE;
  if (to.kind == TP_T_INT && a.type.kind == TP_T_FLOAT)
    t = tp_mk_fp_conv(tt, to.is_signed ? TP_OP_FP_TO_SBV : TP_OP_FP_TO_UBV, to.width, a.value);
  else if (to.kind == TP_T_INT)
    t = bits_of(p, &a, to.width);
  else if (to.kind == TP_T_FLOAT && is_arithmetic(a.type))
    t = float_of(p, &a, to.width);
  else if (to.kind == TP_T_POINTER && a.type.kind == TP_T_POINTER)
    t = a.value;
  else if (to.kind == TP_T_POINTER && a.type.kind != TP_T_FLOAT)
    t = tp_mk1(tt, TP_OP_INT_TO_PTR, bits_of(p, &a, p->ptr_bits));
  else
    return refuse(why, "no such conversion");
  *out = (tp_c_value){to, t, TP_TERM_NONE, a.defined};
  return TP_OK;
}

// ------------------------------------------------------------------ operators

static tp_status pointee_size(const tp_program *p, tp_type t, uint64_t *size, tp_str *why) {
  *size = t.id ? tp_type_of(p, t)->size_bytes : 1;  // void: bytes, as GNU C has it
  if (t.id && tp_type_of(p, t)->kind == TP_T_VOID) *size = 1;
  return *size ? TP_OK : refuse(why, "the size of what the pointer points to is not known");
}

static tp_status move_pointer(const tp_program *p, tp_c_value a, tp_c_value b, bool back,
                              tp_c_value *out, tp_str *why) {
  TP_REQUIRE(a.type.kind == TP_T_POINTER);
  tp_terms *tt = p->terms;
  uint64_t size;
  TP_TRY(pointee_size(p, a.type.type, &size, why));
  tp_term by =
      tp_mk2(tt, TP_OP_BV_MUL, bits_of(p, &b, p->ptr_bits), tp_mk_bv(tt, p->ptr_bits, size));
  if (back) by = tp_mk1(tt, TP_OP_BV_NEG, by);
  *out = (tp_c_value){a.type, tp_mk_ptr_add(tt, a.value, by), TP_TERM_NONE,
                      tp_mk_and(tt, a.defined, b.defined)};
  return TP_OK;
}

static tp_status subtract_pointers(const tp_program *p, tp_c_value a, tp_c_value b, tp_c_value *out,
                                   tp_str *why) {
  TP_REQUIRE(a.type.kind == TP_T_POINTER && b.type.kind == TP_T_POINTER);
  tp_terms *tt = p->terms;
  uint64_t size;
  TP_TRY(pointee_size(p, a.type.type, &size, why));
  tp_term distance = tp_mk_sub(tt, bits_of(p, &a, p->ptr_bits), bits_of(p, &b, p->ptr_bits));
  tp_term n = tp_mk2(tt, TP_OP_BV_SDIV, distance, tp_mk_bv(tt, p->ptr_bits, size));
  *out = (tp_c_value){tp_c_type_int(p->ptr_bits, true), n, TP_TERM_NONE,
                      tp_mk_and(tt, a.defined, b.defined)};
  return TP_OK;
}

static bool is_comparison(tp_c_binary op) { return op >= TP_C_LT && op <= TP_C_NE; }

static tp_term compare(tp_terms *tt, tp_c_binary op, tp_term a, tp_term b, tp_term_kind lt,
                       tp_term_kind le) {
  TP_REQUIRE(is_comparison(op));
  switch ((int)op) {
    case TP_C_LT: return tp_mk2(tt, lt, a, b);
    case TP_C_GT: return tp_mk2(tt, lt, b, a);
    case TP_C_LE: return tp_mk2(tt, le, a, b);
    default: return tp_mk2(tt, le, b, a);
  }
}

static tp_status compare_pointers(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                                  tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  tp_c_type pointer = a.type.kind == TP_T_POINTER ? a.type : b.type;
  if (a.type.kind == TP_T_FLOAT || b.type.kind == TP_T_FLOAT)
    return refuse(why, "a pointer and a float cannot be compared");
  TP_TRY(tp_c_cast(p, pointer, a, &a, why));
  TP_TRY(tp_c_cast(p, pointer, b, &b, why));
  tp_term t;
  if (op == TP_C_EQ || op == TP_C_NE) {
    t = tp_mk_eq(tt, a.value, b.value);
    if (op == TP_C_NE) t = tp_mk_not(tt, t);
  } else {
    t = compare(tt, op, tp_mk1(tt, TP_OP_PTR_TO_INT, a.value),
                tp_mk1(tt, TP_OP_PTR_TO_INT, b.value), TP_OP_BV_ULT, TP_OP_BV_ULE);
  }
  *out = (tp_c_value){condition_type(), t, TP_TERM_NONE, tp_mk_and(tt, a.defined, b.defined)};
  return TP_OK;
}

static tp_status compare_numbers(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                                 tp_c_value *out) {
  tp_terms *tt = p->terms;
  tp_c_type common = common_type(a.type, b.type);
  tp_term x = converted(p, &a, common), y = converted(p, &b, common), t;
  bool is_float = common.kind == TP_T_FLOAT;
  if (op == TP_C_EQ || op == TP_C_NE) {
    t = is_float ? tp_mk2(tt, TP_OP_FP_EQ, x, y) : tp_mk_eq(tt, x, y);
    if (op == TP_C_NE) t = tp_mk_not(tt, t);
  } else {
    t = compare(tt, op, x, y,
                is_float           ? TP_OP_FP_LT
                : common.is_signed ? TP_OP_BV_SLT
                                   : TP_OP_BV_ULT,
                is_float           ? TP_OP_FP_LE
                : common.is_signed ? TP_OP_BV_SLE
                                   : TP_OP_BV_ULE);
  }
  *out = (tp_c_value){condition_type(), t, TP_TERM_NONE, tp_mk_and(tt, a.defined, b.defined)};
  return TP_OK;
}

static tp_term_kind integer_kind(tp_c_binary op, bool is_signed) {
  switch ((int)op) {
    case TP_C_MUL: return TP_OP_BV_MUL;
    case TP_C_DIV: return is_signed ? TP_OP_BV_SDIV : TP_OP_BV_UDIV;
    case TP_C_REM: return is_signed ? TP_OP_BV_SREM : TP_OP_BV_UREM;
    case TP_C_AND: return TP_OP_BV_AND;
    case TP_C_XOR: return TP_OP_BV_XOR;
    case TP_C_OR: return TP_OP_BV_OR;
    case TP_C_SHL: return TP_OP_BV_SHL;
    case TP_C_SHR: return is_signed ? TP_OP_BV_ASHR : TP_OP_BV_LSHR;
    default: return TP_OP_BV_ADD;
  }
}

static tp_status calculate_floats(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                                  tp_c_value *out, tp_str *why) {
  tp_c_type common = common_type(a.type, b.type);
  tp_term_kind kind;
  switch ((int)op) {
    case TP_C_MUL: kind = TP_OP_FP_MUL; break;
    case TP_C_DIV: kind = TP_OP_FP_DIV; break;
    case TP_C_ADD: kind = TP_OP_FP_ADD; break;
    case TP_C_SUB: kind = TP_OP_FP_SUB; break;
    default: return refuse(why, "no such operator for floats");
  }
  tp_term t = tp_mk2(p->terms, kind, converted(p, &a, common), converted(p, &b, common));
  *out = (tp_c_value){common, t, TP_TERM_NONE, tp_mk_and(p->terms, a.defined, b.defined)};
  return TP_OK;
}

static tp_status calculate(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                           tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  if (a.type.kind == TP_T_FLOAT || b.type.kind == TP_T_FLOAT)
    return calculate_floats(p, op, a, b, out, why);
  bool is_shift = op == TP_C_SHL || op == TP_C_SHR;
  tp_c_type type = is_shift ? promoted(a.type) : common_type(a.type, b.type);
  tp_term x = converted(p, &a, type), y, defined = tp_mk_and(tt, a.defined, b.defined);
  if (is_shift) {  // the amount keeps its own type (6.5.7)
    tp_c_type by = promoted(b.type);
    tp_term amount = converted(p, &b, by);
    defined = tp_mk_and(tt, defined,
                        tp_mk2(tt, TP_OP_BV_ULT, amount, tp_mk_bv(tt, by.width, type.width)));
    y = tp_mk_resize(tt, type.width, false, amount);
  } else {
    y = converted(p, &b, type);
  }
  if (op == TP_C_SUB) y = tp_mk1(tt, TP_OP_BV_NEG, y);
  tp_term t = tp_mk2(tt, integer_kind(op, type.is_signed), x, y);
  if (op == TP_C_DIV || op == TP_C_REM) {
    defined = tp_mk_and(tt, defined, tp_mk_bv_to_bool(tt, y));
    if (type.is_signed) {
      tp_term least = tp_mk_bv(tt, type.width, (tp_u128)1 << (type.width - 1)),
              minus_one = tp_mk_bv_signed(tt, type.width, -1);
      defined = tp_mk_and(
          tt, defined,
          tp_mk_not(tt, tp_mk_and(tt, tp_mk_eq(tt, x, least), tp_mk_eq(tt, y, minus_one))));
    }
  }
  *out = (tp_c_value){type, t, TP_TERM_NONE, defined};
  return TP_OK;
}

/* The right side is looked at only if the left one does not decide. */
static tp_status connect(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                         tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  TP_TRY(tp_c_condition(p, a, &a, why));
  TP_TRY(tp_c_condition(p, b, &b, why));
  bool is_and = op == TP_C_AND_AND;
  tp_term decided = is_and ? tp_mk_not(tt, a.value) : a.value;
  tp_term t = is_and ? tp_mk_and(tt, a.value, b.value) : tp_mk_or(tt, a.value, b.value);
  *out = (tp_c_value){condition_type(), t, TP_TERM_NONE,
                      tp_mk_and(tt, a.defined, tp_mk_or(tt, decided, b.defined))};
  return TP_OK;
}

tp_status tp_c_binary_of(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                         tp_c_value *out, tp_str *why) {
  TP_REQUIRE(op <= TP_C_OR_OR && out && why);
  if (op == TP_C_AND_AND || op == TP_C_OR_OR) return connect(p, op, a, b, out, why);
  TP_TRY(tp_c_value_load(p, &a, why));
  TP_TRY(tp_c_value_load(p, &b, why));
  bool pa = a.type.kind == TP_T_POINTER, pb = b.type.kind == TP_T_POINTER;
  if (is_comparison(op) && (pa || pb)) return compare_pointers(p, op, a, b, out, why);
  if (pa && pb && op == TP_C_SUB) return subtract_pointers(p, a, b, out, why);
  if (pa && b.type.kind == TP_T_INT && (op == TP_C_ADD || op == TP_C_SUB))
    return move_pointer(p, a, b, op == TP_C_SUB, out, why);
  if (pb && a.type.kind == TP_T_INT && op == TP_C_ADD)
    return move_pointer(p, b, a, false, out, why);
  if (!is_arithmetic(a.type) || !is_arithmetic(b.type))
    return refuse(why, "this operator is not for pointers");
  return is_comparison(op) ? compare_numbers(p, op, a, b, out) : calculate(p, op, a, b, out, why);
}

tp_status tp_c_unary(const tp_program *p, char op, tp_c_value a, tp_c_value *out, tp_str *why) {
  tp_terms *tt = p->terms;
  if (op == '!') {
    TP_TRY(tp_c_condition(p, a, out, why));
    out->value = tp_mk_not(tt, out->value);
    return TP_OK;
  }
  if (op == '&') {
    if (!tp_term_is(a.address))
      return refuse(why,
                    "the address of a variable that is kept outside of memory cannot be taken");
    *out = (tp_c_value){
        {TP_T_POINTER, p->ptr_bits, false, a.type.type}, a.address, TP_TERM_NONE, a.defined};
    return TP_OK;
  }
  TP_TRY(tp_c_value_load(p, &a, why));
  if (op == '*') {
    if (a.type.kind != TP_T_POINTER || a.type.type.id == 0)
      return refuse(why, "only a pointer to an object can be followed");
    *out = tp_c_value_at(p, tp_c_type_of(p, a.type.type), a.value, a.defined);
    return TP_OK;
  }
  if (!is_arithmetic(a.type) || (op == '~' && a.type.kind == TP_T_FLOAT))
    return refuse(why, "this operator is for numbers");
  tp_c_type type = promoted(a.type);
  tp_term x = converted(p, &a, type);
  if (op == '-')
    x = tp_mk1(tt, type.kind == TP_T_FLOAT ? TP_OP_FP_NEG : TP_OP_BV_NEG, x);
  else if (op == '~')
    x = tp_mk1(tt, TP_OP_BV_NOT, x);
  *out = (tp_c_value){type, x, TP_TERM_NONE, a.defined};
  return TP_OK;
}

tp_status tp_c_conditional(const tp_program *p, tp_c_value c, tp_c_value a, tp_c_value b,
                           tp_c_value *out, tp_str *why) {
  TP_REQUIRE(out && why);
  tp_terms *tt = p->terms;
  TP_TRY(tp_c_condition(p, c, &c, why));
  TP_TRY(tp_c_value_load(p, &a, why));
  TP_TRY(tp_c_value_load(p, &b, why));
  tp_c_type type;
  if (a.type.kind == TP_T_POINTER || b.type.kind == TP_T_POINTER) {
    type = a.type.kind == TP_T_POINTER ? a.type : b.type;
    TP_TRY(tp_c_cast(p, type, a, &a, why));
    TP_TRY(tp_c_cast(p, type, b, &b, why));
  } else if (a.type.kind == TP_T_BOOL && b.type.kind == TP_T_BOOL) {
    type = a.type;
  } else {
    if (!is_arithmetic(a.type) || !is_arithmetic(b.type))
      return refuse(why, "the sides of ?: do not fit together");
    type = common_type(a.type, b.type);
    a.value = converted(p, &a, type);
    b.value = converted(p, &b, type);
  }
  tp_term defined = tp_mk_and(tt, c.defined, tp_mk_ite(tt, c.value, a.defined, b.defined));
  *out = (tp_c_value){type, tp_mk_ite(tt, c.value, a.value, b.value), TP_TERM_NONE, defined};
  return TP_OK;
}

// --------------------------------------------------------------------- members

/* Members of unnamed structs and unions count as the outer one's. */
static bool find_member(const tp_program *p, tp_type type, const char *name, uint64_t *offset_bits,
                        tp_member *out) {
  const tp_type_info *t = tp_type_of(p, type);
  if (t->kind != TP_T_STRUCT && t->kind != TP_T_UNION) return false;
  for (uint32_t i = 0; i < t->n_members; i++) {
    const tp_member *m = &t->members[i];
    uint64_t inner = *offset_bits + m->offset_bits;
    if (strcmp(m->name, name) == 0) {
      *offset_bits = inner;
      *out = *m;
      return true;
    }
    if (m->name[0] == 0 && m->type.id && find_member(p, m->type, name, &inner, out)) {
      *offset_bits = inner;
      return true;
    }
  }
  return false;
}

/* Bit-fields are read byte by byte, so that nothing outside of the object is touched. */
static void read_bit_field(const tp_program *p, tp_c_value a, uint64_t offset_bits,
                           const tp_member *m, tp_c_value *out) {
  tp_terms *tt = p->terms;
  tp_c_type type = tp_c_type_of(p, m->type);
  uint64_t first = offset_bits / 8, last = (offset_bits + m->width_bits - 1) / 8;
  tp_term bits = TP_TERM_NONE, at = tp_mk_ptr_add(tt, a.address, tp_mk_bv(tt, p->ptr_bits, first));
  for (uint64_t i = first; i <= last; i++) {
    tp_term byte =
        tp_cell(p, tp_sort_bv(tt, 8), tp_mk_ptr_add(tt, a.address, tp_mk_bv(tt, p->ptr_bits, i)));
    bits = tp_term_is(bits) ? tp_mk2(tt, TP_OP_BV_CONCAT, byte, bits) : byte;
  }
  uint32_t lo = (uint32_t)(offset_bits - first * 8);
  bits = tp_mk_extract(tt, lo + m->width_bits - 1, lo, bits);
  bool is_bool = type.kind == TP_T_BOOL;
  tp_term value =
      is_bool ? tp_mk_bv_to_bool(tt, bits) : tp_mk_resize(tt, type.width, type.is_signed, bits);
  *out = (tp_c_value){type, value, TP_TERM_NONE,
                      tp_mk_and(tt, a.defined, tp_access_is_valid(p, at, last - first + 1))};
}

tp_status tp_c_member(const tp_program *p, tp_c_value a, const char *name, tp_c_value *out,
                      tp_str *why) {
  TP_REQUIRE(name && out && why);
  uint64_t offset = 0;
  tp_member m;
  if (!tp_term_is(a.address) || !a.type.type.id ||
      !find_member(p, a.type.type, name, &offset, &m)) {
    tp_str text = {0};
    tp_c_type_print(p, a.type, &text);
    tp_str_printf(why, "%s has no member '%s'", tp_str_text(&text), name);
    tp_str_clear(&text);
    return TP_ERR_INPUT;
  }
  if (m.width_bits)
    read_bit_field(p, a, offset, &m, out);
  else
    *out = tp_c_value_at(
        p, tp_c_type_of(p, m.type),
        tp_mk_ptr_add(p->terms, a.address, tp_mk_bv(p->terms, p->ptr_bits, offset / 8)), a.defined);
  return TP_OK;
}

// ---------------------------------------------------------------- definedness

typedef struct {
  const tp_program *p;
  tp_term all;
} definedness;

static tp_visit add_defined(void *ctx, tp_term t) {
  definedness *d = ctx;
  tp_terms *tt = d->p->terms;
  tp_term_kind k = tp_kind(tt, t);
  bool is_signed = k == TP_OP_BV_SDIV || k == TP_OP_BV_SREM;
  if (is_signed || k == TP_OP_BV_UDIV || k == TP_OP_BV_UREM) {
    uint32_t w = tp_width(tt, t);
    d->all = tp_mk_and(tt, d->all, tp_mk_bv_to_bool(tt, tp_arg(tt, t, 1)));
    tp_term least = tp_mk_bv(tt, w, (tp_u128)1 << (w - 1)), minus_one = tp_mk_bv_signed(tt, w, -1);
    tp_term overflow = tp_mk_and(tt, tp_mk_eq(tt, tp_arg(tt, t, 0), least),
                                 tp_mk_eq(tt, tp_arg(tt, t, 1), minus_one));
    if (is_signed) d->all = tp_mk_and(tt, d->all, tp_mk_not(tt, overflow));
  } else if (k == TP_OP_BV_SHL || k == TP_OP_BV_LSHR || k == TP_OP_BV_ASHR) {
    uint32_t w = tp_width(tt, t);
    d->all = tp_mk_and(tt, d->all, tp_mk2(tt, TP_OP_BV_ULT, tp_arg(tt, t, 1), tp_mk_bv(tt, w, w)));
  }
  return TP_VISIT_ARGS;
}

tp_term tp_operations_are_defined(const tp_program *p, tp_term t) {
  definedness d = {p, tp_mk_true(p->terms)};
  tp_visitor v = {.ctx = &d, .visit = add_defined, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(p->terms, t, &v, NULL);
  return d.all;
}

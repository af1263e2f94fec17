/* Constants, sorts, conversions and address arithmetic: translations that add no edges.
 *
 * A constant of LLVM becomes a term, or several for a struct; the address of a global or a function
 * makes its static object, so statics.c and values.c call each other. Constant expressions nest,
 * and the recursion follows their nesting. */
#include "front/front_priv.h"

#include "term/x87.h"

tp_term tp_fe_size_term(tp_fe *fe, uint64_t n) { return tp_mk_bv(fe->tt, fe->ptr_bits, n); }

bool tp_fe_is_long_double(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind;
}

bool tp_fe_sort(tp_fe *fe, LLVMTypeRef type, tp_sort *out) {
  switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
      unsigned w = LLVMGetIntTypeWidth(type);
      if (w > TP_BV_MAX_BITS) return false;
      *out = w == 1 ? tp_sort_bool(fe->tt) : tp_sort_bv(fe->tt, w);
      return true;
    }
    case LLVMPointerTypeKind: *out = tp_sort_ptr(fe->tt); return true;
    case LLVMFloatTypeKind: *out = tp_sort_fp(fe->tt, 32); return true;
    case LLVMDoubleTypeKind: *out = tp_sort_fp(fe->tt, 64); return true;
    case LLVMX86_FP80TypeKind: *out = tp_sort_bv(fe->tt, TP_X87_BITS); return true;
    case LLVMVectorTypeKind: {
      // small vectors travel as the bits of their lanes, lane 0 lowest
      tp_sort lane;
      LLVMTypeRef element = LLVMGetElementType(type);
      if (!tp_fe_sort(fe, element, &lane) || LLVMGetTypeKind(element) == LLVMPointerTypeKind ||
          tp_fe_is_long_double(element))
        return false;
      uint64_t bits = (uint64_t)tp_sort_width(fe->tt, lane) * LLVMGetVectorSize(type);
      if (bits > TP_BV_MAX_BITS || bits < 2) return false;
      *out = tp_sort_bv(fe->tt, (uint32_t)bits);
      return true;
    }
    default: return false;
  }
}

tp_term tp_fe_bool_bv(tp_terms *tt, uint32_t width, tp_term b) {
  TP_REQUIRE(tp_sort_kind_of(tt, tp_sort_of(tt, b)) == TP_SORT_BOOL);
  return tp_mk_bool_to_bv(tt, width, b);
}

/* match: ite(c, 1, 0)   result: c */
tp_term tp_fe_to_bool(tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_term_is(t));
  uint64_t a, b;
  if (tp_kind(tt, t) == TP_OP_ITE && tp_bv_value_u64(tt, tp_arg(tt, t, 1), &a) &&
      tp_bv_value_u64(tt, tp_arg(tt, t, 2), &b) && (a & 1) == 1 && (b & 1) == 0)
    return tp_arg(tt, t, 0);
  return tp_mk_eq(tt, tp_mk_extract(tt, 0, 0, t), tp_mk_bv(tt, 1, 1));
}

/* Decimal text of an integer wider than 64 bits: "i128 -5". */
static tp_u128 wide_int(LLVMValueRef c) {
  char *text = LLVMPrintValueToString(c);
  const char *s = strchr(text, ' ');
  tp_u128 value = 0;
  bool negative = false;
  if (s && strcmp(s, " true") == 0) value = 1;
  for (; s && *s; s++) {
    if (*s == '-') negative = true;
    if (*s >= '0' && *s <= '9') value = value * 10 + (unsigned)(*s - '0');
  }
  LLVMDisposeMessage(text);
  return negative ? ~value + 1 : value;
}

tp_u128 tp_fe_int(LLVMValueRef c) {
  TP_REQUIRE(LLVMIsAConstantInt(c));
  if (LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64) return wide_int(c);
  return LLVMConstIntGetZExtValue(c);
}

bool tp_fe_zero(tp_fe *fe, LLVMTypeRef type, tp_fe_value *out) {
  tp_terms *tt = fe->tt;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  *out = (tp_fe_value){0};
  if (kind == LLVMStructTypeKind) {
    unsigned n = LLVMCountStructElementTypes(type);
    tp_term *parts = tp_arena_array(&fe->scratch, tp_term, n ? n : 1);
    for (unsigned i = 0; i < n; i++) {
      tp_fe_value part;
      if (!tp_fe_zero(fe, LLVMStructGetTypeAtIndex(type, i), &part) || !tp_term_is(part.t))
        return false;
      parts[i] = part.t;
    }
    *out = (tp_fe_value){.parts = parts, .n_parts = n};
    return n > 0;
  }
  tp_sort s;
  if (!tp_fe_sort(fe, type, &s)) return false;
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: out->t = tp_mk_false(tt); return true;
    case TP_SORT_BV: out->t = tp_mk_bv(tt, tp_sort_width(tt, s), 0); return true;
    case TP_SORT_FP: out->t = tp_mk_fp(tt, tp_sort_width(tt, s), 0); return true;
    case TP_SORT_PTR: out->t = tp_mk_null(tt); return true;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return false;
}

// ------------------------------------------------------------------ addresses

static bool add_offset(tp_fe *fe, tp_term *sum, tp_fe_value *out, LLVMValueRef index, uint64_t size,
                       tp_fe_get get, void *ctx) {
  tp_fe_value v;
  if (!get(ctx, index, &v) || !tp_term_is(v.t)) return false;
  tp_terms *tt = fe->tt;
  tp_term wide =
      tp_sort_kind_of(tt, tp_sort_of(tt, v.t)) == TP_SORT_BOOL ? tp_fe_bool_bv(tt, 8, v.t) : v.t;
  wide = tp_mk_resize(tt, fe->ptr_bits, true, wide);
  *sum = tp_mk2(tt, TP_OP_BV_ADD, *sum,
                tp_mk2(tt, TP_OP_BV_MUL, wide, tp_mk_bv(tt, fe->ptr_bits, size)));
  out->mask |= v.mask;
  out->reads_global |= v.reads_global;
  return true;
}

/* What the pointer points at after stepping into member or element `index` of `from`. */
static tp_type step_into(tp_fe *fe, tp_type from, LLVMTypeRef llvm, uint64_t offset) {
  if (!from.id) return TP_TYPE_NONE;
  tp_fe_types_finish(fe);
  const tp_type_info *info = tp_type_of(fe->p, from);
  if (LLVMGetTypeKind(llvm) == LLVMStructTypeKind)
    return info->kind == TP_T_STRUCT || info->kind == TP_T_UNION ? tp_fe_member_at(fe, from, offset)
                                                                 : TP_TYPE_NONE;
  return info->kind == TP_T_ARRAY ? info->element : TP_TYPE_NONE;
}

bool tp_fe_gep(tp_fe *fe, LLVMValueRef gep, tp_fe_get get, void *ctx, tp_fe_value *out) {
  tp_fe_value base;
  if (!get(ctx, LLVMGetOperand(gep, 0), &base) || !tp_term_is(base.t)) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  *out =
      (tp_fe_value){.mask = base.mask, .reads_global = base.reads_global, .pointee = base.pointee};
  tp_term sum = tp_mk_bv(fe->tt, fe->ptr_bits, 0);
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i == 1) {
      uint64_t size = LLVMABISizeOfType(fe->layout, type);
      if (!add_offset(fe, &sum, out, index, size, get, ctx)) return false;
      bool zero = LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0;
      if (!zero && out->pointee.id) {
        // stepping over whole elements keeps the type, stepping over bytes loses it
        tp_fe_types_finish(fe);
        if (tp_type_of(fe->p, out->pointee)->size_bytes != size) out->pointee = TP_TYPE_NONE;
      }
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      uint64_t offset = LLVMOffsetOfElement(fe->layout, type, field);
      sum = tp_mk2(fe->tt, TP_OP_BV_ADD, sum, tp_mk_bv(fe->tt, fe->ptr_bits, offset));
      out->pointee = step_into(fe, out->pointee, type, offset);
      type = LLVMStructGetTypeAtIndex(type, field);
    } else {
      LLVMTypeRef element = LLVMGetElementType(type);
      out->pointee = step_into(fe, out->pointee, type, 0);
      if (!add_offset(fe, &sum, out, index, LLVMABISizeOfType(fe->layout, element), get, ctx))
        return false;
      type = element;
    }
  }
  out->t = tp_mk_ptr_add(fe->tt, base.t, sum);
  return true;
}

// ------------------------------------------------------------------ constants

static bool const_again(void *fe, LLVMValueRef c, tp_fe_value *out) {
  return tp_fe_const(fe, c, out);
}

static bool const_expr(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  tp_terms *tt = fe->tt;
  LLVMOpcode op = LLVMGetConstOpcode(c);
  if (op == LLVMGetElementPtr) return tp_fe_gep(fe, c, const_again, fe, out);
  tp_fe_value a, b = {0};
  if (!tp_fe_const(fe, LLVMGetOperand(c, 0), &a) || !tp_term_is(a.t)) return false;
  if (LLVMGetNumOperands(c) > 1 && (!tp_fe_const(fe, LLVMGetOperand(c, 1), &b) || !tp_term_is(b.t)))
    return false;
  uint32_t width = LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMIntegerTypeKind
                       ? LLVMGetIntTypeWidth(LLVMTypeOf(c))
                       : 0;
  switch ((int)op) {
    case LLVMPtrToInt:
      a.t = tp_mk_resize(tt, width, false, tp_mk1(tt, TP_OP_PTR_TO_INT, a.t));
      break;
    case LLVMIntToPtr:
      a.t = tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk_resize(tt, fe->ptr_bits, false, a.t));
      break;
    case LLVMTrunc: a.t = tp_mk_trunc(tt, width, a.t); break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast: break;
    case LLVMAdd: a.t = tp_mk2(tt, TP_OP_BV_ADD, a.t, b.t); break;
    case LLVMSub: a.t = tp_mk_sub(tt, a.t, b.t); break;
    case LLVMXor: a.t = tp_mk2(tt, TP_OP_BV_XOR, a.t, b.t); break;
    default: return false;
  }
  *out = a;
  return true;
}

static bool const_aggregate(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  LLVMTypeRef type = LLVMTypeOf(c);
  unsigned n = LLVMCountStructElementTypes(type);
  tp_term *parts = tp_arena_array(&fe->scratch, tp_term, n ? n : 1);
  for (unsigned i = 0; i < n; i++) {
    tp_fe_value part;
    if (!tp_fe_const(fe, LLVMGetAggregateElement(c, i), &part) || !tp_term_is(part.t)) return false;
    parts[i] = part.t;
  }
  *out = (tp_fe_value){.parts = parts, .n_parts = n};
  return n > 0;
}

static bool const_vector(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  LLVMTypeRef type = LLVMTypeOf(c);
  tp_terms *tt = fe->tt;
  tp_term all = TP_TERM_NONE;
  tp_sort whole;
  if (!tp_fe_sort(fe, type, &whole)) return false;
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    tp_fe_value lane;
    LLVMValueRef e = LLVMGetAggregateElement(c, i);
    if (LLVMIsUndef(e) ? !tp_fe_zero(fe, LLVMTypeOf(e), &lane) : !tp_fe_const(fe, e, &lane))
      return false;
    tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, lane.t));
    if (k == TP_SORT_FP) lane.t = tp_mk1(tt, TP_OP_FP_TO_BITS, lane.t);
    if (k == TP_SORT_BOOL) lane.t = tp_fe_bool_bv(tt, 1, lane.t);
    all = tp_term_is(all) ? tp_mk2(tt, TP_OP_BV_CONCAT, lane.t, all) : lane.t;
  }
  *out = (tp_fe_value){.t = all};
  return true;
}

static bool const_float(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  tp_sort s;
  if (!tp_fe_sort(fe, LLVMTypeOf(c), &s)) return false;
  uint32_t width = tp_sort_width(fe->tt, s);
  LLVMValueRef bits = LLVMConstBitCast(c, LLVMIntTypeInContext(fe->context, width));
  if (tp_fe_is_long_double(LLVMTypeOf(c))) {
    if (!LLVMIsAConstantInt(bits)) return false;
    out->t = tp_mk_bv(fe->tt, width, tp_fe_int(bits));
    return true;
  }
  out->t = tp_mk_fp(fe->tt, width, LLVMConstIntGetZExtValue(bits));
  return true;
}

/* The address of a global, or of a function. */
static bool const_address(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  if (LLVMGetLinkage(c) == LLVMExternalWeakLinkage) return false;  // null, or defined elsewhere
  if (LLVMIsAFunction(c)) {
    tp_func f = tp_fe_func(fe, c);
    tp_map_set(&fe->address_taken, (uint64_t)(uintptr_t)c, 1);
    out->t = tp_mk_ptr_const(fe->tt, tp_func_of(fe->p, f)->object, 0);
    return true;
  }
  const tp_global_storage *g = tp_fe_global(fe, c);
  // of an object of unknown size we know too little
  if (!g || !g->object ||
      (fe->p->statics.at[g->object].is_extern && fe->p->statics.at[g->object].size_bytes == 0))
    return false;
  out->t = tp_mk_ptr_const(fe->tt, g->object, 0);
  out->pointee = fe->p->statics.at[g->object].type;
  return true;
}

/* The address of a label: an object without bytes. */
tp_term tp_fe_label_address(tp_fe *fe, LLVMBasicBlockRef block) {
  TP_REQUIRE(block);
  uint64_t object, k = (uint64_t)(uintptr_t)block;
  if (!tp_map_get(&fe->labels, k, &object)) {
    tp_static s = {.name = tp_arena_strdup(&fe->p->arena, LLVMGetBasicBlockName(block)),
                   .kind = TP_O_LITERAL,
                   .align_bytes = 1,
                   .is_const = true};
    object = tp_program_add_static(fe->p, s);
    tp_map_set(&fe->labels, k, object);
  }
  return tp_mk_ptr_const(fe->tt, (uint32_t)object, 0);
}

bool tp_fe_const(tp_fe *fe, LLVMValueRef c, tp_fe_value *out) {
  TP_REQUIRE(LLVMIsConstant(c));
  *out = (tp_fe_value){0};
  while (LLVMIsAGlobalAlias(c)) c = LLVMAliasGetAliasee(c);
  if (LLVMIsAConstantInt(c)) {
    tp_sort s;
    if (!tp_fe_sort(fe, LLVMTypeOf(c), &s)) return false;
    uint32_t width = tp_sort_width(fe->tt, s);
    bool is_bool = tp_sort_kind_of(fe->tt, s) == TP_SORT_BOOL;
    out->t = is_bool ? tp_mk_bool(fe->tt, LLVMConstIntGetZExtValue(c) & 1)
                     : tp_mk_bv(fe->tt, width, tp_fe_int(c));
    return true;
  }
  if (LLVMIsAConstantFP(c)) return const_float(fe, c, out);
  if (LLVMIsAConstantPointerNull(c) || LLVMIsAConstantAggregateZero(c))
    return tp_fe_zero(fe, LLVMTypeOf(c), out);
  if (LLVMIsAFunction(c) || LLVMIsAGlobalVariable(c)) return const_address(fe, c, out);
  if (LLVMIsAConstantExpr(c)) return const_expr(fe, c, out);
  if (LLVMIsABlockAddress(c)) {
    out->t = tp_fe_label_address(fe, LLVMGetBlockAddressBasicBlock(c));
    return true;
  }
  if (LLVMIsAConstantStruct(c)) return const_aggregate(fe, c, out);
  if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMVectorTypeKind && !LLVMIsUndef(c))
    return const_vector(fe, c, out);
  return false;
}

/* Convert as a call through a mismatched prototype does: registers are cut or extended, pointers
 * and integers change clothes; between floats and integers nothing sensible can be said. */
tp_term tp_fe_convert(tp_fe *fe, tp_term t, tp_sort to) {
  TP_REQUIRE(tp_term_is(t));
  tp_terms *tt = fe->tt;
  tp_sort from = tp_sort_of(tt, t);
  if (tp_sort_eq(from, to)) return t;
  // a long double travels in a register of its own
  if (tp_sort_width(tt, from) == TP_X87_BITS || tp_sort_width(tt, to) == TP_X87_BITS)
    return TP_TERM_NONE;
  tp_sort_kind f = tp_sort_kind_of(tt, from), k = tp_sort_kind_of(tt, to);
  uint32_t width = tp_sort_width(tt, to);
  tp_term bits = TP_TERM_NONE;
  if (f == TP_SORT_BOOL) bits = tp_fe_bool_bv(tt, 32, t);
  if (f == TP_SORT_BV) bits = t;
  if (f == TP_SORT_PTR) bits = tp_mk1(tt, TP_OP_PTR_TO_INT, t);
  if (!tp_term_is(bits)) return TP_TERM_NONE;
  if (k == TP_SORT_BOOL) return tp_fe_to_bool(tt, bits);
  if (k == TP_SORT_BV) return tp_mk_resize(tt, width, false, bits);
  if (k == TP_SORT_PTR)
    return tp_mk1(tt, TP_OP_INT_TO_PTR, tp_mk_resize(tt, fe->ptr_bits, false, bits));
  return TP_TERM_NONE;
}

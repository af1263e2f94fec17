/* Terms as LLVM values, instruction by instruction of the interpreter's register code.
 *
 * Meaning: exec/eval_words.c and term/fold.c. Division by zero and long shifts have values, so
 * operands are made harmless first and the special values selected behind. Float results that are
 * NaN are computed again by the one definition of all kinds: the bits of the NaN depend on the
 * machine, and LLVM folds constants by rules of its own. Operations that LLVM would implement by
 * library calls, and rare ones, always use that definition. */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

#include <stdio.h>

enum { PRESERVE_MOST = 14 };  // LLVM's number of the convention

LLVMTypeRef tp_emit_type(const tp_emitter *e, tp_sort_kind kind, uint32_t width) {
  TP_REQUIRE(kind == TP_SORT_BOOL || (width >= 1 && width <= 128));
  return kind == TP_SORT_BOOL ? e->i1 : LLVMIntTypeInContext(e->c, width);
}

LLVMBasicBlockRef tp_emit_block(tp_emitter *e) {
  return LLVMAppendBasicBlockInContext(e->c, e->fn, "");
}
LLVMValueRef tp_emit_self(tp_emitter *e) {
  return LLVMConstIntToPtr(tp_emit_u64(e, (uint64_t)(uintptr_t)e->n), e->ptr);
}

// -------------------------------------------------------------- memory and calls

static void tag(tp_emitter *e, LLVMValueRef access, tp_native_alias alias) {
  LLVMSetMetadata(access, e->kind_tbaa, LLVMMetadataAsValue(e->c, e->tags[alias]));
  if (alias == TP_ALIAS_TABLE || alias == TP_ALIAS_GLOBALS || alias == TP_ALIAS_SHARED)
    LLVMSetMetadata(
        access, e->kind_scope,
        LLVMMetadataAsValue(e->c, alias == TP_ALIAS_TABLE ? e->scope : e->none_of_ours));
}

LLVMValueRef tp_emit_load(tp_emitter *e, LLVMTypeRef type, LLVMValueRef at, tp_native_alias alias) {
  LLVMValueRef v = LLVMBuildLoad2(e->b, type, at, "");
  LLVMSetAlignment(v, alias == TP_ALIAS_BYTES || alias == TP_ALIAS_UND || type == e->i8 ? 1 : 8);
  tag(e, v, alias);
  return v;
}

void tp_emit_store(tp_emitter *e, LLVMValueRef v, LLVMValueRef at, tp_native_alias alias) {
  LLVMValueRef s = LLVMBuildStore(e->b, v, at);
  LLVMSetAlignment(
      s, alias == TP_ALIAS_BYTES || alias == TP_ALIAS_UND || LLVMTypeOf(v) == e->i8 ? 1 : 8);
  tag(e, s, alias);
}

LLVMValueRef tp_emit_shared(tp_emitter *e, unsigned field) {
  LLVMValueRef i[] = {tp_emit_u64(e, field)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, e->rt, i, 1, "");
}

LLVMValueRef tp_emit_descriptor(tp_emitter *e, LLVMValueRef object) {
  if (LLVMIsAConstantInt(object)) {
    uint64_t id = LLVMConstIntGetZExtValue(object);
    LLVMValueRef i[] = {tp_emit_u64(e, id < TP_EXEC_NATIVE_OBJECTS ? id << 3 : 0)};
    return LLVMBuildInBoundsGEP2(e->b, e->i64, e->objects, i, 1, "");
  }
  return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(e->descriptor), e->descriptor, &object, 1, "");
}

LLVMValueRef tp_emit_field(tp_emitter *e, LLVMValueRef descriptor, unsigned field) {
  LLVMValueRef i[] = {tp_emit_u64(e, field)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, descriptor, i, 1, "");
}

/* A helper for the rare case, behind a function that keeps all registers: code around the call need
 * not have them elsewhere. */
static LLVMValueRef keeping(tp_emitter *e, const void *helper, LLVMTypeRef type, LLVMValueRef to,
                            unsigned n) {
  char name[32];
  snprintf(name, sizeof name, "rare%llx", (unsigned long long)(uintptr_t)helper);
  LLVMValueRef f = LLVMGetNamedFunction(e->m, name);
  if (f) return f;
  f = LLVMAddFunction(e->m, name, type);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(f, PRESERVE_MOST);
  tp_emit_attribute(e, f, e->attr_nounwind, 0);
  tp_emit_attribute(e, f, LLVMGetEnumAttributeKindForName("noinline", 8), 0);
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b),
                    body = LLVMAppendBasicBlockInContext(e->c, f, "");
  LLVMPositionBuilderAtEnd(e->b, body);
  LLVMValueRef args[8];
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetParam(f, i);
  LLVMBuildRet(e->b, LLVMBuildCall2(e->b, type, to, args, n, ""));
  LLVMPositionBuilderAtEnd(e->b, from);
  return f;
}

static bool is_rare(const void *helper) {
  const void *const rare[] = {(const void *)(uintptr_t)tp_native_load,
                              (const void *)(uintptr_t)tp_native_store,
                              (const void *)(uintptr_t)tp_native_flush};
  return helper == rare[0] || helper == rare[1] || helper == rare[2];
}

LLVMValueRef tp_emit_call(tp_emitter *e, const void *helper, LLVMTypeRef result,
                          tp_emit_effect effect, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[8];
  TP_INVARIANT(n <= 8);
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMValueRef to = LLVMConstIntToPtr(tp_emit_u64(e, (uint64_t)(uintptr_t)helper), e->ptr);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  if (is_rare(helper)) to = keeping(e, helper, type, to, n);
  LLVMValueRef call = LLVMBuildCall2(e->b, type, to, args, n, "");
  if (is_rare(helper)) LLVMSetInstructionCallConv(call, PRESERVE_MOST);
  static const int64_t memory[] = {
      0,   0x15, -1,
      0xc, 0x1,  -1};  // two bits (reads, writes) each for arguments, foreign memory, all other
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(e->c, e->attr_nounwind, 0));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(e->c, e->attr_willreturn, 0));
  if (memory[effect] >= 0)
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(e->c, e->attr_memory, (uint64_t)memory[effect]));
  LLVMSetMetadata(
      call, e->kind_noalias,
      LLVMMetadataAsValue(e->c, effect == TP_EFFECT_CONTENT ? e->own_or_table : e->none_of_ours));
  return call;
}

// --------------------------------------------------------------------- leaving

/* One block for each location, reason, and whether its visit was counted: functions have many more
 * tests than ways out. */
static LLVMBasicBlockRef way_out(tp_emitter *e, tp_native_left reason) {
  const uint32_t counted = e->counted.id && e->counted.id == e->here.id;
  LLVMBasicBlockRef *out =
      &e->exits[TP_EXITS_OF_LOCATION * e->here.id + 2 * (uint32_t)reason + counted];
  if (*out) return *out;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  *out = tp_emit_block(e);
  LLVMPositionBuilderAtEnd(e->b, *out);
  LLVMBuildStore(e->b, tp_emit_u32(e, e->here.id), e->left_loc);
  LLVMBuildStore(e->b, tp_emit_u32(e, 0), e->left_edge);
  tp_emit_store(e, tp_emit_u64(e, (uint64_t)reason), tp_emit_shared(e, TP_RT_REASON),
                TP_ALIAS_SHARED);
  if (e->visits)
    tp_emit_store(e, tp_emit_u64(e, counted), tp_emit_shared(e, TP_RT_COUNTED), TP_ALIAS_SHARED);
  LLVMBuildBr(e->b, e->leave_own);
  LLVMPositionBuilderAtEnd(e->b, from);
  return *out;
}

void tp_emit_leave(tp_emitter *e, tp_native_left reason) {
  LLVMBuildBr(e->b, way_out(e, reason));
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
}

void tp_emit_leave_if(tp_emitter *e, LLVMValueRef condition, tp_native_left reason) {
  if (LLVMIsAConstantInt(condition) && !LLVMConstIntGetZExtValue(condition)) return;
  LLVMBasicBlockRef out = way_out(e, reason), on = tp_emit_block(e);
  tp_emit_unlikely(e, LLVMBuildCondBr(e->b, condition, out, on));
  LLVMPositionBuilderAtEnd(e->b, on);
}

void tp_emit_unlikely(tp_emitter *e, LLVMValueRef branch) {
  LLVMSetMetadata(branch, e->kind_prof, LLVMMetadataAsValue(e->c, e->unlikely));
}

// ------------------------------------------------------------------- variables

LLVMValueRef tp_emit_word(tp_emitter *e, LLVMValueRef v) {
  unsigned w = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  return w > 64   ? LLVMBuildTrunc(e->b, v, e->i64, "")
         : w < 64 ? LLVMBuildZExt(e->b, v, e->i64, "")
                  : v;
}

static LLVMValueRef high_word(tp_emitter *e, LLVMValueRef v) {
  LLVMTypeRef wide = LLVMIntTypeInContext(e->c, 128);
  if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) return tp_emit_u64(e, 0);
  LLVMValueRef all = LLVMBuildZExtOrBitCast(e->b, v, wide, "");
  return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, all, LLVMConstInt(wide, 64, 0), ""), e->i64, "");
}

static LLVMValueRef of_word(tp_emitter *e, LLVMValueRef word, LLVMTypeRef type) {
  unsigned w = LLVMGetIntTypeWidth(type);
  return w > 64   ? LLVMBuildZExt(e->b, word, type, "")
         : w < 64 ? LLVMBuildTrunc(e->b, word, type, "")
                  : word;
}

static LLVMValueRef of_words(tp_emitter *e, LLVMValueRef lo, LLVMValueRef hi, LLVMTypeRef type) {
  if (LLVMGetIntTypeWidth(type) <= 64) return of_word(e, lo, type);
  LLVMValueRef up = LLVMBuildShl(e->b, of_word(e, hi, type), LLVMConstInt(type, 64, 0), "");
  return LLVMBuildOr(e->b, up, of_word(e, lo, type), "");
}

static LLVMValueRef global_at(tp_emitter *e, uint32_t slot, unsigned half) {
  LLVMValueRef i[] = {tp_emit_u64(e, 2 * (uint64_t)slot + half)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, e->globals, i, 1, "");
}

static LLVMValueRef global_mark_at(tp_emitter *e, uint32_t slot) {
  LLVMValueRef i[] = {tp_emit_u64(e, slot)};
  return LLVMBuildInBoundsGEP2(e->b, e->i8, e->global_marks, i, 1, "");
}

static void need_unmarked(tp_emitter *e, LLVMValueRef mark) {
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, mark, LLVMConstInt(e->i8, 0, 0), ""),
                   TP_LEFT_TO_INTERPRETER);
}

static tp_native_value read_variable(tp_emitter *e, const tp_instr *in) {
  LLVMTypeRef type = tp_emit_type(e, (tp_sort_kind)in->sort, in->width);
  bool is_ptr = in->sort == TP_SORT_PTR;
  uint32_t slot = (uint32_t)in->imm;
  if (in->op == TP_X_GLOBAL) {
    if (e->n->may_mark[slot])
      need_unmarked(e, tp_emit_load(e, e->i8, global_mark_at(e, slot), TP_ALIAS_GLOBALS));
    LLVMValueRef lo = tp_emit_load(e, e->i64, global_at(e, slot, 0), TP_ALIAS_GLOBALS);
    LLVMValueRef hi = is_ptr || in->width > 64
                          ? tp_emit_load(e, e->i64, global_at(e, slot, 1), TP_ALIAS_GLOBALS)
                          : NULL;
    return (tp_native_value){is_ptr || !hi ? of_word(e, lo, type) : of_words(e, lo, hi, type),
                             is_ptr ? hi : NULL};
  }
  const tp_native_local *l = &e->locals[slot];
  need_unmarked(e, LLVMBuildLoad2(e->b, e->i8, l->mark, ""));
  if (!e->is_large)
    LLVMBuildStore(e->b, LLVMConstInt(e->i8, TP_NATIVE_MARK_NONE, 0),
                   l->mark);  // what is known now
  return (tp_native_value){LLVMBuildLoad2(e->b, type, l->lo, ""),
                           is_ptr ? LLVMBuildLoad2(e->b, e->i64, l->object, "") : NULL};
}

void tp_emit_set(tp_emitter *e, uint32_t slot, bool is_global, tp_sort_kind kind, uint32_t width,
                 tp_native_value v, uint32_t mark) {
  if (is_global) {
    tp_emit_store(e, tp_emit_word(e, v.lo), global_at(e, slot, 0), TP_ALIAS_GLOBALS);
    if (kind == TP_SORT_PTR || width > 64)
      tp_emit_store(e, kind == TP_SORT_PTR ? v.object : high_word(e, v.lo), global_at(e, slot, 1),
                    TP_ALIAS_GLOBALS);
    if (e->n->may_mark[slot])
      tp_emit_store(e, LLVMConstInt(e->i8, mark, 0), global_mark_at(e, slot), TP_ALIAS_GLOBALS);
    return;
  }
  LLVMBuildStore(e->b, v.lo, e->locals[slot].lo);
  if (kind == TP_SORT_PTR) LLVMBuildStore(e->b, v.object, e->locals[slot].object);
  LLVMBuildStore(e->b, LLVMConstInt(e->i8, mark, 0), e->locals[slot].mark);
}

// ------------------------------------------------------------------ operations

/* By the one definition of all kinds. */
static LLVMValueRef by_helper(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  LLVMValueRef words = e->args,
               self = LLVMConstIntToPtr(tp_emit_u64(e, (uint64_t)(uintptr_t)in), e->ptr);
  for (uint32_t i = 0; i < in->n_args; i++) {
    LLVMValueRef lo[] = {tp_emit_u64(e, 2 * i)}, hi[] = {tp_emit_u64(e, 2 * i + 1)};
    LLVMBuildStore(e->b, tp_emit_word(e, v[i].lo),
                   LLVMBuildInBoundsGEP2(e->b, e->i64, words, lo, 1, ""));
    LLVMBuildStore(e->b, high_word(e, v[i].lo),
                   LLVMBuildInBoundsGEP2(e->b, e->i64, words, hi, 1, ""));
  }
  LLVMValueRef args[] = {self, words};
  LLVMValueRef r =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_apply, e->two, TP_EFFECT_ARGS, args, 2);
  return of_words(e, LLVMBuildExtractValue(e->b, r, 0, ""), LLVMBuildExtractValue(e->b, r, 1, ""),
                  tp_emit_type(e, (tp_sort_kind)in->sort, in->width));
}

static LLVMTypeRef float_type(const tp_emitter *e, uint32_t width) {
  return width == 32 ? LLVMFloatTypeInContext(e->c) : LLVMDoubleTypeInContext(e->c);
}
static LLVMValueRef as_float(tp_emitter *e, LLVMValueRef v) {
  return LLVMBuildBitCast(e->b, v, float_type(e, LLVMGetIntTypeWidth(LLVMTypeOf(v))), "");
}

/* r, unless it is not a number. */
static LLVMValueRef unless_nan(tp_emitter *e, const tp_instr *in, const tp_native_value *v,
                               LLVMValueRef r) {
  LLVMTypeRef type = LLVMIntTypeInContext(e->c, in->width);
  LLVMBasicBlockRef rare = tp_emit_block(e), on = tp_emit_block(e);
  LLVMValueRef plain = LLVMBuildBitCast(e->b, r, type, "");
  LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
  LLVMValueRef br = LLVMBuildCondBr(e->b, LLVMBuildFCmp(e->b, LLVMRealORD, r, r, ""), on, rare);
  (void)br;
  LLVMPositionBuilderAtEnd(e->b, rare);
  LLVMValueRef exact = by_helper(e, in, v);
  LLVMBasicBlockRef rare_end = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
  LLVMValueRef phi = LLVMBuildPhi(e->b, type, "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){plain, exact}, (LLVMBasicBlockRef[]){from, rare_end}, 2);
  return phi;
}

static LLVMValueRef division(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  if (in->width > 64) return by_helper(e, in, v);
  LLVMValueRef a = v[0].lo, b = v[1].lo;
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMValueRef zero = LLVMConstInt(t, 0, 0), one = LLVMConstInt(t, 1, 0), all = LLVMConstAllOnes(t);
  LLVMValueRef by_zero = LLVMBuildICmp(e->b, LLVMIntEQ, b, zero, "");
  if (in->op == TP_OP_BV_UDIV || in->op == TP_OP_BV_UREM) {
    LLVMValueRef d = LLVMBuildSelect(e->b, by_zero, one, b, "");
    if (in->op == TP_OP_BV_UDIV)
      return LLVMBuildSelect(e->b, by_zero, all, LLVMBuildUDiv(e->b, a, d, ""), "");
    return LLVMBuildSelect(e->b, by_zero, a, LLVMBuildURem(e->b, a, d, ""), "");
  }
  LLVMValueRef by_minus = LLVMBuildICmp(e->b, LLVMIntEQ, b, all, "");
  LLVMValueRef d = LLVMBuildSelect(e->b, LLVMBuildOr(e->b, by_zero, by_minus, ""),
                                   in->width == 1 ? all : one, b, "");
  if (in->width == 1) return by_helper(e, in, v);
  if (in->op == TP_OP_BV_SREM) {
    LLVMValueRef r = LLVMBuildSelect(e->b, by_minus, zero, LLVMBuildSRem(e->b, a, d, ""), "");
    return LLVMBuildSelect(e->b, by_zero, a, r, "");
  }
  LLVMValueRef negative = LLVMBuildICmp(e->b, LLVMIntSLT, a, zero, "");
  LLVMValueRef q =
      LLVMBuildSelect(e->b, by_minus, LLVMBuildNeg(e->b, a, ""), LLVMBuildSDiv(e->b, a, d, ""), "");
  return LLVMBuildSelect(e->b, by_zero, LLVMBuildSelect(e->b, negative, one, all, ""), q, "");
}

static LLVMValueRef shift(tp_emitter *e, const tp_instr *in, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef t = LLVMTypeOf(a);
  LLVMValueRef near = LLVMBuildICmp(e->b, LLVMIntULT, b, LLVMConstInt(t, in->width, 0), "");
  LLVMValueRef by = LLVMBuildSelect(
      e->b, near, b, LLVMConstInt(t, in->op == TP_OP_BV_ASHR ? in->width - 1 : 0, 0), "");
  if (in->op == TP_OP_BV_ASHR) return LLVMBuildAShr(e->b, a, by, "");
  LLVMValueRef r =
      in->op == TP_OP_BV_SHL ? LLVMBuildShl(e->b, a, by, "") : LLVMBuildLShr(e->b, a, by, "");
  return LLVMBuildSelect(e->b, near, r, LLVMConstInt(t, 0, 0), "");
}

static LLVMValueRef equal(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, v[0].lo, v[1].lo, "");
  if (in->arg_sort == TP_SORT_PTR)
    return LLVMBuildAnd(e->b, same, LLVMBuildICmp(e->b, LLVMIntEQ, v[0].object, v[1].object, ""),
                        "");
  if (in->arg_sort != TP_SORT_FP) return same;
  LLVMValueRef a = as_float(e, v[0].lo), b = as_float(e, v[1].lo);
  LLVMValueRef nans = LLVMBuildAnd(e->b, LLVMBuildFCmp(e->b, LLVMRealUNO, a, a, ""),
                                   LLVMBuildFCmp(e->b, LLVMRealUNO, b, b, ""), "");
  return LLVMBuildOr(e->b, same, nans, "");
}

static LLVMValueRef floating(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  LLVMValueRef a = in->arg_sort == TP_SORT_FP ? as_float(e, v[0].lo) : NULL;
  LLVMValueRef b = in->n_args > 1 ? as_float(e, v[1].lo) : NULL;
  LLVMTypeRef bits = tp_emit_type(e, TP_SORT_BV, in->width);
  LLVMValueRef sign =
      in->sort == TP_SORT_FP ? LLVMConstInt(bits, (uint64_t)1 << (in->width - 1), 0) : NULL;
  switch (in->op) {
    case TP_OP_FP_ADD: return unless_nan(e, in, v, LLVMBuildFAdd(e->b, a, b, ""));
    case TP_OP_FP_SUB: return unless_nan(e, in, v, LLVMBuildFSub(e->b, a, b, ""));
    case TP_OP_FP_MUL: return unless_nan(e, in, v, LLVMBuildFMul(e->b, a, b, ""));
    case TP_OP_FP_DIV: return unless_nan(e, in, v, LLVMBuildFDiv(e->b, a, b, ""));
    case TP_OP_FP_NEG: return LLVMBuildXor(e->b, v[0].lo, sign, "");
    case TP_OP_FP_ABS: return LLVMBuildAnd(e->b, v[0].lo, LLVMBuildNot(e->b, sign, ""), "");
    case TP_OP_FP_EQ: return LLVMBuildFCmp(e->b, LLVMRealOEQ, a, b, "");
    case TP_OP_FP_LT: return LLVMBuildFCmp(e->b, LLVMRealOLT, a, b, "");
    case TP_OP_FP_LE: return LLVMBuildFCmp(e->b, LLVMRealOLE, a, b, "");
    case TP_OP_FP_IS_NAN: return LLVMBuildFCmp(e->b, LLVMRealUNO, a, a, "");
    case TP_OP_FP_OF_FP:
      if (in->width == in->arg_width) return v[0].lo;
      return unless_nan(e, in, v,
                        in->width == 32 ? LLVMBuildFPTrunc(e->b, a, float_type(e, 32), "")
                                        : LLVMBuildFPExt(e->b, a, float_type(e, 64), ""));
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV: {
      if (in->arg_width > 64) return by_helper(e, in, v);
      LLVMTypeRef to = float_type(e, in->width);
      LLVMValueRef r = in->op == TP_OP_FP_OF_SBV ? LLVMBuildSIToFP(e->b, v[0].lo, to, "")
                                                 : LLVMBuildUIToFP(e->b, v[0].lo, to, "");
      return LLVMBuildBitCast(e->b, r, bits, "");
    }
    default: return by_helper(e, in, v);
  }
}

static LLVMValueRef resized(tp_emitter *e, const tp_instr *in, LLVMValueRef a) {
  LLVMTypeRef t = LLVMIntTypeInContext(e->c, in->width);
  if (in->width == in->arg_width) return a;
  return in->op == TP_OP_BV_SEXT ? LLVMBuildSExt(e->b, a, t, "") : LLVMBuildZExt(e->b, a, t, "");
}

static LLVMValueRef extracted(tp_emitter *e, const tp_instr *in, LLVMValueRef a) {
  LLVMValueRef v = in->lo ? LLVMBuildLShr(e->b, a, LLVMConstInt(LLVMTypeOf(a), in->lo, 0), "") : a;
  return in->width == in->arg_width
             ? v
             : LLVMBuildTrunc(e->b, v, LLVMIntTypeInContext(e->c, in->width), "");
}

static LLVMValueRef concatenated(tp_emitter *e, const tp_instr *in, LLVMValueRef a,
                                 LLVMValueRef b) {
  LLVMTypeRef t = LLVMIntTypeInContext(e->c, in->width);
  LLVMValueRef up = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, a, t, ""),
                                 LLVMConstInt(t, in->width - in->arg_width, 0), "");
  return LLVMBuildOr(e->b, up, LLVMBuildZExt(e->b, b, t, ""), "");
}

// ------------------------------------------------------------- ghosts and pointers

/* Fields of objects that the table does not describe are left to the interpreter. */
static LLVMValueRef field_of(tp_emitter *e, const tp_instr *in, LLVMValueRef object,
                             unsigned field) {
  tp_emit_leave_if(
      e, LLVMBuildICmp(e->b, LLVMIntUGE, object, tp_emit_u64(e, TP_EXEC_NATIVE_OBJECTS), ""),
      TP_LEFT_TO_INTERPRETER);
  LLVMValueRef v = tp_emit_load(e, e->i64, tp_emit_field(e, tp_emit_descriptor(e, object), field),
                                TP_ALIAS_TABLE);
  return of_word(e, v, tp_emit_type(e, (tp_sort_kind)in->sort, in->width));
}

static LLVMValueRef pointer_to_int(tp_emitter *e, const tp_instr *in, tp_native_value p) {
  if (in->keeps_origin)
    tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, p.object, tp_emit_u64(e, 0), ""),
                     TP_LEFT_TO_INTERPRETER);
  if (in->keeps_origin) return p.lo;
  return LLVMBuildAdd(e->b, p.lo, field_of(e, in, p.object, TP_OBJECT_BASE), "");
}

static tp_native_value constant(tp_emitter *e, const tp_instr *in) {
  LLVMTypeRef t = tp_emit_type(e, (tp_sort_kind)in->sort, in->width);
  if (in->sort == TP_SORT_PTR)
    return (tp_native_value){LLVMConstInt(t, in->imm, 0), tp_emit_u64(e, in->hi)};
  uint64_t words[] = {in->imm, in->hi};
  return (tp_native_value){LLVMConstIntOfArbitraryPrecision(t, in->width > 64 ? 2 : 1, words),
                           NULL};
}

/* Kinds whose result is a plain integer. NULL: not one of them. */
static LLVMValueRef integer(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  LLVMValueRef a = v[0].lo, b = v[1].lo;
  switch (in->op) {
    case TP_OP_NOT:
    case TP_OP_BV_NOT: return LLVMBuildNot(e->b, a, "");
    case TP_OP_AND:
    case TP_OP_BV_AND: return LLVMBuildAnd(e->b, a, b, "");
    case TP_OP_OR:
    case TP_OP_BV_OR: return LLVMBuildOr(e->b, a, b, "");
    case TP_OP_XOR:
    case TP_OP_BV_XOR: return LLVMBuildXor(e->b, a, b, "");
    case TP_OP_BV_ADD: return LLVMBuildAdd(e->b, a, b, "");
    case TP_OP_BV_MUL: return LLVMBuildMul(e->b, a, b, "");
    case TP_OP_BV_NEG: return LLVMBuildNeg(e->b, a, "");
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM: return division(e, in, v);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift(e, in, a, b);
    case TP_OP_BV_ULT: return LLVMBuildICmp(e->b, LLVMIntULT, a, b, "");
    case TP_OP_BV_ULE: return LLVMBuildICmp(e->b, LLVMIntULE, a, b, "");
    case TP_OP_BV_SLT: return LLVMBuildICmp(e->b, LLVMIntSLT, a, b, "");
    case TP_OP_BV_SLE: return LLVMBuildICmp(e->b, LLVMIntSLE, a, b, "");
    case TP_OP_BV_CONCAT: return concatenated(e, in, a, b);
    case TP_OP_BV_EXTRACT: return extracted(e, in, a);
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return resized(e, in, a);
    case TP_OP_FP_OF_BITS:
    case TP_OP_FP_TO_BITS: return a;
    case TP_OP_EQ: return equal(e, in, v);
    default: return NULL;
  }
}

static tp_native_value instruction(tp_emitter *e, const tp_instr *in, const tp_native_value *v) {
  switch (in->op) {
    case TP_X_CONST: return constant(e, in);
    case TP_X_LOCAL:
    case TP_X_GLOBAL: return read_variable(e, in);
    case TP_X_SIZE:
      return (tp_native_value){field_of(e, in, tp_emit_word(e, v[0].lo), TP_OBJECT_SIZE), NULL};
    case TP_X_LIVE:
      return (tp_native_value){field_of(e, in, tp_emit_word(e, v[0].lo), TP_OBJECT_LIVE), NULL};
    case TP_X_KIND:
      return (tp_native_value){field_of(e, in, tp_emit_word(e, v[0].lo), TP_OBJECT_KIND), NULL};
    case TP_X_HEAP: {
      LLVMValueRef h = LLVMBuildLoad2(e->b, e->i64, tp_emit_shared(e, TP_RT_N_HEAP), "");
      return (tp_native_value){of_word(e, h, tp_emit_type(e, (tp_sort_kind)in->sort, in->width)),
                               NULL};
    }
    case TP_OP_ITE:
      return (tp_native_value){
          LLVMBuildSelect(e->b, v[0].lo, v[1].lo, v[2].lo, ""),
          v[1].object ? LLVMBuildSelect(e->b, v[0].lo, v[1].object, v[2].object, "") : NULL};
    case TP_OP_PTR_MK: return (tp_native_value){v[1].lo, tp_emit_word(e, v[0].lo)};
    case TP_OP_PTR_OBJ:
      return (tp_native_value){of_word(e, v[0].object, tp_emit_type(e, TP_SORT_BV, in->width)),
                               NULL};
    case TP_OP_PTR_OFF: return (tp_native_value){v[0].lo, NULL};
    case TP_OP_PTR_ADD:
      return (tp_native_value){LLVMBuildAdd(e->b, v[0].lo, v[1].lo, ""), v[0].object};
    case TP_OP_PTR_TO_INT: return (tp_native_value){pointer_to_int(e, in, v[0]), NULL};
    case TP_OP_INT_TO_PTR: return (tp_native_value){v[0].lo, tp_emit_u64(e, 0)};
    default: break;
  }
  LLVMValueRef r = integer(e, in, v);
  return (tp_native_value){r ? r : floating(e, in, v), NULL};
}

bool tp_emit_term(tp_emitter *e, const tp_snippet *sn, tp_native_value *out) {
  bool can = sn->evaluator != TP_BY_TERMS;
  for (uint32_t i = 0; i < sn->n && can; i++) can = sn->at[i].op != TP_X_LEAKED;
  if (!can) {
    tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
    return false;
  }
  tp_native_value *r = TP_NEW_ARRAY(tp_native_value, sn->n);
  for (uint32_t i = 0; i < sn->n; i++) {
    const tp_instr *in = &sn->at[i];
    bool ghost = in->op == TP_X_SIZE || in->op == TP_X_LIVE || in->op == TP_X_KIND;
    tp_native_value v[3] = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    if (in->n_args > 0 || ghost) v[0] = r[in->a];
    if (in->n_args > 1) v[1] = r[in->b];
    if (in->n_args > 2) v[2] = r[in->c];
    r[i] = instruction(e, in, v);
  }
  *out = r[sn->n - 1];
  tp_free(r);
  return true;
}

/* Memory, objects and inputs.
 *
 * A word is read or written in one access where the table says that the object is plain: other
 * accesses (shadows of indeterminate bits, origins) call helpers, which perform the whole operation
 * or none of it; in the second case the code is left. */
#include "exec/native/emit.h"

static LLVMValueRef offset64(tp_emitter *e, LLVMValueRef off) { return tp_emit_word(e, off); }

/* Is offset + bytes at most the field's value? */
static LLVMValueRef fits(tp_emitter *e, LLVMValueRef descriptor, LLVMValueRef offset,
                         unsigned field, uint32_t bytes) {
  LLVMValueRef size = tp_emit_load(e, e->i64, tp_emit_field(e, descriptor, field), TP_ALIAS_TABLE),
               less = tp_emit_u64(e, bytes - 1);
  if (bytes > 1) {
    LLVMValueRef small = LLVMBuildICmp(e->b, LLVMIntULT, size, less, "");
    size = LLVMBuildSelect(e->b, small, tp_emit_u64(e, 0), LLVMBuildSub(e->b, size, less, ""), "");
  }
  return LLVMBuildICmp(e->b, LLVMIntULT, offset, size, "");
}

static LLVMValueRef byte_at(tp_emitter *e, LLVMValueRef descriptor, unsigned field,
                            LLVMValueRef offset) {
  LLVMValueRef base = tp_emit_load(e, e->ptr, tp_emit_field(e, descriptor, field), TP_ALIAS_TABLE),
               i[] = {offset};
  return LLVMBuildGEP2(e->b, e->i8, base, i, 1, "");
}

/* On if the condition holds, else to `no`. */
static void need_or(tp_emitter *e, LLVMValueRef c, LLVMBasicBlockRef no) {
  LLVMBasicBlockRef on = tp_emit_block(e);
  tp_emit_unlikely(e, LLVMBuildCondBr(e->b, LLVMBuildNot(e->b, c, ""), no, on));
  LLVMPositionBuilderAtEnd(e->b, on);
}

/* Bytes with shadows for which the general way is not needed: indeterminate bits may be elsewhere
 * in the object. Address of the shadows. */
static LLVMValueRef need_shadow(tp_emitter *e, LLVMValueRef descriptor, LLVMValueRef offset,
                                uint32_t bytes, LLVMBasicBlockRef slow) {
  LLVMValueRef und =
      tp_emit_load(e, e->ptr, tp_emit_field(e, descriptor, TP_OBJECT_UND), TP_ALIAS_TABLE);
  need_or(e, LLVMBuildICmp(e->b, LLVMIntNE, und, LLVMConstNull(e->ptr), ""), slow);
  need_or(e, fits(e, descriptor, offset, TP_OBJECT_SIZE, bytes), slow);
  return byte_at(e, descriptor, TP_OBJECT_UND, offset);
}

static bool is_quick(tp_layout l) {
  return l.bytes == 1 || l.bytes == 2 || l.bytes == 4 || l.bytes == 8;
}

/* A plain static: only the bound is looked at. False: it is not known to be one. */
static bool at_static(tp_emitter *e, LLVMValueRef object, LLVMValueRef offset, tp_layout l,
                      tp_native_use use, LLVMValueRef *at) {
  uint64_t size;
  if (!is_quick(l) || !tp_emit_assume_static(e, object, use, &size)) return false;
  LLVMValueRef past =
      size < l.bytes ? LLVMConstInt(e->i1, 1, 0)
                     : LLVMBuildICmp(e->b, LLVMIntUGT, offset, tp_emit_u64(e, size - l.bytes), "");
  tp_emit_leave_if(e, past, TP_LEFT_TO_INTERPRETER);
  *at = byte_at(e, tp_emit_descriptor(e, object), TP_OBJECT_BYTES, offset);
  return true;
}

/* One access; else by the helper, which leaves the code if there is a shadow. */
static LLVMValueRef load_number(tp_emitter *e, uint32_t edge, tp_native_value a, tp_layout l) {
  LLVMTypeRef in_memory = LLVMIntTypeInContext(e->c, l.bytes * 8),
              type = tp_emit_type(e, l.kind, l.width_bits);
  LLVMValueRef off = offset64(e, a.lo), quick = NULL, at;
  if (at_static(e, a.object, off, l, TP_USE_READ, &at)) {
    quick = tp_emit_load(e, in_memory, at, TP_ALIAS_BYTES);
    return l.width_bits < l.bytes * 8 ? LLVMBuildTrunc(e->b, quick, type, "") : quick;
  }
  LLVMBasicBlockRef slow = tp_emit_block(e), on = tp_emit_block(e), quick_end = NULL;
  if (is_quick(l)) {
    LLVMValueRef d = tp_emit_descriptor(e, a.object);
    LLVMBasicBlockRef odd = tp_emit_block(e), plain = tp_emit_block(e);
    need_or(e, fits(e, d, off, TP_OBJECT_PLAIN_R, l.bytes), odd);
    LLVMBuildBr(e->b, plain);
    LLVMPositionBuilderAtEnd(e->b, odd);
    LLVMValueRef und =
        tp_emit_load(e, in_memory, need_shadow(e, d, off, l.bytes, slow), TP_ALIAS_UND);
    need_or(e, LLVMBuildICmp(e->b, LLVMIntEQ, und, LLVMConstNull(in_memory), ""), slow);
    LLVMBuildBr(e->b, plain);
    LLVMPositionBuilderAtEnd(e->b, plain);
    quick = tp_emit_load(e, in_memory, byte_at(e, d, TP_OBJECT_BYTES, off), TP_ALIAS_BYTES);
    if (l.width_bits < l.bytes * 8) quick = LLVMBuildTrunc(e->b, quick, type, "");
    quick_end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, on);
  } else {
    LLVMBuildBr(e->b, slow);
  }
  LLVMPositionBuilderAtEnd(e->b, slow);
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), a.object, off};
  LLVMValueRef r =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_load, e->two, TP_EFFECT_READ, args, 4);
  tp_emit_leave_if(
      e,
      LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildExtractValue(e->b, r, 1, ""), tp_emit_u64(e, 0), ""),
      TP_LEFT_TO_INTERPRETER);
  LLVMValueRef v = LLVMBuildExtractValue(e->b, r, 0, "");
  if (l.width_bits < 64) v = LLVMBuildTrunc(e->b, v, type, "");
  LLVMBasicBlockRef slow_end = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
  LLVMValueRef phi = LLVMBuildPhi(e->b, type, "");
  LLVMAddIncoming(phi, &v, &slow_end, 1);
  if (quick) LLVMAddIncoming(phi, &quick, &quick_end, 1);
  return phi;
}

bool tp_emit_memory_load(tp_emitter *e, uint32_t edge, const tp_op *op, tp_native_value *out) {
  TP_REQUIRE(e->p->edges.at[edge].kind == TP_E_LOAD);
  tp_native_value a;
  if (!tp_emit_term(e, &op->a, &a)) return false;
  if (op->layout.kind != TP_SORT_PTR) {
    if (op->layout.bytes > 8 || !tp_emit_has_value(op->layout)) {
      tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
      return false;
    }
    a.object = tp_emit_single_object(e, e->p->edges.at[edge].a, a.object);
    *out = (tp_native_value){load_number(e, edge, a, op->layout), NULL};
    return true;
  }
  LLVMValueRef args[] = {tp_emit_self(e), a.object, offset64(e, a.lo)};
  LLVMValueRef r =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_load_ptr, e->two, TP_EFFECT_READ, args, 3);
  LLVMValueRef object = LLVMBuildExtractValue(e->b, r, 1, ""),
               off = LLVMBuildExtractValue(e->b, r, 0, "");
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, object, tp_emit_u64(e, 0), ""),
                   TP_LEFT_TO_INTERPRETER);
  *out = (tp_native_value){e->p->ptr_bits < 64 ? LLVMBuildTrunc(e->b, off, e->off, "") : off,
                           LLVMBuildSub(e->b, object, tp_emit_u64(e, 1), "")};
  return true;
}

static void need(tp_emitter *e, LLVMValueRef answer) {
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, answer, LLVMConstNull(LLVMTypeOf(answer)), ""),
                   TP_LEFT_TO_INTERPRETER);
}

static void store_number(tp_emitter *e, tp_native_value a, LLVMValueRef v, tp_layout l) {
  LLVMTypeRef in_memory = LLVMIntTypeInContext(e->c, l.bytes * 8);
  LLVMValueRef off = offset64(e, a.lo), at;
  LLVMValueRef wide =
      is_quick(l) && l.width_bits < l.bytes * 8 ? LLVMBuildZExt(e->b, v, in_memory, "") : v;
  if (at_static(e, a.object, off, l, TP_USE_WRITE, &at)) {
    tp_emit_store(e, wide, at, TP_ALIAS_BYTES);
    return;
  }
  LLVMBasicBlockRef slow = tp_emit_block(e), on = tp_emit_block(e);
  if (is_quick(l)) {
    LLVMValueRef d = tp_emit_descriptor(e, a.object);
    LLVMBasicBlockRef odd = tp_emit_block(e), plain = tp_emit_block(e);
    need_or(e, fits(e, d, off, TP_OBJECT_PLAIN_W, l.bytes), odd);
    LLVMBuildBr(e->b, plain);
    LLVMPositionBuilderAtEnd(e->b, odd);
    tp_emit_store(e, LLVMConstNull(in_memory), need_shadow(e, d, off, l.bytes, slow), TP_ALIAS_UND);
    LLVMBuildBr(e->b, plain);
    LLVMPositionBuilderAtEnd(e->b, plain);
    tp_emit_store(e, wide, byte_at(e, d, TP_OBJECT_BYTES, off), TP_ALIAS_BYTES);
    LLVMBuildBr(e->b, on);
  } else {
    LLVMBuildBr(e->b, slow);
  }
  LLVMPositionBuilderAtEnd(e->b, slow);
  LLVMValueRef args[] = {tp_emit_self(e), a.object, off, tp_emit_u32(e, l.bytes),
                         tp_emit_word(e, v)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_store, e->i32, TP_EFFECT_CONTENT, args,
                       5));
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
}

bool tp_emit_memory_store(tp_emitter *e, const tp_op *op, const tp_edge_info *info) {
  TP_REQUIRE(info->kind == TP_E_STORE);
  tp_native_value a, v;
  if (!tp_emit_term(e, &op->a, &a) || !tp_emit_term(e, &op->b, &v)) return false;
  if (op->layout.kind == TP_SORT_PTR) {
    LLVMValueRef args[] = {tp_emit_self(e), a.object, offset64(e, a.lo), v.object,
                           offset64(e, v.lo)};
    need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_store_ptr, e->i32, TP_EFFECT_ALL,
                         args, 5));
  } else if (op->layout.bytes <= 8 && tp_emit_has_value(op->layout)) {
    a.object = tp_emit_single_object(e, info->a, a.object);
    store_number(e, a, v.lo, op->layout);
  } else {
    tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
    return false;
  }
  return true;
}

static bool is_word(const tp_snippet *sn) { return sn->evaluator == TP_BY_WORDS; }

bool tp_emit_memory_block(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  if (info->kind == TP_E_HAVOC_MEMORY && !tp_term_is(info->c)) return true;
  tp_native_value to, from = {tp_emit_u64(e, 0), tp_emit_u64(e, 0)}, n;
  bool asks = info->kind == TP_E_HAVOC_MEMORY;  // a helper that asks and fails would ask twice
  if (asks || !is_word(&op->c)) return tp_emit_leave(e, TP_LEFT_TO_INTERPRETER), false;
  if (!tp_emit_term(e, &op->a, &to) || !tp_emit_term(e, &op->c, &n)) return false;
  if (tp_term_is(info->b) && !tp_emit_term(e, &op->b, &from)) return false;
  LLVMValueRef args[] = {tp_emit_self(e),
                         tp_emit_u32(e, edge),
                         to.object,
                         offset64(e, to.lo),
                         from.object ? from.object : tp_emit_u64(e, 0),
                         offset64(e, from.lo),
                         tp_emit_word(e, n.lo)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_write_block, e->i32, TP_EFFECT_ALL,
                       args, 7));
  return true;
}

// ------------------------------------------------------------- inputs, objects

void tp_emit_set_var(tp_emitter *e, const tp_op *op, tp_native_value v, uint32_t mark) {
  tp_emit_set(e, op->slot, op->var_is_global, op->layout.kind, op->layout.width_bits, v, mark);
}

static bool use_arguments(tp_emitter *e, const tp_op *op, const tp_edge_info *info) {
  for (uint32_t i = 0; i < info->n_args; i++) {
    tp_native_value v;
    if (!tp_emit_term(e, &op->args[i], &v)) return false;
  }
  return true;
}

bool tp_emit_havoc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info,
                   tp_input_kind kind) {
  if (!use_arguments(e, op, info)) return false;
  if (!info->var.id) return true;
  if (!tp_emit_has_value(op->layout) || op->layout.width_bits > 64)
    return tp_emit_leave(e, TP_LEFT_TO_INTERPRETER), false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), tp_emit_u32(e, (uint32_t)kind)};
  LLVMValueRef r = tp_emit_call(e, (const void *)(uintptr_t)tp_native_read_input, e->two,
                                TP_EFFECT_OUTSIDE, args, 3);
  tp_emit_leave_if(
      e,
      LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildExtractValue(e->b, r, 1, ""), tp_emit_u64(e, 0), ""),
      TP_LEFT_NO_INPUT);
  LLVMValueRef v = LLVMBuildExtractValue(e->b, r, 0, "");
  if (op->layout.width_bits < 64)
    v = LLVMBuildTrunc(e->b, v, tp_emit_type(e, op->layout.kind, op->layout.width_bits), "");
  bool is_ptr = op->layout.kind == TP_SORT_PTR;
  tp_emit_set_var(e, op, (tp_native_value){v, is_ptr ? tp_emit_u64(e, 0) : NULL},
                  kind == TP_I_INDETERMINATE ? TP_NATIVE_MARK_ALL : TP_NATIVE_MARK_NONE);
  return true;
}

bool tp_emit_alloc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  TP_REQUIRE(info->kind == TP_E_ALLOC && edge);
  tp_native_value size, fill = {tp_emit_u64(e, 0), NULL};
  if (!is_word(&op->a) || (tp_term_is(info->b) && !is_word(&op->b)))
    return tp_emit_leave(e, TP_LEFT_TO_INTERPRETER), false;
  if (!tp_emit_term(e, &op->a, &size) || (tp_term_is(info->b) && !tp_emit_term(e, &op->b, &fill)))
    return false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), tp_emit_word(e, size.lo),
                         tp_emit_word(e, fill.lo)};
  LLVMValueRef id =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_alloc, e->i64, TP_EFFECT_ALL, args, 4);
  need(e, id);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, id, LLVMConstAllOnes(e->i64), ""),
                   TP_LEFT_NO_INPUT);
  tp_emit_set_var(e, op, (tp_native_value){LLVMConstNull(e->off), id}, TP_NATIVE_MARK_NONE);
  return true;
}

bool tp_emit_end_object(tp_emitter *e, uint32_t edge, const tp_op *op) {
  tp_native_value a;
  if (!tp_emit_term(e, &op->a, &a)) return false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), a.object, offset64(e, a.lo)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_end_object, e->i32, TP_EFFECT_ALL,
                       args, 4));
  return true;
}

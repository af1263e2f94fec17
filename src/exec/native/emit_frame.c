/* Locals: in registers, and in the frames that the machine and the code share.
 *
 * A frame that is entered holds words and marks of all its slots. The marks at the head of an
 * outermost loop are mostly computed beforehand (emit_marks.c): a plain function is entered only
 * where the marks are the computed ones, and then tests no marks. */
#include "exec/native/emit.h"

LLVMValueRef tp_emit_zero_slot(tp_emitter *e, LLVMTypeRef t) {
  LLVMValueRef a = LLVMBuildAlloca(e->b, t, "");
  LLVMBuildStore(e->b, LLVMConstNull(t), a);
  return a;
}

LLVMValueRef tp_emit_frame_in(tp_emitter *e, LLVMValueRef depth, unsigned field) {
  LLVMValueRef in = tp_emit_load(e, e->ptr, tp_emit_shared(e, TP_RT_IN), TP_ALIAS_SHARED);
  LLVMValueRef i[] = {LLVMBuildAdd(
      e->b, LLVMBuildMul(e->b, LLVMBuildZExt(e->b, depth, e->i64, ""), tp_emit_u64(e, 4), ""),
      tp_emit_u64(e, field), "")};
  return LLVMBuildLoad2(e->b, e->i64, LLVMBuildGEP2(e->b, e->i64, in, i, 1, ""), "");
}

static LLVMValueRef word_at(tp_emitter *e, LLVMValueRef words, uint64_t i) {
  LLVMValueRef at[] = {tp_emit_u64(e, i)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, words, at, 1, "");
}

static LLVMValueRef mark_at(tp_emitter *e, LLVMValueRef marks, uint64_t i) {
  LLVMValueRef at[] = {tp_emit_u64(e, i)};
  return LLVMBuildInBoundsGEP2(e->b, e->i8, marks, at, 1, "");
}

void tp_emit_locals(tp_emitter *e, tp_slot_list list) {
  for (size_t i = 0; i < list.n; i++) {
    tp_layout l = tp_emit_layout(e, list.var[i]);
    if (!tp_emit_has_value(l)) continue;
    e->locals[i].lo = tp_emit_zero_slot(e, tp_emit_type(e, l.kind, l.width_bits));
    if (l.kind == TP_SORT_PTR) e->locals[i].object = tp_emit_zero_slot(e, e->i64);
    e->locals[i].mark = tp_emit_zero_slot(e, e->i8);
  }
}

// --------------------------------------------------------------------- entering

static void take_parameters(tp_emitter *e) {
  const tp_func_info *info = tp_func_of(e->p, e->func);
  unsigned n = TP_N_PARAMS;
  for (uint32_t i = 0; i < info->n_params; i++) {
    const tp_native_local *l = &e->locals[e->n->code->slot_of_var[info->params[i].id]];
    LLVMBuildStore(e->b, LLVMGetParam(e->fn, n++), l->lo);
    if (l->object) LLVMBuildStore(e->b, LLVMGetParam(e->fn, n++), l->object);
  }
}

static LLVMValueRef own_words(tp_emitter *e) {
  return LLVMBuildIntToPtr(e->b, tp_emit_frame_in(e, tp_emit_param(e, TP_PARAM_DEPTH), 2), e->ptr,
                           "");
}
static LLVMValueRef own_marks(tp_emitter *e) {
  return LLVMBuildIntToPtr(e->b, tp_emit_frame_in(e, tp_emit_param(e, TP_PARAM_DEPTH), 3), e->ptr,
                           "");
}

static void read_locals(tp_emitter *e, tp_slot_list list) {
  LLVMValueRef words = own_words(e), marks = own_marks(e);
  LLVMTypeRef wide = LLVMIntTypeInContext(e->c, 128);
  for (size_t i = 0; i < list.n; i++) {
    const tp_native_local *to = &e->locals[i];
    if (!to->lo) continue;
    LLVMTypeRef t = LLVMGetAllocatedType(to->lo);
    LLVMValueRef lo = LLVMBuildLoad2(e->b, e->i64, word_at(e, words, 2 * i), ""), v = lo;
    if (to->object)
      LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i64, word_at(e, words, 2 * i + 1), ""),
                     to->object);
    if (LLVMGetIntTypeWidth(t) > 64) {
      LLVMValueRef hi = LLVMBuildZExt(
          e->b, LLVMBuildLoad2(e->b, e->i64, word_at(e, words, 2 * i + 1), ""), wide, "");
      v = LLVMBuildOr(e->b, LLVMBuildShl(e->b, hi, LLVMConstInt(wide, 64, 0), ""),
                      LLVMBuildZExt(e->b, lo, wide, ""), "");
    }
    LLVMBuildStore(e->b, LLVMBuildTruncOrBitCast(e->b, v, t, ""), to->lo);
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i8, mark_at(e, marks, i), ""), to->mark);
  }
}

/* The only mark that a variable can have at the location; negative: there are several. */
static int known_mark(const tp_emitter *e, tp_loc l, size_t slots, size_t slot) {
  uint8_t status = tp_emit_status_at(e, l, slots, slot);
  return status == TP_STATUS_NONE  ? TP_NATIVE_MARK_NONE
         : status == TP_STATUS_ALL ? TP_NATIVE_MARK_ALL
                                   : -1;
}

/* A plain function is entered again at a head. Its first instruction looks at nothing but its
 * variables: a second way into a loop would make it none for LLVM. */
static void enter_head(tp_emitter *e, LLVMValueRef sw, tp_loc l, tp_slot_list list) {
  LLVMBasicBlockRef at = tp_emit_block(e);
  LLVMAddCase(sw, tp_emit_u32(e, l.id), at);
  LLVMPositionBuilderAtEnd(e->b, at);
  for (size_t i = 0; i < list.n; i++) {
    int mark = known_mark(e, l, list.n, i);
    if (mark >= 0 && e->locals[i].lo)
      LLVMBuildStore(e->b, LLVMConstInt(e->i8, (unsigned)mark, 0), e->locals[i].mark);
  }
  LLVMBuildBr(e->b, e->blocks[l.id]);
}

/* Entry 0 is the function's own, others are numbers of locations, and behind those of calls. */
void tp_emit_dispatch(tp_emitter *e, LLVMBasicBlockRef start, tp_slot_list list) {
  const uint32_t locs = (uint32_t)e->p->locs.n;
  LLVMBasicBlockRef none = tp_emit_block(e), again = tp_emit_block(e);
  bool any = false;
  for (uint32_t l = 1; l < locs; l++) any |= e->blocks[l] && (e->is_again || e->is_head[l]);
  LLVMValueRef is_fresh =
      LLVMBuildICmp(e->b, LLVMIntEQ, tp_emit_param(e, TP_PARAM_ENTRY), tp_emit_u32(e, 0), "");
  if (e->is_again)
    LLVMBuildBr(e->b, again);
  else if (any)
    LLVMBuildCondBr(e->b, is_fresh, start, again);
  else
    LLVMBuildBr(e->b, start);
  LLVMPositionBuilderAtEnd(e->b, start);
  if (!e->is_again) take_parameters(e);
  e->here = tp_func_of(e->p, e->func)->entry;
  LLVMBuildBr(e->b, e->blocks[e->here.id]);
  LLVMPositionBuilderAtEnd(e->b, again);
  if (any) read_locals(e, list);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, tp_emit_param(e, TP_PARAM_ENTRY), none, 8);
  for (uint32_t l = 1; l < locs; l++) {
    if (!e->blocks[l]) continue;
    if (!e->is_again && e->is_head[l]) enter_head(e, sw, (tp_loc){l}, list);
    if (e->is_again && e->n->is_entry[l]) LLVMAddCase(sw, tp_emit_u32(e, l), e->blocks[l]);
    if (e->is_again && e->again[l]) LLVMAddCase(sw, tp_emit_u32(e, locs + l), e->again[l]);
  }
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
}

// ---------------------------------------------------------------------- leaving

/* Where ways out times variables are many, registers would meet at the one place where all are
 * written down: copies without end. */
static void keep_in_memory(tp_emitter *e, const tp_native_local *l) {
  LLVMValueRef at[] = {l->lo, l->mark, l->object ? l->object : l->lo};
  (void)tp_emit_call(e, (const void *)(uintptr_t)tp_native_touch, e->i32, TP_EFFECT_ALL, at, 3);
}

static void write_words(tp_emitter *e, tp_slot_list list, LLVMValueRef words, LLVMValueRef marks) {
  LLVMTypeRef wide = LLVMIntTypeInContext(e->c, 128);
  for (size_t i = 0; i < list.n; i++) {
    const tp_native_local *l = &e->locals[i];
    if (!l->lo) continue;
    if (e->is_large) keep_in_memory(e, l);
    LLVMValueRef v = LLVMBuildLoad2(e->b, LLVMGetAllocatedType(l->lo), l->lo, ""),
                 hi = tp_emit_u64(e, 0);
    if (l->object) {
      hi = LLVMBuildLoad2(e->b, e->i64, l->object, "");
    } else if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
      LLVMValueRef all = LLVMBuildZExtOrBitCast(e->b, v, wide, "");
      hi =
          LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, all, LLVMConstInt(wide, 64, 0), ""), e->i64, "");
    }
    LLVMBuildStore(e->b, tp_emit_word(e, v), word_at(e, words, 2 * i));
    LLVMBuildStore(e->b, hi, word_at(e, words, 2 * i + 1));
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i8, l->mark, ""), mark_at(e, marks, i));
  }
}

void tp_emit_write_locals(tp_emitter *e, tp_slot_list list) {
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, e->func.id),
                         LLVMBuildLoad2(e->b, e->i32, e->left_loc, ""),
                         LLVMBuildLoad2(e->b, e->i32, e->left_edge, "")};
  LLVMValueRef words =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_spill, e->ptr, TP_EFFECT_ALL, args, 4);
  write_words(e, list, words, word_at(e, words, 2 * list.n));
}

/* The frame's own memory is free once it has been read. */
void tp_emit_switch_to_plain(tp_emitter *e, tp_loc head, tp_slot_list list) {
  LLVMBasicBlockRef over = tp_emit_block(e), stay = tp_emit_block(e);
  LLVMValueRef odd = LLVMConstInt(e->i8, 0, 0);
  for (size_t i = 0; i < list.n; i++) {
    int mark = known_mark(e, head, list.n, i);
    if (mark < 0 || !e->locals[i].lo) continue;
    LLVMValueRef now = LLVMBuildLoad2(e->b, e->i8, e->locals[i].mark, "");
    odd = LLVMBuildOr(e->b, odd,
                      LLVMBuildXor(e->b, now, LLVMConstInt(e->i8, (unsigned)mark, 0), ""), "");
  }
  tp_emit_unlikely(
      e, LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, odd, LLVMConstInt(e->i8, 0, 0), ""),
                         stay, over));
  LLVMPositionBuilderAtEnd(e->b, over);
  write_words(e, list, own_words(e), own_marks(e));
  tp_emit_visits_switch_to_plain(e);
  LLVMValueRef to = e->funcs[e->func.id];
  unsigned n = LLVMCountParams(to);
  LLVMValueRef *args = TP_NEW_ARRAY(LLVMValueRef, n);
  for (unsigned i = 0; i < n; i++) args[i] = LLVMConstNull(LLVMTypeOf(LLVMGetParam(to, i)));
  args[TP_PARAM_ENTRY] = tp_emit_u32(e, head.id);
  args[TP_PARAM_DEPTH] = tp_emit_param(e, TP_PARAM_DEPTH);
  args[TP_PARAM_STEPS] = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  args[TP_PARAM_BITS] = LLVMBuildLoad2(e->b, e->i64, e->bits, "");
  LLVMBuildRet(e->b, LLVMBuildCall2(e->b, e->types[e->func.id], to, args, n, ""));
  tp_free(args);
  LLVMPositionBuilderAtEnd(e->b, stay);
}

/* Functions of the program as functions of LLVM.
 *
 * f(entry, depth, parameters) -> {left, result}. Each location is a block; an edge computes, counts a step and goes on. What cannot be done
 * plainly leaves the code *before* the edge: the function writes its variables down (tp_native_spill) and returns 1, and so does every caller,
 * each at its call. What is left is a whole state. Entered again (entry != 0) a function reads its variables and goes where it was: to a cutpoint, or to
 * a call, which it makes again with the callee's own entry. So there is one mechanism for limits, errors, odd values, snapshots and injected states.
 *
 * Steps are looked at wherever a cycle or a chain of calls must pass: at cutpoints, at entries, behind calls. The limit kept there is lower by the
 * largest number of edges between two looks, so code is left early and the interpreter does the last ones exactly. Decisions are shifted in
 * at the top of a word that starts with its highest bit alone; when that bit comes out at the bottom the word is full. */
#include "exec/native/emit.h"

#include <stdio.h>

static LLVMValueRef local(tp_emitter *e, LLVMTypeRef t) {
  LLVMValueRef a = LLVMBuildAlloca(e->b, t, "");
  LLVMBuildStore(e->b, LLVMConstNull(t), a);
  return a;
}

static const tp_op *op_of(const tp_emitter *e, uint32_t edge) { return tp_code_op(e->n->code, edge); }
static tp_layout layout_of_var(const tp_emitter *e, tp_var v) {
  return tp_layout_of(e->p, tp_sort_of(e->p->terms, tp_var_of(e->p, v)->term));
}

static bool has_value(tp_layout l) { return l.kind != TP_SORT_ARRAY && l.kind != TP_SORT_INT; }

// ------------------------------------------------------------------- counting

static void count_step(tp_emitter *e) {
  LLVMValueRef n = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, n, tp_emit_u64(e, 1), ""), e->steps);
}

static void look_at_steps(tp_emitter *e) {
  LLVMValueRef most = tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_STEP_LIMIT), TP_ALIAS_SHARED);
  LLVMValueRef n = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, n, most, ""), TP_LEFT_HARD);
}

static void counters_out(tp_emitter *e) {
  tp_emit_store(e, LLVMBuildLoad2(e->b, e->i64, e->steps, ""), tp_emit_shared(e, TP_RT_STEPS), TP_ALIAS_SHARED);
  tp_emit_store(e, LLVMBuildLoad2(e->b, e->i64, e->bits, ""), tp_emit_shared(e, TP_RT_BITS), TP_ALIAS_SHARED);
}

static void counters_in(tp_emitter *e) {
  LLVMBuildStore(e->b, tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_STEPS), TP_ALIAS_SHARED), e->steps);
  LLVMBuildStore(e->b, tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_BITS), TP_ALIAS_SHARED), e->bits);
}

/* Room for k decisions, before any of them is made: a full word is handed over, and if the code is cut the run stops here. */
static void room_for_bits(tp_emitter *e, uint32_t k) {
  LLVMBasicBlockRef full = tp_emit_block(e), on = tp_emit_block(e);
  LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i64, e->bits, "");
  LLVMValueRef low = LLVMBuildAnd(e->b, bits, tp_emit_u64(e, ((uint64_t)1 << k) - 1), "");
  LLVMValueRef br = LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, low, tp_emit_u64(e, 0), ""), full, on);
  LLVMSetMetadata(br, e->kind_prof, LLVMMetadataAsValue(e->c, e->unlikely));
  LLVMPositionBuilderAtEnd(e->b, full);
  LLVMValueRef args[] = {tp_emit_self(e), bits};
  LLVMValueRef more = tp_emit_call(e, (const void *)(uintptr_t)tp_native_flush, e->i32, TP_EFFECT_OUTSIDE, args, 2);
  LLVMBuildStore(e->b, tp_emit_u64(e, (uint64_t)1 << 63), e->bits);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, more, tp_emit_u32(e, 0), ""), TP_LEFT_CUT);
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
}

static void add_bits(tp_emitter *e, LLVMValueRef value, uint32_t k) {
  LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i64, e->bits, "");
  LLVMValueRef up = LLVMBuildShl(e->b, value, tp_emit_u64(e, 64 - k), "");
  LLVMBuildStore(e->b, LLVMBuildOr(e->b, LLVMBuildLShr(e->b, bits, tp_emit_u64(e, k), ""), up, ""), e->bits);
}

// ---------------------------------------------------------------------- memory

static LLVMValueRef offset64(tp_emitter *e, LLVMValueRef off) { return tp_emit_word(e, off); }

static LLVMValueRef fits(tp_emitter *e, LLVMValueRef object, LLVMValueRef offset, unsigned field, uint32_t bytes) {
  LLVMValueRef size = tp_emit_load(e, e->i64, tp_emit_field(e, object, field), TP_ALIAS_TABLE), less = tp_emit_u64(e, bytes - 1);
  if (bytes > 1) {
    LLVMValueRef small = LLVMBuildICmp(e->b, LLVMIntULT, size, less, "");
    size = LLVMBuildSelect(e->b, small, tp_emit_u64(e, 0), LLVMBuildSub(e->b, size, less, ""), "");
  }
  return LLVMBuildICmp(e->b, LLVMIntULT, offset, size, "");
}

static LLVMValueRef byte_at(tp_emitter *e, LLVMValueRef object, unsigned field, LLVMValueRef offset) {
  LLVMValueRef base = tp_emit_load(e, e->ptr, tp_emit_field(e, object, field), TP_ALIAS_TABLE), i[] = {offset};
  return LLVMBuildGEP2(e->b, e->i8, base, i, 1, "");
}

static LLVMValueRef has_und(tp_emitter *e, LLVMValueRef object) {
  LLVMValueRef und = tp_emit_load(e, e->ptr, tp_emit_field(e, object, 1), TP_ALIAS_TABLE);
  return LLVMBuildICmp(e->b, LLVMIntNE, und, LLVMConstNull(e->ptr), "");
}

static void branch_likely(tp_emitter *e, LLVMValueRef c, LLVMBasicBlockRef yes, LLVMBasicBlockRef no) {
  LLVMValueRef br = LLVMBuildCondBr(e->b, LLVMBuildNot(e->b, c, ""), no, yes);
  LLVMSetMetadata(br, e->kind_prof, LLVMMetadataAsValue(e->c, e->unlikely));
}

/* Bytes without shadow, in one access; else by the helper, which leaves the code if there is a shadow. */
static LLVMValueRef load_number(tp_emitter *e, uint32_t edge, tp_native_value a, tp_layout l) {
  LLVMTypeRef in_memory = LLVMIntTypeInContext(e->c, l.bytes * 8), type = tp_emit_type(e, l.kind, l.width_bits);
  LLVMValueRef off = offset64(e, a.lo);
  LLVMBasicBlockRef slow = tp_emit_block(e), on = tp_emit_block(e), quick_end = NULL;
  LLVMValueRef quick = NULL;
  if (l.bytes == 1 || l.bytes == 2 || l.bytes == 4 || l.bytes == 8) {
    LLVMBasicBlockRef inside = tp_emit_block(e), shadow = tp_emit_block(e), plain = tp_emit_block(e);
    branch_likely(e, fits(e, a.object, off, 2, l.bytes), inside, slow);
    LLVMPositionBuilderAtEnd(e->b, inside);
    LLVMBuildCondBr(e->b, has_und(e, a.object), shadow, plain);
    LLVMPositionBuilderAtEnd(e->b, shadow);
    LLVMValueRef und = tp_emit_load(e, in_memory, byte_at(e, a.object, 1, off), TP_ALIAS_UND);
    branch_likely(e, LLVMBuildICmp(e->b, LLVMIntEQ, und, LLVMConstNull(in_memory), ""), plain, slow);
    LLVMPositionBuilderAtEnd(e->b, plain);
    quick = tp_emit_load(e, in_memory, byte_at(e, a.object, 0, off), TP_ALIAS_BYTES);
    if (l.width_bits < l.bytes * 8) quick = LLVMBuildTrunc(e->b, quick, type, "");
    quick_end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, on);
  } else {
    LLVMBuildBr(e->b, slow);
  }
  LLVMPositionBuilderAtEnd(e->b, slow);
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), a.object, off};
  LLVMValueRef r = tp_emit_call(e, (const void *)(uintptr_t)tp_native_load, e->two, TP_EFFECT_READ, args, 4);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildExtractValue(e->b, r, 1, ""), tp_emit_u64(e, 0), ""), TP_LEFT_HARD);
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

static bool load(tp_emitter *e, uint32_t edge, const tp_op *op, tp_native_value *out) {
  tp_native_value a;
  if (!tp_emit_term(e, &op->a, &a)) return false;
  if (op->layout.kind != TP_SORT_PTR) {
    if (op->layout.bytes > 8 || !has_value(op->layout)) {
      tp_emit_leave(e, TP_LEFT_HARD);
      return false;
    }
    *out = (tp_native_value){load_number(e, edge, a, op->layout), NULL};
    return true;
  }
  LLVMValueRef args[] = {tp_emit_self(e), a.object, offset64(e, a.lo)};
  LLVMValueRef r = tp_emit_call(e, (const void *)(uintptr_t)tp_native_load_ptr, e->two, TP_EFFECT_READ, args, 3);
  LLVMValueRef object = LLVMBuildExtractValue(e->b, r, 1, ""), off = LLVMBuildExtractValue(e->b, r, 0, "");
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, object, tp_emit_u64(e, 0), ""), TP_LEFT_HARD);
  *out = (tp_native_value){e->p->ptr_bits < 64 ? LLVMBuildTrunc(e->b, off, e->off, "") : off,
                           LLVMBuildSub(e->b, object, tp_emit_u64(e, 1), "")};
  return true;
}

static void need(tp_emitter *e, LLVMValueRef answer) {
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, answer, LLVMConstNull(LLVMTypeOf(answer)), ""), TP_LEFT_HARD);
}

static void store_number(tp_emitter *e, tp_native_value a, LLVMValueRef v, tp_layout l) {
  LLVMTypeRef in_memory = LLVMIntTypeInContext(e->c, l.bytes * 8);
  LLVMValueRef off = offset64(e, a.lo);
  LLVMBasicBlockRef slow = tp_emit_block(e), on = tp_emit_block(e);
  if (l.bytes == 1 || l.bytes == 2 || l.bytes == 4 || l.bytes == 8) {
    LLVMBasicBlockRef inside = tp_emit_block(e), shadow = tp_emit_block(e), plain = tp_emit_block(e);
    branch_likely(e, fits(e, a.object, off, 3, l.bytes), inside, slow);
    LLVMPositionBuilderAtEnd(e->b, inside);
    LLVMBuildCondBr(e->b, has_und(e, a.object), shadow, plain);
    LLVMPositionBuilderAtEnd(e->b, shadow);
    tp_emit_store(e, LLVMConstNull(in_memory), byte_at(e, a.object, 1, off), TP_ALIAS_UND);
    LLVMBuildBr(e->b, plain);
    LLVMPositionBuilderAtEnd(e->b, plain);
    LLVMValueRef wide = l.width_bits < l.bytes * 8 ? LLVMBuildZExt(e->b, v, in_memory, "") : v;
    tp_emit_store(e, wide, byte_at(e, a.object, 0, off), TP_ALIAS_BYTES);
    LLVMBuildBr(e->b, on);
  } else {
    LLVMBuildBr(e->b, slow);
  }
  LLVMPositionBuilderAtEnd(e->b, slow);
  LLVMValueRef args[] = {tp_emit_self(e), a.object, off, tp_emit_u32(e, l.bytes), tp_emit_word(e, v)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_store, e->i32, TP_EFFECT_CONTENT, args, 5));
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
}

static bool store(tp_emitter *e, const tp_op *op) {
  tp_native_value a, v;
  if (!tp_emit_term(e, &op->a, &a) || !tp_emit_term(e, &op->b, &v)) return false;
  if (op->layout.kind == TP_SORT_PTR) {
    LLVMValueRef args[] = {tp_emit_self(e), a.object, offset64(e, a.lo), v.object, offset64(e, v.lo)};
    need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_store_ptr, e->i32, TP_EFFECT_ALL, args, 5));
  } else if (op->layout.bytes <= 8 && has_value(op->layout)) {
    store_number(e, a, v.lo, op->layout);
  } else {
    tp_emit_leave(e, TP_LEFT_HARD);
    return false;
  }
  return true;
}

static bool is_word(const tp_snippet *sn) { return sn->way == TP_BY_WORDS; }

static bool block(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  if (info->kind == TP_E_HAVOC_MEMORY && !tp_term_is(info->c)) return true;
  tp_native_value to, from = {tp_emit_u64(e, 0), tp_emit_u64(e, 0)}, n;
  bool asks = info->kind == TP_E_HAVOC_MEMORY;                 // a helper that asks and fails would ask twice
  if (asks || !is_word(&op->c)) return tp_emit_leave(e, TP_LEFT_HARD), false;
  if (!tp_emit_term(e, &op->a, &to) || !tp_emit_term(e, &op->c, &n)) return false;
  if (tp_term_is(info->b) && !tp_emit_term(e, &op->b, &from)) return false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), to.object, offset64(e, to.lo),
                         from.object ? from.object : tp_emit_u64(e, 0), offset64(e, from.lo), tp_emit_word(e, n.lo)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_block, e->i32, TP_EFFECT_ALL, args, 7));
  return true;
}

// ------------------------------------------------------------- inputs, objects

static void set_var(tp_emitter *e, const tp_op *op, tp_native_value v, uint32_t mark) {
  tp_emit_set(e, op->slot, op->var_is_global, op->layout.kind, op->layout.width_bits, v, mark);
}

static bool use_arguments(tp_emitter *e, const tp_op *op, const tp_edge_info *info) {
  for (uint32_t i = 0; i < info->n_args; i++) {
    tp_native_value v;
    if (!tp_emit_term(e, &op->args[i], &v)) return false;
  }
  return true;
}

static bool havoc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info, tp_input_kind kind) {
  if (!use_arguments(e, op, info)) return false;
  if (!info->var.id) return true;
  if (!has_value(op->layout) || op->layout.width_bits > 64) return tp_emit_leave(e, TP_LEFT_HARD), false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), tp_emit_u32(e, (uint32_t)kind)};
  LLVMValueRef r = tp_emit_call(e, (const void *)(uintptr_t)tp_native_ask, e->two, TP_EFFECT_OUTSIDE, args, 3);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildExtractValue(e->b, r, 1, ""), tp_emit_u64(e, 0), ""), TP_LEFT_ENDED);
  LLVMValueRef v = LLVMBuildExtractValue(e->b, r, 0, "");
  if (op->layout.width_bits < 64) v = LLVMBuildTrunc(e->b, v, tp_emit_type(e, op->layout.kind, op->layout.width_bits), "");
  bool is_ptr = op->layout.kind == TP_SORT_PTR;
  set_var(e, op, (tp_native_value){v, is_ptr ? tp_emit_u64(e, 0) : NULL}, kind == TP_I_INDETERMINATE ? TP_MARK_ALL : TP_MARK_NONE);
  return true;
}

static bool alloc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  tp_native_value size, fill = {tp_emit_u64(e, 0), NULL};
  if (!is_word(&op->a) || (tp_term_is(info->b) && !is_word(&op->b))) return tp_emit_leave(e, TP_LEFT_HARD), false;
  if (!tp_emit_term(e, &op->a, &size) || (tp_term_is(info->b) && !tp_emit_term(e, &op->b, &fill))) return false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), tp_emit_word(e, size.lo), tp_emit_word(e, fill.lo)};
  LLVMValueRef id = tp_emit_call(e, (const void *)(uintptr_t)tp_native_alloc, e->i64, TP_EFFECT_ALL, args, 4);
  need(e, id);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, id, LLVMConstAllOnes(e->i64), ""), TP_LEFT_ENDED);
  set_var(e, op, (tp_native_value){LLVMConstNull(e->off), id}, TP_MARK_NONE);
  return true;
}

static bool end_object(tp_emitter *e, uint32_t edge, const tp_op *op) {
  tp_native_value a;
  if (!tp_emit_term(e, &op->a, &a)) return false;
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, edge), a.object, offset64(e, a.lo)};
  need(e, tp_emit_call(e, (const void *)(uintptr_t)tp_native_end, e->i32, TP_EFFECT_ALL, args, 4));
  return true;
}

// ----------------------------------------------------------------------- calls

typedef struct {
  LLVMValueRef entry, depth;   // of the callee
  LLVMValueRef *args;          // where they wait: a call that is made again has none
  uint32_t n;
} call_values;

static void wait_for_call(tp_emitter *e, const tp_edge_info *info, call_values *c, const tp_native_value *v) {
  const tp_terms *tt = e->p->terms;
  for (uint32_t i = 0, k = 0; i < info->n_args; i++) {
    LLVMBuildStore(e->b, v[i].lo, c->args[k++]);
    if (tp_sort_kind_of(tt, tp_sort_of(tt, info->args[i])) == TP_SORT_PTR) LLVMBuildStore(e->b, v[i].object, c->args[k++]);
  }
}

static LLVMValueRef frame_in(tp_emitter *e, LLVMValueRef depth, unsigned field) {
  LLVMValueRef in = tp_emit_load(e, e->ptr, tp_emit_shared(e, TP_RT_IN), TP_ALIAS_SHARED);
  LLVMValueRef i[] = {LLVMBuildAdd(e->b, LLVMBuildMul(e->b, LLVMBuildZExt(e->b, depth, e->i64, ""), tp_emit_u64(e, 4), ""),
                                   tp_emit_u64(e, field), "")};
  return LLVMBuildLoad2(e->b, e->i64, LLVMBuildGEP2(e->b, e->i64, in, i, 1, ""), "");
}

/* The call itself, made or made again; what comes back, and on to the edge's end. */
static void do_call(tp_emitter *e, uint32_t edge, tp_func callee, const call_values *c) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  const tp_op *op = op_of(e, edge);
  counters_out(e);
  LLVMValueRef *args = TP_NEW_ARRAY(LLVMValueRef, c->n + 2);
  args[0] = LLVMBuildLoad2(e->b, e->i32, c->entry, "");
  args[1] = c->depth;
  for (uint32_t i = 0; i < c->n; i++) args[i + 2] = LLVMBuildLoad2(e->b, LLVMGetAllocatedType(c->args[i]), c->args[i], "");
  LLVMValueRef r = LLVMBuildCall2(e->b, e->types[callee.id], e->funcs[callee.id], args, c->n + 2, "");
  tp_free(args);
  LLVMBasicBlockRef out = tp_emit_block(e), on = tp_emit_block(e);
  LLVMValueRef left = LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildExtractValue(e->b, r, 0, ""), tp_emit_u32(e, 0), "");
  LLVMSetMetadata(LLVMBuildCondBr(e->b, left, out, on), e->kind_prof, LLVMMetadataAsValue(e->c, e->unlikely));
  LLVMPositionBuilderAtEnd(e->b, out);
  LLVMBuildStore(e->b, tp_emit_u32(e, info->from.id), e->left_loc);
  LLVMBuildStore(e->b, tp_emit_u32(e, edge), e->left_edge);
  LLVMBuildBr(e->b, e->leave);
  LLVMPositionBuilderAtEnd(e->b, on);
  counters_in(e);
  if (info->var.id && tp_func_of(e->p, callee)->result.id) {
    tp_native_value v = {LLVMBuildExtractValue(e->b, r, 1, ""), NULL};
    if (op->layout.kind == TP_SORT_PTR) v.object = LLVMBuildExtractValue(e->b, r, 2, "");
    set_var(e, op, v, TP_MARK_NONE);
  }
  e->here = info->to;
  look_at_steps(e);
  LLVMBuildBr(e->b, e->blocks[info->to.id]);
}

static bool fits_call(const tp_emitter *e, const tp_edge_info *info, const tp_func_info *f) {
  const tp_terms *tt = e->p->terms;
  if (info->n_args != f->n_params) return false;
  for (uint32_t i = 0; i < info->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(tt, info->args[i]), tp_sort_of(tt, tp_var_of(e->p, f->params[i])->term))) return false;
  if (!info->var.id) return true;
  return f->result.id && tp_sort_eq(tp_sort_of(tt, tp_var_of(e->p, info->var)->term), tp_sort_of(tt, tp_var_of(e->p, f->result)->term));
}

static bool can_call(const tp_emitter *e, const tp_edge_info *info, uint32_t f) {
  return e->funcs[f] && fits_call(e, info, &e->p->funcs.at[f]);
}

static call_values prepare_call(tp_emitter *e, const tp_edge_info *info) {
  const tp_terms *tt = e->p->terms;
  call_values c = {.args = TP_NEW_ARRAY(LLVMValueRef, 2 * info->n_args + 1)};
  LLVMBasicBlockRef at = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(e->fn);
  LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(first));
  c.entry = LLVMBuildAlloca(e->b, e->i32, "");
  for (uint32_t i = 0; i < info->n_args; i++) {
    tp_layout l = tp_layout_of(e->p, tp_sort_of(tt, info->args[i]));
    c.args[c.n++] = LLVMBuildAlloca(e->b, tp_emit_type(e, l.kind, l.width_bits), "");
    if (l.kind == TP_SORT_PTR) c.args[c.n++] = LLVMBuildAlloca(e->b, e->i64, "");
  }
  LLVMPositionBuilderAtEnd(e->b, at);
  c.depth = e->depth;
  return c;
}

/* Which function, and a decision written down; ends in the blocks that call. */
static bool choose_callee(tp_emitter *e, uint32_t edge, const tp_op *op, const LLVMBasicBlockRef *calls) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  tp_native_value a;
  uint32_t k = tp_path_bits(tp_path_n_callees(e->p, (tp_edge){edge}));
  if (k) room_for_bits(e, k);
  if (!tp_emit_term(e, &op->a, &a)) return false;
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, a.lo, LLVMConstNull(e->off), ""), TP_LEFT_HARD);
  LLVMValueRef args[] = {tp_emit_self(e), a.object};
  LLVMValueRef f = tp_emit_call(e, (const void *)(uintptr_t)tp_native_callee, e->i32, TP_EFFECT_READ, args, 2);
  LLVMBasicBlockRef hard = tp_emit_block(e);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, f, hard, 4);
  for (uint32_t i = 1; i < e->p->funcs.n; i++) {
    uint32_t number;
    if (!can_call(e, info, i) || !tp_path_callee_number(e->p, (tp_edge){edge}, (tp_func){i}, &number)) continue;
    LLVMBasicBlockRef chosen = tp_emit_block(e);
    LLVMAddCase(sw, tp_emit_u32(e, i), chosen);
    LLVMPositionBuilderAtEnd(e->b, chosen);
    if (k) add_bits(e, tp_emit_u64(e, number), k);
    count_step(e);
    LLVMBuildBr(e->b, calls[i]);
  }
  LLVMPositionBuilderAtEnd(e->b, hard);
  tp_emit_leave(e, TP_LEFT_HARD);
  return true;
}

/* Ends the block. */
static void call(tp_emitter *e, uint32_t edge, const tp_op *op) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  const tp_loc here = e->here;
  call_values c = prepare_call(e, info);
  LLVMBasicBlockRef *calls = TP_NEW_ARRAY(LLVMBasicBlockRef, e->p->funcs.n);
  for (uint32_t f = 1; f < e->p->funcs.n; f++)
    if (info->callee.id ? info->callee.id == f && can_call(e, info, f) : can_call(e, info, f)) calls[f] = tp_emit_block(e);
  tp_native_value *v = TP_NEW_ARRAY(tp_native_value, info->n_args + 1);
  LLVMValueRef most = tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_MAX_DEPTH), TP_ALIAS_SHARED);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, LLVMBuildZExt(e->b, LLVMGetParam(e->fn, 1), e->i64, ""), most, ""), TP_LEFT_HARD);
  bool ok = !info->callee.id || calls[info->callee.id];
  if (!ok) tp_emit_leave(e, TP_LEFT_HARD);
  for (uint32_t i = 0; i < info->n_args && ok; i++) ok = tp_emit_term(e, &op->args[i], &v[i]);
  if (ok) {
    wait_for_call(e, info, &c, v);
    LLVMBuildStore(e->b, tp_emit_u32(e, 0), c.entry);
    if (info->callee.id) {
      count_step(e);
      LLVMBuildBr(e->b, calls[info->callee.id]);
    } else {
      ok = choose_callee(e, edge, op, calls);
    }
  }
  if (!ok || !info->callee.id) LLVMBuildUnreachable(e->b);
  // made again
  LLVMBasicBlockRef none = tp_emit_block(e);
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
  LLVMPositionBuilderAtEnd(e->b, e->again[here.id]);
  LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, frame_in(e, c.depth, 0), e->i32, ""), c.entry);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, frame_in(e, c.depth, 1), none, 4);
  for (uint32_t f = 1; f < e->p->funcs.n; f++) {
    if (!calls[f]) continue;
    LLVMAddCase(sw, tp_emit_u64(e, f), calls[f]);
    LLVMPositionBuilderAtEnd(e->b, calls[f]);
    do_call(e, edge, (tp_func){f}, &c);
  }
  tp_free(v);
  tp_free(calls);
  tp_free(c.args);
}

static bool set_result(tp_emitter *e, const tp_op *op, const tp_edge_info *info) {
  tp_var result = tp_func_of(e->p, e->func)->result;
  tp_native_value v;
  if (!tp_term_is(info->a) || !result.id) return true;
  if (!tp_emit_term(e, &op->a, &v)) return false;
  tp_layout l = layout_of_var(e, result);
  tp_emit_set(e, e->n->code->slot_of_var[result.id], e->n->code->var_is_global[result.id], l.kind, l.width_bits, v, TP_MARK_NONE);
  return true;
}

/* At the exit: back to the caller, if there is one. */
static void leave_function(tp_emitter *e) {
  tp_var result = tp_func_of(e->p, e->func)->result;
  LLVMValueRef r = LLVMConstNull(e->results[e->func.id]);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, LLVMGetParam(e->fn, 1), tp_emit_u32(e, 1), ""), TP_LEFT_HARD);
  if (result.id) {
    tp_layout l = layout_of_var(e, result);
    const tp_native_local *v = &e->locals[e->n->code->slot_of_var[result.id]];
    LLVMValueRef mark = LLVMBuildLoad2(e->b, e->i8, v->mark, "");
    tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, mark, LLVMConstInt(e->i8, 0, 0), ""), TP_LEFT_HARD);
    r = LLVMBuildInsertValue(e->b, r, LLVMBuildLoad2(e->b, tp_emit_type(e, l.kind, l.width_bits), v->lo, ""), 1, "");
    if (l.kind == TP_SORT_PTR) r = LLVMBuildInsertValue(e->b, r, LLVMBuildLoad2(e->b, e->i64, v->object, ""), 2, "");
  }
  counters_out(e);
  LLVMBuildRet(e->b, r);
}

// ----------------------------------------------------------------------- edges

/* Everything but calls. False: the code has been left. */
static bool operate(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  tp_native_value v;
  switch (info->kind) {
    case TP_E_SKIP: return true;
    case TP_E_ASSIGN:
      if (!has_value(op->layout)) return tp_emit_leave(e, TP_LEFT_HARD), false;
      if (!tp_emit_term(e, &op->a, &v)) return false;
      set_var(e, op, v, TP_MARK_NONE);
      return true;
    case TP_E_ASSUME:
      if (tp_out_edges(e->p, info->from).n > 1) return true;
      if (!tp_emit_term(e, &op->a, &v)) return false;
      tp_emit_leave_if(e, LLVMBuildNot(e->b, v.lo, ""), TP_LEFT_HARD);
      return true;
    case TP_E_LOAD:
      if (!load(e, edge, op, &v)) return false;
      set_var(e, op, v, TP_MARK_NONE);
      return true;
    case TP_E_STORE: return store(e, op);
    case TP_E_ALLOC: return alloc(e, edge, op, info);
    case TP_E_FREE: return end_object(e, edge, op);
    case TP_E_END_SCOPE: return end_object(e, edge, op);
    case TP_E_COPY: return block(e, edge, op, info);
    case TP_E_SET: return block(e, edge, op, info);
    case TP_E_HAVOC_MEMORY: return block(e, edge, op, info);
    case TP_E_HAVOC: return havoc(e, edge, op, info, info->input);
    case TP_E_RETURN: return set_result(e, op, info);
    case TP_E_CALL: return havoc(e, edge, op, info, TP_I_EXTERN);             // of a function without body
  }
  return false;
}

/* Ends the block. */
static void edge(tp_emitter *e, uint32_t id) {
  const tp_edge_info *info = &e->p->edges.at[id];
  const tp_op *op = op_of(e, id);
  if (info->kind == TP_E_CALL && !(info->callee.id && !tp_func_of(e->p, info->callee)->has_body)) {
    call(e, id, op);
    return;
  }
  bool ok = operate(e, id, op, info);
  if (!ok) {
    LLVMBuildUnreachable(e->b);
    return;
  }
  count_step(e);
  if (tp_out_edges(e->p, info->to).n == 0)
    tp_emit_store(e, tp_emit_u64(e, id), tp_emit_shared(e, TP_RT_LAST_EDGE), TP_ALIAS_SHARED);
  LLVMBuildBr(e->b, e->blocks[info->to.id]);
}

/* One after another as the interpreter asks: the first condition that holds. */
static void choose(tp_emitter *e, tp_loc l, tp_edge_list out) {
  uint32_t k = tp_path_bits(out.n);
  room_for_bits(e, k);
  LLVMBasicBlockRef *taken = TP_NEW_ARRAY(LLVMBasicBlockRef, out.n);
  for (uint32_t i = 0; i < out.n; i++) taken[i] = tp_emit_block(e);
  bool open = true;
  for (uint32_t i = 0; i < out.n && open; i++) {
    tp_native_value v;
    if (i == 1 && e->n->code->second_is_else[l.id]) {
      LLVMBuildBr(e->b, taken[1]);
      open = false;
    } else if (!tp_emit_term(e, &op_of(e, out.at[i])->a, &v)) {
      break;
    } else {
      LLVMBasicBlockRef next = tp_emit_block(e);
      LLVMBuildCondBr(e->b, v.lo, taken[i], next);
      LLVMPositionBuilderAtEnd(e->b, next);
    }
  }
  if (open) {
    tp_emit_leave(e, TP_LEFT_HARD);
    LLVMBuildUnreachable(e->b);
  }
  for (uint32_t i = 0; i < out.n; i++) {
    LLVMPositionBuilderAtEnd(e->b, taken[i]);
    add_bits(e, tp_emit_u64(e, i), k);
    e->here = l;
    edge(e, out.at[i]);
  }
  tp_free(taken);
}

// ------------------------------------------------------------------- locations

/* Predicates of a cutpoint: a vector that has its place in the table was seen; any other leaves the code. */
static void watch(tp_emitter *e, const tp_native_watched *w, uint32_t which) {
  LLVMValueRef vector = tp_emit_u64(e, 0);
  for (size_t i = 0; i < w->n; i++) {
    tp_native_value v;
    tp_snippet sn = tp_code_of_term(e->n->code, w->predicates[i]);
    if (!tp_emit_term(e, &sn, &v)) continue;
    LLVMValueRef bit = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, v.lo, e->i64, ""), tp_emit_u64(e, i), "");
    vector = LLVMBuildOr(e->b, vector, bit, "");
  }
  LLVMValueRef mixed = LLVMBuildMul(e->b, vector, tp_emit_u64(e, 0x9e3779b97f4a7c15u), "");
  LLVMValueRef place = LLVMBuildLShr(e->b, mixed, tp_emit_u64(e, 64 - 12), "");
  LLVMValueRef i[] = {LLVMBuildAdd(e->b, place, tp_emit_u64(e, (uint64_t)which * TP_NATIVE_SEEN), "")};
  LLVMValueRef there = LLVMBuildLoad2(e->b, e->i64, LLVMBuildInBoundsGEP2(e->b, e->i64, e->seen, i, 1, ""), "");
  LLVMValueRef other = LLVMBuildICmp(e->b, LLVMIntNE, there, LLVMBuildAdd(e->b, vector, tp_emit_u64(e, 1), ""), "");
  tp_emit_leave_if(e, other, TP_LEFT_WATCH);
}

static bool is_entered_again(const tp_emitter *e, tp_loc l) { return e->n->is_entry[l.id]; }

static void location(tp_emitter *e, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(e->p, l);
  tp_edge_list out = tp_out_edges(e->p, l);
  LLVMPositionBuilderAtEnd(e->b, e->blocks[l.id]);
  e->here = l;
  if (is_entered_again(e, l)) {
    look_at_steps(e);
    if (e->n->watch_of_loc[l.id]) watch(e, &e->n->watched.at[e->n->watch_of_loc[l.id] - 1], e->n->watch_of_loc[l.id] - 1);
  }
  if (out.n == 0) {
    bool ends = info->error != TP_P_NONE || info->is_unsupported || tp_func_of(e->p, info->func)->exit.id != l.id;
    if (!ends) {
      leave_function(e);
      return;
    }
    tp_emit_leave(e, TP_LEFT_HARD);
    LLVMBuildUnreachable(e->b);
  } else if (out.n == 1) {
    edge(e, out.at[0]);
  } else {
    choose(e, l, out);
  }
}

// ------------------------------------------------------------------- functions

static void declare(tp_emitter *e, uint32_t f) {
  const tp_func_info *info = &e->p->funcs.at[f];
  LLVMTypeRef *params = TP_NEW_ARRAY(LLVMTypeRef, 2 * info->n_params + 2), result[3] = {e->i32};
  unsigned n = 0, n_result = 1;
  params[n++] = e->i32;
  params[n++] = e->i32;
  for (uint32_t i = 0; i < info->n_params; i++) {
    tp_layout l = layout_of_var(e, info->params[i]);
    params[n++] = tp_emit_type(e, l.kind, l.width_bits);
    if (l.kind == TP_SORT_PTR) params[n++] = e->i64;
  }
  if (info->result.id) {
    tp_layout l = layout_of_var(e, info->result);
    result[n_result++] = tp_emit_type(e, l.kind, l.width_bits);
    if (l.kind == TP_SORT_PTR) result[n_result++] = e->i64;
  }
  e->results[f] = LLVMStructTypeInContext(e->c, result, n_result, 0);
  e->types[f] = LLVMFunctionType(e->results[f], params, n, 0);
  char name[32];
  snprintf(name, sizeof name, "f%u", f);
  e->funcs[f] = LLVMAddFunction(e->m, name, e->types[f]);
  LLVMSetLinkage(e->funcs[f], LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(e->funcs[f], (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->c, e->attr_nounwind, 0));
  tp_free(params);
}

static LLVMValueRef word_at(tp_emitter *e, LLVMValueRef words, uint64_t i) {
  LLVMValueRef at[] = {tp_emit_u64(e, i)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, words, at, 1, "");
}

static LLVMValueRef mark_at(tp_emitter *e, LLVMValueRef marks, uint64_t i) {
  LLVMValueRef at[] = {tp_emit_u64(e, i)};
  return LLVMBuildInBoundsGEP2(e->b, e->i8, marks, at, 1, "");
}

static void make_locals(tp_emitter *e, tp_slot_list list) {
  for (size_t i = 0; i < list.n; i++) {
    tp_layout l = layout_of_var(e, list.var[i]);
    if (!has_value(l)) continue;
    e->locals[i].lo = local(e, tp_emit_type(e, l.kind, l.width_bits));
    if (l.kind == TP_SORT_PTR) e->locals[i].object = local(e, e->i64);
    e->locals[i].mark = local(e, e->i8);
  }
}

static void take_parameters(tp_emitter *e) {
  const tp_func_info *info = tp_func_of(e->p, e->func);
  unsigned n = 2;
  for (uint32_t i = 0; i < info->n_params; i++) {
    const tp_native_local *l = &e->locals[e->n->code->slot_of_var[info->params[i].id]];
    LLVMBuildStore(e->b, LLVMGetParam(e->fn, n++), l->lo);
    if (l->object) LLVMBuildStore(e->b, LLVMGetParam(e->fn, n++), l->object);
  }
}

static void read_locals(tp_emitter *e, tp_slot_list list) {
  LLVMValueRef depth = LLVMGetParam(e->fn, 1);
  LLVMValueRef words = LLVMBuildIntToPtr(e->b, frame_in(e, depth, 2), e->ptr, "");
  LLVMValueRef marks = LLVMBuildIntToPtr(e->b, frame_in(e, depth, 3), e->ptr, "");
  LLVMTypeRef wide = LLVMIntTypeInContext(e->c, 128);
  for (size_t i = 0; i < list.n; i++) {
    const tp_native_local *to = &e->locals[i];
    if (!to->lo) continue;
    LLVMTypeRef t = LLVMGetAllocatedType(to->lo);
    LLVMValueRef lo = LLVMBuildLoad2(e->b, e->i64, word_at(e, words, 2 * i), ""), hi = LLVMBuildLoad2(e->b, e->i64, word_at(e, words, 2 * i + 1), "");
    LLVMValueRef both = LLVMBuildOr(e->b, LLVMBuildShl(e->b, LLVMBuildZExt(e->b, hi, wide, ""), LLVMConstInt(wide, 64, 0), ""),
                                    LLVMBuildZExt(e->b, lo, wide, ""), "");
    LLVMBuildStore(e->b, LLVMBuildTruncOrBitCast(e->b, both, t, ""), to->lo);
    if (to->object) LLVMBuildStore(e->b, hi, to->object);
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i8, mark_at(e, marks, i), ""), to->mark);
  }
}

/* Where ways out times variables are many, registers would meet at the one place where all are written down: copies without end. */
static void keep_in_memory(tp_emitter *e, const tp_native_local *l) {
  LLVMValueRef at[] = {l->lo, l->mark, l->object ? l->object : l->lo};
  (void)tp_emit_call(e, (const void *)(uintptr_t)tp_native_touch, e->i32, TP_EFFECT_ALL, at, 3);
}

static bool is_large(const tp_emitter *e, tp_slot_list list) {
  size_t locations = 0;
  for (size_t l = 1; l < e->p->locs.n; l++) locations += e->p->locs.at[l].func.id == e->func.id;
  return locations * list.n > 20000;
}

static void write_locals(tp_emitter *e, tp_slot_list list) {
  LLVMTypeRef wide = LLVMIntTypeInContext(e->c, 128);
  LLVMValueRef args[] = {tp_emit_self(e), tp_emit_u32(e, e->func.id), LLVMBuildLoad2(e->b, e->i32, e->left_loc, ""),
                         LLVMBuildLoad2(e->b, e->i32, e->left_edge, "")};
  LLVMValueRef words = tp_emit_call(e, (const void *)(uintptr_t)tp_native_spill, e->ptr, TP_EFFECT_ALL, args, 4);
  LLVMValueRef marks = word_at(e, words, 2 * list.n);
  for (size_t i = 0; i < list.n; i++) {
    const tp_native_local *l = &e->locals[i];
    if (!l->lo) continue;
    if (e->is_large) keep_in_memory(e, l);
    LLVMValueRef v = LLVMBuildLoad2(e->b, LLVMGetAllocatedType(l->lo), l->lo, ""), hi = tp_emit_u64(e, 0);
    if (l->object) {
      hi = LLVMBuildLoad2(e->b, e->i64, l->object, "");
    } else if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
      LLVMValueRef all = LLVMBuildZExtOrBitCast(e->b, v, wide, "");
      hi = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, all, LLVMConstInt(wide, 64, 0), ""), e->i64, "");
    }
    LLVMBuildStore(e->b, tp_emit_word(e, v), word_at(e, words, 2 * i));
    LLVMBuildStore(e->b, hi, word_at(e, words, 2 * i + 1));
    LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, e->i8, l->mark, ""), mark_at(e, marks, i));
  }
}

/* Where the function can be entered again: a block for each such location or call, and the number of each. A location is entered at its first
 * instruction, where its steps are looked at once more: a second way into a loop would make it none for LLVM. */
static void dispatch(tp_emitter *e, LLVMBasicBlockRef start, LLVMBasicBlockRef again, tp_slot_list list) {
  LLVMBasicBlockRef none = tp_emit_block(e);
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, LLVMGetParam(e->fn, 0), tp_emit_u32(e, 0), ""), start, again);
  LLVMPositionBuilderAtEnd(e->b, start);
  take_parameters(e);
  e->here = tp_func_of(e->p, e->func)->entry;
  LLVMBuildBr(e->b, e->blocks[e->here.id]);
  LLVMPositionBuilderAtEnd(e->b, again);
  read_locals(e, list);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, LLVMGetParam(e->fn, 0), none, 8);
  for (uint32_t l = 1; l < e->p->locs.n; l++)
    if (e->blocks[l] && is_entered_again(e, (tp_loc){l})) LLVMAddCase(sw, tp_emit_u32(e, l), e->blocks[l]);
  for (uint32_t l = 1; l < e->p->locs.n; l++)
    if (e->again[l]) LLVMAddCase(sw, tp_emit_u32(e, (uint32_t)e->p->locs.n + l), e->again[l]);
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
}

static bool is_real_call(const tp_emitter *e, tp_loc l) {
  tp_edge_list out = tp_out_edges(e->p, l);
  if (out.n != 1) return false;
  const tp_edge_info *info = &e->p->edges.at[out.at[0]];
  return info->kind == TP_E_CALL && !(info->callee.id && !tp_func_of(e->p, info->callee)->has_body);
}

static void make_blocks(tp_emitter *e) {
  for (uint32_t l = 1; l < e->p->locs.n; l++) {
    e->blocks[l] = e->again[l] = NULL;
    if (e->p->locs.at[l].func.id != e->func.id || e->p->locs.at[l].order == TP_ORDER_NONE) continue;
    e->blocks[l] = tp_emit_block(e);
    if (is_real_call(e, (tp_loc){l})) e->again[l] = tp_emit_block(e);
  }
}

static void function(tp_emitter *e, uint32_t f) {
  e->func = (tp_func){f};
  e->fn = e->funcs[f];
  tp_slot_list list = tp_code_slots(e->n->code, e->func);
  e->locals = TP_NEW_ARRAY(tp_native_local, list.n + 1);
  e->is_large = is_large(e, list);
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
  LLVMBasicBlockRef start = tp_emit_block(e), again = tp_emit_block(e);
  make_blocks(e);
  e->leave = tp_emit_block(e);
  e->leave_own = tp_emit_block(e);
  e->steps = local(e, e->i64);
  e->bits = local(e, e->i64);
  e->left_loc = local(e, e->i32);
  e->left_edge = local(e, e->i32);
  e->depth = LLVMBuildAdd(e->b, LLVMGetParam(e->fn, 1), tp_emit_u32(e, 1), "");
  e->args = LLVMBuildAlloca(e->b, LLVMArrayType2(e->i64, 6), "");
  make_locals(e, list);
  counters_in(e);
  dispatch(e, start, again, list);
  for (uint32_t l = 1; l < e->p->locs.n; l++)
    if (e->blocks[l]) location(e, (tp_loc){l});
  LLVMPositionBuilderAtEnd(e->b, e->leave_own);
  counters_out(e);
  LLVMBuildBr(e->b, e->leave);
  LLVMPositionBuilderAtEnd(e->b, e->leave);
  write_locals(e, list);
  LLVMBuildRet(e->b, LLVMBuildInsertValue(e->b, LLVMConstNull(e->results[f]), tp_emit_u32(e, 1), 0, ""));
  tp_free(e->locals);
}

/* start(depth) enters the outermost frame again. */
static void start_function(tp_emitter *e) {
  LLVMTypeRef params[] = {e->i32}, t = LLVMFunctionType(e->i32, params, 1, 0);
  e->fn = LLVMAddFunction(e->m, "start", t);
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
  LLVMBasicBlockRef none = tp_emit_block(e);
  LLVMValueRef one = tp_emit_u32(e, 1);
  LLVMValueRef entry = LLVMBuildTrunc(e->b, frame_in(e, one, 0), e->i32, "");
  LLVMValueRef sw = LLVMBuildSwitch(e->b, frame_in(e, one, 1), none, 4);
  for (uint32_t f = 1; f < e->p->funcs.n; f++) {
    if (!e->funcs[f]) continue;
    LLVMBasicBlockRef b = tp_emit_block(e);
    LLVMAddCase(sw, tp_emit_u64(e, f), b);
    LLVMPositionBuilderAtEnd(e->b, b);
    unsigned n = LLVMCountParams(e->funcs[f]);
    LLVMValueRef *args = TP_NEW_ARRAY(LLVMValueRef, n);
    for (unsigned i = 0; i < n; i++) args[i] = LLVMConstNull(LLVMTypeOf(LLVMGetParam(e->funcs[f], i)));
    args[0] = entry;
    args[1] = one;
    LLVMValueRef r = LLVMBuildCall2(e->b, e->types[f], e->funcs[f], args, n, "");
    LLVMBuildRet(e->b, LLVMBuildExtractValue(e->b, r, 0, ""));
    tp_free(args);
  }
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
}

static bool is_compiled(const tp_emitter *e, const tp_func_info *f) {
  if (!f->has_body || !f->entry.id) return false;
  if (f->result.id && (!has_value(layout_of_var(e, f->result)) || e->n->code->var_is_global[f->result.id])) return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!has_value(layout_of_var(e, f->params[i]))) return false;
  return true;
}

tp_status tp_emit_program(tp_emitter *e, tp_str *why) {
  size_t n = e->p->funcs.n, locs = e->p->locs.n;
  e->funcs = TP_NEW_ARRAY(LLVMValueRef, n);
  e->types = TP_NEW_ARRAY(LLVMTypeRef, n);
  e->results = TP_NEW_ARRAY(LLVMTypeRef, n);
  e->blocks = TP_NEW_ARRAY(LLVMBasicBlockRef, locs);
  e->again = TP_NEW_ARRAY(LLVMBasicBlockRef, locs);
  e->ways_out = TP_NEW_ARRAY(LLVMBasicBlockRef, 4 * locs);     // a location is of one function: never asked for by another
  for (uint32_t f = 1; f < n; f++)
    if ((e->n->is_compiled[f] = is_compiled(e, &e->p->funcs.at[f]))) declare(e, f);
  bool ok = e->p->main.id && e->funcs[e->p->main.id];
  if (!ok) tp_str_add(why, "main has parameters or a result that are no machine values");
  for (uint32_t f = 1; f < n && ok; f++)
    if (e->funcs[f]) function(e, f);
  if (ok) start_function(e);
  tp_free(e->funcs);
  tp_free(e->types);
  tp_free(e->results);
  tp_free(e->blocks);
  tp_free(e->again);
  tp_free(e->ways_out);
  return ok ? TP_OK : TP_ERR_UNSUPPORTED;
}

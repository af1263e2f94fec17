/* Calls and returns.
 *
 * A call passes steps and decisions to the callee, which returns them. If the callee left the code,
 * the caller leaves at its call; a function that is re-entered at a call repeats the call, with the
 * re-entry of the callee. */
#include "exec/native/emit.h"

bool tp_emit_is_real_call(const tp_emitter *e, tp_loc l) {
  tp_edge_list out = tp_out_edges(e->p, l);
  if (out.n != 1) return false;
  const tp_edge_info *info = &e->p->edges.at[out.at[0]];
  return info->kind == TP_E_CALL && !(info->callee.id && !tp_func_of(e->p, info->callee)->has_body);
}

static bool can_call(const tp_emitter *e, const tp_edge_info *info, uint32_t f) {
  return e->funcs[f] && tp_call_fits(e->p, info, &e->p->funcs.at[f]);
}

/* The callee's results; then a branch to the target of the edge. */
static void come_back(tp_emitter *e, uint32_t edge, tp_func callee, bool is_inlined,
                      LLVMValueRef r) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  const tp_op *op = tp_code_op(e->n->code, edge);
  LLVMBasicBlockRef out = tp_emit_block(e), on = tp_emit_block(e);
  LLVMValueRef steps = LLVMBuildExtractValue(e->b, r, TP_RESULT_STEPS, "");
  LLVMValueRef left = LLVMBuildICmp(e->b, LLVMIntEQ, steps, tp_emit_u64(e, TP_NATIVE_LEFT), "");
  tp_emit_unlikely(e, LLVMBuildCondBr(e->b, left, out, on));
  LLVMPositionBuilderAtEnd(e->b, out);
  LLVMBuildStore(e->b, tp_emit_u32(e, info->from.id), e->left_loc);
  LLVMBuildStore(e->b, tp_emit_u32(e, edge), e->left_edge);
  LLVMBuildBr(e->b, e->leave);
  LLVMPositionBuilderAtEnd(e->b, on);
  LLVMBuildStore(e->b, steps, e->steps);
  LLVMBuildStore(e->b, LLVMBuildExtractValue(e->b, r, TP_RESULT_BITS, ""), e->bits);
  if (info->var.id && tp_func_of(e->p, callee)->result.id) {
    tp_native_value v = {LLVMBuildExtractValue(e->b, r, TP_RESULT_VALUE, ""), NULL};
    if (op->layout.kind == TP_SORT_PTR)
      v.object = LLVMBuildExtractValue(e->b, r, TP_RESULT_OBJECT, "");
    tp_emit_set_var(e, op, v, TP_NATIVE_MARK_NONE);
  }
  const tp_loc counted = e->counted;
  e->here = info->to;
  e->counted = TP_LOC_NONE;
  if (!is_inlined) tp_emit_check_steps(e);
  e->counted = counted;
  LLVMBuildBr(e->b, e->blocks[info->to.id]);
}

static void counters(tp_emitter *e, LLVMValueRef *args) {
  args[TP_PARAM_DEPTH] = e->depth;
  args[TP_PARAM_STEPS] = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  args[TP_PARAM_BITS] = LLVMBuildLoad2(e->b, e->i64, e->bits, "");
}

static void call_plain(tp_emitter *e, uint32_t edge, tp_func callee, const tp_native_value *v) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  LLVMValueRef *args = TP_NEW_ARRAY(LLVMValueRef, 2 * info->n_args + TP_N_PARAMS);
  unsigned n = TP_N_PARAMS;
  args[TP_PARAM_ENTRY] = tp_emit_u32(e, 0);
  counters(e, args);
  for (uint32_t i = 0; i < info->n_args; i++) {
    args[n++] = v[i].lo;
    if (v[i].object) args[n++] = v[i].object;
  }
  tp_emit_visits_of_call(e, (tp_edge){edge}, callee);
  LLVMValueRef r = LLVMBuildCall2(e->b, e->types[callee.id], e->funcs[callee.id], args, n, "");
  tp_free(args);
  come_back(e, edge, callee, e->is_inlined[callee.id], r);
}

/* At the call where the frame was left. */
static void call_again(tp_emitter *e, uint32_t edge) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  LLVMBasicBlockRef none = tp_emit_block(e);
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
  LLVMPositionBuilderAtEnd(e->b, e->again[info->from.id]);
  LLVMValueRef args[TP_N_PARAMS] = {
      LLVMBuildTrunc(e->b, tp_emit_frame_in(e, e->depth, 0), e->i32, "")};
  counters(e, args);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, tp_emit_frame_in(e, e->depth, 1), none, 4);
  for (uint32_t f = 1; f < e->p->funcs.n; f++) {
    if ((info->callee.id && info->callee.id != f) || !can_call(e, info, f)) continue;
    LLVMBasicBlockRef chosen = tp_emit_block(e);
    LLVMAddCase(sw, tp_emit_u64(e, f), chosen);
    LLVMPositionBuilderAtEnd(e->b, chosen);
    tp_emit_visits_of_call(e, (tp_edge){edge}, (tp_func){f});
    LLVMValueRef r =
        LLVMBuildCall2(e->b, e->again_types[f], e->again_funcs[f], args, TP_N_PARAMS, "");
    come_back(e, edge, (tp_func){f}, false, r);
  }
}

/* Which function, and a decision written down. */
static void choose_callee(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_native_value *v) {
  const tp_edge_info *info = &e->p->edges.at[edge];
  tp_native_value a;
  uint32_t k = tp_path_bits(tp_path_n_callees(e->p, (tp_edge){edge}));
  if (k) tp_emit_reserve_bits(e, k);
  if (!tp_emit_term(e, &op->a, &a)) {
    LLVMBuildUnreachable(e->b);
    return;
  }
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, a.lo, LLVMConstNull(e->off), ""),
                   TP_LEFT_TO_INTERPRETER);
  LLVMValueRef args[] = {tp_emit_self(e), a.object};
  LLVMValueRef f =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_callee, e->i32, TP_EFFECT_READ, args, 2);
  LLVMBasicBlockRef hard = tp_emit_block(e);
  LLVMValueRef sw = LLVMBuildSwitch(e->b, f, hard, 4);
  const tp_loc here = e->here;
  for (uint32_t i = 1; i < e->p->funcs.n; i++) {
    uint32_t number;
    if (!can_call(e, info, i) ||
        !tp_path_callee_number(e->p, (tp_edge){edge}, (tp_func){i}, &number))
      continue;
    LLVMBasicBlockRef chosen = tp_emit_block(e);
    LLVMAddCase(sw, tp_emit_u32(e, i), chosen);
    LLVMPositionBuilderAtEnd(e->b, chosen);
    e->here = here;
    if (k) tp_emit_bits(e, number, k);
    tp_emit_step(e);
    call_plain(e, edge, (tp_func){i}, v);
  }
  e->here = here;
  LLVMPositionBuilderAtEnd(e->b, hard);
  tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
  LLVMBuildUnreachable(e->b);
}

void tp_emit_function_call(tp_emitter *e, uint32_t edge, const tp_op *op) {
  TP_REQUIRE(e->p->edges.at[edge].kind == TP_E_CALL);
  const tp_edge_info *info = &e->p->edges.at[edge];
  tp_native_value *v = TP_NEW_ARRAY(tp_native_value, info->n_args + 1);
  LLVMValueRef most = tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_MAX_DEPTH), TP_ALIAS_SHARED);
  LLVMValueRef depth = LLVMBuildZExt(e->b, tp_emit_param(e, TP_PARAM_DEPTH), e->i64, "");
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, depth, most, ""), TP_LEFT_TO_INTERPRETER);
  bool ok = !info->callee.id || can_call(e, info, info->callee.id);
  if (!ok) tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
  for (uint32_t i = 0; i < info->n_args && ok; i++) ok = tp_emit_term(e, &op->args[i], &v[i]);
  if (!ok) {
    LLVMBuildUnreachable(e->b);
  } else if (info->callee.id) {
    tp_emit_step(e);
    call_plain(e, edge, info->callee, v);
  } else {
    choose_callee(e, edge, op, v);
  }
  if (e->is_again) call_again(e, edge);
  tp_free(v);
}

bool tp_emit_set_result(tp_emitter *e, const tp_op *op, const tp_edge_info *info) {
  TP_REQUIRE(info->kind == TP_E_RETURN);
  tp_var result = tp_func_of(e->p, e->func)->result;
  tp_native_value v;
  if (!tp_term_is(info->a) || !result.id) return true;
  if (!tp_emit_term(e, &op->a, &v)) return false;
  tp_layout l = tp_emit_layout(e, result);
  tp_emit_set(e, e->n->code->slot_of_var[result.id], e->n->code->var_is_global[result.id], l.kind,
              l.width_bits, v, TP_NATIVE_MARK_NONE);
  return true;
}

/* At the exit: back to the caller, if there is one. */
void tp_emit_return(tp_emitter *e) {
  tp_var result = tp_func_of(e->p, e->func)->result;
  LLVMValueRef r = LLVMConstNull(e->results[e->func.id]);
  tp_emit_leave_if(
      e, LLVMBuildICmp(e->b, LLVMIntEQ, tp_emit_param(e, TP_PARAM_DEPTH), tp_emit_u32(e, 1), ""),
      TP_LEFT_TO_INTERPRETER);
  if (result.id) {
    tp_layout l = tp_emit_layout(e, result);
    const tp_native_local *v = &e->locals[e->n->code->slot_of_var[result.id]];
    LLVMValueRef mark = LLVMBuildLoad2(e->b, e->i8, v->mark, "");
    tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, mark, LLVMConstInt(e->i8, 0, 0), ""),
                     TP_LEFT_TO_INTERPRETER);
    r = LLVMBuildInsertValue(e->b, r,
                             LLVMBuildLoad2(e->b, tp_emit_type(e, l.kind, l.width_bits), v->lo, ""),
                             TP_RESULT_VALUE, "");
    if (l.kind == TP_SORT_PTR)
      r = LLVMBuildInsertValue(e->b, r, LLVMBuildLoad2(e->b, e->i64, v->object, ""),
                               TP_RESULT_OBJECT, "");
  }
  r = LLVMBuildInsertValue(e->b, r, LLVMBuildLoad2(e->b, e->i64, e->steps, ""), TP_RESULT_STEPS,
                           "");
  r = LLVMBuildInsertValue(e->b, r, LLVMBuildLoad2(e->b, e->i64, e->bits, ""), TP_RESULT_BITS, "");
  LLVMBuildRet(e->b, r);
}

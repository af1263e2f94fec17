/* Functions of the program as functions of LLVM.
 *
 * Each location is a block; an edge computes, counts a step and branches to its target. An
 * operation that generated code cannot perform leaves the code *before* the edge: the function
 * spills its variables (tp_native_spill) and returns TP_NATIVE_LEFT, and so does every caller, each
 * at its call. The result is a whole state. So limits, errors, odd values, snapshots and injected
 * states have one mechanism.
 *
 * For re-entry there is a second LLVM function with all locations: at a cutpoint, or at a call,
 * which is repeated with the callee's re-entry. Edges into the middle of loops would hide the loops
 * from LLVM, and what is known of variables before them; so the plain function is entered at heads
 * of outermost loops only, and the second function jumps to the plain one there
 * (tp_emit_switch_to_plain). */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

#include <stdio.h>

static const tp_op *op_of(const tp_emitter *e, uint32_t edge) {
  return tp_code_op(e->n->code, edge);
}

// ----------------------------------------------------------------------- edges

/* Everything but calls. False: the code has been left. */
static bool operate(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info) {
  tp_native_value v;
  switch (info->kind) {
    case TP_E_SKIP: return true;
    case TP_E_ASSIGN:
      if (!tp_emit_has_value(op->layout)) return tp_emit_leave(e, TP_LEFT_TO_INTERPRETER), false;
      if (!tp_emit_term(e, &op->a, &v)) return false;
      tp_emit_set_var(e, op, v, TP_NATIVE_MARK_NONE);
      return true;
    case TP_E_ASSUME:
      if (tp_out_edges(e->p, info->from).n > 1) return true;
      if (!tp_emit_term(e, &op->a, &v)) return false;
      tp_emit_leave_if(e, LLVMBuildNot(e->b, v.lo, ""), TP_LEFT_TO_INTERPRETER);
      return true;
    case TP_E_LOAD:
      if (!tp_emit_memory_load(e, edge, op, &v)) return false;
      tp_emit_set_var(e, op, v, TP_NATIVE_MARK_NONE);
      return true;
    case TP_E_STORE: return tp_emit_memory_store(e, op, info);
    case TP_E_ALLOC: return tp_emit_alloc(e, edge, op, info);
    case TP_E_FREE: return tp_emit_end_object(e, edge, op);
    case TP_E_END_SCOPE: return tp_emit_end_object(e, edge, op);
    case TP_E_COPY: return tp_emit_memory_block(e, edge, op, info);
    case TP_E_SET: return tp_emit_memory_block(e, edge, op, info);
    case TP_E_HAVOC_MEMORY: return tp_emit_memory_block(e, edge, op, info);
    case TP_E_HAVOC: return tp_emit_havoc(e, edge, op, info, info->input);
    case TP_E_RETURN: return tp_emit_set_result(e, op, info);
    case TP_E_CALL:
      return tp_emit_havoc(e, edge, op, info, TP_I_EXTERN);  // of a function without body
  }
  return false;
}

/* Ends the block. */
static void edge(tp_emitter *e, uint32_t id) {
  TP_REQUIRE(id && id < e->p->edges.n);
  const tp_edge_info *info = &e->p->edges.at[id];
  const tp_op *op = op_of(e, id);
  if (tp_emit_is_real_call(e, info->from)) {
    tp_emit_function_call(e, id, op);
    return;
  }
  bool ok = operate(e, id, op, info);
  if (!ok) {
    LLVMBuildUnreachable(e->b);
    return;
  }
  tp_emit_step(e);
  if (tp_out_edges(e->p, info->to).n == 0)
    tp_emit_store(e, tp_emit_u64(e, id), tp_emit_shared(e, TP_RT_LAST_EDGE), TP_ALIAS_SHARED);
  LLVMBuildBr(e->b, e->blocks[info->to.id]);
}

/* One condition decides. Its bit is added before the branch: the code of the two edges may be so
 * short that LLVM needs no branch. */
static bool branch_on_condition(tp_emitter *e, const tp_snippet *condition,
                                const LLVMBasicBlockRef *taken) {
  tp_native_value v;
  if (!tp_emit_term(e, condition, &v)) return false;
  tp_emit_bit(e, LLVMBuildNot(e->b, v.lo, ""));
  LLVMBuildCondBr(e->b, v.lo, taken[0], taken[1]);
  return true;
}

/* One condition after another as the interpreter asks: the first that holds. */
static void branch_on_first(tp_emitter *e, tp_edge_list out, uint32_t k,
                            const LLVMBasicBlockRef *taken) {
  for (uint32_t i = 0; i < out.n; i++) {
    tp_native_value v;
    if (!tp_emit_term(e, &op_of(e, out.at[i])->a, &v)) break;
    LLVMBasicBlockRef next = tp_emit_block(e), chosen = tp_emit_block(e);
    LLVMBuildCondBr(e->b, v.lo, chosen, next);
    LLVMPositionBuilderAtEnd(e->b, chosen);
    tp_emit_bits(e, i, k);
    LLVMBuildBr(e->b, taken[i]);
    LLVMPositionBuilderAtEnd(e->b, next);
  }
  tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
  LLVMBuildUnreachable(e->b);
}

static void branch(tp_emitter *e, tp_loc l, tp_edge_list out) {
  LLVMBasicBlockRef *taken = TP_NEW_ARRAY(LLVMBasicBlockRef, out.n);
  for (uint32_t i = 0; i < out.n; i++) taken[i] = tp_emit_block(e);
  if (out.n != 2 || !e->n->code->second_is_else[l.id])
    branch_on_first(e, out, tp_path_bits(out.n), taken);
  else if (!branch_on_condition(e, &op_of(e, out.at[0])->a, taken))
    LLVMBuildUnreachable(e->b);
  for (uint32_t i = 0; i < out.n; i++) {
    LLVMPositionBuilderAtEnd(e->b, taken[i]);
    e->here = l;
    edge(e, out.at[i]);
  }
  tp_free(taken);
}

// ------------------------------------------------------------------- locations

/* Predicates of a cutpoint: a vector that has its place in the table was seen; any other leaves the
 * code. */
static void watch(tp_emitter *e, const tp_native_monitored *w, uint32_t which) {
  LLVMValueRef vector = tp_emit_u64(e, 0);
  for (size_t i = 0; i < w->n; i++) {
    tp_native_value v;
    tp_snippet sn = tp_code_of_term(e->n->code, w->predicates[i]);
    if (!tp_emit_term(e, &sn, &v)) continue;
    LLVMValueRef bit =
        LLVMBuildShl(e->b, LLVMBuildZExt(e->b, v.lo, e->i64, ""), tp_emit_u64(e, i), "");
    vector = LLVMBuildOr(e->b, vector, bit, "");
  }
  LLVMValueRef mixed = LLVMBuildMul(e->b, vector, tp_emit_u64(e, 0x9e3779b97f4a7c15u), "");
  LLVMValueRef place = LLVMBuildLShr(e->b, mixed, tp_emit_u64(e, 64 - 12), "");
  LLVMValueRef i[] = {
      LLVMBuildAdd(e->b, place, tp_emit_u64(e, (uint64_t)which * TP_EXEC_NATIVE_SEEN), "")};
  LLVMValueRef there =
      LLVMBuildLoad2(e->b, e->i64, LLVMBuildInBoundsGEP2(e->b, e->i64, e->seen, i, 1, ""), "");
  LLVMValueRef other =
      LLVMBuildICmp(e->b, LLVMIntNE, there, LLVMBuildAdd(e->b, vector, tp_emit_u64(e, 1), ""), "");
  tp_emit_leave_if(e, other, TP_LEFT_MONITOR);
}

/* Code compares the steps with the limit at entries of functions, where the word of decisions is
 * flushed, and at locations of cycles without decisions. */
static void arrive(tp_emitter *e, tp_loc l, tp_slot_list list) {
  bool is_entry = tp_func_of(e->p, e->func)->entry.id == l.id;
  if (e->is_again && e->is_head[l.id]) tp_emit_switch_to_plain(e, l, list);
  if ((is_entry && !e->is_inlined[e->func.id]) || (e->n->is_entry[l.id] && e->n->is_endless[l.id]))
    tp_emit_check_steps(e);
  if (e->room[l.id]) tp_emit_reserve_bits(e, e->room[l.id]);
  const uint32_t which = e->n->watch_of_loc[l.id];
  if (which) watch(e, &e->n->watched.at[which - 1], which - 1);
  tp_emit_visit(e, l);
}

static void location(tp_emitter *e, tp_loc l, tp_slot_list list) {
  TP_REQUIRE(e->blocks[l.id]);
  const tp_loc_info *info = tp_loc_of(e->p, l);
  tp_edge_list out = tp_out_edges(e->p, l);
  LLVMPositionBuilderAtEnd(e->b, e->blocks[l.id]);
  e->here = l;
  e->counted = TP_LOC_NONE;
  arrive(e, l, list);
  if (out.n == 0) {
    bool ends = info->error != TP_P_NONE || info->is_unsupported ||
                tp_func_of(e->p, info->func)->exit.id != l.id;
    if (!ends) {
      tp_emit_return(e);
      return;
    }
    tp_emit_leave(e, TP_LEFT_TO_INTERPRETER);
    LLVMBuildUnreachable(e->b);
  } else if (out.n == 1) {
    edge(e, out.at[0]);
  } else {
    branch(e, l, out);
  }
}

// ------------------------------------------------------------------- functions

/* Small functions without loops and calls become part of their callers. */
static bool is_inlined(const tp_emitter *e, uint32_t f) {
  size_t edges = 0;
  for (uint32_t l = 1; l < e->p->locs.n; l++) {
    const tp_loc_info *info = &e->p->locs.at[l];
    if (info->func.id != f || info->order == TP_ORDER_NONE) continue;
    edges += tp_out_edges(e->p, (tp_loc){l}).n;
    if (info->is_cutpoint || info->is_loop_head || tp_emit_is_real_call(e, (tp_loc){l}))
      return false;
  }
  return edges <= TP_EXEC_NATIVE_INLINED &&
         tp_code_slots(e->n->code, (tp_func){f}).n <= TP_EXEC_NATIVE_INLINED;
}

static void declare(tp_emitter *e, uint32_t f) {
  const tp_func_info *info = &e->p->funcs.at[f];
  LLVMTypeRef *params = TP_NEW_ARRAY(LLVMTypeRef, 2 * info->n_params + TP_N_PARAMS),
              result[4] = {e->i64, e->i64};
  unsigned n = TP_N_PARAMS, n_result = TP_RESULT_VALUE;
  params[TP_PARAM_ENTRY] = params[TP_PARAM_DEPTH] = e->i32;
  params[TP_PARAM_STEPS] = params[TP_PARAM_BITS] = e->i64;
  for (uint32_t i = 0; i < info->n_params; i++) {
    tp_layout l = tp_emit_layout(e, info->params[i]);
    params[n++] = tp_emit_type(e, l.kind, l.width_bits);
    if (l.kind == TP_SORT_PTR) params[n++] = e->i64;
  }
  if (info->result.id) {
    tp_layout l = tp_emit_layout(e, info->result);
    result[n_result++] = tp_emit_type(e, l.kind, l.width_bits);
    if (l.kind == TP_SORT_PTR) result[n_result++] = e->i64;
  }
  e->results[f] = LLVMStructTypeInContext(e->c, result, n_result, 0);
  e->types[f] = LLVMFunctionType(e->results[f], params, n, 0);
  e->again_types[f] = LLVMFunctionType(e->results[f], params, TP_N_PARAMS, 0);
  char name[32];
  snprintf(name, sizeof name, "f%u", f);
  e->funcs[f] = LLVMAddFunction(e->m, name, e->types[f]);
  snprintf(name, sizeof name, "again%u", f);
  e->again_funcs[f] = LLVMAddFunction(e->m, name, e->again_types[f]);
  const LLVMValueRef both[] = {e->funcs[f], e->again_funcs[f]};
  for (int i = 0; i < 2; i++) {
    LLVMSetLinkage(both[i], LLVMInternalLinkage);
    tp_emit_attribute(e, both[i], e->attr_nounwind, 0);
  }
  e->is_inlined[f] = is_inlined(e, f);
  if (e->is_inlined[f])
    tp_emit_attribute(e, e->funcs[f], LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
  tp_free(params);
}

static bool is_large(const tp_emitter *e, tp_slot_list list) {
  size_t locations = 0;
  for (size_t l = 1; l < e->p->locs.n; l++) locations += e->p->locs.at[l].func.id == e->func.id;
  return locations * list.n > 20000;
}

static void make_blocks(tp_emitter *e) {
  for (uint32_t l = 1; l < e->p->locs.n; l++) {
    e->blocks[l] = e->again[l] = NULL;
    if (e->p->locs.at[l].func.id != e->func.id || e->p->locs.at[l].order == TP_ORDER_NONE) continue;
    e->blocks[l] = tp_emit_block(e);
    if (e->is_again && tp_emit_is_real_call(e, (tp_loc){l})) e->again[l] = tp_emit_block(e);
    for (uint32_t i = 0; i < TP_EXITS_OF_LOCATION; i++)
      e->exits[TP_EXITS_OF_LOCATION * l + i] = NULL;
  }
}

static void leaving(tp_emitter *e, tp_slot_list list) {
  LLVMPositionBuilderAtEnd(e->b, e->leave_own);
  tp_emit_store_counters(e);
  LLVMBuildBr(e->b, e->leave);
  LLVMPositionBuilderAtEnd(e->b, e->leave);
  tp_emit_write_locals(e, list);
  LLVMValueRef none = LLVMConstNull(e->results[e->func.id]);
  LLVMBuildRet(
      e->b, LLVMBuildInsertValue(e->b, none, tp_emit_u64(e, TP_NATIVE_LEFT), TP_RESULT_STEPS, ""));
}

static void body(tp_emitter *e, tp_slot_list list, LLVMValueRef fn, bool is_again) {
  e->fn = fn;
  e->is_again = is_again;
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
  LLVMBasicBlockRef start = tp_emit_block(e);
  make_blocks(e);
  e->leave = tp_emit_block(e);
  e->leave_own = tp_emit_block(e);
  e->steps = tp_emit_zero_slot(e, e->i64);
  e->bits = tp_emit_zero_slot(e, e->i64);
  e->left_loc = tp_emit_zero_slot(e, e->i32);
  e->left_edge = tp_emit_zero_slot(e, e->i32);
  e->depth = LLVMBuildAdd(e->b, tp_emit_param(e, TP_PARAM_DEPTH), tp_emit_u32(e, 1), "");
  e->args = LLVMBuildAlloca(e->b, LLVMArrayType2(e->i64, 6), "");
  tp_emit_locals(e, list);
  LLVMBuildStore(e->b, tp_emit_param(e, TP_PARAM_STEPS), e->steps);
  LLVMBuildStore(e->b, tp_emit_param(e, TP_PARAM_BITS), e->bits);
  tp_emit_visits_of_frame(e);
  tp_emit_dispatch(e, start, list);
  for (uint32_t l = 1; l < e->p->locs.n; l++)
    if (e->blocks[l]) location(e, (tp_loc){l}, list);
  leaving(e, list);
}

static void function(tp_emitter *e, uint32_t f) {
  e->func = (tp_func){f};
  tp_slot_list list = tp_code_slots(e->n->code, e->func);
  e->locals = TP_NEW_ARRAY(tp_native_local, list.n + 1);
  e->is_large = is_large(e, list);
  e->status = tp_emit_mark_status(e, e->func, list.n);
  body(e, list, e->funcs[f], false);
  body(e, list, e->again_funcs[f], true);
  tp_free(e->status);
  tp_free(e->locals);
}

/* start(steps, bits) enters the outermost frame again. */
static void start_function(tp_emitter *e) {
  LLVMTypeRef params[] = {e->i64, e->i64},
              t = LLVMFunctionType(LLVMVoidTypeInContext(e->c), params, 2, 0);
  e->fn = LLVMAddFunction(e->m, "start", t);
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
  LLVMBasicBlockRef none = tp_emit_block(e);
  LLVMValueRef one = tp_emit_u32(e, 1);
  LLVMValueRef args[TP_N_PARAMS] = {LLVMBuildTrunc(e->b, tp_emit_frame_in(e, one, 0), e->i32, ""),
                                    one, tp_emit_param(e, 0), tp_emit_param(e, 1)};
  LLVMValueRef sw = LLVMBuildSwitch(e->b, tp_emit_frame_in(e, one, 1), none, 4);
  for (uint32_t f = 1; f < e->p->funcs.n; f++) {
    if (!e->funcs[f]) continue;
    LLVMBasicBlockRef b = tp_emit_block(e);
    LLVMAddCase(sw, tp_emit_u64(e, f), b);
    LLVMPositionBuilderAtEnd(e->b, b);
    (void)LLVMBuildCall2(e->b, e->again_types[f], e->again_funcs[f], args, TP_N_PARAMS, "");
    LLVMBuildRetVoid(e->b);
  }
  LLVMPositionBuilderAtEnd(e->b, none);
  LLVMBuildUnreachable(e->b);
}

/* descriptor(object): the address of the object's record. A function until LLVM has optimised
 * loops: LLVM may move a read of memory upward only if the address is dereferenceable, which can be
 * declared for results of functions only. */
static void descriptor_function(tp_emitter *e) {
  LLVMTypeRef t = LLVMFunctionType(e->ptr, &e->i64, 1, 0);
  e->fn = e->descriptor = LLVMAddFunction(e->m, "descriptor", t);
  LLVMSetLinkage(e->fn, LLVMInternalLinkage);
  tp_emit_attribute(e, e->fn, e->attr_nounwind, 0);
  tp_emit_attribute(e, e->fn, e->attr_willreturn, 0);
  tp_emit_attribute(e, e->fn, e->attr_memory, 0);
  tp_emit_attribute(e, e->fn, LLVMGetEnumAttributeKindForName("speculatable", 12), 0);
  unsigned dereferenceable = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
  LLVMAddAttributeAtIndex(e->fn, LLVMAttributeReturnIndex,
                          LLVMCreateEnumAttribute(e->c, dereferenceable, sizeof(tp_native_object)));
  LLVMAddAttributeAtIndex(
      e->fn, LLVMAttributeReturnIndex,
      LLVMCreateEnumAttribute(e->c, LLVMGetEnumAttributeKindForName("align", 5), 64));
  LLVMPositionBuilderAtEnd(e->b, tp_emit_block(e));
  LLVMValueRef object = tp_emit_param(e, 0);
  LLVMValueRef known =
      LLVMBuildICmp(e->b, LLVMIntULT, object, tp_emit_u64(e, TP_EXEC_NATIVE_OBJECTS), "");
  LLVMValueRef i[] = {LLVMBuildShl(
      e->b, LLVMBuildSelect(e->b, known, object, tp_emit_u64(e, 0), ""), tp_emit_u64(e, 3), "")};
  LLVMBuildRet(e->b, LLVMBuildInBoundsGEP2(e->b, e->i64, e->objects, i, 1, ""));
}

static bool is_compiled(const tp_emitter *e, const tp_func_info *f) {
  if (!f->has_body || !f->entry.id) return false;
  if (f->result.id &&
      (!tp_emit_has_value(tp_emit_layout(e, f->result)) || e->n->code->var_is_global[f->result.id]))
    return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!tp_emit_has_value(tp_emit_layout(e, f->params[i]))) return false;
  return true;
}

/* Heads of outermost loops that nothing else leads into. */
static void find_heads(tp_emitter *e) {
  for (size_t i = 1; i < e->p->loops.n; i++) {
    const tp_loop *l = &e->p->loops.at[i];
    if (!l->parent && !l->is_irreducible) e->is_head[l->head.id] = true;
  }
}

tp_status tp_emit_program(tp_emitter *e, tp_str *why) {
  size_t n = e->p->funcs.n, locs = e->p->locs.n;
  e->funcs = TP_NEW_ARRAY(LLVMValueRef, n);
  e->again_funcs = TP_NEW_ARRAY(LLVMValueRef, n);
  e->types = TP_NEW_ARRAY(LLVMTypeRef, n);
  e->again_types = TP_NEW_ARRAY(LLVMTypeRef, n);
  e->results = TP_NEW_ARRAY(LLVMTypeRef, n);
  e->blocks = TP_NEW_ARRAY(LLVMBasicBlockRef, locs);
  e->again = TP_NEW_ARRAY(LLVMBasicBlockRef, locs);
  e->exits = TP_NEW_ARRAY(
      LLVMBasicBlockRef,
      TP_EXITS_OF_LOCATION * locs);  // a location is of one function: never asked for by another
  e->is_head = TP_NEW_ARRAY(bool, locs);
  e->room = tp_emit_reserved_bits(e->p);
  e->is_inlined = TP_NEW_ARRAY(bool, n);
  find_heads(e);
  descriptor_function(e);
  for (uint32_t f = 1; f < n; f++)
    if ((e->n->is_compiled[f] = is_compiled(e, &e->p->funcs.at[f]))) declare(e, f);
  tp_emit_find_statics(e);
  bool ok = e->p->main.id && e->funcs[e->p->main.id];
  if (!ok) tp_str_add(why, "main has parameters or a result that are no machine values");
  for (uint32_t f = 1; f < n && ok; f++)
    if (e->funcs[f]) function(e, f);
  if (ok) start_function(e);
  tp_free(e->funcs);
  tp_free(e->again_funcs);
  tp_free(e->types);
  tp_free(e->again_types);
  tp_free(e->results);
  tp_free(e->blocks);
  tp_free(e->again);
  tp_free(e->exits);
  tp_free(e->is_head);
  tp_free(e->room);
  tp_free(e->is_inlined);
  tp_emit_free_statics(e);
  return ok ? TP_OK : TP_ERR_UNSUPPORTED;
}

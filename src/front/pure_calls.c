/* Calls of functions without body that are declared const or pure.
 *
 * The result is an input, and an assumption behind the call excludes some results that no such
 * function returns:
 *
 *   const  the same arguments give the same result in the whole run. Hidden globals hold arguments
 *          and result of the last call of up to TP_FRONT_CALL_MEMO_SLOTS places in the text; each
 *          call compares with all of them. (Where lost memory is an error: as for pure.)
 *   pure   the same, as long as the memory is the same that the function reads. Compared are calls
 *          of one basic block with nothing between them that writes memory; variables whose address
 *          is never taken are no memory.
 *
 * Other impossible results are excluded by the replay, before a verdict FALSE
 * (certify/runs/purity.h). Proofs consider them, which is sound. Floating arguments are not
 * compared: equal terms need not have equal bits. */
#include "front/front_priv.h"

#include "front/front_limits.h"

/* Attributes of the function as a whole: its only effect is its result. */
tp_purity tp_fe_purity(LLVMValueRef callee) {
  TP_REQUIRE(LLVMIsAFunction(callee));
  enum { WRITES = 0x2a };  // the upper one of two bits for each kind of memory
  const unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef memory =
      LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
  if (!memory) return TP_IMPURE;
  const uint64_t value = LLVMGetEnumAttributeValue(memory);
  return value == 0 ? TP_CONST : value & WRITES ? TP_IMPURE : TP_PURE;
}

struct tp_call_memo {
  tp_func f;
  uint32_t n_slots, n_calls;
  tp_var called[TP_FRONT_CALL_MEMO_SLOTS], result[TP_FRONT_CALL_MEMO_SLOTS];
  const tp_var *args[TP_FRONT_CALL_MEMO_SLOTS];
};

static tp_term term_of(const tp_fb *fb, tp_var v) { return tp_var_of(fb->p, v)->term; }

static tp_term zero_of(tp_terms *tt, tp_sort sort) {
  const uint32_t width = tp_sort_width(tt, sort);
  switch (tp_sort_kind_of(tt, sort)) {
    case TP_SORT_BOOL: return tp_mk_false(tt);
    case TP_SORT_PTR: return tp_mk_null(tt);
    case TP_SORT_FP: return tp_mk_fp(tt, width, 0);
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return tp_mk_bv(tt, width, 0);
}

static tp_var hidden_global(tp_fb *fb, const char *name, const char *what, uint32_t slot,
                            tp_sort sort) {
  tp_var_info info = {.name = tp_fe_printf(fb->fe, "%s%s.%s%u", TP_HIDDEN_PREFIX, name, what, slot),
                      .kind = TP_V_GLOBAL,
                      .initial = zero_of(fb->tt, sort),
                      .is_internal = true};
  return tp_program_add_var(fb->p, info, sort);
}

static uint32_t count_calls(LLVMValueRef callee) {
  uint32_t n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(callee); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    n += LLVMIsACallInst(user) && LLVMGetCalledValue(user) == callee;
  }
  return n;
}

static tp_call_memo *memo_of(tp_fb *fb, LLVMValueRef callee, const tp_recorded_call *call) {
  tp_fe *fe = fb->fe;
  for (size_t i = 0; i < fe->memos.n; i++)
    if (fe->memos.at[i]->f.id == call->f.id) return fe->memos.at[i];
  tp_call_memo *m = tp_arena_array(&fe->p->arena, tp_call_memo, 1);
  const uint32_t n = count_calls(callee);
  *m = (tp_call_memo){.f = call->f,
                      .n_slots = n < 1                          ? 1
                                 : n > TP_FRONT_CALL_MEMO_SLOTS ? TP_FRONT_CALL_MEMO_SLOTS
                                                                : n};
  for (uint32_t k = 0; k < m->n_slots; k++) {
    tp_var *args = tp_arena_array(&fe->p->arena, tp_var, call->n_args + 1);
    for (uint32_t i = 0; i < call->n_args; i++)
      args[i] = hidden_global(fb, call->name, tp_fe_printf(fe, "argument%u.", i + 1), k + 1,
                              tp_sort_of(fb->tt, call->args[i]));
    m->args[k] = args;
    m->called[k] = hidden_global(fb, call->name, "called", k + 1, tp_sort_bool(fb->tt));
    m->result[k] = hidden_global(fb, call->name, "result", k + 1,
                                 tp_sort_of(fb->tt, term_of(fb, call->result)));
  }
  tp_vec_push(&fe->memos, m);
  return m;
}

static bool has_float(const tp_fb *fb, const tp_recorded_call *call) {
  bool any = false;
  for (uint32_t i = 0; i < call->n_args; i++)
    any |= tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, call->args[i])) == TP_SORT_FP;
  return any;
}

static void compare_with_earlier(tp_fb *fb, LLVMValueRef callee, const tp_recorded_call *call) {
  tp_terms *tt = fb->tt;
  tp_call_memo *m = memo_of(fb, callee, call);
  tp_term consistent = tp_mk_true(tt), result = term_of(fb, call->result);
  for (uint32_t k = 0; k < m->n_slots; k++) {
    tp_term same = term_of(fb, m->called[k]);
    for (uint32_t i = 0; i < call->n_args; i++)
      same = tp_mk_and(tt, same, tp_mk_eq(tt, term_of(fb, m->args[k][i]), call->args[i]));
    consistent = tp_mk_and(
        tt, consistent,
        tp_mk_or(tt, tp_mk_not(tt, same), tp_mk_eq(tt, term_of(fb, m->result[k]), result)));
  }
  tp_fb_assume(fb, consistent, NULL);
  const uint32_t k = m->n_calls++ % m->n_slots;
  for (uint32_t i = 0; i < call->n_args; i++) tp_fb_assign(fb, m->args[k][i], call->args[i]);
  tp_fb_assign(fb, m->result[k], result);
  tp_fb_assign(fb, m->called[k], tp_mk_true(tt));
}

// ------------------------------------------------------------------------- pure

bool tp_fe_has_pure(tp_fe *fe) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f && fe->has_pure == TP_HAS_PURE_UNKNOWN;
       f = LLVMGetNextFunction(f)) {
    size_t n;
    const bool is_own = strncmp(LLVMGetValueName2(f, &n), "llvm.", 5) != 0 && LLVMIsDeclaration(f);
    if (is_own && tp_fe_purity(f) == TP_PURE) fe->has_pure = TP_HAS_PURE_YES;
  }
  if (fe->has_pure == TP_HAS_PURE_UNKNOWN) fe->has_pure = TP_HAS_PURE_NO;
  return fe->has_pure == TP_HAS_PURE_YES;
}

/* Could this instruction, which stands between two calls, change the memory that the function
 * reads? */
static bool may_change(tp_fb *fb, LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst)) {
    const tp_stack_slot *slot = tp_fb_slot(fb, LLVMGetOperand(inst, 1));
    return !slot || slot->is_object || LLVMGetVolatile(inst);
  }
  if (LLVMIsALoadInst(inst)) return LLVMGetVolatile(inst);
  if (LLVMIsACallInst(inst)) {
    size_t n = 0;
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    if (strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.", 14) == 0)
      return false;
    return !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) ||
           tp_fe_purity(callee) == TP_IMPURE;
  }
  switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMVAArg:
    case LLVMInvoke:
    case LLVMCallBr: return true;
    default: return false;
  }
}

static const tp_recorded_call *asked_at(const tp_fb *fb, LLVMValueRef inst) {
  for (size_t i = fb->asked.n; i-- > 0;)
    if (fb->asked.at[i].inst == inst) return &fb->asked.at[i];
  return NULL;
}

static void compare_within_block(tp_fb *fb, const tp_recorded_call *call) {
  tp_terms *tt = fb->tt;
  tp_term consistent = tp_mk_true(tt), result = term_of(fb, call->result);
  for (LLVMValueRef at = LLVMGetPreviousInstruction(call->inst); at && !may_change(fb, at);
       at = LLVMGetPreviousInstruction(at)) {
    const tp_recorded_call *before = LLVMIsACallInst(at) ? asked_at(fb, at) : NULL;
    if (!before || before->f.id != call->f.id) continue;
    tp_term same = tp_mk_true(tt);
    for (uint32_t i = 0; i < call->n_args; i++)
      same = tp_mk_and(tt, same, tp_mk_eq(tt, before->args[i], call->args[i]));
    consistent = tp_mk_and(
        tt, consistent,
        tp_mk_or(tt, tp_mk_not(tt, same), tp_mk_eq(tt, term_of(fb, before->result), result)));
  }
  tp_fb_assume(fb, consistent, NULL);
}

void tp_fb_lower_pure_call(tp_fb *fb, LLVMValueRef callee, tp_recorded_call call, tp_type type) {
  TP_REQUIRE(tp_fe_purity(callee) != TP_IMPURE && call.result.id);
  const tp_purity purity = tp_fe_purity(callee);
  for (uint32_t i = 0; i < call.n_args;
       i++) {  // operands of the arguments may change before the next call
    if (tp_is_const(fb->tt, call.args[i])) continue;
    tp_var copy = tp_fb_temp(fb, tp_sort_of(fb->tt, call.args[i]), TP_TYPE_NONE);
    tp_fb_assign(fb, copy, call.args[i]);
    call.args[i] = term_of(fb, copy);
  }
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC,
                                      .input = TP_I_EXTERN,
                                      .name = call.name,
                                      .callee = call.f,
                                      .args = call.args,
                                      .n_args = call.n_args,
                                      .var = call.result,
                                      .type = type});
  fb->p->funcs.at[call.f.id].purity = purity;
  tp_fe_add_assumption(fb->fe, tp_fe_printf(fb->fe, "function %s is what it is declared: %s",
                                            call.name, purity == TP_CONST ? "const" : "pure"));
  if (fb->dead || has_float(fb, &call)) return;
  // objects that hidden globals point to would not count as leaked
  if (purity == TP_CONST && !fb->fe->check_leak)
    compare_with_earlier(fb, callee, &call);
  else
    compare_within_block(fb, &call);
  tp_vec_push(&fb->asked, call);
}

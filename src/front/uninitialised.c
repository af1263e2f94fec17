/* Reads of uninitialised variables (C11 6.3.2.1p2), for the property `undefined`.
 *
 * A local scalar whose address is not taken is undefined to read before something was stored into
 * it. Each variable that a search over the function finds to be read before a store has a
 * companion, a Boolean variable `is_set`: false where the lifetime starts, and after a store
 * whether the stored value was set itself. A value that is only copied into another local is no
 * failure. A failure is the read of a value that decides a branch, is an address or a divisor, an
 * argument or a result: there the compiled program shows it too (MemorySanitizer).
 *
 * What is stored into memory counts as set: objects in memory have no companions. */
#include "front/front_priv.h"

#include "front/front_limits.h"

static LLVMValueRef storage_of(LLVMValueRef load) {
  return LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
}

/* Does the instruction compute its result from its operands, and nothing else? */
static bool is_computation(LLVMValueRef inst) {
  if (LLVMIsABinaryOperator(inst) || LLVMIsACastInst(inst) || LLVMIsACmpInst(inst) ||
      LLVMIsAGetElementPtrInst(inst) || LLVMIsASelectInst(inst) || LLVMIsAExtractValueInst(inst) ||
      LLVMIsAInsertValueInst(inst) || LLVMIsAFreezeInst(inst) || LLVMIsAUnaryOperator(inst) ||
      LLVMIsAPHINode(inst))
    return true;
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  size_t n;
  return callee && LLVMIsAFunction(callee) &&
         strncmp(LLVMGetValueName2(callee, &n), "llvm.", 5) == 0 &&
         LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind;
}

// ------------------------------------------------------------- sources of a value

typedef struct {
  LLVMValueRef at[TP_FRONT_SOURCES];
  size_t n;
  bool is_full;
} values;

static void add_value(values *v, LLVMValueRef x) {
  for (size_t i = 0; i < v->n; i++)
    if (v->at[i] == x) return;
  if (v->n == TP_FRONT_SOURCES)
    v->is_full = true;
  else
    v->at[v->n++] = x;
}

/* The value and all values from which it is computed, down to loads. */
static void collect_sources(LLVMValueRef value, values *out) {
  add_value(out, value);
  for (size_t i = 0; i < out->n; i++) {
    LLVMValueRef x = out->at[i];
    if (!LLVMIsAInstruction(x) || !is_computation(x)) continue;
    for (int k = 0, n = LLVMGetNumOperands(x); k < n; k++)
      if (LLVMIsAInstruction(LLVMGetOperand(x, (unsigned)k)))
        add_value(out, LLVMGetOperand(x, (unsigned)k));
  }
}

/* A phi takes one of its operands: which one is not followed. */
static bool has_choice(const values *v) {
  for (size_t i = 0; i < v->n; i++)
    if (LLVMIsAPHINode(v->at[i]) || LLVMIsASelectInst(v->at[i])) return true;
  return v->is_full;
}

/* Was everything set that the value is computed from? */
static tp_term set_of(tp_fb *fb, LLVMValueRef value) {
  values from = {.n = 0};
  tp_term all = tp_mk_true(fb->tt);
  collect_sources(value, &from);
  if (has_choice(&from)) return all;  // such reads are failures themselves
  for (size_t i = 0; i < from.n; i++) {
    const tp_stack_slot *slot =
        storage_of(from.at[i]) ? tp_fb_slot(fb, storage_of(from.at[i])) : NULL;
    if (slot && slot->is_set.id) all = tp_mk_and(fb->tt, all, tp_var_of(fb->p, slot->is_set)->term);
  }
  return all;
}

// --------------------------------------------------------- what a value is used for

static bool is_trap_branch(tp_fb *fb, LLVMValueRef branch) {
  const char *message;
  for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++)
    if (tp_fe_trap_block(fb->fe, LLVMGetSuccessor(branch, k), &message) != TP_P_NONE) return true;
  return false;
}

/* Where clang puts what a function returns. */
static bool is_result_slot(LLVMValueRef storage) {
  size_t n;
  return LLVMIsAAllocaInst(storage) && strcmp(LLVMGetValueName2(storage, &n), "retval") == 0;
}

static bool is_division(LLVMValueRef inst) {
  if (!LLVMIsABinaryOperator(inst)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

typedef enum { NO_USE, FLOWS_ON, FLOWS_TO_RESULT, DECIDES } use_kind;

static use_kind kind_of_use(tp_fb *fb, LLVMValueRef user, LLVMValueRef value) {
  if (is_computation(user))
    return is_division(user) && LLVMGetOperand(user, 1) == value ? DECIDES : FLOWS_ON;
  if (LLVMIsABranchInst(user)) return is_trap_branch(fb, user) ? NO_USE : DECIDES;
  if (LLVMIsALoadInst(user)) return DECIDES;  // as an address
  if (LLVMIsAStoreInst(user)) {
    if (LLVMGetOperand(user, 1) == value) return DECIDES;
    return is_result_slot(LLVMGetOperand(user, 1)) ? FLOWS_TO_RESULT : NO_USE;
  }
  return LLVMIsASwitchInst(user) || LLVMIsAReturnInst(user) || LLVMIsACallInst(user) ? DECIDES
                                                                                     : NO_USE;
}

/* The first instruction found for which the value decides something; NULL: it is only copied. */
static LLVMValueRef deciding_use(tp_fb *fb, LLVMValueRef load) {
  values reached = {.n = 0};
  add_value(&reached, load);
  bool is_copied = false;
  for (size_t i = 0; i < reached.n; i++)
    for (LLVMUseRef u = LLVMGetFirstUse(reached.at[i]); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (!LLVMIsAInstruction(user)) continue;
      switch (kind_of_use(fb, user, reached.at[i])) {
        case NO_USE: is_copied = true; break;
        case DECIDES: return user;
        case FLOWS_ON: add_value(&reached, user); break;
        case FLOWS_TO_RESULT:
          for (LLVMUseRef r = LLVMGetFirstUse(LLVMGetOperand(user, 1)); r; r = LLVMGetNextUse(r))
            if (LLVMIsALoadInst(LLVMGetUser(r))) add_value(&reached, LLVMGetUser(r));
          break;
      }
    }
  return is_copied && has_choice(&reached) ? load : NULL;
}

// --------------------------------------------------------------------- companions

static bool may_be_uninitialised(const tp_fe *fe, LLVMValueRef storage) {
  return tp_map_has(&fe->uninitialised, tp_fe_key(storage));
}

/* May a store into the variable copy an uninitialised value? */
static bool copies_uninitialised(const tp_fe *fe, LLVMValueRef alloca) {
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef store = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 1) != alloca) continue;
    values from = {.n = 0};
    collect_sources(LLVMGetOperand(store, 0), &from);
    for (size_t i = 0; i < from.n; i++)
      if (storage_of(from.at[i]) && may_be_uninitialised(fe, storage_of(from.at[i]))) return true;
  }
  return false;
}

// ------------------------------------------------------------------------ results

static bool has_companion_result(const tp_fe *fe, LLVMValueRef fn) {
  return fe->check_undefined && !LLVMIsDeclaration(fn) && !tp_fe_is_model(fn);
}

/* Is the result read in this block before it is set; if neither happens, *goes_on. Only a scalar
 * has stores that are seen. */
static bool reads_result(tp_fe *fe, LLVMBasicBlockRef bb, bool *goes_on) {
  *goes_on = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsALoadInst(i) && is_result_slot(LLVMGetOperand(i, 0)))
      return tp_fe_promotable(fe, LLVMGetOperand(i, 0));
    if (LLVMIsAStoreInst(i) && is_result_slot(LLVMGetOperand(i, 1))) return false;
  }
  *goes_on = true;
  return false;
}

/* May the function come to its end without a result? A plain search over blocks. (main has one
 * then: 0.) */
static bool may_lack_result(tp_fe *fe, LLVMValueRef fn) {
  if (!has_companion_result(fe, fn) ||
      LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(fn))) == LLVMVoidTypeKind)
    return false;
  tp_map seen = {0};
  TP_VEC(LLVMBasicBlockRef) work = {0};
  bool found = false, goes_on;
  tp_vec_push(&work, LLVMGetEntryBasicBlock(fn));
  while (work.n > 0 && !found) {
    LLVMBasicBlockRef bb = tp_vec_pop(&work);
    if (tp_map_has(&seen, tp_fe_key(bb))) continue;
    tp_map_set(&seen, tp_fe_key(bb), 1);
    found = reads_result(fe, bb, &goes_on);
    LLVMValueRef last = goes_on ? LLVMGetBasicBlockTerminator(bb) : NULL;
    for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++)
      tp_vec_push(&work, LLVMGetSuccessor(last, k));
  }
  tp_map_clear(&seen);
  tp_vec_clear(&work);
  return found;
}

static tp_var result_variable(tp_fe *fe) {
  tp_var_info info = {.name = "result.is_set", .kind = TP_V_GLOBAL, .initial = tp_mk_true(fe->tt)};
  if (!fe->result_is_set.id)
    fe->result_is_set = tp_program_add_var(fe->p, info, tp_sort_bool(fe->tt));
  return fe->result_is_set;
}

void tp_fb_mark_result(tp_fb *fb) {
  if (fb->result_is_set.id)
    tp_fb_assign(fb, result_variable(fb->fe), tp_var_of(fb->p, fb->result_is_set)->term);
}

static tp_pos end_of(tp_fe *fe, LLVMValueRef fn) {
  tp_pos pos = TP_POS_NONE;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(bb);
    if (last && LLVMIsAReturnInst(last)) pos = tp_fe_pos_of(fe, last);
  }
  return pos;
}

/* The end of the function was reached without a result, and its caller uses it (6.9.1p12). The
 * compiled program shows it where the function ends, so the failure stands there. */
void tp_fb_check_result(tp_fb *fb, LLVMValueRef call, LLVMValueRef callee) {
  TP_REQUIRE(LLVMIsACallInst(call));
  if (fb->dead || !LLVMGetFirstUse(call) || !has_companion_result(fb->fe, fb->fn) ||
      !may_lack_result(fb->fe, callee))
    return;
  tp_pos before = fb->pos, there = end_of(fb->fe, callee);
  if (tp_pos_known(there)) fb->pos = there;
  tp_fb_check_manner(fb, tp_var_of(fb->p, result_variable(fb->fe))->term, TP_P_UNDEFINED,
                     TP_FAILS_UNINITIALISED,
                     tp_fe_printf(fb->fe, "%s ends without a result, and its caller uses it",
                                  tp_fe_func_name(fb->fe, callee)));
  fb->pos = before;
}

static bool can_have_companion(tp_fe *fe, LLVMValueRef inst) {
  return LLVMIsAAllocaInst(inst) && !is_result_slot(inst) && tp_fe_promotable(fe, inst);
}

void tp_fe_find_uninitialised(tp_fe *fe, const tp_lowering_plan *plan) {
  tp_map_clear(&fe->uninitialised);
  if (!fe->check_undefined || tp_fe_is_model(plan->fn)) return;
  for (uint32_t i = 0; i < plan->n_inst; i++) {
    LLVMValueRef inst = plan->at[i].inst,
                 storage = LLVMIsADbgDeclareInst(inst) ? tp_fe_declared_storage(inst) : NULL;
    if (storage && can_have_companion(fe, storage) &&
        tp_fe_may_read_uninitialised(fe, plan, storage, 0, NULL))
      tp_map_set(&fe->uninitialised, tp_fe_key(storage), 1);
  }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < plan->n_inst; i++) {
      LLVMValueRef inst = plan->at[i].inst;
      if (!can_have_companion(fe, inst) || may_be_uninitialised(fe, inst) ||
          !copies_uninitialised(fe, inst))
        continue;
      tp_map_set(&fe->uninitialised, tp_fe_key(inst), 1);
      again = true;
    }
  }
}

void tp_fb_add_companions(tp_fb *fb) {
  if (may_lack_result(fb->fe, fb->fn)) {
    fb->result_is_set = tp_fb_temp(fb, tp_sort_bool(fb->tt), TP_TYPE_NONE);
    tp_fb_assign(fb, fb->result_is_set, tp_mk_false(fb->tt));
  }
  for (size_t i = 0; i < fb->slots.n; i++) {
    tp_stack_slot *slot = &fb->slots.at[i];
    if (slot->is_object || !may_be_uninitialised(fb->fe, slot->inst)) continue;
    slot->is_set = tp_fb_temp(fb, tp_sort_bool(fb->tt), TP_TYPE_NONE);
    tp_fb_assign(fb, slot->is_set, tp_mk_bool(fb->tt, slot->is_param));
  }
}

void tp_fb_mark_uninitialised(tp_fb *fb, const tp_stack_slot *slot) {
  if (slot->is_set.id) tp_fb_assign(fb, slot->is_set, tp_mk_false(fb->tt));
}

void tp_fb_mark_stored(tp_fb *fb, const tp_stack_slot *slot, LLVMValueRef value) {
  TP_REQUIRE(!slot->is_object);
  if (slot->is_set.id) tp_fb_assign(fb, slot->is_set, set_of(fb, value));
  if (fb->result_is_set.id && is_result_slot(slot->inst))
    tp_fb_assign(fb, fb->result_is_set, tp_mk_true(fb->tt));
}

void tp_fb_check_set(tp_fb *fb, const tp_stack_slot *slot, LLVMValueRef load) {
  TP_REQUIRE(LLVMIsALoadInst(load));
  LLVMValueRef use = slot->is_set.id ? deciding_use(fb, load) : NULL;
  if (!use) return;
  tp_pos before = fb->pos, there = tp_fe_pos_of(fb->fe, use);
  if (tp_pos_known(there)) fb->pos = there;
  tp_fb_check_manner(
      fb, tp_var_of(fb->p, slot->is_set)->term, TP_P_UNDEFINED, TP_FAILS_UNINITIALISED,
      tp_fe_printf(fb->fe, "the value of %s is used, and was never set", slot->name));
  fb->pos = before;
}

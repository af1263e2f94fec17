/* setjmp and longjmp, as far as calls and returns go.
 *
 * Each activation of a function that calls setjmp has a number, counted up; setjmp leaves it in the
 * buffer, with the number of the call in the text, and gives 0. longjmp reads both into hidden
 * globals: a jump is under way. Behind each call that may return because of a jump the function
 * asks whether one is: if it goes to this activation, the call of setjmp gives the value and the
 * run goes on behind it; else the objects of the activation end, and it returns, too. A jump that
 * passes main went to an activation that had ended.
 *
 * Variables keep their values across a jump; C leaves those open that are not volatile and were
 * changed since setjmp (7.13.2.1p3): TRUE lists that. A value of the bitcode that is computed
 * before a call of setjmp and used behind it may be an old one behind a jump: such programs are not
 * modelled. The order of instructions in the plan decides both this and which objects exist where
 * setjmp is called; an object that is taken for one of an inner block ends too early, never too
 * late. */
#include "front/front_priv.h"

// ---------------------------------------------------------- which calls may jump

static bool is_one_of(LLVMValueRef callee, const char *const *names) {
  if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
  size_t n;
  const char *name = LLVMGetValueName2(callee, &n);
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

static bool is_setjmp(LLVMValueRef inst) {
  static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", NULL};
  return LLVMIsACallInst(inst) && is_one_of(LLVMGetCalledValue(inst), names);
}

static bool is_longjmp(LLVMValueRef callee) {
  static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", NULL};
  return is_one_of(callee, names);
}

bool tp_fe_call_may_jump(const tp_fe *fe, LLVMValueRef callee) {
  return callee && LLVMIsAFunction(callee) ? tp_map_has(&fe->jumpers, tp_fe_key(callee))
                                           : fe->pointers_jump;
}

static bool has_its_address_taken(LLVMValueRef f) {
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == f) return true;
  }
  return false;
}

static bool calls_jumper(const tp_fe *fe, LLVMValueRef f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) &&
          (is_longjmp(LLVMGetCalledValue(i)) || tp_fe_call_may_jump(fe, LLVMGetCalledValue(i))))
        return true;
  return false;
}

static tp_var hidden_global(tp_fe *fe, const char *name) {
  const tp_sort sort = tp_sort_bv(fe->tt, fe->ptr_bits);
  tp_var_info info = {.name = tp_fe_printf(fe, "%s%s", TP_HIDDEN_PREFIX, name),
                      .kind = TP_V_GLOBAL,
                      .initial = tp_fe_size_term(fe, 0),
                      .is_internal = true};
  return tp_program_add_var(fe->p, info, sort);
}

void tp_fe_find_jumps(tp_fe *fe) {
  for (bool again = true; again;) {
    again = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
      if (tp_map_has(&fe->jumpers, tp_fe_key(f)) || LLVMIsDeclaration(f) || !calls_jumper(fe, f))
        continue;
      tp_map_set(&fe->jumpers, tp_fe_key(f), 1);
      fe->pointers_jump |= has_its_address_taken(f);
      again = true;
    }
    // longjmp itself may be called through a pointer: that call is not modelled
  }
  if (fe->jumpers.n == 0) return;
  fe->jump_target = hidden_global(fe, "jump.target");
  fe->jump_site = hidden_global(fe, "jump.site");
  fe->jump_value = hidden_global(fe, "jump.value");
  fe->n_activations = hidden_global(fe, "jump.activations");
}

// -------------------------------------------------------------------- the frame

static tp_term term_of(const tp_fb *fb, tp_var v) { return tp_var_of(fb->p, v)->term; }
static tp_term number(const tp_fb *fb, uint64_t n) { return tp_fe_size_term(fb->fe, n); }

static uint32_t position(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, tp_fe_key(inst), &i);
  return (uint32_t)i;
}

void tp_fb_start_jumps(tp_fb *fb) {
  bool passes = false, sets = false;
  for (uint32_t i = 0; i < fb->plan.n_inst && fb->fe->jumpers.n > 0; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    sets |= is_setjmp(inst);
    passes |= LLVMIsACallInst(inst) && (is_longjmp(LLVMGetCalledValue(inst)) ||
                                        tp_fe_call_may_jump(fb->fe, LLVMGetCalledValue(inst)));
  }
  for (size_t i = 0; (passes || sets) && i < fb->slots.n; i++) {
    const tp_stack_slot slot = fb->slots.at[i];
    if (slot.is_object && !slot.at_entry && !slot.early)
      tp_fb_assign(fb, slot.var, tp_mk_null(fb->tt));
  }
  if (!sets) return;
  for (size_t i = 0; i < fb->slots.n; i++) {  // in the body's own block: it is not left by a jump
    tp_stack_slot *slot = &fb->slots.at[i];
    if (!slot->is_object || slot->has_markers || slot->at_entry || slot->is_dynamic || !slot->once)
      continue;
    slot->once = false;
    slot->again = true;
  }
  const tp_var count = fb->fe->n_activations;
  fb->activation = tp_fb_temp(fb, tp_sort_bv(fb->tt, fb->p->ptr_bits), TP_TYPE_NONE);
  tp_fb_assign(fb, count, tp_mk2(fb->tt, TP_OP_BV_ADD, term_of(fb, count), number(fb, 1)));
  tp_fb_assign(fb, fb->activation, term_of(fb, count));
}

void tp_fb_follow_jump(tp_fb *fb) {
  if (fb->dead) return;
  tp_term none = tp_mk_eq(fb->tt, term_of(fb, fb->fe->jump_target), number(fb, 0));
  tp_loc goes_on;
  if (!fb->unwind.id)
    fb->unwind = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
  tp_fb_branch(fb, tp_mk_not(fb->tt, none), &goes_on);
  tp_fb_goto(fb, fb->unwind);
  tp_fb_continue_at(fb, goes_on);
}

// -------------------------------------------------------------- setjmp, longjmp

/* Is a value that is computed before the instruction used behind it? */
static bool is_crossed(const tp_fb *fb, uint32_t at) {
  for (uint32_t i = 0; i < at; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    if (LLVMIsAAllocaInst(inst)) continue;
    for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u))
      if (position(fb, LLVMGetUser(u)) > at) return true;
  }
  return false;
}

/* Does a jump behind the instruction stay in the block of an object that is declared later, and
 * whose lifetime is not marked? The declaration does not make a new object then. */
static bool may_declare_again(tp_fb *fb, LLVMValueRef inst) {
  for (uint32_t i = position(fb, inst); i < fb->plan.n_inst; i++) {
    LLVMValueRef declare = fb->plan.at[i].inst,
                 storage = LLVMIsADbgDeclareInst(declare) ? tp_fe_declared_storage(declare) : NULL;
    const tp_stack_slot *slot = storage ? tp_fb_slot(fb, storage) : NULL;
    if (!slot || !slot->is_object || slot->has_markers || slot->at_entry || slot->again) continue;
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
    if (tp_fb_is_within(fb, inst, tp_fe_operand(fb->fe, variable, 0))) return true;
  }
  return false;
}

/* Why this call cannot be modelled; NULL: it can. */
static const char *obstacle(tp_fb *fb, LLVMValueRef inst) {
  if (fb->fe->opt->monitors) return "setjmp in a program with monitors";
  if (fb->fe->is_module) return "setjmp in a module";
  if (fb->fe->check_undefined) return "setjmp where undefined behaviour is looked for";
  if (may_declare_again(fb, inst)) return "setjmp in front of a declaration of its block";
  return is_crossed(fb, position(fb, inst)) ? "setjmp within an expression" : NULL;
}

/* The buffer, with sizes of the C library; NONE: it has no value. */
static bool buffer_of(tp_fb *fb, LLVMValueRef inst, tp_access_direction how, tp_fe_value *out) {
  if (LLVMGetNumArgOperands(inst) == 0 || !tp_fb_get(fb, LLVMGetOperand(inst, 0), out) ||
      !tp_term_is(out->t) || tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, out->t)) != TP_SORT_PTR)
    return false;
  tp_fb_check_access(fb, out->t, number(fb, fb->p->ptr_bits == 64 ? 200 : 156), how);
  return true;
}

static void lower_setjmp(tp_fb *fb, LLVMValueRef inst) {
  const char *what = obstacle(fb, inst);
  const tp_sort sort = tp_sort_bv(fb->tt, 32);
  tp_fe_value buffer;
  if (what) tp_fb_unsupported(fb, what);
  if (fb->dead || !buffer_of(fb, inst, TP_FRONT_WRITE, &buffer)) return;
  if (fb->activation.id) {  // else nobody can jump here
    tp_fb_store_at(fb, buffer, 0, term_of(fb, fb->activation));
    tp_fb_store_at(fb, buffer, fb->fe->ptr_bytes, number(fb, fb->sites.n + 1));
    tp_fe_add_assumption(fb->fe, "variables keep their values across longjmp, volatile or not");
    tp_fe_add_assumption(fb->fe, "what setjmp writes into a jmp_buf is used by longjmp only");
  }
  tp_jump_site site = {.inst = inst, .result = tp_fb_target(fb, inst, sort, TP_TYPE_NONE)};
  tp_fb_assign(fb, site.result, tp_mk_bv(fb->tt, 32, 0));
  site.behind = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
  tp_fb_goto(fb, site.behind);
  tp_fb_continue_at(fb, site.behind);
  tp_fb_set_target(fb, inst, site.result);
  tp_vec_clear(&fb->asked);
  tp_vec_push(&fb->sites, site);
}

static void lower_longjmp(tp_fb *fb, LLVMValueRef inst) {
  const tp_fe *fe = fb->fe;
  const tp_sort word = tp_sort_bv(fb->tt, fb->p->ptr_bits);
  tp_fe_value buffer, value;
  if (fe->opt->monitors || fe->check_undefined || fe->is_module) {
    tp_fb_unsupported(fb,
                      "longjmp in a module, or where events or undefined behaviour are looked for");
    return;
  }
  if (!fe->jump_target.id || LLVMGetNumArgOperands(inst) < 2 ||
      !tp_fb_get(fb, LLVMGetOperand(inst, 1), &value) ||
      !buffer_of(fb, inst, TP_FRONT_READ, &buffer))
    return;
  tp_term v = tp_mk_resize(fb->tt, 32, true, value.t);
  v = tp_mk_ite(fb->tt, tp_mk_eq(fb->tt, v, tp_mk_bv(fb->tt, 32, 0)), tp_mk_bv(fb->tt, 32, 1), v);
  v = tp_fb_save_term(fb, v, TP_TYPE_NONE);
  tp_term target = tp_fb_load_at(fb, buffer, 0, word),
          site = tp_fb_load_at(fb, buffer, fe->ptr_bytes, word);
  tp_fb_rely_on(fb, tp_mk_not(fb->tt, tp_mk_eq(fb->tt, target, number(fb, 0))),
                "longjmp with a jmp_buf that was not set",
                "longjmp with a jmp_buf that was not set");
  tp_fb_save_global_readers(fb);
  tp_fb_assign(fb, fe->jump_value, tp_mk_resize(fb->tt, fb->p->ptr_bits, false, v));
  tp_fb_assign(fb, fe->jump_site, site);
  tp_fb_assign(fb, fe->jump_target, target);
  if (fb->dead) return;
  if (!fb->unwind.id)
    fb->unwind = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos});
  tp_fb_goto(fb, fb->unwind);
}

void tp_fb_lower_jump(tp_fb *fb, LLVMValueRef inst) {
  if (is_setjmp(inst))
    lower_setjmp(fb, inst);
  else
    lower_longjmp(fb, inst);
}

// --------------------------------------------------------------------- unwinding

static void end_if_live(tp_fb *fb, tp_var v) {
  tp_terms *tt = fb->tt;
  tp_term p = term_of(fb, v);
  tp_term live =
      tp_mk2(tt, TP_OP_SELECT, term_of(fb, fb->p->ghost_live), tp_mk1(tt, TP_OP_PTR_OBJ, p));
  tp_loc next = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos}), no;
  tp_fb_branch(fb, tp_mk_and(tt, tp_mk_not(tt, tp_mk_eq(tt, p, tp_mk_null(tt))), live), &no);
  tp_fb_end_scope(fb, v);
  tp_fb_goto(fb, next);
  tp_fb_continue_at(fb, no);
  tp_fb_goto(fb, next);
  tp_fb_continue_at(fb, next);
}

/* Did the object's lifetime start before the instruction, and not end before it? */
static bool exists_at(const tp_fb *fb, const tp_stack_slot *slot, uint32_t at) {
  bool started = !slot->has_markers && position(fb, slot->inst) < at, ended = false;
  for (LLVMUseRef u = LLVMGetFirstUse(slot->inst); u && slot->has_markers; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u),
                 callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    size_t n;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    if (position(fb, user) > at) continue;
    started |= tp_fe_starts_with(name, "llvm.lifetime.start");
    ended |= tp_fe_starts_with(name, "llvm.lifetime.end");
  }
  return started && !ended;
}

/* The run goes on behind this call of setjmp; blocks that were entered since then are left. */
static void arrive(tp_fb *fb, const tp_jump_site *site) {
  for (size_t i = 0; i < fb->slots.n; i++) {
    const tp_stack_slot slot = fb->slots.at[i];
    if (!slot.is_object || slot.at_entry || slot.is_chained ||
        exists_at(fb, &slot, position(fb, site->inst)))
      continue;
    end_if_live(fb, slot.var);
    tp_fb_assign(fb, slot.var, tp_mk_null(fb->tt));
  }
  tp_fb_assign(fb, site->result, tp_mk_resize(fb->tt, 32, false, term_of(fb, fb->fe->jump_value)));
  tp_fb_assign(fb, fb->fe->jump_target, number(fb, 0));
  tp_fb_goto(fb, site->behind);
}

static void go_to_sites(tp_fb *fb) {
  tp_loc others;
  tp_fb_branch(fb, tp_mk_eq(fb->tt, term_of(fb, fb->fe->jump_target), term_of(fb, fb->activation)),
               &others);
  for (size_t i = 0; i < fb->sites.n; i++) {
    const tp_jump_site site = fb->sites.at[i];
    tp_loc next;
    tp_fb_branch(fb, tp_mk_eq(fb->tt, term_of(fb, fb->fe->jump_site), number(fb, i + 1)), &next);
    arrive(fb, &site);
    tp_fb_continue_at(fb, next);
  }
  tp_fb_block(fb, "longjmp with a jmp_buf that was changed");
  tp_fb_continue_at(fb, others);
}

void tp_fb_lower_unwinding(tp_fb *fb) {
  if (!fb->unwind.id) return;
  const tp_var result = tp_func_of(fb->p, fb->func)->result;
  tp_fb_continue_at(fb, fb->unwind);
  if (fb->activation.id) go_to_sites(fb);
  if (fb->is_main) {
    tp_fb_block(fb, "longjmp to a function that has returned");
    return;
  }
  for (size_t i = 0; i < fb->slots.n; i++)
    if (fb->slots.at[i].is_object && !fb->slots.at[i].is_chained)
      end_if_live(fb, fb->slots.at[i].var);
  tp_fb_end_chain(fb);
  tp_term value = TP_TERM_NONE;
  if (result.id)
    value = tp_mk_value(fb->tt, tp_sort_of(fb->tt, term_of(fb, result)), (tp_value){0});
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_RETURN, .a = value});
  tp_fb_goto(fb, fb->exit);
}

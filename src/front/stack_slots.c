/* Stack slots: which allocas are variables, which are objects, and the lifetimes of objects.
 *
 * A local scalar that is only loaded and stored is a variable; any other local is an object, made
 * by ALLOC where its declaration is executed (so that each iteration of a loop has a new object of
 * its body) and ended by END_SCOPE when the function returns or, with lifetime markers, when its
 * scope ends. A variable that may be read before it is initialised is an input from its declaration
 * on; an object that is filled at once is no input. */
#include "front/front_priv.h"

#include "front/front_limits.h"

static LLVMValueRef marker_callee(LLVMValueRef inst, const char *prefix) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  size_t n;
  if (!callee || !LLVMIsAFunction(callee)) return NULL;
  return strncmp(LLVMGetValueName2(callee, &n), prefix, strlen(prefix)) == 0 ? callee : NULL;
}

static bool has_lifetime_markers(LLVMValueRef alloca) {
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
    if (marker_callee(LLVMGetUser(u), "llvm.lifetime.start")) return true;
  return false;
}

static bool is_promotable(tp_fe *fe, LLVMValueRef alloca) {
  tp_sort s;
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || !tp_fe_sort(fe, type, &s)) return false;
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != alloca &&
                 LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    if (!load && !store && !marker_callee(user, "llvm.lifetime.")) return false;
  }
  return true;
}

bool tp_fe_promotable(tp_fe *fe, LLVMValueRef alloca) {
  TP_REQUIRE(LLVMIsAAllocaInst(alloca));
  uint64_t known;
  if (tp_map_get(&fe->promotable, tp_fe_key(alloca), &known)) return known;
  const bool is = is_promotable(fe, alloca);
  tp_map_set(&fe->promotable, tp_fe_key(alloca), is);
  return is;
}

// ---------------------------------------------------------------- declarations

typedef struct {
  LLVMMetadataRef var;  // DILocalVariable
  LLVMMetadataRef location;
} declaration;

/* The storage that a dbg.declare describes, NULL if there is none. */
LLVMValueRef tp_fe_declared_storage(LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsADbgDeclareInst(inst));
  LLVMValueRef wrapped = LLVMGetOperand(inst, 0), storage = NULL;
  if (LLVMGetMDNodeNumOperands(wrapped) == 1) LLVMGetMDNodeOperands(wrapped, &storage);
  return storage;
}

static void describe(tp_fb *fb, tp_stack_slot *slot, LLVMValueRef declare) {
  LLVMMetadataRef var = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
  slot->name = tp_fe_string(fb->fe, var, 1);
  slot->type = tp_fe_type(fb->fe, tp_fe_operand(fb->fe, var, 3));
  slot->pos = tp_fe_pos_of(fb->fe, declare);
}

tp_stack_slot *tp_fb_slot(tp_fb *fb, LLVMValueRef v) {
  uint64_t i;
  return tp_map_get(&fb->slot_of, tp_fe_key(v), &i) ? &fb->slots.at[i - 1] : NULL;
}

/* The argument that the entry block stores into this alloca, if that is the argument's only use. */
static LLVMValueRef stored_argument(tp_fb *fb, LLVMValueRef alloca, bool *only_store) {
  LLVMValueRef arg = NULL;
  *only_store = true;
  for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != alloca) continue;
    LLVMValueRef value = LLVMGetOperand(user, 0);
    if (LLVMIsAZExtInst(value) && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, 0))) == 1)
      value = LLVMGetOperand(value, 0);
    bool at_entry =
        LLVMGetInstructionParent(user) == fb->plan.blocks[0].bb && LLVMIsAArgument(value);
    LLVMUseRef use = at_entry ? LLVMGetFirstUse(value) : NULL;
    if (at_entry && !arg && use && !LLVMGetNextUse(use))
      arg = value;
    else
      *only_store = false;
  }
  return arg;
}

static bool is_bool_slot(tp_fb *fb, const tp_stack_slot *slot) {
  LLVMTypeRef type = LLVMGetAllocatedType(slot->inst);
  if (!slot->type.id || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != 8)
    return false;
  tp_fe_types_finish(fb->fe);
  return tp_type_of(fb->p, slot->type)->kind == TP_T_BOOL;
}

/* Let the parameter's variable carry the user's name, type and position. */
static bool share_with_param(tp_fb *fb, tp_stack_slot *slot, tp_sort sort) {
  bool only_store;
  LLVMValueRef arg = stored_argument(fb, slot->inst, &only_store);
  uint64_t i;
  if (!arg || !tp_map_get(&fb->arg_of, tp_fe_key(arg), &i)) return false;
  tp_fe_value *value = &fb->args.at[i - 1];
  if (!tp_term_is(value->t) || !tp_sort_eq(tp_sort_of(fb->tt, value->t), sort)) return false;
  slot->var = tp_program_var_of(fb->p, value->t);
  slot->is_param = true;
  slot->never_changes = only_store;
  tp_var_info *info = &fb->p->vars.at[slot->var.id];
  if (slot->name) info->name = slot->name, info->type = slot->type, info->pos = slot->pos;
  return true;
}

static const char *slot_name(tp_fb *fb, const tp_stack_slot *slot) {
  if (slot->name && *slot->name) return slot->name;
  size_t n;
  const char *name = LLVMGetValueName2(slot->inst, &n);
  return n ? tp_arena_strndup(&fb->p->arena, name, n) : "tmp";
}

/* The bitcode does not show the end of a compound literal's block. */
static void add_compound_literal_assumption(tp_fb *fb) {
  if (fb->fe->check_deref)
    tp_fe_add_assumption(fb->fe, "compound literals live until their function returns");
}

static void make_slot(tp_fb *fb, tp_stack_slot *slot) {
  TP_REQUIRE(LLVMIsAAllocaInst(slot->inst) && !slot->var.id);
  tp_fe *fe = fb->fe;
  LLVMTypeRef type = LLVMGetAllocatedType(slot->inst);
  tp_sort sort;
  LLVMValueRef count = LLVMGetOperand(slot->inst, 0);
  slot->is_dynamic = !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 ||
                     LLVMGetInstructionParent(slot->inst) != LLVMGetEntryBasicBlock(fb->fn);
  slot->size_bytes = slot->is_dynamic ? 0 : LLVMABISizeOfType(fe->layout, type);
  slot->is_object = !tp_fe_promotable(fe, slot->inst);
  const char *name = slot->name;
  slot->name = slot_name(fb, slot);
  tp_var_info info = {.name = slot->name,
                      .func = fb->func,
                      .type = slot->type,
                      .pos = slot->pos,
                      .kind = name ? TP_V_LOCAL : TP_V_TEMP,
                      .is_address = slot->is_object};
  if (!slot->is_object) {
    (void)tp_fe_sort(fe, type, &sort);
    slot->bool_sorted = is_bool_slot(fb, slot);
    if (slot->bool_sorted) sort = tp_sort_bool(fb->tt);
    if (!share_with_param(fb, slot, sort)) slot->var = tp_program_add_var(fb->p, info, sort);
    return;
  }
  slot->has_markers = has_lifetime_markers(slot->inst);
  if (!slot->has_markers && strncmp(slot->name, ".compoundliteral", 16) == 0)
    add_compound_literal_assumption(fb);
  slot->var = tp_program_add_var(fb->p, info, tp_sort_ptr(fb->tt));
}

static bool has_operand(LLVMValueRef inst, LLVMValueRef v) {
  for (int k = 0, n = LLVMGetNumOperands(inst); k < n; k++)
    if (LLVMGetOperand(inst, (unsigned)k) == v) return true;
  return false;
}

/* Is the storage used in the entry block before its declaration? So are parameters that come in
 * pieces (structs by value): the pieces are put together first. */
static bool used_before(tp_fb *fb, LLVMValueRef alloca, LLVMValueRef declare) {
  const tp_plan_block *entry = &fb->plan.blocks[0];
  for (uint32_t i = entry->first; i < entry->end && fb->plan.at[i].inst != declare; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    if (marker_callee(inst, "llvm.lifetime."))
      continue;  // comes before each declaration where markers are wanted
    if (has_operand(inst, alloca)) return true;
  }
  return false;
}

static bool declares(LLVMValueRef inst, LLVMValueRef alloca) {
  return LLVMIsADbgDeclareInst(inst) && tp_fe_declared_storage(inst) == alloca;
}

/* May a use of the storage be reached with no declaration of it before? In C an object of a block
 * exists from the block's start, which a goto or a case may enter behind the declaration. */
static bool is_used_undeclared(tp_fb *fb, LLVMValueRef alloca) {
  tp_mark mark = tp_arena_mark(&fb->fe->scratch);
  bool *seen = tp_arena_array(&fb->fe->scratch, bool, fb->plan.n_blocks), used = false;
  TP_VEC(uint32_t) work = {0};
  tp_vec_push(&work, 0);
  while (work.n && !used) {
    const tp_plan_block *b = &fb->plan.blocks[tp_vec_pop(&work)];
    bool declared = false;
    for (uint32_t i = b->first; i < b->end && !declared && !used; i++) {
      LLVMValueRef inst = fb->plan.at[i].inst;
      declared = declares(inst, alloca);
      used = !declared && has_operand(inst, alloca) && !marker_callee(inst, "llvm.lifetime.");
    }
    for (uint32_t k = 0; k < b->n_succ && !declared; k++) {
      if (seen[b->succ[k]]) continue;
      seen[b->succ[k]] = true;
      tp_vec_push(&work, b->succ[k]);
    }
  }
  tp_vec_clear(&work);
  tp_arena_release(&fb->fe->scratch, mark);
  return used;
}

/* Does the instruction stand in this block of the source, or in one within it? Without a position:
 * yes. */
bool tp_fb_is_within(tp_fb *fb, LLVMValueRef inst, LLVMMetadataRef block) {
  enum { LEXICAL_BLOCK_SCOPE = 1 };
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
  if (!location) return true;
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  for (int depth = 0; scope && depth < TP_FRONT_SCOPE_LEVELS; depth++) {
    if (scope == block) return true;
    if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind) return false;
    scope = tp_fe_operand(fb->fe, scope, LEXICAL_BLOCK_SCOPE);
  }
  return false;
}

/* Does a path lead from the declaration back to the declaration that stays in its block? A goto can
 * do that; every iteration of a loop leaves the block of the body. */
static bool is_executed_again(tp_fb *fb, LLVMValueRef declare) {
  LLVMMetadataRef block = tp_fe_operand(fb->fe, LLVMValueAsMetadata(LLVMGetOperand(declare, 1)), 0);
  uint64_t at = 0;
  if (!block || !tp_map_get(&fb->plan.index, tp_fe_key(declare), &at)) return false;
  tp_mark mark = tp_arena_mark(&fb->fe->scratch);
  bool *seen = tp_arena_array(&fb->fe->scratch, bool, fb->plan.n_blocks), again = false;
  TP_VEC(uint32_t) work = {0};  // instructions to continue from
  tp_vec_push(&work, (uint32_t)at + 1);
  while (work.n && !again) {
    uint32_t i = tp_vec_pop(&work);
    const tp_plan_block *b = &fb->plan.blocks[fb->plan.at[i].block];  // no declaration ends a block
    bool stays = true;
    for (; i < b->end && stays && !again; i++) {
      again = fb->plan.at[i].inst == declare;
      stays = tp_fb_is_within(fb, fb->plan.at[i].inst, block);
    }
    for (uint32_t k = 0; k < b->n_succ && stays && !again; k++) {
      if (seen[b->succ[k]]) continue;
      seen[b->succ[k]] = true;
      tp_vec_push(&work, fb->plan.blocks[b->succ[k]].first);
    }
  }
  tp_vec_clear(&work);
  tp_arena_release(&fb->fe->scratch, mark);
  return again;
}

/* Decides when the object of a slot is made. One whose declaration is executed exactly once, in the
 * entry block, is made there. */
static void place_slot(tp_fb *fb, tp_stack_slot *slot, LLVMValueRef declare) {
  TP_REQUIRE(slot->var.id && (!declare || LLVMIsADbgDeclareInst(declare)));
  const tp_plan_block *entry = &fb->plan.blocks[0];
  bool in_entry = declare && LLVMGetInstructionParent(declare) == entry->bb;
  slot->set_first = in_entry && used_before(fb, slot->inst, declare);
  if (!slot->is_object || slot->is_dynamic) return;
  bool only_store;
  bool param = stored_argument(fb, slot->inst, &only_store) != NULL || slot->set_first;
  slot->at_entry = !slot->has_markers && (!declare || param);
  slot->once = slot->at_entry || in_entry;
  slot->again = !slot->once && !slot->has_markers && declare && is_executed_again(fb, declare);
  slot->early = !slot->once && !slot->has_markers && is_used_undeclared(fb, slot->inst);
  TP_INVARIANT(!(slot->at_entry && slot->has_markers) && (!slot->at_entry || slot->once));
  TP_INVARIANT(!(slot->once && (slot->again || slot->early)));
}

/* Byval arguments: the callee makes the copy. */
static void copy_byval_params(tp_fb *fb, const tp_map *declares) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < LLVMCountParams(fb->fn); i++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(fb->fn, i + 1, kind);
    if (!byval) continue;
    LLVMValueRef arg = LLVMGetParam(fb->fn, i);
    tp_stack_slot slot = {.inst = arg, .is_object = true, .at_entry = true, .once = true};
    uint64_t declare;
    if (tp_map_get(declares, tp_fe_key(arg), &declare))
      describe(fb, &slot, (LLVMValueRef)(uintptr_t)declare);
    slot.size_bytes = LLVMABISizeOfType(fb->fe->layout, LLVMGetTypeAttributeValue(byval));
    tp_fe_value from = fb->args.at[i];
    const char *name = tp_var_of(fb->p, tp_program_var_of(fb->p, from.t))->name;
    tp_var_info info = {.name = slot.name ? slot.name : name,
                        .func = fb->func,
                        .type = slot.type,
                        .pos = slot.pos,
                        .kind = TP_V_LOCAL,
                        .is_address = true};
    slot.name = info.name;
    slot.var = tp_program_add_var(fb->p, info, tp_sort_ptr(fb->tt));
    tp_vec_push(&fb->slots, slot);
    tp_fb_make_object(fb, &slot, true);
    tp_term to = tp_var_of(fb->p, slot.var)->term;
    (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_COPY,
                                        .a = to,
                                        .b = from.t,
                                        .type = slot.type,
                                        .c = tp_fe_size_term(fb->fe, slot.size_bytes)});
    fb->args.at[i] = (tp_fe_value){.t = to, .pointee = slot.type};
  }
}

// ----------------------------------------------- is a variable read uninitialised?

static bool stores_to(LLVMValueRef inst, LLVMValueRef alloca) {
  return LLVMIsAStoreInst(inst) && LLVMGetOperand(inst, 1) == alloca;
}
static bool loads_from(LLVMValueRef inst, LLVMValueRef alloca) {
  return LLVMIsALoadInst(inst) && LLVMGetOperand(inst, 0) == alloca;
}

/* Where a scope is left early, clang stores a number in a cleanup slot, ends the scope in a block
 * that all paths share, and switches on the number. The search keeps the paths of different numbers
 * apart: else every function that returns from within a loop seems to return an indeterminate
 * value. */
typedef enum {
  ANY_NUMBER,
  FIRST_NUMBER,
  MAX_NUMBERS = 32
} cleanup_number;  // FIRST_NUMBER + the number

static bool is_cleanup_slot(LLVMValueRef slot) {
  size_t n;
  return LLVMIsAAllocaInst(slot) &&
         strncmp(LLVMGetValueName2(slot, &n), "cleanup.dest.slot", 17) == 0;
}

static uint32_t cleanup_of(LLVMValueRef number) {
  bool is_small =
      LLVMIsAConstantInt(number) && LLVMConstIntGetZExtValue(number) < MAX_NUMBERS - FIRST_NUMBER;
  return is_small ? FIRST_NUMBER + (uint32_t)LLVMConstIntGetZExtValue(number) : ANY_NUMBER;
}

static uint32_t cleanup_after(LLVMValueRef inst, uint32_t way) {
  return LLVMIsAStoreInst(inst) && is_cleanup_slot(LLVMGetOperand(inst, 1))
             ? cleanup_of(LLVMGetOperand(inst, 0))
             : way;
}

/* May a block that ends like this go on to its k-th successor? The first is that of no case. */
static bool may_continue_at(LLVMValueRef last, uint32_t k, uint32_t n_succ, uint32_t way) {
  if (way == ANY_NUMBER || !LLVMIsASwitchInst(last)) return true;
  LLVMValueRef number = LLVMGetOperand(last, 0);
  if (!LLVMIsALoadInst(number) || !is_cleanup_slot(LLVMGetOperand(number, 0)) ||
      LLVMGetInstructionParent(number) != LLVMGetInstructionParent(last))
    return true;
  if (k > 0) return cleanup_of(LLVMGetOperand(last, 2 * k)) == way;
  for (uint32_t i = 1; i < n_succ; i++)
    if (cleanup_of(LLVMGetOperand(last, 2 * i)) == way) return false;
  return true;
}

/* May a load of the variable be reached from instruction `start` with no store (or declaration)
 * before it? A search over pairs of block and cleanup number; after 20000 of them the answer is
 * yes. */
bool tp_fe_may_read_uninitialised(tp_fe *fe, const tp_lowering_plan *plan, LLVMValueRef alloca,
                                  uint32_t start, LLVMValueRef declare) {
  TP_REQUIRE(LLVMIsAAllocaInst(alloca) && start < plan->n_inst);
  tp_mark mark = tp_arena_mark(&fe->scratch);
  uint32_t *seen = tp_arena_array(&fe->scratch, uint32_t, plan->n_blocks);  // a bit for each way
  TP_VEC(uint32_t) work = {0};  // block * MAX_NUMBERS + way
  uint32_t visited = 0, block = plan->at[start].block, i = start, way = ANY_NUMBER;
  bool found = false;
  for (;;) {
    const tp_plan_block *b = &plan->blocks[block];
    bool stopped = false;
    for (; i < b->end && !stopped; i++) {
      LLVMValueRef inst = plan->at[i].inst;
      if (loads_from(inst, alloca)) found = stopped = true;
      if (stores_to(inst, alloca) || (inst == declare && i != start)) stopped = true;
      way = cleanup_after(inst, way);
    }
    for (uint32_t k = 0; !stopped && k < b->n_succ; k++) {
      uint32_t s = b->succ[k];
      if (seen[s] >> way & 1 || !may_continue_at(plan->at[b->end - 1].inst, k, b->n_succ, way))
        continue;
      seen[s] |= (uint32_t)1 << way;
      tp_vec_push(&work, s * MAX_NUMBERS + way);
    }
    if (++visited > 20000) found = true;
    if (found || work.n == 0) break;
    uint32_t next = tp_vec_pop(&work);
    block = next / MAX_NUMBERS;
    way = next % MAX_NUMBERS;
    i = plan->blocks[block].first;
  }
  tp_vec_clear(&work);
  tp_arena_release(&fe->scratch, mark);
  return found;
}

static void havoc_slot(tp_fb *fb, const tp_stack_slot *slot) {
  TP_REQUIRE(!slot->is_object && slot->var.id);
  if (!tp_fb_slot(fb, slot->inst)) return;
  tp_fb_save_readers(fb, slot->var);
  tp_fb_havoc(fb, slot->var, TP_I_INDETERMINATE, slot->name, false);
  tp_fb_mark_uninitialised(fb, slot);
}

/* Local variables that may be read before their declaration is executed (or have none):
 * indeterminate from the start. */
static void havoc_uninitialised(tp_fb *fb, const tp_map *declares) {
  for (size_t i = 0; i < fb->slots.n; i++) {
    tp_stack_slot slot = fb->slots.at[i];
    uint64_t d = 0;
    if (slot.is_object || slot.is_param) continue;
    (void)tp_map_get(declares, tp_fe_key(slot.inst), &d);
    if (tp_fe_may_read_uninitialised(fb->fe, &fb->plan, slot.inst, 0, (LLVMValueRef)(uintptr_t)d))
      havoc_slot(fb, &slot);
  }
}

// ---------------------------------------------------------------- the frame

/* Storage that clang makes for itself has a name that no user can write, or one of a few. */
static bool is_own_storage(LLVMValueRef alloca) {
  static const char *const names[] = {"retval",     "tmp",         "temp",  "coerce",
                                      "tempcoerce", "saved_stack", "argmem"};
  size_t n, k = 0;
  const char *name = LLVMGetValueName2(alloca, &n);
  while (k < n && (name[k] == '_' || (name[k] >= 'a' && name[k] <= 'z') ||
                   (name[k] >= 'A' && name[k] <= 'Z') || (name[k] >= '0' && name[k] <= '9')))
    k++;
  if (k < n || n == 0 || (name[0] >= '0' && name[0] <= '9')) return true;
  while (name[k - 1] >= '0' && name[k - 1] <= '9') k--;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == k && memcmp(names[i], name, k) == 0) return true;
  return false;
}

/* clang sets no lifetime markers for a variable whose declaration is jumped over, and does not
 * describe the variable if the declaration is never executed. In the body's own block its lifetime
 * ends with the function; the end of an inner block is not known. */
static bool has_unknown_end(tp_fb *fb, const tp_stack_slot *slot, LLVMValueRef declare) {
  if (!fb->fe->check_deref || !slot->is_object || slot->is_dynamic || slot->has_markers)
    return false;
  if (tp_func_of(fb->p, fb->func)->is_model || !LLVMGetSubprogram(fb->fn)) return false;
  if (!declare) return !is_own_storage(slot->inst);
  LLVMMetadataRef scope = tp_fe_operand(fb->fe, LLVMValueAsMetadata(LLVMGetOperand(declare, 1)), 0);
  return scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind;
}

void tp_fb_classify_slots(tp_fb *fb) {
  tp_map declares = {0};
  for (uint32_t i = 0; i < fb->plan.n_inst; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    LLVMValueRef storage = LLVMIsADbgDeclareInst(inst) ? tp_fe_declared_storage(inst) : NULL;
    if (storage && !tp_map_has(&declares, tp_fe_key(storage)))
      tp_map_set(&declares, tp_fe_key(storage), tp_fe_key(inst));
  }
  for (uint32_t i = 0; i < fb->plan.n_inst; i++) {
    LLVMValueRef inst = fb->plan.at[i].inst;
    if (!LLVMIsAAllocaInst(inst)) continue;
    tp_stack_slot slot = {.inst = inst};
    uint64_t d = 0;
    if (tp_map_get(&declares, tp_fe_key(inst), &d))
      describe(fb, &slot, (LLVMValueRef)(uintptr_t)d);
    else
      slot.is_temporary = true;
    make_slot(fb, &slot);
    if (has_unknown_end(fb, &slot, (LLVMValueRef)(uintptr_t)d))
      tp_fb_unsupported(fb, "address of a local variable whose declaration is jumped over");
    place_slot(fb, &slot, (LLVMValueRef)(uintptr_t)d);
    tp_vec_push(&fb->slots, slot);
    tp_map_set(&fb->slot_of, tp_fe_key(inst), fb->slots.n);
  }
  size_t n = fb->slots.n;
  copy_byval_params(fb, &declares);
  for (size_t i = 0; i < n; i++) {
    tp_stack_slot slot = fb->slots.at[i];
    bool only_store;
    if (!slot.is_object) continue;
    if (slot.at_entry)
      tp_fb_make_object(fb, &slot, stored_argument(fb, slot.inst, &only_store) != NULL);
    else if (slot.early)
      tp_fb_make_object(fb, &slot, false);
    else if (!slot.once && !slot.has_markers)
      tp_fb_assign(fb, slot.var, tp_mk_null(fb->tt));
  }
  tp_fb_add_companions(fb);
  havoc_uninitialised(fb, &declares);
  tp_map_clear(&declares);
}

void tp_fb_alloc_aligned(tp_fb *fb, tp_var v, tp_term size, tp_object_kind kind, tp_term fill,
                         const char *name, tp_type type, uint32_t align_bytes) {
  TP_REQUIRE((align_bytes & (align_bytes - 1)) == 0);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_ALLOC,
                                      .var = v,
                                      .a = size,
                                      .b = fill,
                                      .object_kind = kind,
                                      .input = TP_I_INDETERMINATE,
                                      .name = name,
                                      .type = type,
                                      .align_bytes = align_bytes});
}

tp_var tp_fb_alloc(tp_fb *fb, tp_var v, tp_term size, tp_object_kind kind, tp_term fill,
                   const char *name, tp_type type) {
  TP_REQUIRE(tp_width(fb->tt, size) == fb->fe->ptr_bits && kind != TP_O_NONE);
  tp_fb_alloc_aligned(fb, v, size, kind, fill, name, type, 0);
  return v;
}

void tp_fb_end_scope(tp_fb *fb, tp_var v) {
  TP_REQUIRE(tp_var_of(fb->p, v)->is_address);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_END_SCOPE, .a = tp_var_of(fb->p, v)->term});
}

void tp_fb_make_object(tp_fb *fb, tp_stack_slot *slot, bool filled) {
  TP_REQUIRE(slot->is_object && !slot->is_dynamic && slot->var.id);
  tp_term zero = filled ? tp_mk_bv(fb->tt, 8, 0) : TP_TERM_NONE;
  tp_pos before = fb->pos;
  if (tp_pos_known(slot->pos)) fb->pos = slot->pos;
  // of an alloca only: for other values LLVM's answer means nothing
  uint32_t align = slot->inst && LLVMIsAAllocaInst(slot->inst) ? LLVMGetAlignment(slot->inst) : 0;
  tp_fb_alloc_aligned(fb, slot->var, tp_fe_size_term(fb->fe, slot->size_bytes), TP_O_STACK, zero,
                      slot->name, slot->type, align);
  fb->pos = before;
}

/* Before a return: ends all objects without lifetime markers. */
void tp_fb_end_scopes(tp_fb *fb) {
  for (size_t i = 0; i < fb->slots.n; i++)
    if (fb->slots.at[i].is_object && !fb->slots.at[i].has_markers && !fb->slots.at[i].is_chained)
      tp_fb_end_scope(fb, fb->slots.at[i].var);
}

// ------------------------------------------------- starts and ends of lifetime

typedef struct {
  LLVMValueRef pointer;
  uint64_t offset;
} piece;

/* The offset of pointer `p` in the object, if it is one of the pieces. */
static bool find_piece(const piece *pieces, size_t n, LLVMValueRef p, uint64_t *offset) {
  for (size_t i = 0; i < n; i++)
    if (pieces[i].pointer == p) {
      *offset = pieces[i].offset;
      return true;
    }
  return false;
}

static bool uses(LLVMValueRef inst, const piece *pieces, size_t n) {
  uint64_t ignored;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(inst); k++)
    if (find_piece(pieces, n, LLVMGetOperand(inst, k), &ignored)) return true;
  return false;
}

static bool constant_gep(tp_fb *fb, LLVMValueRef gep, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(index)) return false;
    uint64_t k = (uint64_t)LLVMConstIntGetSExtValue(index);
    if (i == 1)
      *offset += k * LLVMABISizeOfType(fb->fe->layout, type);
    else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(fb->fe->layout, type, (unsigned)k);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
    } else {
      type = LLVMGetElementType(type);
      *offset += k * LLVMABISizeOfType(fb->fe->layout, type);
    }
  }
  return true;
}

/* Does the code after the declaration write all bytes before any other access of the object? Then
 * its first content is no input. */
static bool is_filled_at_once(tp_fb *fb, const tp_stack_slot *slot, LLVMValueRef from) {
  piece pieces[TP_FRONT_FILLED_PIECES] = {{slot->inst, 0}};
  size_t n = 1;
  uint8_t covered[TP_FRONT_FILLED_BYTES] = {0};
  uint64_t left = slot->size_bytes;
  int steps = 0;
  for (LLVMValueRef i = LLVMGetNextInstruction(from); i && steps < TP_FRONT_FILLED_INSTRUCTIONS;
       i = LLVMGetNextInstruction(i), steps++) {
    uint64_t at = 0;
    if (LLVMIsADbgInfoIntrinsic(i) || marker_callee(i, "llvm.lifetime.") || !uses(i, pieces, n))
      continue;
    bool whole = marker_callee(i, "llvm.memcpy.") || marker_callee(i, "llvm.memset.");
    if (whole) {
      LLVMValueRef size = LLVMGetOperand(i, 2), source = LLVMGetOperand(i, 1);
      return LLVMGetOperand(i, 0) == slot->inst && !find_piece(pieces, n, source, &at) &&
             LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) == slot->size_bytes;
    }
    if (LLVMIsAGetElementPtrInst(i) && n < TP_FRONT_FILLED_PIECES &&
        find_piece(pieces, n, LLVMGetOperand(i, 0), &at) && constant_gep(fb, i, &at)) {
      pieces[n++] = (piece){i, at};
    } else if (LLVMIsAStoreInst(i) && !find_piece(pieces, n, LLVMGetOperand(i, 0), &at) &&
               find_piece(pieces, n, LLVMGetOperand(i, 1), &at)) {
      uint64_t size = LLVMStoreSizeOfType(fb->fe->layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
      if (at > slot->size_bytes || size > slot->size_bytes - at ||
          slot->size_bytes > TP_FRONT_FILLED_BYTES)
        return false;
      for (uint64_t k = at; k < at + size; k++)
        if (!covered[k]) covered[k] = 1, left--;
      if (left == 0) return true;
    } else {
      return false;
    }
  }
  return false;
}

/* A declaration that may be executed again in the same activation of its block: the object is the
 * same (C11 6.2.4p6), its value indeterminate. */
static void restart_object(tp_fb *fb, tp_stack_slot *slot) {
  TP_REQUIRE(slot->again && !slot->has_markers);
  tp_terms *tt = fb->tt;
  tp_term address = tp_var_of(fb->p, slot->var)->term;
  tp_loc join = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos}), exists;
  tp_fb_branch(fb, tp_mk_eq(tt, address, tp_mk_null(tt)), &exists);
  tp_fb_make_object(fb, slot, false);
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, exists);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                      .a = address,
                                      .c = tp_fe_size_term(fb->fe, slot->size_bytes),
                                      .input = TP_I_INDETERMINATE,
                                      .name = slot->name});
  tp_fb_goto(fb, join);
  tp_fb_continue_at(fb, join);
}

/* The declaration (or start marker) of an object is executed. */
static void start_object(tp_fb *fb, tp_stack_slot slot, LLVMValueRef at) {
  if (slot.at_entry || slot.is_dynamic) return;
  tp_fb_save_readers(fb, slot.var);
  if (slot.again) {
    restart_object(fb, &slot);
    return;
  }
  bool in_cycle = fb->plan.blocks[fb->block].in_cycle;
  if (slot.early || (!slot.has_markers && !slot.once && in_cycle)) tp_fb_end_scope(fb, slot.var);
  tp_fb_make_object(fb, &slot, is_filled_at_once(fb, &slot, at));
}

/* The scope ends. A pointer that no object holds leads nowhere from here on: it makes no memory
 * reachable. */
static void end_slot(tp_fb *fb, const tp_stack_slot *slot) {
  const tp_term value = tp_var_of(fb->p, slot->var)->term;
  if (slot->is_object) {
    tp_fb_end_scope(fb, slot->var);
  } else if (fb->fe->check_leak &&
             tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, value)) == TP_SORT_PTR) {
    tp_fb_save_readers(fb, slot->var);
    tp_fb_forget_pointer(fb, slot->var);
  }
}

/* dbg.declare: the declaration is executed. */
void tp_fb_declare(tp_fb *fb, LLVMValueRef inst) {
  LLVMValueRef storage =
      LLVMIsADbgDeclareInst(inst) ? tp_fe_declared_storage(inst) : LLVMGetOperand(inst, 1);
  bool marker = !LLVMIsADbgDeclareInst(inst);
  const tp_stack_slot *found = storage ? tp_fb_slot(fb, storage) : NULL;
  if (!found || !LLVMIsAAllocaInst(storage)) return;
  tp_stack_slot slot = *found;
  if (marker && marker_callee(inst, "llvm.lifetime.end")) {
    end_slot(fb, &slot);
    return;
  }
  if (slot.is_object) {
    if (slot.has_markers == marker) start_object(fb, slot, inst);
    return;
  }
  if (marker || slot.is_param || slot.set_first) return;
  if (tp_fe_may_read_uninitialised(fb->fe, &fb->plan, slot.inst, fb->at, inst)) {
    tp_pos before = fb->pos;
    fb->pos = slot.pos;
    havoc_slot(fb, &slot);
    fb->pos = before;
  }
}

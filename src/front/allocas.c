/* Storage of a size that is known at run time only: variable-length arrays, and alloca().
 *
 * An array ends where its block does, an object of alloca() where its function returns. A variable
 * holds the address of the last object that a place in the text has made; where alloca() is called
 * again and again, and lifetimes matter, the objects of an activation are kept in a chain: for each
 * of them a hidden object on the stack holds its address, and that of the hidden object before. The
 * chain is walked before each return. */
#include "front/front_priv.h"

static bool is_array(const tp_fb *fb, const tp_stack_slot *slot) {
  return slot->is_dynamic && tp_var_of(fb->p, slot->var)->kind == TP_V_LOCAL;
}

// ------------------------------------------------------------------- the chain

static bool is_in_cycle(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t at;
  return tp_map_get(&fb->plan.index, tp_fe_key(inst), &at) &&
         fb->plan.blocks[fb->plan.at[at].block].in_cycle;
}

void tp_fb_start_chain(tp_fb *fb) {
  for (size_t i = 0; fb->fe->check_deref && i < fb->slots.n; i++) {
    tp_stack_slot *slot = &fb->slots.at[i];
    if (!slot->is_object || !slot->is_dynamic || is_array(fb, slot)) continue;
    slot->is_chained = is_in_cycle(fb, slot->inst);
    if (slot->is_chained && !fb->chain.id)
      fb->chain = tp_fb_temp(fb, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
  }
  if (fb->chain.id) tp_fb_assign(fb, fb->chain, tp_mk_null(fb->tt));
}

/* A hidden object of two pointers: the object, and the hidden object before. */
static void add_to_chain(tp_fb *fb, tp_var object) {
  const uint32_t bytes = fb->fe->ptr_bytes;
  tp_var link = tp_fb_temp(fb, tp_sort_ptr(fb->tt), TP_TYPE_NONE);
  tp_term at = tp_var_of(fb->p, link)->term, chain = tp_var_of(fb->p, fb->chain)->term;
  tp_fb_alloc_aligned(fb, link, tp_fe_size_term(fb->fe, 2 * bytes), TP_O_STACK,
                      tp_mk_bv(fb->tt, 8, 0), "alloca", TP_TYPE_NONE, bytes);
  (void)tp_fb_emit(
      fb, (tp_edge_info){.kind = TP_E_STORE, .a = at, .b = tp_var_of(fb->p, object)->term});
  (void)tp_fb_emit(fb,
                   (tp_edge_info){.kind = TP_E_STORE,
                                  .a = tp_mk_ptr_add(fb->tt, at, tp_fe_size_term(fb->fe, bytes)),
                                  .b = chain});
  tp_fb_assign(fb, fb->chain, at);
}

static void end_life(tp_fb *fb, tp_var pointer) {
  (void)tp_fb_emit(fb,
                   (tp_edge_info){.kind = TP_E_END_SCOPE, .a = tp_var_of(fb->p, pointer)->term});
}

void tp_fb_end_chain(tp_fb *fb) {
  if (!fb->chain.id || fb->dead) return;
  tp_terms *tt = fb->tt;
  tp_var object = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE),
         before = tp_fb_temp(fb, tp_sort_ptr(tt), TP_TYPE_NONE);
  tp_term chain = tp_var_of(fb->p, fb->chain)->term,
          second = tp_mk_ptr_add(tt, chain, tp_fe_size_term(fb->fe, fb->fe->ptr_bytes));
  tp_loc head = tp_program_add_loc(fb->p, (tp_loc_info){.func = fb->func, .pos = fb->pos}), none;
  tp_fb_goto(fb, head);
  tp_fb_continue_at(fb, head);
  tp_fb_branch(fb, tp_mk_not(tt, tp_mk_eq(tt, chain, tp_mk_null(tt))), &none);
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_LOAD, .var = object, .a = chain});
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_LOAD, .var = before, .a = second});
  end_life(fb, object);
  end_life(fb, fb->chain);
  tp_fb_assign(fb, fb->chain, tp_var_of(fb->p, before)->term);
  tp_fb_goto(fb, head);
  tp_fb_continue_at(fb, none);
}

// --------------------------------------------------------------------- objects

void tp_fb_lower_alloca(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsAAllocaInst(inst));
  const tp_stack_slot *slot = tp_fb_slot(fb, inst);
  if (!slot->is_object) return;
  tp_fe_value address = {.t = tp_var_of(fb->p, slot->var)->term, .pointee = slot->type};
  if (slot->is_dynamic) {
    tp_fe_value count;
    const tp_stack_slot copy = *slot;
    if (!tp_fb_get(fb, LLVMGetOperand(inst, 0), &count)) return;
    tp_term n = tp_mk_resize(fb->tt, fb->fe->ptr_bits, false, count.t);
    uint64_t each = LLVMABISizeOfType(fb->fe->layout, LLVMGetAllocatedType(inst));
    if (is_array(fb, &copy) && is_in_cycle(fb, inst)) tp_fb_end_scope(fb, copy.var);
    tp_fb_alloc_aligned(fb, copy.var,
                        tp_mk2(fb->tt, TP_OP_BV_MUL, n, tp_fe_size_term(fb->fe, each)), TP_O_STACK,
                        TP_TERM_NONE, copy.name, copy.type, LLVMGetAlignment(inst));
    if (copy.is_chained) add_to_chain(fb, copy.var);
  }
  tp_fb_set(fb, inst, address);
}

static uint32_t position(const tp_fb *fb, LLVMValueRef inst) {
  uint64_t i = 0;
  (void)tp_map_get(&fb->plan.index, tp_fe_key(inst), &i);
  return (uint32_t)i;
}

void tp_fb_end_arrays(tp_fb *fb, LLVMValueRef restore) {
  LLVMValueRef load = LLVMGetOperand(restore, 0), saved = NULL;
  if (!fb->fe->check_deref || !LLVMIsALoadInst(load)) return;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(load, 0)); u && !saved; u = LLVMGetNextUse(u))
    if (LLVMIsAStoreInst(LLVMGetUser(u))) saved = LLVMGetUser(u);
  for (size_t i = 0; saved && i < fb->slots.n; i++) {
    const tp_stack_slot slot = fb->slots.at[i];
    if (!is_array(fb, &slot) || position(fb, slot.inst) < position(fb, saved) ||
        position(fb, slot.inst) > position(fb, restore))
      continue;
    tp_fb_end_scope(fb, slot.var);
    tp_fb_forget_pointer(fb, slot.var);
  }
}

/* Steps and decisions.
 *
 * Decisions are shifted in at the bottom of a word that starts as 1, the latest lowest; when the
 * highest bit is set the word is full. The steps are compared with the limit where the word is
 * flushed, at entries and behind calls, and in cycles without decisions. The compared limit is
 * lower by the largest number of edges between two comparisons, so code is left early and the
 * interpreter executes the last steps exactly. */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

void tp_emit_step(tp_emitter *e) {
  LLVMValueRef n = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  LLVMBuildStore(e->b, LLVMBuildAdd(e->b, n, tp_emit_u64(e, 1), ""), e->steps);
}

void tp_emit_check_steps(tp_emitter *e) {
  LLVMValueRef most = tp_emit_load(e, e->i64, tp_emit_shared(e, TP_RT_STEP_LIMIT), TP_ALIAS_SHARED);
  LLVMValueRef n = LLVMBuildLoad2(e->b, e->i64, e->steps, "");
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, n, most, ""), TP_LEFT_TO_INTERPRETER);
}

void tp_emit_store_counters(tp_emitter *e) {
  tp_emit_store(e, LLVMBuildLoad2(e->b, e->i64, e->steps, ""), tp_emit_shared(e, TP_RT_STEPS),
                TP_ALIAS_SHARED);
  tp_emit_store(e, LLVMBuildLoad2(e->b, e->i64, e->bits, ""), tp_emit_shared(e, TP_RT_BITS),
                TP_ALIAS_SHARED);
}

/* Decisions behind an edge before room is made again. */
static uint32_t bits_behind(const tp_program *p, const bool *makes, const uint8_t *bits,
                            uint32_t edge) {
  uint32_t to = p->edges.at[edge].to.id;
  return makes[to] ? 0 : bits[to];
}

/* Room is made for all decisions up to the next place that makes room: at heads of loops, at
 * entries, behind calls, and where there would be too many. So the body of a loop has one test for
 * all, and branches in it that need none of their own. */
uint8_t *tp_emit_reserved_bits(const tp_program *p) {
  const size_t n = p->locs.n;
  bool *makes = TP_NEW_ARRAY(bool, n);
  uint8_t *bits = TP_NEW_ARRAY(uint8_t, n);
  uint32_t *by_order = TP_NEW_ARRAY(uint32_t, n);
  for (uint32_t l = 1; l < n; l++)
    makes[l] = p->locs.at[l].is_loop_head || p->locs.at[l].is_cutpoint;
  for (uint32_t f = 1; f < p->funcs.n; f++) makes[p->funcs.at[f].entry.id] = true;
  for (size_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].kind == TP_E_CALL) makes[p->edges.at[i].to.id] = true;
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    size_t count = 0;
    for (uint32_t l = 1; l < n; l++)
      count += p->locs.at[l].func.id == f && p->locs.at[l].order != TP_ORDER_NONE;
    for (uint32_t l = 1; l < n; l++)
      if (p->locs.at[l].func.id == f && p->locs.at[l].order != TP_ORDER_NONE)
        by_order[p->locs.at[l].order] = l;
    while (count-- > 0) {
      uint32_t l = by_order[count], most = 0;
      tp_edge_list out = tp_out_edges(p, (tp_loc){l});
      for (uint32_t i = 0; i < out.n; i++) {
        uint32_t behind = bits_behind(p, makes, bits, out.at[i]);
        if (behind > most) most = behind;
      }
      bits[l] = (uint8_t)(most + tp_path_bits(out.n));
      if (bits[l] > TP_EXEC_NATIVE_DECISION_BITS) makes[l] = true;
    }
  }
  for (uint32_t l = 1; l < n; l++)
    if (!makes[l]) bits[l] = 0;
  tp_free(by_order);
  tp_free(makes);
  return bits;
}

/* A full word is handed over before any of the k decisions is made; if the code is cut the run
 * stops here. */
void tp_emit_reserve_bits(tp_emitter *e, uint32_t k) {
  TP_REQUIRE(k >= 1 && k < 63);
  LLVMBasicBlockRef full = tp_emit_block(e), on = tp_emit_block(e);
  LLVMValueRef bits = LLVMBuildLoad2(e->b, e->i64, e->bits, "");
  LLVMValueRef is_full =
      LLVMBuildICmp(e->b, LLVMIntUGE, bits, tp_emit_u64(e, (uint64_t)1 << (64 - k)), "");
  tp_emit_unlikely(e, LLVMBuildCondBr(e->b, is_full, full, on));
  LLVMPositionBuilderAtEnd(e->b, full);
  LLVMValueRef args[] = {tp_emit_self(e), bits};
  LLVMValueRef more =
      tp_emit_call(e, (const void *)(uintptr_t)tp_native_flush, e->i32, TP_EFFECT_OUTSIDE, args, 2);
  LLVMBuildStore(e->b, tp_emit_u64(e, 1), e->bits);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, more, tp_emit_u32(e, 0), ""), TP_LEFT_CUT);
  tp_emit_check_steps(e);
  LLVMBuildBr(e->b, on);
  LLVMPositionBuilderAtEnd(e->b, on);
}

/* The lowest bit of the value is the first of its decisions. */
void tp_emit_bits(tp_emitter *e, uint32_t value, uint32_t k) {
  TP_REQUIRE(k <= 32);
  uint64_t turned = 0;
  for (uint32_t i = 0; i < k; i++) turned |= (uint64_t)(value >> i & 1) << (k - 1 - i);
  LLVMValueRef up =
      LLVMBuildShl(e->b, LLVMBuildLoad2(e->b, e->i64, e->bits, ""), tp_emit_u64(e, k), "");
  LLVMBuildStore(e->b, LLVMBuildOr(e->b, up, tp_emit_u64(e, turned), ""), e->bits);
}

void tp_emit_bit(tp_emitter *e, LLVMValueRef bit) {
  LLVMValueRef up =
      LLVMBuildShl(e->b, LLVMBuildLoad2(e->b, e->i64, e->bits, ""), tp_emit_u64(e, 1), "");
  LLVMBuildStore(e->b, LLVMBuildOr(e->b, up, LLVMBuildZExt(e->b, bit, e->i64, ""), ""), e->bits);
}

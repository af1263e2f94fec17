/* Visits are counted down where a location starts, in the block of the frame at hand; each function
 * reads where that is at its entry, each call says where its frame's is. */
#include "exec/native/emit.h"

static LLVMValueRef word_of(tp_emitter *e, uint32_t i) {
  LLVMValueRef at[] = {tp_emit_u64(e, i)};
  return LLVMBuildInBoundsGEP2(e->b, e->i64, e->visits, at, 1, "");
}

void tp_emit_visits_of_frame(tp_emitter *e) {
  e->visits = e->n->counts
                  ? tp_emit_load(e, e->ptr, tp_emit_shared(e, TP_RT_VISITS), TP_ALIAS_SHARED)
                  : NULL;
}

void tp_emit_visit(tp_emitter *e, tp_loc l) {
  if (!e->visits) return;
  LLVMValueRef at = word_of(e, e->n->counts->place[l.id]),
               left = tp_emit_load(e, e->i64, at, TP_ALIAS_VISITS);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, left, tp_emit_u64(e, 0), ""),
                   TP_LEFT_TO_INTERPRETER);
  tp_emit_store(e, LLVMBuildSub(e->b, left, tp_emit_u64(e, 1), ""), at, TP_ALIAS_VISITS);
  e->counted = l;
}

void tp_emit_visits_switch_to_plain(tp_emitter *e) {
  if (e->visits) tp_emit_store(e, e->visits, tp_emit_shared(e, TP_RT_VISITS), TP_ALIAS_SHARED);
}

void tp_emit_visits_of_call(tp_emitter *e, tp_edge call, tp_func callee) {
  if (!e->visits) return;
  LLVMValueRef at = word_of(e, tp_visits_link_of(e->n->counts, call, callee));
  LLVMValueRef i[] = {tp_emit_load(e, e->i64, at, TP_ALIAS_VISITS)};
  LLVMValueRef words =
      tp_emit_load(e, e->ptr, tp_emit_shared(e, TP_RT_VISIT_WORDS), TP_ALIAS_SHARED);
  tp_emit_store(e, LLVMBuildInBoundsGEP2(e->b, e->i64, words, i, 1, ""),
                tp_emit_shared(e, TP_RT_VISITS), TP_ALIAS_SHARED);
}

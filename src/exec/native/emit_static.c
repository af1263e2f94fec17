/* Statics that code takes for plain: of their declared size, with content of their own, without
 * shadows and origins.
 *
 * An access to such an object has a constant bound, which LLVM can hoist out of loops, and no other
 * test. An entry of the code checks these conditions (native.c); helpers that would violate one
 * leave the code. When a condition does not hold, the object is odd from then on and the code is
 * generated again. Objects to which pointers are stored are odd from the start. */
#include "exec/native/emit.h"

#include "exec/exec_limits.h"

static bool may_be_plain(const tp_static *s) {
  return s->kind != TP_O_FUNCTION && s->size_bytes && !s->n_relocs;
}

static void find_irregular(tp_emitter *e) {
  const tp_program *p = e->p;
  const uint32_t classes = tp_pointsto_n_classes(e->pointsto);
  bool *has_pointers = TP_NEW_ARRAY(bool, classes + 1), all = false;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *edge = &p->edges.at[i];
    if (edge->kind != TP_E_STORE ||
        tp_sort_kind_of(p->terms, tp_sort_of(p->terms, edge->b)) != TP_SORT_PTR)
      continue;
    tp_class c = tp_pointsto_of_address(e->pointsto, edge->a);
    if (c.id <= classes)
      has_pointers[c.id] = true;
    else
      all = true;
  }
  for (uint32_t s = 1; s < p->statics.n; s++) {
    tp_class c = tp_pointsto_of_static(e->pointsto, s);
    if (all || c.id > classes || has_pointers[c.id] || !may_be_plain(&p->statics.at[s]))
      e->n->is_irregular[s] = true;
  }
  tp_free(has_pointers);
}

void tp_emit_find_statics(tp_emitter *e) {
  const tp_program *p = e->p;
  e->pointsto = tp_pointsto_new(p);
  const uint32_t classes = tp_pointsto_n_classes(e->pointsto);
  e->only = TP_NEW_ARRAY(uint32_t, classes + 1);
  for (uint32_t s = 1; s < p->statics.n; s++) {
    tp_class c = tp_pointsto_of_static(e->pointsto, s);
    if (c.id <= classes) e->only[c.id] = e->only[c.id] == 0 ? s : UINT32_MAX;
  }
  for (uint32_t i = 1; i < p->edges.n; i++) {
    if (p->edges.at[i].kind != TP_E_ALLOC) continue;
    tp_class c = tp_pointsto_of_alloc(e->pointsto, (tp_edge){i});
    if (c.id <= classes) e->only[c.id] = UINT32_MAX;
  }
  if (!e->n->n_compiled) find_irregular(e);
}

void tp_emit_free_statics(tp_emitter *e) {
  tp_pointsto_free(e->pointsto);
  tp_free(e->only);
}

bool tp_emit_assume_static(tp_emitter *e, LLVMValueRef object, tp_native_use use, uint64_t *size) {
  TP_REQUIRE(use == TP_USE_READ || use == TP_USE_WRITE);
  if (!LLVMIsAConstantInt(object)) return false;
  uint64_t id = LLVMConstIntGetZExtValue(object);
  if (id >= e->p->statics.n || id >= TP_EXEC_NATIVE_OBJECTS || id == 0 || e->n->is_irregular[id])
    return false;
  const tp_static *s = &e->p->statics.at[id];
  if (s->is_const && use == TP_USE_WRITE) return false;
  e->n->uses[id] |= (uint8_t)use;
  *size = s->size_bytes;
  return true;
}

LLVMValueRef tp_emit_single_object(tp_emitter *e, tp_term address, LLVMValueRef object) {
  if (LLVMIsAConstantInt(object)) return object;
  tp_class c = tp_pointsto_of_address(e->pointsto, address);
  if (!c.id || c.id > tp_pointsto_n_classes(e->pointsto)) return object;
  uint32_t id = e->only[c.id];
  if (!id || id >= TP_EXEC_NATIVE_OBJECTS || e->n->is_irregular[id])
    return object;  // many: UINT32_MAX
  LLVMValueRef there = tp_emit_u64(e, id);
  tp_emit_leave_if(e, LLVMBuildICmp(e->b, LLVMIntNE, object, there, ""), TP_LEFT_TO_INTERPRETER);
  return there;
}

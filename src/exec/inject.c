/* Injection of values, cells, objects and a location into a state.
 *
 * Each function changes what its caller names and nothing else; a request that has no meaning in
 * the state (a ghost, a variable of no active frame, a dead object) is refused before anything
 * changes. */
#include "exec/inject.h"

#include "exec/machine_state.h"

/* The frame whose variable it is; NULL: none is active. */
static const tp_frame *frame_of(const tp_state *s, tp_var v) {
  tp_func func = tp_var_of(s->program, v)->func;
  for (size_t i = s->frames.n; i-- > 0;)
    if (s->frames.at[i].func.id == func.id) return &s->frames.at[i];
  return NULL;
}

bool tp_inject_value(tp_state *s, tp_var v, tp_value value) {
  if (v.id == 0 || v.id >= s->program->vars.n || s->code->slot_of_var[v.id] == UINT32_MAX)
    return false;
  const tp_frame *frame = frame_of(s, v);
  if (!frame && !s->code->var_is_global[v.id]) return false;
  const tp_terms *tt = s->program->terms;
  tp_sort_kind kind = tp_sort_kind_of(tt, tp_sort_of(tt, tp_var_of(s->program, v)->term));
  tp_slot_set(s, tp_slot_of(s, frame, v), kind,
              (tp_shaded){.bits = value.bits, .object = value.object});
  return true;
}

bool tp_inject_cell(tp_state *s, tp_value address, tp_sort sort, tp_value value) {
  tp_layout layout = tp_layout_of(s->program, sort);
  uint64_t offset = (uint64_t)address.bits;
  TP_REQUIRE(layout.bytes > 0);
  if (tp_memory_write_error(s, address.object, offset, layout.bytes)) return false;
  tp_memory_store(s, address.object, offset, layout,
                  (tp_shaded){.bits = value.bits, .object = value.object});
  return true;
}

uint32_t tp_inject_object(tp_state *s, tp_object_kind kind, uint64_t size_bytes, bool is_live) {
  uint32_t id = tp_memory_alloc(s, kind, size_bytes, 0);
  if (id && !is_live) tp_memory_end(s, id);
  return id;
}

bool tp_inject_drop(tp_state *s, uint32_t object) {
  tp_object_info info;
  if (!tp_state_object_info(s, object, &info) || info.kind != TP_O_HEAP) return false;
  if (info.live) tp_memory_end(s, object);
  s->objects.at[object].kind = TP_O_STACK;
  return true;
}

void tp_inject_loc(tp_state *s, tp_loc at) {
  TP_REQUIRE(at.id && at.id < s->program->locs.n);
  TP_INVARIANT(tp_loc_of(s->program, at)->func.id == tp_state_top(s)->func.id);
  tp_state_top(s)->loc = at;
}

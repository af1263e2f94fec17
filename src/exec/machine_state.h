/* Inside of a state of the concrete machine (private to exec/).
 *
 * What       objects, frames, and one flat array of variable slots: the globals first, then the
 *            locals of each frame. A slot is a word; a slot with indeterminate bits or an origin is
 *            marked and has a shade.
 * Invariants words[i].hi is 0 unless the variable is a pointer (then: its object) or wider than 64
 *            bits; marked[i] == 0 means: fully determined and no origin. Checked by tp_state_check.
 */
#ifndef TP_EXEC_MACHINE_STATE_H
#define TP_EXEC_MACHINE_STATE_H

#include "exec/code.h"
#include "exec/object_memory.h"

typedef struct {
  uint64_t lo, hi;
} tp_word;
typedef struct {
  tp_u128 und;
  uint32_t origin;
} tp_shade;

typedef struct {
  tp_func func;
  tp_loc loc;    // of outer frames: where the call starts
  tp_edge call;  // the edge that made this frame; NONE for main
  size_t base;   // slot of its first local
} tp_frame;

struct tp_state {
  const tp_program *program;
  tp_code *code;              // shared by all copies
  TP_VEC(tp_object) objects;  // [0] is null
  TP_VEC(tp_frame) frames;
  tp_word *words;  // cap_slots of each
  tp_shade *shades;
  uint8_t *marked;
  size_t n_slots, cap_slots;
  uint64_t next_base;
  uint64_t n_heap;        // live heap objects
  uint64_t memory_bytes;  // of contents and dead records
};

/* The cell of a variable's slot, and back. `is_ptr`: hi is an object. */
tp_shaded tp_slot_get(const tp_state *s, size_t slot, tp_sort_kind kind);
void tp_slot_set(tp_state *s, size_t slot, tp_sort_kind kind, tp_shaded v);
tp_state *tp_state_empty(const tp_program *p);  // statics and globals, no frame
/* Slot of a global or a local of frame f. */
size_t tp_slot_of(const tp_state *s, const tp_frame *f, tp_var v);
/* Room for n slots, with some to spare: a stack that grows frame by frame is not copied for each.
 * Those from n_slots on have any value. */
void tp_state_reserve(tp_state *s, size_t n);
void tp_state_push(tp_state *s, tp_func callee,
                   tp_edge call);  // frame with zero locals at the callee's entry
void tp_state_pop(tp_state *s);
void tp_state_recount(tp_state *s);  // what is counted of objects, from the objects

/* The whole state in bytes, for processes that are copies of each other. than: a state of the same
 * run whose contents the reader has (NULL: none); what is the same is left out. */
void tp_state_pack(const tp_state *s, const tp_state *than, tp_str *out);
/* `s`, the state that the writer compared with, becomes what is packed. False: these bytes are no
 * state; nothing has changed. */
bool tp_state_unpack(tp_state *s, const char *bytes, size_t n) TP_MUST_USE;
static inline tp_frame *tp_state_top(const tp_state *s) {
  TP_REQUIRE(s->frames.n > 0);
  return &s->frames.at[s->frames.n - 1];
}

static inline tp_u128 tp_mask128(uint32_t n) {
  return n >= 128 ? ~(tp_u128)0 : (((tp_u128)1) << n) - 1;
}
static inline uint64_t tp_ptr_mask(const tp_state *s) {
  return s->program->ptr_bits == 32 ? UINT32_MAX : UINT64_MAX;
}

#endif

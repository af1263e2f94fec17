/* Evaluation of register code in a state (private to exec/).
 *
 * What       two evaluators for the same code. Words: 64-bit registers, no shadows, stops when it
 *            meets a value with a shadow. Cells: 128 bits, indeterminate bits, origins of
 *            addresses; always gives an answer.
 * Law        words = cells wherever words answers; both = tp_eval on the term (tested on random
 *            terms). */
#ifndef TP_EXEC_EVAL_H
#define TP_EXEC_EVAL_H

#include "exec/machine_state.h"

/* The parts of a state that code reads, so that registers can hold them. Stale after a push, pop or
 * ALLOC. */
typedef struct {
  const tp_state *s;
  const tp_word *global, *local;
  const uint8_t *mark_global, *mark_local;
} tp_state_view;
static inline tp_state_view tp_state_view_of(const tp_state *s) {
  size_t base = s->frames.n ? tp_state_top(s)->base : 0;
  return (tp_state_view){s, s->words, s->words + base, s->marked, s->marked + base};
}

/* r: room for sn->n registers. False: a shadow was met, nothing is known. */
bool tp_eval_words(const tp_state_view *v, const tp_snippet *sn, tp_word *r, tp_word *out);
/* *divided_by_und is set if the divisor of a division has indeterminate bits. */
tp_shaded tp_eval_shaded(const tp_state_view *v, const tp_snippet *sn, tp_shaded *r,
                         bool *divided_by_und);
/* Anything else: tp_eval on the term; the result is indeterminate if any variable in it is. */
tp_status tp_eval_terms(const tp_state *s, tp_term t, tp_shaded *out) TP_MUST_USE;

/* One operation on values, by the one definition of all kinds (term/fold.c). Not for leaves,
 * PTR_TO_INT, INT_TO_PTR. */
tp_u128 tp_apply(const tp_instr *in, uint32_t ptr_bits, const tp_shaded *a, const tp_shaded *b,
                 const tp_shaded *c);
static inline uint64_t tp_object_size(const tp_state *s, uint64_t id) {
  return id < s->objects.n ? s->objects.at[id].size : 0;
}
static inline bool tp_object_live(const tp_state *s, uint64_t id) {
  return id < s->objects.n && s->objects.at[id].live;
}
static inline uint64_t tp_object_kind_of(const tp_state *s, uint64_t id) {
  return id < s->objects.n ? (uint64_t)s->objects.at[id].kind : 0;
}
static inline uint64_t tp_object_base(const tp_state *s, uint64_t id) {
  return id < s->objects.n ? s->objects.at[id].base : 0;
}

// division as terms mean it (SMT-LIB), on words of `width` bits
static inline int64_t tp_as_signed(uint64_t x, uint32_t width) {
  TP_REQUIRE(width >= 1 && width <= 64);
  uint32_t shift = 64 - width;
  return (int64_t)(x << shift) >> shift;
}

static inline uint64_t tp_divide_signed(uint64_t a, uint64_t b, uint32_t width) {
  int64_t x = tp_as_signed(a, width), y = tp_as_signed(b, width);
  if (y == 0) return x < 0 ? 1 : UINT64_MAX;
  return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t tp_remainder_signed(uint64_t a, uint64_t b, uint32_t width) {
  int64_t x = tp_as_signed(a, width), y = tp_as_signed(b, width);
  if (y == 0) return (uint64_t)x;
  return y == -1 ? 0 : (uint64_t)(x % y);
}

#endif

/* A tape of choices: what a generator draws from, so that its programs can be replayed and made
 * smaller.
 *
 * What       fresh: random choices, written down. Given: the choices of a tape; after its end every
 *            choice is 0, which generators let mean the simplest thing. To minimise a program,
 *            minimise its tape.
 * Ownership  a tape owns what it wrote down; given choices are borrowed. */
#ifndef TP_FUZZ_TAPE_H
#define TP_FUZZ_TAPE_H

#include "base/base.h"

typedef struct {
  const uint32_t *given;  // NULL: fresh
  size_t n_given;
  tp_rng rng;
  TP_VEC(uint32_t) made;  // every choice so far
} tape;
void tape_fresh(tape *t, uint64_t seed);
void tape_given(tape *t, const uint32_t *choices, size_t n);
void tape_clear(tape *t);
uint32_t draw(tape *t, uint32_t n);  // 0 .. n - 1
static inline bool chance(tape *t, uint32_t one_in) { return draw(t, one_in) == one_in - 1; }

/* Make choices[0..*n) shorter and smaller, keeping bad(ctx, choices, n) true; at most `tries`
 * calls. */
void tape_minimise(uint32_t *choices, size_t *n,
                   bool (*bad)(void *ctx, const uint32_t *choices, size_t n), void *ctx, int tries);

#endif

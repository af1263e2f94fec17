#include "tape.h"

void tape_fresh(tape *t, uint64_t seed) {
  *t = (tape){0};
  tp_rng_init(&t->rng, seed);
}

void tape_given(tape *t, const uint32_t *choices, size_t n) {
  static const uint32_t none;
  *t = (tape){.given = n ? choices : &none, .n_given = n};
}

void tape_clear(tape *t) { tp_vec_clear(&t->made); }

uint32_t draw(tape *t, uint32_t n) {
  uint32_t v = 0;
  if (!t->given) v = (uint32_t)tp_rng_below(&t->rng, n);
  else if (t->made.n < t->n_given) v = t->given[t->made.n] % n;
  tp_vec_push(&t->made, v);
  return v;
}

void tape_minimise(uint32_t *choices, size_t *n, bool (*bad)(void *ctx, const uint32_t *choices, size_t n), void *ctx, int tries) {
  uint32_t *trial = TP_NEW_ARRAY(uint32_t, *n + 1);
  bool better = true;
  while (better && tries > 0) {
    better = false;
    for (size_t chunk = *n; chunk > 0 && tries > 0; chunk /= 2)          // leave out a chunk
      for (size_t at = 0; at + chunk <= *n && tries > 0;) {
        memcpy(trial, choices, at * sizeof *trial);
        memcpy(trial + at, choices + at + chunk, (*n - at - chunk) * sizeof *trial);
        if (tries-- && bad(ctx, trial, *n - chunk)) {
          *n -= chunk;
          memcpy(choices, trial, *n * sizeof *trial);
          better = true;
        } else {
          at += chunk;
        }
      }
    for (size_t at = 0; at < *n && tries > 0; at++)                      // make one choice simpler
      for (uint32_t v = 0; v < choices[at] && tries > 0; v += v + 1) {
        memcpy(trial, choices, *n * sizeof *trial);
        trial[at] = v;
        if (!(tries-- && bad(ctx, trial, *n))) continue;
        choices[at] = v;
        better = true;
      }
  }
  tp_free(trial);
}

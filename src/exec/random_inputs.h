/* Inputs drawn at random, as a tester wants them: few that are likely, many that lead on.
 *
 * What       the first runs get zeros, ones and other constants. After that each run draws its
 *            inputs from a mix whose weights are themselves drawn once per run: small numbers,
 *            limits of the width, constants of the program (and their neighbours), repeats of
 *            earlier inputs, anything. With `tries_equal`, numbers that the program compares with
 *            by == or != are given to all inputs of a run before that, and then to one input after
 * the other, in turns. Vectors that are kept (they led somewhere new) are starts for later runs,
 * with some values drawn anew. Represents a sequence of inputs that depends on (program, seed,
 * which vectors were kept) only. */
#ifndef TP_EXEC_RANDOM_INPUTS_H
#define TP_EXEC_RANDOM_INPUTS_H

#include "exec/input.h"

enum { TP_RANDOM_INPUTS_MIXES = 6 };

typedef struct {
  tp_rng rng;
  TP_VEC(tp_u128) constants;  // of the program
  TP_VEC(tp_u128) equal;      // of its equations, each once; the first TP_EXEC_EQUAL_CONSTANTS
  TP_VEC(tp_inputs) kept;
  uint32_t weights[TP_RANDOM_INPUTS_MIXES];
  const tp_inputs *seed;      // vector to follow, or NULL
  size_t keep_first;          // how many of its values may be kept,
  uint32_t keep_permille;     // and how many of these are
  tp_u128 fixed;              // first runs: this number everywhere
  bool is_fixed, is_rotated;  // rotated: input i has the number i + `first` of `equal`
  size_t first;
  bool tries_equal;    // set after init
  bool prefers_small;  // every second mix is mostly small numbers; set after init
  uint64_t n_runs;     // started so far
  tp_inputs *made;     // what this run has been given so far: the caller's
  tp_arena bytes;      // of answers, until the run ends
} tp_random_inputs;
void tp_random_inputs_init(tp_random_inputs *d, const tp_program *p, uint64_t seed);
void tp_random_inputs_clear(tp_random_inputs *d);
/* The next run: what its oracle answers is added to `made`. Answers of the run before end. */
void tp_random_inputs_start(tp_random_inputs *d, tp_inputs *made);
/* Do all inputs of the run that was started have numbers of equations of the program? */
bool tp_random_inputs_is_equal(const tp_random_inputs *d);
tp_oracle tp_random_inputs_oracle(tp_random_inputs *d);
/* This vector (copied) led somewhere new. */
void tp_random_inputs_keep(tp_random_inputs *d, const tp_inputs *made);

#endif

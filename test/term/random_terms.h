/* Random terms for tests: recipes that can be built twice, with rewriting off and on.
 *
 * What       a pool of variables of every sort, and recipes: a list of steps, each an
 *            operation over earlier steps. Building a recipe gives the term as written
 *            (rewriting off) or its normal form (on), over the same variables.
 * Source     none; the mix favours what rules look for: few variables, small constants,
 *            repeated subterms, neighbouring widths. */
#ifndef TP_TEST_RANDOM_TERMS_H
#define TP_TEST_RANDOM_TERMS_H

#include "term/term.h"

enum { TP_RANDOM_VARS = 3, TP_RANDOM_ROWS = 200 };  // rows: every width, and more
typedef enum {
  TP_RANDOM_BOOL_BV = 1,  // Bool and bit-vectors: always there
  TP_RANDOM_FLOATS = 2,
  TP_RANDOM_POINTERS = 4,
  TP_RANDOM_ARRAYS = 8,   // with STORE and ITE on arrays
  TP_RANDOM_SELECTS = 16  // reads of array variables only
} tp_random_sorts;

typedef struct {
  tp_terms *tt;
  tp_rng rng;
  uint32_t width;  // main width; half and double of it occur too
  unsigned sorts;  // tp_random_sorts
  tp_term vars[TP_RANDOM_ROWS][TP_RANDOM_VARS];
} tp_random;

/* Make the variables. names: "v0", "v1", ... by index, so that they are usable in C. */
void tp_random_init(tp_random *r, tp_terms *tt, uint64_t seed, uint32_t width, unsigned sorts);
/* A random term of about n_steps operations, twice: as written and normalised. */
void tp_random_term(tp_random *r, uint32_t n_steps, tp_term *as_written, tp_term *normal);
/* A random value for a scalar or array variable; interesting values are likely. */
tp_value tp_random_value(tp_random *r, tp_sort s, tp_arena *arena);

#endif

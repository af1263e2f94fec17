/* Random functions in C with random contracts, over one kind of struct. */
#ifndef TEST_SPEC_FUNCTIONS_H
#define TEST_SPEC_FUNCTIONS_H

#include "base/base.h"

/* What they speak of. */
typedef struct {
  bool is_rich;          // inner structs, arrays, pointers to members and to locals
  bool has_locals;       // a local struct whose address is handed over
  bool may_keep_locals;  // and may be kept in memory
  bool without_b, without_d, without_g,
      without_i;  // members, the global, the integer that is handed over
} function_style;

/* program: uses the macros W(e) for what may leave the width, ENTER(n) and ROUND(n) at a loop's
 * start and at the end of each of its rounds, NEW for a new object; FUNCTIONS_PLAIN defines them as
 * what they stand for. */
#define FUNCTIONS_PLAIN                                                                        \
  "#define W(e) (e)\n#define ENTER(n)\n#define ROUND(n)\n#define NEW calloc(1, sizeof(struct " \
  "n))\n"
void random_function(uint64_t seed, function_style style, tp_str *program);
/* A file of contracts for it. */
void random_contract(uint64_t seed, function_style style, tp_str *contract);

#endif

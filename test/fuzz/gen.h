/* Random C programs without undefined and unspecified behaviour.
 *
 * What       each program is a handful of types, globals and functions with a prefix of its own and
 *            an entry void pN_run(void) that leaves a number in the global checksum_N. Many
 *            programs make one file: one run of each compiler serves them all.
 * Law        the number does not depend on the compiler, its options, or on reading anything
 *            uninitialised. How the generator makes sure is said in gen_expr.c and gen_stmt.c; a
 *            sanitizer build of a sample tests it.
 * Determinism the same seed and options give the same text. */
#ifndef TP_FUZZ_GEN_H
#define TP_FUZZ_GEN_H

#include "base/base.h"

typedef struct {
  unsigned long_bits;  // 64: lp64, 32: ilp32
  bool with_heap;      // malloc and free
} gen_options;

/* Programs for the seeds first .. first + n - 1, number i being called pI_, and a main that runs
 * them all. With -DNATIVE main prints a line "I CHECKSUM" for each. */
void gen_file(uint64_t first, unsigned n, gen_options options, tp_str *out);

#endif

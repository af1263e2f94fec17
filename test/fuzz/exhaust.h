/* The exact verdict of a program with few inputs: run it on all of them.
 *
 * What       a depth-first walk over input sequences; every request is answered with each of its
 *            values in turn.
 * Represents the concrete machine is the judge: what it says is what the engines are measured
 * against. */
#ifndef TP_FUZZ_EXHAUST_H
#define TP_FUZZ_EXHAUST_H

#include "exec/exec.h"

typedef enum {
  EXACT_SAFE,     // every run ended, none in an error
  EXACT_UNSAFE,   // `inputs` lead to an error
  EXACT_OPEN,     // no error seen, but some run did not end
  EXACT_TOO_MANY  // more runs than allowed, or an input too wide to enumerate
} exact_verdict;
typedef struct {
  uint32_t max_runs;
  uint64_t max_steps;  // per run
  uint32_t max_bits;   // widest input that is enumerated
  uint32_t mask_bits;  // values of wider inputs that matter (the program masks them itself); 0: all
  bool ignore_bytes;   // fresh memory is written before it is read: its bytes need no enumeration
  const tp_observer *observer;  // sees all runs; may be NULL
} exact_limits;
typedef struct {
  exact_verdict verdict;
  uint32_t runs;
  uint32_t ends[TP_END_STOPPED + 1];
  tp_inputs inputs;  // of the first error
} exact_result;
void exact_run(const tp_program *p, tp_property asked, exact_limits limits, exact_result *out);
void exact_clear(exact_result *r);

#endif

/* Back end "mixed": bits where every fact and assumption is in its fragment, Z3 for everything
 * else.
 *
 * Decided anew for each query, so a frame with floats goes to Z3 and the next one, without, to bits
 * again. Bits get a bounded number of steps: what they do not settle quickly needs rewriting at the
 * level of words, which Z3 does. */
#include "smt/backend.h"

#include "smt/smt_limits.h"

typedef struct {
  void *bits, *z3;
  bool by_bits;       // who gave the last answer
  unsigned failures;  // of bits at its limits, in a row
} mixed;

static void *mixed_open(tp_terms *tt, const tp_smt_options *options) {
  mixed *s = TP_NEW(mixed);
  s->bits = tp_smt_bits.open(tt, options);
  s->z3 = tp_smt_z3.open(tt, options);
  return s;
}

static void mixed_close(void *self) {
  mixed *s = self;
  tp_smt_bits.close(s->bits);
  tp_smt_z3.close(s->z3);
  tp_free(s);
}

static bool is_fragment(const char *reason) { return strncmp(reason, "bits: no ", 9) == 0; }

static tp_smt_answer mixed_check(void *self, const tp_smt_query *q, const char **reason,
                                 bool *broke) {
  mixed *s = self;
  tp_smt_query first = *q;
  if (!first.rlimit || first.rlimit > TP_SMT_MIXED_BITS_RLIMIT)
    first.rlimit = TP_SMT_MIXED_BITS_RLIMIT;
  s->by_bits = s->failures < TP_SMT_MIXED_FAILURES;
  if (s->by_bits) {
    tp_smt_answer answer = tp_smt_bits.check(s->bits, &first, reason, broke);
    if (answer != TP_SMT_UNKNOWN || q->fault != TP_FAULT_NONE) {
      s->failures = 0;
      return answer;
    }
    s->failures += !is_fragment(*reason);
    s->by_bits = false;
  }
  return tp_smt_z3.check(s->z3, q, reason, broke);
}

static bool mixed_model(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values) {
  mixed *s = self;
  return s->by_bits ? tp_smt_bits.model(s->bits, q, arena, values)
                    : tp_smt_z3.model(s->z3, q, arena, values);
}

/* The last answer may have been another query's: then bits are asked first again. */
static bool mixed_core(void *self, const tp_smt_query *q, bool *used) {
  mixed *s = self;
  tp_smt_query first = *q;
  if (!first.rlimit || first.rlimit > TP_SMT_MIXED_BITS_RLIMIT)
    first.rlimit = TP_SMT_MIXED_BITS_RLIMIT;
  if (s->failures < TP_SMT_MIXED_FAILURES && tp_smt_bits.core(s->bits, &first, used)) return true;
  return tp_smt_z3.core(s->z3, q, used);
}

const tp_smt_backend tp_smt_mixed = {.open = mixed_open,
                                     .close = mixed_close,
                                     .check = mixed_check,
                                     .model = mixed_model,
                                     .core = mixed_core};

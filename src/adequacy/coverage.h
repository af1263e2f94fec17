/* Coverage: the abstract states that runs were in, by cutpoint.
 *
 * What       cutpoints with their call strings, the predicates that are asked there,
 *            and the sets of truth vectors seen so far, each with its origin and a concrete state
 *            that represents it.
 * Represents an abstract state is (cutpoint, truth vector): bit i of `values` is predicate i of the
 *            cutpoint. A predicate that cannot be evaluated in a state (a cell behind a null
 *            pointer) counts as whatever formulas make of it: its value with memory total
 *            (program/cells.h) where that can be had, else false. With numeric domains a cutpoint
 *            has at most one abstract state, whose value is in `adequacy/numeric.h`; `values` is 0
 *            then.
 * Invariants no two abstract states of one cutpoint have the same vector; they are listed in the
 *            order in which they were found; none is ever removed. `state` of an abstract state
 *            stands at its cutpoint and is in it.
 * Ownership  a coverage owns its states. Context numbers are those of the report that it is part
 *            of. */
#ifndef TP_ADEQUACY_COVERAGE_H
#define TP_ADEQUACY_COVERAGE_H

#include "adequacy/adequacy_limits.h"
#include "cpa/context.h"
#include "adequacy/probes.h"
#include "exec/exec.h"

/* Where an abstract state was first seen; `index` counts from 0. */
typedef enum {
  TP_FROM_TEST,     // on the user's test number `index`
  TP_FROM_INITIAL,  // on real test number `index` of report.added: a run of the program that is no
                    // test of the user's
  TP_FROM_FABRICATED,  // it is the abstract state of fabricated state number `index`
  TP_FROM_RUN,         // on the run from fabricated state number `index`
  TP_FROM_STEP         // by an abstract step: no concrete state is known
} tp_origin_kind;
typedef struct {
  tp_origin_kind kind;
  uint32_t index;
  uint64_t step;  // edges of that run before the state
} tp_origin;

/* Is a run of the program ever in it? Tests' states are REAL without a witness. */
typedef enum { TP_REACH_UNKNOWN, TP_REACH_REAL, TP_REACH_NEVER } tp_reach;

typedef struct {
  uint32_t cutpoint;
  uint64_t values;     // bit i: predicate i of the cutpoint
  bool is_missed;      // no test of the user was in it
  tp_reach reach;      // of what was missed, once the set is closed
  uint32_t witness;    // REAL: index into the report's witnesses,
  uint32_t n_witness;  // of whose inputs so many had been asked for when it was there first
  tp_origin origin;
  tp_state *state;  // the first concrete one; NULL if none is known
} tp_abstract_state;

typedef struct {
  tp_context context;
  tp_loc loc;
  TP_VEC(tp_probe) probes;  // at most TP_ADEQUACY_PROBES_AT_CUTPOINT
  TP_VEC(uint32_t) states;  // indices into coverage.states
} tp_cutpoint_coverage;

typedef struct {
  const tp_program *program;  // borrowed
  TP_VEC(tp_cutpoint_coverage)
  cutpoints;  // cutpoints that calls can reach; error locations, and main before it starts, are
              // none
  TP_VEC(tp_abstract_state) states;
  tp_map index;  // (cutpoint, values) -> index into states + 1
} tp_coverage;
void tp_coverage_init(tp_coverage *c, const tp_program *p);
void tp_coverage_clear(tp_coverage *c);
/* The invariants: each abstract state is found by its vector and listed at its cutpoint once, in
 * order. Linear; for assertions. */
bool tp_coverage_check(const tp_coverage *c);
/* The abstract state with these values; UINT32_MAX: not covered. */
uint32_t tp_coverage_find(const tp_coverage *c, uint32_t cutpoint, uint64_t values);
/* The truth vector of a concrete state at the cutpoint. */
uint64_t tp_coverage_values(const tp_coverage *c, uint32_t cutpoint, const tp_state *s);
/* Is the condition true in the state? A connective that one side decides is decided; what cannot be
 * evaluated is not true. */
bool tp_coverage_holds(const tp_coverage *c, const tp_state *s, tp_term condition);
/* Adds an abstract state that is not covered yet; `state` is copied (NULL: none). Its index. */
uint32_t tp_coverage_add(tp_coverage *c, uint32_t cutpoint, uint64_t values, tp_origin origin,
                         const tp_state *state);
/* Conjunction of the predicates of the abstract state's cutpoint or their negations. */
tp_term tp_coverage_cube(const tp_coverage *c, uint32_t state);
/* Disjunction of the cubes of a cutpoint, which are conjunctions of its predicates or their
 * negations; false if nothing was there. */
tp_term tp_coverage_formula(const tp_coverage *c, uint32_t cutpoint);

#endif

/* States that runs really come through, to hold against what a certificate of invariants claims.
 *
 * What       snapshots of the concrete machine at labels, with the states in which the active
 *            functions were entered.
 * Represents some of the states of some runs: a claim that one of them refutes is wrong, whatever a
 * checker says.
 * Ownership  the list owns its states. */
#ifndef TP_TEST_SIGHTINGS_H
#define TP_TEST_SIGHTINGS_H

#include "engine/invariants.h"
#include "exec/exec.h"

#include "../fuzz/exhaust.h"

typedef struct {
  tp_state *state;
  tp_loc loc;      // that it stands at; the exit of its function if it is about to return there
  tp_term result;  // then: what the function will return; NONE: nothing
  size_t depth;
  const uint32_t *entered;  // by frame: the snapshot of its entry, 0: not kept
} sighting;

typedef struct {
  const tp_program *p;
  TP_VEC(sighting) list;     // [0] unused
  TP_VEC(uint32_t) entered;  // of the run at hand
  uint32_t *n_at;            // by location
  tp_arena arena;
} sightings;

/* Runs the program on all inputs within the limits; says what came out, too. */
void sightings_collect(const tp_program *p, tp_property asked, exact_limits limits, sightings *out,
                       exact_result *exact);
void sightings_clear(sightings *s);
/* Does a state refute what the record claims of places and contracts? Then why says which. */
bool sightings_refute(const sightings *s, const tp_invariants *v, tp_str *why);

#endif

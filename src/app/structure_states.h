/* States of structures between the calls of a module, as runs of the concrete machine come to them.
 *
 * What       of a program about structures (app/environment.h) the members of each object that its
 *            state functions are called with.
 * Represents runs of the concrete machine only.
 * Ownership  program and structures are borrowed; tp_structure_states_clear. */
#ifndef TP_APP_STRUCTURE_STATES_H
#define TP_APP_STRUCTURE_STATES_H

#include "app/structures.h"
#include "exec/random_inputs.h"

typedef struct tp_structure_states {
  const tp_program *p;
  const tp_made_structures *all;
  tp_loc *entries;   // by structure: of its state function
  tp_term **terms;   // by structure and member
  tp_var sign, use;  // of a probe: of the result, and the number of the function; NONE
  tp_state *start;
  /* Called for each state; numbers that have no value are none. */
  void (*see)(void *ctx, size_t structure, const tp_field_value *values, int64_t sign,
              uint32_t use);
  void *ctx;
} tp_structure_states;
/* False: a member cannot be read there; the name of the structure is in `why`. */
bool tp_structure_states_init(tp_structure_states *x, const tp_program *p,
                              const tp_made_structures *all);
void tp_structure_states_clear(tp_structure_states *x);
/* One run with these inputs. */
void tp_structure_states_run(tp_structure_states *x, const tp_inputs *inputs);
/* Random runs, at most so many and for so many seconds of CPU. */
void tp_structure_states_sample(tp_structure_states *x, uint64_t seed, uint32_t runs, double cpu_s);

#endif

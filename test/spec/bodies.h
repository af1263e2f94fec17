/* Functions in C, given as text: as relations on one side, in the concrete machine on the other. */
#ifndef TEST_SPEC_BODIES_H
#define TEST_SPEC_BODIES_H

#include "contracts/modular/heap_layout.h"
#include "contracts/modular/contract_check.h"
#include "contracts/modular/contract_replay.h"
#include "exec/exec.h"
#include "contracts/rel/rel_eval.h"

typedef struct {
  tp_diag *diag;
  tp_program *program, *driver;  // driver: builds a heap from inputs and calls the function
  char *path, *driver_path;
  tp_object_model universe;
  tp_clauses clauses;
  tp_contracts contracts;
  tp_contract_vc contract;
  tp_rheap heap;
  tp_rexec body;
  tp_heap_layout layout;
  tp_rel_formula is_heap;
  tp_state *start;          // of the driver
  uint32_t post, at, gone;  // its arrays: answers, objects, which of them are gone
  const char *driver_head;  // C in front of the driver, set before subject_bind; NULL: nothing
  uint32_t watched;         // of the driver, if it has it: int tp_monitored_function[2]
  int32_t seen[2];          // its values at the end of the last run
} subject;

/* name NULL: the function that is defined first but for those that are `static`. contracts: a file
 * of contracts, or NULL. */
void subject_init(subject *s, const char *text, const char *name, const char *contracts,
                  tp_rheap_limits limits);
/* The same; by_contract: contracts stand for bodies where functions are called. */
void subject_init_with(subject *s, const char *text, const char *name, const char *contracts,
                       tp_rheap_limits limits, bool by_contract);
/* Bounds and the driver; after that no formula may speak of something new. */
void subject_bind(subject *s);
void subject_clear(subject *s);

/* What happens, from the heap that these slots describe. */
typedef enum { OUT_RETURNS, OUT_FAILS, OUT_BEYOND, OUT_STOPS, OUT_UNDEFINED, OUT_REFUSED } outcome;
outcome outcome_of_relations(subject *s, tp_rel_eval *e);
/* post: one for each slot and one for the result; of runs that return. */
outcome outcome_of_run(subject *s, const int64_t *at, int64_t *post);
/* The same; there: one for each atom, as tp_contract_replay_read wants it. */
outcome outcome_and_objects(subject *s, const int64_t *at, int64_t *post, int64_t *there);

/* Values that make a heap, drawn at random; their instance: initialised. */
void draw_heap(subject *s, tp_rng *rng, int64_t *at, tp_rel_instance *i);
/* The instance of these slots; everything else as it must be, fresh memory zero. */
void instance_of(subject *s, const int64_t *at, tp_rel_instance *i);

#endif

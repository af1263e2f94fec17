/* Fabrication: a model becomes a state that the machine can run in.
 *
 * What       a concrete state at the start of a segment from a model of its question, and the
 *            oracle that tells the segment the model's inputs.
 * Represents the base (a state that was there, or in the same calls) with the model's values of
 *            variables and cells in it. What the question left open is as it is in the base, so the
 *            state is close to one that was seen. Locals keep their objects; other pointers keep
 *            theirs where they can, else objects are made, with the sizes that the model gives.
 * Limits     what cannot be made (huge objects, addresses as numbers, cells that cannot be written)
 *            stays as it is in the base: whether the state is in the abstract state that the model
 *            is in must be seen by evaluating predicates. */
#ifndef TP_ADEQUACY_FABRICATE_H
#define TP_ADEQUACY_FABRICATE_H

#include "adequacy/adequacy_segment.h"

/* Changes `s`, a state with the calls of the cutpoint where the segment starts. */
void tp_fabricate(const tp_segment *segment, const tp_segment_model *m, tp_state *s);

/* Answers what the segment asks for as the model has it, zeros where it does not say. It must be
 * told every location of the run. */
typedef struct {
  const tp_paths *paths;
  const tp_segment_model *model;  // NULL: zeros only
  tp_map values;                  // symbol -> index into model's inputs + 1
  tp_map asked;                   // edge -> how often
  tp_loc loc;                     // where the run is
  uint32_t n_made;                // objects that the segment made so far
  tp_arena bytes;                 // of answers
} tp_model_oracle;
void tp_model_oracle_init(tp_model_oracle *o, const tp_paths *paths, const tp_segment_model *m);
void tp_model_oracle_clear(tp_model_oracle *o);
void tp_model_oracle_at(tp_model_oracle *o, tp_loc loc);
tp_oracle tp_model_oracle_of(tp_model_oracle *o);

#endif

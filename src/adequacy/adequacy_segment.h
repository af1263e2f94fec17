/* Segments: questions about one piece of program between two cutpoints.
 *
 * What       can a run step from one of these abstract states, along the segment, out of what is
 *            covered at its end? And if so: from which state, with which inputs, to which truth
 *            vector?
 * Represents the path formula of a block, with a Boolean symbol for each predicate before and
 *            behind it; abstract states are cubes over these symbols, so questions after the first
 *            add propositional clauses only. What the target covers grows, so what was asked before
 *            stays true and each abstract state needs to be settled once for each segment.
 * Law        NONE: no state in these cubes that meets the layout is led out by the path formula,
 *            which has every run of the segment.
 * Ownership  a segment owns its solver; models are copies. */
#ifndef TP_ADEQUACY_ADEQUACY_SEGMENT_H
#define TP_ADEQUACY_ADEQUACY_SEGMENT_H

#include "adequacy/coverage.h"
#include "blocks/blocks.h"
#include "smt/smt.h"

/* What a model says of the state before a segment. Objects are the model's numbers. */
typedef struct {
  tp_var var;
  tp_value value;
} tp_model_var;
typedef struct {
  tp_sort sort;
  tp_value address, value;
} tp_model_cell;
typedef struct {
  uint32_t object;
  uint64_t size;
  tp_object_kind kind;
  bool is_live;
} tp_model_object;
typedef struct {
  tp_term symbol;
  tp_value value;
} tp_model_input;
typedef struct {
  uint64_t before, behind;  // truth vectors
  TP_VEC(tp_model_var) vars;
  TP_VEC(tp_model_cell) cells;
  TP_VEC(tp_model_object) objects;  // that these lead to, no statics
  TP_VEC(tp_model_input) inputs;
  TP_VEC(tp_value) outputs;  // of segment.outputs, behind it
  uint32_t next;             // number of the first object that the segment makes
} tp_segment_model;
void tp_segment_model_clear(tp_segment_model *m);

typedef struct {
  tp_paths *paths;
  const tp_path *path;
  const tp_cutpoint_coverage *from,
      *to;                 // NULL: before main; an error or open cutpoint: no predicates
  tp_term layout;          // what is known before it
  const tp_term *outputs;  // further terms whose values behind it are asked about; borrowed
  size_t n_outputs;
  tp_smt_options options;
  tp_smt *smt;               // NULL: nothing asked yet
  tp_term question;          // what it was given
  tp_term *before, *behind;  // symbols of predicates
  tp_term *results;          // of outputs, once something was asked
  size_t n_covered;          // abstract states of the target that are excluded
  // for the caller
  size_t n_settled;  // abstract states at `from` that need not be asked about any more, in order
  bool is_settled_for_good;  // an error cutpoint: one way there is enough
} tp_segment;
void tp_segment_clear(tp_segment *s);

/* sources: truth vectors before it; excluded: truth vectors behind it that do not count, beside
 * what the coverage has of the target. */
tp_smt_answer tp_segment_ask(tp_segment *s, const tp_coverage *c, const uint64_t *sources,
                             size_t n_sources, const uint64_t *excluded, size_t n_excluded);
/* Can it lead to this truth vector, from any state? */
tp_smt_answer tp_segment_ask_for(tp_segment *s, uint64_t behind);
/* With these conditions, over the state before it and `results`. */
tp_smt_answer tp_segment_ask_terms(tp_segment *s, const tp_term *conditions, size_t n);
/* Makes the symbols in `results`. */
void tp_segment_prepare(tp_segment *s);
/* After SAT. */
void tp_segment_read_model(tp_segment *s, tp_segment_model *out);
/* Can predicate `i` behind the segment be `value`, from this source? For the Cartesian fallback. */
tp_smt_answer tp_segment_ask_literal(tp_segment *s, uint64_t source, size_t i, bool value);
/* Asks another back end from now on. */
void tp_segment_use(tp_segment *s, const char *backend);

#endif

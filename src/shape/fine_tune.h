/* Fine tuning: the coarsest shape class that excludes a path.
 *
 * What       a search in the lattice of sets of families that are closed under what definitions
 *            name, for one that excludes the path and of which no smaller one does.
 * Represents exclusion is a question to the caller, one simulation of the path each, and monotone:
 *            larger sets exclude what smaller ones do.
 * Source     Theoduloz 2010, sec. 5.4.7 (FineTune); we differ: one candidate is tried at a time,
 * and the largest first, since without that one there is nothing to search. */
#ifndef TP_SHAPE_FINE_TUNE_H
#define TP_SHAPE_FINE_TUNE_H

#include "base/base.h"

typedef struct {
  uint32_t n;                                       // families; at most TP_FINE_TUNE_FAMILIES
  uint32_t (*close)(void *ctx, uint32_t families);  // with what definitions name; monotone
  bool (*excludes)(void *ctx, uint32_t families);   // of a closed set
  uint32_t (*cost)(void *ctx, uint32_t families);   // predicates that it generates
  void *ctx;
} tp_fine_tune_question;
enum { TP_FINE_TUNE_FAMILIES = 12 };

typedef struct {
  bool is_found;
  uint32_t families;      // is_found: contains `least`
  uint32_t n_simulated;   // questions
  uint32_t n_candidates;  // closed sets above `least`
} tp_fine_tuned;
/* Among the closed sets that contain `least`. */
tp_fine_tuned tp_fine_tune(const tp_fine_tune_question *q, uint32_t least);

#endif

/* The region of a counterexample to induction.
 *
 * What       the model of a step that failed says of one state that paths lead from it to a bad
 *            node. The region generalises it: the literals of the question that hold in the model
 *            and make it true, one disjunct of each disjunction and one branch of each conditional
 *            value.
 * Represents a conjunction over the program's variables and cells. Inputs have the values of the
 *            model; conditions of conditional values that rest on inputs are left out, as are
 *            literals that cannot be said without inputs: from some states of the region the paths
 *            may need other inputs, and from some none may do.
 * Use        as a goal for runs (engine/board.h); no proof rests on it.
 * Source     Bradley 2011 (counterexamples to induction); implicants by a model: Komuravelli,
 *            Gurfinkel, Chaki 2014, sec. 4. */
#ifndef TP_BLOCKS_COUNTEREXAMPLE_REGION_H
#define TP_BLOCKS_COUNTEREXAMPLE_REGION_H

#include "blocks/induction.h"

/* After a step that was SAT. NONE: the model does not say enough. */
tp_term tp_induction_region(tp_induction *x);

#endif

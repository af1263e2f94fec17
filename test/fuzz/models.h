/* Random program models, built by hand: no compiler involved, so thousands a minute.
 *
 * What       small programs over few input bits with branches, loops (counted, data-driven, by goto), arrays,
 *            pointers in variables and memory, calls (direct, recursive, through pointers), heap and scopes,
 *            and error locations for one property.
 * Law        well-formed (tp_program_check); a choice of 0 everywhere gives the smallest program. */
#ifndef TP_FUZZ_MODELS_H
#define TP_FUZZ_MODELS_H

#include "judge.h"

tp_program *model_make(tape *t, tp_diag *diag, traits *what);
/* Also floats, loops without fuel, objects of locals, unknown bytes, functions without body. */
tp_program *model_make_rich(tape *t, tp_diag *diag, traits *what);

#endif

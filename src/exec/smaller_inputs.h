/* Other inputs with which a run fails at the same location.
 *
 * What       smaller inputs: numbers near 0, texts of plain letters and small numbers; and, where a
 *            failure could not be seen on the compiled program, variants of the inputs, one number
 *            changed in each.
 * Law        with what is returned the run of the concrete machine ends at the same error
 *            location; it uses indeterminate bits only if the run before did; it asks for no more
 *            inputs. Guesses of library models (tp_input_is_guess) are left as they are.
 * Cost       at most `runs` runs of `edges` edges together.
 * Source     Zeller, Hildebrandt 2002 (delta debugging), with numbers in place of parts. */
#ifndef TP_EXEC_SMALLER_INPUTS_H
#define TP_EXEC_SMALLER_INPUTS_H

#include "exec/exec.h"

typedef struct {
  uint32_t runs;
  uint64_t edges;
} tp_smaller_limits;

/* Replaces values of `inputs` by smaller ones as long as the run still fails at the location where
 * it fails now. True: something was replaced. Inputs whose run does not fail at `error` stay. */
bool tp_inputs_make_smaller(const tp_program *p, tp_loc error, tp_smaller_limits limits,
                            tp_inputs *inputs);

/* The variants of `inputs` that fail at `error`, by number: adds the inputs of the first one that
 * stands at *next or behind it to `out`, and sets *next behind it. False: there are no more. */
bool tp_inputs_vary(const tp_program *p, tp_loc error, const tp_inputs *inputs,
                    tp_smaller_limits limits, size_t *next, tp_inputs *out);

#endif

/* A concrete run whose inputs are symbols as well.
 *
 * What       the interpreter runs with given inputs; beside it, for each variable and each piece of
 *            memory that depends on inputs, the term that says how. Conditions of branches that
 *            depend on inputs make the path condition.
 * Represents all inputs that satisfy the path condition drive the program along the same edges, to
 *            a state whose values are those terms. `is_exact`: no other inputs do. An address that
 *            depends on inputs is pinned: it equals what it is, which is a conjunct of its own kind
 *            and costs exactness.
 * Cost       steps that touch nothing symbolic cost little more than the interpreter's, or no more
 *            than machine code's (tp_concolic_set_runner): terms are made only where inputs flow.
 * Ownership  the caller frees it; terms live in the program's table; inputs are borrowed.
 * Source     Godefroid, Klarlund, Sen 2005 (DART); Synergy sec. 2.3. */
#ifndef TP_EXEC_CONCOLIC_H
#define TP_EXEC_CONCOLIC_H

#include "exec/runner.h"

typedef struct {
  tp_term condition;  // over inputs; true in this run (of an assumption that failed: its negation)
  tp_edge edge;       // the ASSUME, or the edge whose address was pinned
  uint64_t step;      // edges before it
  size_t n_inputs;    // asked for before it
  bool is_pin;        // an address, not a branch
} tp_concolic_branch;
typedef TP_VEC(tp_concolic_branch) tp_concolic_path;

typedef struct tp_concolic tp_concolic;
/* At main's entry. start: a state there that is copied (NULL: a fresh one). */
tp_concolic *tp_concolic_new(const tp_program *p, const tp_state *start, const tp_inputs *inputs);
tp_concolic *tp_concolic_copy(const tp_concolic *c);  // a snapshot: both go on by themselves
void tp_concolic_free(tp_concolic *c);
/* Stretches that touch nothing symbolic are run by this runner (borrowed): out of sight where they
 * are long. Nothing else is different. */
void tp_concolic_set_runner(tp_concolic *c, tp_runner *runner);

/* Runs on until `until_step` edges were taken in all (0: to the end), or the run ends. after the
 * vector: zeros (then_zero) or NO_INPUT. max_terms: gives up (is_exact = false, no more symbols)
 * when the path has grown this large; 0: 10^6. */
tp_run_result tp_concolic_run(tp_concolic *c, uint64_t until_step, tp_run_limits limits,
                              bool then_zero, uint64_t max_terms);

const tp_state *tp_concolic_state(const tp_concolic *c);
uint64_t tp_concolic_steps(const tp_concolic *c);
bool tp_concolic_is_exact(const tp_concolic *c);
/* Exact but for pins: inputs that this run does not stand for violate one of its conditions, pins
 * among them. And no number was read from the bytes of an address, which lies elsewhere in other
 * worlds. */
bool tp_concolic_is_exact_but_pins(const tp_concolic *c);
const tp_concolic_path *tp_concolic_path_of(const tp_concolic *c);
/* Inputs asked for so far (what they were answered), and the symbol of each: a bit-vector of its
 * width (floats: of their bits). Of bytes: the symbol of byte `i`; TP_TERM_NONE beyond what was
 * told. */
const tp_inputs *tp_concolic_inputs(const tp_concolic *c);
tp_term tp_concolic_symbol(const tp_concolic *c, size_t input);
tp_term tp_concolic_byte(const tp_concolic *c, size_t input, size_t i);

/* A term over the program's variables (globals, ghosts, locals of active frames) and memory cells,
 * in the state now: over inputs. False: it cannot be said (cell at an address that means nothing).
 * Addresses that depend on inputs are pinned: their conditions are appended to `pins` (NULL: then
 * false). */
bool tp_concolic_value(tp_concolic *c, tp_term t, tp_term *out, tp_concolic_path *pins);

/* From a model to inputs: for each input asked for, the value of its symbol where `value` knows it,
 * else what it was. */
void tp_concolic_inputs_of_model(const tp_concolic *c,
                                 bool (*value)(void *ctx, tp_term symbol, tp_value *out), void *ctx,
                                 tp_inputs *out);

#endif

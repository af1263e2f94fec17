/* Problems as text: a universe, relations between bounds, facts.
 *
 * What       the reader of files with a question for the finder: what tests, measurements and
 *            people write who have no C program.
 *
 *              (atoms Pigeon 8) (atoms Hole 7)             # Pigeon0 ... Pigeon7, and the set
 *              Pigeon of them (integers 5)                                # width in bits;
 *              "(integers 5 atoms)": all of them are atoms, too (relation nest (-> Pigeon Hole))
 *              # between nothing and this; "(relation nest LOWER UPPER)" (exactly first Pigeon0)
 *              # a relation of this value (fact (all ((p Pigeon)) (one (. p nest)))) (expect none)
 *              # or: some. What is known of the answer, for whoever measures
 *
 *            bounds    expressions over atoms, sets of atoms and relations of fixed value that were
 *                      declared before
 *            relations NAME univ iden ints none  (+ a ...) (& a ...) (- a b) (. a ...) (-> a ...)
 *            (++ a b) (<: s r) (:> r s) (~ r) (^ r)
 *                      (* r) (if F a b) (set ((x A) ...) F) (atom i)
 *            integers  NUMBER (size a) (total a) (plus i ...) (minus i j) (times i ...) (quotient i
 *                      j) (remainder i j) (negative i) (if F i j) (sum ((x A) ...) i)
 *            formulas  true false (not F) (and F ...) (or F ...) (=> F G) (<=> F G) (in a b) (= a
 *                      b) (some a) (no a) (one a) (lone a) (all ((x A) ...) F) (exists ((x A) ...)
 *                      F) (equal i j) (< i j) (<= i j) (function r A B) (partial r A B) (order r A)
 *
 * Invariants what was read has no error: every fact can be given to a finder over the bounds.
 * Ownership  a problem owns its logic, universe and bounds.
 * Errors     said with their positions; the first one ends the reading. */
#ifndef TP_BENCH_REL_PROBLEM_H
#define TP_BENCH_REL_PROBLEM_H

#include "diag/diag.h"
#include "contracts/rel/finder.h"

typedef struct {
  tp_rel *logic;
  tp_rel_universe *universe;
  tp_rel_bounds *bounds;
  TP_VEC(tp_rel_formula) facts;
  uint32_t width_bits;
  tp_rel_answer expected;  // FOUND, NO_INSTANCE; GAVE_UP: nothing is said
} tp_rel_problem;

/* Errors: TP_ERR_INPUT, after a message. path: for messages. p may be cleared in any case. */
tp_status tp_rel_problem_read(tp_rel_problem *p, const char *path, const char *text,
                              tp_diag *diag) TP_MUST_USE;
void tp_rel_problem_clear(tp_rel_problem *p);

#endif

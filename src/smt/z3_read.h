/* Z3 expressions as terms: what a solver made up, read back.
 *
 * What       Bool, bit-vectors, linear integers, reads and writes of arrays.
 * Represents constants that tp_z3_term made are the variables they stand for; the i-th free
 *            variable is `args[i]`.
 * Ownership  the reader borrows the translation to Z3 and its context.
 * Errors     NONE: something that terms do not have (quantifiers, reals, numbers beyond 64 bits,
 *            ...). */
#ifndef TP_SMT_Z3_READ_H
#define TP_SMT_Z3_READ_H

#include "smt/integers.h"
#include "smt/z3_terms.h"

/* n: for div and mod, which become its helpers; NULL: they cannot be read. */
tp_term tp_z3_read(tp_z3_terms *e, tp_integers *n, Z3_ast a, const tp_term *args, size_t n_args);

#endif

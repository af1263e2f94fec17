/* The table of solver back ends: one row for each, the single truth.
 *
 * What       the names that tp_smt_options.backend and `--solver` take, the text of `--help`, and
 *            the back ends that the tests "every_backend_*" of smt_test.c run are these rows. Rows
 *            symbol: the back end is `tp_smt_<symbol>` (smt/backend.h), in src/smt/backend_*.c.
 *            name: as options write it. use: OPTION, users may choose it with --solver; COMMAND, it
 *            needs tp_smt_options.command, and only code chooses it. what: continues "NAME: ".
 * Adding     doc/solvers.md, "A further back end". */
#ifndef TP_SMT_BACKENDS_H
#define TP_SMT_BACKENDS_H

#define TP_SMT_BACKENDS(B)                                                           \
  B(z3, "z3", OPTION, "the library Z3, in process")                                  \
  B(bits, "bits", OPTION, "own circuits, no floats")                                 \
  B(mixed, "mixed", OPTION, "bits where they can, else z3")                          \
  B(ints, "ints", OPTION, "integers where no wrap is left, else z3")                 \
  B(ints_exact, "ints-exact", OPTION, "integers also where wraps are left, else z3") \
  B(pipe, "pipe", COMMAND, "a process that reads SMT-LIB 2")

/* "|z3|bits|..." and "; z3: ...; bits: ...", of the rows that users may choose. */
#define TP_SMT_OPTION_NAMES TP_SMT_BACKENDS(TP_SMT_NAME_OF_ROW)
#define TP_SMT_OPTION_HELP TP_SMT_BACKENDS(TP_SMT_HELP_OF_ROW)
#define TP_SMT_NAME_OF_ROW(symbol, name, use, what) TP_SMT_IF_##use("|" name)
#define TP_SMT_HELP_OF_ROW(symbol, name, use, what) TP_SMT_IF_##use("; " name ": " what)
#define TP_SMT_IF_OPTION(text) text
#define TP_SMT_IF_COMMAND(text) ""

#endif

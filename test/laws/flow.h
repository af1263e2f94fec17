/* Random flow graphs: programs whose loops go anywhere, over numbers of few bits.
 *
 * What       main and up to two functions; assignments, inputs, branches, calls; edges lead to the
 *            next place or to any.
 * Represents numbers have FLOW_BITS bits, so every chain of constants or intervals is short:
 * analyses end without widening.
 * Law        well-formed, not recursive. */
#ifndef TP_LAWS_FLOW_H
#define TP_LAWS_FLOW_H

#include "program/program.h"

enum { FLOW_BITS = 4 };
tp_program *flow_make(tp_diag *diag, uint64_t seed);

#endif

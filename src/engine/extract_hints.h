/* What helps to check graphs: the rules of their class, and what the program's operations make of
 * its predicates.
 *
 * What       `rule` and `update` lines of certificates (doc/certificates.md): claims, which the
 *            checker proves where it uses them. */
#ifndef TP_ENGINE_EXTRACT_HINTS_H
#define TP_ENGINE_EXTRACT_HINTS_H

#include "cpa/shape/shape_cpa.h"
#include "engine/cert_shapes.h"

/* Adds them to class `number`, whose predicates are there already. */
void tp_extract_hints(const tp_program *p, const tp_cell_kind *cells, tp_cert_shapes *to,
                      uint32_t number);

#endif

/* The parts of certify/ that meet: what the check of TRUE needs of its kinds. */
#ifndef TP_CERTIFY_INDUCTIVE_CHECK_INDUCTIVE_H
#define TP_CERTIFY_INDUCTIVE_CHECK_INDUCTIVE_H

#include "certify/certify.h"

/* tp_certify_true for certificates of kind `invariants` (check_inductive.c). */
tp_certify_result tp_chk_check_inductive(const tp_program *p, tp_property prop,
                                         const char *certificate, const tp_certify_limits *limits,
                                         tp_stats *stats, tp_certify_report *report) TP_MUST_USE;

// assume_cutpoint.c
/* What the edge is assumed to be: wording as in `assume` lines, but what happens in a library model
 * is told where the user called it. */
const char *tp_chk_assumption_text(const tp_program *p, tp_edge e, tp_edge call, tp_arena *arena);
/* The assumptions of the program, and the operations at these places: call of the library model
 * << 32 | edge. */
void tp_chk_list_assumptions(const tp_program *p, const tp_map *places, tp_certify_report *r);
void tp_chk_list_assumption(tp_certify_report *r, const char *text);  // once
/* Is this the name of an ASSUME that ends runs as the program, or its user, wants: no operation
 * without meaning? */
bool tp_chk_is_intended_end(const char *name);

#endif

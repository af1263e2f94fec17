/* Certificates of kind `symbolic-heaps`: each symbolic heap leads to others by every path of the
 * program.
 *
 * What       the obligations of doc/certificates.md: paths from main's start, from each heap at a
 *            location, and from each heap before a call by contract, to the next location with
 *            heaps, one of which must describe the state.
 * Law        ACCEPTED: no run comes to an error of the property, up to the assumptions listed.
 *            Every access on a path is shown to be one of an object of the heap, so what a step
 *            changes is known, and what a call does not get stays as it was.
 * Source     Berdine, Calcagno, O'Hearn 2005; O'Hearn, Reynolds, Yang 2001 (frame rule). */
#ifndef TP_CERTIFY_HEAPS_CHECK_HEAPS_H
#define TP_CERTIFY_HEAPS_CHECK_HEAPS_H

#include "certify/certify.h"

tp_certify_result tp_chk_check_heaps(const tp_program *p, tp_property prop, const char *certificate,
                                     const tp_certify_limits *limits, tp_stats *stats,
                                     tp_certify_report *report);

#endif

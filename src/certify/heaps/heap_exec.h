/* What the files of the check of symbolic heaps share: one check, and a step of it. */
#ifndef TP_CERTIFY_HEAPS_HEAP_EXEC_H
#define TP_CERTIFY_HEAPS_HEAP_EXEC_H

#include "certify/certify.h"
#include "certify/heaps/heap_cert.h"
#include "certify/heaps/heap_match.h"
#include "certify/symbolic/obligation_solver.h"
#include "program/effects.h"
#include "program/locals.h"

typedef struct {
  const tp_program *p;
  tp_property prop;
  const tp_certify_limits *limits;
  tp_certify_report *report;
  tp_chk_heap_cert cert;
  tp_chk_heap_world w;
  tp_chk_solver *solver;
  tp_effects effects;
  tp_locals locals;
  tp_map listed;  // edges that are assumptions
  TP_VEC(tp_chk_heap_state *) todo;
  tp_certify_result result;
  double start_s;
} tp_chk_heaps;

/* The check ends, without TRUE. */
void tp_chk_heaps_fail(tp_chk_heaps *c, const tp_chk_heap_state *s, const char *why);
/* Does the fact hold in all states that meet s? Can none meet it? */
bool tp_chk_heaps_holds(void *ctx, const tp_chk_heap_state *s, tp_term fact);
bool tp_chk_heaps_is_impossible(tp_chk_heaps *c, const tp_chk_heap_state *s);
/* The states behind an edge that is no call join c->todo; takes the state over. */
void tp_chk_heaps_step(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e);
/* Is it known which objects the edges out of the state's location ask for? If not, the state's
 * cases join c->todo. */
bool tp_chk_heaps_split(tp_chk_heaps *c, tp_chk_heap_state *s);
/* Is the state, whole, one that the heap of the certificate describes? */
bool tp_chk_heaps_is_described(tp_chk_heaps *c, tp_chk_heap_state *s, const tp_chk_heap_entry *e);

#endif

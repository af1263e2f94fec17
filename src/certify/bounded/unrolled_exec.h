/* The unrolled program of a bounded certificate, for the symbolic executor.
 *
 * What       iterations of loops and activations of functions against the claimed bounds; what must
 *            be unreachable and what must be defined, collected along the execution.
 * Represents a visit is a location in a context with the number of iterations of each loop around
 *            it: a node of the unrolled program, which has no cycles.
 * Law        every run that stays within the bounds follows visits; where a run leaves them there
 *            is an obligation. The obligations hold together or the certificate is not accepted.
 * Cost       one query decides all obligations. States are dropped where a cheap query shows that
 *            nothing reaches them: that keeps unrollings small and changes no answer.
 * Ownership  the unrolling owns its visits and obligations; the certificate is borrowed. */
#ifndef TP_CERTIFY_BOUNDED_UNROLLED_EXEC_H
#define TP_CERTIFY_BOUNDED_UNROLLED_EXEC_H

#include "certify/bounded/claim.h"
#include "certify/bounded/order.h"
#include "certify/bounded/ways.h"
#include "certify/symbolic/executor.h"

/* No run may meet the condition. */
typedef struct {
  tp_term when;
  tp_loc loc;
  const char *what;  // noun phrase for messages
} tp_chk_unreachable;

/* Where the condition holds, an operation has no meaning: that no run meets it is assumed if it is
 * not proved. */
typedef struct {
  tp_term when;
  uint64_t place;  // call of the library model << 32 | edge
} tp_chk_undefined;

/* The objects of visits: each visit in full, since equal hashes are no proof of being the same. */
typedef struct {
  tp_map at;  // hash of visit, edge and size -> 1 + index of its number
  TP_VEC(uint32_t) numbers;
  TP_VEC(uint32_t) first;  // by index: where its visit begins in `visits`; one more at the end
  TP_VEC(uint32_t) visits;
} tp_chk_made_objects;

typedef struct tp_chk_unrolling {
  const tp_chk_bounds *bounds;
  tp_chk_order order;
  tp_arena arena;        // visits, texts
  uint32_t n_allocated;  // objects so far, on all paths: no run meets an id twice
  tp_chk_made_objects made;
  tp_chk_ways *ways;
  uint64_t entered_way;  // of the call that enters a function
  bool has_entered;      // the last edge entered a function: the visit is that of its entry
  TP_VEC(tp_chk_unreachable) obligations;
  TP_VEC(tp_chk_undefined) undefined;
  tp_map alignments;  // objects that are made on the way -> the alignment that their edge promises
  tp_chk_solver *pruner;  // NULL: not needed yet
  uint64_t prune_at, prune_step;
} tp_chk_unrolling;
void tp_chk_unrolling_init(tp_chk_unrolling *u, tp_chk_exec *g, const tp_chk_bounds *bounds);
void tp_chk_unrolling_clear(tp_chk_unrolling *u);

/* The state enters the function, or comes back from it. */
void tp_chk_unrolling_enter(tp_chk_exec *g, tp_func f);
void tp_chk_unrolling_leave(tp_chk_exec *g);
/* The state has come to a location; false: it ends there. */
bool tp_chk_unrolling_arrive(tp_chk_exec *g);
/* The context that a call enters; 0: the state ends at the call. */
uint32_t tp_chk_unrolling_call(tp_chk_exec *g, tp_edge call, tp_func callee);
/* The edge is about to be taken. */
void tp_chk_unrolling_see(tp_chk_exec *g, tp_edge e);
/* The way of the state where it is (ways.h). */
uint64_t tp_chk_unrolling_way(tp_chk_exec *g);
/* No run may be here (in a state where the condition holds). */
void tp_chk_unrolling_require(tp_chk_exec *g, tp_term when, const char *what);
/* The operation has a meaning if `holds`. */
void tp_chk_unrolling_define(tp_chk_exec *g, uint64_t place, tp_term holds);

/* Is memory leaked: a heap object allocated that no pointer leads to? (leaked.c) */
tp_term tp_chk_unrolling_leaked(tp_chk_exec *g);
/* The edge is about to make an object: how many were made before it. Paths that make one of the
 * same constant size at the same visit make the same: no run takes two of them. */
uint32_t tp_chk_unrolling_number(tp_chk_exec *g, tp_edge e, tp_term size);
/* The edge has made the object with this id. */
void tp_chk_unrolling_note_object(tp_chk_exec *g, tp_term id, const tp_edge_info *made_by);
/* What is known of the address of an object with a constant id: it is not null, aligned, and the
 * object does not wrap around the address space. */
tp_term tp_chk_unrolling_address_facts(tp_chk_exec *g, uint32_t object);

/* The check of a claim about counts: tp_certify_true for kind `unrolling` (within 0),
 * tp_certify_bounded for kind `bounded`. */
tp_certify_result tp_chk_check_bounded(const tp_program *p, tp_property prop, uint64_t within,
                                       const char *certificate, const tp_certify_limits *limits,
                                       tp_stats *stats, tp_certify_report *report) TP_MUST_USE;

#endif

/* The refinement loop: what is done about an error location that the abstraction reaches.
 *
 * What       one error at a time: the paths to it are executed exactly; a run that fails is the
 *            answer. If there is none, refiners are asked in order, and what came from the first
 *            node that has a new precision is cut off. An error that neither fails nor teaches
 *            anything is left alone, and the search goes on without it.
 * Represents the engine cegar is the engine cpa (proof/cpa_engine.c) with this in it: exploring,
 *            judging and proofs are the same.
 * Law        nothing is claimed here but FALSE; TRUE comes from a reached set without errors,
 *            whatever was refined.
 * Source     Clarke, Grumberg, Jha, Lu, Veith 2000 (refinement by counterexamples); Henzinger,
 *            Jhala, Majumdar, Sutre 2002 (lazy abstraction). */
#ifndef TP_PROOF_CEGAR_H
#define TP_PROOF_CEGAR_H

#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "engine/engine.h"

typedef struct tp_cegar tp_cegar;
/* REUSED_PRECISION: the precision comes from an earlier run; then runs are not mined again. */
typedef enum { TP_CEGAR_NO_PRECISION, TP_CEGAR_REUSED_PRECISION } tp_cegar_start;
/* Everything is borrowed; reasons go to the arena. */
tp_cegar *tp_cegar_new(const tp_task *task, tp_composition *c, tp_recursion *r, tp_stats *stats,
                       tp_arena *arena, tp_cegar_start start);
void tp_cegar_free(tp_cegar *g);

/* An error location of the property in the reached set that nothing was done about yet; 0: none. */
uint32_t tp_cegar_next(tp_cegar *g);
bool tp_cegar_is_new(const tp_cegar *g, const tp_reached *r, uint32_t node);

typedef enum { TP_CEGAR_FAILS, TP_CEGAR_REFINED, TP_CEGAR_GAVE_UP } tp_cegar_answer;
/* cpu_s: that may be used, 0: no limit. inputs: initialised by the caller; set with violated on
 * FAILS. */
tp_cegar_answer tp_cegar_refine(tp_cegar *g, uint32_t error, double cpu_s, tp_inputs *inputs,
                                tp_property *violated);

/* After an analysis interrupted the run: is there something that others take over? Then the search
 * goes on. */
bool tp_cegar_abstract(tp_cegar *g);

/* Lines "# ..." about shape types that were refined, in order; valid as long as g. */
const char *tp_cegar_log(const tp_cegar *g);
/* "refined 7 times (value 7); value: values alone do not exclude the path": what was done, and why
 * the first error that is left was given up. From the arena; NULL: nothing was done. */
const char *tp_cegar_summary(const tp_cegar *g);

#endif

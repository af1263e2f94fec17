/* Invariants that an abstract interpretation leaves behind, at the nodes of a block graph.
 *
 * What       formulas of the places of a certificate of facts become one formula for each node.
 * Represents what holds whenever a run is at the node. The formulas keep each other along blocks,
 * since they do along the
 *            shorter ways between the places of the certificate; places in calls that no run makes
 *            get false. */
#ifndef TP_BLOCKS_IMPORT_NODES_H
#define TP_BLOCKS_IMPORT_NODES_H

#include "blocks/blocks.h"
#include "engine/import.h"

/* Runs intervals. True: that settled it. Else facts are what they proved, with these contexts. */
bool tp_import_intervals(const tp_task *task, tp_budget budget, tp_stats *stats,
                         tp_contexts *contexts, tp_result *out, tp_imported *facts);
/* The same for who wants no more than formulas: what intervals prove, also where that settles it.
 */
void tp_import_interval_invariants(const tp_task *task, tp_budget budget, tp_stats *stats,
                                   tp_contexts *contexts, tp_imported *facts);
/* out: one term for each node; TRUE: nothing is known. facts: with the contexts of the graph. */
void tp_import_at_nodes(const tp_imported *facts, const tp_blocks *b, tp_term *out);
/* The certificate of facts with more: at each node's place its formula too, by context and
 * location. text: as the engine cpa writes it (every label has entries). False: it cannot be
 * written. */
bool tp_import_strengthen(const char *text, const tp_blocks *b, const tp_term *more,
                          tp_str *out) TP_MUST_USE;

#endif

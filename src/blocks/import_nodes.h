/* Imported invariants at the nodes of a block graph.
 *
 * What       what an abstract interpretation (intervals) proved, as one formula for each node; and
 *            a record of invariants made stronger by what is known at nodes.
 * Represents what holds whenever a run is at the node. The formulas are inductive together: blocks
 *            are paths of the steps along which the record's formulas are; calls that no run makes
 *            get false. */
#ifndef TP_BLOCKS_IMPORT_NODES_H
#define TP_BLOCKS_IMPORT_NODES_H

#include "blocks/blocks.h"
#include "engine/import.h"

/* Runs intervals. True: the result is theirs. Else `imported` gets what they proved, with these
 * contexts. */
bool tp_import_intervals(const tp_task *task, tp_budget budget, tp_stats *stats,
                         tp_contexts *contexts, tp_result *out, tp_imported *imported);
/* The same where only formulas are wanted: what intervals prove, whatever their verdict. */
void tp_import_interval_invariants(const tp_task *task, tp_budget budget, tp_stats *stats,
                                   tp_contexts *contexts, tp_imported *imported);
/* out: one term for each node; TRUE: nothing is known. imported: with the contexts of the graph. */
void tp_import_at_nodes(const tp_imported *imported, const tp_blocks *b, tp_term *out);
/* Makes the record say at each node's location what is known there, too (known: by node, in the
 * scope of the node's context). v: of the engine cpa, which has formulas at every cutpoint. */
void tp_import_strengthen(tp_invariants *v, const tp_blocks *b, const tp_term *known);

#endif

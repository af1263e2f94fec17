/* Summaries as contracts: the clauses that say what a summary says.
 *
 * What       from the template of a function to `modifies` and `ensures` clauses, which print as
 *            text that the tool reads back.
 * Represents modifies: all that may change, by member and objects. ensures: `f' = E` where the
 * bounds of f are one expression, else `f' in U`, and `L in f'` where L says more than the frame.
 * New objects are quantified; one that not every run makes is an object or none. Ownership  clauses
 * live in the arena of the tp_clauses that they are added to. Source     Taghdiri 2008, sec. 4.1
 * (what is emitted). */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARY_CONTRACT_H
#define TP_CONTRACTS_SUMMARISE_SUMMARY_CONTRACT_H

#include "contracts/spec/clause.h"
#include "contracts/summarise/summarise.h"

/* Adds the clauses of one function; none where nothing is known. */
void tp_summary_contract_add(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out);
/* The same clauses as proposals for refinement. */
void tp_summary_contract_propose(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out);

/* What a call starts with before anything is refined: nothing but its type (HAVOC); which members
 * of a struct it may change, of all objects (FRAME); all of the summary. */
typedef enum { TP_SUMMARY_HAVOC, TP_SUMMARY_FRAME, TP_SUMMARY_FULL } tp_summary_strength;
/* What stands for calls: as tp_summary_contract_add, no more than the strength says; something is
 * added unless the summary was refused. */
void tp_summary_contract_add_weak(tp_rsums *s, const tp_rsum_template *f, tp_summary_strength how,
                                  tp_clauses *out);

/* Takes out the clauses that do not resolve: the types of the language refuse parts of an
 * expression that can have no tuples. The contract says less then. Returns how many. */
uint32_t tp_summary_contract_filter(tp_object_model *u, tp_clauses *c);

/* Where a member of objects of the pre-state may differ: objects (id 0: any), or nowhere. */
typedef struct {
  bool may_change;
  tp_rbound objects;  // a union of sets over the pre-state; id 0: all
} tp_summary_frame;
tp_summary_frame tp_summary_frame_of(tp_rsums *s, const tp_rsum_template *f, uint32_t place);

/* The bound as an expression of the contract language. */
void tp_summary_contract_print(tp_rsums *s, const tp_rsum_template *f, tp_rbound b, tp_str *out);

#endif

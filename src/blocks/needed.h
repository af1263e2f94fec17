/* Which invariants a proof needs.
 *
 * What       of the facts that Houdini proved, those that exclude the errors from one block to the
 *            next, those that keep them, and so on. What is left is inductive as the whole was, so
 *            certificates are smaller, cheaper to check and better to read.
 * Represents a fact at a node is a conjunct of what is known there. Imported invariants are
 *            inductive by themselves and stay, unless facts with products need none of them.
 * Use        after a step of induction without a block (k = 0) has been proved.
 * Ownership  the learner is borrowed; `needed` is the caller's, one term a node. */
#ifndef TP_BLOCKS_NEEDED_H
#define TP_BLOCKS_NEEDED_H

#include "blocks/learn.h"
#include "smt/smt.h"

/* needed: by node, room for all; gets the imported invariants (or none) and the facts that are
 * needed. False: the solver gave up, or an error is not excluded, and needed is what is known. */
bool tp_needed_facts(const tp_learner *l, tp_smt_options o, tp_term *needed);

#endif

/* Splitting: which part of a region can step over the frontier.
 *
 * What       for a region and a step out of it that the states seen there cannot take: a predicate
 *            that contains every state which can take it and excludes those that were seen.
 * Represents rho with (i) every state of the region from which the step leads into its target
 *            satisfies rho; (ii) the states given do not. The part of the region outside of rho has
 *            no such step.
 * Methods    PRE: the exact pre-image. DROP: its conjuncts, guards first, are left out as long as
 *            (ii) holds. INTERPOLANT: the negation of an interpolant between the path that was
 *            taken and the step (formula/interpolants.h). Where one fails, the others follow, and
 *            at last what of one visited state's values is enough. ALIAS: DROP under the aliases
 *            of the first visited state (split_alias.c). Law (i) is checked by the solver for
 * whatever is handed out unless it is the pre-image itself, eliminated exactly; so a step may be
 * closed on the strength of it. Source     Synergy sec. 2.3 (Pre); we differ: exact Pre drags
 * guards of loops along, so that programs whose loops do not touch what is checked never end;
 * suitable predicates (Beckman et al. 2008) in its place by default. */
#ifndef TP_SEARCH_SPLIT_H
#define TP_SEARCH_SPLIT_H

#include "search/partition.h"

typedef struct {
  tp_partition *pt;
  const tp_state *const *states;  // that were seen in step.from and cannot take the step; the first
                                  // is the one that matters: of the
  size_t n_states;                // others those that the pre-image contains are left alone
  const tp_path *prefix;  // blocks from the start to step.from along the path, for INTERPOLANT;
                          // with no states, for (ii), too.
  size_t n_prefix;        // What the path's cells say may be assumed in them. NULL: none is known
  const tp_path *whole;   // the prefix as one path: then (ii) holds for all states it leads to.
                          // NULL: composed if it must be
} tp_split_problem;

/* For step.from a predicate with (i) and (ii), for the other cells of its region (if it started
 * with three regions) what of them may lead into the region of step.to. out: one term for each cell
 * of the region, as tp_partition_split_off takes them. False: none was found (the solver gave up,
 * inputs could not be eliminated, the states can take the step); why says why. */
bool tp_split_predicate(const tp_split_problem *problem, tp_abstract_step step, tp_term *out,
                        tp_str *why);

/* The pre-image of `target` (over the state behind the block) within nothing but the block itself:
 * over the state before it, without inputs. exact: it is neither more nor less (of what path
 * formulas allow); else it may be more. */
tp_term tp_split_pre(tp_partition *pt, uint32_t block, tp_term target, bool *exact);
/* (i) for one cell: does every state of `from` that steps along the block into `target` satisfy
 * rho? */
bool tp_split_covers(tp_partition *pt, uint32_t from, uint32_t block, tp_term target, tp_term rho);
/* (ii): is the state outside of rho? What cannot be evaluated is inside. */
bool tp_split_excludes(const tp_partition *pt, const tp_state *s, tp_term rho);

#endif

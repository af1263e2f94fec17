/* What the files of splitting share: the problem at hand, and what a predicate must exclude. */
#ifndef TP_SEARCH_SPLIT_PRIV_H
#define TP_SEARCH_SPLIT_PRIV_H

#include "search/split.h"
#include "formula/eliminate.h"

typedef struct {
  tp_term fact;
  bool is_guard;    // of the block, not of the target
  tp_term aliases;  // under which the fact is meant (split_alias.c); NONE: under all
} tp_pre_conjunct;
typedef TP_VEC(tp_pre_conjunct) tp_pre;

typedef struct {
  const tp_split_problem *problem;
  tp_partition *pt;
  tp_paths *x;
  tp_terms *tt;
  tp_abstract_step step;
  tp_pre pre;          // of the target's formula, without what the cell says anyway
  bool is_exact;       // neither more nor less
  bool needs_check;    // something was eliminated
  bool *must_exclude;  // by state: rho excludes it
  tp_smt *prefix_smt;  // asserts that the prefix was run through into step.from; NULL: not made
  tp_path whole;       // then: the prefix as one path
  bool uses_prefix;    // (ii) for all states that the prefix leads to
} tp_splitter;

// split_pre.c
/* Conjuncts; is_exact as for tp_split_pre; was_eliminated: by substitution alone there would be
 * inputs. */
void tp_split_pre_conjuncts(tp_partition *pt, uint32_t block, tp_term target, tp_pre *out,
                            bool *is_exact, bool *was_eliminated);
tp_term tp_split_conjunction(tp_terms *tt, const tp_pre *pre);

// split.c
/* (ii) */
bool tp_split_is_outside(tp_splitter *s, tp_term rho);

// split_drop.c
/* Leaves out conjuncts as long as (ii) holds, which it does at first. */
void tp_split_drop(tp_splitter *s);

// split_alias.c
/* The conjuncts under the aliases of the first state; then rho from what is left of them. */
void tp_split_restrict_to_aliases(tp_splitter *s);
tp_term tp_split_under_aliases(tp_splitter *s);

// split_interpolant.c
/* rho with (i) and (ii). False: none was found. */
bool tp_split_interpolant(tp_splitter *s, tp_term *rho, tp_str *why);

// split_point.c
/* The same from the first state alone. */
bool tp_split_point(tp_splitter *s, tp_term *rho);

#endif

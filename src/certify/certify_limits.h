/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_CERTIFY_CERTIFY_LIMITS_H
#define TP_CERTIFY_CERTIFY_LIMITS_H

#include "base/limits.h"

#define TP_CERTIFY_LIMITS(L)                                                                       \
  L(TAG_CHOICES, 8, "leaves of a choice among tags of an address", "it is no tag")                 \
  L(SCANNED_BYTES, 2048, "bytes of an object that are searched for pointers",                      \
    "what later ones lead to counts as lost")                                                      \
  L(LEAK_ROUNDS, 64, "links of a chain of heap objects", "what is farther away counts as lost")    \
  L(PRUNE_RLIMIT, 300000, "solver steps of a query whether a run comes here",                      \
    "it counts as coming")                                                                         \
  L(PRUNE_FIRST_EDGES, 64, "edges before the first such query",                                    \
    "paths are followed that no run takes")                                                        \
  L(PRUNE_LEAST_EDGES, 16, "edges between two such queries after a path was excluded",             \
    "paths are followed that no run takes")                                                        \
  L(PRUNE_MOST_EDGES, 100000, "edges between two such queries",                                    \
    "paths are followed that no run takes")                                                        \
  L(ASSUMPTION_QUERIES, 50, "assumptions that a solver tries to exclude one by one",               \
    "later ones are listed")                                                                       \
  L(ASSUMPTION_RLIMIT, 1000000, "solver steps of such a query", "the assumption is listed")        \
  L(GRAPH_CHOICES, 4096, "choices of graphs, one for each class, at a cutpoint",                   \
    "the certificate is not decided")                                                              \
  L(DISJUNCT_FORMULAS, 12, "formulas of a cutpoint from which there is an index",                  \
    "fewer are asked one by one")                                                                  \
  L(DISJUNCT_PLACES, 64, "places with constants that the index has", "later ones exclude nothing") \
  L(DISJUNCT_LEAVES, 16, "constants that a place may have", "with more it excludes nothing")       \
  L(HARNESS_REPEATED, 8, "equal inputs in a row behind one that have no entry of their own",       \
    "each has an entry in the harness")                                                            \
  L(SITE_FRAMES, 64, "frames of a sanitizer's message", "outer ones are not looked at")            \
  L(SCRIPT_SOURCE_BYTES, 1 << 20, "bytes of a source that was made for a build, in run.sh",        \
    "there is no run.sh")                                                                          \
  L(TRIAL_HEAPS, 120, "random heaps on which updates are tried before they are proved",            \
    "wrong ones cost a search")                                                                    \
  L(TRIAL_CELLS, 4, "cells of such a heap", "wrong ones cost a search")                            \
  L(HEAP_KINDS, 64, "kinds of cells of a certificate of symbolic heaps",                           \
    "the certificate is refused")                                                                  \
  L(HEAP_ENTRIES, 20000, "symbolic heaps of a certificate", "the certificate is refused")          \
  L(HEAP_SLOTS, 4096, "slots of an object in a symbolic heap",                                     \
    "none are looked for; as a line, "                                                             \
    "the certificate is refused")                                                                  \
  L(HEAP_DEPTH, 20000, "steps of a path between two cutpoints with symbolic heaps",                \
    "the certificate is not decided")                                                              \
  L(HEAP_CHOICES, 8, "conditionals around a pointer that is compared, with symbolic heaps",        \
    "either answer is followed")                                                                   \
  L(HEAP_SPLITS, 3, "structures at a cutpoint that are cells or empty in different heaps",         \
    "the check is undecided")                                                                      \
  L(HEAP_GUESSED, 2, "ends of segments that are tried in all combinations, with symbolic heaps",   \
    "further ones are where the state's own segment ends")                                         \
  L(HEAP_RLIMIT, 1000000, "solver steps of a question about numbers beside symbolic heaps",        \
    "the fact is not shown")                                                                       \
  L(GRAPH_NODES, 64, "nodes of a graph", "the certificate is refused")                             \
  L(CLASS_FIELDS, 16, "pointer fields of a cell", "the certificate is refused")                    \
  L(CLASS_PREDICATES, 400, "predicates of a class", "the certificate is refused")                  \
  L(DEFINITION_LEVELS, 60, "levels of a definition", "the certificate is refused")                 \
  L(CELL_BYTES, 1 << 20, "bytes of a cell", "the certificate is refused")                          \
  L(CLASSES, 1000, "classes", "the certificate is refused")                                        \
  L(CLASS_RULES, 100000, "rules of a class", "the certificate is refused")                         \
  L(DEFINITION_PARTS, 4000, "parts of a definition", "the certificate is refused")                 \
  L(PATH_REPAIRS, 300, "axioms about three addresses that a model makes necessary, in one round",  \
    "others come in the next")                                                                     \
  L(SEARCH_ROUNDS, 400, "rounds that add axioms, graphs and addresses",                            \
    "the obligation is not decided")                                                               \
  L(SEARCH_WITNESSES, 8, "witnesses of \"there is\" that a search names",                          \
    "later ones hold without")                                                                     \
  L(SEARCH_FIELDS, 2, "fields that are followed from a pointer",                                   \
    "cells farther away are not named")                                                            \
  L(SEARCH_ADDRESSES, 72, "addresses that a search names", "the obligation is not decided")        \
  L(STRUCTURE_NODES, 24, "nodes of a three-valued structure", "the step is proved in another way") \
  L(RULE_VARIABLES, 3, "variables of a rule that coerce applies",                                  \
    "a rule with more is not applied")                                                             \
  L(EMBEDDING_TRIES, 100000, "choices of a node for a node",                                       \
    "the structure counts as not embedded")                                                        \
  L(FOCUS_STRUCTURES, 4096, "structures of one step after focus",                                  \
    "the step is proved in another way")                                                           \
  L(SPLIT_LEVELS, 3, "links of two cells, or data, that are decided to describe a structure",      \
    "the step is proved in another way")                                                           \
  L(SPLIT_CASES, 60, "cases of such links of one step of a graph",                                 \
    "the step is proved in another way")                                                           \
  L(INSTANCE_ROUNDS, 2, "rounds of instances of universal facts, each at the reads of the last",   \
    "others are not used")                                                                         \
  L(INDEX_MONOMIALS, 12, "monomials of an offset in which an index is looked for",                 \
    "there is no instance")                                                                        \
  L(INSTANCES, 600, "instances of universal facts in one round of a question",                     \
    "others are not used")                                                                         \
  L(GOAL_CASES, 4,                                                                                 \
    "places of an index at which a goal about all of its values is shown by itself",               \
    "at others it is left to the solver")                                                          \
  L(FOLD_POINTS, 4, "indices at which a fold differs between two states",                          \
    "nothing is said of its difference")                                                           \
  L(FOLD_DIFFERENCES, 12, "pairs of folds in one question of which it is shown where they differ", \
    "others are unrelated")                                                                        \
  L(EDGES, 2000000, "edges of a symbolic execution (default)", "the certificate is not decided")   \
  L(MOST_EDGES, 8000000, "edges that an option may ask for", "no more are executed")               \
  L(HEAP_SIZES, 8, "sizes that the program allocates, as a fact about a lost object",              \
    "of more there is no fact")                                                                    \
  L(LEAK_ROOTS, 8, "variables whose live objects are counted where memory may be lost",            \
    "others are not counted")                                                                      \
  L(POINTER_LEAVES, 64, "leaves of a conditional pointer that are kept apart",                     \
    "leaves in one object become one; four times as many are opaque")                              \
  L(RESIDUE_LEVELS, 100, "levels of an offset whose low bits are computed", "they are not known")  \
  L(GOALS_TOGETHER, 6, "goals that one query proves", "more are proved one by one")                \
  L(RELEVANT_LEAST, 12, "facts of a path from which a query is asked with relevant ones first",    \
    "fewer are all asked")                                                                         \
  L(RELEVANT_SYMBOLS, 64, "symbols of a fact that make others relevant",                           \
    "by its others it is not found")                                                               \
  L(RELEVANT_TERMS, 4096, "terms of a fact that are searched for symbols",                         \
    "by its others it is not found")                                                               \
  L(STATICS, 256, "static objects whose facts a query gets", "of later ones there are none")       \
  L(SKELETON_CHOICES, 6, "conditionals inside of each other below an atom",                        \
    "the atom stays as it is")                                                                     \
  L(SKELETON_LEMMAS, 60, "lemmas of one round", "others come in the next")                         \
  L(SKELETON_ROUNDS, 400, "rounds that add lemmas", "the full query is asked")                     \
  L(SKELETON_CONFLICTS, 4000, "conflicts of a search for a model of a skeleton",                   \
    "the solver is asked, and proves it in its way")                                               \
  L(RESTART_CONFLICTS, 60,                                                                         \
    "conflicts after which such a search starts again, times Luby's number", "it goes on")         \
  L(SKELETON_NUMBERS, 8, "numbers below a constant that become equations",                         \
    "of more there is one comparison")                                                             \
  L(SKELETON_LEVELS, 6, "levels of a term that a lemma evaluates", "there is no lemma")            \
  L(WAYS_CELLS, 16, "cells of memory that count as cursors",                                       \
    "paths that differ in others are merged")                                                      \
  L(HISTORY_COPIES, 6, "copies between unknown places that a read passes",                         \
    "what is read is any value")                                                                   \
  L(HISTORY_POSITIONS, 4096, "positions of a static object's first content",                       \
    "what is read is any value")                                                                   \
  L(HISTORY_LEVELS, 4, "conditionals of object numbers that are compared apart",                   \
    "they may be equal")                                                                           \
  L(HISTORY_LEAVES, 8, "leaves of a pointer that is not known that are read apart",                \
    "it is read as a whole")                                                                       \
  L(HISTORY_TOUCHED, 64, "objects written on two sides of a merge that are listed",                \
    "with more any object may be written")                                                         \
  L(HISTORY_NESTING, 8, "conditionals that all bytes of a value share",                            \
    "deeper ones stay byte by byte")                                                               \
  L(HISTORY_ALLOCATED, 8, "objects of a segment that are compared one by one",                     \
    "more are compared as a range")                                                                \
  L(PROOF_VARIABLES, 1 << 28, "variables of a proof of unsatisfiability", "the proof is refused")  \
  L(PROOF_GATES, 20000, "gates of an obligation that is proved by clauses by default",             \
    "the solver is asked")                                                                         \
  L(PROOF_CONFLICTS, 1000, "conflicts of such a proof", "the solver is asked")                     \
  L(PROOF_LATER_GATES, 200000,                                                                     \
    "gates of an obligation that is proved after the solver found no model",                       \
    "the solver's word is all there is")                                                           \
  L(PROOF_LATER_CONFLICTS, 3000, "conflicts of such a proof", "the solver's word is all there is") \
  L(PROOF_SUM_GATES, 500000, "gates of all such obligations of a certificate",                     \
    "further ones are not tried")                                                                  \
  L(PROOF_SUM_STEPS, 6000, "steps of all such proofs of a certificate",                            \
    "further ones are not tried")                                                                  \
  L(PROOF_ASSIGNED, 1000000, "literals that the check of a small proof assigns",                   \
    "the solver is asked")                                                                         \
  L(PROOF_LATER_ASSIGNED, 4000000, "literals that the check of a larger proof assigns",            \
    "the solver's word is all there is")                                                           \
  L(PROOF_MOST_GATES, 8000000, "gates of an obligation with --check=proof", "it is not proved")    \
  L(PROOF_MOST_CONFLICTS, 2000000, "conflicts of its proof", "it is not proved")                   \
  L(PROOF_BASES, 64, "objects whose bases are compared with that of another one",                  \
    "bases of later ones may differ")                                                              \
  L(PROOF_GARBAGE, 1 << 16, "literals of deleted clauses that a check of a proof may keep",        \
    "the clauses that are there are moved together")                                               \
  L(RANDOM_RUN_STEPS, 200000, "steps of a random run that may contradict a proof", "the run ends")
enum {
#define TP_LIMIT(name, value, what, then) TP_CERTIFY_##name = value,
  TP_CERTIFY_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif

/* Abstract transformers: what a step makes of the predicates of a class, and of structures.
 *
 * What       updates (formulas of predicates after the step over those before it), each proved as a
 *            lemma; the structure after the step.
 * Represents for each predicate an update of old elements, and of pairs with new ones; without one
 *            nothing is known. Candidates are few: the predicate itself or another one, what is
 *            written through a pointer, what a pointer reads, what the certificate proposes
 *            (`update`). Of a path that is an operation (effect.h) they are proved of all heaps,
 * once (lemma_book.h); else of the path. Law        apply(k) represents whatever the step makes of
 * heaps that k represents. Ownership  a transformer owns its tables; it is made at the end of the
 * step and cleared before the execution goes on. Source     Sagiv, Reps, Wilhelm 2002, sec. 5. */
#ifndef TP_CERTIFY_SHAPES_TRANSFORMER_H
#define TP_CERTIFY_SHAPES_TRANSFORMER_H

#include "certify/shapes/three_valued.h"
#include "certify/shapes/lemma_book.h"

/* Proved updates of a predicate: of old elements, and, by number + 1 (TP_CHK_ANY_OLD + 1: any old
 * one), of pairs with new ones; NULL: nothing is known. */
typedef struct {
  const tp_chk_formula *old, *of_new[TP_CHK_MOST_NEW + 1][TP_CHK_MOST_NEW + 1];
} tp_chk_proved_updates;

typedef struct {
  tp_chk_step step;
  const tp_chk_class *c;
  bool *before, *readable;         // by predicate: has it a value at the start, at the end?
  bool *wanted;                    // at the end, and a target has values of it
  tp_chk_proved_updates *changes;  // by predicate
  uint32_t *first, *last;  // by predicate: one of which it is known that it is the same predicate
                           // at the start, at the end
  uint64_t *focus;  // by predicate of a field: bits of pointers (predicates below 64) that read it
  TP_VEC(tp_chk_candidate_update) candidates;  // preferred first
  uint32_t current;                            // predicate of the candidates that are added
  tp_arena arena;
  tp_chk_effect effect;
  bool is_operation;  // the effect was recognised, and updates are those of the book only
} tp_chk_transformer;

/* The step from the start of the path to its end, where these graphs are targets (keys of the map).
 * False: the new elements are not known. To be cleared in either case. */
bool tp_chk_transformer_init(tp_chk_transformer *x, tp_chk_exec *g, uint32_t class,
                             const tp_map *targets);
/* Updates that the book does not have are searched for on the path. False: they were before. */
bool tp_chk_transformer_refine(tp_chk_transformer *x);
void tp_chk_transformer_clear(tp_chk_transformer *x);
/* TVLA's focus: the heaps of k in cases in which the cells that pointers read are known, appended.
 * False: not possible, or too many cases. */
bool tp_chk_transformer_focus(tp_chk_transformer *x, const tp_chk_structure *k,
                              tp_chk_structures *out);
/* The structure after the step; NULL: it has too many nodes. The caller's. */
tp_chk_structure *tp_chk_transformer_apply(tp_chk_transformer *x, tp_chk_structure *before);

#endif

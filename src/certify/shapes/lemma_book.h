/* The book of lemmas: each statement about all heaps is proved once, up to names of pointers.
 *
 * What       rules, new elements and updates of an operation (effect.h), with the answer for each;
 *            a statement that differs from an earlier one in the names of pointers only has the
 *            same answer.
 * Represents a statement as its canonical text: pointers are numbered in the order in which the
 *            text mentions them, definitions are written with their pointers as parameters. Equal
 *            texts are equal statements up to a renaming of pointers with values at the same ends.
 * Law        true: proved, for all heaps and every path with this effect. A statement about data at
 *            the end is never in the book.
 * Ownership  one book for a check; its own execution, so that nothing of the path that asks counts.
 * Cost       a search for each text, small: only pointers that the statement mentions are
 *            addresses. */
#ifndef TP_CERTIFY_SHAPES_LEMMA_BOOK_H
#define TP_CERTIFY_SHAPES_LEMMA_BOOK_H

#include "certify/shapes/effect.h"
#include "certify/shapes/lemmas.h"

typedef struct tp_chk_lemma_book tp_chk_lemma_book;
/* The book of this check; made when it is needed first. */
tp_chk_lemma_book *tp_chk_lemma_book_of(tp_chk_exec *g);
void tp_chk_lemma_book_free(tp_chk_lemma_book *b);  // NULL is fine

/* The rule of the class holds in every heap, as seen in this context. */
bool tp_chk_book_rule(tp_chk_lemma_book *b, tp_chk_exec *g, uint32_t number, uint32_t rule,
                      uint32_t context, tp_loc loc);
/* New elements of a path with this effect, as tp_chk_lemma_new_elements finds them. */
bool tp_chk_book_new_elements(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e,
                              tp_chk_step *s);
/* Candidates of predicates of one arity without data, those of a predicate next to each other, in
 * the order in which they are preferred: out, by candidate: it is the first of its predicate that
 * is proved, of a path with this effect. a, b: as in tp_chk_lemma_of_new; TP_CHK_ANY_OLD,
 * TP_CHK_ANY_OLD: of old elements. */
void tp_chk_book_updates(tp_chk_lemma_book *b, tp_chk_exec *g, const tp_chk_effect *e, int a,
                         int other, const tp_chk_candidate_update *candidates, size_t n, bool *out);
/* A guess: a predicate whose value predicate k gets where no cell changes, as both have one
 * definition, with pointers that give the others their values. 0: none. */
uint32_t tp_chk_book_source(tp_chk_lemma_book *b, const tp_chk_effect *e, uint32_t k);
/* The predicate with the definition of k in which each pointer p is renamed[p]. 0: there is none.
 */
uint32_t tp_chk_book_renamed(tp_chk_lemma_book *b, uint32_t number, uint32_t k,
                             const uint32_t *renamed);
/* Adds to `renamed` (by predicate of a pointer; 0: not said) what maps the pointers of predicate m
 * to those of k, which has the same definition. False: another definition. Pointers that are
 * renamed already stay as they are. */
bool tp_chk_book_map_pointers(tp_chk_lemma_book *b, uint32_t number, uint32_t m, uint32_t k,
                              uint32_t *renamed);
/* Have predicates k and m one definition, up to names of pointers? */
bool tp_chk_book_is_like(tp_chk_lemma_book *b, uint32_t number, uint32_t k, uint32_t m);
/* Does the predicate rest on data, or on what cannot be read? */
bool tp_chk_book_has_data(tp_chk_lemma_book *b, uint32_t number, uint32_t k);

#endif

/* What numbers in cells are, of all cells of a structure: candidates from the program's text, and
 * which of them hold of a cell or a part.
 *
 * What       statements over values that stand in a cell of a kind, constants, and variables that
 *            are there once at most: orders and equations that the program asks or writes, and that
 *            one of two holds. Kind 0: statements about variables alone.
 * Represents the candidates that hold somewhere as bits, by number among those of their kind; a
 *            statement about the cells of a part as a term over the values of a cell and the
 *            symbols of the heap, the conjunction of what holds.
 * Law        as for all of this search: a guess until the checker has confirmed it. What holds is
 *            asked of a solver, by what the path has assumed.
 * Source     predicate abstraction (Graf, Saidi 1997) of the data of cells. Bouajjani, Dragoi,
 * Enea, Sighireanu 2012 (relations between neighbours: cell_orders.h). */
#ifndef TP_PROOF_HEAPS_CELL_FACTS_H
#define TP_PROOF_HEAPS_CELL_FACTS_H

#include "proof/heaps/symbolic_heap.h"
#include "smt/smt.h"

/* A value that stands in cells of a kind, and in a cell that a link of one leads to. */
typedef struct {
  uint32_t kind;
  uint64_t offset;
  tp_term symbol, next;
} tp_cell_value;
/* A relation of both (cell_orders.h). */
typedef struct {
  uint32_t kind;
  uint64_t offset;
  tp_term relation;
} tp_cell_order;
typedef uint64_t tp_cell_mask;
typedef TP_VEC(tp_cell_mask) tp_cell_masks;

struct tp_cell_facts {
  const tp_symheap_search *x;
  tp_smt *solver;
  TP_VEC(tp_cell_value) values;
  TP_VEC(tp_cell_order) orders;
  TP_VEC(tp_term_list) of_kind;    // candidates, by kind; over values and variables' terms
  TP_VEC(tp_cell_masks) stronger;  // of each: candidates that imply it
  tp_cell_masks of_variables;      // by kind: candidates that name variables
  bool *is_tracked;                // by variable: a candidate names it
};

/* cell_candidates.c: adds those of the program; once. */
void tp_cell_facts_find(tp_cell_facts *c);

/* The candidates of the program; kinds as they are now. */
tp_cell_facts *tp_cell_facts_new(const tp_symheap_search *x, uint64_t rlimit, tp_stats *stats);
void tp_cell_facts_free(tp_cell_facts *c);  // NULL is fine
bool tp_cell_facts_is_empty(const tp_cell_facts *c);

/* Candidates of `kind`, among these, that hold of the object, or of each cell of the part, in the
 * heap. */
#define TP_CELL_FACTS_ALL (~(tp_cell_mask)0)
tp_cell_mask tp_cell_facts_of_object(tp_cell_facts *c, tp_symheap *s, const tp_symheap_object *o,
                                     uint32_t kind, tp_cell_mask among);
tp_cell_mask tp_cell_facts_of_part(tp_cell_facts *c, tp_symheap *s, const tp_symheap_part *part,
                                   tp_cell_mask among);
/* Those about variables. */
tp_cell_mask tp_cell_facts_of_variables(tp_cell_facts *c, tp_symheap *s, tp_cell_mask among);
/* The conjunction of these candidates, with the heap's values of variables; NONE: of none. */
tp_term tp_cell_facts_where(tp_cell_facts *c, tp_symheap *s, uint32_t kind, tp_cell_mask mask);
/* A statement about cells, said of this object: what is not known of it becomes a symbol, and
 * stands in it from then on. */
tp_term tp_cell_facts_said_of(tp_cell_facts *c, tp_symheap_object *o, tp_term where);
/* Which of these follow from what the path has assumed, and from `given`? */
tp_cell_mask tp_cell_facts_that_follow(tp_cell_facts *c, const tp_symheap *s, tp_term given,
                                       const tp_term_list *said, tp_cell_mask mask);
/* Can what the path has assumed not be? */
bool tp_cell_facts_is_impossible(tp_cell_facts *c, const tp_symheap *s);

// heap_facts.c
/* The heap with any numbers, of which nothing is said; is_flag, by variable: what stays if it is a
 * constant. */
void tp_heap_facts_forget(const tp_cell_facts *c, tp_symheap *s, const bool *is_flag);
/* Leaves of the facts those that hold of this heap as well; true: all of them. holds: of variables,
 * then of objects and parts in this order (tp_symheap_print), then the orders between each of these
 * and the later ones, and within parts; empty at first: all candidates. */
bool tp_heap_facts_keep(tp_cell_facts *c, tp_symheap *s, const uint32_t *order,
                        tp_cell_masks *holds);
/* The facts are said of a heap of which nothing is said. */
void tp_heap_facts_say(tp_cell_facts *c, tp_symheap *s, const uint32_t *order,
                       const tp_cell_masks *holds);

#endif

/* Orders of numbers in cells: between a cell and the next one, and between objects and structures
 * of one kind.
 *
 * What       relations of a member of a cell and the same member of another one, at most and below,
 *            in both directions; which of them hold between neighbours of a structure, and between
 *            all cells of two pieces of a heap.
 * Represents relations as bits, by number; of a structure what is said of others is a part of its
 *            statement about all cells.
 * Law        a guess until the checker has confirmed it, as all of this search. All relations are
 *            transitive, so a cell that is told from a list is related to all cells behind it.
 * Source     Bouajjani, Dragoi, Enea, Sighireanu 2012 (data of neighbours in segments); sortedness
 *            as bounds of segments: Chang, Rival 2008. */
#ifndef TP_PROOF_HEAPS_CELL_ORDERS_H
#define TP_PROOF_HEAPS_CELL_ORDERS_H

#include "proof/heaps/cell_facts.h"

/* An object, or any cell of a part, of one kind. */
typedef struct {
  const tp_symheap_object *object;
  const tp_symheap_part *part;
} tp_cell_piece;

/* All relations of the kind. */
tp_cell_mask tp_cell_orders_of_kind(const tp_cell_facts *c, uint32_t kind);
/* Which of these hold between each cell of the first one and each of the second one? */
tp_cell_mask tp_cell_orders_between(tp_cell_facts *c, const tp_symheap *s, tp_cell_piece first,
                                    tp_cell_piece second, tp_cell_mask among);
/* These relations of two objects as a fact; of an object and a part as a statement about the part's
 * cells. */
tp_term tp_cell_orders_said(tp_cell_facts *c, tp_cell_piece first, tp_cell_piece second,
                            tp_cell_mask mask);
/* As a statement about neighbours; NONE: of none. */
tp_term tp_cell_orders_text(const tp_cell_facts *c, tp_cell_mask mask);
/* The members of the relations stand in the object from then on. */
void tp_cell_orders_name(tp_cell_facts *c, tp_symheap_object *o, tp_cell_mask mask);
/* What holds of all cells of pieces that become one part, beside candidates: their relations to the
 * heap's objects, those among them included. */
tp_term tp_cell_orders_bounds(tp_cell_facts *c, const tp_symheap *s, uint32_t kind,
                              const tp_cell_piece *pieces, size_t n);

#endif

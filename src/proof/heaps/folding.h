/* Folding of cells into structures, by the files that share it.
 *
 * What       the heap that is folded, and the cell that is a part of it: who leads to it, what goes
 *            with it.
 * Ownership  the lists of a folding belong to tp_symheap_fold. */
#ifndef TP_PROOF_HEAPS_FOLDING_H
#define TP_PROOF_HEAPS_FOLDING_H

#include "proof/heaps/cell_orders.h"

typedef struct {
  tp_symheap_search *x;
  tp_symheap *s;
  tp_fold_what what;
  TP_VEC(uint32_t) objects, parts;  // of the cell that is folded: what goes with it
  tp_cell_mask holds;               // of that cell
} tp_folding;

// cell_references.c
typedef struct {
  uint32_t n_vars, n_links, n_owners,
      n_others;  // by variables; own links, other pointers of heap cells; the rest
  bool is_odd;   // not to the place where links lead
} tp_fold_references;
uint32_t tp_fold_kind_of(const tp_folding *f, const tp_symheap_object *o);
const tp_symheap_link *tp_fold_link_at(const tp_folding *f, uint32_t kind, uint64_t offset);
/* `part`: an id of an object, or a symbol; at: how pointers to it should look. */
tp_fold_references tp_fold_references_to(const tp_folding *f, tp_term part, tp_term at);
tp_term tp_fold_start_of(const tp_folding *f, const tp_symheap_object *o, uint32_t kind);
/* Is nothing but one link, or its owner's pointer, in the way of folding? */
bool tp_fold_may_fold(const tp_folding *f, const tp_symheap_object *o, uint32_t kind);
/* Does nothing but its owner lead to the object? */
bool tp_fold_is_owned(const tp_folding *f, const tp_symheap_object *o, uint32_t kind);
/* The part that starts there; UINT32_MAX: none. */
uint32_t tp_fold_part_at(const tp_folding *f, tp_term at);
bool tp_fold_fits_size(const tp_folding *f, const tp_symheap_object *o, uint32_t kind);
/* How many values and places name the symbol. */
uint32_t tp_fold_n_places(const tp_folding *f, tp_term symbol);

// fold_levels.c
/* Is what a link leads to a part of the structure that the cell is folded into? Goes on: the link
 * may be the one along which a segment does. */
typedef enum { TP_FOLD_FITS, TP_FOLD_FITS_NOT, TP_FOLD_GOES_ON } tp_fold_fit;
/* The kind, of a level, that the cell of a skip list may be folded as; 0: it may not. */
uint32_t tp_fold_kind_by_level(const tp_folding *f, const tp_symheap_object *o, uint32_t kind);
/* A link of one of the cell's levels, as those of the kind: the parts that it leads to join
 * f->parts; *way: where the link of the cell's own level leads, if that is no structure. */
tp_fold_fit tp_fold_fits_level(tp_folding *f, uint32_t object, uint32_t kind,
                               const tp_symheap_link *l, tp_term *way);

// fold_slots.c
bool tp_fold_is_zero_value(tp_terms *tt, tp_term value);
void tp_fold_slots(tp_folding *f, uint32_t object);
/* An object all of whose bytes are fields that are 0, or slots that are null, is one of zeros. */
void tp_fold_find_zeros(const tp_folding *f, tp_symheap_object *o);

// fold_forgets.c
/* In cells with several links, an empty structure is one of any size: otherwise each cell on the
 * way to a leaf would be a heap of its own. */
void tp_fold_open_empty_links(tp_folding *f);
void tp_fold_drop_what_is_no_structure(tp_folding *f);
/* Cells that nothing leads to would make ever more heaps: there are more, is all that is kept of
 * them. */
bool tp_fold_drop_garbage(tp_folding *f);

#endif

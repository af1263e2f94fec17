/* Shape types: what is tracked of a structure's cells, where refinement decides it.
 *
 * What       with setting shape.precision = location or global no structure is tracked at first;
 *            a refiner (proof/refine_shape.c) gives shape types to structures, for each location.
 * Represents a shape type (sigma, m, D): sigma a structure of the program; m a generator, that is
 * an entry with some of its families and a link for each of its fields; D pointers, those of them
 * that separate, and numbers in cells. Without an entry m is the coarsest generator, which tracks
 * nothing, whatever D is. Law        a larger type has successors that represent no more heaps. The
 * graphs of a location are of the class of its type; a step between locations of different types is
 * taken in a class that refines both, or in the first one's, converted before the step. Source
 * Theoduloz 2010, sec. 2.3.6, 4.4.2, 5.4.4. */
#ifndef TP_CPA_SHAPE_SHAPE_TYPE_H
#define TP_CPA_SHAPE_SHAPE_TYPE_H

#include "cpa/cpa.h"
#include "shape/description.h"

typedef enum {
  TP_POINTER_UNTRACKED,
  TP_POINTER_TRACKED,
  TP_POINTER_SEPARATING
} tp_pointer_tracking;

/* Tables are borrowed where a type is an argument, and live as long as the analysis where one is a
 * result. */
typedef struct {
  const tp_description *entry;        // NULL: the coarsest generator
  uint32_t families;                  // bits
  uint8_t link[TP_SHAPE_MAX_FIELDS];  // by field of the entry: a link of the structure
  uint8_t links_named;                // bits: links that D's formulas follow
  const uint8_t *pointers;            // by variable: tp_pointer_tracking; NULL: none
  uint64_t numbers;                   // bits: 8-byte words of the cell whose numbers are tracked
} tp_shape_type;

/* A structure with links to its own kind that the program allocates. */
typedef struct {
  tp_type type;
  uint64_t size_bytes;
  uint32_t n_links;
  const tp_member *const *links;
} tp_shape_structure;

/* Only with shape.precision = location or global; 0 structures otherwise. */
bool tp_shape_is_refined(const tp_cpa *cpa);
bool tp_shape_precision_is_global(const tp_cpa *cpa);
uint32_t tp_shape_n_structures(const tp_cpa *cpa);
const tp_shape_structure *tp_shape_structure_at(const tp_cpa *cpa, uint32_t structure);
/* May the variable lead to cells of the structure? Only such pointers are tracked. */
bool tp_shape_may_track(const tp_cpa *cpa, uint32_t structure, tp_var v);
const struct tp_shape_library *tp_shape_classes(const tp_cpa *cpa);

tp_shape_type tp_shape_type_of(const tp_cpa *cpa, uint32_t structure, tp_loc l);
/* The structure's type at the location becomes `type`, with precision = global everywhere. What was
 * explored with the old one has to be explored again. False: too much is tracked for any class, or
 * there are too many types; then the old one stays. *changed is set if the type is another one. */
bool tp_shape_set_type(tp_cpa *cpa, uint32_t structure, tp_loc l, const tp_shape_type *type,
                       bool *changed);
/* The number of predicates of the class that the type generates; UINT32_MAX: there is none. */
uint32_t tp_shape_type_cost(tp_cpa *cpa, uint32_t structure, const tp_shape_type *type);
/* The families that formulas of these use, too. */
uint32_t tp_shape_close_families(const tp_description *entry, uint32_t families);

/* Is the path impossible for an analysis that tracks the structure alone, with types[i] at the
 * location behind step i? The steps start at main's entry. `like` is not changed: an analysis of
 * its own, with the same settings, takes the steps. */
bool tp_shape_excludes(const tp_cpa *like, uint32_t structure, const tp_shape_type *types,
                       const tp_step *steps, size_t n);

#endif

/* The graphs of a reached set, as a certificate has them.
 *
 * What       classes, predicates and graphs of the analysis `shape`, and which graphs belong to an
 *            entry.
 * Represents what doc/shape.md calls families becomes definitions over the predicates before them;
 *            tracked pointers, fields and facts about data become their own kinds. Sets that stand
 *            for every heap are not written. Cells that are explicit at an entry, and graphs at
 *            others, are both there: a formula, and the graphs of that heap.
 * Law        the meaning of a graph in the certificate is that in the analysis: doc/certificates.md
 *            says it in the same words as src/shape/structure.h and class.h. A checker decides. */
#ifndef TP_ENGINE_EXTRACT_SHAPES_H
#define TP_ENGINE_EXTRACT_SHAPES_H

#include "cpa/shape/shape_cpa.h"
#include "engine/cert_shapes.h"

typedef struct tp_shape_extraction tp_shape_extraction;
/* Of the analysis `shape` in this composite, into `to`; NULL: there is none, or it has no kinds of
 * cells. */
tp_shape_extraction *tp_shape_extraction_new(tp_cpa *composite, tp_cert_shapes *to);
void tp_shape_extraction_free(tp_shape_extraction *h);
/* Before the first entry, for each element: an element of the reached set. */
void tp_shape_extraction_visit(tp_shape_extraction *h, const tp_elem *e);
/* Does every other analysis say all that it means with formulas? Then `formula` is what the
 * composite's element means beside its graphs. */
bool tp_shape_extraction_is_expressible(const tp_shape_extraction *h, const tp_elem *e);
tp_term tp_shape_extraction_formula(tp_shape_extraction *h, const tp_elem *e);
/* Its graphs belong to this entry. Entries in ascending order. location: all elements there: what
 * graphs of another one say already is left out. False: that is all, and there should be no such
 * entry. */
bool tp_shape_extraction_describe(tp_shape_extraction *h, uint32_t entry, const tp_elem *e,
                                  const tp_elem *const *location, size_t n);
/* The element that means what a and b mean together, if they differ in the graphs of one kind
 * alone; NULL: no element does, or it is not known. */
const tp_elem *tp_shape_extraction_join(tp_shape_extraction *h, const tp_elem *a, const tp_elem *b);
/* Does b mean all that a means, as their entries say it? A heap that is explicit in a and graphs in
 * b can be below it. */
bool tp_shape_extraction_leq(tp_shape_extraction *h, const tp_elem *a, const tp_elem *b);

/* Is the heap other behind one of the edges that meet there? Steps between such locations change
 * few cells. */
bool tp_is_shape_cutpoint(const tp_program *p, tp_loc l);

#endif

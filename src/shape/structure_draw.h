/* Three-valued graphs as pictures, the way text books draw them.
 *
 * What       one graph as Graphviz text.
 * Represents a node is an ellipse with the unary predicates that hold of it inside, "= 1/2" where
 * it is not known; a double border: it stands for
 *            one cell or more. A pointer is its name with an arrow, a field an arrow with its name;
 *            solid: definitely so, dotted: not known. A pointer that is nil stands beside the sign
 *            for ground.
 * Left out   predicates of two cells but for fields; predicates that are unknown of every cell;
 *            pointers of which nothing is known, or nothing but that they lead to no cell, which
 *            lines below list; cells outside the structure to which only what is left out leads.
 * Numbers behind names of pointers ("p#3") where nobody needs them.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 2.2; we differ: nil pointers are drawn. */
#ifndef TP_SHAPE_STRUCTURE_DRAW_H
#define TP_SHAPE_STRUCTURE_DRAW_H

#include "shape/class.h"

/* is_minor: by pointer: it is not listed where it is left out, as nobody wrote it; NULL: none is.
 */
void tp_shape_draw(const tp_shape_class *c, const tp_structure *s, const bool *is_minor,
                   tp_str *out);

#endif

/* Structures for people: text, and pictures as text books draw them.
 *
 * What       a line per node; DOT for Graphviz.
 * Represents in pictures: a circle is one cell, a double circle one or more; pointers are words with arrows; arrows are
 *            fields; solid: definitely, dotted: possibly. Beside a cell stands what holds of it, with "?" what may hold.
 *            Instrumentation predicates of two cells are left out. */
#ifndef TP_SHAPE_PRINT_H
#define TP_SHAPE_PRINT_H

#include "shape/class.h"

void tp_shape_print(const tp_shape_class *c, const tp_structure *s, tp_str *out);
/* One digraph with a cluster per structure; title: of the whole. */
void tp_shape_draw(const tp_shape_class *c, const tp_structure *const *list, size_t n, const char *title, tp_str *out);

#endif

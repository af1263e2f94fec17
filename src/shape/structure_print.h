/* Structures for people, as text: a line for each node. Pictures: draw.h. */
#ifndef TP_SHAPE_STRUCTURE_PRINT_H
#define TP_SHAPE_STRUCTURE_PRINT_H

#include "shape/class.h"

void tp_shape_print(const tp_shape_class *c, const tp_structure *s, tp_str *out);

#endif

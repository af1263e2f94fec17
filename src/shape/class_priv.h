/* What the files that make a class share. */
#ifndef TP_SHAPE_CLASS_PRIV_H
#define TP_SHAPE_CLASS_PRIV_H

#include "shape/class.h"

/* Over core predicates alone. */
tp_status tp_shape_instantiate_core(tp_shape_class *c, const tp_template *t, const tp_slots *slots,
                                    tp_formula *out) TP_MUST_USE;

#endif

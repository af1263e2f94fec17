/* Instances of facts about all elements: at the indices at which they speak of a cell that a
 * question reads.
 *
 * What       a body over index symbols becomes what it says of cells that are read.
 * Law        an instance follows from its body, whatever is read.
 * Ownership  a list is zero at first and ends with _clear.
 * Source     Bradley, Manna, Sipma 2006: instances at the indices read. */
#ifndef TP_BLOCKS_UNIVERSAL_INSTANCES_H
#define TP_BLOCKS_UNIVERSAL_INSTANCES_H

#include "blocks/universals.h"

typedef struct {
  tp_term_list terms;
  TP_VEC(uint32_t) owners;  // by term: the body that says it
} tp_instances;
void tp_instances_clear(tp_instances *l);

/* What `bodies` say at the indices at which they speak of a cell that t reads, some rounds long. */
void tp_instances_find(const tp_universals *u, const tp_term_list *bodies, tp_term t,
                       tp_instances *out);
/* All reads of cells in t. */
void tp_instances_reads(const tp_universals *u, tp_term t, tp_term_list *out);

#endif

/* Which shape class structures of a program look like.
 *
 * What       from samples, explicit heaps of a run, to entries of the library whose invariants hold
 *            on all of them, with a link of the structure for each field of the entry; the coarsest
 *            first.
 * Represents a choice decides what is tracked, never what is true: a proof that rests on it is
 *            checked like any other.
 * Source     Theoduloz 2010, sec. 5.4.6 (SCGsFromExplicit, Abstract), 5.5.2 (annotations, names);
 * we add the filter by the links that a path needs, and, if no entry describes all samples, take
 * all entries. */
#ifndef TP_PROOF_SHAPE_CHOICE_H
#define TP_PROOF_SHAPE_CHOICE_H

#include "cpa/heap/heap_cpa.h"
#include "cpa/shape/shape_type.h"

/* An entry with a link of the structure for each field. */
typedef struct {
  const tp_description *entry;
  uint8_t link[TP_SHAPE_MAX_FIELDS];
} tp_shape_choice;
typedef TP_VEC(tp_shape_choice) tp_shape_choices;

/* Entries for a structure that have fields for the links in links_named (bits) and whose invariants
 * hold on the samples; coarsest first: with the fewest fields, then those that others refine, then
 * those whose names of fields are those of the links. */
void tp_shape_choices_find(const tp_cpa *shape, uint32_t structure, uint32_t links_named,
                           const tp_heap_sample *samples, size_t n, tp_shape_choices *out);
/* Do the entry's invariants hold on the sample? Links that are not known count as null. */
bool tp_shape_choice_describes(const tp_cpa *shape, uint32_t structure, const tp_shape_choice *c,
                               const tp_heap_sample *sample);

/* What the program says by a typedef of the structure whose name is __SA__ENTRY_LINK_LINK...: the
 * entry, and the links that are its fields, in order. False: there is none, or it names no entry or
 * no links. */
bool tp_shape_choice_annotated(const tp_cpa *shape, uint32_t structure, tp_shape_choice *out);
/* The first of the choices whose entry's name is a part of the structure's name, in any case. */
bool tp_shape_choice_named(const tp_cpa *shape, uint32_t structure, const tp_shape_choices *among,
                           tp_shape_choice *out);

#endif

/* Structures with links to their own kind.
 *
 * What       when two types are one structure, and whether the program ever reads a link: one that
 *            is set and never followed is data to whoever describes lists and trees.
 * Note       as far as declared types tell, so for choices of a search, never for a proof. */
#ifndef TP_PROGRAM_STRUCTURE_LINKS_H
#define TP_PROGRAM_STRUCTURE_LINKS_H

#include "program/program.h"

/* A structure has a type for its tag, one for each typedef of it, and those of other files. */
bool tp_is_one_structure(const tp_program *p, tp_type a, tp_type b);
/* May a pointer be read at this offset of the structure? */
bool tp_is_link_read(const tp_program *p, tp_type structure, uint64_t offset);

#endif

/* The structures that are known: all descriptions of a directory.
 *
 * What       reads the files of lib/shape; looks entries up by name; which of them are coarser.
 * Invariants names differ; an entry that refines another one has a field for each of its fields.
 * Every entry was tried on small heaps
 *            (verify.h): a wrong formula is an error of its file, not of an analysis that trusts
 *            it.
 * Ownership  the library owns its entries, until it is cleared. */
#ifndef TP_SHAPE_LIBRARY_H
#define TP_SHAPE_LIBRARY_H

#include "shape/entry.h"

typedef struct {
  TP_VEC(tp_entry *) entries;  // by file name
} tp_shape_library;            // a zeroed one is empty

/* Adds all files of the directory. Errors: TP_ERR_SYSTEM (errno): a file cannot be read;
 * TP_ERR_INPUT: what is wrong has been said. */
tp_status tp_shape_library_read(tp_shape_library *library, const char *directory,
                                tp_diag *diag) TP_MUST_USE;
void tp_shape_library_clear(tp_shape_library *library);
const tp_entry *tp_shape_library_find(const tp_shape_library *library,
                                      const char *name);  // NULL: unknown
/* Is `coarse` what `fine` refines, in some steps, or the same? */
bool tp_shape_library_refines(const tp_shape_library *library, const tp_entry *fine,
                              const tp_entry *coarse);

#endif

/* Shape classes that can be chosen: the entries of lib/shape and those of the user.
 *
 * What       reads a folder of descriptions, and single files; looks entries up by name; which of
 *            them are coarser; checks the update formulas and constraints of an entry.
 * Invariants names differ; an entry that refines another one has a field for each of its fields.
 *            Entries of the user were checked on heaps (verify.h) when they were read: an unsound
 *            update is an error of its file, with a heap for which it is wrong.
 * Ownership  the library owns its entries, until it is cleared. */
#ifndef TP_SHAPE_LIBRARY_H
#define TP_SHAPE_LIBRARY_H

#include "shape/description.h"

typedef struct tp_shape_library {
  TP_VEC(tp_description *) entries;  // the user's, in the order of reading, then by file name
  size_t n_users;                    // the first of them
} tp_shape_library;                  // a zeroed one is empty

/* Adds the file of a user, and checks it. Before the folder is read: a name of the user's own hides
 * none of lib/shape. Errors: TP_ERR_SYSTEM (errno): the file cannot be read; TP_ERR_INPUT: what is
 * wrong has been said, with line and caret. */
tp_status tp_shape_library_add(tp_shape_library *library, const char *path,
                               tp_diag *diag) TP_MUST_USE;
/* Adds all files *.scg of the folder, which are not checked here, and compares all refinements.
 * Errors: as above. */
tp_status tp_shape_library_read(tp_shape_library *library, const char *folder,
                                tp_diag *diag) TP_MUST_USE;
/* The same for lib/shape, which comes with the program. Errors: also TP_ERR_SYSTEM: it is not where
 * the program expects it. */
tp_status tp_shape_library_read_standard(tp_shape_library *library, tp_diag *diag) TP_MUST_USE;
void tp_shape_library_clear(tp_shape_library *library);

/* Tries the entry on some thousand heaps. Errors: TP_ERR_INPUT: a formula is wrong, or there are
 * too many predicates for any class, which has been said. */
tp_status tp_description_check(const tp_description *entry, tp_diag *diag) TP_MUST_USE;

const tp_description *tp_shape_library_find(const tp_shape_library *library,
                                            const char *name);  // NULL: unknown
/* Is `coarse` what `fine` refines, in some steps, or the same? */
bool tp_shape_library_refines(const tp_shape_library *library, const tp_description *fine,
                              const tp_description *coarse);

#endif

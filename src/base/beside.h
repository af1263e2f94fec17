/* Files that come with the program.
 *
 * What       the folder of them: in an installation and in a build tree it is told from where the
 *            executable is. */
#ifndef TP_BASE_BESIDE_H
#define TP_BASE_BESIDE_H

#include "base/base.h"

/* The first of the folders (relative to the executable's own; ended by NULL) that has this file
 * goes to `folder`. False: none. */
bool tp_find_beside_executable(const char *const *places, const char *file, char *folder,
                               size_t size);

#endif

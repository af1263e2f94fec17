/* Files that come with the program.
 *
 * What       the folder of them, found from where the executable lies: PREFIX/lib/twoproof of an
 *            installation with PREFIX/bin/twoproof, build/lib of a build tree. Both have the same
 *            folders in them. */
#ifndef TP_BASE_BESIDE_H
#define TP_BASE_BESIDE_H

#include "base/base.h"

/* The folder of the program's own files that has this file goes to `folder`, without a slash at its
 * end. file: below that folder, as in "libc/index". False: there is none, or its name has more than
 * `size` - 1 characters. */
bool tp_find_own_folder(const char *file, char *folder, size_t size);

#endif

/* Variables that the compiler makes to remember where to go.
 *
 * What       clang leaves a block with local variables through one cleanup, whichever way it is
 *            left (`return` in a loop, `break`, `continue`), and remembers in a variable where to
 * go behind it. Here the cleanup is repeated for each of these ways, and the variable is gone: so
 * no analysis that joins states where ways meet mixes up `return` and the next turn. Represents the
 * same runs. What is repeated are ends of lifetime and branches on the variable, no condition, call
 * or access of the user's. Requires   tp_program_finish before; the program is finished afterwards,
 * too. Source     jump threading (Mueller and Whalley 1995, sec. 2). */
#ifndef TP_PROGRAM_THREAD_H
#define TP_PROGRAM_THREAD_H

#include "program/program.h"

/* False: nothing was changed. */
bool tp_program_thread_jumps(tp_program *p);

#endif

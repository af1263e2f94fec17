/* Names of a program's variables in texts of terms (term/text.h): the notation of certificates.
 *
 * What       (var N) is the variable with number N of the model, ghosts included; (memory SORT) the
 *            symbol of memory cells of that sort (program/cells.h).
 * Law        a variable that is neither of the program's nor one of its memories has no name. */
#ifndef TP_PROGRAM_VARIABLES_TEXT_H
#define TP_PROGRAM_VARIABLES_TEXT_H

#include "program/program.h"
#include "term/text.h"

tp_text_vars tp_program_text_vars(const tp_program *p);

#endif

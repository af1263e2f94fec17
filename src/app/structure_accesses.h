/* Accesses of which structures with facts cannot say whether they fail.
 *
 * What       in a program about such structures (app/environment.h) an access, a free or a call
 *            through a pointer that was read from memory of which nothing is known, and an access
 *            beside the structure that a pointer leads to.
 * Represents facts say nothing of pointers within what structures own, nor of objects around the
 *            structures. In the program these are numbers, or not there, and who follows them ends
 *            the run; those that the module makes may lead to objects. What is proved of the runs
 *            that go on would not be about the module: so each such access is an error of its own.
 * Law        what fails in the program as made, too (null, beyond a block, freed), stays as it
 *            is: a call that fails is none. */
#ifndef TP_APP_STRUCTURE_ACCESSES_H
#define TP_APP_STRUCTURE_ACCESSES_H

#include "program/program.h"

/* Variables of the program with this prefix lead to structures with facts. */
#define TP_STRUCTURE_PLACE "twoproof_place_of_"

/* Behind the loading of the program. error: what such an access violates. */
void tp_structure_accesses_are_errors(tp_program *p, tp_property error);

#endif

/* What a function can reach, as a text: equal texts, equal programs from this function on.
 *
 * What       the function, everything that it calls or whose address it has, the variables and
 *            objects that these name, their types, and all operations, in the order in which they
 *            are met first. Numbers of the model (locations, variables, objects) stand as the
 *            numbers of that order: what else the program has does not change them.
 * Represents all that an analysis of the function can see but for positions in the source, which
 *            are listed apart in the same order: of two programs with equal texts, the n-th
 *            positions belong to the same thing.
 * Law        sound: programs with different behaviour from this function on have different texts.
 *            Not complete: programs that mean the same may have different texts.
 * Use        to keep an answer about a function when something else was edited.
 * Cost       linear in the part that is reached. */
#ifndef TP_PROGRAM_REACH_TEXT_H
#define TP_PROGRAM_REACH_TEXT_H

#include "program/program.h"

typedef TP_VEC(tp_pos) tp_reach_places;

/* Appends both; the caller's. places: may be unknown positions. */
void tp_reach_text(const tp_program *p, tp_func root, tp_str *text, tp_reach_places *places);

#endif

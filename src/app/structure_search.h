/* The invariant of the structures that a module makes.
 *
 * What       finds the structures that the entry takes and what the module's functions do to them;
 *            candidates from runs in which calls make and change them; of these the ones that every
 *            function which makes or initialises one establishes, and every other one keeps.
 * Represents each step is a proof about the call of a function with any arguments, whose structures
 *            have all candidates that are left: its certificate is checked. The set that is left in
 *            the end is inductive over the calls of the module.
 * Assumed    what the answer lists: nobody but the module's functions that other files can call
 *            writes the structures and what they own, structures do not share what they own, one
 *            that was ended is not used, one whose initialiser failed is not used, calls that fail
 *            are no calls.
 * Obstacles  functions that reach structures in other ways, mutable file-scope variables, members
 *            that are no numbers and pointers: then there is no invariant, and the reason says so.
 * Ownership  texts live in the arena that is given.
 * Source     Flanagan, Leino 2001, "Houdini"; class invariants: Meyer 1988, ch. 7. */
#ifndef TP_APP_STRUCTURE_SEARCH_H
#define TP_APP_STRUCTURE_SEARCH_H

#include "app/session.h"
#include "app/structures.h"

typedef struct {
  tp_made_structures structures;
  const char *obstacle;  // why there is no invariant; NULL: there is one
  size_t n_proofs;       // certificates that show it
  TP_VEC(const char *) assumptions;
} tp_structure_finding;

typedef struct tp_structure_search tp_structure_search;
/* Of the entry of o: which structures it takes, what functions do to them, and by runs with which
 * results initialisers succeed. o->files are those of the command line, here and below, and so they
 * are again afterwards. */
tp_structure_search *tp_structure_search_new(tp_options *o);
void tp_structure_search_free(tp_structure_search *q);
/* What is known so far. */
const tp_structure_finding *tp_structure_search_found(const tp_structure_search *q);
/* Looks for the invariant until end_s seconds of CPU are used. */
void tp_structure_search_infer(tp_structure_search *q, double end_s);
/* The invariant is found, and was of no use. */
void tp_structure_search_give_up(tp_structure_search *q, const char *why);

#endif

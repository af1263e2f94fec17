/* Features of a program: what decides which engine is asked first.
 *
 * What       counts over the functions that main may call, found by one walk over the edges.
 * Represents guesses: nothing rests on them but the order of work. */
#ifndef TP_AUTO_FEATURES_H
#define TP_AUTO_FEATURES_H

#include "program/program.h"

typedef struct {
  size_t n_edges, n_loops;
  size_t n_input_loops;  // an input has a say in when they end: unrolling may never be complete
  size_t n_checks;       // error locations of the property
  size_t n_flags;        // variables that only take constants, at least two, and decide branches
  bool has_recursion, has_heap, has_floats, has_memory;
  bool has_links;  // objects on the heap, and a structure with a pointer to structures of its own
                   // kind, or an array of pointers to these or to void
  bool asks;       // for some input: otherwise there is one run
  bool has_elements;     // a loop computes addresses with an index that changes
  bool is_about_memory;  // the property is about accesses, frees and leaks
} tp_features;
tp_features tp_features_of(const tp_program *p, tp_property property);
/* "3 loops (1 decided by inputs), recursion, heap" */
void tp_features_print(const tp_features *f, tp_str *out);

#endif

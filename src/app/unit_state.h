/* A concrete state as C: declarations that make the objects which a call is given, and assertions
 * about what the call changed in them.
 *
 * What       objects are declared by the types of the pointers that lead to them, what they lead to
 *            in front of them; cycles are closed by assignments. An object that the call ends is
 *            allocated.
 * Ownership  states and program are borrowed; texts are those of the builder. */
#ifndef TP_APP_UNIT_STATE_H
#define TP_APP_UNIT_STATE_H

#include "exec/exec.h"

typedef struct {
  uint32_t id;
  const char *name;
  tp_type type;     // of its elements; NONE: bytes
  uint64_t n;       // elements; 1: no array
  bool is_pointer;  // the name is that of a pointer to it
  bool is_open;     // its initialiser is being written
} tp_unit_object;

typedef struct {
  const tp_program *p;
  const tp_state *before, *after;  // the call; after may be NULL
  const tp_state *other;  // as after, of a run in which other things were indeterminate; or NULL
  bool is_cmocka;
  const char *missing;          // why the state has no form in C; NULL: it has
  tp_str makes, ties, asserts;  // declarations; assignments that close cycles; assertions
  TP_VEC(tp_unit_object) objects;
  uint32_t n_asserts;
  tp_arena arena;
} tp_unit_state;
void tp_unit_state_clear(tp_unit_state *u);

/* The name, changed if another object or a type has it. */
const char *tp_unit_state_name(tp_unit_state *u, const char *wanted);
/* The expression for a value of a type; objects that it leads to are declared. name: what such
 * objects are called after; lvalue: where the value is stored. */
const char *tp_unit_state_value(tp_unit_state *u, tp_type type, tp_value v, const char *name,
                                const char *lvalue);
/* The initialiser of what stands at an offset of an object in `in`. */
const char *tp_unit_state_initialiser(tp_unit_state *u, const tp_state *in, tp_type type,
                                      uint32_t object, uint64_t offset, const char *name,
                                      const char *lvalue);
/* Asserts that the lvalue has this value. */
void tp_unit_state_expect(tp_unit_state *u, tp_type type, tp_value v, const char *lvalue);
/* Asserts what changed in an object; name: an expression for the object itself. */
void tp_unit_state_expect_changes(tp_unit_state *u, tp_type type, uint32_t object, uint64_t offset,
                                  const char *lvalue);
/* The same for all objects that were declared. */
void tp_unit_state_expect_all(tp_unit_state *u);

#endif

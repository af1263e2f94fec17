/* Which functions of a unit make, change and end the objects of a type.
 *
 * What       of a type that users hold by its address: the functions that return one or initialise
 *            one, and those that change one and leave it usable.
 * Represents what the code of the exported functions says: their types, whether they store in the
 *            object, whether they read it before that, whether they free it; names count for
 *            initialisers, too, and for ends that go through a pointer to a function.
 * Use        arguments of an entry that the module could have made (app/environment_made.c).
 * Ownership  the program is borrowed; tp_makers_clear. Lists are the caller's.
 * Cost       a list is linear in the edges of the functions that take or return the type. */
#ifndef TP_APP_MAKERS_H
#define TP_APP_MAKERS_H

#include "program/program.h"

typedef enum {
  TP_MAKER_RETURNS,      // the object is the result
  TP_MAKER_INITIALISES,  // the object is an argument, of any content
  TP_MAKER_CHANGES,      // the object is an argument, and is as usable as before
  TP_MAKER_REPLACES      // the object is an argument; the result takes its place
} tp_maker_kind;

typedef struct {
  tp_func func;
  tp_maker_kind kind;
  uint32_t parameter;  // which argument is the object; of those that return it: none
  uint32_t n_handles;  // further arguments that are objects of the module
  uint64_t size;       // edges of the function and of all that it calls: what it costs to verify
} tp_maker;
typedef TP_VEC(tp_maker) tp_maker_list;

typedef struct {
  const tp_program *p;
  uint32_t n_exported;  // functions 1 to n can be called from other files
  uint32_t file;        // of the functions that count; others count if `seen` declares them
  const char *seen;     // what the compiler sees of that file, as C text; borrowed
  char *headers;        // of the project's, as the preprocessor leaves them; owned
  bool has_public;      // the function `of` is declared there
  uint32_t *first_edge, *edges;  // by function: its edges, in first_edge[f] .. first_edge[f + 1]
} tp_makers;

/* Of the unit that has the function `of`. seen: the unit as the preprocessor leaves it. */
void tp_makers_init(tp_makers *m, const tp_program *p, tp_func of, uint32_t n_exported,
                    const char *seen);
void tp_makers_clear(tp_makers *m);

/* Do users hold objects of the module by a value of this type: a pointer to a structure, or a name
 * for another pointer, as in `typedef char *text`? */
bool tp_makers_is_handle(const tp_makers *m, tp_type t);
/* Functions that make an object of the type, then those that change one and leave nothing freed
 * behind; if a header declares the function in question, of those that some header declares. Cheap
 * ones first, at most TP_APP_MADE_MAKERS and TP_APP_MADE_OPERATIONS. */
void tp_makers_find(const tp_makers *m, tp_type handle, tp_maker_list *makers,
                    tp_maker_list *operations);
/* Is there a function that makes one? */
bool tp_makers_has_any(const tp_makers *m, tp_type handle);

/* What a function that users can call is to objects of a type, whatever it costs to verify. */
typedef enum {
  TP_USE_NONE,         // it takes none and returns none
  TP_USE_RETURNS,      // a new one
  TP_USE_INITIALISES,  // `parameter` leads to an object of any content
  TP_USE_CHANGES,      // it takes one that is in use, and leaves it in use
  TP_USE_REPLACES,     // it takes one, and returns what is used from then on
  TP_USE_ENDS          // behind it the object is not used any more
} tp_use_kind;
typedef struct {
  tp_func func;
  tp_use_kind kind;
  uint32_t parameter;    // which argument is the object; of those that return one: none
  const char *succeeds;  // INITIALISES: when the object can be used, of the result: "!= 0"; NULL
} tp_made_structure_use;
typedef TP_VEC(tp_made_structure_use) tp_made_structure_uses;
/* obstacle: why what the function does to objects of the type is not known, in the arena; NULL. */
tp_use_kind tp_makers_use(const tp_makers *m, tp_func f, tp_type handle, uint32_t *parameter,
                          tp_arena *arena, const char **obstacle);
/* Are both types pointers to one structure? */
bool tp_makers_is_same(const tp_makers *m, tp_type a, tp_type b);
/* A function that users cannot call by its name takes an object of the type, and its address is a
 * value somewhere (is_exposed: tp_program_find_exposed): an obstacle, in the arena; NULL: there is
 * none. */
const char *tp_makers_hidden_use(const tp_makers *m, const bool *is_exposed, tp_type handle,
                                 tp_arena *arena);

#endif

/* The environment of a function: a C program that calls it once, with any arguments of its types.
 *
 * What       a text that includes the file of the function, and a main in which numbers are free,
 *            pointers lead to objects of their type, and structures are filled as deep as asked.
 * Represents the calls that the assumptions describe, and no others: what holds in every run of the
 *            program holds for every such call. Everything that is not free is one of the
 *            assumptions.
 * Names      a number beside a pointer is a count of elements if its name says so (n, len, size);
 *            a wrong guess makes an environment with other calls than the user's, which is said.
 * Ownership  texts are appended to the caller's string, assumptions live in the caller's arena. */
#ifndef TP_APP_ENVIRONMENT_H
#define TP_APP_ENVIRONMENT_H

#include "program/program.h"

typedef struct {
  uint32_t depth;        // structures of one type inside of each other: cells of a list
  uint32_t elements;     // of an array or a string, at most
  bool has_null;         // every pointer may be null, too
  bool has_aliases;      // arguments of one type may be the same object
  bool has_any_globals;  // numbers in file-scope variables are free, else as initialised
  bool keeps_objects;    // making an object never fails, whatever malloc does for the function
  bool has_made;         // structures are made by functions of the module, where it has such
  uint32_t operations;   // that change an object behind the one that makes it, at most
  uint32_t n_exported;   // of has_made: the functions that can be called, 1 to n
  const char *seen;      // of has_made: the file as the preprocessor leaves it
  const struct tp_made_structures
      *structures;                          // those of has_made are any that have these facts; NULL
  const struct tp_made_structures *probed;  // what runs have shown of initialisers; NULL
  const char *precondition;  // C expressions over the parameters that hold at the call, or NULL
} tp_environment_options;

typedef TP_VEC(const char *) tp_environment_assumptions;

// ----------------------------------------------------------------------- twins

/* An object of the environment that is made twice. In a loop several are made of one text: those
 * stand in a table (others), with the number of the object that they are. */
typedef struct {
  const char *name;   // the variable that leads to the first copy
  const char *shown;  // "list->next"
  const char *n;      // how many elements, an expression that keeps its value; NULL: one
  tp_type element;    // NONE: bytes
  bool is_in_table;
} tp_env_object;

typedef enum {
  TP_DRAW_VALUE,    // of a type
  TP_DRAW_ELEMENT,  // the next element of an array
  TP_DRAW_BYTES,    // __VERIFIER_nondet_memory
  TP_DRAW_LENGTH,   // of a string: its characters follow
  TP_DRAW_MADE      // 1: the pointer leads to an object, 0: null
} tp_env_draw_kind;

/* What an input of the environment is for, by the line that asks. */
typedef struct {
  tp_env_draw_kind kind;
  uint32_t line;  // in `statements`, from 1 on
  const char *shown;
  tp_type type;
} tp_env_draw;

/* The environment in two copies, for two functions that get the same: each input is drawn once and
 * stored in both. Statements and declarations are C; texts of the lists live in the arena. */
typedef struct {
  tp_str declarations;  // of file scope
  tp_str statements;
  TP_VEC(const char *) arguments;  // the first copy; tp_environment_other names the second
  TP_VEC(tp_env_object) objects;
  TP_VEC(tp_env_draw) draws;
  bool has_table;
} tp_env_twins;
void tp_env_twins_clear(tp_env_twins *t);

/* A variable of the environment of has_made: 1 from the call of the function on. */
#define TP_ENVIRONMENT_CALLED "twoproof_called"

/* Behind a line that makes an object stands what is assumed of it; for arguments also the
 * precondition for callers that give more, between the other two. */
#define TP_ENVIRONMENT_SAYS "  // "
/* In front of that where nothing in the code says how large the object is. */
#define TP_ENVIRONMENT_GUESS "a guess: "
#define TP_ENVIRONMENT_MORE " (for more: --requires='"
#define TP_ENVIRONMENT_MORE_END "')"

/* The function's environment as C; file: what to include. NULL, or an obstacle, in the arena: this
 * function cannot be called ("its argument p has a type without definition"), or with has_made no
 * argument of it is made by the module. */
const char *tp_environment_write(const tp_program *p, tp_func f, const char *file,
                                 const tp_environment_options *options, tp_arena *arena,
                                 tp_str *text, tp_environment_assumptions *assumptions);

/* Programs about the structures of a module (app/structures.h). Each calls TP_STRUCTURE_STATE "N"
 * with an object of structure N, N from 1 on. PROBE: behind functions that initialise one, which
 * was filled with TP_STRUCTURE_FILL, with the result; SAMPLES: objects that calls have made and
 * changed; OBLIGATIONS: behind one call of any function, of objects that have the facts before it;
 * there the state function calls reach_error for each fact that does not hold, and where pointers
 * of one structure, or of two, lead to one object. */
#define TP_STRUCTURE_FILL 0xa5
typedef enum {
  TP_STRUCTURES_PROBE,
  TP_STRUCTURES_SAMPLES,
  TP_STRUCTURES_OBLIGATIONS
} tp_structures_program;
/* wanted: of the uses, by number; NULL: all. Returns how many functions it calls. */
uint32_t tp_environment_write_structures(const tp_program *p, const struct tp_made_structures *s,
                                         tp_structures_program what, const bool *wanted, tp_func of,
                                         const char *file, const tp_environment_options *options,
                                         tp_arena *arena, tp_str *text,
                                         tp_environment_assumptions *assumptions);

/* A function of the uses that takes several structures in a row, where an obligation has one: an
 * obstacle, in the arena; NULL: there is none. */
const char *tp_environment_array_of_structures(const tp_program *p,
                                               const struct tp_made_structures *s, tp_func of,
                                               const tp_environment_options *options,
                                               tp_arena *arena);

/* One call of a module's environment. */
typedef struct {
  tp_func func;
  const char *name;     // of the function, in the arena
  const char *missing;  // why it cannot be called, in the arena; NULL: it is
  tp_environment_assumptions assumptions;
} tp_environment_call;

/* Functions of the environment of a module: each makes the arguments of one function and calls it.
 */
#define TP_ENVIRONMENT_CALL "twoproof_call_"

/* The environment of a module: main makes one of the calls. stubs: the functions that pointers of
 * arguments lead to, a second time. Returns how many of the calls can be made. */
uint32_t tp_environment_write_module(const tp_program *p, tp_environment_call *calls, size_t n,
                                     const char *file, const tp_environment_options *options,
                                     tp_arena *arena, tp_str *text, tp_str *stubs);

/* The environment of the function alone, in two copies. NULL, or an obstacle as above. */
const char *tp_environment_write_twins(const tp_program *p, tp_func f,
                                       const tp_environment_options *options, tp_arena *arena,
                                       tp_env_twins *out, tp_environment_assumptions *assumptions);
/* A function without body that both versions call: it answers the same to the same arguments. Its
 * text is added to the declarations, as twoproof_unknown_NAME; definition: NAME itself, for a unit
 * of its own, where no declaration of the versions is in the way. False: there is no such text, for
 * types that are neither numbers nor pointers. */
bool tp_environment_write_unknown(const tp_program *p, tp_func f, tp_arena *arena,
                                  tp_env_twins *out, tp_str *definition);
/* "twoproof_old_p->next" for "twoproof_new_p->next". */
const char *tp_environment_other(tp_arena *arena, const char *lvalue);
/* A declaration in C: the name, or what stands for it, with its type around. */
const char *tp_environment_declared(const tp_program *p, tp_type type, const char *name,
                                    tp_arena *arena);
/* Is every pattern of bits a value of the type? */
bool tp_environment_is_plain(const tp_program *p, tp_type type);

/* The function of the verifier's that draws a value of a scalar type; NULL: none. */
const char *tp_input_function_of(const tp_type_info *t);
/* Declarations of these, of __VERIFIER_nondet_memory and of __VERIFIER_assume. */
extern const char tp_input_declarations[];

#endif

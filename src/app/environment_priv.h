/* What the parts of environment.c share: the text that grows, types as it looks at them, and
 * how an lvalue of a type is filled.
 *
 * Ownership  texts of functions here live in the arena. */
#ifndef TP_APP_ENVIRONMENT_PRIV_H
#define TP_APP_ENVIRONMENT_PRIV_H

#include "app/environment.h"
#include "app/makers.h"
#include "program/pointsto.h"

/* A variable of main, and what it stands for in assumptions: "p_next_1" and "p->next". */
typedef struct {
  const char *name, *shown;
} tp_env_variable;

/* Memory of an argument, as far as it is known what the function reads of it. */
typedef struct {
  bool is_known;
  tp_pointsto_place at;
} tp_env_place;

/* A function of the environment that makes an object. */
typedef struct {
  tp_type type;
  uint32_t depth;  // objects around it that are being made
  const char *name, *described;
} tp_env_made;

/* Prefixes of the two copies of everything that main makes where it makes twins. */
#define TP_ENV_NEW "twoproof_new_"
#define TP_ENV_OLD "twoproof_old_"

typedef struct {
  const tp_program *p;
  const tp_func_info *f;
  tp_func number;  // of f
  const tp_environment_options *o;
  tp_arena *arena;
  tp_environment_assumptions *assumptions;
  tp_str stubs;             // functions that function pointers lead to
  tp_str text;              // statements of main
  const char *missing;      // why there is no environment
  const char *or_null;      // what assumptions say of the pointer in hand: " is null or", ""
  tp_env_twins *twins;      // NULL: the environment is made once
  const tp_makers *makers;  // NULL: objects are filled by their types
  TP_VEC(tp_env_made) made;
  bool is_made;  // some argument is
  uint32_t n_stubs, n_counters, n_kept, n_places;
  uint32_t n_rooms;  // arguments whose room the precondition says
  uint32_t n_loops;  // around what is written now
  bool has_others;
  const char *room;  // elements of the object that is made, by a precondition; NULL: none says so
  bool is_text;      // the argument in hand: bytes that the function reads up to an end
  bool is_counted;   // the object in hand: other members may say how large it is
  const char *more;  // what is offered for more room at the argument in hand; NULL: nothing
  const tp_pointsto *reads;  // what the function reads; NULL: it may read everything
  tp_env_place place;        // of the lvalue in hand; of an argument: what it leads to
  bool keeps_result;         // the call's result is a variable, for who looks at the run
  TP_VEC(tp_type) path;      // structs around what is written now
  TP_VEC(tp_env_variable) variables;
  TP_VEC(tp_env_variable) strings;  // lvalues that lead to one, and its size
} tp_environment;

static inline bool tp_env_is_aggregate(const tp_type_info *t) {
  return t->kind == TP_T_STRUCT || t->kind == TP_T_UNION;
}

static inline const tp_type_info *tp_env_type(const tp_environment *w, tp_type t) {
  return tp_type_of(w->p, t);
}

// arguments of the function
tp_type tp_env_param(const tp_environment *w, uint32_t i);
const char *tp_env_name_of(const tp_environment *w, uint32_t i);

// how much room their objects have (environment_room.c)
/* The parameter that counts the elements behind this one; the number of parameters: none. */
uint32_t tp_env_count_of(const tp_environment *w, uint32_t pointer);

/* How many elements the object behind the argument has, an expression, or bytes where the type is
 * not known: what a parameter counts, or as many as the code names; NULL: one, or a string. */
const char *tp_env_elements_of(tp_environment *w, uint32_t i);

/* What the code says of an object of numbers or bytes without a number beside it: as many elements
 * as it accesses at constant places, or, where others are accessed, more than functions need for
 * such small inputs. NULL: one, or nothing is known. */
const char *tp_env_elements_accessed(tp_environment *w, tp_type element, tp_env_place object,
                                     const char *lvalue);

/* Of a pointer to numbers or bytes: the precondition that gives the argument's object more room
 * than it has, as assumptions show it; empty: there is none to be offered. */
const char *tp_env_more_room(const tp_environment *w, uint32_t i, const char *n);

// sizes that the code names (environment_extents.c)
/* How many elements, or bytes where the type is not known, the code accesses at places that
 * constants bound; 0: no more than there are anyway. */
uint64_t tp_env_elements_named(const tp_environment *w, uint32_t parameter);
/* Are elements written at places that are not known? Of characters, what is also read may be a
 * string. */
bool tp_env_is_output(const tp_environment *w, uint32_t parameter);
/* Bytes or pointers of which nothing says how many there are, and which the function reads through
 * a pointer that it moves on, end with a 0, as those of a string do. */
bool tp_env_is_text(const tp_environment *w, uint32_t parameter);
/* Does the function, or one that it calls, have the C library read the argument up to its end? */
bool tp_env_is_read_to_end(const tp_environment *w, uint32_t parameter);

/* How many elements this count may say: those of the options, or a constant that the function
 * compares it with (n == 16), which it asks for. */
uint32_t tp_env_largest_count(const tp_environment *w, uint32_t parameter);

// what the function reads (environment_reads.c)
/* What nobody reads is not filled: contents of it are as they are, and count for nothing. Finds
 * what the function reads, where nothing else looks at its arguments; ends that. */
void tp_env_find_reads(tp_environment *w);
void tp_env_end_reads(tp_environment *w);
tp_env_place tp_env_place_of_argument(const tp_environment *w, uint32_t i);
tp_env_place tp_env_place_behind(const tp_environment *w, tp_env_place pointer);
tp_env_place tp_env_place_of_member(tp_env_place structure, uint64_t offset_bytes);
tp_env_place tp_env_place_of_elements(const tp_environment *w, tp_env_place first, tp_type element);
/* Of a pointer to void that leads to the place: the struct that the function takes its object for;
 * NONE: not known. */
tp_type tp_env_taken_for(const tp_environment *w, tp_type pointer, tp_env_place object);
/* The struct that the function takes what the pointer leads to for; NONE: not known. */
tp_type tp_env_struct_behind(const tp_environment *w, tp_env_place pointer);
bool tp_env_is_read(const tp_environment *w, tp_env_place place, uint64_t size_bytes);
/* How many bytes of an object are accessed, 0 where nothing is known of it; false: accesses are at
 * places that are not constant. */
bool tp_env_extent_of(const tp_environment *w, tp_env_place object, uint64_t *bytes);
bool tp_env_is_object_read(const tp_environment *w, tp_env_place object);

// an array in variables whose addresses are parameters (environment_held.c)
/* Makes it for the parameter that leads to its memory, with those that lead to its counts. False:
 * the parameter leads to no such array. */
bool tp_env_make_held(tp_environment *w, uint32_t i);
/* Is the parameter made so, with an earlier one? */
bool tp_env_is_held_count(const tp_environment *w, uint32_t i);

// objects that the module makes (environment_made.c)
/* The function that makes one, written before; NULL: no function of the module makes this type. */
const char *tp_env_maker_of(tp_environment *w, tp_type type, uint32_t depth);
/* Makes an argument; false: it is none that the module makes. */
bool tp_env_make(tp_environment *w, tp_type type, const char *lvalue);

// structures with facts (environment_structures.c)
/* Makes an argument; false: there are no facts about its type. */
bool tp_env_make_structure(tp_environment *w, tp_type type, const char *lvalue);
/* Statements: what errno is before the call is not known. Empty where nobody asks for it. */
const char *tp_env_free_errno(const tp_environment *w);

// types
bool tp_env_is_void(const tp_environment *w, tp_type t);
bool tp_env_is_number(const tp_type_info *t);
bool tp_env_is_integer(const tp_environment *w, tp_type t);
/* One struct may have several entries: by its tag, by names for it. */
bool tp_env_is_same_struct(const tp_type_info *a, const tp_type_info *b);
/* Does a pointer to the type need parentheses in its declaration? */
bool tp_env_needs_parentheses(const tp_environment *w, tp_type t);
/* Is every pattern of bits a value of the type? */
bool tp_env_is_plain(const tp_environment *w, tp_type type);
bool tp_env_is_plain_number(const tp_environment *w, tp_type type);
/* Does a pointer to the type lead to a string? */
bool tp_env_is_character(const tp_environment *w, tp_type t);
/* Lists, trees: structs that have pointers to their own kind, or to what leads there. */
bool tp_env_leads_to_itself(const tp_environment *w, tp_type t);

/* Does the function use this parameter, a pointer to a structure of this size, as an array? */
bool tp_env_is_array(const tp_environment *w, tp_func f, uint32_t parameter, uint64_t size_bytes);

// text
void tp_env_assume(tp_environment *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does the name say that the number counts elements? Its last word does: n, len, buf_size. */
bool tp_env_is_count_name(const char *name);
bool tp_env_is_capacity_name(const char *name);
/* A declaration: the name, or what stands for it, with its type around. */
const char *tp_env_declared(const tp_environment *w, tp_type type, const char *name);

/* Spaces in front of a statement. */
void tp_env_begin(tp_environment *w, uint32_t indent);

/* Any value for an lvalue of a type. Of structs behind a pointer the lvalue ends with an arrow. */
void tp_env_fill(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent);

// objects (environment_objects.c)
/* What a pointer is set to. n: how many objects are behind it, NULL: nothing says so. */
void tp_env_fill_pointer(tp_environment *w, tp_type type, const char *lvalue, const char *n,
                         bool is_argument, uint32_t indent);
/* Elements of an array whose number is an expression. */
void tp_env_fill_elements(tp_environment *w, tp_type element, const char *lvalue, const char *n,
                          uint32_t indent);

// structures (environment_members.c)
/* path: "p->" or "s.", before the names of members. */
void tp_env_fill_members(tp_environment *w, tp_type type, const char *path, uint32_t indent);

// names (environment_names.c)
/* The name of a variable for the objects behind an lvalue: p->next is made as p_next, since what
 * points to constants cannot be written through. Assumptions have the lvalue. */
const char *tp_env_variable_for(tp_environment *w, const char *lvalue);
/* An lvalue as assumptions show it. */
const char *tp_env_shown(const tp_environment *w, const char *lvalue);

// functions (environment_functions.c)
/* A function for a pointer of this type, written before: it returns anything (of pointers null) and
 * changes nothing. NULL: there is none. */
const char *tp_env_function_of(tp_environment *w, tp_type type);
void tp_env_make_function(tp_environment *w, tp_type type, const char *lvalue, uint32_t indent);
/* The text of a function that answers the same to the same arguments, at the end of the stubs;
 * false: its types are not of numbers and pointers. linkage: "static " or "". */
bool tp_env_write_answers(tp_environment *w, tp_type type, const char *linkage, const char *name);

// the second copy (environment_twins.c); without twins these write nothing
/* The same lvalue in the other copy of the environment: variables differ in their prefix. */
const char *tp_env_twin(const tp_environment *w, const char *lvalue);
/* The input of the line that the text ends in: what it gives. */
void tp_env_note_draw(tp_environment *w, tp_env_draw_kind kind, const char *lvalue, tp_type type);
/* The second copy gets what the first one has. */
void tp_env_copy_to_twin(tp_environment *w, const char *lvalue, uint32_t indent);
void tp_env_copy_bytes_to_twin(tp_environment *w, const char *address, const char *size,
                               uint32_t indent);
/* The object that has just been made, in both copies. */
void tp_env_list_twin(tp_environment *w, const char *variable, tp_type element, const char *n,
                      uint32_t indent);

#endif

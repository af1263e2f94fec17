/* What holds of the structures that a module makes, between the calls of its functions.
 *
 * What       of a type that users hold by its address: its members as numbers and pointers, facts
 *            about them, the C text of each fact, and whether it holds in a state that was seen.
 * Represents for each object of the type, whenever none of the module's functions runs, all facts
 *            that are kept. Facts are candidates until app/structure_search.h has shown them.
 * Facts      comparisons of numbers (app/precondition_grammar.h); a == b + k, a == k, a is a power
 *            of two, or one less; pointers: null or not, where they lead to an object of so many
 *            elements, which can be freed, or into the object of another one; functions.
 * Source     Houdini: Flanagan, Leino 2001; candidates from runs: Ernst et al. 2001 (Daikon).
 * Ownership  texts live in the arena that is given; tp_made_structure_clear.
 * Cost       facts are quadratic in the members, sums cubic. */
#ifndef TP_APP_STRUCTURES_H
#define TP_APP_STRUCTURES_H

#include "app/makers.h"
#include "app/precondition_grammar.h"
#include "exec/exec.h"

/* The name of the object in the texts of facts; of the function that each program about structures
 * calls with an object between two calls of the module, by the number of the structure. */
#define TP_STRUCTURE_OBJECT "object"
#define TP_STRUCTURE_STATE "twoproof_state_"

typedef enum {
  TP_FIELD_NUMBER,
  TP_FIELD_POINTER,   // to an object
  TP_FIELD_FUNCTION,  // a pointer to a function
  TP_FIELD_BYTES      // plain arrays and unions: any bytes, no facts
} tp_field_kind;
typedef struct {
  tp_field_kind kind;
  tp_type type;
  const char *text;        // "object->size"
  uint32_t number;         // NUMBER: in `numbers`
  tp_type element;         // POINTER: what it leads to; NONE: bytes
  uint32_t element_bytes;  // 1, where that is not known
} tp_made_structure_field;

typedef enum {
  TP_FACT_NUMBERS,  // a condition of the grammar
  TP_FACT_PLUS,     // a == b + k
  TP_FACT_IS,       // a == k
  TP_FACT_POWER,    // a & (a - 1) == 0
  TP_FACT_MASK,     // a & (a + 1) == 0
  TP_FACT_NULL,     // pointer == 0
  TP_FACT_SET,      // pointer != 0
  TP_FACT_SET_IF,   // pointer != 0 || a == 0
  TP_FACT_ROOM,     // null, or an object of a + k elements; without a: of k bytes
  TP_FACT_BLOCK,    // null, or the start of a block of the heap
  TP_FACT_WITHIN,   // into the object of pointer `b`, below a elements from there
  TP_FACT_UP_TO,    // the same, a elements at most
  TP_FACT_FUNCTION  // null, or a function
} tp_made_fact_kind;
#define TP_FIELD_NONE UINT32_MAX
typedef struct {
  tp_made_fact_kind kind;
  uint32_t pointer, a, b;  // fields; NONE
  int64_t k;
  tp_condition condition;  // NUMBERS
  bool is_out;             // no candidate any more
  bool is_loose;           // ROOM: in some state there was more room than that
} tp_made_fact;

typedef struct {
  tp_type handle;         // a pointer to the structure
  const char *name;       // "struct ring *", as C declares it
  const char *structure;  // "struct ring"
  TP_VEC(tp_made_structure_field) fields;
  tp_precondition_numbers numbers;
  TP_VEC(tp_made_fact) facts;
  tp_condition_list conditions;
  const char *obstacle;  // why there are no facts about the type, or NULL
} tp_made_structure;
void tp_made_structure_init(tp_made_structure *s, const tp_program *p, tp_type handle,
                            tp_arena *arena);
void tp_made_structure_clear(tp_made_structure *s);

/* A member in a state. */
typedef struct {
  tp_i128 value;    // NUMBER
  uint32_t object;  // POINTER: 0: null
  uint64_t offset, size;
  bool is_live, is_block, is_function;
} tp_field_value;

/* Candidates that hold of the first state; constants: of the program. */
void tp_made_structure_propose(tp_made_structure *s, const tp_field_value *values,
                               const int64_t *constants, size_t n_constants, tp_arena *arena);
/* A further state: candidates that do not hold in it are out. */
void tp_made_structure_see(tp_made_structure *s, const tp_field_value *values);
/* When all states were seen: facts that are out go, and where the size of an object is known
 * exactly, so does what says less. */
void tp_made_structure_settle(tp_made_structure *s);
bool tp_made_fact_holds(const tp_made_structure *s, const tp_made_fact *f,
                        const tp_field_value *values);
/* The fact as C, about TP_STRUCTURE_OBJECT. FUNCTION: NULL, it is the environment's to say. */
const char *tp_made_fact_text(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena);
/* Of a ROOM: that the bytes which the pointer leads to are this many. */
const char *tp_made_fact_size_text(const tp_made_structure *s, const tp_made_fact *f,
                                   const char *size, tp_arena *arena);
/* The same for people. */
const char *tp_made_fact_shown(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena);
/* Does it follow from one of the others that are left? */
bool tp_made_fact_is_needless(const tp_made_structure *s, size_t number);
size_t tp_made_structure_n_facts(const tp_made_structure *s);  // that are no longer out

/* The structures of a module, and what its functions do to them. */
typedef struct tp_made_structures {
  TP_VEC(tp_made_structure) list;
  tp_made_structure_uses uses;  // each function once
} tp_made_structures;
void tp_structures_clear(tp_made_structures *s);
/* The number of the structure that the type leads to; list.n: none of these. */
size_t tp_structures_find(const tp_made_structures *s, const tp_makers *m, tp_type handle);

#endif

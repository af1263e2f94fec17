/* The object model of a C program: the relations over which contracts are stated.
 *
 * What       basic types (null, integers, functions, one for each struct, one for each kind of
 *            array that pointers lead to), and the symbols that names of contracts stand for, with
 *            the types of their relations.
 * Represents a state as relations: a member of a struct relates its objects to objects or integers;
 *            an array member relates objects and an index to elements; a pointer to a scalar leads
 *            to an array object whose content is the relation \elements; a pointer is null or leads
 *            to an object. Members that are structs themselves are objects of their own, to which
 *            the outer object is related.
 * Limits     floating point, unions and interior pointers have no relations: symbols of such types
 *            give the reason in `refused`.
 * Ownership  everything lives in the arena of the object model; the program is borrowed.
 * Source     Edwards, Jackson, Torlak 2004, A type system for object models (basic types); Taghdiri
 *            2008, sec. 5.2. */
#ifndef TP_CONTRACTS_SPEC_OBJECT_MODEL_H
#define TP_CONTRACTS_SPEC_OBJECT_MODEL_H

#include "program/program.h"
#include "contracts/spec/clause.h"
#include "contracts/spec/reltype.h"

typedef enum {
  TP_BASIC_NULL,
  TP_BASIC_INT,
  TP_BASIC_FUNCTION,
  TP_BASIC_OTHER,
  TP_BASIC_STRUCT,
  TP_BASIC_ARRAY
} tp_basic_kind;
enum {
  TP_NULL_BASIC,
  TP_INT_BASIC,
  TP_FUNCTION_BASIC,
  TP_OTHER_BASIC
};  // the first basic types; OTHER: objects without a struct or array type
typedef struct {
  tp_basic_kind kind;
  const char *name;    // "struct list", "pair_t", "int[]"
  tp_type type;        // STRUCT; ARRAY: of its elements
  uint32_t n_objects;  // a bound that the user has set for the type; 0: none
} tp_basic;

typedef enum {
  TP_SYMBOL_SET,       // all objects of a basic type
  TP_SYMBOL_FIELD,     // a member: owner -> value
  TP_SYMBOL_ELEMENTS,  // array -> int -> element
  TP_SYMBOL_GLOBAL,
  TP_SYMBOL_FUNCTION,  // a function of the program, as an object that pointers lead to
  TP_SYMBOL_PARAM,
  TP_SYMBOL_RESULT,
  TP_SYMBOL_LOCAL,
  TP_SYMBOL_THIS,
  TP_SYMBOL_ALLOC,     // objects that exist
  TP_SYMBOL_MODEL,     // a field that is computed: owner -> value
  TP_SYMBOL_GHOST,     // owner -> value, or a global, for contracts only
  TP_SYMBOL_VARIABLE,  // of a quantifier, a let, a named formula or relation
  TP_SYMBOL_PRED,
  TP_SYMBOL_FUN
} tp_symbol_kind;

typedef enum { TP_SPEC_SORT_RELATION, TP_SPEC_SORT_INTEGER, TP_SPEC_SORT_FORMULA } tp_spec_sort;

struct tp_symbol {
  tp_symbol_kind kind;
  const char *name;
  uint32_t basic;  // SET: which; FIELD, MODEL, GHOST: of the owner, or 0; ELEMENTS: the array
  tp_reltype type;
  bool is_function;  // its columns before the last determine the last one; a set: it has one member
                     // at most
  bool changes;      // it has a value before and one after
  tp_spec_sort sort;     // VARIABLE of a let: INTEGER is possible; PRED: FORMULA
  const char *refused;   // why no relation stands for it, or NULL
  tp_type ctype;         // of the member, variable, element
  uint64_t offset_bits;  // FIELD
  uint32_t number;       // PARAM: which
  tp_var var;            // GLOBAL, LOCAL in a variable
  uint32_t object;       // GLOBAL in memory, FUNCTION: of the statics
  // declared in contracts: MODEL, GHOST, PRED, FUN (contracts/spec/resolved_contracts.h makes
  // these)
  const tp_clause *clause;
  const struct tp_symbol *const *params;
  const tp_spec_expr *body;  // resolved; MODEL: over `this`
  const struct tp_symbol *this_symbol;
  uint32_t n_params;
  bool reads_before, reads_after, is_typed, is_resolved, is_busy;
};

typedef struct {
  tp_arena arena;
  const tp_program *program;
  TP_VEC(tp_basic) basics;
  tp_reltypes types;
  TP_VEC(tp_symbol *) symbols;  // found by name; several of one name are possible
  tp_map struct_of;             // id of a program's type -> basic type
  tp_map array_of;              // id of a program's type -> basic type of arrays of it
  tp_symbol *alloc;
  tp_reltype objects;  // of all that a void * leads to, null included
} tp_object_model;

void tp_object_model_init(tp_object_model *u, const tp_program *p);
void tp_object_model_clear(tp_object_model *u);

/* Symbols have names, types over the basic types, and members have owners. For assertions. */
bool tp_object_model_check(const tp_object_model *u);

tp_symbol *tp_object_model_add(tp_object_model *u, tp_symbol s);
/* The struct that C calls so ("struct list", a typedef name); false: there is none. */
bool tp_object_model_struct(const tp_object_model *u, const char *name, uint32_t *basic);
/* The member of the struct that contains the byte; NULL: none does. */
const tp_symbol *tp_object_model_member_at(const tp_object_model *u, uint32_t basic, int64_t byte);
/* The only member of the struct that is an array; NULL: there is none, or several. */
const tp_symbol *tp_object_model_only_array(const tp_object_model *u, uint32_t basic);
/* The elements of this basic type of arrays; NULL: it is none. */
const tp_symbol *tp_object_model_elements(const tp_object_model *u, uint32_t basic);
/* What a variable of this C type holds; *refused: the reason why there is no relation. */
tp_reltype tp_object_model_value(const tp_object_model *u, tp_type type, const char **refused);
/* Can the call through a pointer lead to the function? As heaps have it: a pointer leads to any
 * function of its type, called from elsewhere or not. Where the type is not known the number of
 * arguments decides. */
bool tp_object_model_can_reach(const tp_object_model *u, const tp_edge_info *call, tp_func f);
/* "struct list + null", "struct cell -> int" */
void tp_object_model_print(const tp_object_model *u, tp_reltype type, tp_str *out);

#endif

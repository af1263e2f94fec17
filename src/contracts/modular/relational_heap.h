/* The heaps of a C program as relations within bounds.
 *
 * What       for every struct, kind of array, static object and function that a query uses: atoms;
 *            for every member, element and global variable that it uses: the relation that is its
 *            value in the pre-state; the formula that these values make a heap.
 * Represents states in which a function of the program can be called, up to names of objects:
 *            `objects` objects of each type at most, each of them allocated or not yet. Objects of
 *            a type are allocated in a fixed order: those up to `last` exist in the pre-state,
 *            allocation takes the next one. A member is a total function on the allocated objects,
 *            and empty elsewhere; pointers are null or lead to allocated objects. A struct inside
 *            of another one has an atom of its own, fixed by its owner. An array that a pointer
 *            leads to has at least one element and at most `objects`; so has the index of a member
 *            that is an array. A ghost is any relation of its type between allocated objects.
 *            A local variable in memory has an atom of its own for each time that the execution
 *            comes to its declaration, beside those that `objects` counts; in the pre-state of the
 *            heap nothing leads to one.
 * Integers   of the width of the bounds: every value of the program is read as a signed number.
 *            Values that need more bits are outside of the bounds.
 * Limits     not represented: heaps in which a pointer to a scalar leads into a struct or behind
 *            the start of an array; pointers to structs that are elements of arrays, but of global
 *            ones; pointers to freed objects in the pre-state; objects of the pre-state that malloc
 * has not made, but for named global ones. Ownership  owns logic and atoms, borrows program and
 * object model. Source     Taghdiri 2008, sec. 5.2, 5.3; Dennis 2009 (Forge). We differ: null,
 * dangling pointers, arrays, inner structs. */
#ifndef TP_CONTRACTS_MODULAR_RELATIONAL_HEAP_H
#define TP_CONTRACTS_MODULAR_RELATIONAL_HEAP_H

#include "contracts/contracts_limits.h"
#include "contracts/rel/rel_bounds.h"
#include "contracts/spec/object_model.h"

typedef struct {
  uint32_t objects, unroll;  // objects: of types without a bound of their own; elements of arrays
  uint32_t width_bits;       // 2 .. TP_CONTRACTS_INTEGER_WIDTH
} tp_rheap_limits;

/* A basic type of the object model. */
typedef struct {
  bool is_used;
  tp_rel_expr set;           // all of its atoms
  tp_rel_expr first, order;  // of the objects that can be made: the first one, and who comes next
  tp_rel_expr last;          // at most one: the last allocated object in the pre-state
  tp_rel_expr locals;        // all local variables, and what lies inside of them
  tp_rel_expr shift;         // element of an array of structs -> how far -> another element of it
  TP_VEC(uint32_t)
  atoms;  // after binding: objects that can be made, statics, locals, inner
          // structs
} tp_rheap_type;

/* A symbol with a value: member, elements, global, ghost. */
typedef struct {
  const tp_symbol *symbol;
  tp_rel_expr initial;  // its value when the function is called; a global without columns before
                        // its value: a set
  tp_rel_expr
      uninitialised;  // what it is in memory that is handed out uninitialised; id 0: nobody asks
  bool is_inner;      // a struct inside, or an array of them: where it lies, the same in all states
  tp_rel_expr lies;   // is_inner: from owners to all that lies inside as this member
  uint32_t n_inner;   // is_inner: how many lie inside of each owner
} tp_rheap_field;

typedef struct {
  tp_rel_expr set;  // of an array of structs: its elements
  uint32_t basic, object;
  uint32_t n_atoms;
  tp_rel_expr elements;  // of an array of structs: from indices; else id 0
} tp_rheap_static;

/* One local variable of one execution. */
typedef struct {
  tp_rel_expr set;
  uint32_t basic;
  uint32_t n_elements;   // of an array, at most; of structs: 1
  uint32_t n_atoms;      // of an array of structs: its elements; else 1
  tp_rel_expr elements;  // as in tp_rheap_static
} tp_rheap_local;

/* Which objects were made: of each type all up to the last one, and local variables. */
typedef struct {
  const tp_rel_expr *last;  // by basic type
  tp_rel_expr stack;        // id 0: no local variables
} tp_rheap_objects;

/* A value after the pre-state that nothing computes: of a symbol (`relation`); of what can
 * have objects of a type: which of them. */
typedef struct {
  const tp_symbol *symbol;  // NULL: a set of objects of type `basic`, or, if that is 0, of any type
  tp_rel_expr relation;
  uint32_t basic;
  bool is_flag;   // null, or nothing: a choice of two
  bool is_fresh;  // of local variables that were not initialised, as in the pre-state
} tp_rheap_havoc;

typedef struct {
  const tp_program *program;
  const tp_object_model *object_model;
  tp_arena arena;
  tp_rheap_limits limits;
  tp_rel *l;
  tp_rel_expr null;
  tp_rheap_type *types;               // by basic type
  TP_VEC(tp_rheap_field) fields;      // in the order in which they were asked for
  tp_map field_of;                    // symbol's index in the object model to field
  TP_VEC(tp_rheap_static) statics;    // global objects in memory that were collected
  TP_VEC(tp_rheap_static) functions;  // object: of the function
  TP_VEC(tp_rheap_local) locals;
  TP_VEC(tp_rheap_field) inputs;  // parameters and other values that are not in the heap
  size_t n_foreign_inputs;        // the last ones: tp_rheap_is_heap says nothing of them
  TP_VEC(tp_rheap_havoc) havocs;  // values after the pre-state that nothing computes
  // after tp_rheap_set_bounds
  tp_rel_universe *atoms;
  tp_rel_bounds *bounds;
  uint32_t null_atom;
  TP_VEC(bool) is_local;  // by atom: a local variable, or what lies inside of one
} tp_rheap;

/* Objects of the type that can be made: its own bound, or that of all types. */
static inline uint32_t tp_rheap_n_objects(const tp_rheap *h, uint32_t basic) {
  const uint32_t own = h->object_model->basics.at[basic].n_objects;
  return own ? own : h->limits.objects;
}
void tp_rheap_init(tp_rheap *h, const tp_object_model *u, tp_rheap_limits limits);
void tp_rheap_clear(tp_rheap *h);

#define TP_RHEAP_NO_FIELD UINT32_MAX
/* Has the value no owner? */
static inline bool tp_rheap_is_global(const tp_symbol *s) {
  return s->kind == TP_SYMBOL_GLOBAL || (s->kind == TP_SYMBOL_GHOST && !s->basic);
}
const tp_rheap_type *tp_rheap_use(tp_rheap *h, uint32_t basic);
/* The symbol of the member, the elements of arrays, ... as a field; NO_FIELD: it has no relation,
 * *why gives the reason. */
uint32_t tp_rheap_field_of(tp_rheap *h, const tp_symbol *symbol, const char **why);
tp_rel_expr tp_rheap_uninitialised(tp_rheap *h, uint32_t field);
/* The local variable of this name, which no other one has. n_elements: of an array of scalars;
 * n_atoms: of one of structs (0: it is none). */
tp_rheap_local tp_rheap_local_of(tp_rheap *h, const char *name, uint32_t basic, uint32_t n_elements,
                                 uint32_t n_atoms);
/* The type of the structs that lie inside of owners as this field. False: it is another field. */
bool tp_rheap_inner_of(const tp_rheap *h, const tp_rheap_field *f, uint32_t *inner);
/* Bound: where these come among the atoms of their type; those of one owner stand together. */
uint32_t tp_rheap_inner_place(const tp_rheap *h, size_t field);
/* From indices to the elements of a global array of structs; id 0: it is none. */
tp_rel_expr tp_rheap_static_elements(tp_rheap *h, uint32_t object);
/* Are structs of this type elements of some array? */
bool tp_rheap_has_rows(const tp_rheap *h, uint32_t basic);
/* All local variables that are known when the heap is bound. */
tp_rel_expr tp_rheap_all_locals(tp_rheap *h);
/* The atom of a global object, of a function. *basic: its type. False: it has none. */
bool tp_rheap_static_of(tp_rheap *h, uint32_t object, tp_rel_expr *out, uint32_t *basic);
tp_rel_expr tp_rheap_function(tp_rheap *h, uint32_t object);
/* A set of one: a value of this C type that is given from outside. id 0: it has no relation, *why.
 */
tp_rel_expr tp_rheap_input(tp_rheap *h, const char *name, tp_type type, const char **why);

/* NULL, or why there are no relations for values of the type; asks for what they lead to. */
const char *tp_rheap_unsupported_type(tp_rheap *h, tp_type type);
/* A relation of this name that is bound as values of the symbol are; as a set of objects of the
 * type, of all types (0). What it has to be is the caller's to say. */
tp_rel_expr tp_rheap_havoc_value(tp_rheap *h, const char *name, const tp_symbol *symbol);
tp_rel_expr tp_rheap_havoc_set(tp_rheap *h, const char *name, uint32_t basic);
/* A choice: some tuple, or none. */
tp_rel_expr tp_rheap_havoc_flag(tp_rheap *h, const char *name);
/* What the symbol is in local variables that are not initialised. */
tp_rel_expr tp_rheap_havoc_fresh(tp_rheap *h, const char *name, const tp_symbol *symbol);
/* `r` is such a value for these local variables (from `first` on), which may lead to `objects`. */
tp_rel_formula tp_rheap_is_fresh(tp_rheap *h, const tp_symbol *symbol, tp_rel_expr r, size_t first,
                                 size_t end, tp_rheap_objects objects);
/* `r` is a value of the symbol for these owners (globals: any) when these objects were made; freed
 * objects may be in it. */
tp_rel_formula tp_rheap_is_value(tp_rheap *h, const tp_symbol *symbol, tp_rel_expr r,
                                 tp_rel_expr owners, tp_rheap_objects objects);

/* The basic type of what a pointer to `type` leads to; false: there is none. */
bool tp_rheap_basic_of(const tp_rheap *h, tp_type pointee, uint32_t *basic);
/* Is this static object a function of the type? Pointers to functions lead to such ones at the
 * start. */
bool tp_rheap_is_of_type(const tp_rheap *h, uint32_t object, tp_type function);
bool tp_rheap_is_integer(const tp_rheap *h, tp_type type);
/* How many columns stand before the value: owner, index. */
uint32_t tp_rheap_n_keys(const tp_rheap *h, const tp_symbol *symbol);
/* What a value of the symbol is, without the columns before it: the type of an element for arrays.
 */
tp_type tp_rheap_value_type(const tp_rheap *h, const tp_symbol *symbol);

/* The objects of the type among those that were made, statics, and what lies inside of them. */
tp_rel_expr tp_rheap_allocated(tp_rheap *h, uint32_t basic, tp_rheap_objects objects);
/* What atoms come after `last` of this type: the next one, none if all are allocated. */
tp_rel_expr tp_rheap_next(tp_rheap *h, uint32_t basic, tp_rel_expr last);

/* What makes the values in the pre-state a heap. Nothing may be asked for afterwards but what was
 * asked for before. */
tp_rel_formula tp_rheap_is_heap(tp_rheap *h);
/* Atoms and bounds for all that was collected. */
tp_status tp_rheap_set_bounds(tp_rheap *h) TP_MUST_USE;
/* Bound: how many of the type's atoms are no structs inside of others; how many of them come before
 * the local variables. */
uint32_t tp_rheap_n_own(const tp_rheap *h, uint32_t basic);
uint32_t tp_rheap_n_lasting(const tp_rheap *h, uint32_t basic);
static inline bool tp_rheap_is_local(const tp_rheap *h, uint32_t atom) {
  return atom < h->is_local.n && h->is_local.at[atom];
}
/* Relations have the columns of their symbols; once there are bounds, every field has some, and
 * every used type its atoms. For assertions. */
bool tp_rheap_check(const tp_rheap *h);

#endif

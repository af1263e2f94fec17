/* Descriptions of data structures: what a kind of heap is described with.
 *
 * What       entries, read from files (language: doc/shape.md): recursive fields, families of
 *            instrumentation predicates with their definitions, how operations change them,
 *            constraints, what well-formed heaps satisfy.
 * Represents formulas with parameters. A family with pointer and field parameters has one predicate
 *            for each tracked pointer and each field; its formulas name parameters by slots, which
 *            a class (class.h) fills. Slots 0 and 1 of pointers are x and y of the operation, slot
 *            0 of fields is its field.
 * Invariants definitions speak of fields, pointers and families before them; updates that speak of
 *            the heap after the operation (primed) too. An update formula is right on every heap on
 *            which the operation runs (verify.h checks that); a family that no update of an
 *            operation fits keeps its values.
 * Ownership  an entry owns all it consists of, in one arena.
 * Source     Theoduloz 2010, sec. 5.5.1; the formulas' form: Sagiv, Reps, Wilhelm 2002, sec. 3. */
#ifndef TP_SHAPE_DESCRIPTION_H
#define TP_SHAPE_DESCRIPTION_H

#include "diag/diag.h"
#include "shape/kleene.h"
#include "shape/shape_limits.h"

enum { TP_SLOT_X = 0, TP_SLOT_Y = 1, TP_SLOT_FIELD = 0 };

// ------------------------------------------------------------ formulas with slots

typedef enum { TP_ARGUMENT_POINTER, TP_ARGUMENT_FIELD, TP_ARGUMENT_FIELD_NUMBER } tp_argument_kind;
typedef struct {
  tp_argument_kind kind;
  uint8_t index;  // slot; FIELD_NUMBER: the entry's field
} tp_argument;

typedef enum {
  TP_TEMPLATE_VALUE,
  TP_TEMPLATE_POINTS,   // pt[pointer](a)
  TP_TEMPLATE_FREED,    // freed(a)
  TP_TEMPLATE_OUTSIDE,  // outside(a)
  TP_TEMPLATE_NEW,      // new(a): the cell that the operation allocates
  TP_TEMPLATE_FIELD,    // field(a, b)
  TP_TEMPLATE_ORDER,    // order(a, b): by number, argument[0]
  TP_TEMPLATE_FAMILY,   // family[arguments](a) or (a, b)
  TP_TEMPLATE_EQUAL,    // a = b
  TP_TEMPLATE_NOT,
  TP_TEMPLATE_AND,
  TP_TEMPLATE_OR,
  TP_TEMPLATE_CHOOSE,
  TP_TEMPLATE_EXISTS,  // exists a: kid 0
  TP_TEMPLATE_FORALL,
  TP_TEMPLATE_PATH  // path+(from, to: kid 0)(a, b), or path*: is_reflexive
} tp_template_kind;

typedef struct tp_template {
  tp_template_kind kind;
  tp_kleene value;
  bool is_primed, is_reflexive;
  uint8_t family;
  uint8_t a, b, from, to;                        // variables; those of the head are 0 and 1
  tp_argument argument[TP_SHAPE_MAX_ARGUMENTS];  // POINTS, FIELD: [0]
  const struct tp_template *kid[3];
} tp_template;
uint32_t tp_template_families(const tp_template *t);  // that it names, as bits
/* Does it search for a cell: "there is" one to which neither a pointer nor a link of another cell
 * leads? So `shared` of trees does: some cells have a link to this one. */
bool tp_template_searches_cells(const tp_template *t);

// ------------------------------------------------------------------------ entries

typedef struct {
  const char *name;
  tp_pos pos;
  uint8_t arity;  // 1 or 2
  uint8_t n_arguments;
  tp_argument_kind argument[TP_SHAPE_MAX_ARGUMENTS];  // POINTER or FIELD; slots 2, 3, ... and 1, 2,
                                                      // ... in the definition
  uint8_t slot[TP_SHAPE_MAX_ARGUMENTS];
  bool is_abstraction;  // whatever its pointers are
  const tp_template *definition;
} tp_family;

typedef enum {
  TP_HEAP_NIL,    // x = nil
  TP_HEAP_COPY,   // x = y
  TP_HEAP_LOAD,   // x = y->f
  TP_HEAP_CLEAR,  // x->f = nil
  TP_HEAP_STORE,  // x->f = y, where x->f is nil
  TP_HEAP_NEW,    // x = new cell, whose fields are nil
  TP_HEAP_FREE,   // free x, whose fields are nil
  TP_HEAP_SET,    // the data of x's cell becomes that of y's; y not tracked: anything
  TP_HEAP_N_KINDS
} tp_heap_kind;
const char *tp_heap_kind_text(tp_heap_kind kind);

/* One line under "on": the first one that fits a predicate says its new value. */
typedef struct {
  tp_pos pos;
  tp_heap_kind kind;
  uint8_t fields;  // LOAD, CLEAR, STORE: bits of those it fits; slot 0 is the operation's
  uint8_t family;
  tp_argument argument[TP_SHAPE_MAX_ARGUMENTS];  // free slots take any pointer, any field but
                                                 // the operation's
  const tp_template *formula;
} tp_update;

/* body -> head for all nodes as the variables 0 .. n_variables - 1. */
typedef struct {
  tp_pos pos;
  uint8_t n_variables;
  uint8_t n_pointers,
      n_fields;  // parameters: slots 2, 3, ... and 1, 2, ...; one constraint for all of them
  const tp_template *body, *head;
} tp_constraint;

typedef struct {
  tp_arena arena;
  const char *name;
  tp_pos pos;
  TP_VEC(const char *) fields;
  bool is_default;                   // setting shape.classes = auto may choose it,
  TP_VEC(const char *) default_for;  // ... if a field's name has one of these; none: for any names
  TP_VEC(const char *) orders;       // total preorders of cells by their data: core predicates
  TP_VEC(tp_family) families;
  TP_VEC(tp_update) updates;
  TP_VEC(tp_constraint) constraints;
  TP_VEC(const tp_template *)
  invariants;           // closed formulas over fields: what well-formed heaps satisfy
  const char *refines;  // a coarser entry; NULL: none
  tp_pos refines_pos;
  TP_VEC(uint8_t) refines_fields;  // our field for each of its fields
} tp_description;

/* entry: zeroed. Errors: TP_ERR_SYSTEM (errno); TP_ERR_INPUT: what is wrong, and what was expected,
 * has been said with line and caret. */
tp_status tp_description_read(tp_description *entry, const char *path, tp_diag *diag) TP_MUST_USE;
void tp_description_clear(tp_description *entry);
uint32_t tp_description_family(const tp_description *entry, const char *name);  // UINT32_MAX: none
uint32_t tp_description_field(const tp_description *entry, const char *name);   // UINT32_MAX: none

#endif

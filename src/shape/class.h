/* Shape classes: which predicates a structure has, and what they mean.
 *
 * What       generators (an entry and some of its families) make a class from a tracking
 *            definition; formulas with slots become formulas of the class; classes are ordered;
 *            structures pass from one class to another.
 * Represents core predicates: pt[x] per tracked pointer, freed, outside, one per data_predicate
 *            about data, one per field, the entry's orders; instrumentation predicates: the
 *            instances of the generator's families for all pointers and fields. Abstraction
 *            predicates: those of which all pointers are separating (freed, outside: always;
 *            families without pointers: where the entry says so). The predicates of a family that
 *            the generator left out are replaced by their definitions wherever a formula names
 *            them, and so are pointers that are not tracked: pt of those is unknown everywhere. A
 *            cell outside the structure is whatever else a pointer can lead to: other objects,
 *            addresses where there is none. So a pointer that is not nil always leads to a cell.
 *            Foreign cells have no fields that are known of; who writes through a pointer to the
 *            inside of a cell, which is outside too, has to forget fields himself.
 * Invariants definitions name predicates with smaller numbers in `predicates`. A predicate's key is
 *            its definition over core predicates as text: equal keys, equal meaning, also across
 *            entries.
 * Ownership  a class owns its tables; names are copied. The entry must outlive it.
 * Source     Theoduloz 2010, sec. 2.3.1, 2.3.6. */
#ifndef TP_SHAPE_CLASS_H
#define TP_SHAPE_CLASS_H

#include "shape/blur.h"
#include "shape/description.h"
#include "shape/formula.h"
#include "shape/shape_limits.h"

// ------------------------------------------------------- what is tracked (D)

typedef struct {
  const char *name;
  bool is_separating;
} tp_tracked_pointer;

/* A fact about the data of one cell, and whatever else it mentions: assignments to those variables
 * make it unknown. */
typedef struct {
  const char *text;
  const char *const *variables;
  uint32_t n_variables;
  bool is_separating;  // an abstraction predicate: cells that differ in it are never one node
} tp_data_predicate;

bool tp_data_predicate_mentions(const tp_data_predicate *a, const char *variable);

typedef struct {
  const tp_tracked_pointer *pointers;  // names differ
  uint32_t n_pointers;
  const tp_data_predicate *data_predicates;  // texts differ
  uint32_t n_data_predicates;
  const uint8_t (*exclusions)[2];  // pairs of data_predicates that no cell meets both of
  uint32_t n_exclusions;
} tp_tracking;  // zeroed: the coarsest

/* All of b is in a: pointers, data_predicates, and what separates. */
bool tp_tracking_refines(const tp_tracking *a, const tp_tracking *b);

// ------------------------------------------------------------ generators (m)

typedef struct {
  const tp_description
      *entry;         // NULL: the coarsest generator, which makes the class without predicates
  uint32_t families;  // bits
} tp_generator;
/* With the families that definitions of its families name. */
tp_generator tp_generator_close(tp_generator m);
static inline uint32_t tp_description_all_families(const tp_description *entry) {
  return (uint32_t)tp_k64_all((uint32_t)entry->families.n);
}

// ------------------------------------------------------------------- classes

typedef enum {
  TP_SHAPE_PREDICATE_POINTS,
  TP_SHAPE_PREDICATE_FREED,
  TP_SHAPE_PREDICATE_OUTSIDE,
  TP_SHAPE_PREDICATE_DATA,
  TP_SHAPE_PREDICATE_FIELD,
  TP_SHAPE_PREDICATE_ORDER,
  TP_SHAPE_PREDICATE_FAMILY
} tp_shape_predicate_kind;
typedef struct {
  tp_shape_predicate_kind kind;
  uint8_t arity;
  uint16_t index;  // among the unary ones, or the binary ones
  bool is_abstraction;
  uint8_t family;                            // FAMILY
  int16_t argument[TP_SHAPE_MAX_ARGUMENTS];  // FAMILY: pointers, fields; POINTS, DATA,
                                             // FIELD, ORDER: [0]
  const char *name;                          // "reach[p,n]"
  const char *key;
  tp_formula definition;  // FAMILY: over the variables 0 and, if binary, 1
} tp_shape_predicate;

typedef struct tp_shape_rules tp_shape_rules;  // coerce.h
typedef struct {
  tp_arena arena;
  tp_generator generator;
  tp_formulas *formulas;
  uint32_t n_unary, n_binary, n_pointers, n_fields, n_data_predicates, n_orders;
  TP_VEC(tp_shape_predicate) predicates;  // core ones first
  const tp_tracked_pointer *pointers;
  const tp_data_predicate *data_predicates;
  const char *const *fields;  // the names in the program
  const uint16_t *points, *field, *data_predicate,
      *order;               // by pointer, field, data_predicate, order: index of its predicate
  uint16_t freed, outside;  // index
  tp_unary_set abstraction;
  tp_shape_rules *rules;  // what consistent structures satisfy
} tp_shape_class;

/* fields: the program's names for the entry's fields. Errors: TP_ERR_LIMIT: more predicates, or
 * variables in a formula, than there can be. */
tp_status tp_shape_class_new(tp_generator m, const char *const *fields, const tp_tracking *d,
                             tp_shape_class **out) TP_MUST_USE;
void tp_shape_class_free(tp_shape_class *c);
/* A has all predicates of b, and those that abstract b. */
bool tp_shape_class_refines(const tp_shape_class *a, const tp_shape_class *b);
int tp_shape_class_pointer(const tp_shape_class *c, const char *name);  // -1: not tracked
int tp_shape_class_field(const tp_shape_class *c, const char *name);    // -1: none
/* The predicate with these arguments, -1: there is none. */
int tp_shape_class_find(const tp_shape_class *c, uint32_t family, const int16_t *argument);
tp_structure *tp_shape_class_structure_new(const tp_shape_class *c);  // _clear and tp_free
void tp_shape_class_print(const tp_shape_class *c, tp_formula f, tp_str *out);

/* A structure of class `from` as one of class `to` with as large a meaning: predicates that `from`
 * lacks are unknown, those that `to` lacks are dropped; then blurred. */
void tp_shape_class_adjust(const tp_shape_class *to, tp_structure *out, const tp_shape_class *from,
                           const tp_structure *s);

// ------------------------------------------------------ from slots to predicates

/* In the place of a pointer: one that is not tracked; as the source of a copy or a store alone: one
 * that is nil or leads to a cell outside the structure. */
enum { TP_UNKNOWN_SLOT = -1, TP_OUTSIDE_SLOT = -3 };
enum { TP_VARIABLE_NEW = TP_FORMULA_MAX_VARS - 1 };  // the variable that "new" compares with
typedef struct {
  int16_t pointer[TP_SHAPE_MAX_SLOTS],
      field[TP_SHAPE_MAX_SLOTS];  // UNKNOWN: a pointer that is not tracked
} tp_slots;
/* Errors: TP_ERR_LIMIT: too many variables. */
tp_status tp_shape_instantiate(tp_shape_class *c, const tp_template *t, const tp_slots *slots,
                               tp_formula *out) TP_MUST_USE;

#endif

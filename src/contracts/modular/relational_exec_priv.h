/* Inside of the symbolic execution over relations: values of variables, addresses, states.
 *
 * Represents an integer is an integer of the relational logic, read as signed; a pointer is a list
 *            of addresses with conditions that exclude each other. An address is an object (or
 *            null), or a member or an element of an object. Only objects can be stored in memory.
 * Invariants guards are lists of formulas that share their common prefix, so that the condition of
 *            a join is the difference of its two paths. */
#ifndef TP_CONTRACTS_MODULAR_RELATIONAL_EXEC_PRIV_H
#define TP_CONTRACTS_MODULAR_RELATIONAL_EXEC_PRIV_H

#include "contracts/contracts_limits.h"
#include "contracts/modular/relational_exec.h"
#include "formula/wto.h"

typedef struct {
  tp_rel_formula when;    // id 0: always
  tp_rel_expr base;       // the object
  tp_type view;           // what the pointer is taken to lead to; NONE: not known
  const tp_symbol *cell;  // a member or the elements of the base, or a constant table; NULL: its
                          // start
  tp_rel_int index;       // id 0: the cell has none
} tp_rexec_address;

typedef enum {
  TP_REXEC_VALUE_UNKNOWN,
  TP_REXEC_VALUE_INT,
  TP_REXEC_VALUE_BOOL,
  TP_REXEC_VALUE_POINTER,
  TP_REXEC_VALUE_PARTS  // members of a struct that are in one register
} tp_rexec_value_kind;
/* A member in a register. */
typedef struct {
  uint64_t offset;  // bytes
  tp_type type;
  tp_rel_expr value;  // a set of one
} tp_rexec_part;
typedef struct {
  tp_rexec_value_kind kind;
  tp_rel_int i;
  tp_rel_formula b;
  const tp_rexec_address *addresses;
  uint32_t n_addresses;
  const tp_rexec_part *parts;
  uint32_t n_parts;
} tp_rexec_value;

typedef struct {
  const tp_rel_formula *at;
  uint32_t n;
} tp_rexec_guard;

typedef struct {
  tp_rexec_guard guard;
  tp_rexec_value *vars;      // by variable
  tp_rel_expr *fields;       // by field; id 0: as in the pre-state
  tp_rel_expr *last;         // by basic type; id 0: as in the pre-state
  tp_rel_expr freed, stack;  // stack: local variables, gone or not
  tp_rel_expr ended;         // those of this execution that are gone
  tp_rel_expr shown;         // those of callees that are gone, but something may lead to them
  bool is_dead;
} tp_rexec_state;

/* A pointer to a struct was moved: conditions under which it leads nowhere. */
typedef struct {
  tp_rel_formula is_alone;    // from a struct that is no element of an array
  tp_rel_formula is_outside;  // from an element, beyond the array
} tp_rexec_doubt;

typedef struct {
  tp_rheap *h;
  tp_rexec *out;
  tp_arena *arena;
  const tp_program *p;
  tp_rel *l;
  tp_rexec_call_policy policy;
  const tp_rexec_start *from;           // NULL: the state of the heap
  tp_func root;                         // what is executed
  size_t n_inputs, n_havocs, n_locals;  // of the heap, when this execution began
  uint32_t max_fields, depth, n_steps;
  uint32_t *active;  // by function: activations
  tp_map orders;     // function to tp_wto
  tp_map constants;  // static object to the symbol of its elements
  TP_VEC(tp_wto *) all_orders;
  tp_map escaped;  // local variables of this execution, by relation: memory may lead to them
  bool all_escaped;
  tp_map seen;                    // expressions that were searched for them
  TP_VEC(tp_rexec_doubt) doubts;  // about addresses of the edge being executed
  const char *why;                // the unsupported operation; NULL: none
  tp_pos pos;                     // of the edge being executed
} tp_rexecutor;

// ---------------------------------------------------------------- relational_exec_values.c

/* Each returns something without meaning, and sets `why`, where a term has no relations. */
tp_rel_int tp_rexecutor_int(tp_rexecutor *r, const tp_rexec_state *s, tp_term t);
tp_rel_formula tp_rexecutor_formula(tp_rexecutor *r, const tp_rexec_state *s, tp_term t);
tp_rexec_value tp_rexecutor_value(tp_rexecutor *r, const tp_rexec_state *s, tp_term t);
tp_rel_int tp_rexecutor_undefined(tp_rexecutor *r);  // outside of every width
/* One of two values. */
tp_rexec_value tp_rexecutor_choose(tp_rexecutor *r, tp_rel_formula c, tp_rexec_value a,
                                   tp_rexec_value b);
tp_rel_expr tp_rexecutor_choose_expr(tp_rexecutor *r, tp_rel_formula c, tp_rel_expr a,
                                     tp_rel_expr b);
/* As a set of one atom; id 0, `why`: it cannot be stored. to: the type of where it goes. */
tp_rel_expr tp_rexecutor_atom(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_value v, tp_type to);
tp_rexec_value tp_rexecutor_of_atom(tp_rexecutor *r, tp_rel_expr set, tp_type type, bool as_bool);

// ---------------------------------------------------------------- relational_exec_addresses.c

/* Offsets as a sum: constant + sum of coefficient * term. */
typedef struct {
  int64_t constant;
  int64_t factor[TP_CONTRACTS_INDEX_SUMMANDS];
  tp_term term[TP_CONTRACTS_INDEX_SUMMANDS];
  uint32_t n;
} tp_rexec_offset;
bool tp_rexecutor_sum(tp_rexecutor *r, tp_term t, int64_t factor, tp_rexec_offset *out);
/* The sum divided by a size, as an integer. False: it is not known to be a multiple. */
bool tp_rexecutor_count(tp_rexecutor *r, const tp_rexec_state *s, const tp_rexec_offset *sum,
                        int64_t size, tp_rel_int *out);
tp_rexec_value tp_rexecutor_constant_pointer(tp_rexecutor *r, const tp_rexec_state *s,
                                             uint32_t object, uint64_t offset);
tp_rexec_value tp_rexecutor_address(tp_rexecutor *r, const tp_rexec_state *s, tp_term t);
/* Ends the execution where an address of this edge leads nowhere. */
typedef enum { TP_REXEC_ADDRESS_KEPT, TP_REXEC_ADDRESS_USED } tp_rexec_address_use;
void tp_rexecutor_settle_doubts(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_address_use use);
/* The elements of the arrays that these structs lie in. */
tp_rel_expr tp_rexecutor_rows(tp_rexecutor *r, tp_rel_expr structs, uint32_t basic);
/* The pointer as one to this type. Objects that turn out to be of another type end the execution.
 */
tp_rexec_value tp_rexecutor_retype(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_value v,
                                   tp_type pointee);
/* The address as one that holds a scalar of this size. */
bool tp_rexecutor_cell(tp_rexecutor *r, const tp_rexec_address *p, uint64_t size, bool is_pointer,
                       tp_rexec_address *out);

bool tp_rexecutor_has_bit_fields(const tp_rexecutor *r, tp_type t, int depth);  // depth: 0

// ---------------------------------------------------------------- relational_exec_locals.c

/* The next local variable of this execution. n_elements: of an array of scalars; n_atoms: of one of
 * structs (0: it is none). False: the execution ends. */
bool tp_rexecutor_local(tp_rexecutor *r, tp_rexec_state *s, const char *name, uint32_t basic,
                        uint32_t n_elements, uint32_t n_atoms, tp_rheap_local *out);
/* What a field is in a local variable that is not initialised. */
tp_rel_expr tp_rexecutor_fresh_local(tp_rexecutor *r, uint32_t field);
/* All objects that are gone; id 0: none. */
tp_rel_expr tp_rexecutor_gone(tp_rexecutor *r, const tp_rexec_state *s);
/* Objects that were made in this state. */
tp_rheap_objects tp_rexecutor_objects(tp_rexecutor *r, const tp_rexec_state *s);
/* The value may lie in memory, or in a variable of another execution, from now on. */
void tp_rexecutor_note_escape(tp_rexecutor *r, tp_rel_expr value);
/* The function returns, called from elsewhere, with this result (id 0: none): of its local
 * variables those that something leads to stay among the objects that are gone, the others are
 * forgotten. */
void tp_rexecutor_leave(tp_rexecutor *r, tp_rexec_state *s, tp_rel_expr result);
/* All of them were made: what they are when they are not initialised is demanded. */
void tp_rexecutor_finish_locals(tp_rexecutor *r);

// ---------------------------------------------------------------- relational_exec_memory.c

void tp_rexecutor_memory(tp_rexecutor *r, tp_rexec_state *s,
                         const tp_edge_info *e);  // LOAD, STORE, ALLOC, FREE, END_SCOPE, COPY, SET
tp_rel_expr tp_rexecutor_field(tp_rexecutor *r, const tp_rexec_state *s, uint32_t field);

/* The struct that lies inside of the owner as this field; of an array of them, the k-th. */
tp_rel_expr tp_rexecutor_inside(tp_rexecutor *r, tp_rel_expr owner, uint32_t field, uint32_t k);
/* The objects and all that lies inside of them. */
tp_rel_expr tp_rexecutor_with_inner(tp_rexecutor *r, tp_rel_expr objects);

// ------------------------------------------------------------- call_by_contract.c

/* The contract that stands for calls of f, or NULL. */
const tp_function_contract *tp_rexecutor_contract_of(const tp_rexecutor *r, tp_func f);
/* The call of an edge by this contract: its preconditions are goals, its postconditions are assumed
 * of the post-state. e: CALL, or HAVOC with a callee. */
/* Can arguments and result of the call be given to a contract? */
bool tp_rexecutor_can_call_by_contract(tp_rexecutor *r, const tp_rexec_state *s,
                                       const tp_edge_info *e, const tp_function_contract *c);
void tp_rexecutor_call_by_contract(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e,
                                   tp_func f, const tp_function_contract *c);

/* The field of the symbol; NO_FIELD: `why`. */
uint32_t tp_rexecutor_field_of(tp_rexecutor *r, const tp_symbol *symbol);
/* The object is allocated, and has this element, whose value is given. */
void tp_rexecutor_check_access(tp_rexecutor *r, tp_rexec_state *s, const tp_rexec_address *p,
                               tp_rel_expr value);
/* The struct of this size at the address: the one that it leads to, or one that lies first in it.
 * False: there is none. */
bool tp_rexecutor_struct_of_size(tp_rexecutor *r, tp_rexec_value v, tp_term size,
                                 tp_rexec_address *at, uint32_t *basic);

/* The relation with another value at the address. */
tp_rel_expr tp_rexecutor_updated(tp_rexecutor *r, tp_rel_expr old, const tp_rexec_address *p,
                                 tp_rel_expr value);

// -------------------------------------------------------------- relational_exec_parts.c

/* Is an access of this size at the address one of several members, or of one with padding? */
bool tp_rexecutor_is_register_access(tp_rexecutor *r, const tp_rexec_address *p, uint64_t size,
                                     bool is_pointer);
tp_rexec_value tp_rexecutor_load_parts(tp_rexecutor *r, tp_rexec_state *s,
                                       const tp_rexec_address *p, uint64_t size);
void tp_rexecutor_store_parts(tp_rexecutor *r, tp_rexec_state *s, const tp_rexec_address *p,
                              uint64_t size, const tp_rexec_value *v);
/* HAVOC_MEMORY: does no member lie where the memory becomes something unknown? */
bool tp_rexecutor_is_padding(tp_rexecutor *r, const tp_rexec_state *s, const tp_edge_info *e);

// ---------------------------------------------------------- relational_exec_constants.c

/* An address in constant memory: its cell is the table. */
static inline bool tp_rexec_is_constant(const tp_rexec_address *p) {
  return p->cell && p->cell->kind == TP_SYMBOL_GLOBAL;
}
/* The start of a table of integers or pointers, or of one of them. False: the object is none. */
bool tp_rexecutor_constant_table(tp_rexecutor *r, uint32_t object, tp_rexec_address *out);
tp_rexec_value tp_rexecutor_load_constant(tp_rexecutor *r, tp_rexec_state *s,
                                          const tp_rexec_address *p, bool as_bool);
/* COPY from constant memory, with which a new struct or array starts. False: it is another copy. */
bool tp_rexecutor_copy_constant(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e);

// ------------------------------------------------------------- relational_exec_ghosts.c

/* c: ASSIGN. A value that the ghost's declaration does not allow ends the execution, UNSUPPORTED.
 */
void tp_rexecutor_assign_ghost(tp_rexecutor *r, tp_rexec_state *s, const tp_resolved_clause *c);

// ----------------------------------------------------------------------- relational_exec.c

static inline tp_rel_expr tp_rexec_join(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_JOIN, a, b);
}
static inline tp_rel_expr tp_rexec_difference(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_DIFFERENCE, a, b);
}
static inline tp_rel_expr tp_rexec_union(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_UNION, a, b);
}
static inline bool tp_rexec_unsupported(tp_rexecutor *r, const char *what) {
  if (!r->why) r->why = what;
  return false;
}
/* The execution ends here where c holds, and goes on where it does not. */
void tp_rexecutor_end(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_end_kind kind, tp_rel_formula c,
                      const char *what);
void tp_rexecutor_assume(tp_rexecutor *r, tp_rexec_state *s, tp_rel_formula c);
/* It cannot go on at all: an unsupported operation. */
void tp_rexecutor_end_unsupported(tp_rexecutor *r, tp_rexec_state *s);
tp_rel_formula tp_rexecutor_guard(tp_rexecutor *r, tp_rexec_guard g);
/* Why static variables of functions are refused; that of this variable, if it is one, else the
 * other text. */
const char *tp_rexecutor_static_variable(tp_rexecutor *r, const char *name, const char *function);
const char *tp_rexecutor_unsupported_variable(tp_rexecutor *r, tp_var v, const char *otherwise);
void tp_rexecutor_set_var(tp_rexecutor *r, tp_rexec_state *s, tp_var v, tp_rexec_value value);
/* Values of all fields in a state, globals taken out of their variables; s NULL: in the pre-state.
 */
tp_rexec_store tp_rexecutor_store(tp_rexecutor *r, const tp_rexec_state *s);
void tp_rexecutor_store_globals(tp_rexecutor *r, tp_rexec_state *s);

#endif

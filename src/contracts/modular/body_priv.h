/* Inside of symbolic execution over relations: values of variables, addresses, states.
 *
 * Represents an integer is an integer of the relational logic, read as signed; a pointer is a list
 * of places with conditions that exclude each
 *            other. A place is an object (or null), or a member or an element of an object. Only
 *            objects can be stored in memory.
 * Invariants guards are lists of formulas that share what they have in common, so that a join's
 * condition is what its two ways differ in. */
#ifndef TP_CONTRACTS_MODULAR_BODY_PRIV_H
#define TP_CONTRACTS_MODULAR_BODY_PRIV_H

#include "contracts/modular/body.h"
#include "formula/wto.h"

typedef struct {
  tp_rel_formula when;    // id 0: always
  tp_rel_expr base;       // the object
  tp_type view;           // what the pointer is taken to lead to; NONE: not known
  const tp_symbol *cell;  // a member or the elements of the base; NULL: its start
  tp_rel_int index;       // id 0: the cell has none
} tp_rplace;

typedef enum { TP_RVALUE_UNKNOWN, TP_RVALUE_INT, TP_RVALUE_BOOL, TP_RVALUE_POINTER } tp_rvalue_kind;
typedef struct {
  tp_rvalue_kind kind;
  tp_rel_int i;
  tp_rel_formula b;
  const tp_rplace *places;
  uint32_t n_places;
} tp_rvalue;

typedef struct {
  const tp_rel_formula *at;
  uint32_t n;
} tp_rguard;

typedef struct {
  tp_rguard guard;
  tp_rvalue *vars;          // by variable
  tp_rel_expr *fields;      // by field; id 0: as at the start
  tp_rel_expr *last;        // by basic type; id 0: as at the start
  tp_rel_expr gone, stack;  // stack: objects that are no heap memory
  bool is_dead;
} tp_rstate;

typedef struct {
  tp_rheap *h;
  tp_rbody *out;
  tp_arena *arena;
  const tp_program *p;
  tp_rel *l;
  tp_rbody_contracts contracts;
  uint32_t max_fields, depth, n_steps;
  uint32_t *active;  // by function: activations
  tp_map orders;     // function to tp_wto
  TP_VEC(tp_wto *) all_orders;
  const char *why;  // what cannot be said; NULL: all is well
  tp_pos pos;       // of the edge being executed
} tp_rrun;

// ---------------------------------------------------------------- body_values.c

/* Each returns something without meaning, and sets `why`, where a term has no relations. */
tp_rel_int tp_rrun_int(tp_rrun *r, const tp_rstate *s, tp_term t);
tp_rel_formula tp_rrun_formula(tp_rrun *r, const tp_rstate *s, tp_term t);
tp_rvalue tp_rrun_value(tp_rrun *r, const tp_rstate *s, tp_term t);
tp_rel_int tp_rrun_undefined(tp_rrun *r);  // outside of every width
/* One of two values. */
tp_rvalue tp_rrun_choose(tp_rrun *r, tp_rel_formula c, tp_rvalue a, tp_rvalue b);
tp_rel_expr tp_rrun_choose_expr(tp_rrun *r, tp_rel_formula c, tp_rel_expr a, tp_rel_expr b);
/* As a set of one atom; id 0, `why`: it cannot be stored. to: the type of where it goes. */
tp_rel_expr tp_rrun_atom(tp_rrun *r, tp_rstate *s, tp_rvalue v, tp_type to);
tp_rvalue tp_rrun_of_atom(tp_rrun *r, tp_rel_expr set, tp_type type, bool as_bool);

// ---------------------------------------------------------------- body_places.c

/* Offsets as a sum: constant + sum of coefficient * term. */
enum { TP_RMAX_SUMMANDS = 8 };
typedef struct {
  int64_t constant;
  int64_t factor[TP_RMAX_SUMMANDS];
  tp_term term[TP_RMAX_SUMMANDS];
  uint32_t n;
} tp_rsum;
bool tp_rrun_sum(tp_rrun *r, tp_term t, int64_t factor, tp_rsum *out);
/* The sum divided by a size, as an integer. False: it is not known to be a multiple. */
bool tp_rrun_count(tp_rrun *r, const tp_rstate *s, const tp_rsum *sum, int64_t size,
                   tp_rel_int *out);
tp_rvalue tp_rrun_address(tp_rrun *r, const tp_rstate *s, tp_term t);
/* The pointer as one to this type. Objects that turn out to be of another type end the execution.
 */
tp_rvalue tp_rrun_as(tp_rrun *r, tp_rstate *s, tp_rvalue v, tp_type pointee);
/* The place as one that holds a scalar of this size. */
bool tp_rrun_cell(tp_rrun *r, const tp_rplace *p, uint64_t size, bool is_pointer, tp_rplace *out);

bool tp_rrun_has_bit_fields(const tp_rrun *r, tp_type t, int depth);  // depth: 0

// ---------------------------------------------------------------- body_memory.c

void tp_rrun_memory(tp_rrun *r, tp_rstate *s,
                    const tp_edge_info *e);  // LOAD, STORE, ALLOC, FREE, END_SCOPE, COPY, SET
tp_rel_expr tp_rrun_field(tp_rrun *r, const tp_rstate *s, uint32_t field);

/* The objects and all that lies inside of them. */
tp_rel_expr tp_rrun_with_inner(tp_rrun *r, tp_rel_expr objects);

// ------------------------------------------------------------- body_contract.c

/* The contract that stands for calls of f, or NULL. */
const tp_contract *tp_rrun_contract_of(const tp_rrun *r, tp_func f);
/* The call of an edge by this contract: its requirements are claims, what it ensures is known of
 * the state afterwards. e: CALL, or HAVOC with a callee. */
void tp_rrun_call_by_contract(tp_rrun *r, tp_rstate *s, const tp_edge_info *e, tp_func f,
                              const tp_contract *c);

// ----------------------------------------------------------------------- body.c

static inline tp_rel_expr tp_rjoin(tp_rrun *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_JOIN, a, b);
}
static inline tp_rel_expr tp_rminus(tp_rrun *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_DIFFERENCE, a, b);
}
static inline tp_rel_expr tp_rplus(tp_rrun *r, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(r->l, TP_REL_UNION, a, b);
}
static inline bool tp_rwhy(tp_rrun *r, const char *what) {
  if (!r->why) r->why = what;
  return false;
}
/* The execution ends here where c holds, and goes on where it does not. */
void tp_rrun_end(tp_rrun *r, tp_rstate *s, tp_rbody_end_kind kind, tp_rel_formula c,
                 const char *what);
void tp_rrun_assume(tp_rrun *r, tp_rstate *s, tp_rel_formula c);
/* It cannot go on at all: what was not understood. */
void tp_rrun_refuse(tp_rrun *r, tp_rstate *s);
tp_rel_formula tp_rrun_guard(tp_rrun *r, tp_rguard g);
/* Why static variables of functions are refused; that of this variable, if it is one, else the
 * other text. */
const char *tp_rrun_static_of(tp_rrun *r, const char *name, const char *function);
const char *tp_rrun_unknown(tp_rrun *r, tp_var v, const char *otherwise);
void tp_rrun_set_var(tp_rrun *r, tp_rstate *s, tp_var v, tp_rvalue value);
/* Values of all fields in a state, globals taken out of their variables; s NULL: at the start. */
tp_rbody_state tp_rrun_state(tp_rrun *r, const tp_rstate *s);
void tp_rrun_take_globals(tp_rrun *r, tp_rstate *s);

#endif

/* What the files of promotion share: the objects, the places in them, and the contexts in which
 * functions are called. */
#ifndef TP_PROGRAM_PROMOTE_PRIV_H
#define TP_PROGRAM_PROMOTE_PRIV_H

#include "program/access.h"
#include "program/locals.h"
#include "program/program_limits.h"
#include "program/promote.h"

/* A place in an object: what is read and written there has one sort. */
typedef struct {
  uint64_t offset;  // bytes
  uint32_t n_bytes;
  tp_sort sort;
  tp_var var;  // made when the program is rewritten
} tp_promote_slot;

typedef struct {
  tp_var address;   // of a stack object; NONE: a static
  uint32_t object;  // of a static; 0: a stack object
  tp_func func;     // of a stack object
  uint64_t size_bytes;
  tp_pos pos;
  bool is_rejected;
  bool is_used;  // more than where its declaration gives a slot its first value
  tp_promote_slot slots[TP_PROGRAM_PROMOTED_SLOTS];
  uint32_t n_slots;
  bool is_hole[TP_PROGRAM_PROMOTED_SLOTS * sizeof(uint64_t)];  // by byte: indeterminate, no slot's
} tp_promote_object;

/* The address of a byte of an object. */
typedef struct {
  uint32_t object;  // index + 1; 0: no such address
  uint64_t offset;
} tp_promote_ref;
static inline bool tp_promote_ref_eq(tp_promote_ref a, tp_promote_ref b) {
  return a.object == b.object && a.offset == b.offset;
}

/* A function with the parameters that hold addresses of objects. */
typedef struct {
  tp_func func;
  tp_promote_ref *params;  // by parameter
  tp_map refs;             // variable -> index + 1 in ref_list: pointers to objects here
  TP_VEC(tp_promote_ref) ref_list;
  uint64_t *valid;  // by location of the function: objects that live there, pointers that are set
  TP_VEC(tp_var) tracked;  // the variables of the bits of `valid`
  tp_func target;          // the function that stands for it in the rewritten program
} tp_promote_context;

typedef TP_VEC(uint32_t) tp_promote_edges;
typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_arena arena;
  tp_locals locals;
  tp_promote_edges *edges_of;    // by function: its edges
  bool allocates;                // heap memory
  size_t n_funcs;                // when the search began
  uint32_t *loc_index, *n_locs;  // of a location in its function; by function
  TP_VEC(tp_promote_object) objects;
  uint32_t *object_of_var;     // by variable: index + 1 of the object whose address it is
  uint32_t *object_of_static;  // by static
  uint32_t *definition;        // by variable: its only edge, an ASSIGN; 0: none, or several
  TP_VEC(tp_promote_context) contexts;
} tp_promotion;

static inline tp_promote_object *tp_promote_object_of(tp_promotion *x, tp_promote_ref r) {
  TP_REQUIRE(r.object > 0 && r.object <= x->objects.n);
  return &x->objects.at[r.object - 1];
}

// promote_address.c
/* The address that the variable holds in this context; false: none that is known. */
bool tp_promote_ref_of_var(const tp_promote_context *c, tp_var v, tp_promote_ref *out);
/* Is the object's address, or the pointer, set and alive on all paths to the location? */
bool tp_promote_is_valid_at(const tp_promotion *x, const tp_promote_context *c, tp_loc at,
                            tp_var v);
bool tp_promote_is_mentioned(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t);
bool tp_promote_is_usable(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t);
/* Is there an address in the folded term, of this frame, of a static, or of another frame? */
bool tp_promote_has_address(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t,
                            bool own_address_is_fine);
/* Objects whose address is in the term become no variables. */
void tp_promote_reject(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t);
/* The address that the term is, at the start of the edge; pointers that are not set are none. */
tp_promote_ref tp_promote_ref_of(const tp_promotion *x, const tp_promote_context *c, tp_term t);
/* The term where objects are known to live, without pointers other than their addresses. */
tp_term tp_promote_fold(tp_promotion *x, const tp_promote_context *c, tp_loc at, tp_term t);

// promote_find.c
/* False: no object qualifies. */
bool tp_promote_find(tp_promotion *x);
void tp_promote_clear(tp_promotion *x);
tp_promote_context *tp_promote_context_of_call(tp_promotion *x, const tp_promote_context *c,
                                               const tp_edge_info *call);
bool tp_promote_is_end(const tp_program *p, const tp_edge_info *e);  // := null, a lifetime ends
static inline bool tp_promote_is_null(const tp_terms *tt, tp_term t) {
  return tp_term_is(t) && tp_term_eq(t, tp_mk_null((tp_terms *)(uintptr_t)tt));
}

#endif

/* Inside of the check of shapes: address terms, paths between them, predicates at them.
 *
 * What       one search for a counterexample: a query, and the address terms of each class.
 * Represents an address is a pointer term, known by its number. *Base* addresses are instances of
 *            what graphs say; *derived* ones are fields of base addresses, which paths need.
 * Invariants addresses of one class are different terms (their values may be equal).
 * Ownership  a search owns its query and its heaps; it is used before the execution goes on. */
#ifndef TP_CERTIFY_SHAPES_SHAPE_SEARCH_H
#define TP_CERTIFY_SHAPES_SHAPE_SEARCH_H

#include "certify/certify_limits.h"
#include "certify/shapes/shape_check.h"

enum { TP_CHK_MOST_CHANGED = 2 };

/* Heaps of a path: at its start, at its end, and the part that both have: all fields but those of
 * the cells that changed. */
typedef enum { TP_CHK_PRE, TP_CHK_POST, TP_CHK_COMMON, TP_CHK_N_VERSIONS } tp_chk_heap_version;

typedef struct {
  tp_term at;
  bool is_base;
  bool is_holder;     // named for its fields only: no paths to it, or from it
  bool is_unreached;  // a hypothesis: at the start no field of a live cell leads here
  uint32_t depth;   // 0: not added by grow(); else one more than the address that it is a field of
  tp_term cell[2];  // by PRE, POST: the address is a cell; NONE: not made yet, as below
  tp_term live[2];  // ... that was not freed
  tp_term field[2][TP_CERTIFY_CLASS_FIELDS];
  int next[2][TP_CERTIFY_CLASS_FIELDS];  // number of the field's value + 1; 0: none yet
} tp_chk_address;

/* Reachability along some fields, as symbols: X(i, j) of two addresses, cycles C(i). */
typedef struct {
  uint64_t fields;
  tp_term *path[TP_CHK_N_VERSIONS];   // by i * TP_CERTIFY_SEARCH_ADDRESSES + j; NONE: not made yet
  tp_term *cycle[TP_CHK_N_VERSIONS];  // by address: one step or more leads back to it
  bool has_cycles;                    // axioms of cycles are asserted, too
} tp_chk_path_terms;

/* "There is a v with this body": the symbol is implied by each instance, and implies what the body
 * says without v; with a witness, it implies the body of a new address. */
typedef struct {
  const tp_chk_formula *body;
  bool negated, half;  // half: what 1/2 stands for in the body
  uint8_t variable;
  tp_chk_heap_version when;
  int env[TP_CHK_VARIABLES];
  tp_term holds;
  uint32_t n_asserted;  // addresses: instances asserted
  bool has_witness;
} tp_chk_existential;

typedef struct {
  uint32_t number;  // of the class
  const tp_chk_class *c;
  tp_chk_address *addresses;
  uint32_t n, n_asserted;  // addresses; those of which everything is asserted
  TP_VEC(tp_chk_path_terms) paths;
  TP_VEC(tp_chk_existential) existentials;
  uint32_t n_witnesses;
  tp_term element, *node;  // symbols: elements at the start, those at each node of the graph
  int changed[TP_CHK_MOST_CHANGED];  // addresses of cells
  uint32_t n_changed;
  uint32_t n_leak_addresses, n_leak_paths;  // of which it is asserted what leaks claim
  bool is_filled;                           // each inhabited node has an address
  bool *readable[2];                        // by PRE, POST and predicate: has it a value?
} tp_chk_class_heap;

typedef struct tp_chk_search {
  tp_chk_exec *g;
  tp_chk_shape_start *shape;
  tp_terms *tt;
  tp_chk_query *q;
  tp_chk_state here;
  tp_chk_class_heap *heaps;  // by class
  uint32_t n_heaps;
  bool is_unchanged, knows_changes;
  tp_chk_effort effort;  // SKELETON: a state that the skeleton has ends the search
  bool failed;           // too many addresses
} tp_chk_search;

static inline tp_term literal_of(tp_chk_search *s, tp_term t, uint8_t value) {
  return value ? t : tp_mk_not(s->tt, t);
}
static inline void assert_implies(tp_chk_search *s, tp_term condition, tp_term then) {
  tp_chk_query_assert(s->q, tp_mk_implies(s->tt, condition, then));
}

// graph_start.c
const tp_chk_graph *tp_chk_start_graph(const tp_chk_search *s, const tp_chk_class_heap *h);
/* Has the graph values of the predicate, and the predicate one in that heap? */
bool tp_chk_graph_constrains(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t k,
                             tp_chk_heap_version when);
/* The element at address i has the definite unary values of the node. */
tp_term tp_chk_matches_node(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                            uint32_t node, tp_chk_heap_version when, int i);
void tp_chk_init_nodes(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph);
/* A new address for each inhabited node to which no pointer leads; false: they were added before.
 */
bool tp_chk_instantiate_nodes(tp_chk_search *s, tp_chk_class_heap *h);
/* What the graph says of address k, and of pairs of k and a smaller one. */
void tp_chk_assert_start_graph(tp_chk_search *s, tp_chk_class_heap *h, int k);

// graph_target.c
/* "The graph does not describe the heap at the end of the path." */
typedef struct {
  uint32_t graph;
  tp_term fails;        // symbol
  bool is_asserted;     // the meaning of the symbol
  tp_term *empty;       // by node: symbol; NONE: the node may be empty
  uint32_t n_asserted;  // addresses
} tp_chk_target_graph;
typedef TP_VEC(tp_chk_target_graph) tp_chk_target_graphs;
tp_chk_target_graph *tp_chk_target_of(tp_chk_search *s, tp_chk_target_graphs *all, uint32_t graph);
/* The meaning of `fails`, with two new addresses as witnesses. */
void tp_chk_assert_target(tp_chk_search *s, tp_chk_target_graph *t);
/* No address is an element of a node that is said to be empty. */
void tp_chk_assert_empty_nodes(tp_chk_search *s, tp_chk_target_graph *t);
/* A graph without asserted meaning that fails in the model and describes the model as far as its
 * addresses show; NULL: none. */
tp_chk_target_graph *tp_chk_next_target(tp_chk_search *s, tp_chk_target_graphs *all);

// shape_search.c
/* cutpoint: whose graphs are targets, or 0. */
tp_chk_search *tp_chk_search_new(tp_chk_exec *g, uint32_t cutpoint, tp_chk_effort effort);
/* A search about one class, in which only values of these pointers are addresses. named: by
 * predicate. */
tp_chk_search *tp_chk_search_about(tp_chk_exec *g, uint32_t number, const bool *named,
                                   tp_chk_effort effort);
void tp_chk_search_free(tp_chk_search *s);
/* Pointer terms in the goals become addresses. */
void tp_chk_add_goal_addresses(tp_chk_search *s, const tp_term *goals, size_t n);
/* PROVED: there is no counterexample. */
tp_chk_answer tp_chk_search_run(tp_chk_search *s, tp_chk_target_graphs *all);

// address_terms.c
void tp_chk_class_heap_init(tp_chk_search *s, tp_chk_class_heap *h, uint32_t number);
void tp_chk_class_heap_clear(tp_chk_class_heap *h);
/* Addresses are different terms of pointers; fields are known addresses. */
bool tp_chk_class_heap_check(const tp_chk_search *s, const tp_chk_class_heap *h);
typedef enum { TP_CHK_BASE, TP_CHK_DERIVED } tp_chk_address_kind;
/* The number of this address; added if new. Search failed and 0 if there are too many. */
int tp_chk_address_number(tp_chk_search *s, tp_chk_class_heap *h, tp_term at,
                          tp_chk_address_kind kind);
int tp_chk_address_find(const tp_chk_class_heap *h, tp_term at);  // -1: it is none
tp_term tp_chk_address_term(const tp_chk_class_heap *h, int i);
tp_term tp_chk_same_address(tp_chk_search *s, const tp_chk_class_heap *h, int i, int j);
tp_term tp_chk_is_null(tp_chk_search *s, const tp_chk_class_heap *h, int i);
tp_term tp_chk_is_cell(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when);
/* A cell that was not freed: its fields lead to elements, unless they are null. */
tp_term tp_chk_is_live_cell(tp_chk_search *s, tp_chk_class_heap *h, int i,
                            tp_chk_heap_version when);
tp_term tp_chk_field_term(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                          uint32_t f);
/* The number of the field's value. */
int tp_chk_field_number(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                        uint32_t f, tp_chk_address_kind kind);
/* Equality of address k and smaller ones is an equivalence: for circuits. (The skeleton knows.) */
void tp_chk_assert_equalities(tp_chk_search *s, tp_chk_class_heap *h, int k);
/* Finds addresses that are fields of others. */
void tp_chk_link_fields(tp_chk_search *s, tp_chk_class_heap *h);
tp_term tp_chk_variable_term(tp_chk_search *s, tp_var v, tp_chk_heap_version when);
/* The address is the value of a tracked pointer, and not null. */
tp_term tp_chk_is_pointed_to(tp_chk_search *s, tp_chk_class_heap *h, int i,
                             tp_chk_heap_version when);
/* An element: a cell, or a value of a pointer or of a field of the cell at address `holder`. */
tp_term tp_chk_is_element(tp_chk_search *s, tp_chk_class_heap *h, int i, int holder,
                          tp_chk_heap_version when);

// path_axioms.c
tp_term tp_chk_path_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                         tp_chk_heap_version when, int i, int j);
/* ... of one step or more. */
tp_term tp_chk_steps_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                          tp_chk_heap_version when, int i, int j);
/* Axioms of cycles are asserted where a statement speaks of paths of one step or more; from now on
 * of all paths. False: they are. */
bool tp_chk_add_cycles(tp_chk_class_heap *h);
/* The last step of a path from i to j of one step or more starts at a new address, one for each set
 * of fields. */
void tp_chk_assert_last_steps(tp_chk_search *s, tp_chk_class_heap *h, tp_chk_heap_version when,
                              int i, int j);
/* Axioms of paths between address k and smaller ones. */
void tp_chk_assert_paths(tp_chk_search *s, tp_chk_class_heap *h, int k);
/* Asserts axioms of three addresses that the model violates; true: there are some. */
bool tp_chk_refine_paths(tp_chk_search *s, tp_chk_class_heap *h);

// readable.c
/* Does the formula name readable predicates only? */
bool tp_chk_formula_is_readable(const bool *readable, const tp_chk_formula *f);

// predicate_terms.c
/* The formula, with addresses for its variables; half: what 1/2 stands for (false: a lower bound of
 * the formula, true: an upper bound). */
tp_term tp_chk_formula_term(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_formula *f,
                            tp_chk_heap_version when, const int *env, bool half);
tp_term tp_chk_predicate_term(tp_chk_search *s, tp_chk_class_heap *h, uint32_t predicate,
                              tp_chk_heap_version when, int i, int j);
/* Instances of existentials at new addresses. */
void tp_chk_assert_existentials(tp_chk_search *s, tp_chk_class_heap *h);
/* A new address as the witness of an existential that holds in the model without an instance that
 * does; false: there is none, or there are enough witnesses. */
bool tp_chk_add_witness(tp_chk_search *s, tp_chk_class_heap *h);

#endif

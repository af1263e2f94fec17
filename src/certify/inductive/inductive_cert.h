/* What a certificate of kind `invariants` or `shapes` says: the checker's own reader of
 * doc/certificates.md.
 *
 * What       contracts, contexts, for each cutpoint (context, location) its formulas, for each
 *            formula the graphs that stand beside it.
 * Invariants every context is a chain of calls from a root in which no function is active twice and
 *            none but the root's has a contract; formulas are Bool terms without quantifiers over
 *            variables that the context has, globals, ghosts under SELECT and memory under SELECT;
 *            a quantifier is a symbol of `indices` by then (universal.h), and such a formula is the
 *            only one of its cutpoint, in a certificate of kind `invariants` of one step.
 * Ownership  the entries own their vectors; terms live in the program's table. */
#ifndef TP_CERTIFY_INDUCTIVE_INDUCTIVE_CERT_H
#define TP_CERTIFY_INDUCTIVE_INDUCTIVE_CERT_H

#include "certify/shapes/graphs.h"

typedef struct {
  uint32_t parent;        // 0: a root
  tp_edge call;           // in the parent; NONE for roots
  tp_func func;           // on top
  uint32_t contract;      // root: number of the contract, 0: main
  uint32_t activations;   // of func in this context, this one included
  uint32_t next_of_call;  // next context of the same call of the same parent (through a pointer),
                          // 0: none
} tp_chk_context;

typedef struct {
  tp_func func;
  tp_term pre, post;      // true without an entry
  uint32_t root;          // context of its body, 0: none
  uint32_t next_of_func;  // next contract of the same function, 0: none
  bool has_pre, has_post;
} tp_chk_contract;

typedef struct {
  uint32_t context;
  tp_loc loc;
  uint32_t first, n;  // its formulas: a disjunction
  bool counts;        // arrivals here are the steps of k-induction
} tp_chk_cutpoint;

typedef struct {
  uint32_t first, n;  // of graphs_of_sets: one of them describes the heap; all of one class
} tp_chk_graph_set;

typedef struct {
  uint32_t first, n;  // of graph_sets, of different classes
} tp_chk_graph_sets;

/* A function of the state by recursion over an index (fold_lines.h). */
typedef struct {
  tp_term symbol;         // in formulas, under SELECT
  tp_term step;           // over the state and
  tp_term index, before;  // these symbols
} tp_chk_fold;

typedef struct {
  TP_VEC(tp_chk_context) contexts;  // [0] unused in all three
  TP_VEC(tp_chk_contract) contracts;
  TP_VEC(tp_chk_cutpoint) cutpoints;
  TP_VEC(tp_term) formulas;
  TP_VEC(tp_chk_graph_sets) described;  // by formula
  TP_VEC(tp_chk_graph_set) graph_sets;
  TP_VEC(uint32_t) graphs_of_sets;
  tp_chk_graphs graphs;
  bool has_shapes;            // kind `shapes`
  tp_map cutpoint_at;         // context << 32 | location -> index of the cutpoint
  tp_map calls;               // context << 32 | edge -> first context that this call enters
  uint32_t *first_contract;   // by function
  uint32_t main;              // context of main, 0: none
  uint32_t k;                 // steps that exclude errors, at least 1
  TP_VEC(tp_term) indices;    // symbols that stand for all values (universal.h)
  tp_map index_of;            // number << 32 | sort -> its symbol
  TP_VEC(tp_chk_fold) folds;  // [0] unused
  tp_map place_of;  // of steps: which << 32 | sort -> symbol of the index, the value before
  tp_map is_place;  // that symbol -> which
} tp_chk_cert;

/* Reads a certificate that must be for p and prop; false: why says what does not fit. To be cleared
 * in either case. */
bool tp_chk_cert_read(tp_chk_cert *e, const tp_program *p, tp_property prop, const char *text,
                      tp_str *why) TP_MUST_USE;
void tp_chk_cert_clear(tp_chk_cert *e);

/* 0: there is none. */
uint32_t tp_chk_cert_cutpoint(const tp_chk_cert *e, uint32_t context, tp_loc loc);
/* A cutpoint whose arrivals count; 0: there is none. */
uint32_t tp_chk_cert_counted_cutpoint(const tp_chk_cert *e, uint32_t context, tp_loc loc);
uint32_t tp_chk_cert_callee_context(const tp_chk_cert *e, uint32_t context, tp_edge call,
                                    tp_func callee);
/* Another context, of a call that the certificate does not follow yet. */
uint32_t tp_chk_cert_add_context(tp_chk_cert *e, uint32_t parent, tp_edge call, tp_func callee,
                                 uint32_t activations);
bool tp_chk_cert_is_active(const tp_chk_cert *e, uint32_t context, tp_func f);

/* Is this certificate (its first two lines) of kind `invariants` or `shapes`? */
bool tp_chk_cert_is_inductive(const char *text);

#endif

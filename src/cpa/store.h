/* Stores: a non-relational analysis from a lattice of values.
 *
 * What       shared by the analyses value, constant, interval, sign, bits, pointer:
 *            maps from variables and memory cells of known objects to abstract values, evaluation
 * of terms, assumptions, memory operations, calls. A lattice of values (tp_store_values) makes it a
 * complete analysis: TP_STORE_OPS. Represents the states in which every variable and cell has a
 * value that its abstract value means; absent: any value. Memory     pointers are pairs (known
 * object, abstract offset). A known object is a static, or the object that an is_address variable
 * of an active frame holds; named by that variable, it is one concrete object. Cells are (object,
 * constant offset, sort); a store through an unknown pointer havocs all cells that it may write (by
 * points-to classes). Wrap       values are machine integers: the value of a term covers that of
 * tp_eval. Ownership  elements live as long as the analysis. */
#ifndef TP_CPA_STORE_H
#define TP_CPA_STORE_H

#include "cpa/cpa.h"

/* An abstract value: hash-consed by the lattice, so equal handles mean equal values. 0: top (any
 * value of the sort); UINT64_MAX is the store's own. */
typedef struct {
  uint64_t id;
} tp_absval;
#define TP_ABSVAL_TOP ((tp_absval){0})

/* A lattice of values of one sort each. There is no bottom handle: operations that find no value
 * say so. Operations other than constant, apply and refine get handles of bit-vectors and floats
 * that are not top; leq, join, widen and meet get two different ones of one sort. */
typedef struct {
  /* NULL: why says what is wrong, such as a setting. */
  void *(*open)(tp_cpa *cpa, tp_str *why);
  void (*close)(void *self);
  /* BV, BOOL, FP constant; top is allowed, but if TRUE and FALSE have the same handle, comparisons
   * decide nothing. */
  tp_absval (*constant)(void *self, tp_term c);
  /* t's kind (and payload) applied to values of its arguments, which need not be those that t's own
   * arguments have; any of them may be top. Asked for kinds whose 1 to 3 arguments and result are
   * BV, BOOL or FP; the store itself does constants, connectives, ITE, equality of Bools, and
   * everything about pointers. Comparisons answer with the value of constant(true) or
   * constant(false), or top. Law: covers tp_eval on all members. */
  tp_absval (*apply)(void *self, tp_term t, const tp_absval *args, uint32_t n);
  bool (*leq)(void *self, tp_sort s, tp_absval a, tp_absval b);
  tp_absval (*join)(void *self, tp_sort s, tp_absval a, tp_absval b);
  bool (*meet)(void *self, tp_sort s, tp_absval a, tp_absval b,
               tp_absval *out);  // false: no common value
  /* For summaries of recursive functions. In loops the store joins: an analysis with infinite
   * chains widens in its own adjust (cpa/interval/state.c). There is no narrowing operator: a
   * widened fixpoint is recomputed a few times (cpa/descend.h). NULL: join */
  tp_absval (*widen)(void *self, tp_sort s, tp_absval a, tp_absval b);
  /* Backward: t's value is known to be in `result`, which is not top; sharpen its arguments'
   * values, some of which may be top, in place. For a comparison `result` is constant(true) or
   * constant(false). Law: every choice of members of the arguments on which tp_eval gives a member
   * of result is kept; false: there is none. NULL: no sharpening. */
  bool (*refine)(void *self, tp_term t, tp_absval result, tp_absval *args, uint32_t n);
  /* Bounds of the members, BV of up to 64 bits. False: nothing known. NULL: nothing */
  bool (*range)(void *self, tp_sort s, tp_absval v, tp_range *out);
  /* A value above all integers of the range, for strengthen and compare = weaken; r is not top.
   * False: nothing is learnt, also if the range is empty. NULL: nothing */
  bool (*of_range)(void *self, tp_sort s, const tp_range *r, tp_absval *out);
  tp_term (*formula)(void *self, tp_term x, tp_absval v);  // "x is in v"
  void (*print)(void *self, tp_sort s, tp_absval v, tp_str *out);
} tp_store_values;

typedef struct {
  const tp_store_values *values;
  bool tracks_memory;  // cells and pointers too, or variables that are no pointers only
  bool integers_only;  // constant propagation CO': neither Bools nor floats
  bool own_location;   // CO: location is part of the element
  /* A store through an unknown pointer forgets only what points-to classes say it may touch. What
   * survives by that alone cannot be proved from formulas, so certificates may fail: off unless a
   * setting asks for it. */
  bool trusts_points_to;
  uint32_t most_targets;  // a pointer may have up to so many targets of different objects (at most
                          // MOST_TARGETS); 0, 1: one
  bool havocs_dead;       // variables that are not live (program/liveness.h) are top
  void *own;              // the analysis's own, in self->arena
} tp_store_options;

/* Each analysis's `open` calls this with its lattice; all other operators are these. */
bool tp_store_open(tp_cpa *self, tp_store_options options, tp_str *why);
void tp_store_close(tp_cpa *self);
tp_succ tp_store_initial(tp_cpa *self, tp_loc entry, tp_context context);
void tp_store_transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                       tp_out *out);
bool tp_store_leq(tp_cpa *self, const tp_elem *a, const tp_elem *b);
const tp_elem *tp_store_top(tp_cpa *self);
const tp_elem *tp_store_join(tp_cpa *self, const tp_elem *a, const tp_elem *b);
const tp_elem *tp_store_widen(tp_cpa *self, const tp_elem *a, const tp_elem *b);
void tp_store_print(tp_cpa *self, const tp_elem *e, tp_str *out);
tp_term tp_store_formula(tp_cpa *self, const tp_elem *e);
bool tp_store_range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out);
const tp_elem *tp_store_strengthen(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                                   const tp_step *step);
bool tp_store_implied_by(tp_cpa *self, const tp_elem *e, tp_view other);
const tp_elem *tp_store_reduce(tp_cpa *self, const tp_elem *e, const tp_step *call);
const tp_elem *tp_store_expand(tp_cpa *self, const tp_elem *before, const tp_elem *exit,
                               const tp_step *call);
// for rows with own_location
tp_loc tp_store_location(tp_cpa *self, const tp_elem *e);
tp_context tp_store_context(tp_cpa *self, const tp_elem *e);
uint64_t tp_store_merge_key(tp_cpa *self, const tp_elem *e);
void *tp_store_own(const tp_cpa *self);      // options.own
void *tp_store_lattice(const tp_cpa *self);  // the result of the lattice's open
/* Abstract values by variable (top if absent), for adjust of the analyses themselves. */
tp_absval tp_store_get(tp_cpa *self, const tp_elem *e, tp_var v);
const tp_elem *tp_store_havoc(tp_cpa *self, const tp_elem *e, tp_var v);

/* Lvalues as numbers, for adjust. Values of equal handles are equal; pointers and Bools have
 * handles of the store, other values those of the lattice. */
typedef void (*tp_store_visitor)(void *ctx, uint64_t lvalue, tp_absval a, tp_absval b);
static inline uint64_t tp_store_lvalue_of(tp_var v) { return (uint64_t)v.id << 1; }
void tp_store_diff(tp_cpa *self, const tp_elem *a, const tp_elem *b, tp_store_visitor visit,
                   void *ctx);
void tp_store_each(tp_cpa *self, const tp_elem *e, tp_store_visitor visit, void *ctx);  // b: top
const tp_elem *tp_store_havoc_lvalues(tp_cpa *self, const tp_elem *e, const uint64_t *lvalues,
                                      size_t n);
void tp_store_print_lvalue(tp_cpa *self, uint64_t lvalue, tp_str *out);
tp_term tp_store_lvalue_term(
    tp_cpa *self,
    uint64_t lvalue);  // the variable, or the cell (program/cells.h): a name for all runs

/* The operators of a row of the table of analyses that is a store. */
#define TP_STORE_OPS                                                                              \
  .has_join = true, .close = tp_store_close, .initial = tp_store_initial,                         \
  .transfer = tp_store_transfer, .leq = tp_store_leq, .top = tp_store_top, .join = tp_store_join, \
  .widen = tp_store_widen, .print = tp_store_print, .formula = tp_store_formula,                  \
  .range = tp_store_range, .strengthen = tp_store_strengthen, .implied_by = tp_store_implied_by,  \
  .reduce = tp_store_reduce, .expand = tp_store_expand

#endif

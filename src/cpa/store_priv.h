/* Inside the stores: the body of an element, and the interfaces between the files of the store.
 *
 * What       store.c        life of the analysis, elements, their operators
 *            store_value.c  values of any sort: the lattice's, Bools, pointers
 *            store_eval.c   evaluation of terms
 *            store_assume.c restriction by conditions
 *            store_cells.c  cells of one object: images, reading, writing
 *            store_objects.c names of objects; order, join, formula of memory
 *            store_memory.c the edges that touch memory
 *            store_calls.c  calls, returns, summaries
 *            store_targets.c sets of pointers
 * Values     of BV and FP: the lattice's own handles. Of BOOL: TP_STORE_TRUE, TP_STORE_FALSE. Of
 *            PTR: a pair (known object, abstract offset) interned by the store, or
 *            (tp_store_is_set) a set of such pairs. 0 is top for all of them. Values of other sorts
 *            are always top. */
#ifndef TP_CPA_STORE_PRIV_H
#define TP_CPA_STORE_PRIV_H

#include "cpa/cpa_limits.h"
#include "cpa/store.h"
#include "formula/pmap.h"
#include "formula/value_sets.h"
#include "program/locals.h"
#include "program/pointsto.h"

#define TP_STORE_TRUE ((tp_absval){1})
#define TP_STORE_FALSE ((tp_absval){2})
static inline bool tp_absval_eq(tp_absval a, tp_absval b) { return a.id == b.id; }
static inline tp_absval tp_store_truth(bool b) { return b ? TP_STORE_TRUE : TP_STORE_FALSE; }

/* A name of one concrete object: 0 is object 0 (null, integers), 1 .. n_statics are the statics,
 * n_statics + v is the object that the last ALLOC to variable v made. When the
 * variable gets another value, the object is renamed or removed. */
typedef struct {
  uint32_t id;
} tp_object_name;

typedef struct {
  tp_object_name object;
  tp_absval offset;
} tp_store_ptr;

/* Cells are named once per analysis, so maps can be keyed by small numbers. */
typedef struct {
  tp_object_name object;
  uint64_t offset;
  tp_sort sort;
  uint32_t size;  // bytes
  uint32_t next;  // in the same bucket of 16 bytes
} tp_store_cell;

/* Properties of an object apart from its cells. Size, kind and lifetime of statics are constant. */
typedef enum {
  TP_IMAGE_NONE,    // cells without entry: anything
  TP_IMAGE_STATIC,  // as the initial image of static `image_of` says
  TP_IMAGE_FILLED   // every byte is `fill`
} tp_store_image;
typedef enum { TP_LIFE_UNKNOWN, TP_LIFE_ON, TP_LIFE_OVER } tp_store_life;
typedef struct {
  tp_absval size;       // BV of ptr_bits
  tp_object_kind kind;  // NONE: unknown
  tp_store_life life;   // live objects only have cells
  tp_store_image image;
  uint32_t image_of;
  uint8_t fill;
} tp_store_object;

struct tp_elem {
  tp_pmap vars;        // variable -> value
  tp_pmap cells;       // cell -> value, or TP_STORE_CELL_TOP in objects with an image
  tp_pmap objects;     // known object -> number of its tp_store_object
  tp_pmap copies;      // equalities of the current straight piece of code, see store_assume.c
  tp_loc loc;          // own_location only
  tp_context context;  // the same
};

/* The entry of a havocked cell of an object with an image, in which cells without entry have their
 * initial value. */
#define TP_STORE_CELL_TOP ((tp_absval){UINT64_MAX})

/* The targets of a pointer: pairs with different objects, ascending by object. */
typedef struct {
  uint32_t n;
  tp_absval at[TP_CPA_STORE_TARGETS];
} tp_store_targets;
#define TP_STORE_SET ((uint64_t)1 << 62)
static inline bool tp_store_is_set(tp_absval v) {
  return v.id & TP_STORE_SET && !tp_absval_eq(v, TP_STORE_CELL_TOP);
}

typedef struct {
  tp_var *at;
  uint32_t n;
} tp_store_dead_vars;

/* During the evaluation of one branch of a conditional: the value that its condition implies for a
 * term. */
typedef struct {
  tp_term t;
  tp_absval v;
} tp_store_assumption;

typedef struct {
  tp_cpa *cpa;
  const tp_program *p;
  tp_terms *tt;
  const tp_store_values *values;
  void *lattice;  // the lattice's self
  tp_store_options options;
  tp_absval lattice_true, lattice_false;  // the lattice's Bools; both top if it has none
  tp_sort offset_sort;
  tp_term generic_add, generic_neg,
      generic_eq;  // of offsets; for values->apply on values that no term has
  uint32_t n_statics;
  TP_VEC(tp_store_ptr) ptrs;      // [0] unused
  TP_VEC(tp_store_targets) sets;  // [0] unused
  tp_map set_index;
  TP_VEC(tp_store_cell) cells;           // [0] unused
  TP_VEC(tp_store_object) object_infos;  // [0] unused
  tp_map ptr_index, cell_buckets, object_index;
  TP_VEC(tp_elem *) elems;  // all, for their maps
  tp_locals locals;
  tp_pointsto *pointsto;  // made when first needed
  tp_value_sets strides;  // which offsets the terms of addresses can have
  // memo of one evaluation: values by term id, valid if the stamp is `now`
  TP_VEC(tp_absval) memo;
  TP_VEC(uint64_t) stamp;
  uint64_t now;
  TP_VEC(tp_term) stack;
  tp_map based;                              // integers made from pointers, see store_eval.c
  bool is_splitting;                         // an evaluation by cases is under way
  struct tp_liveness *liveness;              // made when first needed
  tp_map dead_index;                         // edge << 1 | is a call -> tp_store_dead_vars *
  uint64_t deciding[TP_CPA_STORE_DECIDING];  // variables that decided recent comparisons; 0: none
  tp_store_assumption assumed[TP_CPA_STORE_SUPPOSED];
  uint32_t n_assumed;
} tp_store;

static inline tp_store *tp_store_of(const tp_cpa *self) { return self->state; }

// store.c
tp_elem *tp_store_draft(tp_store *st, const tp_elem *from);  // a copy to be changed; NULL: top
/* The invariants of an element: keys in range, values of their sorts, and the law of names: a
 * dynamic object to which a pointer of the element leads has its object info in the element. */
bool tp_store_check(const tp_store *st, const tp_elem *e);
void tp_store_discard(tp_store *st, tp_elem *draft);  // the newest draft was not needed
bool tp_store_tracks(const tp_store *st, tp_sort s);
void tp_store_set_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value);
void tp_store_count_havoc(const tp_store *st);

typedef tp_absval (*tp_store_combine)(tp_store *st, tp_sort s, tp_absval a, tp_absval b);

// store_targets.c: values of PTR, sets or not; none is top
tp_store_targets tp_store_targets_of(const tp_store *st, tp_absval v);
tp_absval tp_store_of_targets(tp_store *st,
                              const tp_store_targets *t);  // top if there are too many
tp_absval tp_store_unite(tp_store *st, tp_absval a, tp_absval b, tp_store_combine combine);
bool tp_store_is_subset(const tp_store *st, tp_sort s, tp_absval a, tp_absval b);
bool tp_store_intersect(tp_store *st, tp_sort s, tp_absval a, tp_absval b,
                        tp_absval *out);  // false: nothing in common
/* v (or top), where it is another address than `not` (or top). False: there is none. */
bool tp_store_without_target(tp_store *st, tp_absval v, tp_absval not, tp_absval *out);

// store_value.c: s is the sort of both; results are canonical
bool tp_store_value_leq(const tp_store *st, tp_sort s, tp_absval a, tp_absval b);
tp_absval tp_store_value_join(tp_store *st, tp_sort s, tp_absval a, tp_absval b);
tp_absval tp_store_value_widen(tp_store *st, tp_sort s, tp_absval a, tp_absval b);
bool tp_store_value_meet(tp_store *st, tp_sort s, tp_absval a, tp_absval b, tp_absval *out);
tp_absval tp_store_value_of_const(tp_store *st, tp_term c);
bool tp_store_value_range(const tp_store *st, tp_sort s, tp_absval v, tp_range *out);
bool tp_store_value_of_range(const tp_store *st, tp_sort s, const tp_range *r, tp_absval *out);
bool tp_store_value_u64(const tp_store *st, tp_sort s, tp_absval v,
                        uint64_t *out);  // BV with one value
tp_term tp_store_value_formula(tp_store *st, tp_term x, tp_absval v);
void tp_store_value_print(const tp_store *st, tp_sort s, tp_absval v, tp_str *out);
tp_absval tp_store_apply(const tp_store *st, tp_term t, const tp_absval *args,
                         uint32_t n);  // the lattice's, Bools translated
bool tp_store_refine(const tp_store *st, tp_term t, tp_absval result, tp_absval *args, uint32_t n);
tp_absval tp_store_ptr_value(tp_store *st, tp_store_ptr x);
tp_absval tp_store_offset(const tp_store *st, uint64_t offset);
/* Not of a set. */
static inline const tp_store_ptr *tp_store_ptr_of(const tp_store *st, tp_absval v) {
  return v.id ? &st->ptrs.at[v.id] : NULL;
}
bool tp_store_is_dynamic(const tp_store *st, tp_object_name o);
static inline tp_object_name tp_store_name(const tp_store *st, tp_var v) {
  return (tp_object_name){st->n_statics + v.id};
}
static inline tp_var tp_store_naming_var(const tp_store *st, tp_object_name o) {
  return (tp_var){o.id - st->n_statics};
}
tp_term tp_store_object_term(tp_store *st, tp_object_name o);  // its id

// store_eval.c
tp_absval tp_store_eval(tp_store *st, const tp_elem *e, tp_term t);
/* After tp_store_eval of a term with this subterm, in the same state: the known object whose id
 * this is. */
bool tp_store_object_of(tp_store *st, tp_term id, tp_object_name *out);
bool tp_store_has_memo(const tp_store *st, tp_term t);

// store_cells.c
bool tp_store_object_info(const tp_store *st, const tp_elem *e, tp_object_name o,
                          tp_store_object *out);  // false: not a known object
void tp_store_set_object(tp_store *st, tp_elem *e, tp_object_name o, tp_store_object f);
const tp_store_object *tp_store_object_at(const tp_store *st, uint64_t number);
bool tp_store_is_cell_sort(const tp_store *st, tp_sort s);
uint32_t tp_store_cell_id(tp_store *st, tp_object_name o, uint64_t offset, tp_sort s);
tp_term tp_store_cell_term(tp_store *st, uint32_t cell);
/* The value of a load of this cell. */
tp_absval tp_store_cell_value(tp_store *st, const tp_elem *e, uint32_t cell);
/* The entry itself; top becomes LOST in an object with an image. */
void tp_store_cell_set(tp_store *st, tp_elem *e, uint32_t cell, tp_absval v);
/* A store to this cell: cells that share bytes with it are havocked. */
void tp_store_cell_write(tp_store *st, tp_elem *e, uint32_t cell, tp_absval v);
void tp_store_havoc_range(tp_store *st, tp_elem *e, tp_object_name o, uint64_t offset, uint64_t n);
void tp_store_havoc_cells(tp_store *st, tp_elem *e,
                          tp_object_name o);  // all of the object, and its image
void tp_store_drop_image(tp_store *st, tp_elem *e, tp_object_name o);  // entries stay

// store_objects.c
bool tp_store_memory_leq(tp_store *st, const tp_elem *a, const tp_elem *b);
/* out holds b's memory at first. */
void tp_store_memory_join(tp_store *st, const tp_elem *a, const tp_elem *b, tp_elem *out,
                          tp_store_combine combine);
void tp_store_memory_initial(tp_store *st, tp_elem *e);
void tp_store_memory_print(const tp_store *st, const tp_elem *e, bool separate, tp_str *out);
void tp_store_print_cell(const tp_store *st, uint32_t cell, tp_str *out);
tp_term tp_store_memory_formula(tp_store *st, const tp_elem *e);
/* SELECT of a ghost array at a known object. */
tp_absval tp_store_ghost(tp_store *st, const tp_elem *e, tp_term array, tp_object_name object);
/* v := value; an object that v named is renamed or removed. */
void tp_store_assign_var(tp_store *st, tp_elem *e, tp_var v, tp_absval value);
void tp_store_havoc_var(tp_store *st, tp_elem *e, tp_var v);
/* v, or top if it leads to an object that has no name in e. */
tp_absval tp_store_valid_value(const tp_store *st, const tp_elem *e, tp_sort s, tp_absval v);
/* After a join: pointers to objects that lost their names are unknown. */
void tp_store_validate(tp_store *st, tp_elem *e);
void tp_store_remove_object(tp_store *st, tp_elem *e,
                            tp_object_name o);  // with its cells, and all pointers to it
/* All contents that can be written; objects of the heap may have ended, with `lives` those of the
 * stack too. */
typedef enum { TP_STORE_KEEP_STACK, TP_STORE_HAVOC_STACK } tp_store_lives;
void tp_store_havoc_contents(tp_store *st, tp_elem *e, tp_store_lives lives);
bool tp_store_is_stack(const tp_store *st, const tp_elem *e,
                       tp_object_name o);  // or of unknown kind

// store_memory.c
bool tp_store_transfer_memory(tp_store *st, const tp_elem *e, tp_elem *out,
                              const tp_edge_info *edge);  // false: the run ends
/* The value of a load of this sort at this address. */
tp_absval tp_store_read(tp_store *st, const tp_elem *e, tp_sort s, tp_absval address);
void tp_store_havoc_all(tp_store *st, tp_elem *e);

// store_calls.c
void tp_store_enter(tp_store *st, const tp_elem *e, tp_elem *out, const tp_step *call);
void tp_store_leave(tp_store *st, const tp_elem *e, tp_elem *out, const tp_step *call);
void tp_store_skip_call(tp_store *st, tp_elem *out, const tp_step *call);

// store_assume.c: false: no state of e meets it
bool tp_store_assume(tp_store *st, tp_elem *e, tp_term condition, tp_absval truth);
void tp_store_sharpen_var(tp_store *st, tp_elem *e, tp_var v,
                          tp_absval value);  // value is below v's own
void tp_store_note_copy_of_var(tp_store *st, tp_elem *e, tp_var to, tp_var from);
void tp_store_note_copy_of_cell(tp_store *st, tp_elem *e, tp_var to, uint32_t cell);
void tp_store_var_changed(tp_store *st, tp_elem *e, tp_var v);
void tp_store_cell_changed(tp_store *st, tp_elem *e, uint32_t cell);
void tp_store_drop_copies(tp_elem *e);
tp_term tp_store_copies_formula(tp_store *st, const tp_elem *e);

// store_live.c
void tp_store_havoc_dead(tp_store *st, tp_elem *e, const tp_step *step);

#endif

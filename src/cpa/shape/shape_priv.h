/* What the files of the shape analysis share. */
#ifndef TP_CPA_SHAPE_SHAPE_PRIV_H
#define TP_CPA_SHAPE_SHAPE_PRIV_H

#include "cpa/shape/shape.h"
#include "program/access.h"
#include "program/interior.h"
#include "program/liveness.h"
#include "program/locals.h"
#include "program/pointsto.h"

enum { TP_HEAPS_MAX_POINTERS = 24, TP_HEAPS_MAX_DATA = 8 };

/* A kind of cells with what steps ask of it. */
typedef struct {
  tp_heap_cells seen;
  const tp_entry *entry;
  tp_shape_class *c;
  tp_shape_engine *e;
  int16_t *slot;     // by variable: its number among the class's pointers, or TP_UNKNOWN_SLOT
  bool *holds;       // by points-to class: may cells be among its objects?
  bool is_anywhere;  // ... of any class
  tp_term *object;   // by pointer: a symbol for the object that it leads to, in conditions
} tp_heaps_kind;

typedef struct {
  tp_cpa *cpa;
  tp_program *p;
  tp_terms *tt;
  tp_pointsto *pt;
  tp_liveness *liveness;  // NULL: nothing is forgotten
  tp_locals locals;
  tp_interior *inside;
  const struct tp_shape_library *library;  // of the classes that can be chosen
  struct tp_shape_library *own_library;    // NULL: the environment's is used
  tp_heaps_kind *kinds;
  uint32_t n;
  tp_shape_engine **engines;  // by kind
  uint64_t most_graphs;       // of a set; 0: no limit
  uint64_t *sizes;            // of heap objects, bytes
  uint32_t n_sizes;
  bool knows_sizes;  // ... these are all
  bool starts_off;   // setting start = off
  tp_map dying;      // by edge and kind of step: list of variables
  bool *matters;     // by variable: numbers that may get into cells; NULL: no conditions on numbers
                     // are remembered
  struct tp_smt *solver;  // opened by the first question
  tp_map excluded;        // formula -> it has no model
} tp_heaps;
static inline tp_heaps *tp_heaps_of(const tp_cpa *cpa) { return cpa->state; }
static inline tp_shape_abstraction tp_heaps_abstraction(const tp_heaps *h) {
  return (tp_shape_abstraction){h->engines, h->n};
}

/* The value of `var` is that of the bits at this offset of the cell, or object, that `pointer`
 * leads to. */
typedef struct {
  tp_var var, pointer;
  uint64_t offset;
  uint32_t width_bits;
} tp_heaps_link;
typedef TP_VEC(tp_heaps_link) tp_heaps_links;  // ascending by var; one for each

enum { TP_HEAPS_MOST_OFF = 64 };  // kinds beyond are never off
/* Kinds that are `off` (bits) are not followed: their sets are those of all heaps, and stay so
 * until another analysis hands its heap over. In a draft their sets are empty, so that no step
 * costs anything. */
struct tp_elem {
  tp_region region;
  uint64_t off;
  const tp_heaps_link *links;
  size_t n_links;
  const tp_term *conditions;  // on numbers, ascending by id (numbers.c)
  size_t n_conditions;
};

/* An element that is being made. */
typedef struct {
  tp_heaps *h;
  tp_region region;
  uint64_t off;
  tp_heaps_links links;
  tp_term_list conditions;
} tp_heaps_draft;
static inline bool tp_heaps_is_off(uint64_t off, uint32_t kind) {
  return kind < TP_HEAPS_MOST_OFF && (off >> kind & 1);
}
void tp_heaps_draft_open(tp_heaps_draft *d, tp_heaps *h, const tp_elem *from);
void tp_heaps_draft_drop(tp_heaps_draft *d);
const tp_elem *tp_heaps_seal(tp_heaps_draft *d);  // NULL: it means no state; drops the draft
void tp_heaps_set_copy(tp_graph_ids *to, const tp_graph_ids *from);
void tp_heaps_set_add(tp_graph_ids *to, const tp_graph_ids *more);

/* The set becomes that behind the step; events of all its graphs. Where there is no room for it:
 * all heaps. */
uint32_t tp_heaps_post(const tp_heaps *h, const tp_heaps_kind *k, tp_graph_ids *set,
                       tp_shape_step step);
uint32_t tp_heaps_step(tp_heaps_draft *d, uint32_t kind, tp_shape_step step);
void tp_heaps_forget_heap(tp_heaps_draft *d, uint32_t kind);  // nothing is known any more
static inline int tp_heaps_slot(const tp_heaps_kind *k, tp_var v) {
  return v.id ? k->slot[v.id] : TP_UNKNOWN_SLOT;
}
void tp_heaps_add_link(tp_heaps_draft *d, tp_heaps_link link);
const tp_heaps_link *tp_heaps_link_of(const tp_heaps_draft *d, tp_var v);  // NULL: none
/* Links for which this is true go. */
void tp_heaps_unlink(tp_heaps_draft *d, bool (*goes)(const void *ctx, const tp_heaps_link *l),
                     const void *ctx);
void tp_heaps_unlink_all(tp_heaps_draft *d);
void tp_heaps_unlink_var(tp_heaps_draft *d,
                         tp_var v);  // those that speak of v, as number or as pointer
/* A step that asks about pointers: IS_NIL, NOT_NIL (y: UNKNOWN_SLOT), SAME, DIFFERENT. */
static inline tp_shape_step tp_heaps_ask_step(tp_shape_step_kind kind, int x, int y) {
  return (tp_shape_step){.kind = kind, .x = (int16_t)x, .y = (int16_t)y, .field = TP_UNKNOWN_SLOT};
}
/* DATA, ASSUME_DATA: fact number `datum` about x's cell. */
static inline tp_shape_step tp_heaps_data_step(tp_shape_step_kind kind, int x, uint32_t datum,
                                               tp_kleene value) {
  return (tp_shape_step){.kind = kind,
                         .x = (int16_t)x,
                         .y = TP_UNKNOWN_SLOT,
                         .field = TP_UNKNOWN_SLOT,
                         .assertion = (int16_t)datum,
                         .value = value};
}

// draft.c, beside the functions above
/* May a cell of the kind be at the address? */
bool tp_heaps_may_hold(const tp_heaps *h, const tp_heaps_kind *k, tp_term address);
static inline bool tp_heaps_is_bent(const tp_heaps *h, tp_term address) {
  return tp_may_be_interior(h->inside, address);
}
/* t with a value in place of a symbol. */
tp_term tp_heaps_put(tp_terms *tt, tp_term t, tp_term symbol, tp_term value);

// classes.c
/* A structure that may be a kind of cells. */
typedef struct {
  tp_type type;
  const tp_type_info *info;
  uint32_t n_links;
  const tp_member *links[TP_ENTRY_MAX_FIELDS];  // as far as they fit
} tp_heaps_candidate;
/* A typedef is a type of its own, with the members of the structure that it names. */
bool tp_heaps_is_same_type(const tp_program *p, tp_type a, tp_type b);
/* Makes a kind of the structure; false: why. */
typedef bool (*tp_heaps_use)(tp_heaps *h, const tp_heaps_candidate *c, const tp_entry *entry,
                             tp_str *why);
/* Every structure with each class that settings choose for it; false: why. */
bool tp_heaps_choose_classes(tp_heaps *h, tp_heaps_use use, tp_str *why);
/* The link that is field f of the entry, which fits the structure. */
const tp_member *tp_heaps_field_link(const tp_heaps_candidate *c, const tp_entry *entry,
                                     uint32_t f);
/* Is the word in the list of words? */
bool tp_heaps_names(const char *list, const char *word);
/* Word by word until a visit gives false: then false. */
bool tp_heaps_each_word(const char *list, bool (*visit)(void *ctx, const char *word), void *ctx);

// data.c
typedef struct {
  tp_assertion assertions[TP_HEAPS_MAX_DATA];
  uint8_t exclusions[TP_HEAPS_MAX_DATA * TP_HEAPS_MAX_DATA][2];
  uint32_t n, n_exclusions;
} tp_heaps_data;
/* The kind's data predicates, after its fields and pointers are known. */
void tp_heaps_find_data(tp_heaps *h, tp_heaps_kind *k, tp_heaps_data *out);
/* Numbers in cells rarely matter where only memory is asked about. */
bool tp_heaps_compares_data(const tp_heaps *h);

// cells.c: kinds of cells; opens and closes the analysis
bool tp_heaps_open(tp_cpa *cpa, tp_str *why);
void tp_heaps_close(tp_cpa *cpa);

// condition.c
/* The graphs of the kind in which the condition may have this value; d: for the links. */
void tp_heaps_keep(const tp_heaps_draft *d, const tp_heaps_kind *k, tp_graph_ids *set,
                   tp_term condition, bool value);
/* What of `fact` follows if `given`, which speaks of the same symbol, holds. HALF: nothing is known
 * to. */
tp_kleene tp_heaps_decide(tp_terms *tt, const tp_heap_datum *d, tp_term given);

// memory.c
void tp_heaps_store(tp_heaps_draft *d, const tp_edge_info *e);
void tp_heaps_load(tp_heaps_draft *d, const tp_edge_info *e);
void tp_heaps_alloc(tp_heaps_draft *d, const tp_edge_info *e);
void tp_heaps_free(tp_heaps_draft *d, const tp_edge_info *e);
void tp_heaps_block(tp_heaps_draft *d, const tp_edge_info *e);  // COPY, SET, HAVOC_MEMORY

// numbers.c
/* Which numbers matter. */
void tp_heaps_find_numbers(tp_heaps *h);
void tp_heaps_learn(tp_heaps_draft *d, tp_term condition);
/* v got this value (NONE: any): what was known of v is gone, and what compared cells with it. */
void tp_heaps_number_changes(tp_heaps_draft *d, tp_var v, tp_term value);
bool tp_heaps_remembers_all(const tp_elem *e, const tp_elem *of);
/* What the element remembers, too, stays. */
void tp_heaps_remember_common(tp_heaps_draft *d, const tp_elem *with);
/* Does what is known settle the fact, which speaks of variables? */
tp_kleene tp_heaps_settle(const tp_heaps_draft *d, uint32_t kind, tp_term fact);
/* What a graph says of numbers that stand in its cells. */
tp_term tp_heaps_say_data(const tp_heaps *h, const tp_heaps_kind *k, const tp_structure *s,
                          const tp_heaps_link *links, size_t n_links);

// take_over.c
const tp_elem *tp_heaps_take_over(tp_cpa *cpa, const tp_elem *e, const tp_handover *from);

// transfer.c
void tp_heaps_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                       tp_out *out);
const tp_elem *tp_heaps_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others, size_t n,
                                   const tp_step *step);
void tp_heaps_assign(tp_heaps_draft *d, tp_var v,
                     tp_term value);  // NONE: nobody knows; a number, for a pointer: any number

#endif

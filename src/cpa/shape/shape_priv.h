/* What the files of the shape analysis share. */
#ifndef TP_CPA_SHAPE_SHAPE_PRIV_H
#define TP_CPA_SHAPE_SHAPE_PRIV_H

#include "cpa/cpa_limits.h"
#include "cpa/shape/shape_cpa.h"
#include "cpa/shape/shape_type.h"
#include "program/access.h"
#include "program/interior.h"
#include "program/liveness.h"
#include "program/locals.h"
#include "program/pointsto.h"
#include "program/structure_links.h"

/* A kind of cells with the tables that steps read. */
typedef struct {
  tp_cell_kind visible;
  const tp_description *entry;
  uint32_t structure;  // precision = location or global: its number
  tp_shape_type type;  // the same: what the kind tracks; otherwise settings say
  tp_shape_class *c;
  tp_shape_engine *e;
  int16_t *slot;     // by variable: its number among the class's pointers, or TP_UNKNOWN_SLOT
  bool *holds;       // by points-to class: may cells be among its objects?
  bool is_anywhere;  // ... of any class
  tp_term *object;   // by pointer: a symbol for the object that it leads to, in conditions
} tp_shape_cpa_kind;

/* Setting precision: what settings say, everywhere; what refinement says, at each location or
 * everywhere. */
typedef enum {
  TP_SHAPE_PRECISION_ALL,
  TP_SHAPE_PRECISION_LOCATION,
  TP_SHAPE_PRECISION_GLOBAL
} tp_shape_precision;
typedef TP_VEC(tp_shape_structure) tp_shape_structures;

typedef struct {
  tp_cpa *cpa;
  tp_program *p;
  tp_terms *tt;
  tp_pointsto *pt;
  tp_liveness *liveness;  // NULL: all variables count as live
  tp_locals locals;
  tp_interior *inside;
  const struct tp_shape_library *library;  // of the classes that can be chosen
  struct tp_shape_library *own_library;    // NULL: the environment's is used
  tp_shape_cpa_kind *kinds;
  uint32_t n;
  tp_shape_engine **engines;  // by kind
  uint64_t most_graphs;       // of a set; 0: no limit
  uint64_t *sizes;            // of heap objects, bytes
  uint32_t n_sizes;
  bool knows_sizes;  // ... these are all
  bool starts_off;   // setting start = off
  tp_shape_precision precision;
  tp_shape_structures structures;  // precision = location or global; otherwise none
  tp_shape_type *types;            // by location and structure
  bool **holds;                    // by structure: as a kind's `holds`
  uint32_t *kind_of_type;          // the same: the kind's number + 1; 0: none is tracked
  TP_VEC(tp_elem *) made;          // elements, for kinds that come later; otherwise none
  tp_map dead;                     // by edge and kind of step: list of variables
  bool *matters;  // by variable: numbers that may get into cells; NULL: no conditions on numbers
                  // are remembered
  struct tp_smt *solver;  // opened by the first question
  tp_map excluded;        // formula -> it has no model
} tp_shape_cpa;
static inline tp_shape_cpa *tp_shape_cpa_of(const tp_cpa *cpa) { return cpa->state; }
static inline tp_shape_abstraction tp_shape_cpa_abstraction(const tp_shape_cpa *h) {
  return (tp_shape_abstraction){h->engines, h->n};
}

/* The value of `var` is that of the bits at this offset of the cell, or object, that `pointer`
 * leads to. */
typedef struct {
  tp_var var, pointer;
  uint64_t offset;
  uint32_t width_bits;
} tp_shape_link;
typedef TP_VEC(tp_shape_link) tp_shape_links_list;  // ascending by var; one for each

/* Kinds that are `off` (bits) are not followed: their sets are those of all heaps, and stay so
 * until a precision transfer from another analysis. In a draft their sets are empty, so that no
 * step costs anything. */
struct tp_elem {
  tp_shape_region region;
  uint64_t off;
  const tp_shape_link *links;
  size_t n_links;
  const tp_term *conditions;  // on numbers, ascending by id (number_conditions.c)
  size_t n_conditions;
};

/* An element under construction. */
typedef struct {
  tp_shape_cpa *h;
  tp_shape_region region;
  uint64_t off;
  tp_shape_links_list links;
  tp_term_list conditions;
} tp_shape_draft;
static inline bool tp_shape_cpa_is_off(uint64_t off, uint32_t kind) {
  return kind < TP_CPA_SHAPE_KINDS_OFF && (off >> kind & 1);
}
void tp_shape_cpa_draft_open(tp_shape_draft *d, tp_shape_cpa *h, const tp_elem *from);
void tp_shape_cpa_draft_drop(tp_shape_draft *d);
const tp_elem *tp_shape_cpa_seal(tp_shape_draft *d);  // NULL: it means no state; drops the draft
void tp_shape_cpa_set_copy(tp_graph_ids *to, const tp_graph_ids *from);
void tp_shape_cpa_set_add(tp_graph_ids *to, const tp_graph_ids *more);

/* The set becomes that behind the step; events of all its graphs. Where there is no room for it:
 * all heaps. */
uint32_t tp_shape_cpa_post(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_graph_ids *set,
                           tp_shape_step step);
uint32_t tp_shape_cpa_step(tp_shape_draft *d, uint32_t kind, tp_shape_step step);
void tp_shape_cpa_havoc_heap(tp_shape_draft *d, uint32_t kind);  // to top
static inline int tp_shape_cpa_slot(const tp_shape_cpa_kind *k, tp_var v) {
  return v.id ? k->slot[v.id] : TP_UNKNOWN_SLOT;
}
void tp_shape_cpa_add_link(tp_shape_draft *d, tp_shape_link link);
const tp_shape_link *tp_shape_cpa_link_of(const tp_shape_draft *d, tp_var v);  // NULL: none
/* Removes the links for which this is true. */
void tp_shape_cpa_unlink(tp_shape_draft *d,
                         bool (*is_removed)(const void *ctx, const tp_shape_link *l),
                         const void *ctx);
void tp_shape_cpa_unlink_all(tp_shape_draft *d);
void tp_shape_cpa_unlink_var(tp_shape_draft *d,
                             tp_var v);  // those with v as number or as pointer
/* A step that assumes a comparison of pointers: IS_NIL, NOT_NIL (y: UNKNOWN_SLOT), SAME, DIFFERENT.
 */
static inline tp_shape_step tp_shape_cpa_pointer_step(tp_shape_step_kind kind, int x, int y) {
  return (tp_shape_step){.kind = kind, .x = (int16_t)x, .y = (int16_t)y, .field = TP_UNKNOWN_SLOT};
}
/* ASSIGN_DATA, ASSUME_DATA: data predicate `data_formula` of x's cell. */
static inline tp_shape_step tp_shape_cpa_data_step(tp_shape_step_kind kind, int x,
                                                   uint32_t data_formula, tp_kleene value) {
  return (tp_shape_step){.kind = kind,
                         .x = (int16_t)x,
                         .y = TP_UNKNOWN_SLOT,
                         .field = TP_UNKNOWN_SLOT,
                         .data_predicate = (int16_t)data_formula,
                         .value = value};
}

// shape_draft.c, beside the functions above
/* May a cell of the kind be at the address? */
bool tp_shape_cpa_may_hold(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_term address);
static inline bool tp_shape_cpa_may_be_interior(const tp_shape_cpa *h, tp_term address) {
  return tp_may_be_interior(h->inside, address);
}
/* t with a value in place of a symbol. */
tp_term tp_shape_cpa_substitute(tp_terms *tt, tp_term t, tp_term symbol, tp_term value);

// shape_types.c: precisions of refinement
bool tp_shape_cpa_open_types(tp_shape_cpa *h, tp_str *why);
void tp_shape_cpa_close_types(tp_shape_cpa *h);
/* The kinds that are off at the location, before anything is known there. */
uint64_t tp_shape_cpa_off_at(const tp_shape_cpa *h, tp_loc l);
/* Before and behind a step to the location: each structure is tracked by the kind of a class that
 * can follow the step, then by that of the location's type. make_kinds comes before the draft. */
void tp_shape_cpa_make_kinds(tp_shape_cpa *h, const tp_elem *e, tp_loc to);
void tp_shape_cpa_raise_types(tp_shape_draft *d, tp_loc to);
void tp_shape_cpa_settle_types(tp_shape_draft *d, tp_loc to);
/* An element that was made before this kind gets the set of all heaps for it. */
void tp_shape_cpa_extend(tp_shape_cpa *h, tp_elem *e);

// class_choice.c
/* A structure that may be a kind of cells. */
typedef struct {
  tp_type type;
  const tp_type_info *info;
  uint32_t n_links;
  const tp_member *links[TP_SHAPE_MAX_FIELDS];  // as far as they fit
} tp_shape_cpa_candidate;
/* Makes a kind of the structure; false: why. */
typedef bool (*tp_shape_cpa_use)(tp_shape_cpa *h, const tp_shape_cpa_candidate *c,
                                 const tp_description *entry, tp_str *why);
/* Every structure with links to its own kind, all links in the order of their declaration. */
void tp_shape_cpa_each_candidate(tp_shape_cpa *h,
                                 void (*visit)(tp_shape_cpa *h, const tp_shape_cpa_candidate *c));
/* The classes that there are, h->library; false: lib/shape cannot be read. */
bool tp_shape_cpa_open_library(tp_shape_cpa *h, tp_str *why);
/* Every structure with each class that settings choose for it; false: why. */
bool tp_shape_cpa_choose_classes(tp_shape_cpa *h, tp_shape_cpa_use use, tp_str *why);
/* The link that is field f of the entry, which fits the structure. */
const tp_member *tp_shape_cpa_field_link(const tp_shape_cpa_candidate *c,
                                         const tp_description *entry, uint32_t f);
/* Is the word in the list of words, which spaces or commas separate? */
bool tp_shape_cpa_has_word(const char *list, const char *word);
/* Word by word until a visit gives false: then false. */
bool tp_shape_cpa_each_word(const char *list, bool (*visit)(void *ctx, const char *word),
                            void *ctx);

// data_predicates.c
typedef struct {
  tp_data_predicate data_predicates[TP_CPA_SHAPE_DATA];
  uint8_t exclusions[TP_CPA_SHAPE_DATA * TP_CPA_SHAPE_DATA][2];
  uint32_t n, n_exclusions;
} tp_shape_cpa_data;
/* The kind's data predicates, after its fields and pointers are known. */
void tp_shape_cpa_find_data(tp_shape_cpa *h, tp_shape_cpa_kind *k, tp_shape_cpa_data *out);
/* Numbers in cells rarely matter for properties of memory safety. */
bool tp_shape_cpa_compares_data(const tp_shape_cpa *h);

// cell_kinds.c: kinds of cells; opens and closes the analysis
bool tp_shape_cpa_open(tp_cpa *cpa, tp_str *why);
/* May a cell of this size be at an address that a variable of pointer type may have? */
bool tp_shape_cpa_may_track(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_var v);
/* By points-to class: may cells of this size be among the objects? NULL: nothing allocates any. */
bool *tp_shape_cpa_find_holders(const tp_shape_cpa *h, uint64_t size_bytes);
/* A kind for a structure of h->structures; false: there is no such class. Elements that were made
 * before track nothing of the kind. */
bool tp_shape_cpa_add_refined_kind(tp_shape_cpa *h, uint32_t structure, const tp_shape_type *type);
void tp_shape_cpa_close(tp_cpa *cpa);

// reached_cells.c
/* Are there cells in the graph that may be live? */
bool tp_shape_cpa_has_live_cells(const tp_shape_cpa_kind *k, uint32_t graph);
/* Does a variable, or a walk from one, come to each of them? */
bool tp_shape_cpa_reaches_live_cells(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                     uint32_t graph);

// shape_assume.c
/* Restricts the set to the graphs in which the condition may have this value; d: for the links. */
void tp_shape_cpa_assume(const tp_shape_draft *d, const tp_shape_cpa_kind *k, tp_graph_ids *set,
                         tp_term condition, bool value);
/* The value of the data predicate if `given`, over the same symbol, holds; HALF: neither value
 * follows by rewriting. */
tp_kleene tp_shape_cpa_decide(tp_terms *tt, const tp_data_formula *d, tp_term assumption);

// shape_memory.c
void tp_shape_cpa_store(tp_shape_draft *d, const tp_edge_info *e);
void tp_shape_cpa_load(tp_shape_draft *d, const tp_edge_info *e);
void tp_shape_cpa_alloc(tp_shape_draft *d, const tp_edge_info *e);
void tp_shape_cpa_free(tp_shape_draft *d, const tp_edge_info *e);
void tp_shape_cpa_block(tp_shape_draft *d, const tp_edge_info *e);  // COPY, SET, HAVOC_MEMORY

// number_conditions.c
/* Marks the variables whose numbers may be stored into cells. */
void tp_shape_cpa_find_stored_numbers(tp_shape_cpa *h);
void tp_shape_cpa_assume_numbers(tp_shape_draft *d, tp_term condition);
/* v := value (NONE: any): drops conditions over v, havocs data predicates that compare with v. */
void tp_shape_cpa_number_changes(tp_shape_draft *d, tp_var v, tp_term value);
bool tp_shape_cpa_has_conditions(const tp_elem *e, const tp_elem *of);
/* Keeps the conditions that the element has, too. */
void tp_shape_cpa_join_conditions(tp_shape_draft *d, const tp_elem *with);
/* The value of the formula over variables that conditions and graphs imply, by a solver. */
tp_kleene tp_shape_cpa_query(const tp_shape_draft *d, uint32_t kind, tp_term fact);
/* The data predicates that are definite in a graph, over the variables that links equate with data.
 */
tp_term tp_shape_cpa_data_formula(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                  const tp_structure *s, const tp_shape_link *links,
                                  size_t n_links);

// precision_transfer.c
const tp_elem *tp_shape_cpa_transfer_precision(tp_cpa *cpa, const tp_elem *e,
                                               const tp_precision_transfer *from);

// transfer.c
void tp_shape_cpa_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out);
const tp_elem *tp_shape_cpa_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others,
                                       size_t n, const tp_step *step);
void tp_shape_cpa_assign(tp_shape_draft *d, tp_var v,
                         tp_term value);  // NONE: any value; a number, for a pointer: any number

#endif

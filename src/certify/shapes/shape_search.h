/* Inside of the check of shapes: places, paths between them, predicates at them.
 *
 * What       one search: a question, and the places of each class.
 * Represents a place is a pointer term. *Base* places are those for which graphs say something; the
 * others are fields of base places,
 *            which paths need.
 * Invariants places of one class are different terms (their addresses may be equal). */
#ifndef TP_CERTIFY_SHAPES_SHAPE_SEARCH_H
#define TP_CERTIFY_SHAPES_SHAPE_SEARCH_H

#include "certify/shapes/shape_check.h"

enum {
  TP_CHK_MOST_ADDRESSES = 72,
  TP_CHK_MOST_FIELDS = 16,
  TP_CHK_MOST_CHANGED = 2,
  TP_CHK_GRAPH_NODES = 64
};

/* At the start of the segment; now; and the part of the heap that was not touched in between: all
 * fields but those of the cells that changed. */
typedef enum { TP_CHK_PRE, TP_CHK_POST, TP_CHK_COMMON, TP_CHK_N_VERSIONS } tp_chk_heap_version;

typedef struct {
  tp_term at;
  bool is_base;
  uint32_t depth;    // added because a path went on from a place of less depth
  tp_term cell[2];   // by BEFORE, AFTER: it is a cell; NONE: not made yet, as below
  tp_term leads[2];  // ... that was not freed
  tp_term field[2][TP_CHK_MOST_FIELDS];
  int next[2][TP_CHK_MOST_FIELDS];  // the place that a field is, + 1; 0: none
} tp_chk_address;

/* Paths along some fields: X(i, j) for places, cycles. */
typedef struct {
  uint64_t fields;
  tp_term *
      path[TP_CHK_N_VERSIONS];  // TP_CHK_MOST_ADDRESSES * TP_CHK_MOST_ADDRESSES; NONE: not made yet
  tp_term *cycle[TP_CHK_N_VERSIONS];  // by place: one step or more leads back to it
} tp_chk_path_terms;

/* "There is a v": its value is this symbol. */
typedef struct {
  const tp_chk_formula *body;
  bool negated;
  uint8_t variable;
  tp_chk_heap_version when;
  int env[TP_CHK_VARIABLES];
  tp_term holds;
  uint32_t told;  // places for which that was said
} tp_chk_existential;

typedef struct {
  uint32_t number;  // of the class
  const tp_chk_class *c;
  tp_chk_address *places;
  uint32_t n, told;  // places; those of which all is said
  TP_VEC(tp_chk_path_terms) paths;
  TP_VEC(tp_chk_existential) some;
  tp_term element,
      *node;  // symbols: of the elements at the start, of those at each node of the chosen graph
  int changed[TP_CHK_MOST_CHANGED];  // places
  uint32_t n_changed;
  bool is_filled;     // a place stands for each node that has an element
  bool *readable[2];  // by predicate: can it be spoken of at the start, now?
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
  bool only_sketches;  // it need not go on where sketches find a state
  bool failed;         // too many places
} tp_chk_search;

static inline tp_term literal_of(tp_chk_search *s, tp_term t, uint8_t value) {
  return value ? t : tp_mk_not(s->tt, t);
}
static inline void say(tp_chk_search *s, tp_term condition, tp_term then) {
  tp_chk_query_assert(s->q, tp_mk_implies(s->tt, condition, then));
}

// graph_start.c
const tp_chk_graph *tp_chk_start_graph(const tp_chk_search *s, const tp_chk_class_heap *h);
/* Does the graph say anything of the predicate that can be spoken of at that moment? */
bool tp_chk_graph_constrains(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t k,
                             tp_chk_heap_version when);
/* What the values of a node say of an element. */
tp_term tp_chk_matches_node(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                            uint32_t node, tp_chk_heap_version when, int i);
void tp_chk_init_nodes(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph);
/* A place for each node that has an element and that no pointer leads to; false: they are there. */
bool tp_chk_instantiate_nodes(tp_chk_search *s, tp_chk_class_heap *h);
/* What the graph says of place k, and of it together with those before it. */
void tp_chk_assert_start_graph(tp_chk_search *s, tp_chk_class_heap *h, int k);

// graph_target.c
/* "The graph does not describe the heap that is here." */
typedef struct {
  uint32_t graph;
  tp_term fails;   // symbol
  bool is_told;    // what the symbol means
  tp_term *empty;  // by node: symbol; NONE: the node may be empty
  uint32_t told;   // places
} tp_chk_target_graph;
typedef TP_VEC(tp_chk_target_graph) tp_chk_target_graphs;
tp_chk_target_graph *tp_chk_target_of(tp_chk_search *s, tp_chk_target_graphs *all, uint32_t graph);
/* An element that is here: a cell, held by a pointer, or by a field of the cell at `holder`. */
tp_term tp_chk_is_element(tp_chk_search *s, tp_chk_class_heap *h, int i, int holder);
/* What `fails` means, with two new places. */
void tp_chk_assert_target(tp_chk_search *s, tp_chk_target_graph *t);
/* No element is at an empty node: none of the places. */
void tp_chk_assert_empty_nodes(tp_chk_search *s, tp_chk_target_graph *t);
/* A graph of which nothing was said yet, that the state calls unfit, and that seems to fit; NULL:
 * there is none. */
tp_chk_target_graph *tp_chk_next_target(tp_chk_search *s, tp_chk_target_graphs *all);

// shape.c
/* label: that is asked about, or 0. */
tp_chk_search *tp_chk_search_new(tp_chk_exec *g, uint32_t label);
void tp_chk_search_free(tp_chk_search *s);
/* The addresses that goals speak of are places. */
void tp_chk_add_goal_addresses(tp_chk_search *s, const tp_term *goals, size_t n);
/* Is there no state of the kind that is looked for? */
tp_chk_answer tp_chk_search_run(tp_chk_search *s, tp_chk_target_graphs *all);

// places.c
void tp_chk_class_heap_init(tp_chk_search *s, tp_chk_class_heap *h, uint32_t number);
void tp_chk_class_heap_clear(tp_chk_class_heap *h);
typedef enum { TP_CHK_BASE, TP_CHK_DERIVED } tp_chk_address_kind;
/* The place of this address; added if it is new. */
int tp_chk_address_number(tp_chk_search *s, tp_chk_class_heap *h, tp_term at,
                          tp_chk_address_kind importance);
tp_term tp_chk_address_term(const tp_chk_class_heap *h, int i);
tp_term tp_chk_same_address(tp_chk_search *s, const tp_chk_class_heap *h, int i, int j);
tp_term tp_chk_is_null(tp_chk_search *s, const tp_chk_class_heap *h, int i);
tp_term tp_chk_is_cell(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when);
/* A cell that was not freed: its fields lead somewhere, unless they are null. */
tp_term tp_chk_is_live_cell(tp_chk_search *s, tp_chk_class_heap *h, int i,
                            tp_chk_heap_version when);
tp_term tp_chk_field_term(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                          uint32_t f);
/* The place that the field is. */
int tp_chk_field_number(tp_chk_search *s, tp_chk_class_heap *h, int i, tp_chk_heap_version when,
                        uint32_t f, tp_chk_address_kind importance);
/* That equality of place k, and those before it, is an equivalence. */
void tp_chk_assert_equalities(tp_chk_search *s, tp_chk_class_heap *h, int k);
/* Which of the places are fields of others? */
void tp_chk_link_fields(tp_chk_search *s, tp_chk_class_heap *h);
tp_term tp_chk_variable_term(tp_chk_search *s, tp_var v, tp_chk_heap_version when);
/* Is it the value of a pointer that the class tracks there? */
tp_term tp_chk_is_pointed_to(tp_chk_search *s, tp_chk_class_heap *h, int i,
                             tp_chk_heap_version when);

// paths.c
tp_term tp_chk_path_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                         tp_chk_heap_version when, int i, int j);
/* ... of one step or more. */
tp_term tp_chk_steps_term(tp_chk_search *s, tp_chk_class_heap *h, uint64_t fields,
                          tp_chk_heap_version when, int i, int j);
/* Where a path from i to j, of one step or more, comes from last: a new place for each kind of
 * paths that is spoken of. */
void tp_chk_assert_last_steps(tp_chk_search *s, tp_chk_class_heap *h, tp_chk_heap_version when,
                              int i, int j);
/* What is true of paths between place k and those before it. */
void tp_chk_assert_paths(tp_chk_search *s, tp_chk_class_heap *h, int k);
/* In the state that was found, something about three places is not so: asserts it. */
bool tp_chk_refine_paths(tp_chk_search *s, tp_chk_class_heap *h);

// predicates.c
bool tp_chk_formula_is_readable(const bool *readable, const tp_chk_formula *f);
/* The formula with places for its variables; open: what open values stand for (false: no more holds
 * than it says, true: no less). */
tp_term tp_chk_formula_term(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_formula *f,
                            tp_chk_heap_version when, const int *env, bool open);
tp_term tp_chk_predicate_term(tp_chk_search *s, tp_chk_class_heap *h, uint32_t predicate,
                              tp_chk_heap_version when, int i, int j);
/* "There is" for places that are new. */
void tp_chk_assert_existentials(tp_chk_search *s, tp_chk_class_heap *h);

#endif

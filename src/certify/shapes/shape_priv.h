/* Inside of the check of shapes: places, paths between them, predicates at them.
 *
 * What       one search: a question, and the places of each class.
 * Represents a place is a pointer term. *Base* places are those for which graphs say something; the
 * others are fields of base places,
 *            which paths need.
 * Invariants places of one class are different terms (their addresses may be equal). */
#ifndef TP_CERTIFY_SHAPES_SHAPE_PRIV_H
#define TP_CERTIFY_SHAPES_SHAPE_PRIV_H

#include "certify/shapes/shape.h"

enum { TP_CS_PLACES = 72, TP_CS_FIELDS = 16, TP_CS_CHANGED = 2, TP_CS_NODES = 64 };

/* At the start of the segment; now; and the part of the heap that was not touched in between: all
 * fields but those of the cells that changed. */
typedef enum { TP_CS_BEFORE, TP_CS_AFTER, TP_CS_REST, TP_CS_MOMENTS } tp_cs_moment;

typedef struct {
  tp_term at;
  bool is_base;
  uint32_t depth;    // added because a path went on from a place of less depth
  tp_term cell[2];   // by BEFORE, AFTER: it is a cell; NONE: not made yet, as below
  tp_term leads[2];  // ... that was not freed
  tp_term field[2][TP_CS_FIELDS];
  int next[2][TP_CS_FIELDS];  // the place that a field is, + 1; 0: none
} tp_cs_place;

/* Paths along some fields: X(i, j) for places, cycles. */
typedef struct {
  uint64_t fields;
  tp_term *path[TP_CS_MOMENTS];   // TP_CS_PLACES * TP_CS_PLACES; NONE: not made yet
  tp_term *cycle[TP_CS_MOMENTS];  // by place: one step or more leads back to it
} tp_cs_paths;

/* "There is a v": its value is this symbol. */
typedef struct {
  const tp_cformula *body;
  bool negated;
  uint8_t variable;
  tp_cs_moment when;
  int env[TP_CGRAPH_VARIABLES];
  tp_term holds;
  uint32_t told;  // places for which that was said
} tp_cs_some;

typedef struct {
  uint32_t number;  // of the class
  const tp_cclass *c;
  tp_cs_place *places;
  uint32_t n, told;  // places; those of which all is said
  TP_VEC(tp_cs_paths) paths;
  TP_VEC(tp_cs_some) some;
  tp_term element,
      *node;  // symbols: of the elements at the start, of those at each node of the chosen graph
  int changed[TP_CS_CHANGED];  // places
  uint32_t n_changed;
  bool is_filled;     // a place stands for each node that has an element
  bool *readable[2];  // by predicate: can it be spoken of at the start, now?
} tp_cs_heap;

typedef struct tp_csearch {
  tp_chk_exec *g;
  tp_cshape *shape;
  tp_terms *tt;
  tp_chk_query *q;
  tp_chk_state here;
  tp_cs_heap *heaps;  // by class
  uint32_t n_heaps;
  bool is_unchanged, knows_changes;
  bool only_sketches;  // it need not go on where sketches find a state
  bool failed;         // too many places
} tp_csearch;

static inline tp_term literal_of(tp_csearch *s, tp_term t, uint8_t value) {
  return value ? t : tp_mk_not(s->tt, t);
}
static inline void say(tp_csearch *s, tp_term condition, tp_term then) {
  tp_chk_query_assert(s->q, tp_mk_implies(s->tt, condition, then));
}

// graph_start.c
const tp_cgraph *tp_cs_graph_at_start(const tp_csearch *s, const tp_cs_heap *h);
/* Does the graph say anything of the predicate that can be spoken of at that moment? */
bool tp_cs_is_definite(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t k, tp_cs_moment when);
/* What the values of a node say of an element. */
tp_term tp_cs_is_like(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, uint32_t node,
                      tp_cs_moment when, int i);
void tp_cs_open_nodes(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph);
/* A place for each node that has an element and that no pointer leads to; false: they are there. */
bool tp_cs_fill_nodes(tp_csearch *s, tp_cs_heap *h);
/* What the graph says of place k, and of it together with those before it. */
void tp_cs_tell_start(tp_csearch *s, tp_cs_heap *h, int k);

// graph_target.c
/* "The graph does not describe the heap that is here." */
typedef struct {
  uint32_t graph;
  tp_term fails;   // symbol
  bool is_told;    // what the symbol means
  tp_term *empty;  // by node: symbol; NONE: the node may be empty
  uint32_t told;   // places
} tp_cs_target;
typedef TP_VEC(tp_cs_target) tp_cs_targets;
tp_cs_target *tp_cs_target_of(tp_csearch *s, tp_cs_targets *all, uint32_t graph);
/* An element that is here: a cell, held by a pointer, or by a field of the cell at `holder`. */
tp_term tp_cs_is_element_here(tp_csearch *s, tp_cs_heap *h, int i, int holder);
/* What `fails` means, with two new places. */
void tp_cs_tell_target(tp_csearch *s, tp_cs_target *t);
/* No element is at an empty node: none of the places. */
void tp_cs_tell_empty_nodes(tp_csearch *s, tp_cs_target *t);
/* A graph of which nothing was said yet, that the state calls unfit, and that seems to fit; NULL:
 * there is none. */
tp_cs_target *tp_cs_next_target(tp_csearch *s, tp_cs_targets *all);

// shape.c
/* label: that is asked about, or 0. */
tp_csearch *tp_cs_search_new(tp_chk_exec *g, uint32_t label);
void tp_cs_search_free(tp_csearch *s);
/* The addresses that goals speak of are places. */
void tp_cs_add_goals(tp_csearch *s, const tp_term *goals, size_t n);
/* Is there no state of the kind that is looked for? */
tp_chk_answer tp_cs_search(tp_csearch *s, tp_cs_targets *all);

// places.c
void tp_cs_heap_init(tp_csearch *s, tp_cs_heap *h, uint32_t number);
void tp_cs_heap_clear(tp_cs_heap *h);
typedef enum { TP_CS_BASE, TP_CS_DERIVED } tp_cs_importance;
/* The place of this address; added if it is new. */
int tp_cs_place_of(tp_csearch *s, tp_cs_heap *h, tp_term at, tp_cs_importance importance);
tp_term tp_cs_at(const tp_cs_heap *h, int i);
tp_term tp_cs_same(tp_csearch *s, const tp_cs_heap *h, int i, int j);
tp_term tp_cs_is_null(tp_csearch *s, const tp_cs_heap *h, int i);
tp_term tp_cs_cell(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when);
/* A cell that was not freed: its fields lead somewhere, unless they are null. */
tp_term tp_cs_leads(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when);
tp_term tp_cs_field(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f);
/* The place that the field is. */
int tp_cs_next(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when, uint32_t f,
               tp_cs_importance importance);
/* That equality of place k, and those before it, is an equivalence. */
void tp_cs_tell_equalities(tp_csearch *s, tp_cs_heap *h, int k);
/* Which of the places are fields of others? */
void tp_cs_see_fields(tp_csearch *s, tp_cs_heap *h);
tp_term tp_cs_value(tp_csearch *s, tp_var v, tp_cs_moment when);
/* Is it the value of a pointer that the class tracks there? */
tp_term tp_cs_is_held(tp_csearch *s, tp_cs_heap *h, int i, tp_cs_moment when);

// paths.c
tp_term tp_cs_path(tp_csearch *s, tp_cs_heap *h, uint64_t fields, tp_cs_moment when, int i, int j);
/* ... of one step or more. */
tp_term tp_cs_steps(tp_csearch *s, tp_cs_heap *h, uint64_t fields, tp_cs_moment when, int i, int j);
/* Where a path from i to j, of one step or more, comes from last: a new place for each kind of
 * paths that is spoken of. */
void tp_cs_tell_last_steps(tp_csearch *s, tp_cs_heap *h, tp_cs_moment when, int i, int j);
/* What is true of paths between place k and those before it. */
void tp_cs_tell_paths(tp_csearch *s, tp_cs_heap *h, int k);
/* In the state that was found, something about three places is not so: asserts it. */
bool tp_cs_repair_paths(tp_csearch *s, tp_cs_heap *h);

// predicates.c
bool tp_cs_names_only(const bool *readable, const tp_cformula *f);
/* The formula with places for its variables; open: what open values stand for (false: no more holds
 * than it says, true: no less). */
tp_term tp_cs_formula(tp_csearch *s, tp_cs_heap *h, const tp_cformula *f, tp_cs_moment when,
                      const int *env, bool open);
tp_term tp_cs_predicate(tp_csearch *s, tp_cs_heap *h, uint32_t predicate, tp_cs_moment when, int i,
                        int j);
/* "There is" for places that are new. */
void tp_cs_tell_some(tp_csearch *s, tp_cs_heap *h);

#endif

/* Generalisation from inside: the chain of splits, regions as polyhedra, the two methods.
 *
 * What       shared by generalize.c (when, and what is accepted), generalize_pieces.c (formulas to
 *            polyhedra and back), generalize_widen.c and generalize_interpolant.c.
 * Invariants a note's cause is an earlier note. */
#ifndef TP_SEARCH_GENERALIZE_PRIV_H
#define TP_SEARCH_GENERALIZE_PRIV_H

#include "search/generalize.h"
#include "blocks/predicate_cost.h"
#include "numeric/polyhedra.h"
#include "smt/integers.h"

typedef struct {
  tp_abstract_step step;
  uint32_t node;  // of step.from
  tp_term rho;
  uint32_t cause;   // the note that cut off the region of step.to; 0: none
  bool is_general;  // rho is a generalisation: chains start anew behind it
} tp_split_note;

struct tp_generalizer {
  tp_partition *pt;
  tp_terms *tt;
  TP_VEC(tp_split_note) notes;  // [0] unused
  tp_map note_of_cell;          // cell that was split -> note
  tp_map generalisations;       // what was handed out -> 1
  tp_map failures;              // node -> how often nothing wider was found
  tp_polyhedra *helper;         // NULL: not started yet, or there is none
  bool has_no_helper;
  tp_predicate_costs costs;
  bool has_costs;
};

/* A candidate as what is handed out: (ii) holds for what rho excludes (of states that were
 * excluded; without such, of those the prefix leads to), (i) holds or is made to hold by adding
 * rho, and it has more states than rho. */
bool tp_generalizer_accept(tp_generalizer *g, const tp_split_problem *problem,
                           tp_abstract_step step, tp_term rho, tp_term *candidate);
/* The splits at the step's node that led to this one since the last generalisation among its
 * causes, newest first, not more than room. */
size_t tp_generalizer_chain(tp_generalizer *g, tp_abstract_step step, const tp_split_note **out,
                            size_t room);
/* The condition under which the prefix is run through and leads to the cell; whole: all of it as
 * one path. NONE: no prefix is known. */
tp_term tp_generalizer_arrival(tp_generalizer *g, const tp_split_problem *problem, uint32_t cell,
                               tp_path *whole);

bool tp_generalize_by_widening(tp_generalizer *g, const tp_split_problem *problem,
                               tp_abstract_step step, tp_term rho, tp_term *out);
bool tp_generalize_by_interpolants(tp_generalizer *g, const tp_split_problem *problem,
                                   const tp_abstract_path *path, size_t frontier, tp_term rho,
                                   tp_term *out);

/* Something with values for terms over the program's variables: a state, a model. */
typedef struct {
  bool (*value)(const void *ctx, tp_term t, tp_value *out);  // false: it cannot be had
  const void *ctx;
} tp_point;

// ---------------------------------------------------- formulas as polyhedra (generalize_pieces.c)

/* Integer points, in terms of bit-vector variables: those of a polyhedron where a condition that is
 * not linear holds. */
typedef struct {
  tp_term mode;  // over the space's variables
  tp_poly poly;
} tp_poly_piece;
typedef TP_VEC(tp_poly_piece) tp_poly_pieces;
void tp_poly_pieces_clear(tp_poly_pieces *p);

/* What the dimensions stand for: variables, and terms that are no sums (reads of memory, products),
 * which become variables of their own. */
typedef struct {
  tp_terms *tt;
  tp_integers *integers;
  tp_polyhedra *helper;
  tp_map stands_for;     // term -> variable in its place, and
  tp_map stood_for;      // back
  TP_VEC(tp_term) dims;  // bit-vector variables; at most TP_NUMERIC_POLY_DIMS
} tp_space;
void tp_space_init(tp_space *s, tp_terms *tt, tp_polyhedra *helper);
void tp_space_clear(tp_space *s);
/* A formula in the language of the space; and back. */
tp_term tp_space_abstract(tp_space *s, tp_term formula);
tp_term tp_space_original(tp_space *s, tp_term formula);
/* Dimensions for the bit-vector variables of a formula of the space. False: there are more than
 * `room` then, nothing has changed. */
bool tp_space_add_dims(tp_space *s, tp_term formula, size_t room);
bool tp_space_has_dims(const tp_space *s, tp_term formula);    // for all of them
bool tp_space_shares_dim(const tp_space *s, tp_term formula);  // for one of them
/* The conjunction of the first n_core formulas of the space, which have their dimensions, as
 * pieces; the others make pieces smaller where that does not take more of them. Together the pieces
 * contain all models of the conjunction. Bounds of types are left out. False: too many pieces, or
 * the helper gave up. */
bool tp_space_pieces(tp_space *s, const tp_term *formulas, size_t n, size_t n_core,
                     tp_poly_pieces *out);
/* A piece as a formula of the program's variables. */
tp_term tp_space_formula(tp_space *s, const tp_poly_piece *piece);
/* Is the point in the piece? What cannot be evaluated is. */
bool tp_space_is_in(tp_space *s, tp_point point, const tp_poly_piece *piece);

#endif

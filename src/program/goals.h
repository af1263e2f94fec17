/* Coverage goals: what a suite of tests is to come to.
 *
 * What       the goals of a program by a criterion: outcomes of conditions, lines of statements,
 *            calls of one function, or its returns; and the reachability question whether any run
 * comes to some of them. Represents a goal is a set of edges of the user's functions: it is covered
 * by a run that takes one of them. Edges of one function at one position with one text are one
 * goal, so that lowering a condition twice makes no second outcome. Each edge is of one goal at
 * most. Limits     a condition that lowering folds into a term (`x ? 1 : 2` without effects) has
 *            edges where the program was read with tp_front_options.shows_choices, else no goal;
 *            functions that main cannot call have none.
 * Ownership  the table owns its texts.
 * Source     branch and statement coverage: Myers 1979; goals as error locations: FShell, Holzer,
 *            Schallhart, Tautschnig, Veith 2008. */
#ifndef TP_PROGRAM_GOALS_H
#define TP_PROGRAM_GOALS_H

#include "program/program.h"

/* BOUNDARIES: branches of a program whose orders were split. */
typedef enum {
  TP_COVER_BRANCHES,
  TP_COVER_BOUNDARIES,
  TP_COVER_STATEMENTS,
  TP_COVER_CALLS,
  TP_COVER_RETURNS
} tp_goal_cover;

typedef struct {
  tp_pos pos;
  tp_func func;
  const char *text;   // "tmp4 < 1", "statement", "call of f": tells goals of one position apart
  const char *shown;  // the same for people: "f(a) < 1"
} tp_goal;

typedef struct {
  TP_VEC(tp_goal) v;
  uint32_t *of_edge;  // by edge: index of its goal, or UINT32_MAX
  size_t n_edges;     // length of of_edge
  tp_arena arena;
} tp_goals;

/* The outcome of a comparison that includes equality becomes two: equal, and beyond; so does each
 * outcome of a comparison with a constant: the number at the border, and beyond. The program means
 * the same; certificates for it are about the changed one. Before goals are made. */
void tp_goals_split_orders(tp_program *p);

/* callee: the function whose calls or returns count, for TP_COVER_CALLS and RETURNS; else NULL. The
 * order is that of the source within each function. */
void tp_goals_init(tp_goals *g, const tp_program *p, tp_goal_cover cover, const char *callee);
void tp_goals_clear(tp_goals *g);

/* Without the goals in the file with this path: of sources that the tool has made. */
void tp_goals_leave_out(tp_goals *g, const tp_program *p, const char *path);

/* The reachability program: an edge of a wanted goal leads to an error of unreach-call; no other
 * location is an error, runs that failed there end there. wanted: g->v.n flags. The certificate of
 * TRUE for the changed program says that no run comes to a wanted goal. Afterwards edges of g have
 * no meaning in the program: change a copy of the process. */
void tp_goals_make_errors(const tp_goals *g, const bool *wanted, tp_program *p);

#endif

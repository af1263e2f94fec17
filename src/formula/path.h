/* Path formulas: what a piece of program does to a state that is not known.
 *
 * What       loop-free pieces of the program as functions: a condition under which the piece is run
 *            through, and the value of every variable, ghost and memory cell behind it, both as
 *            terms over the state before it and inputs. Where ways meet, pieces are joined by
 *            conditionals, so a block of any size is one formula.
 * Represents all runs along the ways that were joined, from any state. The state before is spoken
 * of in the language of
 *            certificates: the symbols of variables and ghosts, and memory by the symbols of cells
 *            (program/cells.h). Weakest preconditions are substitution (tp_path_after), strongest
 *            postconditions questions about it.
 * Memory     typed arrays, one for each sort of cell. A store of one sort is exact for cells of
 *            bit-vectors that contain it or are contained; others that it may touch (points-to
 *            regions say which sorts meet) become inputs. What cannot be followed makes memory an
 *            input as a whole: more runs, never fewer. A new object's number is `next`, a counter
 *            of this file's own.
 * Integers   that become pointers: exact where the path itself made them from a pointer, else some
 *            pointer with this address.
 * Calls      no function is active twice on a path: variables are known by themselves.
 *            Indeterminate values are inputs.
 * Law        runs are over-approximated, so a proof by path formulas is one of the program, while a
 *            model need not be a run. Accesses without meaning do not end a path.
 * Ownership  paths own references into shared trees (_copy, _clear); terms live in the program's
 *            table.
 * Source     Theoduloz 2010, sec. 5.3.1 (Con), with substitution in the place of SSA constants;
 *            blocks: Beyer, Keremoglu, Wendler 2010 (adjustable-block encoding); Burstall 1972 (one
 *            array for each type of cell). */
#ifndef TP_FORMULA_PATH_H
#define TP_FORMULA_PATH_H

#include "formula/flatten.h"
#include "formula/guard.h"
#include "formula/pmap.h"
#include "program/locals.h"
#include "program/pointsto.h"

/* Memory behind a block that is copied or set, as one of the typed arrays: a new symbol, and what
 * its cells are made from. Over the state before the path's first step and inputs. */
typedef struct {
  tp_edge edge;
  tp_term symbol;  // the array behind the block
  tp_term before;  // the array before it
  tp_term target, length;
  tp_term source;  // COPY; else NONE
  tp_term byte;    // SET
} tp_path_block;

/* The factory: what paths of one program share. */
typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_guards guards;
  tp_locals locals;
  tp_pointsto *pointsto;
  tp_map inputs;        // (edge, count, sort) -> variable
  tp_map is_input;      // variable -> 1
  tp_map region_sorts;  // region -> set of sorts of its accesses, as bits by index into p->memory
  uint32_t all_sorts;   // of all accesses
  tp_map crossing;  // (region, sort): its cells of that sort may lie across each other; region 0:
                    // in all
  uint32_t crossing_sorts;              // anywhere
  bool reads_lost;                      // does the program ask whether an object is lost?
  tp_term next;                         // symbol: number of the next object
  tp_term start_memory[TP_N_MEMORIES];  // memory before main
  tp_map makes_pointer;                 // term of an edge -> does it make a pointer of an integer?
  tp_map settled;                       // term -> the same with what is known of statics
  tp_flattener flattener;
  TP_VEC(tp_path_block) blocks;  // too long to be followed cell by cell
  tp_map block_of;               // symbol -> number in blocks
  uint32_t n_renamed;            // inputs that belong to no edge
} tp_paths;
void tp_paths_init(tp_paths *x, const tp_program *p);
void tp_paths_clear(tp_paths *x);

typedef struct {
  tp_guard guard;  // false: no run takes it
  tp_pmap values;  // path_priv.h knows the keys; absent: unchanged
} tp_path;

tp_path tp_path_here(tp_paths *x);   // no step yet: every state, unchanged
tp_path tp_path_start(tp_paths *x);  // the same before main's first edge: globals and statics have
                                     // their initial values
tp_path tp_path_copy(const tp_path *a);
void tp_path_clear(tp_path *a);

// one step more, in place
void tp_path_edge(tp_paths *x, tp_path *a, tp_edge e);  // any edge but CALL
void tp_path_call(tp_paths *x, tp_path *a, tp_edge call,
                  tp_func callee);  // parameters := arguments, locals indeterminate
void tp_path_return(tp_paths *x, tp_path *a, tp_edge call, tp_func callee);
/* A whole call of which only a formula over globals, cells and the result is known (TRUE: nothing).
 */
void tp_path_summary(tp_paths *x, tp_path *a, tp_edge call, tp_func callee, tp_term post);
void tp_path_assume(tp_paths *x, tp_path *a, tp_term fact);  // over the state behind the path

/* The path that is a or b; takes both over. Their conditions exclude each other, as those of two
 * ways to one place do. */
tp_path tp_path_join(tp_paths *x, tp_path a, tp_path b);
/* a, then b, with b's inputs apart from a's. */
tp_path tp_path_then(tp_paths *x, const tp_path *a, const tp_path *b);
/* A term over the state behind a and inputs of another piece: over the state before a and inputs
 * apart from a's, which `renamed` (input -> new input; empty at first) keeps. */
tp_term tp_path_follow(tp_paths *x, const tp_path *a, tp_map *renamed, tp_term t);

// what it means, over the state before it and inputs
tp_term tp_path_condition(const tp_paths *x, const tp_path *a);
tp_term tp_path_after(tp_paths *x, const tp_path *a, tp_term t);  // a term over the state behind it
static inline bool tp_path_is_false(const tp_path *a) { return tp_guard_is_false(a->guard); }
bool tp_paths_is_input(const tp_paths *x, tp_term var);
/* The count-th input (from 0) of the edge on a path of blocks that were not put behind others;
 * NONE: no path has this input. */
tp_term tp_paths_input_of(const tp_paths *x, tp_edge e, uint64_t count, tp_sort sort);
/* May t occur in a certificate? Only symbols of the program, no inputs, no counters; arrays under
 * SELECT only. */
bool tp_paths_is_expressible(const tp_paths *x, tp_term t);

/* Before a formula goes to a solver: without updates of arrays, and with what is true of every
 * state about what it reads: contents of statics before main, objects that do not exist yet. */
tp_term tp_paths_query(tp_paths *x, tp_term t);
/* What the cells of copied and set blocks are that t reads, and those that these are made from:
 * facts of all runs along paths that were not put behind others. Nothing else says it: what is read
 * there is an input otherwise. */
tp_term tp_paths_block_facts(tp_paths *x, tp_term t);
/* What each cell of this sort of a set block holds; NONE: not known as a value of the sort. */
tp_term tp_path_block_value(tp_paths *x, const tp_path_block *b, tp_sort sort);
/* The same of a term of any sort, without the facts: what to ask a model of a question for. */
tp_term tp_paths_flat(tp_paths *x, tp_term t);

#endif

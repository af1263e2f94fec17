/* Symbolic execution with merging: states, and what one edge does to a state.
 *
 * What       a symbolic state maps variables to terms over inputs, objects to contents, and has a
 *            path guard. Edges are executed by substitution: there are no equations, the formula is
 *            the hash-consed graph itself, and the term normaliser propagates constants while it is
 *            built. Where paths meet, states are joined: values become conditionals where, and only
 *            where, they differ.
 * Represents all runs along the paths that were executed, exactly: inputs are variables, everything
 * else a function of them.
 * Memory     one content per object (formula/content.h). Object numbers are constants: each
 *            executed ALLOC gets its own number, also when other paths skip it, so only the
 *            identity of objects agrees with the interpreter, not the number. Paths of which no run
 *            takes two share a number where they execute one ALLOC (`visit`). What is only there on
 *            one side of a join stays as it is: on the other side no pointer can lead to it.
 * Ends       an access without meaning ends the run: its validity becomes part of the guard and is
 *            noted as an assumption. What cannot be executed is noted as a gap, under whose
 *            condition nothing is proved.
 * Ownership  states own references into shared trees (_copy, _clear); everything else lives as long
 *            as the tp_symex.
 * Source     King, Symbolic execution and program testing, 1976; joins as in CBMC (Clarke,
 *            Kroening, Lerda 2004). */
#ifndef TP_FORMULA_SYMEX_H
#define TP_FORMULA_SYMEX_H

#include "formula/guard.h"
#include "formula/pmap.h"
#include "formula/pointer.h"
#include "formula/value_sets.h"
#include "program/program.h"

// ---------------------------------------------------------------------- states

typedef struct {
  tp_guard guard;   // false: no run gets here
  tp_pmap vars;     // tp_var id -> term id
  tp_pmap objects;  // object number -> tp_content *
  tp_term heap;     // number of live heap objects (BV32)
} tp_sym;

// --------------------------------------------------------------------- records

/* Where the bytes come from that nobody wrote. */
typedef enum { TP_BG_FILL, TP_BG_IMAGE, TP_BG_INPUT } tp_background_kind;

/* A piece of an unknown initial content: `bytes` bytes from `offset` on are the variable. */
typedef struct {
  uint64_t offset;
  uint32_t bytes;
  tp_term var;
} tp_piece;

typedef struct {
  tp_background_kind kind;
  tp_term fill;             // FILL: BV8
  uint32_t object;          // IMAGE: the static; INPUT: for names
  TP_VEC(tp_piece) pieces;  // INPUT: made on demand
  tp_map piece_at;          // INPUT: byte offset -> piece + 1
  uint32_t word;            // INPUT: bytes per element of `array`, 0: no array yet
  tp_term array;            // INPUT: variable for offsets that are not constants
} tp_background;

/* What does not change about an object while it exists. */
typedef struct {
  tp_object_kind kind;
  tp_term size;  // BV(ptr_bits)
  bool has_const_size;
  uint64_t size_bytes;
  bool is_const;
  tp_term allocated;  // path condition of its ALLOC
  tp_edge edge;       // its ALLOC, NONE: static
  uint32_t background;
} tp_instance;

/* An input that some run draws, in the order of execution along every path. */
typedef struct {
  tp_guard guard;
  tp_edge edge;
  tp_term var;                     // HAVOC
  uint32_t background;             // ALLOC: index
  uint32_t first_piece, n_pieces;  // HAVOC_MEMORY: in `pieces`
} tp_symex_event;

/* What a gap in the model is about, for advice to users. */
typedef enum {
  TP_GAP_CONSTRUCT,  // a construct without a model, or too large for it
  TP_GAP_BLOCK,      // a block that is longer than what is followed piece by piece
  TP_GAP_POINTER,    // the object behind a pointer is not known
  TP_GAP_CALLEE,     // a function without body may write memory
} tp_gap_kind;

/* A position where the verdict depends on something. */
typedef struct {
  tp_term condition;  // reached in the critical way
  tp_pos pos;
  const char *what;  // static text or from the arena
  tp_gap_kind kind;  // of a gap
} tp_note;

/* Postorder list of the nodes of an edge term, so that evaluation needs no look-ups. */
typedef struct {
  uint32_t n;
  struct tp_script_node {
    tp_term original;
    uint32_t arg[3];  // indices into the list
  } *nodes;
} tp_script;

typedef struct {
  TP_VEC(tp_term) vars;
  size_t used;
} tp_input_pool;

typedef struct tp_symex {
  const tp_program *p;
  tp_terms *tt;
  tp_arena arena;
  tp_guards guards;
  tp_value_sets values;
  tp_pointers pointers;
  tp_map scripts;                     // term id -> tp_script *
  TP_VEC(tp_term) results;            // of the script being evaluated
  TP_VEC(tp_instance) instances;      // by object number
  TP_VEC(tp_background) backgrounds;  // [0] unused
  tp_map fills;                       // fill byte -> background
  TP_VEC(tp_symex_event) events;
  TP_VEC(tp_piece) pieces;      // of HAVOC_MEMORY events
  TP_VEC(tp_note) assumptions;  // the verdict rests on: operations that end runs
  TP_VEC(tp_note) gaps;         // not executed: TRUE is impossible if reachable
  tp_map pools;                 // sort id -> index + 1 into pool
  TP_VEC(tp_input_pool) pool;   // input variables by sort, used again after a restart
  uint64_t edges_done;
  uint64_t visit;  // of the location that is executed: a run comes there once at most; 0: not known
  tp_map made_at;  // visit, ALLOC, size, fill -> object
  tp_map assumption_at;             // (position, text) -> index + 1 into assumptions
  bool checks_access, checks_free;  // the property makes these errors: no assumptions about them
} tp_symex;

void tp_symex_init(tp_symex *x, const tp_program *p, tp_property asked);
void tp_symex_clear(tp_symex *x);
/* Forget all states' records and start again; terms and input variables are used again. */
void tp_symex_restart(tp_symex *x);

// ------------------------------------------------------------------ operations

/* The state at main's entry, before the first edge. */
tp_sym tp_sym_initial(tp_symex *x);
tp_sym tp_sym_copy(const tp_sym *s);
void tp_sym_clear(tp_sym *s);
/* The state that is a or b, by guard; takes both over. */
tp_sym tp_sym_join(tp_symex *x, tp_sym a, tp_sym b);

/* An edge term in this state. */
tp_term tp_sym_eval(tp_symex *x, tp_sym *s, tp_term t);
tp_term tp_sym_get(tp_symex *x, tp_sym *s, tp_var v);
void tp_sym_set(tp_sym *s, tp_var v, tp_term value);  // NONE: havoc
/* Strengthen the guard. */
void tp_sym_assume(tp_symex *x, tp_sym *s, tp_term condition);
/* Execute an edge that is neither a branch nor CALL nor RETURN (an ASSUME strengthens the guard).
 */
void tp_sym_step(tp_symex *x, tp_sym *s, tp_edge e);
/* Strengthen the guard by what the meaning of an operation asks for, and note it as an assumption.
 * what: static text, "division by zero". */
void tp_sym_require(tp_symex *x, tp_sym *s, tp_term condition, tp_pos pos, const char *what);
/* Note that runs with this guard and condition are not followed further, and end them here. */
void tp_sym_give_up(tp_symex *x, tp_sym *s, tp_term condition, tp_pos pos, const char *what,
                    tp_gap_kind kind);

/* The same for runs where it is not known what the pointer points to. */
void tp_sym_leave_unknown(tp_symex *x, tp_sym *s, tp_term pointer, tp_pos pos);

/* A new input variable of this sort. */
tp_term tp_symex_fresh(tp_symex *x, const char *name, tp_sort sort);

#endif

/* Inside of a concolic run (private to exec/).
 *
 * What       shadows of variables by slot, pieces of memory (exec/symbolic_memory.h), the path
 *            condition, and what the edge that is being taken will do to them: known before the
 *            edge, done after it, when the inputs that it asked for are there. */
#ifndef TP_EXEC_CONCOLIC_PRIV_H
#define TP_EXEC_CONCOLIC_PRIV_H

#include "exec/concolic.h"
#include "exec/symbolic_memory.h"
#include "exec/machine_state.h"

typedef struct {
  tp_term symbol;     // of a number
  uint32_t first, n;  // of bytes: their symbols
} tp_concolic_input;

/* What the edge being taken does when it is done. */
typedef enum {
  TP_PENDING_NONE,
  TP_PENDING_SET,
  TP_PENDING_ASKED,
  TP_PENDING_ALLOC,
  TP_PENDING_FILL,
  TP_PENDING_CALL
} tp_pending_kind;

struct tp_concolic {
  const tp_program *p;
  tp_terms *tt;
  tp_state *s;
  const tp_inputs *given;
  size_t next_given;
  tp_inputs asked;
  TP_VEC(tp_concolic_input) inputs;
  TP_VEC(tp_term) byte_symbols;
  TP_VEC(tp_term) slots;  // NONE: as the machine has it
  size_t n_symbolic;      // of slots
  tp_symbolic_memory memory;
  tp_concolic_path path;
  tp_map conditions;  // those in path -> 1
  bool is_exact, is_whole, has_given_up;
  bool has_addresses;  // there may be some in memory
  uint64_t steps;
  size_t first_terms, max_terms;  // of the table, when the run began; how many it may add

  struct {
    tp_pending_kind kind;
    tp_edge edge;
    size_t slot;         // SET, ASKED, ALLOC
    tp_term value;       // SET
    uint32_t object;     // FILL
    uint64_t offset, n;  // FILL
    size_t n_asked;      // before the edge
    size_t n_frames;     // CALL: before it
  } pending;
  TP_VEC(tp_term) arguments;  // CALL
  tp_map slots_of;            // term of an edge -> index into slot_lists + 1
  tp_runner *runner;          // NULL: all in the interpreter
  bool *stops;  // by location: some edge may touch what depends on inputs (concolic_skip.c)
  uint64_t stops_key;
  TP_VEC(uint32_t)
  slot_lists;  // a count, then slots: of globals, or (with LOCAL_SLOT) of the top frame
};

/* Countdowns of 0, in common blocks, where a run that nobody follows must not pass. Nothing is
 * pending. */
void tp_concolic_set_stops(tp_concolic *c, tp_visits *v);
/* Does the term of an edge depend on inputs in the state now? (Not through memory.) */
bool tp_concolic_depends(tp_concolic *c, tp_term t);
/* The term over inputs; *symbolic = false: it is a constant of this run, *out is not set. Pins go
 * to `pins`. False: it cannot be said. */
bool tp_concolic_eval(tp_concolic *c, tp_term t, bool *symbolic, tp_term *out,
                      tp_concolic_path *pins);
/* The value that memory holds for this sort; as above. The access is valid. */
tp_term tp_concolic_load(tp_concolic *c, uint32_t object, uint64_t offset, tp_sort sort,
                         tp_concolic_path *pins);
/* t, over inputs, equals what it is in this run. */
void tp_concolic_pin(tp_concolic *c, tp_term t, tp_value is, tp_concolic_path *pins);
/* The condition holds in this run. */
void tp_concolic_condition(tp_concolic *c, tp_term condition, bool is_pin, tp_concolic_path *to);

#endif

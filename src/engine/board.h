/* Facts that the engines of one run exchange, as data.
 *
 * What       an append-only record. Kinds: inputs (of a run that came somewhere new), goals (states
 *            of a location that a proof could not exclude and from which an error follows), and
 *            invariants (certificates without a claim).
 * Represents each fact as its author and a text, so that it passes between processes and into a
 *            file as it is. The order is that in which the supervisor read them.
 * Law        nobody believes a fact: inputs are run, goals are looked for by runs, invariants are
 *            proved again as part of the certificate of whoever uses them. A text that cannot be
 *            read is dropped by its reader.
 * Ownership  the record owns all texts.
 * Source     blackboards of cooperating provers: Beyer, Wehrheim 2020, "Verification artifacts in
 *            cooperative verification". */
#ifndef TP_ENGINE_BOARD_H
#define TP_ENGINE_BOARD_H

#include "engine/engine.h"

typedef struct {
  tp_board_kind kind;
  const char *by;  // the engine, or a configuration's name
  const char *text;
} tp_board_fact;

typedef struct tp_board {
  TP_VEC(tp_board_fact) v;
  size_t n_bytes[TP_N_BOARD_KINDS];
  tp_arena arena;
} tp_board;
void tp_board_init(tp_board *f);
void tp_board_clear(tp_board *f);
/* "inputs" */
const char *tp_board_kind_name(tp_board_kind kind);

/* Copies. False: there is such a fact, or facts of this kind are too large together. */
bool tp_board_add(tp_board *f, tp_board_kind kind, const char *by, const char *text);
/* Is there a fact of this kind behind the first n? */
bool tp_board_has(const tp_board *f, tp_board_kind kind, size_t n);
/* All, as text: "fact KIND AUTHOR", then its lines, each behind two spaces. */
void tp_board_write(const tp_board *f, tp_str *out);
/* Texts of this kind, one behind the other; NULL: there are none. In `arena`. */
const char *tp_board_join(const tp_board *f, tp_board_kind kind, tp_arena *arena);

/* A state of the location satisfies the formula, which speaks of variables and memory cells in
 * scope there: a run from it may fail. */
typedef struct {
  tp_loc at;
  tp_term formula;
  const char *by;  // of the fact
} tp_board_goal;
/* What an engine has to say, at once; nothing if nobody listens. `formula` is dropped if it has no
 * text. */
void tp_publish_inputs(const tp_budget *b, const tp_program *p, const tp_inputs *inputs);
void tp_publish_goal(const tp_budget *b, const tp_program *p, tp_loc at, tp_term formula);
/* False: the text is none of this kind. out of inputs: initialised. */
bool tp_board_read_inputs(const tp_board_fact *f, tp_inputs *out);
bool tp_board_read_goal(const tp_board_fact *f, const tp_program *p, tp_board_goal *out);

#endif

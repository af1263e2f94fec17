/* Inputs of a run: what the program asks the world for, in order of asking.
 *
 * What       a vector of typed values, oracles that answer requests, the test-vector file.
 * File       Test-Comp XML, or plain text: one value per line, a C literal, `bytes:` hex for
 *            memory, comments behind #. Written by us: plain text with a comment that says who
 *            asked where. */
#ifndef TP_EXEC_INPUT_H
#define TP_EXEC_INPUT_H

#include "program/program.h"

typedef struct {
  tp_input_kind kind;
  uint32_t width_bits;       // value: 1 .. 128; 0: bytes
  bool is_signed, is_float;  // for printing
  tp_u128 bits;
  const uint8_t *bytes;  // width_bits == 0: owned by the vector
  size_t n_bytes;
  size_t n_asked;    // recorded bytes: how many were asked for; bytes behind n_bytes are 0
  const char *name;  // who asked: function or variable; borrowed from the program, or ""
  tp_pos pos;
  const char *callee;  // asked within a library model, by the concrete machine: the function that
  tp_pos call_pos;     // the program called, and where; else NULL
} tp_input;
/* Where the program asked: its call of the library function that did. */
static inline tp_pos tp_input_pos(const tp_input *in) {
  return tp_pos_known(in->call_pos) ? in->call_pos : in->pos;
}

typedef struct {
  TP_VEC(tp_input) v;
  tp_arena arena;    // bytes, names read from files
  bool is_of_file;   // read from a file, which people may have written
  bool is_testcomp;  // a Test-Comp file: values of __VERIFIER_nondet_...() only
} tp_inputs;
void tp_inputs_init(tp_inputs *in);
void tp_inputs_clear(tp_inputs *in);
void tp_inputs_add(tp_inputs *in, tp_input value);  // copies bytes
void tp_inputs_add_all(tp_inputs *to, const tp_inputs *from);
void tp_inputs_write(const tp_inputs *in, const tp_diag *diag, tp_str *out);
/* <testcase> without metadata: what __VERIFIER_nondet_...() gave, which is all that the format has;
 * __VERIFIER_nondet_memory() as the unsigned chars of its published body. A comment counts what is
 * left out. head: comments to stand in front, or "". */
void tp_inputs_write_testcomp(const tp_inputs *in, const char *head, tp_str *out);
tp_status tp_inputs_read(const char *text, tp_inputs *out, tp_str *why) TP_MUST_USE;  // either form

/* Is this value only a model's guess at what a library function computes (`~` in front of its
 * name)? The concrete machine may take any; the compiled program must get the library's own. */
bool tp_input_is_guess(const tp_input *in);

/* Answers requests. ask fills bits or bytes of `io` (the other fields say who asks; for bytes
 * n_bytes is the most that matters and the answer must live until the run ends); false: no input
 * left. */
typedef struct tp_oracle {
  void *ctx;
  bool (*ask)(void *ctx, tp_input *io);
} tp_oracle;
/* From a vector; when it ends: zeros (if `then_zero`) or "no input left". What a Test-Comp file has
 * no place for is 0 (argc: 1), and takes no value of it; memory that is asked for behind the end of
 * a file is 0 if it is indeterminate. */
typedef struct {
  const tp_inputs *in;
  size_t next;
  bool then_zero;
} tp_vector_oracle;
tp_oracle tp_oracle_of_vector(tp_vector_oracle *state);
/* The same with zeros for all that is indeterminate, which takes no value of the vector; zeros when
 * it ends. */
tp_oracle tp_oracle_of_defined(tp_vector_oracle *state);
/* Wraps another oracle and records what it answered. */
typedef struct {
  tp_oracle inner;
  tp_inputs *to;
} tp_record_oracle;
tp_oracle tp_oracle_recording(tp_record_oracle *state);

#endif

/* Path codes: the decisions of a run, one bit each, run-length coded.
 *
 * What       at each location with several edges out, which of them was taken (two: one bit; more:
 *            the number of bits it takes), in order; calls through pointers: the number of the
 *            callee among those possible, likewise.
 * Represents the path of a run from where it started, completely: a run that follows the code needs
 *            no condition evaluated. Runs of the same pattern are stored once with a count, so a
 *            loop of 10^7 turns takes a few bytes, and so does a nest of loops.
 * Limits     a code has a largest size in bytes (exceeded by some words at most); beyond it, it
 *            ends (is_cut) behind a whole decision, where a snapshot lets the run go on. What is
 *            added later is ignored.
 * Law        equal decisions, equal codes: how they were divided into calls of add makes no
 *            difference.
 * Ownership  a code owns its words; it may be copied by assignment only together with that
 *            ownership. Readers borrow it. */
#ifndef TP_EXEC_PATH_CODE_H
#define TP_EXEC_PATH_CODE_H

#include "exec/exec.h"

typedef struct {
  TP_VEC(uint64_t) words;       // private: symbols (path_code.c)
  uint64_t pending;             // private: the latest bits,
  uint32_t n_pending;           // fewer than 64 of them
  struct tp_path_coder *coder;  // private: NULL until there are 64 bits, and after the end
  uint64_t n_bits;              // decisions so far, in bits
  uint64_t steps;               // edges so far, when it was cut or the run ended; told by who runs
  size_t max_bytes;             // 0: 1 MiB
  bool is_cut;
} tp_path_code;
void tp_path_code_init(tp_path_code *c, size_t max_bytes);
void tp_path_code_clear(tp_path_code *c);
void tp_path_code_add(tp_path_code *c, uint32_t value,
                      uint32_t n_bits);  // n_bits 0 .. 32; the lowest bit is the earliest
void tp_path_code_add64(tp_path_code *c, uint64_t bits,
                        uint32_t n_bits);   // many decisions at once: 0 .. 64
void tp_path_code_finish(tp_path_code *c);  // after the run: before it is read or compared
bool tp_path_code_equal(const tp_path_code *a, const tp_path_code *b);

/* Reading a finished code from its start. */
enum { TP_PATH_WINDOW = 64, TP_PATH_LEVELS = 2, TP_PATH_HISTORY = 1024 };
typedef struct {
  const tp_path_code *code;  // private, all of it
  size_t word;
  struct {
    uint64_t last[TP_PATH_WINDOW];
    uint64_t n, left;
    uint32_t distance;
  } level[TP_PATH_LEVELS];
  uint64_t next, left;  // of the present symbol: bits to come
  uint64_t distance;    // 0: `next` has them; else: as that many bits ago
  uint64_t n_bits;      // read so far
  uint64_t history[TP_PATH_HISTORY];
} tp_path_reader;
tp_path_reader tp_path_read(const tp_path_code *c);
bool tp_path_next(tp_path_reader *r, uint32_t n_bits, uint32_t *value);  // false: the code ends

// ------------------------------------------------------- programs and their codes

/* Decisions in bits: which of n. 0 for n <= 1. */
static inline uint32_t tp_path_bits(uint32_t n) {
  return n <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(n - 1);
}
/* Of a call through a pointer: the functions whose address the program knows and that fit the call,
 * in order of ids. */
uint32_t tp_path_n_callees(const tp_program *p, tp_edge call);
bool tp_path_callee_number(const tp_program *p, tp_edge call, tp_func callee, uint32_t *number);
tp_func tp_path_callee(const tp_program *p, tp_edge call, uint32_t number);  // NONE: no such

/* An observer that writes down the path of a run of the interpreter. stop_when_cut: the run ends
 * (STOPPED) where the code does. */
typedef struct {
  const tp_program *program;
  tp_path_code *code;
  bool stop_when_cut;
} tp_path_recorder;
tp_observer tp_path_recording(tp_path_recorder *recorder);

/* The edges of a path one by one, from main's entry, without running anything. */
typedef struct {
  const tp_program *program;
  tp_path_reader reader;
  TP_VEC(tp_edge) calls;  // active; NONE for main
  tp_loc loc;             // where the next edge starts
} tp_path_walk;
void tp_path_walk_start(tp_path_walk *w, const tp_program *p, const tp_path_code *code);
/* The next edge; false: a location without edges that ends runs, or the code ends and a decision is
 * needed. Edges in between that need no decision are given even where the run itself ended on them:
 * who knows its steps stops there. */
bool tp_path_walk_next(tp_path_walk *w, tp_edge *out);
void tp_path_walk_clear(tp_path_walk *w);

/* Runs from `s` as long as its decisions are those of the code; ends (STOPPED) before the first
 * decision that is another, or that the code does not tell. same: it decided otherwise nowhere. */
tp_run_result tp_path_replay(const tp_program *p, tp_state *s, tp_oracle *oracle,
                             tp_run_limits limits, const tp_path_code *code, bool *same);

#endif

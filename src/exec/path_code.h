/* Path codes: the decisions of a run, one bit each, run-length coded.
 *
 * What       at each location with several edges out, which of them was taken (two: one bit; more: the number of bits it takes), in order; calls through
 *            pointers: the number of the callee among those possible, likewise.
 * Represents the path of a run from where it started, completely: a run that follows the code needs no condition evaluated. Runs of the same short
 *            pattern are stored once with a count, so a loop of 10^7 turns takes a few bytes.
 * Limits     a code has a largest size in bytes; beyond it, it ends (is_cut) and says after how many steps, where a snapshot lets the run go on. */
#ifndef TP_EXEC_PATH_CODE_H
#define TP_EXEC_PATH_CODE_H

#include "program/program.h"

typedef struct {
  TP_VEC(uint64_t) words;      // private: runs of patterns
  uint64_t pending, n_pending; // private: bits that are not stored yet
  uint64_t n_bits;             // decisions so far, in bits
  uint64_t steps;              // edges so far, when it was cut or the run ended
  size_t max_bytes;            // 0: 1 MiB
  bool is_cut;
} tp_path_code;
void tp_path_code_init(tp_path_code *c, size_t max_bytes);
void tp_path_code_clear(tp_path_code *c);
void tp_path_code_add(tp_path_code *c, uint32_t value, uint32_t n_bits);
void tp_path_code_finish(tp_path_code *c);           // after the run
bool tp_path_code_equal(const tp_path_code *a, const tp_path_code *b);

typedef struct { const tp_path_code *code; size_t word; uint64_t in_run; uint32_t bit; } tp_path_reader;
tp_path_reader tp_path_read(const tp_path_code *c);
bool tp_path_next(tp_path_reader *r, uint32_t n_bits, uint32_t *value);      // false: the code ends

#endif

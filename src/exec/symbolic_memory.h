/* Memory that depends on inputs: what a concolic run knows of bytes beside the bytes themselves
 * (private to exec/).
 *
 * What       for each object pieces (offset, bytes, term), in the order of their offsets; where
 *            there is none, memory is what it is.
 * Represents bytes as a store of the term leaves them, little-endian. Pointers are no pieces: who
 *            stores one that depends on inputs says what it is instead. Pieces do not overlap: what
 *            is written cuts what was there.
 * Ownership  _copy makes pieces of their own; terms live in their table. */
#ifndef TP_EXEC_SYMBOLIC_MEMORY_H
#define TP_EXEC_SYMBOLIC_MEMORY_H

#include "exec/object_memory.h"

typedef struct {
  uint64_t offset;
  uint32_t bytes;
  tp_term term;
} tp_symbolic_piece;
typedef TP_VEC(tp_symbolic_piece) tp_symbolic_pieces;

typedef struct {
  tp_terms *tt;
  TP_VEC(tp_symbolic_pieces) of;  // by object
  size_t n;                       // pieces in all
} tp_symbolic_memory;
void tp_symbolic_memory_copy(tp_symbolic_memory *to, const tp_symbolic_memory *from);
void tp_symbolic_memory_clear(tp_symbolic_memory *m);

/* Bits of a term (BOOL, BV, FP) as a store of it leaves them, 8 for each byte. */
tp_term tp_symbolic_bits(tp_terms *tt, tp_term value, uint32_t bytes);

/* A write of `bytes` bytes; NONE: of something that does not depend on inputs. Pieces that it cuts
 * are divided. */
void tp_symbolic_memory_write(tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                              uint64_t bytes, tp_term value);
/* Does something there depend on inputs? */
bool tp_symbolic_memory_overlaps(const tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                                 uint64_t bytes);
/* The piece that is exactly there; NONE: there is none. */
tp_term tp_symbolic_memory_exact(const tp_symbolic_memory *m, uint32_t object, uint64_t offset,
                                 uint64_t bytes);
/* The bytes there as one bit-vector, at most 128 bits. s: the state, for bytes that do not depend
 * on inputs. */
tp_term tp_symbolic_memory_read(const tp_symbolic_memory *m, const tp_state *s, uint32_t object,
                                uint64_t offset, uint32_t bytes);
/* What is known of n bytes goes with them when they are copied (overlap is fine). */
void tp_symbolic_memory_move(tp_symbolic_memory *m, uint32_t to, uint64_t to_offset, uint32_t from,
                             uint64_t from_offset, uint64_t n);

#endif

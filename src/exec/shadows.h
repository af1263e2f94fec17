/* Memory that depends on inputs: what a concolic run knows of bytes beside the bytes themselves
 * (private to exec/).
 *
 * What       for each object pieces (offset, bytes, term), in the order of their offsets; where
 *            there is none, memory is what it is.
 * Represents bytes as a store of the term leaves them, little-endian. Pointers are no pieces: who
 * stores one that depends on inputs says what it
 *            is instead. Pieces do not overlap: what is written cuts what was there.
 * Ownership  _copy makes pieces of their own; terms live in their table. */
#ifndef TP_EXEC_SHADOWS_H
#define TP_EXEC_SHADOWS_H

#include "exec/memory.h"

typedef struct {
  uint64_t offset;
  uint32_t bytes;
  tp_term term;
} tp_shadow;
typedef TP_VEC(tp_shadow) tp_shadow_list;

typedef struct {
  tp_terms *tt;
  TP_VEC(tp_shadow_list) of;  // by object
  size_t n;                   // pieces in all
} tp_shadows;
void tp_shadows_copy(tp_shadows *to, const tp_shadows *from);
void tp_shadows_clear(tp_shadows *m);

/* Bits of a term (BOOL, BV, FP) as a store of it leaves them, 8 for each byte. */
tp_term tp_shadow_bits(tp_terms *tt, tp_term value, uint32_t bytes);

/* A write of `bytes` bytes; NONE: of something that does not depend on inputs. Pieces that it cuts
 * are divided. */
void tp_shadows_write(tp_shadows *m, uint32_t object, uint64_t offset, uint64_t bytes,
                      tp_term value);
/* Forgets an object whole. */
void tp_shadows_drop(tp_shadows *m, uint32_t object);
/* Does something there depend on inputs? */
bool tp_shadows_touch(const tp_shadows *m, uint32_t object, uint64_t offset, uint64_t bytes);
/* The piece that is exactly there; NONE: there is none. */
tp_term tp_shadows_exact(const tp_shadows *m, uint32_t object, uint64_t offset, uint64_t bytes);
/* The bytes there as one bit-vector, at most 128 bits. s: the state, for bytes that do not depend
 * on inputs. */
tp_term tp_shadows_read(const tp_shadows *m, const tp_state *s, uint32_t object, uint64_t offset,
                        uint32_t bytes);
/* What is known of n bytes goes with them when they are copied (overlap is fine). */
void tp_shadows_move(tp_shadows *m, uint32_t to, uint64_t to_offset, uint32_t from,
                     uint64_t from_offset, uint64_t n);

#endif

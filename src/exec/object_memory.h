/* The memory of the concrete machine (private to exec/).
 *
 * What       objects with bytes, one indeterminate bit per bit of content, and one origin per byte.
 * Represents a byte with origin o is part of an address inside object o: raw bytes hold the address
 *            base(o) + offset, so integers, whole pointers and pieces of pointers read alike, and a
 *            pointer is got back when all its bytes agree on the origin. Objects never move: base
 *            is fixed at birth and never used again.
 * Invariants und and origin are NULL when nothing in the object ever needed them; content is NULL
 *            for an object that is dead or was never written and is all zero.
 * Ownership  contents are shared between copies of a state (counted) and copied at the first write.
 */
#ifndef TP_EXEC_OBJECT_MEMORY_H
#define TP_EXEC_OBJECT_MEMORY_H

#include "exec/exec.h"

/* A value with its shadow. PTR: bits is the offset, object the object. BV: object is the origin:
 * the integer is an address inside that object (0: a plain number). und: bits that no one
 * determined. */
typedef struct {
  tp_u128 bits, und;
  uint32_t object;
} tp_shaded;

typedef struct {
  uint32_t refs;
  uint64_t n;
  uint8_t *bytes;
  uint8_t *und;      // per byte a mask of indeterminate bits, or NULL
  uint32_t *origin;  // per byte, or NULL
} tp_object_content;

struct tp_object {
  tp_object_content *content;
  uint64_t base, size;
  tp_object_kind kind;
  bool live, is_const;
};

/* How a value lies in memory. */
typedef struct {
  tp_sort_kind kind;
  uint32_t width_bits;
  uint32_t bytes;
} tp_layout;

// sizes and addresses
enum { TP_ALIGN_DEFAULT = 16, TP_FIRST_BASE = 0x100000 };

/* New object with the next id; all zero. Returns 0 if the address space is used up. */
uint32_t tp_memory_alloc(tp_state *s, tp_object_kind kind, uint64_t size, uint32_t align);
/* Append an object record as it is (restoring a state). */
void tp_memory_end(tp_state *s, uint32_t id);   // no longer live, content dropped
void tp_memory_clear(tp_object *o);             // drop the content
tp_object tp_memory_share(const tp_object *o);  // a second owner of the content
bool tp_memory_equal(const tp_object *a, const tp_object *b);

/* NULL if n bytes at (object, offset) may be read or written; else why not, as static text. */
const char *tp_memory_read_error(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n);
const char *tp_memory_write_error(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n);

// the following require that the access is allowed
tp_shaded tp_memory_load(const tp_state *s, uint32_t object, uint64_t offset, tp_layout l);
void tp_memory_store(tp_state *s, uint32_t object, uint64_t offset, tp_layout l, tp_shaded v);
/* Quick ways for words of at most 64 bits without shadow; false: use the general way. */
bool tp_memory_load_plain(const tp_object *o, uint64_t offset, uint32_t bytes, uint64_t *out);
bool tp_memory_store_plain(tp_object *o, uint64_t offset, uint32_t bytes, uint64_t value);
void tp_memory_copy(tp_state *s, uint32_t to, uint64_t to_off, uint32_t from, uint64_t from_off,
                    uint64_t n);
void tp_memory_set(tp_state *s, uint32_t object, uint64_t offset, uint64_t n, tp_shaded byte);
/* Bytes that the shadows of an object would cost if it needed one of indeterminate bits, of
 * origins. */
uint64_t tp_memory_shadow_cost(const tp_object *o, bool und, bool origin);
typedef enum { TP_CONTENT_DEFINED, TP_CONTENT_INDETERMINATE } tp_content_is;
/* n bytes become given[0 .. n_given), then zeros. */
void tp_memory_fill(tp_state *s, uint32_t object, uint64_t offset, uint64_t n, const uint8_t *given,
                    size_t n_given, tp_content_is is);
tp_object_content *tp_memory_write(tp_state *s, uint32_t object);  // content, ours alone
uint8_t *tp_memory_und(tp_state *s, tp_object_content *c);         // the maps, made if missing
uint32_t *tp_memory_origin(tp_state *s, tp_object_content *c);

/* Is some live heap object out of reach from globals, frames and live stack objects? */
bool tp_memory_has_leak(const tp_state *s);

#endif

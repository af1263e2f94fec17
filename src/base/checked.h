/* Arithmetic that says when it overflows, and conversions that check.
 * Thin names over the compiler's builtins so that call sites read as intentions. */
#ifndef TP_BASE_CHECKED_H
#define TP_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool tp_add_size(size_t a, size_t b, size_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool tp_mul_size(size_t a, size_t b, size_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

static inline bool tp_add_i64(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool tp_sub_i64(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_sub_overflow(a, b, out);
}
static inline bool tp_mul_i64(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

/* Low n bits of a 64-bit word, 0 <= n <= 64. */
static inline uint64_t tp_mask64(uint32_t n) {
  return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

#endif

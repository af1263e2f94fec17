/* Answers of the system, for the models of what is not computed by the library.
 *
 * What       results of calls in the ranges that they promise, texts of any length.
 * Represents inputs of the world where every answer may really come, guesses (`~`, tp_model.h) where the program or the library has a part
 *            in it. errno is what it is. */
#ifndef TP_SYSTEM_H
#define TP_SYSTEM_H

#include "tp_model.h"

/* -1, or 0 */
static inline int __tp_done(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_bool("system_call") ? -1 : 0;
}
/* The same where the world has no say. */
static inline int __tp_computed(void) {
  __tp_errno_is_stale = 1;
  return __tp_env_bool("~system_call") ? -1 : 0;
}
/* The same of a call on the file of this number: none has a negative one, and of one that the program closed the world says nothing. */
static inline int __tp_done_on(int fd) {
  __tp_errno_is_stale = 1;
  if (fd < 0) return -1;
  return __tp_has_closed ? __tp_computed() : __tp_done();
}
/* -1, or a number that is not negative */
static inline int __tp_number(void) {
  int n = __tp_env_int("~system_call");
  __tp_assume(n >= -1);
  __tp_errno_is_stale = 1;
  return n;
}

/* A text of any length that lives to the end. */
static inline char *__tp_text(void) {
  unsigned long n = __tp_env_ulong("~text");
  __tp_assume(n > 0 && n < ULONG_MAX / 2);
  char *text = __tp_new_global("text of the system", n);
  __tp_env_bytes("~text", text, n);
  text[n - 1] = 0;
  return text;
}
/* What fits into size bytes, with its end; size is not 0. */
static inline void __tp_fill_text(char *to, unsigned long size) {
  __tp_env_bytes("~text", to, size);
  unsigned long end = __tp_env_ulong("~text");
  __tp_assume(end < size);
  to[end] = 0;
}

#endif

/* The builtins of tp_model.h for native tests: inputs come from a script, then from random numbers.
 * A failed assumption leaves the model (setjmp in POSSIBLE). */
#ifndef TEST_LIBC_ENVIRONMENT_H
#define TEST_LIBC_ENVIRONMENT_H

#include "../../lib/libc/tp_model.h"
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct {
  tp_rng rng;
  uint64_t script[64];
  int n, next;
  const char *text;            // what the next __tp_env_bytes gives, else random
  jmp_buf leave;
  bool was_unsupported;
  bool checks_memory;
} world;

/* POSSIBLE(x = model_f()): does the model get to its end with these inputs? */
#define POSSIBLE(...) (setjmp(world.leave) == 0 ? ((void)(__VA_ARGS__), true) : false)
#define SCRIPT(...)                                                      \
  do {                                                                   \
    const uint64_t values_[] = {__VA_ARGS__};                            \
    world.n = (int)(sizeof values_ / sizeof values_[0]);                 \
    memcpy(world.script, values_, sizeof values_);                       \
    world.next = 0;                                                      \
  } while (0)

static inline void world_begin(uint64_t seed) {
  memset(&world, 0, sizeof world);
  tp_rng_init(&world.rng, seed);
}
static inline uint64_t world_next(void) {
  if (world.next < world.n) return world.script[world.next++];
  return tp_rng_next(&world.rng) >> tp_rng_below(&world.rng, 64);
}
static inline uint64_t below(uint64_t n) { return tp_rng_below(&world.rng, n); }

#define ENV(type, name) \
  type __tp_env_##name(const char *who) { (void)who; return (type)world_next(); }
ENV(char, char) ENV(unsigned char, uchar) ENV(short, short) ENV(unsigned short, ushort) ENV(int, int) ENV(unsigned, uint)
ENV(long, long) ENV(unsigned long, ulong) ENV(long long, llong) ENV(unsigned long long, ullong)
_Bool __tp_env_bool(const char *who) { (void)who; return world_next() & 1; }
double __tp_env_double(const char *who) {
  (void)who;
  uint64_t bits = world_next();
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
float __tp_env_float(const char *who) { return (float)__tp_env_double(who); }
long double __tp_env_long_double(const char *who) { return __tp_env_double(who); }
void __tp_env_bytes(const char *who, void *p, unsigned long n) {
  (void)who;
  unsigned char *to = p;
  for (unsigned long i = 0; i < n; i++) to[i] = world.text ? (unsigned char)world.text[i] : (unsigned char)below(256);
}
void __tp_assume(_Bool c) {
  if (!c) longjmp(world.leave, 1);
}
_Noreturn void __tp_unsupported(const char *what) {
  (void)what;
  world.was_unsupported = true;
  longjmp(world.leave, 1);
}
_Noreturn void __tp_end(int status) { (void)status; longjmp(world.leave, 1); }
_Bool __tp_format_stores(void) { return false; }
void __tp_assumption(const char *what) { (void)what; }
void __tp_check_defined(_Bool c, const char *message) { (void)c, (void)message; }
void __tp_check_overflow(_Bool c, const char *message) { (void)c, (void)message; }
void __tp_check_apart(const void *a, const void *b) { (void)a, (void)b; }
_Bool __tp_memory_checked(void) { return world.checks_memory; }
#include "../../lib/libc/touch.c"

#endif

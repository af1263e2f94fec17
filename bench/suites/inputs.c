/* What a program under a fuzzer asks for: values from standard input, in the order of asking. A run ends where the input does, and where an assumption does not hold. */
#include <stdlib.h>
#include <unistd.h>

extern void tp_dump(void);  // of counters, where some are kept

static void end(void) {
  tp_dump();
  _exit(0);
}
static void fill(void *p, size_t n) {
  for (size_t have = 0; have < n;) {
    ssize_t more = read(0, (char *)p + have, n - have);
    if (more <= 0) end();
    have += (size_t)more;
  }
}
#define SOURCE(type, name)              \
  type __VERIFIER_nondet_##name(void) { \
    type x;                             \
    fill(&x, sizeof x);                 \
    return x;                           \
  }
SOURCE(char, char)
SOURCE(signed char, schar)
SOURCE(unsigned char, uchar)
SOURCE(short, short)
SOURCE(unsigned short, ushort)
SOURCE(int, int)
SOURCE(unsigned, uint)
SOURCE(unsigned, unsigned)
SOURCE(long, long)
SOURCE(unsigned long, ulong)
SOURCE(long long, longlong)
SOURCE(unsigned long long, ulonglong)
SOURCE(__int128, int128)
SOURCE(unsigned __int128, uint128)
SOURCE(float, float)
SOURCE(double, double)
SOURCE(size_t, size_t)
SOURCE(void *, pointer)
_Bool __VERIFIER_nondet_bool(void) {
  unsigned char x;
  fill(&x, 1);
  return x & 1;
}
void __VERIFIER_nondet_memory(void *p, size_t n) { fill(p, n); }
__attribute__((weak)) void __VERIFIER_assume(int c) {
  if (!c) end();
}
__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_assert(int c) {
  if (!c) abort();
}

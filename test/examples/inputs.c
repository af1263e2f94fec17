/* The inputs of an example, for a native run: words of the environment variable INPUTS, then
 * zeros; a program that still asks after 300,000 of them is ended. */
#include <stdlib.h>
#include <string.h>

static const char *next_word(void) {
  static char words[4096], *at;
  if (!at) {
    const char *given = getenv("INPUTS");
    strncpy(words, given ? given : "", sizeof words - 1);
    at = words;
  }
  at += strspn(at, " ");
  const char *word = at;
  at += strcspn(at, " ");
  if (*at) *at++ = 0;
  static int n_zeros;
  if (!*word && ++n_zeros > 300000) _Exit(0);
  return *word ? word : "0";
}

#define INTEGER(type, name) \
  type __VERIFIER_nondet_##name(void) { return (type)strtoll(next_word(), NULL, 10); }
INTEGER(char, char) INTEGER(unsigned char, uchar) INTEGER(short, short) INTEGER(unsigned short, ushort)
INTEGER(int, int) INTEGER(unsigned, uint) INTEGER(long, long) INTEGER(unsigned long, ulong)
void __VERIFIER_assume(int holds) {
  if (!holds) _Exit(0);
}
_Bool __VERIFIER_nondet_bool(void) { return strtoll(next_word(), NULL, 10) & 1; }
float __VERIFIER_nondet_float(void) { return strtof(next_word(), NULL); }
double __VERIFIER_nondet_double(void) { return strtod(next_word(), NULL); }

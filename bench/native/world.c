/* The inputs of a native run: numbers in the environment variable INPUTS, one after the other. */
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned __VERIFIER_nondet_uint(void) {
  static char *at;
  if (!at) at = getenv("INPUTS");
  return at ? (unsigned)strtoul(at, &at, 10) : 0;
}

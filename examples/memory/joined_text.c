/* Two texts of any length are copied behind each other, into a block that has room for both.
 * Broken: there is no room for the 0 at the end. */
#include <stdlib.h>
#include <string.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

struct text {
  size_t length;
  char *bytes;
};

static struct text make(size_t length) {
  return (struct text){length, malloc(length + 1)};
}

int main(void) {
  struct text a = make(__VERIFIER_nondet_ushort()), b = make(__VERIFIER_nondet_ushort());
  memset(a.bytes, 'a', a.length);
  memset(b.bytes, 'b', b.length);
  struct text both = make(a.length + b.length);
  memcpy(both.bytes, a.bytes, a.length);
  memcpy(both.bytes + a.length, b.bytes, b.length);
  both.bytes[a.length + b.length] = 0;
  free(a.bytes);
  free(b.bytes);
  free(both.bytes);
  return 0;
}

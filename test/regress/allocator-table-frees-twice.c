// expect: false(valid-free)  property: valid-memsafety  machine: lp64  cause: as allocator-by-address, in a table of hooks; this one fails
#include <stdlib.h>
#include <string.h>
struct hooks {
  void *(*allocate)(size_t);
  void (*release)(void *);
  void *(*copy)(void *, const void *, size_t);
};
static const struct hooks hooks = {malloc, free, memcpy};
static void use(const struct hooks *h, size_t n) {
  char *p = h->allocate(n);
  if (!p) return;
  h->copy(p, "abc", n);
  h->release(p);
  if (n == 3) h->release(p);
}
int main(void) {
  use(&hooks, 2);
  use(&hooks, 3);
  return 0;
}

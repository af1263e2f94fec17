// expect: true  property: valid-deref  machine: lp64  cause: bytes of an array of pointers that nobody wrote were read as a number
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
struct sorted { void **data; unsigned n, room; };
static int insert(struct sorted *s, void *item) {
  unsigned left = 0, right = s->n, at = 0;
  while (left != right) {
    at = (left + right) / 2;
    if (__VERIFIER_nondet_int() < 0)
      right = at;
    else
      left = at + 1;
  }
  if (s->n > 0 && s->data[at] != item) at++;
  if (s->n + 1 > s->room) {
    void **data = realloc(s->data, sizeof *data * (s->room * 2));
    if (!data) return 0;
    s->data = data;
    s->room *= 2;
  }
  memmove(&s->data[at + 1], &s->data[at], (s->n - at) * sizeof *s->data);
  s->data[at] = item;
  s->n++;
  return 1;
}
int main(void) {
  struct sorted *s = malloc(sizeof *s);
  s->room = __VERIFIER_nondet_uint();
  s->n = __VERIFIER_nondet_uint();
  if (s->room > 4 || s->room == 0 || s->n > s->room) return 0;
  s->data = malloc(s->room * sizeof *s->data);
  for (unsigned i = 0; i < s->room; i++) s->data[i] = malloc(4);
  return insert(s, malloc(4));
}

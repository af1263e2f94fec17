/* What is pushed last is popped first.
 * Broken: pop reads the free place above the top.
 * Fails with inputs: 5 6 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { ROOM = 4 };
struct stack {
  int at[ROOM + 1];
  int n;
};

static void push(struct stack *s, int x) {
  assert(s->n < ROOM);
  s->at[s->n++] = x;
}

static int pop(struct stack *s) {
  assert(s->n > 0);
  return s->at[s->n--];
}

int main(void) {
  struct stack s = {{0}, 0};
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  push(&s, a);
  push(&s, b);
  assert(pop(&s) == b);
  assert(pop(&s) == a);
  assert(s.n == 0);
  return 0;
}

/* A stack of different numbers in memory of a fixed length; what is pushed again moves to the top. The user pushes and pops in any order. */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct stack {
  int *elems;
  int size, max;
};

static struct stack *stack_new(int max) {
  struct stack *s = malloc(sizeof *s);
  if (!s) abort();
  s->elems = malloc((size_t)max * sizeof *s->elems);
  if (!s->elems) abort();
  s->size = 0;
  s->max = max;
  return s;
}

static void stack_pop(struct stack *s) {
  if (s->size > 0) s->size--;
}

static void stack_push(struct stack *s, int k) {
  int at = 0;
  while (at < s->size && s->elems[at] != k) at++;
  if (at < s->size) {
    for (; at + 1 < s->size; at++) s->elems[at] = s->elems[at + 1];
    s->elems[at] = k;
  } else if (s->size < s->max) {
    s->elems[s->size] = k;
    s->size++;
  }
}

int main(void) {
  struct stack *s = stack_new(__VERIFIER_nondet_uchar());
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) stack_push(s, __VERIFIER_nondet_uchar());
    else stack_pop(s);
  }
  free(s->elems);
  free(s);
  return 0;
}

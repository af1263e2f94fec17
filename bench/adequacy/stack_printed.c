/* A stack of different integers in an array of fixed length. What is pushed again moves to the top. */
#include <stdlib.h>

struct stack {
  int *elems;
  int size, max;
};

struct stack *stack_new(int max) {
  struct stack *s = malloc(sizeof *s);
  if (!s) return 0;
  s->elems = malloc((size_t)max * sizeof *s->elems);
  s->size = 0;
  s->max = max;
  return s;
}

void stack_pop(struct stack *s) {
  s->size--;
}

void stack_push(struct stack *s, int k) {
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

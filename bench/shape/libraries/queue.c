/* c-algorithms' queue, through its interface: pushed at one end, popped at the same or the other, in any order and number. */
#include "queue.h"

extern int __VERIFIER_nondet_int(void);

static void push_head(Queue *q) { (void)queue_push_head(q, q); }
static void push_tail(Queue *q) { (void)queue_push_tail(q, q); }
static void pop_head(Queue *q) { (void)queue_pop_head(q); }
static void pop_tail(Queue *q) { (void)queue_pop_tail(q); }

int main(void) {
  Queue *q = queue_new();
  if (!q) return 0;
  while (__VERIFIER_nondet_int()) push_head(q);
  OPERATION(q);
  queue_free(q);
  return 0;
}

/* A queue with a pointer to its last node, in a structure that functions get by its address.
 * Broken: the last node of the queue is freed, and the pointer to it stays.
 * Fails with inputs: 1, 1, 1, 0, 1, -1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int data;
};

struct queue {
  struct node *first, *last;
  int length;
};

static void init(struct queue *q) {
  q->first = q->last = NULL;
  q->length = 0;
}

static void put(struct queue *q, int data) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->data = data;
  fresh->next = NULL;
  if (q->last)
    q->last->next = fresh;
  else
    q->first = fresh;
  q->last = fresh;
  q->length++;
}

static int take(struct queue *q, int *data) {
  struct node *first = q->first;
  if (!first) return 0;
  *data = first->data;
  q->first = first->next;
  free(first);
  q->length--;
  return 1;
}

int main(void) {
  struct queue q;
  int data;
  init(&q);
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      put(&q, 1);
    else
      take(&q, &data);
  }
  while (take(&q, &data)) continue;
  return 0;
}

/* A queue of commands: a circular array with the place of the first and a count. Any order of calls, without end. */
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { abort(); }

enum { CAPACITY = 4 };

struct queue {
  unsigned first;              // below CAPACITY
  unsigned count;              // at most CAPACITY
  unsigned char items[CAPACITY];
};

static void queue_init(struct queue *q) {
  q->first = 0;
  q->count = 0;
}

static int queue_is_empty(const struct queue *q) { return q->count == 0; }
static int queue_is_full(const struct queue *q) { return q->count == CAPACITY; }

/* The place behind the last; the array goes round. */
static unsigned queue_end(const struct queue *q) {
  unsigned at = q->first + q->count;
  return at >= CAPACITY ? at - CAPACITY : at;
}

static int queue_put(struct queue *q, unsigned char item) {
  if (queue_is_full(q)) return 0;
  q->items[queue_end(q)] = item;
  q->count++;
  return 1;
}

static int queue_get(struct queue *q, unsigned char *item) {
  if (queue_is_empty(q)) return 0;
  *item = q->items[q->first];
  q->first++;
  if (q->first == CAPACITY) q->first = 0;
  q->count--;
  return 1;
}

/* Forgets all but the newest. */
static void queue_keep_last(struct queue *q) {
  if (queue_is_empty(q)) return;
  q->first += q->count - 1;
  if (q->first >= CAPACITY) q->first -= CAPACITY;
  q->count = 1;
}

enum { STOP, PUT, GET, KEEP_LAST, CLEAR };

int main(void) {
  struct queue q;
  unsigned char item = 0;
  queue_init(&q);
  while (1) {
    if (q.first >= CAPACITY || q.count > CAPACITY) reach_error();
    switch (__VERIFIER_nondet_uchar()) {
      case STOP: return 0;
      case PUT: queue_put(&q, item); break;
      case GET: queue_get(&q, &item); break;
      case KEEP_LAST: queue_keep_last(&q); break;
      case CLEAR: queue_init(&q); break;
      default: break;
    }
  }
}

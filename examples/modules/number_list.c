/* Reads numbers with commas between them, one character at a time, into an array: "12,345,6". Any text. */
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);
void reach_error(void) { abort(); }

enum { MOST = 3, LARGEST = 999 };
typedef enum { EXPECTS_NUMBER, IN_NUMBER, DONE, REFUSED } reading;

struct list {
  reading state;
  unsigned count;              // complete ones
  int value;                   // of the number that is being read
  int values[MOST];
};

static void list_init(struct list *l) {
  l->state = EXPECTS_NUMBER;
  l->count = 0;
  l->value = 0;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The number that was read is complete. */
static void list_add(struct list *l) {
  l->values[l->count] = l->value;
  l->count++;
  l->value = 0;
}

static void list_digit(struct list *l, int digit) {
  l->value = l->value * 10 + digit;
  l->state = l->value > LARGEST ? REFUSED : IN_NUMBER;
}

static void list_read(struct list *l, char c) {
  switch (l->state) {
    case EXPECTS_NUMBER:
      if (is_digit(c)) list_digit(l, c - '0');
      else l->state = REFUSED;
      break;
    case IN_NUMBER:
      if (is_digit(c)) {
        list_digit(l, c - '0');
      } else if (c == ',') {
        list_add(l);
        l->state = l->count == MOST ? REFUSED : EXPECTS_NUMBER;
      } else if (c == 0) {
        list_add(l);
        l->state = DONE;
      } else {
        l->state = REFUSED;
      }
      break;
    case DONE:
    case REFUSED: break;
  }
}

int main(void) {
  struct list l;
  list_init(&l);
  while (l.state != DONE && l.state != REFUSED) list_read(&l, __VERIFIER_nondet_char());
  if (l.state == DONE && l.count == 0) reach_error();
  return 0;
}

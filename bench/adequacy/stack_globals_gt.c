/* A stack in file-scope variables. */
enum { MAX = 4 };
static int elems[MAX];
static int size;

void stack_pop(void) { if (size > 0) size--; }

void stack_push(int k) {
  int at = 0;
  while (at < size && elems[at] != k) at++;
  if (at < size) {
    for (; at + 1 < size; at++) elems[at] = elems[at + 1];
    elems[at] = k;
  } else if (size < MAX) {
    elems[size] = k;
    size++;
  }
}

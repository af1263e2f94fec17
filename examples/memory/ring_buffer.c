/* Indices into a ring buffer are taken modulo its size. */
extern _Bool __VERIFIER_nondet_bool(void);

enum { SIZE = 4 };

int main(void) {
  int ring[SIZE] = {0};
  unsigned write = 0, read = 0, held = 0;
  for (int step = 0; step < 7; step++) {
    if (__VERIFIER_nondet_bool()) {
      if (held == SIZE) {
        read = (read + 1) % SIZE;
        held--;
      }
      ring[write] = step;
      write = write + 1 == SIZE ? 0 : write + 1;
      held++;
    } else if (held > 0) {
      ring[read] = -1;
      read = (read + 1) % SIZE;
      held--;
    }
  }
  return ring[0] == 100;
}

/* One turn too few.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int steps = 0;
  int value = 1;
  while (steps < 99) {
    value = value * 3 % 1009;
    steps++;
  }
  if (value != 246) reach_error();
  return 0;
}

/* One step is too small.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

static int square(int n) {
  int result = 0;
  int odd = 1;
  for (int i = 0; i < n; i++) {
    result += odd;
    odd += i == 40 ? 1 : 2;
  }
  return result;
}

int main(void) {
  int n = 50;
  if (square(n) != n * n) reach_error();
  return 0;
}

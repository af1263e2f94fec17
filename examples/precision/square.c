/* A square by additions only: the assertion has a product, which linear reasoning does not see. Values know all there is to know. */
extern void abort(void);
void reach_error(void) { abort(); }

static int square(int n) {
  int result = 0;
  int odd = 1;
  for (int i = 0; i < n; i++) {
    result += odd;
    odd += 2;
  }
  return result;
}

int main(void) {
  int n = 50;
  if (square(n) != n * n) reach_error();
  return 0;
}

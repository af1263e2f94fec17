/* Ten steps of one eighth make one and a quarter exactly; a tenth would not do. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  const double step = 0.125;
  double x = 0.0;
  for (int i = 0; i < 10; i++) {
    x += step;
  }
  if (x != 10 * step) {
    reach_error();
  }
  return 0;
}

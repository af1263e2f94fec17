/* A static local variable keeps its value between calls.
 * Broken: the variable is made anew in every call.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned next_number(void) {
  unsigned last = 100;
  last++;
  return last;
}

int main(void) {
  unsigned a = next_number();
  unsigned b = next_number();
  unsigned c = next_number();
  if (b != a + 1 || c != b + 1) {
    reach_error();
  }
  return 0;
}

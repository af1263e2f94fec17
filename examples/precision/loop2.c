/* A counted loop that has to be followed for 200 turns: values do, predicates need one for each turn. */
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int steps = 0;
  int value = 1;
  while (steps < 200) {
    value = value * 3 % 1009;
    steps++;
  }
  if (value != 985) reach_error();
  return 0;
}

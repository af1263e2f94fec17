/* A do-while loop that skips rejected values and leaves with an accepted one. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int is_accepted(int value) { return value >= 1 && value <= 6; }

int main(void) {
  int value;
  int attempts = 0;
  do {
    value = __VERIFIER_nondet_int();
    attempts++;
  } while (!is_accepted(value) && attempts < 5);
  if (!is_accepted(value)) {
    return 1;
  }
  int score = value * 10 + attempts;
  if (score < 11 || score > 65) {
    reach_error();
  }
  return 0;
}

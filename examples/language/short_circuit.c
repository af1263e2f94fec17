/* The right side of && and || runs only if the left side does not decide. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int calls;

static int called(int result) {
  calls++;
  return result;
}

int main(void) {
  int left = __VERIFIER_nondet_bool();
  int both = left && called(1);
  int either = left || called(0);
  if (calls != 1 || both != left || either != left) {
    reach_error();
  }
  return 0;
}

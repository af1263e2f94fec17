/* Ten turns with a choice in each that depends on the sum so far, two choices after them, and an error for every input but one.
 * Fails with inputs: 1 0 0
 *
 * Shape    loop and diamonds combined.
 * Hard     the first run that is not the exception fails; abstractions have to count ten turns, and each of these has two arms with different
 *          sums, so that partitioning doubles what it tells apart in every turn (2^10 classes of sums), besides a countdown of an input on the
 *          way that ends well (2^32 classes). */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned s = 0, p = 0, q = 0, i = 0;
  while (i < 10) {
    if (s > 100) {
      s = s - a;
    } else {
      s = s + 2 * a;
    }
    i = i + 1;
  }
  if (__VERIFIER_nondet_bool()) {
    p = p + 1;
  } else {
    p = p - 1;
  }
  if (__VERIFIER_nondet_bool()) {
    q = q + 1;
  } else {
    q = q - 1;
  }
  if (a == 0) {
    unsigned idle = __VERIFIER_nondet_uint();
    while (idle > 0) {
      idle = idle - 1;
    }
    return 0;
  }
  reach_error();
  return 0;
}

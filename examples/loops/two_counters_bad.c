/* Two counters that are changed together stay equal, modulo 2^32.
 * Broken: the second counter is not reset with the first.
 * Fails with inputs: 1 1 1 0 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned sent = 0;
  unsigned received = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      sent++;
      received++;
    } else {
      sent = 0;
    }
  }
  if (sent != received) {
    reach_error();
  }
  return 0;
}

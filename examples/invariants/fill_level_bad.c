/* Reading an empty buffer: the first thing that happens.
 * Fails with inputs: 1 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned written = 0;
  unsigned read = 0;
  unsigned fill = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      if (fill < 8) {
        written++;
        fill++;
      }
    } else if (fill != 1) {
      read++;
      fill--;
    }
    if (written - read != fill) reach_error();
    if (fill > 8) reach_error();
  }
  return 0;
}

/* The upper end is one too high: sixteen steps up.
 * Fails with inputs: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int cells[16] = {0};
  int i = 0;
  while (__VERIFIER_nondet_bool()) {
    if (i < 0 || i >= 16) reach_error();
    cells[i]++;
    i = __VERIFIER_nondet_bool() ? i + 1 : i - 1;
    if (i == 17) i = 15;
    if (i == -1) i = 0;
  }
  return 0;
}

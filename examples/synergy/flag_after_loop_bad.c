/* The same, but the last turn clears the flag for one input.
 * Fails with inputs: 77 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int flag = 1;
  int key = __VERIFIER_nondet_int();
  int i = 0, c = 0;
  while (i < 50) {
    c = c + i;
    i = i + 1;
    if (i == 50) {
      if (key == 77) flag = 0;
    }
  }
  if (flag != 1) reach_error();
  return 0;
}

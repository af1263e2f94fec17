/* Two ends walk towards each other: they meet, or pass by one step. How far they are apart is an input.
 * Broken: the right end takes two steps.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int left = 0;
  int right = __VERIFIER_nondet_int();
  if (right < 0) {
    return 0;
  }
  while (left < right) {
    left++;
    right -= 2;
  }
  if (left - right > 1 || left < right) {
    reach_error();
  }
  return 0;
}

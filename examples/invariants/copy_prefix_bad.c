/* One element too many is allowed: n = 65.
 * Fails with inputs: 65 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { SIZE = 64 };
static int from[SIZE];
static int to[SIZE];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > SIZE + 1) return 0;
  int j = 0;
  for (int i = 0; i < n; i++) {
    if (j >= SIZE) reach_error();
    to[j] = from[i];
    j++;
  }
  if (j != n) reach_error();
  return 0;
}

/* Figure 1: a thousand turns, then an input that was read before them is asked for. One run shows how to get behind the loop, the next one fails.
 * Fails with inputs: -5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned i = 0, c = 0;        // c wraps, which nothing asks for
  while (i < 1000) {
    c = c + i;
    i = i + 1;
  }
  if (a > 0) return 0;
  reach_error();
  return 0;
}

/* Figure 6: an input is counted down, and no run goes on behind that. The first look at the graph is the proof; who wants to know how many turns
 * are left never ends. */
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int y = __VERIFIER_nondet_int();
  while (y > 0) {
    y = y - 1;
  }
  __VERIFIER_assume(0);
  reach_error();
  return 0;
}

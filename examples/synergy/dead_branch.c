/* Figure 9 with a way out that no run takes. It is what makes partitioning after Lee and Yannakakis end: there, what is not stable is split
 * wherever it is, and the way out splits by x. A search that splits on ways to the error only never looks at it: against Theorem 2. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0;
  int y = 0;
  while (y >= 0) {
    if (__VERIFIER_nondet_bool()) {
      if (x != 0) return 0;
    }
    y = y + x;
  }
  reach_error();
  return 0;
}

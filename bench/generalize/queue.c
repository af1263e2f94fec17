/* A queue whose head never overtakes its tail. Safe.
 *
 * Needs    0 <= head and head <= tail and tail <= 1000. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int head = 0, tail = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) { if (tail < 1000) tail++; }
    else if (head < tail) head++;
  }
  if (tail - head < 0) reach_error();
  return 0;
}

/* Every element of a copy is incremented */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned a[n], b[n];
  for (int i = 0; i < n; i++) b[i] = a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) a[i]++;
  for (int i = 0; i < n; i++)
    if (!(a[i] == b[i] + 1)) {
      reach_error();
    }
  return 0;
}

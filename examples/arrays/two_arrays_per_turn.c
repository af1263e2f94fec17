/* Two arrays are written in each turn, the second from the first */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) b[i] = 0;
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = a[i] + 1;
  }
  for (int i = 0; i < n; i++)
    if (!(b[i] == i + 1 && a[i] == i)) {
      reach_error();
    }
  return 0;
}

/* A copy that stops before the buffer's end, with terminator */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int size = __VERIFIER_nondet_int();
  if (size < 1 || size > 100000) return 0;
  char a[n + 1], b[size];
  for (int i = 0; i < n; i++) a[i] = (char)__VERIFIER_nondet_int();
  a[n] = 0;
  int k = 0;
  while (k < size - 1 && a[k] != 0) {
    b[k] = a[k];
    k++;
  }
  b[k] = 0;
  if (!(b[k] == 0)) {
    reach_error();
  }
  for (int i = 0; i < k; i++)
    if (!(b[i] == a[i] && b[i] != 0)) {
      reach_error();
    }
  return 0;
}

/* Records of three cells each, written side by side */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10000000) {
    return 0;
  }
  int *a = malloc(3 * sizeof(int) * (unsigned long)n);
  if (!a) return 0;
  for (int i = 0; i < n; i++) {
    a[3 * i] = i;
    a[3 * i + 1] = 7;
    a[3 * i + 2] = -i;
  }
  for (int i = 0; i < n; i++)
    if (!(a[3 * i] + a[3 * i + 2] == 0 && a[3 * i + 1] == 7)) {
      reach_error();
    }
  return 0;
}

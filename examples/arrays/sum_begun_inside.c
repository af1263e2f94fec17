/* A sum in a cell that the first iteration begins */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000000) {
    return 0;
  }
  long total[1];
  int *a = malloc(sizeof(int) * (unsigned long)n);
  if (!a) return 0;
  for (int i = 0; i < n; i++) a[i] = 2;
  for (int i = 0; i < n; i++) {
    if (i == 0)
      total[0] = 0;
    else
      total[0] += a[i];
  }
  if (!(total[0] <= 2 * (long)n)) {
    reach_error();
  }
  return 0;
}

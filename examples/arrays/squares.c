/* Squares, and what is added to them in a second array */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000000) {
    return 0;
  }
  if (n > 40000) return 0;
  int *square = malloc(sizeof(int) * (unsigned long)n);
  int *sum = malloc(sizeof(int) * (unsigned long)n);
  if (!square || !sum) return 0;
  for (int i = 0; i < n; i++) square[i] = i * i;
  for (int i = 0; i < n; i++) sum[i] = square[i] + i;
  for (int i = 0; i < n; i++)
    if (!(sum[i] == i * i + i)) {
      reach_error();
    }
  return 0;
}

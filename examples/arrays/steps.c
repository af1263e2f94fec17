/* Each cell is seven more than the one before it */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000000) {
    return 0;
  }
  int *level = malloc(sizeof(int) * (unsigned long)n);
  if (!level) return 0;
  level[0] = 4;
  for (int i = 1; i < n; i++) level[i] = level[i - 1] + 7;
  for (int i = 0; i < n; i++)
    if (!(level[i] == 7 * i + 4)) {
      reach_error();
    }
  return 0;
}

/* An array of pointers to the cells of another */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int cells[n + 1];
  int *p[n];
  for (int i = 0; i <= n; i++) cells[i] = 0;
  for (int i = 0; i < n; i++) p[i] = &cells[i];
  for (int i = 0; i < n; i++) *p[i] = 1;
  for (int i = 0; i < n; i++)
    if (!(cells[i] == 1)) {
      reach_error();
    }
  return 0;
}

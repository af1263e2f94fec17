/* Flags in structures follow the values beside them */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct item {
  int value;
  char positive;
};
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  struct item a[n];
  for (int i = 0; i < n; i++) {
    a[i].value = __VERIFIER_nondet_int();
    a[i].positive = a[i].value > 0;
  }
  for (int i = 0; i < n; i++)
    if (!(!a[i].positive || a[i].value > 0)) {
      reach_error();
    }
  return 0;
}

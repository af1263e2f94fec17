/* Structures are copied field by field */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct pair {
  int key;
  short value;
};
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  struct pair a[n], b[n];
  for (int i = 0; i < n; i++) {
    a[i].key = __VERIFIER_nondet_int();
    a[i].value = (short)__VERIFIER_nondet_int();
  }
  for (int i = 0; i < n; i++) {
    b[i].key = a[i].key;
    b[i].value = a[i].value;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i].key == b[i].key && a[i].value == b[i].value)) {
      reach_error();
    }
  return 0;
}

/* No small letters are left */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  char s[n];
  for (int i = 0; i < n; i++) s[i] = (char)__VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (s[i] >= 'a' && s[i] <= 'z') s[i] = (char)(s[i] - 32);
  }
  for (int i = 0; i < n; i++)
    if (!(s[i] < 'a' || s[i] > 'z')) {
      reach_error();
    }
  return 0;
}

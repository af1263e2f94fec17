/* Blanks at the end are cut off */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  char s[n + 1];
  for (int i = 0; i < n; i++) s[i] = (char)__VERIFIER_nondet_int();
  s[n] = 0;
  int k = n;
  while (k > 0 && s[k - 1] == ' ') k--;
  s[k] = 0;
  if (!(k == 0 || s[k - 1] != ' ')) {
    reach_error();
  }
  for (int i = k + 1; i < n; i++)
    if (!(s[i] == ' ')) {
      reach_error();
    }
  return 0;
}

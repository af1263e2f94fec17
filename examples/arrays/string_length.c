/* No terminator before the length */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  char s[n + 2];
  for (int i = 0; i < n; i++) s[i] = (char)__VERIFIER_nondet_int();
  s[n] = 0;
  s[n + 1] = 0;
  int length = 0;
  while (s[length] != 0) length++;
  if (!(length <= n)) {
    reach_error();
  }
  for (int i = 0; i < length; i++)
    if (!(s[i] != 0)) {
      reach_error();
    }
  return 0;
}

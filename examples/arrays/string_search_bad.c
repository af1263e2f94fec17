/* The first place of a character in a string: wrong: the search goes on behind the first.
 * Fails with inputs: 2 97 97 97 */
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
  char c = (char)__VERIFIER_nondet_int();
  int k = 1;
  while (s[k] != 0 && s[k] != c) k++;
  for (int i = 0; i < k; i++)
    if (!(s[i] != c)) {
      reach_error();
    }
  return 0;
}

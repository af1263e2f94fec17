#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10000) return 0;
  char s[n + 1], old[n + 1];
  for (int i = 0; i < n; i++) {
    s[i] = __VERIFIER_nondet_char();
    if (s[i] == '\0') s[i] = '=';
    old[i] = s[i];
  }
  s[n] = old[n] = '\0';

  int cut = 0;
  while (s[cut] != '\0' && s[cut] != '=') cut++;
  char *rest = s + cut;
  if (*rest == '=') {
    *rest++ = '\0';
  }

  int off = old[cut] == '=' ? cut + 1 : cut;
  for (int i = 0; i < cut; i++) assert(s[i] == old[i] && s[i] != '=');
  assert(s[cut] == '\0');
  for (int i = 0; off + i <= n; i++) assert(rest[i] == old[off + i]);
  return 0;
}

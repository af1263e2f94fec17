#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 200) return 0;
  int m[n][n], old[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      old[i][j] = m[i][j] = __VERIFIER_nondet_int();

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      int t = m[i][j];
      m[i][j] = m[j][i];
      m[j][i] = t;
    }
  }

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      assert(m[i][j] == old[j][i]);
  return 0;
}

// The size of a variable-length array is fixed when its declaration is executed.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int total(int n, int a[n][n]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += a[i][j];
  return s;
}
int main(void) {
  int sum = 0;
  for (int n = 1; n <= 3; n++) {
    int a[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] = i * n + j;
    sum += total(n, a);
    int k = n;
    char b[k];
    k = 100;
    CHECK(sizeof b == (unsigned long)n);
    b[n - 1] = 1;
    sum += b[n - 1];
  }
  CHECK(sum == 0 + 1 + 6 + 1 + 36 + 1);
  return 0;
}

/* Two large arrays exchange their contents: wrong: the last pair stays.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = 1;
    b[i] = 2;
  }
  for (int i = 0; i < N - 1; i++) {
    int t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
  for (int i = 0; i < N; i++)
    if (!(a[i] == 2 && b[i] == 1)) {
      reach_error();
    }
  return 0;
}

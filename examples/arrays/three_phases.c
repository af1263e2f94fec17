/* Three values one after the other in large array */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = 1;
  for (int i = 0; i < N; i++) a[i] = a[i] + 1;
  for (int i = 0; i < N; i++) a[i] = a[i] * 3;
  for (int i = 0; i < N; i++)
    if (!(a[i] == 6)) {
      reach_error();
    }
  return 0;
}

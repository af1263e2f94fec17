/* All elements are set to a constant */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = 42;
  for (int i = 0; i < N; i++)
    if (!(a[i] == 42)) {
      reach_error();
    }
  return 0;
}

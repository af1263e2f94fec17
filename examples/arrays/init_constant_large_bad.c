/* All elements are set to a constant: wrong: the last element is left out.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N - 1; i++) a[i] = 42;
  for (int i = 0; i < N; i++)
    if (!(a[i] == 42)) {
      reach_error();
    }
  return 0;
}

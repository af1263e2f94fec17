/* A function of the index: 2 i + 3: wrong: the twin of one index is checked.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = 2 * i + 3;
  for (int i = 0; i < N; i++)
    if (!(a[i] == 2 * (i + i / 99999) + 3)) {
      reach_error();
    }
  return 0;
}

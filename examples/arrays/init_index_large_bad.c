/* Each element holds its index: wrong: the last one is checked against its length.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N + 1];
int main(void) {
  int i;
  for (i = 0; i < N; i++) a[i] = i;
  for (i = 0; i < N + 1; i++)
    if (!(a[i] == i)) {
      reach_error();
    }
  return 0;
}

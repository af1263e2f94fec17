/* No pointer of the array is null: wrong: the last one is.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int cell;
int *p[N];
int main(void) {
  for (int i = 0; i < N - 1; i++) p[i] = &cell;
  for (int i = 0; i < N; i++)
    if (!(p[i] != 0)) {
      reach_error();
    }
  return 0;
}

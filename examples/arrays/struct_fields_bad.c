/* Two fields of the elements of an array of structures: wrong: the fields of the last are
 * exchanged.
 * Fails without input. */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
struct point {
  int x, y;
} a[N];
int main(void) {
  for (int i = 0; i < N; i++) {
    a[i].x = i;
    a[i].y = i == 77777 ? i : i + 1;
  }
  for (int i = 0; i < N; i++)
    if (!(a[i].x + 1 == a[i].y)) {
      reach_error();
    }
  return 0;
}

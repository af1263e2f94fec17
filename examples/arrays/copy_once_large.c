/* A copy of a large array */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i + 1;
  for (int i = 0; i < N; i++) b[i] = a[i];
  for (int i = 0; i < N; i++)
    if (!(a[i] == b[i])) {
      reach_error();
    }
  return 0;
}

/* Every second element is set */
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N];
int main(void) {
  for (int i = 0; i < N; i += 2) a[i] = 5;
  for (int i = 0; i < N; i += 2)
    if (!(a[i] == 5)) {
      reach_error();
    }
  return 0;
}

/* Copied through three arrays */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 100000 };
int a[N], b[N], c[N], d[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < N; i++) b[i] = a[i];
  for (int i = 0; i < N; i++) c[i] = b[i];
  for (int i = 0; i < N; i++) d[i] = c[i];
  for (int i = 0; i < N; i++)
    if (!(d[i] == a[i])) {
      reach_error();
    }
  return 0;
}

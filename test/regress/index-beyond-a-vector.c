// expect: false(undefined)  property: undefined  machine: lp64  cause: an index beyond the end of a vector ended the run in silence
typedef int vector __attribute__((vector_size(16)));
extern int nondet_int(void);
int main(void) {
  int i = nondet_int();
  if (i < 0 || i > 4) return 0;
  vector v = {1};
  return v[i];
}

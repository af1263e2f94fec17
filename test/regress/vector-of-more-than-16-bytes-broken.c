// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: vectors of more than 128 bits were not supported
extern int nondet_int(void);
void reach_error(void) {}
typedef long vector __attribute__((vector_size(32)));
typedef double doubles __attribute__((vector_size(64)));
static vector table = {1, 2, 3, 4};
static void twice(vector *to, vector v) { *to = v + v; }
int main(void) {
  int i = nondet_int();
  if (i < 0 || i > 3) return 0;
  vector v;
  twice(&v, table);
  v[i] = 9;
  vector is_nine = v == 9;
  doubles d = {1.5, 2.5};
  d = d * 2.0;
  for (int k = 0; k < 4; k++)
    if (v[k] != (k == i ? 9 : 2 * k + 1) || is_nine[k] != (k == i ? -1 : 0)) reach_error();
  if (d[1] != 5.0 || d[7] != 0.0) reach_error();
  return 0;
}

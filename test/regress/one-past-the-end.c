// expect: unknown  property: unreach-call  machine: lp64  cause: one past the end of an object was thought to differ from its neighbour's address
void reach_error(void) {}
int a[1], b[1];
int main(void) {
  int *p = a + 1, *q = b + 1;
  if (p == b || q == a) reach_error();
  return 0;
}

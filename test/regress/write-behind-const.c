// expect: unknown  property: unreach-call  machine: lp64  cause: what lies behind a pointer in a constant struct was thought constant
struct box { int *p; };
void reach_error(void) {}
void fill(const struct box *);
int main(void) {
  int x = 1;
  struct box b = {&x};
  fill(&b);
  if (x == 2) reach_error();
  return 0;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: a local of the next turn was thought to lie elsewhere
void reach_error(void) {}
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
    if (p == &x) reach_error();
    p = &x;
  }
  return 0;
}

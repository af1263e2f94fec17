// Functions without prototypes, implicit declarations and types, old parameter lists.
extern void reach_error();
static add(a, b)
  int a;
  char b;
{
  return a + b;
}
sub(a, b) { return a - b; }
main() {
  register n = 300;
  if (add(1, n) != 45) reach_error();
  if (sub(5, 3) != 2) reach_error();
  if (late(4) != 16) reach_error();
  return 0;
}
int late(int x) { return x * x; }

// expect: unknown  property: unreach-call  machine: lp64  cause: a call through a pointer of another type ended the run
void reach_error(void) {}
static int wide(long x) {
  if (x == 3) reach_error();
  return 0;
}
int main(void) {
  int (*f)(int) = (int (*)(int))wide;
  return f(3);
}

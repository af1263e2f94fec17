// expect: true  property: unreach-call  machine: lp64  cause: a converted K&R parameter was made indeterminate at its declaration
void reach_error(void) {}
int scaled(a, b) int a; char b; { return a * b; }
int main(void) {
  if (scaled(3, 4) != 12) reach_error();
  return 0;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: a function without body was thought not to call what it is given
int called;
void reach_error(void) {}
static void handler(void) { called = 1; }
void subscribe(void (*f)(void));
int main(void) {
  subscribe(handler);
  if (called) reach_error();
  return 0;
}

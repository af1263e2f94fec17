// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: an error function that is called through a pointer was an ordinary function
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
static void fine(void) {}
static void (*const table[])(void) = {fine, reach_error};
int main(void) {
  table[__VERIFIER_nondet_uint() % 2]();
  return 0;
}

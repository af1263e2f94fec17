// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: behind a call that was taken as a whole, a global pointer could be no object
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
static int shared, *seen;

static void look(int n) {
  if (n > 0) look(n - 1);
  seen = &shared;
}

int main(void) {
  look(__VERIFIER_nondet_int() & 3);
  if (seen == &shared) reach_error();
  return 0;
}

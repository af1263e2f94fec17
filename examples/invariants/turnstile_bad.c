/* The fourth coin is taken although the way is open: three coins with a passage between each, one more.
 * Fails with inputs: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 0 1 0 1 1 1 1 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned paid, passed;
static _Bool open;

static void coin(void) {
  if (open && paid != 3) return;
  open = 1;
  paid++;
}

static void push(void) {
  if (!open) return;
  open = 0;
  passed++;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) coin();
    else push();
    if (paid - passed > 1) reach_error();
  }
  return 0;
}

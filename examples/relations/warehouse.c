/* Nothing is shipped before it was made, and no more is made than was ordered; the order is an input. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int ordered = __VERIFIER_nondet_int();
  if (ordered < 0) {
    return 0;
  }
  int made = 0;
  int shipped = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      if (made < ordered) {
        made++;
      }
    } else if (shipped < made) {
      shipped++;
    }
    if (shipped > made || made > ordered) {
      reach_error();
    }
  }
  return 0;
}

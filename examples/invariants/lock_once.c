/* A lock taken and given back in turns, with a flag that says who has it. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int locked = 0;
  unsigned old;
  unsigned new = __VERIFIER_nondet_uint();
  do {
    if (locked) reach_error();
    locked = 1;
    old = new;
    if (__VERIFIER_nondet_bool()) {
      locked = 0;
      new++;
    }
  } while (new != old);
  if (!locked) reach_error();
  return 0;
}

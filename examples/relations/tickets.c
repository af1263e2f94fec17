/* Tickets in a ring of any size: the next number is always one of the ring, and waiting people fit into it. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned size = __VERIFIER_nondet_uint();
  unsigned next = 0;
  unsigned waiting = 0;
  if (size == 0) {
    return 0;
  }
  while (__VERIFIER_nondet_bool()) {
    if (waiting < size && __VERIFIER_nondet_bool()) {
      next = (next + 1) % size;
      waiting++;
    } else if (waiting > 0) {
      waiting--;
    }
    if (next >= size || waiting > size) {
      reach_error();
    }
  }
  return 0;
}

/* A number moved by threes and sixes is a multiple of three as long as it stays small; congruences modulo three do not survive a wrap. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) x += 3;
    else x += 6;
    if (x >= 30) x = 0;
  }
  if (x % 3 != 0) reach_error();
  return 0;
}

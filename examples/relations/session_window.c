/* A window of 30 ticks that moves along: the clock is never before its start, and never more than 30 ticks behind. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned start = __VERIFIER_nondet_uint();
  if (start > 1000000) {
    return 0;
  }
  unsigned now = start;
  while (__VERIFIER_nondet_bool() && now < 4000000000u) {
    now++;
    if (now - start > 29) {
      start = now;
    }
    if (now < start || now - start >= 30) {
      reach_error();
    }
  }
  return 0;
}

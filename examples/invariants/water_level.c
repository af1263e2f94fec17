/* Two vessels: what leaves one comes into the other, x + y = n. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n;
  unsigned y = 0;
  while (x > 0) {
    x--;
    y++;
  }
  if (y != n) reach_error();
  return 0;
}

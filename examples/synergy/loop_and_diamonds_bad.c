/* The same, with a lock that one number in the last diamond gives back.
 * Fails with inputs: 0 0 0 0 0 0 0 0 0 4711 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define TEN(DO) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f) DO(g) DO(h) DO(i) DO(j)
#define INPUT(x) unsigned x = __VERIFIER_nondet_uint();
#define DIAMOND(x) if (x > 9) { x = x + 1; } else { x = x - 1; }

int main(void) {
  TEN(INPUT)
  int lock = 1;
  unsigned turn = 0, sum = 0;
  while (turn < 1000) {
    sum = sum + turn;
    turn = turn + 1;
  }
  TEN(DIAMOND)
  if (j == 4712) lock = 0;
  if (lock != 1) reach_error();
  return 0;
}

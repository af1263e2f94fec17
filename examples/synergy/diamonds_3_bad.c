/* Figure 8 broken, with 3 diamonds: the last one gives the lock back for one number.
 * Fails with inputs: 0 0 4711 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define INPUT(x) unsigned x = __VERIFIER_nondet_uint();
#define DIAMOND(x) if (x > 9) { x = x + 1; } else { x = x - 1; }
#define DIAMOND_THAT_UNLOCKS(x) if (x > 9) { x = x + 1; if (x == 4712) lock = 0; } else { x = x - 1; }
#define EACH(DO) DO(x0) DO(x1)

int main(void) {
  EACH(INPUT) INPUT(x2)
  int lock = 1;
  EACH(DIAMOND) DIAMOND_THAT_UNLOCKS(x2)
  if (lock != 1) reach_error();
  return 0;
}

/* Figure 8 broken, with 30 diamonds: the last one gives the lock back for one number.
 * Fails with inputs: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4711 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define INPUT(x) unsigned x = __VERIFIER_nondet_uint();
#define DIAMOND(x) if (x > 9) { x = x + 1; } else { x = x - 1; }
#define DIAMOND_THAT_UNLOCKS(x) if (x > 9) { x = x + 1; if (x == 4712) lock = 0; } else { x = x - 1; }
#define TEN(DO, x) DO(x##0) DO(x##1) DO(x##2) DO(x##3) DO(x##4) DO(x##5) DO(x##6) DO(x##7) DO(x##8) DO(x##9)
#define EACH(DO) TEN(DO, x0) TEN(DO, x1) DO(x20) DO(x21) DO(x22) DO(x23) DO(x24) DO(x25) DO(x26) DO(x27) DO(x28)

int main(void) {
  EACH(INPUT) INPUT(x29)
  int lock = 1;
  EACH(DIAMOND) DIAMOND_THAT_UNLOCKS(x29)
  if (lock != 1) reach_error();
  return 0;
}

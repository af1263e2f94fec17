/* Figure 8 with 30 diamonds: a lock is taken before them and asked for behind them. One reason holds on all 2^30 ways. The numbers may wrap. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define INPUT(x) unsigned x = __VERIFIER_nondet_uint();
#define DIAMOND(x) if (x > 9) { x = x + 1; } else { x = x - 1; }
#define TEN(DO, x) DO(x##0) DO(x##1) DO(x##2) DO(x##3) DO(x##4) DO(x##5) DO(x##6) DO(x##7) DO(x##8) DO(x##9)
#define EACH(DO) TEN(DO, x0) TEN(DO, x1) TEN(DO, x2)

int main(void) {
  EACH(INPUT)
  int lock = 1;
  EACH(DIAMOND)
  if (lock != 1) reach_error();
  return 0;
}

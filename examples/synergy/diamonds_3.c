/* Figure 8 with 3 diamonds: a lock is taken before them and asked for behind them. One reason holds on all 2^3 ways. The numbers may wrap. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define INPUT(x) unsigned x = __VERIFIER_nondet_uint();
#define DIAMOND(x) if (x > 9) { x = x + 1; } else { x = x - 1; }
#define EACH(DO) DO(x0) DO(x1) DO(x2)

int main(void) {
  EACH(INPUT)
  int lock = 1;
  EACH(DIAMOND)
  if (lock != 1) reach_error();
  return 0;
}

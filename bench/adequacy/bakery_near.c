/* Two processes draw tickets; the one with the smaller ticket enters. What both tickets have in common is taken off in each turn, so they never
 * grow, whatever they start from: only their order matters. Both are never inside. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

enum { DRAW, NEXT, WAIT, INSIDE, BOUND = 1000000 };

int main(void) {
  unsigned x1 = __VERIFIER_nondet_uint(), x2 = __VERIFIER_nondet_uint();
  int pc1 = DRAW, pc2 = DRAW;
  __VERIFIER_assume(x1 < BOUND && x2 < BOUND);
  while (1) {
    const unsigned common = x1 < x2 ? x1 : x2;
    x1 -= common;
    x2 -= common;
    if (__VERIFIER_nondet_int()) {
      if (pc1 == DRAW) x1 = x2, pc1 = NEXT;
      else if (pc1 == NEXT) x1++, pc1 = WAIT;
      else if (pc1 == INSIDE) pc1 = DRAW;
      else if (x1 <= x2) pc1 = INSIDE;
    } else {
      if (pc2 == DRAW) x2 = x1, pc2 = NEXT;
      else if (pc2 == NEXT) x2++, pc2 = WAIT;
      else if (pc2 == INSIDE) pc2 = DRAW;
      else if (x2 < x1) pc2 = INSIDE;
    }
    if (pc1 == INSIDE && pc2 == INSIDE) reach_error();
  }
}

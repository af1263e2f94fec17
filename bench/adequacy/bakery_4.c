/* Four processes draw tickets above those of all others; who holds the smallest, the first of equal ones, enters. Any start, tickets below a
 * bound: two are never inside. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

enum { DRAW, NEXT, WAIT, INSIDE, BOUND = 1000000 };

static unsigned larger(unsigned a, unsigned b) { return a < b ? b : a; }

int main(void) {
  unsigned x1 = __VERIFIER_nondet_uint(), x2 = __VERIFIER_nondet_uint(), x3 = __VERIFIER_nondet_uint(), x4 = __VERIFIER_nondet_uint();
  int pc1 = DRAW, pc2 = DRAW, pc3 = DRAW, pc4 = DRAW;
  while (1) {
    __VERIFIER_assume(x1 < BOUND && x2 < BOUND && x3 < BOUND && x4 < BOUND);
    switch (__VERIFIER_nondet_int()) {
    case 1:
      if (pc1 == DRAW) x1 = larger(larger(x2, x3), x4), pc1 = NEXT;
      else if (pc1 == NEXT) x1++, pc1 = WAIT;
      else if (pc1 == INSIDE) pc1 = DRAW;
      else if (x1 <= x2 && x1 <= x3 && x1 <= x4) pc1 = INSIDE;
      break;
    case 2:
      if (pc2 == DRAW) x2 = larger(larger(x1, x3), x4), pc2 = NEXT;
      else if (pc2 == NEXT) x2++, pc2 = WAIT;
      else if (pc2 == INSIDE) pc2 = DRAW;
      else if (x2 < x1 && x2 <= x3 && x2 <= x4) pc2 = INSIDE;
      break;
    case 3:
      if (pc3 == DRAW) x3 = larger(larger(x1, x2), x4), pc3 = NEXT;
      else if (pc3 == NEXT) x3++, pc3 = WAIT;
      else if (pc3 == INSIDE) pc3 = DRAW;
      else if (x3 < x1 && x3 < x2 && x3 <= x4) pc3 = INSIDE;
      break;
    default:
      if (pc4 == DRAW) x4 = larger(larger(x1, x2), x3), pc4 = NEXT;
      else if (pc4 == NEXT) x4++, pc4 = WAIT;
      else if (pc4 == INSIDE) pc4 = DRAW;
      else if (x4 < x1 && x4 < x2 && x4 < x3) pc4 = INSIDE;
      break;
    }
    if ((pc1 == INSIDE) + (pc2 == INSIDE) + (pc3 == INSIDE) + (pc4 == INSIDE) > 1) reach_error();
  }
}

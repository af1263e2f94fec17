/* Two processes draw tickets; the one with the smaller ticket enters. Tickets of one byte that wrap, from (0, 0): both can be inside. */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { DRAW, NEXT, WAIT, INSIDE };

int main(void) {
  unsigned char x1 = 0, x2 = 0;
  int pc1 = DRAW, pc2 = DRAW;
  while (1) {
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

// expect: true  property: no-overflow  machine: lp64  cause: the safe twin of left-shift.c
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char x = nondet_uchar();
  unsigned r = x << 23 | (unsigned)x << 24;
  return r == 0;
}

// expect: false(no-overflow)  property: no-overflow  machine: lp64  cause: left shifts were not counted as overflows
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char x = nondet_uchar();
  unsigned r = x << 24;
  return r == 0;
}

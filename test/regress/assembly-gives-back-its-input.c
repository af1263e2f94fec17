// expect: true  property: unreach-call  machine: lp64  cause: an assembly without text that has outputs was not supported
extern int nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = nondet_int(), y, a[2] = {1, 2}, *p = &x;
  long z = 4;
  const int old = x;
  __asm__ volatile("" : "+r"(x));
  __asm__("" : "=r"(y) : "0"(x));
  __asm__ volatile("" : "+m"(z) : : "memory");
  __asm__ volatile("" : : "r"(p), "r"(z) : "memory", "cc");
  __asm__ volatile("" : "+rm"(a[1]));
  __asm__ volatile("" : "+r"(p), "+r"(z));
  if (x != old || y != x || z != 4 || a[1] != 2 || *p != x) reach_error();
  return 0;
}

// expect: false(unreach-call)  monitor: seven.mon  machine: lp64
extern int __VERIFIER_nondet_int(void);
static long long wide(signed char a, unsigned char b, double f, short c, int d, unsigned e, int g, unsigned long long h, void *p) {
  return a == 0 && p && f > 0 && g + d + c + b + (int)e + (int)h ? -3000000000 : 2;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n > 100 || n < -100) return 0;
  long long (*f)(signed char, unsigned char, double, short, int, unsigned, int, unsigned long long, void *) = wide;
  if (m & 1) f = wide;
  if (n == 8) return 0;
  if ((m & 255) != 5) n = n == 7 ? 9 : n;
  return (int)f((signed char)(m - 6), 250, 1.5, 4, 5, 6, n, (unsigned long long)n << 31 << (m == 5), m == 4 ? 0 : &n);
}

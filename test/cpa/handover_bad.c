/* The last loop stops one too early. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 1000
int a[N];
int main(void) {
  int st = 0, ok = 0, p = 0, cmd = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (n < 0 || n >= N) return 0;
  for (;;) {
    if (st == 0) {
      if (cmd == 177) st = 1; else st = 2;
    } else if (st == 1) {
      if (cmd == 177) { st = 3; cmd = __VERIFIER_nondet_int(); } else st = 0;
    } else if (st == 2) {
      if (cmd != 177) {
        cmd = 79; st = 4; p = cmd;
        while (p > 0) { p--; if (p < N) a[p] = 0; }
        if (p > 0) reach_error();
      } else reach_error();
    } else if (st == 3) {
      if (cmd == 78) { st = 4; ok = 1; } else { st = 0; cmd = __VERIFIER_nondet_int(); }
    } else {
      if (ok) { if (cmd != 78) reach_error(); }
      else if (cmd != 79) reach_error();
      break;
    }
  }
  p = cmd;
  while (p < n - 1) { p++; if (p >= 0 && p < N) a[p] = 0; }
  if (p < n) reach_error();
  return 0;
}

// The same, broken.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
void down(int n) {
  if (n <= 0) { g = n & 1; return; }
  down(n - 1);
  if (g != 1) reach_error();
}
int main(void) {
  int keep = __VERIFIER_nondet_int();
  if (keep <= 3) return 0;
  down(__VERIFIER_nondet_int());
  if (g != 1) reach_error();
  if (keep <= 3) reach_error();
  return 0;
}

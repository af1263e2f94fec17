// paths that meet
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = 0;
  if (x > 5) z += 1;
  if (y > 5) z += 1;
  if (x > y && y > 5) z += 2;
  if (z < 0) reach_error();
  return 0;
}

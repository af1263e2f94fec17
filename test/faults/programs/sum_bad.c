// integers: three bounded inputs are added
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x < 10) s += x;
  }
  if (s > 26) reach_error();
  return 0;
}

// an array that is filled
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    a[i] = x < 0 ? 0 : x;
  }
  for (int i = 0; i < 3; i++)
    if (a[i] < 0) reach_error();
  return 0;
}

// a loop without a known bound
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uchar();
  while (x > 0) x--;
  if (x != 0) reach_error();
  return 0;
}

/* A store through a pointer that may lead to either: neither value is known any more; what is known is that one of them changed. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = 1, b = 1;
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  *p = 2;
  if (a != 1 && a != 2) reach_error();
  if (b != 1 && b != 2) reach_error();
  if (a == 2 && b == 2) reach_error();
  return 0;
}

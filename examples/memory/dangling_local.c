/* A pointer to a local variable is not used after the function has returned. */
extern int __VERIFIER_nondet_int(void);

static int *remember(int *place, int value) {
  *place = value;
  return place;
}

int main(void) {
  int place = 0;
  int *p = remember(&place, __VERIFIER_nondet_int());
  return *p == 42;
}

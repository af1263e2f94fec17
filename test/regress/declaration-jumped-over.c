// expect: unknown  property: valid-memsafety  machine: lp64  cause: a local whose declaration is jumped over lived until its function returned
int nondet(void);
int main(void) {
  int *p = 0;
  switch (nondet()) {
    int y;
  case 1: y = 1; p = &y; break;
  default: return 0;
  }
  return *p;
}

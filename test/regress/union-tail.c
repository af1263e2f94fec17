// expect: unknown  property: unreach-call  machine: lp64  cause: bytes that an initialiser leaves open were taken for zeros
void reach_error(void) {}
union u { int i; char c; };
int main(void) {
  union u v = {.c = 1};
  if (v.i != 1) reach_error();
  return 0;
}

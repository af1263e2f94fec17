// expect: unknown  property: unreach-call  machine: lp64  cause: memory that an assembly only writes was taken to be unchanged
void reach_error(void) {}
int main(void) {
  int x = 1;
  __asm__ volatile("" : "=m"(x));
  if (x != 1) reach_error();
  return 0;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: a pointer from outside was taken for an invalid one, and the load for the end of the run
int *get(void);
void reach_error(void) {}
int main(void) {
  int *p = get();
  if (p && *p == 3) reach_error();
  return 0;
}

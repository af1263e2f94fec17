// expect: false(valid-deref)  property: valid-memsafety  machine: lp64  cause: a constant that is written to became a variable
const int limit = 3;
int main(void) {
  *(int *)&limit = 4;
  return 0;
}

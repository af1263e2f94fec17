// expect: false(valid-deref)  property: valid-memsafety  machine: lp64  cause: calls through bad pointers were not checked
int main(void) {
  int (*f)(void) = 0;
  return f();
}

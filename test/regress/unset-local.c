// expect: false(valid-deref)  property: valid-memsafety  machine: lp64  cause: a marker of lifetime was taken for a first use, so that an unset local had no value of its own
int main(void) {
  int unset, *null = 0;
  if (unset) return *null;
  return 0;
}

/* A pointer set in a block is used only while the block's variable lives. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int fallback = 3;
  int *p = &fallback;
  if (__VERIFIER_nondet_bool()) {
    int inner = 5;
    p = &inner;
    *p += 1;
    p = &fallback;
  }
  return *p == 0;
}

// expect: unknown  property: unreach-call  machine: lp64  cause: assembly outside of functions was dropped
void reach_error(void) {}
int k = 1;
__asm__(".globl set_k\nset_k: movl $5, k\nret\n");
void set_k(void);
int main(void) {
  set_k();
  if (k == 5) reach_error();
  return 0;
}

// expect: false(undefined)  property: undefined  machine: lp64  cause: __builtin_assume_aligned was believed without a word
_Alignas(64) char room[128];
int main(void) {
  char *p = __builtin_assume_aligned(room + 8, 16);
  return *p;
}

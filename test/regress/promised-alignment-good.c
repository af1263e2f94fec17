// expect: true  property: undefined  machine: lp64  cause: the safe twin of promised-alignment.c
_Alignas(64) char room[128];
int main(void) {
  char *p = __builtin_assume_aligned(room, 1);
  return *p;
}

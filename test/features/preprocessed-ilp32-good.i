// A preprocessed file of a 32-bit compiler.
// machine: ilp32
# 1 "old.c"
# 1 "<built-in>"
typedef unsigned int size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern void *memset(void *, int, size_t);
struct list { struct list *next; long key; };
# 9 "old.c"
int main(void) {
  struct list *l = malloc(sizeof *l);
  memset(l, 1, sizeof *l);
  if (sizeof *l != 8 || l->key != 0x01010101) reach_error();
  return 0;
}

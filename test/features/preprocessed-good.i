// A preprocessed file: line markers, expanded macros, attributes of other compilers.
# 1 "preprocessed.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 1 "preprocessed.c" 2
extern void reach_error(void);
extern void *malloc(unsigned long) __attribute__((__nothrow__, __leaf__)) __attribute__((__malloc__));
static __inline __attribute__((__always_inline__)) int twice(int x) { return 2 * x; }
static __inline__ int thrice(int x) { return 3 * x; }
__extension__ typedef long long quad;
# 40 "preprocessed.c"
int main(void) {
  quad q = twice(4) + thrice(5);
  int *p = malloc(sizeof(int));
  *p = (int)q;
  if (*p != 23) { reach_error(); }
  return 0;
}

// Sizes, alignment and offsets are those of the platform.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <stddef.h>
struct s { char a; int b; char c; double d; short e; };
struct packed { char a; int b; } __attribute__((packed));
struct flex { int n; int t[]; };
int main(void) {
  CHECK(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(void *) == 8);
  CHECK(offsetof(struct s, b) == 4 && offsetof(struct s, d) == 16 && sizeof(struct s) == 32);
  CHECK(sizeof(struct packed) == 8 && _Alignof(double) == 8);
  struct packed p = {1, 0x01020304};
  CHECK(((char *)&p)[1] == 4 && p.b == 0x01020304);
  struct s v = {.b = 7, .e = 3};
  CHECK(*(int *)((char *)&v + offsetof(struct s, b)) == 7);
  CHECK(sizeof(struct flex) == 4);
  return 0;
}

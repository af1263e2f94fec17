// memcpy, memmove, memset and struct assignment move bytes and pointers.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <string.h>
struct s { char t[6]; int *p; };
int main(void) {
  int x = 3;
  char t[8] = "abcdef";
  struct s a = {"hello", &x}, b;
  memcpy(&b, &a, sizeof a);
  *b.p = 9;
  CHECK(x == 9 && b.t[4] == 'o');
  memmove(t + 2, t, 4);
  CHECK(t[2] == 'a' && t[5] == 'd' && t[1] == 'b' && t[6] == 0);
  memset(t + 1, 'z', 3);
  CHECK(t[0] == 'a' && t[3] == 'z' && t[4] == 'z');
  int n[3];
  memset(n, 0xff, sizeof n);
  CHECK(n[1] == -1);
  return 0;
}

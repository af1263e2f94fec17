// Inline functions keep their bodies.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

inline int plain(int x) { return x + 1; }
extern int plain(int x);
extern inline int external(int x) { return x + 2; }
static inline int internal(int x) { return x + 3; }
__attribute__((always_inline)) static inline int forced(int x) {
  for (int i = 0; i < 3; i++) x += i;
  return x;
}
int main(void) {
  CHECK(plain(1) == 2 && external(1) == 3 && internal(1) == 4);
  CHECK(forced(10) == 10);
  return 0;
}

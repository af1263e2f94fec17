// Variable arguments under the 32-bit convention: slots of four bytes.
// machine: ilp32
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <stdarg.h>
struct three { char t[3]; };
static double mixed(const char *types, ...) {
  va_list ap;
  double r = 0;
  va_start(ap, types);
  for (; *types; types++) {
    if (*types == 'i') r += va_arg(ap, int);
    if (*types == 'l') r += va_arg(ap, long long);
    if (*types == 'd') r += va_arg(ap, double);
    if (*types == 's') { struct three s = va_arg(ap, struct three); r += s.t[2]; }
  }
  va_end(ap);
  return r;
}
int main(void) {
  struct three s = {{1, 2, 3}};
  CHECK(mixed("ildsi", 1, 1LL << 32, 0.5, s, 10) == 4294967296.0 + 11.5);
  return 0;
}

// va_arg walks over the extra arguments by their promoted types; va_copy makes an independent walk.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <stdarg.h>
struct pair { int a, b; };
static long long sum(int n, ...) {
  va_list ap, again;
  long long s = 0;
  va_start(ap, n);
  va_copy(again, ap);
  for (int i = 0; i < n; i++) s += va_arg(ap, int);
  s = s * 1000 + va_arg(again, int);
  va_end(again);
  va_end(ap);
  return s;
}
static double mixed(const char *types, ...) {
  va_list ap;
  double r = 0;
  va_start(ap, types);
  for (; *types; types++) {
    if (*types == 'i') r += va_arg(ap, int);
    if (*types == 'l') r += va_arg(ap, long long);
    if (*types == 'd') r += va_arg(ap, double);
    if (*types == 'p') r += *va_arg(ap, int *);
    if (*types == 's') { struct pair p = va_arg(ap, struct pair); r += p.a * 10 + p.b; }
  }
  va_end(ap);
  return r;
}
static int inner(va_list ap) { return va_arg(ap, int) * 2; }
static int outer(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int r = inner(ap);
  va_end(ap);
  return r + n;
}
int main(void) {
  int x = 100;
  struct pair p = {4, 2};
  char c = -1;
  CHECK(sum(3, 1, 2, 3) == 6001 && sum(1, c) == -1001);
  CHECK(mixed("idlp", 1, 0.5, 1LL << 33, &x) == 1.5 + (double)(1LL << 33) + 100);
  CHECK(mixed("dsi", 0.25f, p, 7) == 42.25);
  CHECK(outer(1, 20) == 41);
  return 0;
}

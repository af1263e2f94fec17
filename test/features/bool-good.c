// Conversion to _Bool gives 0 or 1, whatever the value; it is one byte in memory.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static _Bool flag;
static _Bool both(_Bool a, _Bool b) { return a && b; }
int main(void) {
  _Bool b = 256;
  _Bool *p = &flag;
  double d = 0.25;
  *p = 2;
  CHECK(b == 1 && flag == 1 && sizeof flag == 1);
  b = d;
  CHECK(b + b == 2);
  b = both(b, 4) ^ 1;
  CHECK(!b);
  b++;
  b++;
  CHECK(b == 1);
  int i = b ? 5 : 6;
  CHECK(i == 5);
  return 0;
}

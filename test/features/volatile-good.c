// Volatile objects of the program are ordinary memory.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static volatile int v = 3;
static volatile int a[2];
int main(void) {
  volatile int l = v;
  l += v;
  a[1] = l;
  v = a[1] + 1;
  CHECK(l == 6 && a[0] == 0 && v == 7);
  return 0;
}

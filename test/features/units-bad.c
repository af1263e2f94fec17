// Two translation units share what is extern and keep what is static apart.
// files: units-other.c
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int counter;
static int hidden(void) { return counter += 2; }
extern int shared;
struct point { int x, y; };
extern struct point corner;
int step(void);
int main(void) {
  CHECK(hidden() == 2 && step() == 54);
  shared = 10;
  corner.y++;
  CHECK(step() == 63 && hidden() == 4 && corner.x + corner.y == 10);
  return 0;
}

// A local in a loop body is a new variable in each turn.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int *kept[3];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = 1;
    int a[2] = {i};
    kept[i] = &x;
    x += i;
    a[1] += a[0];
    sum += x * 10 + a[1];
  }
  CHECK(sum == 94);
  for (int i = 0; i < 2; i++) {
    int i = 5;
    i++;
    sum += i;
  }
  CHECK(sum == 75);
  { int sum = 1; sum++; }
  CHECK(sum == 75);
  return 0;
}

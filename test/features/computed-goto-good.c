// goto *p goes to the label whose address p holds.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int run(const int *code) {
  static void *table[] = {&&stop, &&inc, &&dbl};
  int acc = 1;
  goto *table[*code++];
inc:
  acc++;
  goto *table[*code++];
dbl:
  acc *= 2;
  goto *table[*code++];
stop:
  return acc;
}
int main(void) {
  int a[] = {1, 2, 2, 1, 0}, b[] = {0};
  CHECK(run(a) == 9 && run(b) == 1);
  return 0;
}

// Pointers move by elements; differences count elements; they compare by position.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int a[5] = {10, 20, 30, 40, 50};
  int *p = a, *q = &a[4];
  int **pp = &p;
  CHECK(q - p == 4 && p < q && *(p + 2) == 30);
  *p++ += 1;
  CHECK(a[0] == 11 && *p == 20);
  ++*p;
  (*pp)++;
  CHECK(a[1] == 21 && *p == 30 && **pp == 30 && p[-1] == 21 && 2[a] == 30);
  q -= 2;
  CHECK(p == q && p != a && !(p > q));
  short *s = (short *)a;
  s += 2;
  CHECK(*s == 11);
  char *c = (char *)(a + 3);
  CHECK(c - (char *)a == 12);
  p = 0;
  CHECK(!p);
  return 0;
}

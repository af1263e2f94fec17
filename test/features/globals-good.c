// Globals start with their initialisers or zero; addresses of globals are constants.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int zero;
static int seven = 7;
const int limit = 3;
static const int table[4] = {1, 2, 4, 8};
struct node { int v; struct node *next; };
static struct node b, a = {1, &b};
static struct node b = {2, &a};
static int *p = &seven, *q = &((int[]){5, 6})[1];
static char *names[] = {"one", "two"};
extern int later;
int later = 42;
int main(void) {
  CHECK(zero == 0 && *p == 7 && *q == 6 && later == 42);
  *p = 8;
  zero += limit;
  CHECK(seven == 8 && zero == 3 && table[limit] == 8);
  CHECK(a.next->next == &a && a.next->v == 2 && names[1][2] == 'o');
  b.next->v += table[1];
  CHECK(a.v == 3);
  return 0;
}

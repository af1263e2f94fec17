// malloc gives distinct objects; calloc clears; realloc keeps the content.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->v = i;
    n->next = head;
    head = n;
  }
  int s = 0;
  for (struct node *n = head; n; n = n->next) s = s * 10 + n->v;
  CHECK(s == 210);
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
  int *a = calloc(4, sizeof *a);
  CHECK(a[3] == 0);
  a[1] = 5;
  a = realloc(a, 8 * sizeof *a);
  a[7] = 6;
  CHECK(a[1] == 5 && a[0] == 0 && a[7] == 6);
  free(a);
  free(0);
  return 0;
}

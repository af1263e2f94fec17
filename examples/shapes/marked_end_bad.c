/* A list whose cells hold 1 or, if a flag says so, 2; the last one holds 3.
 * Broken: the walk looks for 2 without the flag, too.
 * Fails with inputs: 0 1 0 */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct node {
  int what;
  struct node *next;
};
int main(void) {
  struct node *all = malloc(sizeof *all), *p = all;
  int flag = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    p->what = flag ? 2 : 1;
    p->next = malloc(sizeof *p);
    p = p->next;
  }
  p->what = 3;
  p->next = NULL;
  p = all;
  if (flag)
    while (p->what == 2) p = p->next;
  else
    while (p->what == 2) p = p->next;
  if (p->what != 3) reach_error();
  return 0;
}

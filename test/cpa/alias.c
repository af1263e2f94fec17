/* Where pointers lead: to either of two variables, to fields, through pointers to pointers, to one of two blocks of the heap, to nothing. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node {
  int value;
  int *link;
};
int other = 9;
int main(void) {
  int a = 1, b = 1, c = 5;
  int *p = __VERIFIER_nondet_int() ? &a : &b, **pp = &p;
  struct node n = {3, &c};
  *p = 1;
  if (a != 1 || b != 1 || c != 5) reach_error();
  *pp = &c;
  *p = 9;
  if (c != 9 || n.value != 3) reach_error();
  if (__VERIFIER_nondet_int()) n.link = &other;
  if (*n.link != 9) reach_error();
  *n.link = 8;
  if (a != 1 || n.value != 3) reach_error();
  int *h = malloc(sizeof *h), *k = malloc(sizeof *k), *x = NULL;
  if (!h || !k) return 0;
  *h = 4, *k = 4;
  if (__VERIFIER_nondet_int()) x = h;
  else if (__VERIFIER_nondet_int()) x = k;
  if (x != NULL && *x != 4) reach_error();
  if (x != NULL) *x = 4;
  if (*h != 4 || *k != 4) reach_error();
  return 0;
}

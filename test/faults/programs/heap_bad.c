// cells on the heap
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

extern void *malloc(unsigned long);
extern void free(void *);
struct cell { int value; struct cell *next; };

int main(void) {
  struct cell *p = malloc(sizeof *p);
  p->value = 1;
  p->next = malloc(sizeof *p);
  p->next->value = p->value + 1;
  if (p->next->value != 1) reach_error();
  free(p->next);
  free(p);
  return 0;
}

// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a pointer whose bytes were written one by one could be no object
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = 0, *q = &x, *p = 0;
  char *from = (char *)&q, *to = (char *)&p;
  for (int i = 0; i < 8; i++) to[i] = from[i];
  if (p == &x) reach_error();
  return 0;
}

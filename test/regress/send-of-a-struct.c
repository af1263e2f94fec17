// expect: true  property: valid-memsafety  machine: lp64  cause: a function that the program declares with a struct was taken for the C library's of that name, which reads through its second parameter
extern int __VERIFIER_nondet_int(void);
struct packet { int from, to; long size; };
extern void send(struct packet p);
int main(void) {
  struct packet p = {__VERIFIER_nondet_int(), 2, 3};
  send(p);
  return p.to - 2;
}

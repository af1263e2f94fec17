/* Figure 1 repaired: only positive inputs come in; after a thousand turns the question is asked again. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a <= 0) return 0;
  unsigned i = 0, c = 0;        // c wraps, which nothing asks for
  while (i < 1000) {
    c = c + i;
    i = i + 1;
  }
  if (a > 0) return 0;
  reach_error();
  return 0;
}

/* Union and intersection of sets of small numbers, held as bits. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

typedef unsigned set;

static set of(unsigned element) { return 1u << element; }
static int has(set s, unsigned element) { return (int)(s >> element & 1u); }
static set unite(set a, set b) { return a | b; }
static set meet(set a, set b) { return a & b; }

int main(void) {
  set a = __VERIFIER_nondet_uint();
  set b = __VERIFIER_nondet_uint();
  unsigned x = __VERIFIER_nondet_uint();
  if (x > 31) {
    return 0;
  }
  if (has(unite(a, b), x) != (has(a, x) || has(b, x))) {
    reach_error();
  }
  if (has(meet(a, b), x) != (has(a, x) && has(b, x))) {
    reach_error();
  }
  if (!has(unite(a, of(x)), x) && !has(a, x)) {
    reach_error();
  }
  return 0;
}

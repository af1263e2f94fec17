/* Adding fractions passed and returned by value. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct fraction {
  int above;
  int below;
};

static struct fraction add(struct fraction a, struct fraction b) {
  struct fraction sum;
  sum.above = a.above * b.below + b.above * a.below;
  sum.below = a.below * b.below;
  return sum;
}

static int is_small(int n) { return n >= 1 && n <= 5; }

int main(void) {
  struct fraction a, b;
  a.above = __VERIFIER_nondet_int();
  a.below = __VERIFIER_nondet_int();
  b.above = __VERIFIER_nondet_int();
  b.below = __VERIFIER_nondet_int();
  if (!is_small(a.above) || !is_small(a.below) || !is_small(b.above) || !is_small(b.below)) {
    return 0;
  }
  struct fraction sum = add(a, b);
  /* (sum - a) == b, cross-multiplied */
  if ((sum.above * a.below - a.above * sum.below) * b.below != b.above * sum.below * a.below) {
    reach_error();
  }
  return 0;
}

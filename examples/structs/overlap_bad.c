/* Overlap of rectangles is symmetric.
 * Broken: one of the four comparisons compares an edge with the same edge.
 * Fails with inputs: 0 1 0 9 5 1 0 9 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct span {
  int from, length;
};
struct rectangle {
  struct span x, y;
};

static int spans_meet(struct span a, struct span b) {
  return a.from < b.from + b.length && b.from <= b.from + a.length;
}

static int overlap(const struct rectangle *a, const struct rectangle *b) {
  return spans_meet(a->x, b->x) && spans_meet(a->y, b->y);
}

static struct span read_span(void) {
  struct span s = {__VERIFIER_nondet_int(), 0};
  s.length = __VERIFIER_nondet_int();
  if (s.from < 0 || s.from > 100 || s.length < 1 || s.length > 100) {
    s = (struct span){.length = 1, .from = 0};
  }
  return s;
}

int main(void) {
  struct rectangle a, b;
  a.x = read_span();
  a.y = read_span();
  b.x = read_span();
  b.y = read_span();
  if (overlap(&a, &b) != overlap(&b, &a)) {
    reach_error();
  }
  return 0;
}

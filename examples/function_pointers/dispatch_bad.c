/* A table of operations; whatever is chosen, the inverse undoes it.
 * Broken: two entries of the table of inverses are exchanged.
 * Fails with inputs: 1 5 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

typedef unsigned (*operation)(unsigned);

static unsigned add_three(unsigned x) { return x + 3; }
static unsigned sub_three(unsigned x) { return x - 3; }
static unsigned invert(unsigned x) { return ~x; }
static unsigned rotate_left(unsigned x) { return x << 1 | x >> 31; }
static unsigned rotate_right(unsigned x) { return x >> 1 | x << 31; }

static const operation forth[] = {add_three, invert, rotate_left};
static const operation back[] = {invert, sub_three, rotate_right};

int main(void) {
  unsigned which = __VERIFIER_nondet_uint();
  unsigned x = __VERIFIER_nondet_uint();
  if (which >= sizeof forth / sizeof forth[0]) {
    return 0;
  }
  if (back[which](forth[which](x)) != x) {
    reach_error();
  }
  return 0;
}

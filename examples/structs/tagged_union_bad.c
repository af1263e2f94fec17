/* A union of shapes is read as what its tag says; areas are never negative.
 * Broken: one side of the square is read as the signed width of a box.
 * Fails with inputs: 1 -1 0 */
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum kind { SQUARE, BOX };
struct shape {
  enum kind kind;
  union {
    unsigned short side;
    struct {
      short width, height;
    } box;
  } as;
};

static long area(const struct shape *s) {
  switch (s->kind) {
    case SQUARE:
      return (long)s->as.side * s->as.box.width;
    case BOX:
      return (long)s->as.box.width * s->as.box.height;
  }
  return -1;
}

int main(void) {
  struct shape s;
  int is_square = __VERIFIER_nondet_int();
  short a = __VERIFIER_nondet_short();
  short b = __VERIFIER_nondet_short();
  if (is_square == 1) {
    s.kind = SQUARE;
    s.as.side = (unsigned short)a;
  } else {
    s.kind = BOX;
    s.as.box.width = (short)(a & 0x7fff);
    s.as.box.height = (short)(b & 0x7fff);
  }
  if (area(&s) < 0) {
    reach_error();
  }
  return 0;
}

/* A colour is packed into 16 bits by bit-fields and comes back.
 * Broken: green has five bits only.
 * Fails with inputs: 0 63 0 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct colour {
  unsigned short red : 5;
  unsigned short green : 5;
  unsigned short blue : 5;
};

int main(void) {
  unsigned char r = __VERIFIER_nondet_uchar();
  unsigned char g = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (r > 31 || g > 63 || b > 31) {
    return 0;
  }
  struct colour c = {.blue = b, .red = r, .green = g};
  if (c.red != r || c.green != g || c.blue != b) {
    reach_error();
  }
  return 0;
}

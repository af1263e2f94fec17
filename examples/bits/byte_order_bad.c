/* Swapping the bytes of a word twice gives the word; the first byte becomes the last.
 * Broken: one of the masks keeps the wrong byte.
 * Fails with inputs: 256 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned swap_bytes(unsigned x) {
  return x << 24 | (x & 0xffu) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = swap_bytes(x);
  if (swap_bytes(y) != x || (y & 0xffu) != x >> 24) {
    reach_error();
  }
  return 0;
}

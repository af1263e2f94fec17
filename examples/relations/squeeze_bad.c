/* Squeezing blanks out of a text of any length: the place to write never passes the place to read.
 * Broken: a blank becomes two.
 * Fails with inputs: 1 1 0 */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  unsigned from = 0;
  unsigned to = 0;
  while (from < length) {
    int is_blank = __VERIFIER_nondet_bool();
    from++;
    if (!is_blank) {
      to++;
    } else {
      to += 2;
    }
    if (to > from || to > length) {
      reach_error();
    }
  }
  return 0;
}

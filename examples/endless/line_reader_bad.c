/* Characters are gathered in a line of fixed length; a long line is cut.
 * Broken: the check leaves no room for the mark at the end.
 * Fails with inputs: 97 97 97 97 97 97 97 97 */
extern int __VERIFIER_nondet_int(void);

enum { LINE = 8 };

int main(void) {
  char line[LINE];
  unsigned long n = 0;
  int c;
  line[0] = 0;
  while ((c = __VERIFIER_nondet_int()) != 0) {
    if (c == '\n') {
      n = 0;
    } else if (n < LINE) {
      line[n] = (char)c;
      n++;
    }
    line[n] = 0;
  }
  return line[0] == 'q';
}

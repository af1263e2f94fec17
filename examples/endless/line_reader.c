/* Characters are gathered in a line of fixed length; a long line is cut. */
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
    } else if (n < LINE - 1) {
      line[n] = (char)c;
      n++;
    }
    line[n] = 0;
  }
  return line[0] == 'q';
}

/* Evaluates any eight characters as an expression in reverse notation: digits are pushed, operators
 * take two numbers from the stack. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { N = 8 };

static int evaluate(const char *s, unsigned *result) {
  unsigned stack[N];
  int n = 0;
  for (; *s; s++) {
    if (*s >= '0' && *s <= '9') {
      unsigned value = 0;
      while (*s >= '0' && *s <= '9') value = 10 * value + (unsigned)(*s++ - '0');
      stack[n++] = value;
      s--;
    } else if (*s == '+' || *s == '-' || *s == '*') {
      if (n < 2) return 0;
      unsigned right = stack[--n];
      unsigned left = stack[--n];
      stack[n++] = *s == '+' ? left + right : *s == '-' ? left - right : left * right;
    } else if (*s != ' ') {
      return 0;
    }
  }
  if (n != 1) return 0;
  *result = stack[0];
  return 1;
}

int main(void) {
  char text[N + 1];
  unsigned result = 0;
  for (int i = 0; i < N; i++) {
    text[i] = (char)__VERIFIER_nondet_uchar();
  }
  text[N] = 0;
  return evaluate(text, &result);
}

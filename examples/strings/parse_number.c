/* Printing a number in decimal and reading it again gives the number. */
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void print(unsigned n, char *out) {
  char digits[8];
  int k = 0;
  do {
    digits[k++] = (char)('0' + n % 10);
    n /= 10;
  } while (n > 0);
  while (k > 0) {
    *out++ = digits[--k];
  }
  *out = '\0';
}

static unsigned parse(const char *text) {
  unsigned n = 0;
  for (size_t i = 0; i < strlen(text); i++) {
    n = n * 10 + (unsigned)(text[i] - '0');
  }
  return n;
}

int main(void) {
  char text[8];
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 999) {
    return 0;
  }
  print(n, text);
  if (parse(text) != n) {
    reach_error();
  }
  return 0;
}

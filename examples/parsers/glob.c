/* Matches any four characters against any pattern of four: "?" stands for one character, "*" for
 * any number of them, "\" makes the next character plain. */
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { N = 4 };

static int matches(const char *pattern, const char *text) {
  const char *star = 0, *again = 0;
  while (*text) {
    if (*pattern == '*') {
      star = ++pattern;
      again = text;
      continue;
    }
    const char *p = pattern;
    int any = *p == '?';
    if (*p == '\\' && p[1]) p++;
    if (*p && (any || *p == *text)) {
      pattern = p + 1;
      text++;
    } else if (star) {
      pattern = star;
      text = ++again;
    } else {
      return 0;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == 0;
}

int main(void) {
  char pattern[N + 1], text[N + 1];
  for (int i = 0; i < N; i++) {
    pattern[i] = (char)__VERIFIER_nondet_uchar();
    text[i] = (char)__VERIFIER_nondet_uchar();
  }
  pattern[N] = text[N] = 0;
  return matches(pattern, text);
}

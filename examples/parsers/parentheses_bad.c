/* A text of parentheses is balanced if the depth never falls below 0 and ends at 0.
 * Broken: a negative depth on the way is not noticed.
 * Fails with inputs: 41 40 40 41 */
extern char __VERIFIER_nondet_char(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

static int by_depth(const char *s) {
  int depth = 0;
  for (int i = 0; i < N; i++) {
    depth += s[i] == '(' ? 1 : -1;
    if (depth < -1) {
      return 0;
    }
  }
  return depth == 0;
}

/* All balanced texts of four characters. */
static int by_list(const char *s) {
  return s[0] == '(' && s[3] == ')' && s[1] != s[2];
}

int main(void) {
  char s[N];
  for (int i = 0; i < N; i++) {
    s[i] = __VERIFIER_nondet_char();
    if (s[i] != '(' && s[i] != ')') {
      return 0;
    }
  }
  if (by_depth(s) != by_list(s)) {
    reach_error();
  }
  return 0;
}

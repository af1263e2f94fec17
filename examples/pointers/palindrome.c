/* Two pointers that walk towards each other decide what an index loop decides. */
extern char __VERIFIER_nondet_char(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

static int is_palindrome(const char *text, int n) {
  const char *left = text;
  const char *right = text + n - 1;
  while (left < right) {
    if (*left++ != *right--) {
      return 0;
    }
  }
  return 1;
}

int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) {
    text[i] = __VERIFIER_nondet_char();
  }
  int expected = text[0] == text[3] && text[1] == text[2];
  if (is_palindrome(text, N) != expected) {
    reach_error();
  }
  return 0;
}

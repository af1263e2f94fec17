/* The number of words in a short text against counting their first letters.
 * Broken: a word at the start of the text is not counted.
 * Fails with inputs: 97 32 32 */
extern char __VERIFIER_nondet_char(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 3 };

static int count_words(const char *text) {
  int words = 0;
  char before = text[0];
  for (int i = 0; text[i] != '\0'; i++) {
    if (before == ' ' && text[i] != ' ') {
      words++;
    }
    before = text[i];
  }
  return words;
}

int main(void) {
  char text[N + 1];
  for (int i = 0; i < N; i++) {
    text[i] = __VERIFIER_nondet_char();
    if (text[i] != ' ' && text[i] != 'a') {
      return 0;
    }
  }
  text[N] = '\0';
  int expected = text[0] == 'a';
  for (int i = 1; i < N; i++) {
    expected += text[i] == 'a' && text[i - 1] == ' ';
  }
  if (count_words(text) != expected) {
    reach_error();
  }
  return 0;
}

/* A text of few letters, drawn from a seed; occurrences of a word, found the plain way. Inputs: turns, seed. */
extern unsigned __VERIFIER_nondet_uint(void);

enum { SIZE = 4096 };
static char text[SIZE];
static const char word[] = "abca";

int main(void) {
  unsigned turns = __VERIFIER_nondet_uint(), seed = __VERIFIER_nondet_uint(), found = 0;
  for (unsigned t = 0; t < turns; t++) {
    for (unsigned i = 0; i + 1 < SIZE; i++) {
      seed = seed * 1103515245u + 12345u;
      text[i] = (char)('a' + (seed >> 16) % 3u);
    }
    for (const char *at = text; *at; at++) {
      unsigned k = 0;
      while (word[k] && at[k] == word[k]) k++;
      if (!word[k]) found++;
    }
    seed += found;
  }
  return (int)(found & 127u);
}

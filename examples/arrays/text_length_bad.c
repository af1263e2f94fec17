/* The length of a text in a block of any size, by a walking pointer; its last character becomes a full stop.
 * Broken: the character behind the last one is overwritten, which ended the text, and then the text is measured again.
 * Fails with inputs: 1 */
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned length(const char *text) {
  const char *end = text;
  while (*end != '\0') {
    end++;
  }
  return (unsigned)(end - text);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > 100000) {
    return 0;
  }
  char *text = malloc(n);
  if (text == NULL) {
    return 0;
  }
  for (unsigned i = 0; i + 1 < n; i++) {
    text[i] = __VERIFIER_nondet_char();
  }
  text[n - 1] = '\0';
  unsigned all = length(text);
  text[all] = '.';
  all = length(text);
  free(text);
  return 0;
}

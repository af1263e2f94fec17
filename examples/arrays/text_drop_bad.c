/* Removes a character from a text in place, with a pointer that reads and one that writes.
 * Broken: a pair of unwanted characters is skipped at once, and with the last one the end of the text.
 * Fails with inputs: 2 32 */
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void drop(char *text, char unwanted) {
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    if (*from != unwanted) {
      *to++ = *from;
    } else {
      from++;
    }
  }
  *to = '\0';
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
  drop(text, ' ');
  free(text);
  return 0;
}

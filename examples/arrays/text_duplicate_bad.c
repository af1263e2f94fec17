/* A copy of a line, as long as the text in it, on the heap.
 * Broken: the block has no room for the end of the text.
 * Fails with inputs: 1 65 */
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static char *duplicate(const char *text) {
  size_t length = strlen(text);
  char *copy = malloc(length);
  if (copy == NULL) {
    return NULL;
  }
  for (size_t i = 0; i <= length; i++) {
    copy[i] = text[i];
  }
  return copy;
}

int main(void) {
  char line[5000];
  int n = __VERIFIER_nondet_uint() % 5000;
  for (int i = 0; i < n; i++) {
    line[i] = __VERIFIER_nondet_char();
  }
  line[n] = '\0';
  char *copy = duplicate(line);
  free(copy);
  return 0;
}

/* A copy of a line, as long as the text in it, on the heap. */
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static char *duplicate(const char *text) {
  size_t length = strlen(text);
  char *copy = malloc(length + 1);
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

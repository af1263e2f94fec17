/* A bounded copy that always ends the string within the buffer.
 * Broken: the end is written one place behind the buffer if the text is too long.
 * Fails with inputs: 3 */
extern unsigned int __VERIFIER_nondet_uint(void);

enum { SIZE = 4 };

static void copy(char *to, const char *from, int size) {
  int i = 0;
  while (i < size && from[i] != '\0') {
    to[i] = from[i];
    i++;
  }
  to[i] = '\0';
}

int main(void) {
  static const char *const words[] = {"", "ab", "abc", "abcd", "a long word"};
  char buffer[SIZE];
  unsigned which = __VERIFIER_nondet_uint();
  if (which >= 5) {
    return 0;
  }
  copy(buffer, words[which], SIZE);
  return buffer[0] == 'z';
}

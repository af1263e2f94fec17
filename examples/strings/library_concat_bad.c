/* A path is put together with the string library; the buffer fits the longest one.
 * Broken: the buffer does not count the terminating zero.
 * Fails with inputs: 1 2 */
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static const char *const folders[] = {"tmp", "home"};
static const char *const names[] = {"a", "notes", "letters"};

int main(void) {
  char path[4 + 1 + 7];
  unsigned folder = __VERIFIER_nondet_uint();
  unsigned name = __VERIFIER_nondet_uint();
  if (folder >= 2 || name >= 3) {
    return 0;
  }
  strcpy(path, folders[folder]);
  strcat(path, "/");
  strcat(path, names[name]);
  return strlen(path) == 0;
}

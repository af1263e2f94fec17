/* A lookup that finds nothing gives null, and the caller looks before using it.
 * Broken: the caller uses the result without a look.
 * Fails with inputs: 9 */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
  int key, value;
};
static struct entry table[] = {{1, 10}, {4, 40}, {6, 60}};

static struct entry *lookup(int key) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].key == key) {
      return &table[i];
    }
  }
  return NULL;
}

int main(void) {
  struct entry *found = lookup(__VERIFIER_nondet_int());
  found->value++;
  return found->value == 0;
}

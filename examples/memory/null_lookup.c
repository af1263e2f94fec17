/* A lookup that finds nothing gives null, and the caller looks before using it. */
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
  if (found == NULL) {
    return 0;
  }
  found->value++;
  return found->value == 0;
}

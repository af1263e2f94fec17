/* Open addressing: what was inserted is found again. */
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

enum { SIZE = 4, EMPTY = 0 };
static unsigned keys[SIZE];

static int insert(unsigned key) {
  for (unsigned i = 0; i < SIZE; i++) {
    unsigned place = (key + i) % SIZE;
    if (keys[place] == EMPTY || keys[place] == key) {
      keys[place] = key;
      return 1;
    }
  }
  return 0;
}

static int contains(unsigned key) {
  for (unsigned i = 0; i < SIZE; i++) {
    unsigned place = (key + i) % SIZE;
    if (keys[place] == key) {
      return 1;
    }
    if (keys[place] == EMPTY) {
      return 0;
    }
  }
  return 0;
}

int main(void) {
  unsigned key[3];
  for (int i = 0; i < 3; i++) {
    key[i] = __VERIFIER_nondet_uint();
    if (key[i] == EMPTY || !insert(key[i])) {
      return 0;
    }
  }
  for (int i = 0; i < 3; i++) {
    assert(contains(key[i]));
  }
  return 0;
}

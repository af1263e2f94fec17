/* A search tree of any size that a global variable holds: keys are put in where a walk downwards ends, and looked for. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct knot {
  int key;
  struct knot *left, *right;
};

static struct knot *root;

static void put(int key) {
  struct knot *fresh = malloc(sizeof *fresh);
  fresh->key = key;
  fresh->left = NULL;
  fresh->right = NULL;
  if (root == NULL) {
    root = fresh;
    return;
  }
  struct knot *at = root;
  for (;;) {
    if (key < at->key) {
      if (at->left == NULL) {
        at->left = fresh;
        return;
      }
      at = at->left;
    } else {
      if (at->right == NULL) {
        at->right = fresh;
        return;
      }
      at = at->right;
    }
  }
}

static struct knot *find(int key) {
  struct knot *at = root;
  while (at != NULL && at->key != key) at = key < at->key ? at->left : at->right;
  return at;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int key = __VERIFIER_nondet_int();
    put(key);
    struct knot *found = find(__VERIFIER_nondet_int());
    if (found != NULL) found->key = found->key;
  }
  return 0;
}

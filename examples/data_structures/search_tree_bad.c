/* A binary search tree in an array of nodes finds what was inserted.
 * Broken: smaller values are put on the right.
 * Fails with inputs: 2 1 3 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct node {
  int value;
  struct node *left, *right;
};

static struct node nodes[3];
static int n_nodes;
static struct node *root;

static void insert(int value) {
  struct node **link = &root;
  while (*link != 0) {
    link = value > (*link)->value ? &(*link)->left : &(*link)->right;
  }
  nodes[n_nodes].value = value;
  *link = &nodes[n_nodes++];
}

static int contains(int value) {
  struct node *n = root;
  while (n != 0 && n->value != value) {
    n = value < n->value ? n->left : n->right;
  }
  return n != 0;
}

int main(void) {
  int value[3];
  for (int i = 0; i < 3; i++) {
    value[i] = __VERIFIER_nondet_int();
    insert(value[i]);
  }
  for (int i = 0; i < 3; i++) {
    if (!contains(value[i])) {
      reach_error();
    }
  }
  return 0;
}

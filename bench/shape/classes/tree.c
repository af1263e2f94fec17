/* Search trees: OPERATION is one of insert, find, drop, least, rotate, copy. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *left, *right; int key; };

static struct node *one(int key, struct node *left, struct node *right) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->left = left;
  n->right = right;
  return n;
}

static struct node *put(struct node *t, int key) {
  if (!t) return one(key, NULL, NULL);
  if (key < t->key) t->left = put(t->left, key);
  else t->right = put(t->right, key);
  return t;
}

/* twin: a node takes the place of what was below */
static struct node *insert(struct node *t) {
  int key = __VERIFIER_nondet_int();
  struct node **at = &t;
  if (!RIGHT && t) {
    t->left = one(key, NULL, NULL);
    return t;
  }
  return put(*at, key);
}

/* twin: the walk reads below a leaf */
static struct node *find(struct node *t) {
  int key = __VERIFIER_nondet_int();
  struct node *n = t;
  while (RIGHT ? n && n->key != key : n->key != key) n = key < n->key ? n->left : n->right;
  return t;
}

static struct node *drop_key(struct node *t, int key) {
  if (!t) return t;
  if (key < t->key) {
    t->left = drop_key(t->left, key);
  } else if (key > t->key) {
    t->right = drop_key(t->right, key);
  } else if (!t->left || !t->right) {
    struct node *rest = t->left ? t->left : t->right;
    free(t);
    return RIGHT ? rest : t;
  } else {
    struct node *next = t->right;
    while (next->left) next = next->left;
    t->key = next->key;
    t->right = drop_key(t->right, next->key);
  }
  return t;
}

/* twin: what was given back stays */
static struct node *drop(struct node *t) { return drop_key(t, __VERIFIER_nondet_int()); }

static struct node *drop_least(struct node *t) {
  if (!t->left) {
    struct node *rest = RIGHT ? t->right : NULL;
    free(t);
    return rest;
  }
  t->left = drop_least(t->left);
  return t;
}

/* twin: what is right of it is lost */
static struct node *least(struct node *t) { return t ? drop_least(t) : t; }

/* twin: the middle of the three is lost */
static struct node *rotate(struct node *t) {
  if (!t || !t->right) return t;
  struct node *r = t->right;
  t->right = RIGHT ? r->left : NULL;
  r->left = t;
  return r;
}

static struct node *copy_of(const struct node *t) {
  return t ? one(t->key, copy_of(t->left), copy_of(t->right)) : NULL;
}

static void give_back(struct node *t) {
  if (!t) return;
  give_back(t->left);
  give_back(t->right);
  free(t);
}

/* twin: the copy is lost */
static struct node *copy(struct node *t) {
  struct node *c = copy_of(t);
  if (RIGHT) give_back(c);
  return t;
}

int main(void) {
  struct node *t = NULL;
  while (__VERIFIER_nondet_int()) t = put(t, __VERIFIER_nondet_int());
  t = OPERATION(t);
  give_back(t);
  return 0;
}

/* A table of chains: put, look up, take out, and all is given back. Which chain a key belongs to is
 * no number that an analysis could follow.
 * Broken: what is taken out leaves its value behind.
 * Fails with inputs: 1 7 1 1 7 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct entry {
  struct entry *next;
  unsigned key;
  int *value;
};

struct table {
  unsigned n;
  struct entry **chains;
};

enum { CHAINS = 16 };

static struct table *make(void) {
  struct table *t = malloc(sizeof *t);
  t->n = 0;
  t->chains = calloc(CHAINS, sizeof *t->chains);
  return t;
}

static struct entry *find(const struct table *t, unsigned key) {
  struct entry *e = t->chains[key % CHAINS];
  while (e && e->key != key) e = e->next;
  return e;
}

static void put(struct table *t, unsigned key, int value) {
  struct entry *e = find(t, key);
  if (!e) {
    e = malloc(sizeof *e);
    e->key = key;
    e->value = malloc(sizeof *e->value);
    e->next = t->chains[key % CHAINS];
    t->chains[key % CHAINS] = e;
    t->n++;
  }
  *e->value = value;
}

static void take_out(struct table *t, unsigned key) {
  struct entry **at = &t->chains[key % CHAINS];
  while (*at && (*at)->key != key) at = &(*at)->next;
  if (!*at) return;
  struct entry *e = *at;
  *at = e->next;
  free(e);
  t->n--;
}

static void give_back(struct table *t) {
  for (int i = 0; i < CHAINS; i++) {
    struct entry *e = t->chains[i];
    while (e) {
      struct entry *next = e->next;
      free(e->value);
      free(e);
      e = next;
    }
  }
  free(t->chains);
  free(t);
}

int main(void) {
  struct table *t = make();
  while (__VERIFIER_nondet_int()) {
    unsigned key = __VERIFIER_nondet_uint();
    if (__VERIFIER_nondet_int())
      put(t, key, 1);
    else
      take_out(t, key);
  }
  give_back(t);
  return 0;
}

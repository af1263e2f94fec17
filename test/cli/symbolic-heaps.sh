#!/bin/bash
# Lists and trees as C programs write them, of any length: valid-memsafety by symbolic heaps, with a certificate; with one thing wrong there is no such proof, and all engines together refute it.
. "$(dirname "$0")/common"
check() { "$tool" check --property=valid-memsafety --timelimit=60 "$@"; }
refuted() { check "$@" | tail -n 1; }
last_line() { "$tool" check --property=unreach-call --timelimit=60 "$@" | tail -n 1; }
not_proved() { check --engine=heaps "$@" | tail -n 1 | grep -E '^RESULT: unknown'; }

cat >"$dir/lists.c" <<'C'
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct inner { struct inner *next; int value; };
struct outer { struct outer *next; struct inner *list; int n, m; };
struct cell { struct cell *next, *prev; int value; };
struct list_head { struct list_head *next, *prev; };
#define entry(p) ((struct item *)((char *)(p) - offsetof(struct item, list)))
struct item { int id; char *name; struct list_head list; };
struct list { struct inner *head; int n; };
static struct list_head items = {&items, &items};

static void nested(void) {
  struct outer *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct outer *o = malloc(sizeof *o);
    o->list = NULL;
    o->next = all;
    all = o;
    while (__VERIFIER_nondet_int()) {
      struct inner *i = malloc(sizeof *i);
      i->next = o->list;
      o->list = i;
    }
  }
  while (all) {
    struct outer *o = all->next;
#ifndef BROKEN
    for (struct inner *i = all->list, *n; i; i = n) {
      n = i->next;
      free(i);
    }
#endif
    free(all);
    all = o;
  }
}

static void ring(void) {
  struct cell *h = malloc(sizeof *h);
  h->next = h->prev = h;
  while (__VERIFIER_nondet_int()) {
    struct cell *n = malloc(sizeof *n);
    n->next = h;
    n->prev = h->prev;
    h->prev->next = n;
#ifndef BROKEN
    h->prev = n;
#endif
  }
  for (struct cell *c = h->next, *n; c != h; c = n) {
    n = c->next;
    c->prev->next = c->next;
    c->next->prev = c->prev;
    free(c);
  }
  free(h);
}

static void take_out(struct item *i) {
  i->list.next->prev = i->list.prev;
  i->list.prev->next = i->list.next;
  free(i->name);
#ifndef BROKEN
  free(i);
#endif
}
static void container(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct item *i = malloc(sizeof *i);
      i->name = malloc(10);
      i->id = __VERIFIER_nondet_int();
      i->list.next = &items;
      i->list.prev = items.prev;
      items.prev->next = &i->list;
      items.prev = &i->list;
    } else {
      int id = __VERIFIER_nondet_int();
      for (struct list_head *l = items.next; l != &items; l = l->next)
        if (entry(l)->id == id) {
          take_out(entry(l));
          break;
        }
    }
  }
  while (items.next != &items) take_out(entry(items.next));
}

static struct list *make(void) {
  struct list *l = malloc(sizeof *l);
  l->head = NULL;
  l->n = 0;
  return l;
}
static void push(struct list *l, struct inner *n) {
  n->next = l->head;
  l->head = n;
}
static struct inner *pop(struct list *l) {
  struct inner *n = l->head;
#ifdef BROKEN
  l->head = n->next;
#else
  if (n) l->head = n->next;
#endif
  return n;
}
static void headers(void) {
  struct list *a = make(), *b = make();
  while (__VERIFIER_nondet_int()) push(a, malloc(sizeof(struct inner)));
  for (struct inner *n; (n = pop(a)) != NULL;) push(b, n);
  for (struct inner *n; (n = pop(b)) != NULL;) free(n);
  free(a);
  free(b);
}

/* two levels, with a cell at the end: n2 leads over some cells; put, take out, walk on both */
struct skip { struct skip *n1, *n2; };
struct skips { struct skip *head, *tail; };
static void skips(void) {
  struct skips s = {malloc(sizeof(struct skip)), malloc(sizeof(struct skip))};
  s.head->n1 = s.head->n2 = s.tail;
  s.tail->n1 = s.tail->n2 = NULL;
  while (__VERIFIER_nondet_int()) {
    struct skip *above = s.head, *below;
    while (above->n2 != s.tail && __VERIFIER_nondet_int()) above = above->n2;
    for (below = above; below->n1 != above->n2 && __VERIFIER_nondet_int(); below = below->n1) continue;
    if (__VERIFIER_nondet_int()) {
      struct skip *n = malloc(sizeof *n);
      n->n1 = below->n1;
      n->n2 = NULL;
      below->n1 = n;
      if (__VERIFIER_nondet_int()) {
        n->n2 = above->n2;
        above->n2 = n;
      }
    } else if (below->n1 != s.tail) {
      struct skip *old = below->n1;
#ifndef BROKEN
      if (old == above->n2) above->n2 = old->n2;
#endif
      below->n1 = old->n1;
      free(old);
    }
  }
  for (struct skip *c = s.head; c != s.tail; c = c->n2) continue;
  for (struct skip *c = s.head, *n; c; c = n) {
    n = c->n1;
    free(c);
  }
}

int main(void) { PROGRAM(); return 0; }
C

cat >"$dir/recursive.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
struct tree { int key; struct tree *left, *right; };

static struct node *copy(const struct node *l) {
  if (!l) return NULL;
  struct node *n = malloc(sizeof *n);
  n->value = l->value;
#ifdef BROKEN
  copy(l->next);
  n->next = NULL;
#else
  n->next = copy(l->next);
#endif
  return n;
}
static struct node *append(struct node *a, struct node *b) {
  if (!a) return b;
  a->next = append(a->next, b);
  return a;
}
static int length(const struct node *l) { return l ? 1 + length(l->next) : 0; }
static void drop(struct node *l) {
  if (!l) return;
  drop(l->next);
  free(l);
}
static void lists(void) {
  struct node *l = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = l;
    l = n;
  }
  struct node *m = copy(l);
  length(l);
  l = append(l, m);
  drop(l);
}

static struct tree *insert(struct tree *r, int key) {
  if (!r) {
    r = malloc(sizeof *r);
    r->key = key;
    r->left = r->right = NULL;
  } else if (key < r->key) {
    r->left = insert(r->left, key);
  } else {
    r->right = insert(r->right, key);
  }
  return r;
}
static struct tree *delete(struct tree *r, int key) {
  if (!r) return r;
  if (key < r->key) {
    r->left = delete(r->left, key);
  } else if (key > r->key) {
    r->right = delete(r->right, key);
  } else if (!r->left || !r->right) {
    struct tree *t = r->left ? r->left : r->right;
    free(r);
    return t;
  } else {
    struct tree *t = r->right;
#ifdef BROKEN
    while (t) t = t->left;
#else
    while (t->left) t = t->left;
#endif
    r->key = t->key;
    r->right = delete(r->right, t->key);
  }
  return r;
}
static int holds(const struct tree *r, int key) {
  return r && (r->key == key || holds(key < r->key ? r->left : r->right, key));
}
static void destroy(struct tree *r) {
  if (!r) return;
  destroy(r->left);
  destroy(r->right);
  free(r);
}
static void trees(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) {
    int key = __VERIFIER_nondet_int();
    root = __VERIFIER_nondet_int() ? insert(root, key) : delete(root, key);
    holds(root, key);
  }
  destroy(root);
}

/* no call gives it null */
static struct tree *drop_least(struct tree *r) {
  if (!r->left) {
    struct tree *rest = r->right;
    free(r);
    return rest;
  }
  r->left = drop_least(r->left);
  return r;
}
static void least(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
#ifdef BROKEN
  root = drop_least(root);
#else
  if (root) root = drop_least(root);
#endif
  destroy(root);
}

int main(void) { PROGRAM(); return 0; }
C

# Tables of chains: which slot an index names is open.
cat >"$dir/tables.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct entry { struct entry *next, *prev; unsigned key; };
struct one { struct one *next; unsigned key; };
struct bucket { struct one *head; unsigned n; };
static struct entry *table[16];
static struct bucket buckets[8];

static void put(unsigned key) {
  unsigned h = key % 16;
  struct entry *n = malloc(sizeof *n);
  n->key = key;
  n->prev = NULL;
  n->next = table[h];
#ifndef BROKEN
  if (table[h]) table[h]->prev = n;
#endif
  table[h] = n;
}
static void take_out(unsigned key) {
  unsigned h = key % 16;
  struct entry *p = table[h];
  while (p && p->key != key) p = p->next;
  if (!p) return;
  if (p->next) p->next->prev = p->prev;
  if (p->prev) p->prev->next = p->next; else table[h] = p->next;
  free(p);
}
static void doubly(void) {
  while (__VERIFIER_nondet_int())
    if (__VERIFIER_nondet_int()) put(__VERIFIER_nondet_uint()); else take_out(__VERIFIER_nondet_uint());
  for (int i = 0; i < 16; i++)
    for (struct entry *p = table[i]; p; p = table[i]) {
      table[i] = p->next;
      free(p);
    }
}

static void structures(void) {
  while (__VERIFIER_nondet_int()) {
    unsigned key = __VERIFIER_nondet_uint();
    struct bucket *at = &buckets[key % 8];
    struct one *n = malloc(sizeof *n);
    n->key = key;
    n->next = at->head;
    at->head = n;
    at->n++;
  }
  for (unsigned i = 0; i < 8; i++)
    while (buckets[i].head) {
      struct one *n = buckets[i].head;
#ifdef BROKEN
      free(n);
      buckets[i].head = n->next;
#else
      buckets[i].head = n->next;
      free(n);
#endif
      buckets[i].n--;
    }
}

static void filled(void) {
  struct one **at = malloc(10 * sizeof *at);
  for (int i = 0; i < 10; i++) at[i] = NULL;
  while (__VERIFIER_nondet_int()) {
#ifdef BROKEN
    unsigned h = __VERIFIER_nondet_uint() % 11;
#else
    unsigned h = __VERIFIER_nondet_uint() % 10;
#endif
    struct one *n = malloc(sizeof *n);
    n->next = at[h];
    at[h] = n;
  }
  for (int i = 9; i >= 0; i--)
    while (at[i]) {
      struct one *n = at[i]->next;
      free(at[i]);
      at[i] = n;
    }
  free(at);
}

int main(void) { PROGRAM(); return 0; }
C

while read -r file program what; do
  expect "$program is proved" 0 '^RESULT: true$' check --engine=heaps "$dir/$file.c" -- -DPROGRAM="$program"
  expect "$program, broken, is not proved" 0 '^RESULT: unknown' not_proved "$dir/$file.c" -- -DPROGRAM="$program" -DBROKEN
  expect "$program, broken, is refuted" 0 "^RESULT: false.$what" refuted "$dir/$file.c" -- -DPROGRAM="$program" -DBROKEN
done < <(part 3 1 <<'T'
lists nested valid-memtrack
lists ring valid-
lists container valid-memtrack
lists headers valid-deref
lists skips valid-
recursive lists valid-memtrack
recursive trees valid-deref
recursive least valid-deref
tables doubly valid-
tables structures valid-deref
tables filled valid-deref
T
)

# Pointers to different objects may have one address (doc/semantics.md): either answer of a comparison is possible then.
cat >"$dir/addresses.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next; };
static int x[4], y[4];
int main(void) {
  struct cell *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *c = malloc(sizeof *c);
    c->next = all;
    all = c;
  }
  int *p = x + AT, *q = y;
  if (p != q)
    while (all) {
      struct cell *next = all->next;
      free(all);
      all = next;
    }
  return 0;
}
C
expect 'an element is not where another array begins' 0 '^RESULT: true$' check --engine=heaps "$dir/addresses.c" -- -DAT=3
expect 'one past an array may be where another begins' 0 '^RESULT: unknown' not_proved "$dir/addresses.c" -- -DAT=4
# numbers in cells: what holds of all of them, between the cells' members, and below variables that change
cat >"$dir/numbers.c" <<'C'
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct order { int have, want; struct order *next; };
#ifdef BROKEN
#define SLIP 1
#else
#define SLIP 0
#endif

/* no more is wanted than there is; another loop fills what the first one left at 0 */
static void related(struct order *all) {
  while (__VERIFIER_nondet_int()) {
    int have = __VERIFIER_nondet_int();
    if (have < 0) continue;
    struct order *o = malloc(sizeof *o);
    o->have = have;
    o->want = 0;
    o->next = all;
    all = o;
  }
  struct order *o = all;
  while (o) {
    int want = __VERIFIER_nondet_int();
    if (want < 0 || want > o->have) continue;
    o->want = want + SLIP;
    o = o->next;
  }
  for (o = all; o; o = o->next)
    if (o->want > o->have) reach_error();
}

/* two kinds of cells that two members tell apart */
static void kinds(struct order *all) {
  while (__VERIFIER_nondet_int()) {
    struct order *o = malloc(sizeof *o);
    o->have = __VERIFIER_nondet_int();
    if (o->have) o->want = 1; else o->want = 2 + SLIP;
    o->next = all;
    all = o;
  }
  for (; all; all = all->next)
    if (!all->have && all->want != 2) reach_error();
}

/* bounds that move as cells come */
static void bounds(struct order *all) {
  int least = INT_MAX, most = INT_MIN;
  while (__VERIFIER_nondet_int()) {
    struct order *o = malloc(sizeof *o);
    o->have = __VERIFIER_nondet_int();
    o->next = all;
    all = o;
    if (o->have < least) least = o->have;
    if (!SLIP && o->have > most) most = o->have;
  }
  for (; all; all = all->next)
    if (all->have < least || all->have > most) reach_error();
}

/* numbers in order: what the least cell is less than, a copy in order of a list that is in none */
static struct order *put(struct order *all, int have) {
  struct order *n = malloc(sizeof *n), *before = NULL, *at = all;
  n->have = have;
  while (at && at->have < have) {
    before = at;
    at = at->next;
  }
  n->next = at;
  if (!before) return n;
  if (SLIP) before->have = have + 1;
  before->next = n;
  return all;
}
static void sorted(struct order *all) {
  struct order *from = NULL;
  while (__VERIFIER_nondet_int()) {
    struct order *o = malloc(sizeof *o);
    o->have = __VERIFIER_nondet_int();
    o->next = from;
    from = o;
  }
  for (; from; from = from->next) all = put(all, from->have);
  for (struct order *o = all; o; o = o->next)
    if (o->have < all->have || (o->next && o->have > o->next->have)) reach_error();
}

int main(void) { PROGRAM(NULL); return 0; }
C
for program in related sorted ${TP_SOAK:+kinds bounds}; do
  expect "$program is proved" 0 '^RESULT: true$' "$tool" check --engine=heaps --property=unreach-call --timelimit=60 "$dir/numbers.c" -- -DPROGRAM="$program"
  expect "$program, broken, is refuted" 0 '^RESULT: false.unreach-call' last_line "$dir/numbers.c" -- -DPROGRAM="$program" -DBROKEN
done
finish

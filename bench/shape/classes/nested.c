/* Lists of lists: OPERATION is one of push, walk, append, drop_first, empty, move. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct inner { struct inner *next; int value; };
struct outer { struct outer *next; struct inner *list; int name, size; };

static struct inner *any_list(void) {
  struct inner *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct inner *c = malloc(sizeof *c);
    c->value = __VERIFIER_nondet_int();
    c->next = all;
    all = c;
  }
  return all;
}

static void give_back(struct inner *c) {
  while (c) {
    struct inner *next = c->next;
    free(c);
    c = next;
  }
}

static struct outer *one(struct outer *next) {
  struct outer *o = malloc(sizeof *o);
  o->list = any_list();
  o->next = next;
  return o;
}

/* twin: the other lists are lost */
static void push(struct outer **all) { *all = one(RIGHT ? *all : NULL); }

/* twin: the first list of each is read without a look */
static void walk(struct outer **all) {
  int n = 0;
  for (struct outer *o = *all; o; o = o->next) {
    if (!RIGHT) n += o->list->value != 0;
    for (struct inner *c = o->list; c; c = c->next) n += c->value != 0;
  }
}

/* twin: what stood behind is lost */
static void append(struct outer **all) {
  struct outer *o = *all;
  if (!o) return;
  while (RIGHT ? o->next != NULL : o->next && __VERIFIER_nondet_int()) o = o->next;
  o->next = one(NULL);
}

/* twin: its list is lost */
static void drop_first(struct outer **all) {
  struct outer *o = *all;
  if (!o) return;
  *all = o->next;
  if (RIGHT) give_back(o->list);
  free(o);
}

/* twin: the lists are given back and stay */
static void empty(struct outer **all) {
  for (struct outer *o = *all; o; o = o->next) {
    give_back(o->list);
    if (RIGHT) o->list = NULL;
  }
}

/* twin: the second one keeps what it was to give */
static void move(struct outer **all) {
  struct outer *o = *all;
  if (!o || !o->next || o->list) return;
  o->list = o->next->list;
  if (RIGHT) o->next->list = NULL;
}

int main(void) {
  struct outer *all = NULL;
  while (__VERIFIER_nondet_int()) all = one(all);
  OPERATION(&all);
  while (all) {
    struct outer *next = all->next;
    give_back(all->list);
    free(all);
    all = next;
  }
  return 0;
}

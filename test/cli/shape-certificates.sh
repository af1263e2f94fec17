#!/bin/bash
# Doubly linked lists and queues under --config=shape: built and given back, with certificates; broken twins are not proved, and refuted by all engines.
. "$(dirname "$0")/common"
check() { "$tool" check --property=unreach-call --timelimit=100 "$@"; }

begin='#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }'
doubly='struct cell { struct cell *next, *prev; int data; };'
walk='for (p = h; p; p = q) { q = p->next; if (q && q->prev != p) reach_error(); }'
push='while (__VERIFIER_nondet_int()) { p = calloc(1, sizeof *p); p->next = h; if (h) h->prev = p; h = p; }'
append='while (__VERIFIER_nondet_int()) { p = calloc(1, sizeof *p); p->prev = t; t->next = p; t = p; }'
give='while (h) { q = h->next; if (q) { if (q->prev != h) reach_error(); q->prev = NULL; } free(h); h = q; }'
cat >"$dir/push.c" <<C
$begin $doubly
int main(void) { struct cell *h = NULL, *p, *q; $push $walk return 0; }
C
sed 's/h->prev = p;/h->prev = h;/' "$dir/push.c" >"$dir/push_bad.c"
cat >"$dir/append.c" <<C
$begin $doubly
int main(void) { struct cell *h = calloc(1, sizeof *h), *t = h, *p, *q; $append $walk return 0; }
C
sed 's/p->prev = t;/p->prev = h;/' "$dir/append.c" >"$dir/append_bad.c"
cat >"$dir/give.c" <<C
$begin $doubly
int main(void) { struct cell *h = NULL, *p, *q; $push $give return 0; }
C
sed "s/h->prev = p;/h->prev = h;/" "$dir/give.c" >"$dir/give_bad.c"
cat >"$dir/queue.c" <<C
$begin struct cell { struct cell *next; int data; };
int main(void) {
  struct cell *h = NULL, *t = NULL, *p;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { p = calloc(1, sizeof *p); if (t) t->next = p; else h = p; t = p; }
    else if (h) { p = h; h = h->next; if (!h) t = NULL; p->next = NULL; }
    if (t && t->next) reach_error();
  }
  return 0;
}
C
sed 's/else h = p; t = p;/else h = p; if (!t) t = p;/' "$dir/queue.c" >"$dir/queue_bad.c"

for program in push append give queue; do
  expect "$program: proved, and the certificate checked" 0 "certificate checked" check --config=shape "$dir/$program.c"
  expect "$program: the broken twin is not proved" 5 "RESULT: unknown" check --config=shape "$dir/${program}_bad.c"
  expect "$program: the broken twin is refuted" 10 "RESULT: false" check "$dir/${program}_bad.c"
done
finish

#!/bin/bash
# Operations on circular lists, on lists with a pointer to their end and on doubly linked lists: any ring of at least one cell, any queue, any list, proved with a
# certificate; with one thing wrong none is proved, and all engines together refute it. Class files of lib/shape with a wrong update are refused. TP_SOAK=1: all operations
# of doubly linked lists.
. "$(dirname "$0")/common"
check() { "$tool" check --property=unreach-call --timelimit=100 "$@"; }
not_proved() { check "$@" | tail -n 1 | grep -E '^RESULT: (unknown|false)'; }

cat >"$dir/circle.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct cell { struct cell *next; int data; };

static struct cell *any_ring(void) {
  struct cell *entry = calloc(1, sizeof *entry);
  entry->next = entry;
  while (__VERIFIER_nondet_int()) {
    struct cell *fresh = calloc(1, sizeof *fresh);
    fresh->next = entry->next;
    entry->next = fresh;
  }
  return entry;
}

int main(void) {
  struct cell *entry = any_ring(), *other, *behind;
#if defined INSERT
  other = calloc(1, sizeof *other);
#ifndef BROKEN
  other->next = entry->next;
#endif
  entry->next = other;
#elif defined REMOVE
  other = entry->next;
  if (other != entry) {
    behind = other->next;
#ifdef BROKEN
    other->next = NULL;
#else
    entry->next = behind;
    free(other);
#endif
  }
#elif defined ROTATE
  while (__VERIFIER_nondet_int()) entry = entry->next;
#ifdef BROKEN
  entry->next = NULL;
#endif
#elif defined APPEND
  other = calloc(1, sizeof *other);
  behind = entry;
  while (behind->next != entry) behind = behind->next;
  behind->next = other;
#ifndef BROKEN
  other->next = entry;
#endif
#elif defined OPEN
  behind = entry->next;
#ifdef BROKEN
  behind->next = NULL;
#else
  entry->next = NULL;
#endif
  while (behind->next) behind = behind->next;
  if (behind != entry) reach_error();
  return 0;
#endif
  for (other = entry; __VERIFIER_nondet_int(); other = other->next)
    if (!other->next) reach_error();
  return 0;
}
C

# Behind the operation the end is the cell that a walk comes to.
cat >"$dir/queue.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct cell { struct cell *next; int data; };

int main(void) {
  struct cell *head = NULL, *tail = NULL, *p;
  while (__VERIFIER_nondet_int()) {
    p = calloc(1, sizeof *p);
#ifdef SEARCH
    p->data = __VERIFIER_nondet_int();
#endif
    if (tail) tail->next = p;
    else head = p;
    tail = p;
  }
#if defined PUT
  p = calloc(1, sizeof *p);
  if (tail) tail->next = p;
  else head = p;
#ifdef BROKEN
  if (!tail)
#endif
    tail = p;
#elif defined GET
  if (head) {
    p = head;
    head = head->next;
#ifndef BROKEN
    if (!head) tail = NULL;
#endif
    free(p);
  }
#elif defined SERVE
  while (head && __VERIFIER_nondet_int()) {
    p = head;
    head = p->next;
#ifndef BROKEN
    if (!head) tail = NULL;
#endif
    free(p);
  }
#elif defined SEARCH
  for (p = head; p; p = p->next) if (p->data == 3) break;
#ifdef BROKEN
  if (p) p = p->next;
#endif
  if (p && p->data != 3) reach_error();
#elif defined PUSH
  p = calloc(1, sizeof *p);
  p->next = head;
  head = p;
#ifndef BROKEN
  if (!tail)
#endif
    tail = p;
#elif defined JOIN
  struct cell *first = NULL, *last = NULL;
  while (__VERIFIER_nondet_int()) {
    p = calloc(1, sizeof *p);
    if (last) last->next = p;
    else first = p;
    last = p;
  }
  if (first) {
    if (tail) tail->next = first;
    else head = first;
#ifndef BROKEN
    tail = last;
#else
    tail = first;
#endif
  }
#elif defined DRAIN
  while (head) {
    p = head;
    head = head->next;
    free(p);
  }
#ifndef BROKEN
  tail = NULL;
#endif
#endif
  struct cell *end = NULL;
  for (p = head; p; p = p->next) end = p;
  if (end != tail) reach_error();
  return 0;
}
C

# Behind the operation forth and back is back, from each cell.
cat >"$dir/dll.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct cell { struct cell *next, *prev; int data; };
int main(void) {
  struct cell *h = NULL, *p, *q;
  while (__VERIFIER_nondet_int()) {
    p = calloc(1, sizeof *p);
    p->next = h;
    if (h) h->prev = p;
    h = p;
  }
#if defined PUSH
  p = calloc(1, sizeof *p);
  p->next = h;
  if (h)
#ifdef BROKEN
    h->prev = h;
#else
    h->prev = p;
#endif
  h = p;
#elif defined POP
  if (h) {
    p = h;
    h = h->next;
    free(p);
#ifndef BROKEN
    if (h) h->prev = NULL;
#endif
  }
  if (h && h->prev) reach_error();
  return 0;
#elif defined APPEND
  p = calloc(1, sizeof *p);
  if (!h) h = p;
  else {
    for (q = h; q->next; q = q->next) ;
    q->next = p;
#ifndef BROKEN
    p->prev = q;
#endif
  }
#elif defined REMOVE
  if (h) {
    for (q = h; q->next && __VERIFIER_nondet_int(); q = q->next) ;
    if (q != h) {
      p = q->prev;
      p->next = q->next;
#ifndef BROKEN
      if (q->next) q->next->prev = p;
#endif
      free(q);
    }
  }
#endif
  for (p = h; p; p = q) { q = p->next; if (q && q->prev != p) reach_error(); }
  return 0;
}
C

operations() { # CLASS OPERATION...
  class=$1
  shift
  for operation in "$@"; do
    expect "$class, $operation: proved, and the certificate checked" 0 "certificate checked" check --config=shape --set=shape.classes="$class" "$dir/$class.c" -- "-D$operation"
    expect "$class, $operation: with one thing wrong it is not proved" 0 "RESULT" not_proved --config=shape --set=shape.classes="$class" "$dir/$class.c" -- "-D$operation" -DBROKEN
    max_lines=200 expect "$class, $operation: with one thing wrong it is refuted" 10 "RESULT: false" check "$dir/$class.c" -- "-D$operation" -DBROKEN
  done
}
operations queue PUT SERVE DRAIN ${TP_SOAK:+GET SEARCH PUSH JOIN}
operations circle INSERT REMOVE ${TP_SOAK:+ROTATE APPEND OPEN}
operations dll POP ${TP_SOAK:+APPEND PUSH REMOVE}

# In each class a family holds of nothing behind `x = nil`: the first such update says that it holds of everything.
for class in lib/shape/*.scg; do
  wrong=$dir/$(basename "$class")
  sed '0,/:= 0$/s//:= 1/' "$class" >"$wrong"
  expect "$(basename "$class"): a wrong update is refused" 6 "by this update, 0 by its definition" check --config=shape --shape-class="$wrong" "$dir/dll.c" -- -DPOP
done
finish

#!/bin/bash
# Contracts to start from: what they require is enough and needed, the checker reads them back, and they hold.
. "$(dirname "$0")/common"

cat >"$dir/code.c" <<'C'
#include <stdlib.h>
struct n { int d; struct n *next; };
struct q { struct n *head, *tail; int len; int (*less)(struct n *); };
void push(struct q *q, struct n *e) {
  e->next = q->head;
  q->head = e;
  if (!q->tail) q->tail = e;
  q->len++;
}
void append(struct q *q, struct n *e) {
  q->tail->next = e;
  q->tail = e;
}
void release(struct q *q) {
  for (struct n *n = q->head, *next; n; n = next) {
    next = n->next;
    free(n);
  }
  q->head = q->tail = NULL;
}
int careful(struct q *q) { return q && q->head ? q->head->d : 0; }
int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
int at(int *p, int i) { return p[i]; }
int words(int set, struct n *one) { return one->d == set; }
float real(float x) { return x; }
int deep(struct q *q) { return q->head->next->next->d; }
C
both() { # FUNCTION PATTERN
  expect "suggested for $1" 0 "$2" "$tool" spec "--suggest=$1" "$dir/code.c"
  cp "$dir/out" "$dir/suggested"
  expect "read back: $1" 0 "CONTRACTS: .* 0 wrong" "$tool" spec --check-syntax "--contracts=$dir/suggested" "$dir/code.c"
  expect "and holds: $1" 1 "holds within these bounds" "$tool" spec "--function=$1" "--contracts=$dir/suggested" "$dir/code.c"
  grep -v requires "$dir/suggested" >"$dir/less"
  if ! cmp -s "$dir/less" "$dir/suggested"; then
    expect "what is required is needed: $1" 10 "fails: " "$tool" spec "--function=$1" "--contracts=$dir/less" "$dir/code.c"
  fi
}
both push "^  requires q != null$"
both append "^  requires q[.]tail != null$"
both release "^  requires no c : q[.]head[.][*]next . c in c[.].next$"
both careful "^  modifies none$"
both sum "^  requires n <= #.p[.].elements.$"
both at "^  requires i < #.p[.].elements.$"
both words "^  requires ::one != null$"
expect "no word of a callee's own: careful" 0 "" "$tool" spec --suggest=careful "$dir/code.c"
if grep -q requires "$dir/out"; then echo "FAILED careful requires nothing"; failed=$((failed + 1)); fi
expect "what cannot be tried" 0 "// nothing could be tried: floating point .*code.c:29:[0-9]+" "$tool" spec --suggest=real "$dir/code.c"
expect "what is not enough" 0 "// this is not enough, say more: null pointer dereference .*code.c:30" "$tool" spec --suggest=deep "$dir/code.c"
expect "no such function" 6 "there is no function nothing with a body" "$tool" spec --suggest=nothing "$dir/code.c"

cat >"$dir/ghost.c" <<'C'
struct n { int d; };
//@ ghost seen : set struct n
//@ requires x != null and x.d = 3
//@ ensures false
void mark(struct n *x) {
  x->d = 1;
  //@ ghost seen = seen + x
}
C
expect "ghosts are named, the function's own contract does not count" 0 "modifies x.d, seen" "$tool" spec --suggest=mark "$dir/ghost.c"
if grep -q "x.d = 3" "$dir/out"; then echo "FAILED the old contract counts"; failed=$((failed + 1)); fi
finish

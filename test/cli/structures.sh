#!/bin/bash
# Structure properties by name (lib/spec/tp_shape.h): the safe program is not refuted, no error is reached by the analysis of shapes; the broken one fails. The proof that
# lists end: examples/shapes/acyclic.c.
. "$(dirname "$0")/common"
max_lines=200
cat >"$dir/double.c" <<'C'
#include <stdlib.h>
#include "tp_shape.h"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct cell { struct cell *next, *prev; };
int main(void) {
  struct cell *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->prev = NULL;
    if (list) list->prev = fresh;
    list = fresh;
  }
  TP_MUST_BE_DOUBLY_LINKED(struct cell, list, next, prev);
  return 0;
}
C
sed 's/list->prev = fresh;/list->prev = list;/' "$dir/double.c" >"$dir/double_bad.c"
shape() { "$tool" check -I build/lib/spec --engine=cpa --config=shape --timelimit=3 "$1" 2>/dev/null; }
# A certificate of pairs of cells takes longer than this test: the abstraction is what is tested.
for f in double examples/shapes/acyclic; do
  [ $f = double ] && file=$dir/double.c || file=$f.c
  why=
  shape "$file" >"$dir/out"
  tail -n 1 "$dir/out" | grep -Eq '^RESULT: (true|unknown\(certificate check: time limit)' || why=$(tail -n 1 "$dir/out")
  cp "$dir/out" "$dir/both"
  name="no error is reached: $f"
  verdict_of_case
done
expect "doubly linked, broken" 10 "RESULT: false\(unreach-call\)" "$tool" check -I build/lib/spec --engine=bmc --timelimit=30 "$dir/double_bad.c"
expect "not acyclic" 10 "RESULT: false\(unreach-call\)" "$tool" check --engine=bmc --timelimit=30 examples/shapes/acyclic_bad.c
for f in "$dir/double_bad.c" examples/shapes/acyclic_bad.c; do
  why=
  shape "$f" >"$dir/out"
  tail -n 1 "$dir/out" | grep -Eq '^RESULT: (unknown\(the abstraction cannot exclude|false)' || why=$(tail -n 1 "$dir/out")
  cp "$dir/out" "$dir/both"
  name="the analysis tells: $(basename "$f")"
  verdict_of_case
done

# Conditions for assertions: proved of all heaps within the program's bounds; with one link wrong refuted by a run of the compiled program, which asks the same.
cat >"$dir/conditions.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include "tp_shape.h"
extern int __VERIFIER_nondet_int(void);
struct node { struct node *left, *right; int key; };
struct cell { struct cell *next; int key; };
int main(void) {
#if defined TREE
  struct node *root = calloc(1, sizeof *root), *n = root;
  for (int i = 0; i < 2; i++) {
    struct node *fresh = calloc(1, sizeof *fresh);
    if (__VERIFIER_nondet_int()) n->left = fresh; else n->right = fresh;
#ifdef BROKEN
    if (__VERIFIER_nondet_int() == 7) fresh->left = BACK;
#endif
#ifdef DAG
    if (__VERIFIER_nondet_int() == 7) { n->right = fresh; n->left = fresh; }
#endif
    n = fresh;
  }
  assert(TP_IS_TREE(struct node, root, left, right));
#elif defined RING
  struct cell *first = calloc(1, sizeof *first);
  first->next = first;
  for (int i = 0; i < 3; i++)
    if (__VERIFIER_nondet_int()) {
      struct cell *fresh = calloc(1, sizeof *fresh);
#ifdef BROKEN
      if (__VERIFIER_nondet_int() == 3) { fresh->next = fresh; first->next = fresh; continue; }
#endif
      fresh->next = first->next;
      first->next = fresh;
    }
  assert(TP_IS_CYCLIC(struct cell, first, next));
#elif defined LIST
  struct cell *first = NULL;
  for (int i = 0; i < 4; i++) {
    struct cell *fresh = calloc(1, sizeof *fresh);
    fresh->key = 10 - i;
#ifdef BROKEN
    fresh->key = __VERIFIER_nondet_int() == 5 ? 12 : 10 - i;
#endif
    fresh->next = first;
    first = fresh;
  }
  assert(TP_IS_ACYCLIC(struct cell, first, next));
  assert(TP_IS_SORTED(struct cell, first, next, key));
#endif
  return 0;
}
C
condition() { "$tool" check -I build/lib/spec --timelimit=60 "$dir/conditions.c" -- "$@"; }
expect "a tree" 0 "^RESULT: true" condition -DTREE
expect "a link to the root" 10 "^RESULT: false" condition -DTREE -DBROKEN -DBACK=root
expect "a link to the parent" 10 "^RESULT: false" condition -DTREE -DBROKEN -DBACK=n
expect "two links to a cell" 10 "^RESULT: false" condition -DTREE -DDAG
expect "a ring" 0 "^RESULT: true" condition -DRING
expect "a cycle that does not come back" 10 "^RESULT: false" condition -DRING -DBROKEN
expect "in order, and ends" 0 "^RESULT: true" condition -DLIST
expect "out of order" 10 "^RESULT: false" condition -DLIST -DBROKEN
# Of lists of any length.
cat >"$dir/any.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include "tp_shape.h"
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next; };
int main(void) {
  struct cell *first = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *fresh = calloc(1, sizeof *fresh);
    fresh->next = first;
    first = fresh;
  }
  assert(TP_IS_ACYCLIC(struct cell, first, next));
  return 0;
}
C
expect "lists of any length end" 0 "^RESULT: true" "$tool" check -I build/lib/spec --config=shape --timelimit=60 "$dir/any.c"

# What the conditions are, natively: each heap of up to three cells with any two links, against the definition by a set of visited cells.
cat >"$dir/native.c" <<'C'
#include <stdio.h>
#include "tp_shape.h"
struct node { struct node *left, *right; };
static int seen[3], shared;
static void visit(struct node *n, struct node *base) {
  if (!n) return;
  if (seen[n - base]++) { shared = 1; return; }
  visit(n->left, base);
  visit(n->right, base);
}
int main(void) {
  struct node n[3];
  int wrong = 0, trees = 0, rings = 0;
  for (int code = 0; code < 4096; code++) {
    for (int i = 0; i < 3; i++) {
      int l = code >> (4 * i) & 3, r = code >> (4 * i + 2) & 3;
      n[i].left = l == 3 ? 0 : &n[l];
      n[i].right = r == 3 ? 0 : &n[r];
    }
    seen[0] = seen[1] = seen[2] = shared = 0;
    visit(n, n);
    wrong += TP_IS_TREE(struct node, n, left, right) == shared;
    wrong += TP_IS_SHARED(struct node, n, left, right) != shared;
    trees += !shared;
    int length = 0, is_ring = 0;
    struct node *at = n;
    for (; at && length <= 3; length++) {
      at = at->left;
      is_ring |= at == n;
    }
    wrong += TP_IS_ACYCLIC(struct node, n, left) != (at == 0);
    wrong += TP_IS_CYCLIC(struct node, n, left) != is_ring;
    rings += is_ring;
  }
  printf("%d wrong, %s trees, %s rings\n", wrong, trees ? "some" : "no", rings ? "some" : "no");
  return wrong != 0;
}
C
native() { cc -I build/lib/spec -o "$dir/native" "$dir/native.c" && "$dir/native"; }
expect "as the definition, natively" 0 "^0 wrong, some trees, some rings" native
finish

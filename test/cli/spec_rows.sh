#!/bin/bash
# Arrays of structs in contracts: global and local ones, and such in other structs, each with a twin that breaks its contract or leaves the array.
. "$(dirname "$0")/common"
max_lines=150

cat >"$dir/rows.c" <<'C'
struct cell { int v; struct cell *next; };
static struct cell pool[4];
static int used;
//@ requires 0 <= i and i < 4
//@ ensures pool[i].v' = x
//@ ensures all k : int | (0 <= int[k] and int[k] < 4 and int[k] != i) => pool[k].v' = pool[k].v
void put(int i, int x) { pool[i].v = x; }
//@ requires 0 <= i and i < 4
//@ ensures pool[i].v' = x
void put_bad(int i, int x) { pool[(i + 1) & 3].v = x; }
//@ requires 0 <= used and used <= 4
//@ ensures \result = null <=> used = 4
//@ ensures \result != null => \result.v' = 7
struct cell *take(void) { if (used == 4) return 0; struct cell *c = &pool[used++]; c->v = 7; return c; }
//@ requires 0 <= used and used <= 4
//@ ensures \result != null
struct cell *take_bad(void) { if (used == 4) return 0; struct cell *c = &pool[used++]; c->v = 7; return c; }
static int sum(struct cell *c, int n) { int s = 0; for (int i = 0; i < n; i++) s += c[i].v; return s; }
//@ ensures \result = 6
int local(void) { struct cell a[3]; for (int i = 0; i < 3; i++) { a[i].v = i + 1; a[i].next = i ? &a[i - 1] : 0; } return sum(a, 3); }
//@ ensures \result = 6
int local_bad(void) { struct cell a[3]; for (int i = 0; i < 3; i++) { a[i].v = i; a[i].next = 0; } return sum(a, 3); }
//@ requires c in pool[int] and c != pool[0]
//@ ensures c.v' = 1
void back(struct cell *c) { struct cell *p = c - 1; p++; p->v = 1; }
//@ requires c in pool[int] and c != pool[0]
//@ ensures c.v' = 1
void back_bad(struct cell *c) { struct cell *p = c - 1; p->v = 1; }
//@ requires c in pool[int]
//@ ensures c.v' = 1 and c.next' = c.next
void copy(struct cell *c) { struct cell l[2]; l[0] = *c; l[1] = l[0]; l[1].v = 1; *c = l[1]; }
//@ requires c in pool[int]
//@ ensures c.v' = c.v
void copy_bad(struct cell *c) { struct cell l[2]; l[0] = *c; l[1] = l[0]; l[1].v = 1; *c = l[1]; }
//@ requires 0 <= i and i <= 4
void put_out_bad(int i, int x) { pool[i].v = x; }
//@ ensures \result = 6
int local_out_bad(void) { struct cell a[3]; for (int i = 0; i < 3; i++) { a[i].v = i + 1; a[i].next = 0; } return sum(a, 4); }
//@ requires c != null and c !in pool[int]
int alone(struct cell *c) { pool[0].v = 1; return c[1].v; }
C
cat >"$dir/inside.c" <<'C'
#include <stdlib.h>
struct entry { int key, value; struct entry *link; };
struct table { int n; struct entry e[3]; struct table *next; };
static struct entry *find(struct table *t, int key) { for (int i = 0; i < t->n; i++) if (t->e[i].key == key) return &t->e[i]; return 0; }
/*@ requires t != null and 0 <= t.n and t.n <= 3
    ensures \result != null => \result.key = key
    ensures \result = null <=> (no i : int | 0 <= int[i] and int[i] < t.n and t.e[i].key = key) */
struct entry *lookup(struct table *t, int key) { return find(t, key); }
/*@ requires t != null and 0 <= t.n and t.n <= 3
    ensures \result != null */
struct entry *lookup_bad(struct table *t, int key) { return find(t, key); }
/*@ requires t != null and 0 <= t.n and t.n <= 4 */
struct entry *lookup_out_bad(struct table *t, int key) { return find(t, key); }
/*@ requires t != null and 0 <= t.n and t.n < 3
    ensures t.n' = t.n + 1 and t.e[t.n].value' = v and t.e[t.n].key' = k
    ensures all i : int | int[i] >= 0 and int[i] < t.n => t.e[i].value' = t.e[i].value */
void add(struct table *t, int k, int v) { struct entry *e = &t->e[t->n++]; e->key = k; e->value = v; }
/*@ requires t != null and 0 <= t.n and t.n < 3
    ensures t.e[0].value' = t.e[0].value */
void add_bad(struct table *t, int k, int v) { struct entry *e = &t->e[t->n++]; e->key = k; e->value = v; }
//@ ensures \result = 5
int own(void) { struct table t = {0}; struct entry *p = t.e; p++; p->value = 5; return t.e[1].value + t.e[0].value; }
//@ ensures \result = 4
int own_bad(void) { struct table t = {0}; struct entry *p = t.e; p++; p->value = 5; return t.e[1].value + t.e[0].value; }
//@ ensures \result.e[2].value' = 0 and \result.n' = 0
struct table *fresh(void) { struct table *t = calloc(1, sizeof *t); return t; }
//@ ensures \result.e[2].value' = 1
struct table *fresh_bad(void) { struct table *t = calloc(1, sizeof *t); return t; }
/*@ requires a != null and b != null
    ensures b.e[1].key' = a.e[1].key and b.e[2].value' = a.e[2].value */
void copy(struct table *a, struct table *b) { *b = *a; }
/*@ requires a != null and b != null and a != b
    ensures b.e[1].key' = a.e[0].key */
void copy_bad(struct table *a, struct table *b) { *b = *a; }
//@ requires t != null
void drop(struct table *t) { if (t->next != t) free(t); }
//@ requires t != null
int drop_bad(struct table *t) { struct entry *e = &t->e[1]; free(t); return e->key; }
C
modes="inline summary"
[ -z "$TP_SOAK" ] || modes="inline summary frame havoc"
for mode in $modes; do
  run="build/twoproof spec --objects=2 --unroll=5 --width=5 --calls=$mode"
  for f in put take local back copy; do
    expect "$f, $mode" 1 "^RESULT: bounded" $run --function=$f "$dir/rows.c"
    expect "$f broken, $mode" 10 "^RESULT: false" $run --function=${f}_bad "$dir/rows.c"
  done
  for f in put_out local_out; do expect "$f, $mode" 10 "index out of range" $run --function=${f}_bad "$dir/rows.c"; done
  [ $mode = inline ] || [ -n "$TP_SOAK" ] || continue
  run="build/twoproof spec --objects=2 --unroll=4 --width=4 --calls=$mode"
  for f in lookup add own fresh copy drop; do
    expect "$f inside, $mode" 1 "^RESULT: bounded" $run --function=$f "$dir/inside.c"
    expect "$f inside broken, $mode" 10 "^RESULT: false" $run --function=${f}_bad "$dir/inside.c"
  done
  expect "lookup_out inside, $mode" 10 "index out of range" $run --function=lookup_out_bad "$dir/inside.c"
done
expect "an offset from a struct that may be no element" 5 "no element of an array" build/twoproof spec --objects=2 --unroll=5 --width=5 --function=alone "$dir/rows.c"
finish

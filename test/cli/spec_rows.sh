#!/bin/bash
# Arrays of structs in contracts: global and local ones, each with a twin that breaks its contract or leaves the array.
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
for mode in inline summary havoc; do
  run="build/twoproof spec --objects=2 --unroll=5 --width=5 --calls=$mode"
  for f in put take local back copy; do
    expect "$f, $mode" 1 "^RESULT: bounded" $run --function=$f "$dir/rows.c"
    expect "$f broken, $mode" 10 "^RESULT: false" $run --function=${f}_bad "$dir/rows.c"
  done
  for f in put_out local_out; do expect "$f, $mode" 10 "index out of range" $run --function=${f}_bad "$dir/rows.c"; done
done
expect "an offset from a struct that may be no element" 5 "no element of an array" build/twoproof spec --objects=2 --unroll=5 --width=5 --function=alone "$dir/rows.c"
finish

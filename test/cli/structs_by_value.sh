#!/bin/bash
# What contracts of bodies with structs by value and with constant tables say: each with a twin that breaks its contract.
. "$(dirname "$0")/common"
max_lines=80

cat >"$dir/values.c" <<'C'
struct p { void *key; int value; };
struct big { int a[3]; int *q; int n; };
struct two { int x; char c; };
struct p mk(void *k, int v) { struct p r = {k, v}; return r; }
int get(struct p x) { return x.value; }
struct p copy(struct p *a) { return *a; }
struct big mkb(int n) { struct big b = {{1, 2, 3}, 0, n}; return b; }
int getb(struct big b) { return b.n + b.a[1]; }
struct two mk2(int x) { struct two o = {x, 3}; return o; }
int get2(struct two t) { return t.x + t.c; }
//@ ensures \result = 3
int pair(void) { struct p a = mk(0, 3); struct p b; b = a; a.value = 5; return get(b); }
//@ ensures \result = 5
int pair_bad(void) { struct p a = mk(0, 3); struct p b; b = a; a.value = 5; return get(b); }
//@ ensures \result = 6
int by_address(void) { return getb(mkb(4)); }
//@ ensures \result = 4
int by_address_bad(void) { return getb(mkb(4)); }
//@ requires x >= 0 and x < 4
//@ ensures \result = x + 3
int one_register(int x) { return get2(mk2(x)); }
//@ requires x >= 0 and x < 4
//@ ensures \result = x + 2
int one_register_bad(int x) { return get2(mk2(x)); }
//@ requires x >= 0 and x < 4
//@ ensures \result = (x > 1 => x + 3 else 3)
int either(int x) { struct two t = x > 1 ? mk2(x) : mk2(0); return t.x + t.c; }
//@ requires x >= 0 and x < 4
//@ ensures \result = x + 3
int either_bad(int x) { struct two t = x > 1 ? mk2(x) : mk2(0); return t.x + t.c; }
//@ requires a != null
//@ modifies \alloc
//@ ensures a.value' = a.value
struct p returned(struct p *a) { return copy(a); }
//@ requires a != null
//@ ensures a.value' = 0
struct p returned_bad(struct p *a) { return copy(a); }
//@ requires a != null
//@ ensures \result.value' = a.value
struct p of_result(struct p *a) { return copy(a); }
C
cat >"$dir/first.c" <<'C'
struct pair { int key; int value; };
struct entry { struct pair pair; struct entry *next; };
struct outer { struct entry e; int n; };
//@ requires o != null
//@ modifies \alloc
//@ ensures \result = o.e.pair.value
int read(struct outer *o) { struct pair p = {1, 2}; p = o->e.pair; return p.value; }
//@ requires o != null
//@ modifies \alloc
//@ ensures \result = o.e.pair.key
int read_bad(struct outer *o) { struct pair p = {1, 2}; p = o->e.pair; return p.value; }
//@ requires e != null and f != null
//@ modifies e.pair.key, e.pair.value
//@ ensures e.pair.key' = f.pair.key and e.pair.value' = f.pair.value
void assign(struct entry *e, struct entry *f) { e->pair = f->pair; }
//@ requires e != null and f != null
//@ ensures e.next' = f.next
void assign_bad(struct entry *e, struct entry *f) { e->pair = f->pair; }
C
cat >"$dir/tables.c" <<'C'
struct n { int v; struct n *next; };
static const int table[5] = {3, 1, 4, 1, 5};
static int one(struct n *x) { return x->v; }
static int two(struct n *x) { return x->v * 2; }
static int (*const ops[2])(struct n *) = {one, two};
static const char *const names[3] = {"a", "bc", 0};
static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
//@ requires 0 <= i and i < 5
//@ ensures \result = (i = 0 => 3 else i = 2 => 4 else i = 4 => 5 else 1)
int element(int i) { return table[i]; }
//@ requires 0 <= i and i < 5
//@ ensures \result != 4
int element_bad(int i) { return table[i]; }
//@ requires i >= 0
int outside_bad(int i) { return table[i]; }
//@ requires x != null and 0 <= k and k < 2
//@ ensures \result = (k = 0 => x.v else x.v + x.v)
int through(int k, struct n *x) { return ops[k](x); }
//@ requires x != null and 0 <= k and k < 2
//@ ensures \result = x.v
int through_bad(int k, struct n *x) { return ops[k](x); }
//@ requires i >= 0 and i < 3
//@ ensures \result = (i = 0 => 1 else i = 1 => 2 else 0)
int length(int i) {
  const char *p = names[i];
  int n = 0;
  for (; p && *p; p++) n++;
  return n;
}
//@ requires i >= 0 and i < 3
//@ ensures \result < 2
int length_bad(int i) {
  const char *p = names[i];
  int n = 0;
  for (; p && *p; p++) n++;
  return n;
}
//@ ensures \result = 7
int moved(void) { const int *a = &table[1], *b = table; b++; return sum(table + 3, 2) + (a == b && a != table); }
//@ ensures \result = 6
int moved_bad(void) { const int *a = &table[1], *b = table; b++; return sum(table + 3, 2) + (a == b && a != table); }
C
turn=0
both() { # FILE WIDTH NAME [OBJECTS]: in one mode of calls, the next one in the next, with TP_SOAK=1 in each
  local ways=(inline summary havoc) how
  soak || ways=("${ways[turn++ % 3]}")
  for how in "${ways[@]}"; do
    expect "$3 holds, $how" 1 "holds within these bounds" "$tool" spec --calls=$how --objects=${4:-6} --unroll=5 --width=$2 --function=$3 "$dir/$1.c"
    expect "$3 breaks, $how" 10 "fails: ensures" "$tool" spec --calls=$how --objects=${4:-6} --unroll=5 --width=$2 --function=$3_bad "$dir/$1.c"
  done
}
for f in pair by_address one_register either returned; do both values 5 $f; done
for f in read assign; do both first 5 $f 2; done  # a struct that lies first in another one has its address
for f in element moved; do both tables 5 $f; done
both tables 6 through
both tables 8 length
expect "an index beyond the table" 10 "fails: index out of range" "$tool" spec --width=5 --function=outside_bad "$dir/tables.c"
expect "a struct that is returned has no name" 5 "'.result' has no value here" "$tool" spec --objects=6 --function=of_result "$dir/values.c"

# ---- what memory is for: from the members in which its address is kept
cat >"$dir/memory.c" <<'C'
#include <stdlib.h>
struct l { void **data; int *nums; int n; };
//@ requires n > 0
//@ ensures \result.n' = n and some \result.data[0]' and \result.nums[0]' = 0
struct l *mk(int n) {
  struct l *x = malloc(sizeof *x);
  x->data = malloc(n * sizeof(void *));
  x->nums = calloc(n, sizeof(int));
  x->n = n;
  return x;
}
//@ requires n > 0
//@ ensures \result.nums[n]' = 0
struct l *mk_bad(int n) { return mk(n); }
C
expect "memory for arrays of pointers" 1 "holds within these bounds" "$tool" spec --function=mk "$dir/memory.c"
expect "and not more of them" 10 "fails: ensures" "$tool" spec --function=mk_bad "$dir/memory.c"
finish

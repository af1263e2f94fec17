#!/bin/bash
# --objects=N,TYPE:N,...: a bound for each type of objects, as the source's bounds are.
. "$(dirname "$0")/common"
max_lines=60
cat >"$dir/types.c" <<'C'
#include <stdlib.h>
struct cell { struct cell *next; struct list *owner; };
struct list { struct cell *first; };
struct inner { int v; };
struct outer { struct outer *next; struct inner in; struct cell *cells[2]; };
struct cell head;
//@ requires l != null
//@ ensures not (#(l.first.*next - null) = 4)
void four_cells(struct list *l) { (void)l; }
//@ requires l != null
//@ ensures #(l.first.*next.owner - null) < 2
void owners(struct list *l) { (void)l; }
//@ requires o != null
//@ ensures not (#(o.^next - null - o) = 3 and o.in.v = 3)
void outers(struct outer *o) { (void)o; }
//@ requires l != null and l.first = null
//@ ensures l.first'.next' = null
void grow(struct list *l) {
  for (int i = 0; i < 2; i++) {
    struct cell *c = malloc(sizeof *c);
    c->next = l->first;
    c->owner = l;
    l->first = c;
  }
}
C
spec() { "$tool" spec --width=4 --unroll=2 "$@" "$dir/types.c"; }
expect "as many of each type" 1 "RESULT: bounded.objects=3, unroll" spec --function=four_cells
expect "K04_more of one type, and it is said" 10 "four_cells: objects=3, struct cell=4, unroll=2" spec --function=four_cells --objects=cell:4
expect "fewer of another one" 1 "RESULT: bounded.objects=4, struct list=1, unroll=2" spec --function=owners --objects=4,list:1
expect "as many as are needed" 10 "RESULT: false" spec --function=owners --objects=4,list:2
expect "the full name" 1 "struct list=1" spec --function=owners "--objects=struct list:1"
expect "structs inside of others have a place for each of their owners" 10 "RESULT: false" spec --function=outers --objects=2,outer:4
expect "... and no more than owners" 1 "RESULT: bounded" spec --function=outers --objects=5,outer:3
expect "objects that are made count" 1 "bound by --objects" spec --function=grow --objects=3,cell:1
expect "... and are enough" 10 "RESULT: false" spec --function=grow --objects=1,cell:2
for wrong in nobody:3 cell:0 cell: :3 0 33 cell:33 ""; do
  expect "wrong: '$wrong'" 64 "RESULT: unknown.bounds out of range" spec --objects="$wrong"
done
finish

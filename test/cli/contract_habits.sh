#!/bin/bash
# What people write who know other contract languages: the message says the right form. And separate[a, b], which those languages have.
. "$(dirname "$0")/common"

says() { # CLAUSE PATTERN
  printf 'struct n { int d; struct n *next; };\nint g;\n//@ %s\nint f(struct n *p, int *a, int i);\nint main(void) { return f(0, 0, 0); }\n' "$1" >"$dir/habit.c"
  expect "$1" 6 "habit.c:3:[0-9]+: error: .*$2" "$tool" spec --check-syntax "$dir/habit.c"
}
says 'requires p->d > 0' "C's x->d is x.d here"
says 'requires *a = 3' "C's [*]p is p.0., and .[*]p.[.]f is p[.]f"
says 'requires (*p).d = 3' "C's [*]p is p.0., and .[*]p.[.]f is p[.]f"
says 'requires 0 <= i < 3' "a <= b < c is a <= b and b < c"
says 'requires \separated(p, a)' "write separate.p, q."
says 'ensures i = 0 ==> g = 1' "write F => G"
says 'ensures i = 0 <==> g = 1' "write F <=> G"
says 'requires \true' "write true"
says 'ensures \fresh(\result)' "a new object is x !in .alloc and x in .alloc'"
says 'requires a[0..3] = 0' "there are no ranges; write all k : int"
says 'predicate sorted(int *a) = true' "write pred p.x, y : T. { F }"
says 'logic integer sum(int *a) = 0' "write fun f.x : T. : U { E }"
says 'frees p' "write modifies .alloc"
says 'requires \forall int k; a[k] = 0' "write all x : SET . F, as in all k : int"
says 'requires &g = a' "there are no addresses here"
says 'requires i ≥ 0' "write >="
says 'requires separate[p]' "separate.[.]+. takes two objects or sets, or more"

cat >"$dir/separate.c" <<'C'
struct n { int d; struct n *next; };
struct q { struct n *head, *tail; };
struct t { struct n *slots[2]; struct n **table; };
//@ requires separate[a, b] and a != null and b != null and a.head != null
//@ ensures b.head.*next'.d' = b.head.*next.d
void lists(struct q *a, struct q *b) { a->head->d = 3; }
//@ requires a != b and a != null and b != null and a.head != null
//@ ensures b.head.*next'.d' = b.head.*next.d
void lists_bad(struct q *a, struct q *b) { a->head->d = 3; }
//@ requires separate[a, b] and a != null and b != null and a.slots[0] != null and some b.table[0]
//@ ensures b.table[0].d' = b.table[0].d and b.slots[1].d' = b.slots[1].d
void arrays(struct t *a, struct t *b) { a->slots[0]->d = 3; }
//@ requires a != b and a != null and b != null and a.slots[0] != null and some b.table[0]
//@ ensures b.table[0].d' = b.table[0].d
void arrays_bad(struct t *a, struct t *b) { a->slots[0]->d = 3; }
//@ requires separate[a, b] and a != null and b != null
//@ ensures separate[a, b]'
void kept(struct q *a, struct q *b) { a->head = a->tail; }
//@ requires separate[a, b] and a != null and b != null
//@ ensures separate[a, b]'
void kept_bad(struct q *a, struct q *b) { a->head = b->tail; }
//@ requires separate[a, x, y] and x != null and y != null
//@ ensures x != y and \result = 0
int three(struct q *a, struct n *x, struct n *y) { return a && (a->head == x || a->tail == y); }
C
for f in lists arrays kept three; do expect "nothing is shared: $f" 1 "holds within these bounds" "$tool" spec --objects=2 --unroll=2 --function=$f "$dir/separate.c"; done
for f in lists arrays kept; do expect "something is shared: ${f}_bad" 10 "fails: ensures" "$tool" spec --objects=2 --unroll=2 --function=${f}_bad "$dir/separate.c"; done
sed -i '1i //@ pred separate[x, y : struct n] { x != y }' "$dir/separate.c"
expect "a name of the program's goes first" 6 "separate.c:5:[0-9]+: error: 'x' of 'separate' is struct n, and this is struct q" "$tool" spec --check-syntax "$dir/separate.c"
finish

#!/bin/bash
# Assignments to ghosts in bodies: executed where they stand, in every mode of calls; what is no statement, and what the declaration does not allow.
. "$(dirname "$0")/common"
max_lines=90

cat >"$dir/seen.c" <<'C'
struct n { int d; struct n *next; };
//@ ghost seen : set struct n
//@ ghost last : one struct n
//@ requires x != null
//@ modifies x.d, seen
//@ ensures seen' = seen + x and x.d' = 1
void mark(struct n *x) {
  x->d = 1;
  //@ ghost seen = seen + x
}
//@ requires x != null and no c : x.*next | c in c.^next
//@ ensures seen' = seen + x.*next - null
void mark_all(struct n *x) {
  for (struct n *c = x; c; c = c->next) mark(c);
}
//@ requires x != null and no c : x.*next | c in c.^next
//@ ensures seen' = seen + x.*next - null
void mark_all_bad(struct n *x) {
  for (struct n *c = x->next; c; c = c->next) mark(c);
}
//@ requires x != null and x !in seen
//@ ensures x !in seen'
void user_bad(struct n *x) { mark(x); }
//@ requires x != null
//@ modifies x.d
void frame_bad(struct n *x) { mark(x); }
//@ ensures last' = x
void any_value(struct n *x) {
  //@ ghost last = x
}
//@ requires x != null
//@ ensures last' = x
void right_value(struct n *x) {
  //@ ghost last = x
}
struct l {
  struct n *head;
  //@ ghost content : set struct n
  //@ invariant this.content = this.head.*next - null
};
//@ requires l != null and e != null and e.next = null and no m : struct l | e in m.head.*next
//@ ensures l.content' = l.content + e
void push(struct l *l, struct n *e) {
  e->next = l->head;
  l->head = e;
  //@ ghost l.content = l.content + e
}
//@ requires l != null and e != null and e.next = null and no m : struct l | e in m.head.*next
void push_bad(struct l *l, struct n *e) {
  e->next = l->head;
  l->head = e;
}
//@ ghost steps : one int
//@ ghost log : int -> lone struct n
//@ requires steps = 0 and no c : x.*next | c in c.^next
//@ ensures \result = steps'
int length(struct n *x) {
  int k = 0;
  while (x) {
    x = x->next; /*@ ghost steps = k + 1 */ k++;
  }
  return k;
}
//@ requires steps = 0 and no c : x.*next | c in c.^next
//@ ensures \result = steps'
int length_bad(struct n *x) {
  int k = 0;
  while (x) {
    x = x->next; k++; /*@ ghost steps = k + 1 */
  }
  return k;
}
//@ requires no log
//@ ensures x != null => log' = 0 -> x + (x.next != null => 1 -> x.next else none)
void walk(struct n *x) {
  int i = 0;
  for (; i < 2 && x; i++, x = x->next) {
    //@ ghost log = log ++ (i -> x)
  }
}
C
turn=0  # each function in one mode of calls, with TP_SOAK=1 in all
for how in inline contracts summary frame havoc; do
  k=$((turn++))
  for f in mark mark_all push right_value length walk; do
    soak || [ $((k++ % 5)) = 0 ] || continue
    expect "a ghost is what bodies make of it: $f, $how" 1 "holds within these bounds" "$tool" spec --calls=$how --objects=3 --unroll=3 --function=$f "$dir/seen.c"
  done
  for f in mark_all_bad user_bad push_bad length_bad frame_bad; do
    soak || [ $((k++ % 5)) = 0 ] || continue
    expect "and nothing else: $f, $how" 10 "fails: " "$tool" spec --calls=$how --objects=3 --unroll=3 --function=$f "$dir/seen.c"
  done
done
expect "what is executed names the assignment" 10 "seen.c:69:23: ghost steps = k [+] 1" "$tool" spec --unroll=3 --function=length_bad "$dir/seen.c"
expect "a ghost is what it was declared to be" 5 "not known: an assignment to the ghost last of a value that its declaration does not allow .*seen.c:29:3" "$tool" spec --function=any_value "$dir/seen.c"
expect "summaries name ghosts" 0 "modifies x[.][*]next[.]d, seen" "$tool" spec --summaries --function=mark_all "$dir/seen.c"
"$tool" spec --summaries "$dir/seen.c" >"$dir/sums" 2>"$dir/err"
expect "summaries read back" 0 "CONTRACTS: .* 0 wrong" "$tool" spec --check-syntax --contracts="$dir/sums" "$dir/seen.c"

refused() { # WHAT PATTERN BODY
  printf 'struct n { int d; struct n *next; };\n//@ ghost seen : set struct n\n//@ ghost log : int -> lone struct n\nvoid f(struct n *x) {\n%s\n}\n' "$3" >"$dir/wrong.c"
  expect "$1" 6 "$2" "$tool" spec "$dir/wrong.c"
}
stands="error: an assignment to a ghost stands where a statement of its own can stand"
refused "no statement between a condition and its statement" "wrong.c:5:12: $stands" $'if (x) //@ ghost seen = seen + x\n  x->d = 1;'
refused "no statement in front of else" "wrong.c:5:22: $stands" $'if (x) x->d = 1; //@ ghost seen = seen + x\nelse x = 0;'
refused "no statement in an expression" "wrong.c:5:16: $stands" $'x->d = 1 + //@ ghost seen = seen + x\n 2;'
refused "a name of several variables" "'k' cannot be used in a contract: the function has several variables of this name" $'{ int k = 1; x += k; } { int k = 2; x += k; }\n//@ ghost seen = seen + (k = 1 => x else none)'
refused "members change by C" "contracts can assign to ghosts only" $'//@ ghost x.d = 3'
refused "a part of a relation" "'log' is assigned as a whole: log = log [+][+] [(]i -> x[)]" $'//@ ghost log[3] = x'
finish

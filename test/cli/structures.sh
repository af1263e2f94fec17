#!/bin/bash
# Structure properties by name (lib/spec/tp_shape.h): the safe program is not refuted, no error is reached by the analysis of shapes; the broken one fails. The proof that
# lists end: examples/shapes/acyclic.c.
. "$(dirname "$0")/common"
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
finish

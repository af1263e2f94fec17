#!/bin/bash
# How many heaps a function may be called with, counted: as a compiled program enumerates them, and what people see of it.
. "$(dirname "$0")/common"
max_lines=40

why= name="K36_start states of topological order as enumerated"
out=$(bench/karun/counts --timelimit 100 1 2 2>&1) || why="the tool and the enumeration differ: $out"
verdict_of_case
count() { # NAME PATTERN
  name=$1 why=
  printf '%s\n' "$out" | grep -Eq "$2" || why="no line $2 in: $out"
  verdict_of_case
}
count "K36_28 with one object of each type" "^1 objects, RIGHT: heaps within the bounds: 28; .*clause from 0$"
count "K36_39,102 with two" "^2 objects, RIGHT: heaps within the bounds: 39102; .*clause from 0$"
count "K36_1 breaks it with a counter that is not reset" "^1 objects, BUG_RESET: .*clause from 1$"
count "K36_800 with two objects" "^2 objects, BUG_RESET: .*clause from 800$"

cat >"$dir/pair.c" <<'C'
struct s { int v; struct s *next; };
//@ requires x != null
//@ ensures x.v' = 1
void set(struct s *x) { if (x->next) x->next->v = 1; else x->v = 1; }
C
# One object: v is one of 4 numbers, next is null or the object itself; x is the object. Two objects: one of them exists (8 heaps), or both: (4 * 3)^2
# members and 2 arguments; where x leads to the other one, x->v stays, and is not 1 in 3 of 4.
expect "heaps are counted" 1 "heaps within the bounds: 8; the function returns from 8, fails from 0, breaks a clause from 0" "$tool" spec --count --objects=1 --width=2 "$dir/pair.c"
expect "... names of objects are told apart" 10 "heaps within the bounds: 296; the function returns from 296, fails from 0, breaks a clause from 72" "$tool" spec --count --objects=2 --width=2 "$dir/pair.c"
expect "where calls are refined nothing is counted" 64 "count counts with --calls=inline or contracts" "$tool" spec --count --calls=summary --objects=1 --width=2 "$dir/pair.c"
finish

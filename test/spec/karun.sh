#!/bin/bash
# Rows of the thesis's evaluation that take a second, some of them with TP_SOAK=1 only (bench/karun has all of them): what holds, and what breaks in a compiled program.
. "$(dirname "$0")/../cli/common"
max_lines=60

rows="R2 R3 Q8 Q8f Q9c Q9f G1 D1 D1b X1 X1b"
! soak || rows="$rows Q5 Q9 D4 D10 X2"
expect "K41_bug in a function that is called: R3, Q8, Q9" 0 "^\| Q9c .*\| false \| false \|" bench/karun/table --results "$dir/rows" --rows "$rows"
for r in $rows; do
  grep -q "^| $r " "$dir/out" || { echo "FAILED no row $r"; failed=$((failed + 1)); }
done
expect "K43_counters" 0 "^  [0-9]+ variables, [0-9]+ clauses, [0-9]+ solver calls; [0-9.]+ s, [0-9.]+ s of them in the solver$" cat "$dir/rows/R2"

expect "K05_R3 with one object of each type" 10 "^RESULT: false" build/twoproof spec --function=topo --objects=1 --unroll=1 --width=3 -I lib/spec --contracts=bench/karun/properties/R2 -DBUG_RESET bench/karun/topo.c
expect "K05_R2 with one object of each type" 1 "^RESULT: bounded" build/twoproof spec --function=topo --objects=1 --unroll=1 --width=3 -I lib/spec --contracts=bench/karun/properties/R2 bench/karun/topo.c

# A parameter that is called like a struct is a parameter behind a dot, too, not the set of these structs.
cat >"$dir/tag.c" <<'END'
struct name { int c; };
struct job { struct name *name; };
//@ requires j != null
//@ ensures \result <=> j in struct job::name.name
_Bool is_named(const struct job *j, const struct name *name) { return j->name == name; }
END
sed 's/j->name == name/j->name != 0/' "$dir/tag.c" >"$dir/tag_bad.c"
expect "a parameter called like a struct" 1 "holds within these bounds" build/twoproof spec "$dir/tag.c"
expect "a parameter called like a struct, broken" 10 "fails: ensures" build/twoproof spec "$dir/tag_bad.c"
finish

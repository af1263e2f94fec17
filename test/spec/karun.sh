#!/bin/bash
# Rows of the thesis's evaluation that take a second (bench/karun has all of them): what holds, and what breaks in a compiled program.
. "$(dirname "$0")/../cli/common"
max_lines=50

rows="G1c G4c G5c G5b R2 R3 Q4 Q5 Q7 Q9 Q9c Q9f G1 D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D1b X1 X1b X2"
expect "K41_bug in a function that is called: R3, Q9" 0 "^\| Q9c .*\| false \| false \|" bench/karun/table --results "$dir/rows" --rows "$rows"
for r in $rows; do
  grep -q "^| $r " "$dir/out" || { echo "FAILED no row $r"; failed=$((failed + 1)); }
done
expect "K43_counters" 0 "^  [0-9]+ variables, [0-9]+ clauses, [0-9]+ solver calls; [0-9.]+ s, [0-9.]+ s of them in the solver$" cat "$dir/rows/R2"
finish

#!/bin/bash
# Figures 1, 4 and 7 of Synergy in C: engine synergy exits with 10, and the program that it leaves, built with the inputs, fails when it is run.
. "$(dirname "$0")/../cli/common"
for f in thousand_turns_bad two_cells_bad equation_bad; do
  expect "S10_$f" 10 "^RESULT: false.unreach-call.$" "$tool" check --engine=synergy --timelimit=30 --output="$dir/$f" "examples/synergy/$f.c"
  expect "S10_${f}_replayed" 10 "gcc *confirmed" "$tool" replay "examples/synergy/$f.c" "$dir/$f/inputs.txt"
  expect "S10_${f}_run" 107 "violated" sh "$dir/$f/run.sh"
done
finish

#!/bin/bash
# Abstract steps are asked about before they are used (exact), or only where no test takes them (lazy): the same verdicts, and with all programs together fewer questions to solvers.
. "$(dirname "$0")/../cli/common"
declare -A total=([exact]=0 [lazy]=0)
# ask NAME STATUS ENGINE FILE: both ways
ask() {
  for how in exact lazy; do
    expect "S22_$1_$how" "$2" "" "$tool" check --engine="$3" --edges=$how --timelimit=30 --stats="$dir/stats.json" "$4"
    calls=$(sed -n 's/.*"solver_calls": *\([0-9]*\).*/\1/p' "$dir/stats.json" | head -n 1)
    total[$how]=$((total[$how] + ${calls:-1000000}))
  done
}
for f in lock_and_counter diamonds_3 diamonds_10 flag_after_loop dead_branch; do ask "$f" 0 synergy "examples/synergy/$f.c"; done
for f in lock_and_counter_bad equation_bad two_cells_bad; do ask "$f" 10 synergy "examples/synergy/$f.c"; done
for f in length lock two_calls mc_carthy; do ask "smash_$f" 0 smash "examples/recursion/$f.c"; done
for f in length_bad lock_bad; do ask "smash_$f" 10 smash "examples/recursion/$f.c"; done
why=
[ "${total[lazy]}" -lt "${total[exact]}" ] || why="${total[lazy]} questions lazily, ${total[exact]} exactly"
name=S22_fewer_questions
verdict_of_case
finish

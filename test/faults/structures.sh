#!/bin/bash
# Faults planted in data structures (structures.faults, held_out.faults), in lattices (lattices.faults) and behind rows of the checklist (rows.faults): they fit the
# tree. With TP_SOAK=1 the campaign: each fault is noticed as its row says, and at least 45 of the 60 stop at an assertion. TP_JOBS copies of the tree work side by side.
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
bad=0 good=0
expect() { # WHAT STATUS TEXT COMMAND...
  what=$1 status=$2 text=$3
  shift 3
  "$@" >"$dir/out" 2>&1
  got=$?
  if [ $got = "$status" ] && grep -qF -- "$text" "$dir/out"; then good=$((good + 1)); else bad=$((bad + 1)); echo "$what: status $got"; cat "$dir/out"; fi
}
row() { printf 'set s src/term/term\nfault f\nkind %s\nset s\nfile src/base/base.c\n%s\n' "$1" "$2" >"$dir/list"; }

expect "the list fits the tree" 0 "faults" test/faults/plant --check
expect "so does the other list" 0 "faults" test/faults/plant --check --list test/faults/held_out.faults
expect "so does the list of lattices" 0 "faults" test/faults/plant --check --list test/faults/lattices.faults
expect "and that of rows" 0 "10 faults" test/faults/plant --check --list test/faults/rows.faults
row "wrong count" "-  this line is nowhere"
expect "lines that are gone" 1 "occur 0 times" test/faults/plant --check --list "$dir/list"
row "wrong count" "-}"
expect "lines that occur more than once" 1 "times in src/base/base.c, not once" test/faults/plant --check --list "$dir/list"
row "bad luck" "-  live_bytes -= old;"
expect "an unknown kind" 1 "unknown kind" test/faults/plant --check --list "$dir/list"
row "wrong count" "-  live_bytes -= old;"
expect "a row that fits" 0 "1 faults" test/faults/plant --check --list "$dir/list"
n=$(grep -c '^fault ' test/faults/structures.faults)
[ "$n" -ge 60 ] || { echo "$n faults, 60 are wanted"; bad=$((bad + 1)); }
if [ -n "${TP_SOAK:-}" ]; then
  if test/faults/plant --jobs "${TP_JOBS:-1}" --want 45; then good=$((good + 1)); else bad=$((bad + 1)); fi
  if test/faults/plant --limit 600 --jobs "${TP_JOBS:-1}" --list test/faults/rows.faults; then good=$((good + 1)); else bad=$((bad + 1)); fi
  if test/faults/plant --jobs "${TP_JOBS:-1}" --list test/faults/held_out.faults; then good=$((good + 1)); else bad=$((bad + 1)); fi
  if test/faults/plant --jobs "${TP_JOBS:-1}" --list test/faults/lattices.faults; then good=$((good + 1)); else bad=$((bad + 1)); fi
fi
echo "$good passed, $bad failed"
[ $bad = 0 ]

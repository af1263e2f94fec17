#!/bin/bash
# Synergy's ways of searching, each on what the others do not settle: tests along all paths where formulas of blocks are too coarse; invariants that
# runs suggest where splits go round a loop.
cd "$(dirname "$0")/../.."
passed=0 failed=0
answer() { # WANTED FILE [OPTION...]
  seen=$(bench/synergy/measure synergy 10 "$2" "${@:3}" | sed -n 's/.*"answer": "\([a-z]*\)".*/\1/p')
  if [ "$seen" = "$1" ]; then passed=$((passed + 1)); echo "ok $(basename "$2") ${*:3}: $seen"
  else failed=$((failed + 1)); echo "FAILED $(basename "$2") ${*:3}: $seen instead of $1"; fi
}
answer true examples/synergy/shrunk_block.c
answer false examples/synergy/shrunk_block_bad.c
answer none examples/synergy/shrunk_block.c --nodes=locations
answer none examples/synergy/shrunk_block.c --nodes=loops
answer true bench/generalize/other_down.c --nodes=locations
answer none bench/generalize/other_down.c --nodes=locations --generalize=none
echo "$passed passed, $failed failed"
[ $failed = 0 ]

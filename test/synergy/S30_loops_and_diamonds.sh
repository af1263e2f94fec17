#!/bin/bash
# A thousand turns of a loop, then ten diamonds: tests get through the loop, an abstraction gets through the diamonds. Engine synergy, which
# has both, answers; refinement without tests counts turns and directed tests count paths until the same limit ends them.
cd "$(dirname "$0")/../.."
passed=0 failed=0
answer() { # ENGINE PROGRAM WANTED
  seen=$(bench/synergy/measure "$1" 8 "examples/synergy/$2.c" | sed -n 's/.*"answer": "\([a-z]*\)".*/\1/p')
  if [ "$seen" = "$3" ]; then passed=$((passed + 1)); echo "ok S30_$2 $1: $seen"
  else failed=$((failed + 1)); echo "FAILED S30_$2 $1: $seen instead of $3"; fi
}
answer synergy loop_and_diamonds true
answer synergy loop_and_diamonds_bad false
answer slam loop_and_diamonds none
answer slam loop_and_diamonds_bad none
answer directed loop_and_diamonds none
echo "$passed passed, $failed failed"
[ $failed = 0 ]

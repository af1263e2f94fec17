#!/bin/bash
# A thousand turns of a loop, then diamonds: tests get through the loop, an abstraction gets through the diamonds. Engine synergy, which
# has both, answers. Refinement without tests counts turns until a limit ends it; directed tests count ways, 2^10 for ten diamonds, and 2^20 are too many.
cd "$(dirname "$0")/../.."
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
answer() { # ENGINE FILE WANTED [LEAST_TESTS]; who has no answer has none in 3 s, with TP_SOAK=1 in 10
  limit=10
  [ "$3" != none ] || [ -n "${TP_SOAK:-}" ] || limit=3
  bench/synergy/measure "$1" $limit "$2" >"$dir/record"
  seen=$(sed -n 's/.*"answer": "\([a-z]*\)".*/\1/p' "$dir/record")
  tests=$(sed -n 's/.*"tests": \([0-9]*\).*/\1/p' "$dir/record")
  name=$(basename "$2" .c)_$1
  if [ "$seen" = "$3" ] && [ "$tests" -ge "${4:-0}" ]; then passed=$((passed + 1)); echo "ok S30_$name: $seen, $tests tests"
  else failed=$((failed + 1)); echo "FAILED S30_$name: $seen with $tests tests instead of $3"; fi
}
bench/synergy/generate both 20 >"$dir/loop_and_20.c"
answer synergy examples/synergy/loop_and_diamonds.c true
answer synergy examples/synergy/loop_and_diamonds_bad.c false
answer synergy "$dir/loop_and_20.c" true
answer slam examples/synergy/loop_and_diamonds.c none
answer slam examples/synergy/loop_and_diamonds_bad.c none
answer directed examples/synergy/loop_and_diamonds.c true 1024
answer directed "$dir/loop_and_20.c" none
echo "$passed passed, $failed failed"
[ $failed = 0 ]

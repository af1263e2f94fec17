#!/bin/bash
# Figure 8 with n diamonds: turns of engine synergy grow by the same number for each diamond. By default 4 of them, at most 4n + 5 in all, as in the paper's
# program; exact pre-images carry the guards of branches along, so they are asked for diamonds that an input decides on the spot (6 a diamond: it has two
# locations more). Tests: one more than diamonds. Directed tests double with each diamond.
cd "$(dirname "$0")/../.."
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
expect() { # NAME COMMAND...
  name=$1
  shift
  if "$@"; then passed=$((passed + 1)); echo "ok S16_$name $*"
  else failed=$((failed + 1)); echo "FAILED S16_$name: $*"; fi
}
# measured ENGINE FAMILY N OPTION...: sets answer, turns, tests
measured() {
  bench/synergy/generate "$2" "$3" >"$dir/diamonds.c"
  bench/synergy/measure "$1" 60 "$dir/diamonds.c" "${@:4}" >"$dir/record"
  answer=$(sed -n 's/.*"answer": "\([a-z]*\)".*/\1/p' "$dir/record")
  turns=$(sed -n 's/.*"iterations": \([0-9]*\).*/\1/p' "$dir/record")
  tests=$(sed -n 's/.*"tests": \([0-9]*\).*/\1/p' "$dir/record")
}
for n in 1 2 5 10 30; do
  measured synergy diamonds $n
  expect "default_$n" [ "$answer" = true ]
  expect "default_${n}_turns" [ "$turns" -le $((4 * n + 5)) ]
  expect "default_${n}_tests" [ "$tests" -le $((n + 1)) ]
done
for n in 1 2 4 8; do
  measured synergy choices $n --split=pre --generalize=none
  expect "pre_$n" [ "$answer" = true ]
  expect "pre_${n}_turns" [ "$turns" -le $((6 * n + 5)) ]
done
for n in 2 4 6; do
  measured directed diamonds $n
  expect "directed_$n" [ "$answer" = true ]
  expect "directed_${n}_tests" [ "$tests" -ge $((1 << n)) ]
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]

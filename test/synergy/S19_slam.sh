#!/bin/bash
# Engine slam, predicates without tests: for every turn of a fixed loop one more predicate and one more refinement (Figure 1, which any test
# gets through); two refinements where a relation is needed (Figure 3), one for a flag behind any number of diamonds (Figure 8).
cd "$(dirname "$0")/../.."
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

count() { sed -n "s/^ *\"$1\": *\([0-9]*\),*$/\1/p" "$dir/stats.json"; }
# run FILE: sets result
run() {
  result=$(timeout 300 "$tool" check --engine=slam --timelimit 100 --stats "$dir/stats.json" "$1" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p')
}
# expect NAME WHAT SEEN WANTED
expect() {
  if [ "$3" = "$4" ]; then passed=$((passed + 1)); echo "ok S19_$1 $2 $3"
  else failed=$((failed + 1)); echo "FAILED S19_$1: $2 $3 instead of $4"; fi
}

for turns in 2 4 8; do
  sed "s/i < 1000/i < $turns/" examples/synergy/thousand_turns_bad.c >"$dir/turns.c"
  run "$dir/turns.c"
  expect "turns_$turns" verdict "$result" "false(unreach-call)"
  expect "turns_$turns" refinements "$(count refinements)" "$turns"
  expect "turns_$turns" predicates "$(count predicates)" "$turns"
done
run examples/synergy/lock_and_counter.c
expect lock_and_counter verdict "$result" true
expect lock_and_counter refinements "$(count refinements)" 2
run examples/synergy/lock_and_counter_bad.c
expect lock_and_counter_bad verdict "$result" "false(unreach-call)"
run examples/synergy/diamonds_30.c
expect diamonds_30 verdict "$result" true
expect diamonds_30 refinements "$(count refinements)" 1
expect diamonds_30 tests "$(count tests_run)" 0
echo "$passed passed, $failed failed"
[ $failed = 0 ]

#!/bin/bash
# Values for the states of processes, predicates for the data between them: value_predicate.txt, safe programs and broken twins, by the configuration and in the schedule of `auto`.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
split_pairs test/cpa/value_predicate.txt "$dir"
while read -r pair; do
  verdict "value-predicate $pair" true "$tool" check --timelimit=30 --config=value-predicate "$dir/$pair-good.c"
  verdict "value-predicate $pair broken" "false(unreach-call)" "$tool" check --timelimit=30 --config=value-predicate "$dir/$pair-bad.c"
  verdict "auto $pair broken" "false(unreach-call)" "$tool" check --timelimit=30 "$dir/$pair-bad.c"
  "$tool" dump --schedule "$dir/$pair-good.c" | grep -q '^value-predicate' && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED no turn for $pair"; }
done <"$dir/list"
finish

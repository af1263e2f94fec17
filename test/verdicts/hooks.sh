#!/bin/sh
# Modules whose allocators, comparisons, iterations and operations are pointers to functions: the good one of each pair in hooks.txt is proved, its broken twin
# fails. Run from the project's root; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
split_pairs test/verdicts/hooks.txt "$dir"
while read -r name property violated; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  check="$tool check --property=$property --timelimit=40"
  verdict "$name" true $check "$dir/$name-good.c"
  verdict "$name, broken" "false($violated)" $check "$dir/$name-bad.c"
done < "$dir/list"
finish

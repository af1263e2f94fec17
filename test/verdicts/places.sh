#!/bin/sh
# Verdicts of the pairs in places.txt: objects become variables, and stay in memory. Run from the project's root; TWOPROOF names the program to test; an argument is a
# pattern of names. By default a part (test/part.common), with TP_SOAK=1 all.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
split_pairs test/verdicts/places.txt "$dir"
names=${1:-}
part 6 2,3 <"$dir/list" >"$dir/tried"
while read -r pair property failure places; do
  [ "$failure" = unknown ] || failure="false($failure)"
  case $pair in ${1:-*}) ;; *) continue ;; esac
  for as in variables memory; do
    [ "$as" = memory ] && [ "$places" = variables ] && continue
    verdict "$pair, $as" true "$tool" check --places=$as --property "$property" --timelimit 30 "$dir/$pair-good.c"
    verdict "$pair, broken, $as" "$failure" "$tool" check --places=$as --property "$property" --timelimit 30 "$dir/$pair-bad.c"
  done
done < "$dir/tried"
finish

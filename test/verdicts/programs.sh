#!/bin/sh
# Verdicts of the small programs in programs.txt. Run from the project's root; TWOPROOF names the program to test;
# an argument is a pattern of names. By default a part (test/part.common), with TP_SOAK=1 all.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
names=${1:-}
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
awk -v dir="$dir" '/^=== / { file = dir "/" $2 ".c"; print $2, $3, $4, $5 > (dir "/list"); next } file { print > file }' test/verdicts/programs.txt
part 16 2,3,4 <"$dir/list" >"$dir/tried"
while read -r name property machine expected; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  verdict "$name" "$expected" "$tool" check --missing=any --property "$property" --machine "$machine" --timelimit "$(patience 30 "$expected")" "$dir/$name.c"
done < "$dir/tried"
finish

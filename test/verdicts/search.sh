#!/bin/sh
# Verdicts of the pairs in search.txt: the good one is proved, the broken twin refuted, each by the engine that is named; by default a part of the pairs; TP_SOAK=1: all, and no engine that
# searches with tests or splits regions says the opposite. Run from anywhere; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
split_pairs test/verdicts/search.txt "$dir"

# said NAME VERDICT ENGINE FILE OPTION...: the engine says this (of a false program: whatever is violated).
said() {
  name=$1 verdict=$2 engine=$3 file=$4
  shift 4
  got=$(timeout 120 "$tool" check --engine="$engine" --missing=any --timelimit 30 "$@" "$file" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "$verdict"*) passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED $name with $engine: expected $verdict, got ${got:-no answer}" ;;
  esac
}
# not_said: it says anything else, within a few seconds.
not_said() {
  name=$1 verdict=$2 engine=$3 file=$4
  shift 4
  got=$(timeout 60 "$tool" check --engine="$engine" --missing=any --timelimit 3 "$@" "$file" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "" | "$verdict"*) failed=$((failed + 1)); echo "FAILED $name with $engine: got ${got:-no answer}" ;;
    *) passed=$((passed + 1)) ;;
  esac
}

names=${1:-}
part 6 4,5 <"$dir/list" >"$dir/tried"
while read -r name property machine prover finder proof; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  [ "$prover" = none ] || said "$name" "${proof:-true}" "$prover" "$dir/$name-good.c" --property "$property" --machine "$machine"
  [ "$finder" = none ] || said "$name, broken," false "$finder" "$dir/$name-bad.c" --property "$property" --machine "$machine"
  [ -n "${TP_SOAK:-}" ] || continue
  for engine in synergy directed split-cegar lee-yannakakis slam; do
    not_said "$name" false "$engine" "$dir/$name-good.c" --property "$property" --machine "$machine"
    not_said "$name, broken," true "$engine" "$dir/$name-bad.c" --property "$property" --machine "$machine"
  done
done < "$dir/tried"
finish

#!/bin/sh
# Verdicts of the pairs in twins.txt: the good one is proved by the engine that is named, the broken twin is proved by none; by default a part
# of them (test/part.common), TP_SOAK=1: all engines on all programs. Run from the project's root; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
split_pairs test/verdicts/twins.txt "$dir"

# not_said NAME VERDICT ENGINE FILE OPTION...: the engine does not say this, and gives an answer.
not_said() {
  name=$1 verdict=$2 engine=$3 file=$4
  shift 4
  got=$(timeout 120 "$tool" check --engine="$engine" --timelimit 10 "$@" "$file" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "" | "$verdict"*)
      failed=$((failed + 1))
      echo "FAILED $name with $engine: got ${got:-no answer}"
      ;;
    *) passed=$((passed + 1)) ;;
  esac
}

names=${1:-}
part 12 2,4 <"$dir/list" >"$dir/tried"
while read -r name property machine prover; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  engines=$prover
  [ "$prover" = none ] && engines=interval
  [ -n "${TP_SOAK:-}" ] && engines='value interval octagon kinduction cegar auto'
  [ "$prover" = none ] || verdict "$name" true "$tool" check --engine="$prover" --property "$property" --machine "$machine" --timelimit 30 "$dir/$name-good.c"
  for engine in $engines; do
    not_said "$name, broken" true "$engine" "$dir/$name-bad.c" --property "$property" --machine "$machine"
    [ "$engine" = "$prover" ] || not_said "$name" false "$engine" "$dir/$name-good.c" --property "$property" --machine "$machine"
  done
done < "$dir/tried"
finish

#!/bin/sh
# The table of doc/undefined.md against the program: every row "detected" names pairs of pairs.txt, every pair is named there, the broken program of each
# is false(undefined), and its safe twin has the verdict that the pair states. An argument is a pattern of names. By default a part of the pairs is tried (test/part.common), with
# TP_SOAK=1 all.
set -u
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
touch "$dir/named"
split_pairs test/undefined/pairs.txt "$dir"
mkdir "$dir/messages"
split_pairs test/undefined/messages.txt "$dir/messages"

wrong() {
  failed=$((failed + 1))
  echo "FAILED $1"
}

# Rows: | number | clause | behaviour | state | tests |
awk -F ' *[|] *' '/^[|] [0-9]+ [|]/ { print $2 "|" $5 "|" $6 }' doc/undefined.md > "$dir/rows"
while IFS='|' read -r number state tests; do
  case $state in
    detected | "compile time")
      list="$dir/list"
      [ "$state" = detected ] || list="$dir/messages/list"
      [ -n "$tests" ] || wrong "doc/undefined.md, row $number: $state, but no test is named"
      for t in $tests; do
        grep -q "^$t\( \|$\)" "$list" || wrong "doc/undefined.md, row $number: there is no pair $t"
        echo "$t" >> "$dir/named"
      done ;;
    valid-deref | valid-free | assumed | unknown | "not covered" | "cannot happen") ;;
    *) wrong "doc/undefined.md, row $number: the state '$state' has no meaning" ;;
  esac
done < "$dir/rows"
[ "$(wc -l < "$dir/rows")" -ge 200 ] || wrong "doc/undefined.md has only $(wc -l < "$dir/rows") rows"

twin() {                         # NAME MACHINE SAFE
  verdict "$1, broken, $2" "false(undefined)" "$tool" check --property undefined --machine "$2" --timelimit 60 "$dir/$1-bad.c"
  case $3 in
    true) verdict "$1, safe, $2" true "$tool" check --property undefined --machine "$2" --timelimit 60 "$dir/$1-good.c" ;;
    not-false)
      got=$(timeout 120 "$tool" check --property undefined --machine "$2" --timelimit 10 "$dir/$1-good.c" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
      case $got in
        true | unknown*) passed=$((passed + 1)) ;;
        *) wrong "$1, safe, $2: got ${got:-no answer}" ;;
      esac ;;
    *) wrong "$1: no verdict '$3' is known for a safe twin" ;;
  esac
}

names=${1:-}
part 6 2,3 <"$dir/list" >"$dir/tried"
part 6 "" <"$dir/messages/list" >>"$dir/tried"
is_tried() { grep -q "^$1\( \|$\)" "$dir/tried"; }

while read -r pair machines safe; do
  grep -qx "$pair" "$dir/named" || wrong "doc/undefined.md does not name the pair $pair"
  case $pair in ${1:-*}) is_tried "$pair" || continue ;; *) continue ;; esac
  [ "$machines" = ilp32 ] || twin "$pair" lp64 "$safe"
  [ "$machines" = lp64 ] || twin "$pair" ilp32 "$safe"
done < "$dir/list"

# Does clang refuse the program, or remark on it?
is_noticed() {
  "$tool" check --property undefined --engine bmc --timelimit 20 "$1" </dev/null 2>&1 | grep -q '^clang: \|error: '
}

while read -r pair; do
  grep -qx "$pair" "$dir/named" || wrong "doc/undefined.md does not name the pair $pair"
  case $pair in ${1:-*}) is_tried "$pair" || continue ;; *) continue ;; esac
  if ! is_noticed "$dir/messages/$pair-bad.c"; then wrong "$pair: clang does not say that the broken program is undefined"
  elif is_noticed "$dir/messages/$pair-good.c"; then wrong "$pair: clang says something about the safe program"
  else passed=$((passed + 1))
  fi
done < "$dir/messages/list"
finish

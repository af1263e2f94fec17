#!/bin/sh
# Engine horn on the pairs in pairs.txt: the good one is TRUE with an accepted certificate, the broken twin, which fails late, is never TRUE.
# Run from anywhere; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
awk -v dir="$dir" '
  function put(line, x,   at) {
    at = index(line, "@")
    return at ? substr(line, 1, at - 1) x put(substr(line, at + 1), x) : line
  }
  /^---$/ { heading = 1; next }
  /^=== / { heading = 0; good = dir "/" $2 "-good.c"; bad = dir "/" $2 "-bad.c"; print $2, $3 > (dir "/list"); printf "%s", head > good; printf "%s", head > bad; next }
  heading { head = head $0 "\n"; next }
  !good { next }
  /^good( |$)/ { x = substr($0, 6); next }
  /^bad( |$)/ { y = substr($0, 5); next }
  { print put($0, x) > good; print put($0, y) > bad }' test/horn/pairs.txt

while read -r name what; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  verdict "$name" true "$tool" check --engine=horn --timelimit 40 --output="$dir/$name" "$dir/$name-good.c"
  if [ "$what" = steps ] && ! grep -rqs '^induction [2-9]' "$dir/$name"; then
    failed=$((failed + 1))
    echo "FAILED $name: no induction over several steps in the certificate"
  fi
  got=$(timeout 60 "$tool" check --engine=horn --timelimit 6 "$dir/$name-bad.c" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "" | true*) failed=$((failed + 1)); echo "FAILED $name, broken: got ${got:-no answer}" ;;
    *) passed=$((passed + 1)) ;;
  esac
done < "$dir/list"
finish

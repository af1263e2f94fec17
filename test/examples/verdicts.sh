#!/bin/sh
# Every example gets its expected verdict; only those whose task definition says what they need ("needs: unbounded proof", "needs: native runs")
# may stay unknown, and are looked at with TP_SOAK=1 only; of the others of a folder one pair in ten is, with TP_SOAK=1 all. Those of shapes/ take long: shapes.sh.
set -u
cd "$(dirname "$0")/../.."
. test/part.common
out=$(mktemp)
trap 'rm -f "$out"' EXIT
needing=$(grep -rlE 'needs: (unbounded proof|native runs)' examples --include='*.yml')
open=$(echo "$needing" | xargs -n1 basename)
tasks=$(ls examples/*/*.yml | grep -v shapes/)
if [ -z "${TP_SOAK:-}" ]; then
  tasks=$(echo "$tasks" | grep -vxF "$needing")
  tasks=$(echo "$tasks" | sed 's/_bad\.yml$/.yml/' | sort -u | awk -F/ '{ print $0, $2 }' | part 10 2 |
    while read -r good _; do printf '%s\n' "$good" "${good%.yml}_bad.yml"; done | grep -xF "$tasks")
fi
build/twoproof bench --timelimit 30 $tasks >"$out" 2>&1
passed=0 failed=0
while read -r task property expected result rest; do
  case $task in *.yml) ;; *) continue ;; esac
  case $result in
    right) passed=$((passed + 1)) ;;
    unknown) echo "$open" | grep -qx "$task" && continue; failed=$((failed + 1)); echo "FAILED $task $property $expected $rest" ;;
    *) failed=$((failed + 1)); echo "FAILED $task $property $expected $rest" ;;
  esac
done <"$out"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge 40 ]

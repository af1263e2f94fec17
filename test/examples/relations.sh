#!/bin/sh
# examples/relations: octagons prove every safe program there, with a checked certificate, and no broken one; intervals prove none.
set -u
cd "$(dirname "$0")/../.."
passed=0 failed=0
expect() {
  got=$(build/twoproof check --engine="$2" --timelimit 20 --property "examples/properties/$property.prp" "$1" 2>/dev/null | tail -n 1)
  case ${got%%(*} in "RESULT: unknown" | "RESULT: $3") good=1 ;; *) good=0 ;; esac
  [ "$3" = true ] && [ "$got" != "RESULT: true" ] && good=0
  if [ $good = 1 ]; then passed=$((passed + 1)); else echo "FAILED $1 by $2: $got"; failed=$((failed + 1)); fi
}
for task in examples/relations/*.yml; do
  file=${task%.yml}.c
  property=$(sed -n 's|.*/properties/\(.*\)\.prp|\1|p' "$task")
  case $file in
    *_bad.c) expect "$file" octagon false ;;
    *) expect "$file" octagon true; expect "$file" interval unknown ;;
  esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge 18 ]

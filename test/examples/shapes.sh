#!/bin/sh
# Lists and trees of any length: --config=shape proves the safe ones, or --engine=heaps where objects are apart from each other (headers, owned data,
# recursion, links in the middle, tables, numbers in all cells), with a certificate that was checked, and never their twins. Some proofs take 10 s:
# they are tried with TP_SOAK=1. Of the others a part without it (test/part.common), each with its twin.
set -u
cd "$(dirname "$0")/../.."
. test/part.common
passed=0 failed=0
check() { # FILE PROPERTY PATTERN OF RESULTS
  case $1 in */callbacks* | */container* | */hash_table* | */items* | */in_range* | */marked_end* | */middle* | */owned_data* | */tree_free* | */backwards* | */chosen_data* | */lists_of_lists* | */number_decides* | */sides* | */sort_rings* | */worklist*) how=--engine=heaps ;; *) how=--config=shape ;; esac
  result=$(build/twoproof check "$1" "$how" --property="$2" --timelimit=60 2>&1 | sed -n 's/^RESULT: //p')
  case $result in
    $3) passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED $1 $2: $result" ;;
  esac
}
for yml in $(ls examples/shapes/*.yml | sed 's/_bad\.yml$/.yml/' | sort -u | part 3 "" | sed 'p; s/\.yml$/_bad.yml/'); do
  [ -e "$yml" ] || continue
  file=${yml%.yml}.c
  case $file in */acyclic.c | */insert.c | */levels.c | */append.c | */remove.c | */reverse.c | */runs.c) [ "${TP_SOAK:-}" ] || continue ;; esac
  case $file in *_bad.c) wanted='[fu]*' ;; *) wanted=true ;; esac               # false or unknown
  for property in $(sed -n 's|.*properties/\(.*\)\.prp|\1|p' "$yml"); do check "$file" "$property" "$wanted"; done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -ge 8 ]

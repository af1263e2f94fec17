#!/bin/bash
# Rows of the thesis's tables 3.2(a) and 4.2 as verdicts: what is proved (what is explored: test/precision/lists_test.c).
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
pattern=${1:-*}

# true; excluded: no error is reached, but a certificate does not say so; alarm; or the answer.
answer() {
  local got
  got=$(timeout 120 "$tool" check --engine=cpa "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "unknown(the abstraction cannot exclude"*) echo alarm ;;
    "unknown(certificate check"*) echo excluded ;;
    *) echo "$got" ;;
  esac
}
expect() { # NAME GOT WANTED
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
    echo "ok $1"
  else
    failed=$((failed + 1))
    echo "FAILED $1: got ${2:-no answer} instead of ${3:-nothing}"
  fi
}

# What is proved, and a program of thousands of elements, which is not waited for: CONFIGURATION ANSWER. _bad: the broken twin.
while read -r name configuration wanted; do
  # shellcheck disable=SC2254
  case $name in $pattern) ;; *) continue ;; esac
  program=${name#*_}
  case $program in
    *_bad) bench/shape/list "${program%_bad}" bad >"$dir/$program.c" ;;
    *) bench/shape/list "$program" >"$dir/$program.c" ;;
  esac
  case $wanted in excluded) limit=4 ;; *) limit=60 ;; esac
  got=$(answer --timelimit "$limit" --config="config/thesis/$configuration.conf" "$dir/$program.c")
  [ "$wanted" = excluded ] && [ "$got" = true ] && got=excluded
  expect "$name" "$got" "$wanted"
done <<'ROWS'
F36_simple shape-b true
F36_simple_bad shape-b false(unreach-call)
X02_simple_backw shape-b true
X50_list_1 c2-k3 true
X50_list_1 c2-k5 true
X50_list_1_bad c2-k3 false(unreach-call)
X50_list_1_bad c2-k5 false(unreach-call)
X53_list_4 c2-k0 true
X53_list_4 c2-k3 excluded
X54_list_bnd4_1 c2-k3 true
X54_list_bnd4_1_bad c2-k3 false(unreach-call)
X54_list_bnd4_1 c2-kinf true
X63_list_bnd2_f1 c2-k5 true
ROWS
finish

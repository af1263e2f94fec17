#!/bin/sh
# Monitors (row F03): pairs of programs, safe and broken, under protocols. The first line of a program says what is expected:
# // expect: VERDICT  monitor: FILE  machine: lp64|ilp32
# The default engine gives this verdict; every other engine gives it or none: each on every twelfth program, with TP_SOAK=1 on all.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
field() { sed -n "1s/.*$1: *\([^ ]*\).*/\1/p" "$2"; }

# not_wrong NAME EXPECTED COMMAND...: the verdict is the expected one or unknown
not_wrong() {
  name=$1 expected=$2
  shift 2
  got=$(timeout 120 "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "$expected" | unknown*) passed=$((passed + 1)) && echo "ok $name ($got)" ;;
    *) failed=$((failed + 1)) && echo "FAILED $name: expected $expected or unknown, got ${got:-no answer}" ;;
  esac
}

# cpa wants to be told its analyses
how() {
  case $1 in
    cpa) echo "--engine cpa --analysis location,callstack,constant" ;;
    *) echo "--engine $1" ;;
  esac
}

engines=$(awk -F'|' '/^## / { check = /twoproof check/ } check && /--engine=NAME/ { print $4 }' doc/options.md | tr -d ',')
file=0
for f in test/monitor/*.c; do
  case $f in *_test.c) continue ;; esac
  verdict "F03_monitors $f" "$(field expect "$f")" build/twoproof check --missing=any --timelimit 60 --machine "$(field machine "$f")" \
    --monitor "test/monitor/$(field monitor "$f")" "$f"
  file=$((file + 1)) turn=$file
  for e in $engines; do
    turn=$((turn + 1))
    [ "$e" = auto ] && continue
    [ -n "${TP_SOAK:-}" ] || [ $((turn % 12)) = 0 ] || continue
    not_wrong "F03_monitors $f $e" "$(field expect "$f")" build/twoproof check --missing=any --timelimit 1 $(how "$e") \
      --machine "$(field machine "$f")" --monitor "test/monitor/$(field monitor "$f")" "$f"
  done
done
finish

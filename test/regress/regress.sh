#!/bin/sh
# Programs that once got a wrong verdict (or none), each named for the cause. The first line says what is expected:
# // expect: VERDICT  property: NAME  machine: lp64|ilp32  cause: what it was
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
field() { sed -n "1s/.*$1: *\([^ ]*\).*/\1/p" "$2"; }
for f in test/regress/*.[ci]; do
  verdict "$f" "$(field expect "$f")" build/twoproof check --timelimit "$(patience 60 "$(field expect "$f")")" \
    --property "$(field property "$f")" --machine "$(field machine "$f")" "$f"
done
finish

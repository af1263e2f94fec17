#!/bin/sh
# Predicate abstraction with the branch conditions as predicates: blocks of every size, and intervals beside it, give the same verdicts on pairs of programs
# where single edges lose nothing; combinations of predicates prove what single ones do not.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
# Anything but true.
not_proved() {
  name=$1
  shift
  got=$(timeout 120 "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    unknown* | false*) passed=$((passed + 1)); echo "ok $name" ;;
    *) failed=$((failed + 1)); echo "FAILED $name: got ${got:-no answer}" ;;
  esac
}
run() { # PROGRAM OPTION...
  program=$1
  shift
  echo build/twoproof check --engine=cpa --set=predicate.initial=conditions --timelimit 60 "$@" "$program"
}
for f in loops/even_counter relations/running_extremes relations/session_window state_machines/lock_protocol state_machines/traffic_light; do
  for how in --set=predicate.blocks=loops-calls --set=predicate.blocks=loops --set=predicate.blocks=edges --set=predicate.abstraction=boolean; do
    verdict "$f $how" true $(run examples/$f.c --config=predicate $how)
    not_proved "${f}_bad $how" $(run examples/${f}_bad.c --config=predicate $how)
  done
  verdict "$f beside intervals" true $(run examples/$f.c --config=predicate-interval)
  not_proved "${f}_bad beside intervals" $(run examples/${f}_bad.c --config=predicate-interval)
done
for f in relations/meet_in_the_middle state_machines/connection; do
  verdict "$f boolean" true $(run examples/$f.c --config=predicate --set=predicate.abstraction=boolean)
  not_proved "${f}_bad boolean" $(run examples/${f}_bad.c --config=predicate --set=predicate.abstraction=boolean)
  verdict "$f cartesian" unknown $(run examples/$f.c --config=predicate)
done
# A recursive function by contract: what its region says of a global, and what the caller's region says of a local across the call.
for how in loops-calls loops edges; do
  verdict "contract $how" true build/twoproof check --engine=cpa --config=predicate --set=predicate.initial=conditions --set=predicate.blocks=$how test/cpa/contract.c
  for bad in result local; do
    not_proved "contract_${bad}_bad $how" build/twoproof check --engine=cpa --config=predicate --set=predicate.initial=conditions --set=predicate.blocks=$how test/cpa/contract_${bad}_bad.c
  done
done
verdict "relations/two_tanks by blocks" true $(run examples/relations/two_tanks.c --config=predicate)
verdict "relations/two_tanks by edges" unknown $(run examples/relations/two_tanks.c --config=predicate --set=predicate.blocks=edges)
finish

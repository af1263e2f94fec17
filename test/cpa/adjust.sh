#!/bin/bash
# Explicit values that become predicates (C1), under the thresholds of the thesis; values alone; both refined side by side.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
not_proved() { # NAME COMMAND...
  name=$1
  shift
  got=$(timeout 120 "$@" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    unknown* | false*) passed=$((passed + 1)); echo "ok $name" ;;
    *) failed=$((failed + 1)); echo "FAILED $name: got ${got:-no answer}" ;;
  esac
}
check="build/twoproof check --timelimit 60"
printed="--set=predicate.blocks=edges --set=predicate.abstraction=cartesian --transfer=cartesian --merge=sep --waitlist=dfs"

# The counter leaves, p < n enters; with k = inf the loop to an input does not end.
for k in 0 1 2 5; do
  verdict "F57_handover k=$k" true $check --engine=cpa --config=adjust --set=value.threshold=$k test/cpa/handover.c
  not_proved "F57_handover_bad k=$k" $check --engine=cpa --config=adjust --set=value.threshold=$k test/cpa/handover_bad.c
done
for k in 0 1 5; do
  verdict "F59_handover as printed, k=$k" true $check --engine=cpa --config=adjust $printed --set=value.threshold=$k test/cpa/handover.c
  not_proved "F59_handover_bad as printed, k=$k" $check --engine=cpa --config=adjust $printed --set=value.threshold=$k test/cpa/handover_bad.c
done
not_proved "F59_handover k=inf" $check --timelimit 3 --engine=cpa --config=adjust --set=value.threshold=inf test/cpa/handover.c

# Sources of predicates: relations that only the values show; none; the user's own.
verdict "F57_mined" true $check --engine=cpa --config=adjust --set=predicate.infer=mined --set=value.threshold=3 test/cpa/relations_of_values.c
not_proved "F57_mined_bad" $check --engine=cpa --config=adjust --set=predicate.infer=mined --set=value.threshold=3 test/cpa/relations_of_values_bad.c
not_proved "F57_without_sources" $check --engine=cpa --config=adjust --set=predicate.infer=none test/cpa/relations_of_values.c
given=$(mktemp)
printf 'precision 2\nin main\ncandidate (EQ (local main::i 1 bv32) (BV_MUL (bv 32 2) (local main::j 1 bv32)))\n' >"$given"
verdict "F57_given" true $check --engine=cpa --config=adjust --set=predicate.infer=given --load-precision="$given" test/cpa/relations_of_values.c
not_proved "F57_given_bad" $check --engine=cpa --config=adjust --set=predicate.infer=given --load-precision="$given" test/cpa/relations_of_values_bad.c
rm -f "$given"

# Values alone: a store through an unknown pointer leaves none.
for k in 1 2 inf; do
  verdict "F55_store_through_unknown_pointer k=$k" true $check --engine=cpa --config=value --set=value.threshold=$k test/cpa/unknown_pointer.c
  not_proved "F55_store_through_unknown_pointer_bad k=$k" $check --engine=cpa --config=value --set=value.threshold=$k test/cpa/unknown_pointer_bad.c
done

# Refined side by side: the cheaper one each time.
for f in test/cpa/handover examples/state_machines/connection examples/loops/even_counter; do
  verdict "F57_refined $f" true $check --engine=cegar --config=adjust-cegar $f.c
  not_proved "F57_refined_bad $f" $check --engine=cegar --config=adjust-cegar ${f}_bad.c
done
finish

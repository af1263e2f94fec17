#!/bin/bash
# Where pointers lead: the pointer analysis alone, and beside predicates with and without joins; explicit heaps; polyhedra; known bits.
set -u
cd "$(dirname "$0")/../.."
. test/verdicts.common
check="build/twoproof check --timelimit 60"
verdict "F37_alias" true $check --engine=cpa "--analysis=location callstack pointer" test/cpa/alias.c
verdict "F37_alias_bad" unknown $check --engine=cpa "--analysis=location callstack pointer" test/cpa/alias_bad.c
verdict "F37_alias with one target" unknown $check --engine=cpa "--analysis=location callstack pointer" --set=pointer.targets=1 test/cpa/alias.c
verdict "F37_unknown_pointer" true $check --engine=cpa "--analysis=location callstack pointer" test/cpa/unknown_pointer.c
verdict "F37_unknown_pointer_bad" unknown $check --engine=cpa "--analysis=location callstack pointer" test/cpa/unknown_pointer_bad.c
for c in predicate-pointer predicate-pointer-sep; do
  verdict "F42_configuration_$c" true $check --engine=cegar --config=$c test/cpa/alias.c
  verdict "F42_configuration_$c bad" "false(unreach-call)" $check --engine=cegar --config=$c test/cpa/alias_bad.c
done

# Heaps cell by cell: life, contents and what nobody can reach.
for c in heap config/thesis/c2-k3.conf; do
  verdict "F55_free_list $c" true $check --engine=cpa --config=$c --property=valid-memsafety test/cpa/free_list.c
  verdict "F55_free_list_bad $c" "false(valid-deref)" $check --engine=cpa --config=$c --property=valid-memsafety test/cpa/free_list_bad.c
  verdict "F55_free_list_leak $c" "false(valid-memtrack)" $check --engine=cpa --config=$c --property=valid-memsafety test/cpa/free_list_leak.c
done
verdict "F55_free_list with fewer cells" unknown $check --engine=cpa --config=heap --set=heap.cells=2 --property=valid-memsafety test/cpa/free_list.c

# Linear relations of three variables: polyhedra say them, and their certificates do; octagons cannot.
if [ -x build/lib/twoproof-polyhedra ]; then
  verdict "F53_polyhedra" true $check --engine=cpa --config=polyhedra test/cpa/linear.c
  verdict "F53_polyhedra_bad" unknown $check --engine=cpa --config=polyhedra test/cpa/linear_bad.c
fi
verdict "F53_octagons" unknown $check --engine=cpa --config=octagon test/cpa/linear.c

# Divisibility by powers of two and flags: known bits say them, and their certificates do; intervals and octagons cannot.
strides="--engine=cpa --transfer=strengthened"
for property in unreach-call valid-memsafety; do
  verdict "strides by known bits: $property" true $check $strides --property=$property "--analysis=location callstack bits" test/cpa/strides.c
  verdict "strides by known bits beside intervals: $property" true $check $strides --property=$property "--analysis=location callstack interval bits" test/cpa/strides.c
done
verdict "strides by intervals and octagons" unknown $check $strides "--analysis=location callstack interval octagon" test/cpa/strides.c
verdict "strides_bad by known bits" "false(unreach-call)" $check $strides "--analysis=location callstack bits" test/cpa/strides_bad.c
finish

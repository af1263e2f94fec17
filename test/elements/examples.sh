#!/bin/sh
# Engine elements alone on programs of examples/arrays that it proves within a few seconds: the safe one is TRUE with an accepted certificate, the broken twin is
# never TRUE. What other engines of auto prove, too, would hide here what this one has lost. Run from anywhere; TWOPROOF names the program to test;
# an argument is a pattern of names. By default a part (test/part.common), with TP_SOAK=1 all, also those that take longer.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
names='clamp clamp_both copy_once_large copy_three count_complement count_flags count_negative differences find_absent find_first find_last
grid_init init_affine init_constant init_constant_large init_down init_even init_heap init_index init_index_large init_pairs init_parity init_records library_set
maximum maximum_place membership minimum_and_maximum minimum_large partition_in_place pointers_not_null segment squares steps string_trim sum_begun_inside sum_in_cell'
slow='compare_break compare_flag copy_once copy_positive copy_reversed copy_shifted copy_unwritten grid_copy grid_init_symbolic grid_transpose increment_all init_both_ends init_halves library_copy partition_copy
pointers_to_cells rotate_by_one sort_bubble sort_insertion sort_selection'
all=$names names=${1:-}
for name in $(printf '%s\n' $all | part 6 "") ${TP_SOAK:+$slow}; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  verdict "$name" true "$tool" check --engine=elements --timelimit 40 "examples/arrays/$name.c"
  got=$(timeout 60 "$tool" check --engine=elements --timelimit 2 "examples/arrays/${name}_bad.c" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p' | tail -n 1)
  case $got in
    "" | true*) failed=$((failed + 1)); echo "FAILED $name, broken: got ${got:-no answer}" ;;
    *) passed=$((passed + 1)) ;;
  esac
done
finish

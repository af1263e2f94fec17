#!/bin/bash
# Table 5.2 of Theoduloz (2010): list programs (bench/shape/refinement) in its three columns: the largest class, an annotation, explicit heaps. The rows
# that hold whole; bench/RESULTS.md has the others. Those that take 20 s or more are tried with TP_SOAK=1, and one of the others from explicit heaps only without it.
. "$(dirname "$0")/common"
max_lines=200
programs=$(pwd)/bench/shape/refinement
check() { "$tool" check --property=unreach-call --timelimit=300 -v "$@"; }
annotated() { # PROGRAM ENTRY
  sed "s|#include \"list.h\"|#include \"$programs/list.h\"\ntypedef struct node __SA__$2;|; s/struct node \*list/__SA__$2 *list/" "$programs/$1.c" >"$dir/$1.c"
  echo "$dir/$1.c"
}
row() { # ROW_PROGRAM ENTRY-AND-LINKS CLASS [soak]: with soak, the other columns wait for TP_SOAK=1
  program=${1#*_}
  expect "$1: explicit" 0 "certificate checked" check --config=shape-refinement "$programs/$program.c"
  cp "$dir/both" "$dir/log"
  expect "$1: explicit, the class" 0 "refined to $3" cat "$dir/log"
  expect "$1: the broken twin" 10 "RESULT: false" check "$programs/${program}_bad.c"
  if [ "$4" = soak ] && [ -z "$TP_SOAK" ]; then return; fi
  expect "$1: the largest class" 0 "certificate checked" check --config=shape "$programs/$program.c"
  expect "$1: annotated" 0 "certificate checked" check --config=shape-refinement --set=refine.classes=annotations "$(annotated "$program" "$2")"
}
row X70_cancel_list_link dll_succ_pred "dll with cancel_sp"
row X74_acyclic_list_link sll_succ "sll with reach, cyclic"
! tried X72_cancel_list_insert_before || row X72_cancel_list_insert_before dll_succ_pred "dll with reach2, reach, cancel_sp, cancel_ps"
! tried X73_cancel_list_remove || row X73_cancel_list_remove dll_succ_pred "dll with reach2, reach, cancel_sp"
row X75_acyclic_list_insert_after sll_succ "sll with reach, cyclic" soak
# One family more than the source's.
if tried X71_cancel_list_insert_after; then
  expect "X71_cancel_list_insert_after: explicit" 0 "certificate checked" check --config=shape-refinement "$programs/cancel_list_insert_after.c"
  expect "X71_cancel_list_insert_after: the broken twin" 10 "RESULT: false" check "$programs/cancel_list_insert_after_bad.c"
fi
finish

#!/bin/bash
# What summaries imply: full contracts of lists and of some methods of a graph, invariants of the graph (bench/karun/accuracy, two objects of each type).
. "$(dirname "$0")/common"
max_lines=60
ask() { bench/karun/accuracy --objects 2 --results "$dir/results" "$@"; }
expect "K40_full contracts of lists" 0 "9 of 10 full contracts of DLL are implied" ask --only dll
# Of the methods of the graph two, with TP_SOAK=1 more.
soak && methods="contains_vertex add edges_of edge_between remove_edge add_edge clear" || methods="add remove_edge"
n=$(echo $methods | wc -w)
expect "K40_full contracts of graphs" 0 "$n of $n full contracts of GRAPH are implied" ask --only full --methods "$methods"
soak && methods="add remove_edge mst add_edge" || methods="add remove_edge"
n=$((6 * $(echo $methods | wc -w)))
expect "K40_invariants of graphs" 0 "$n of $n checks of invariants are valid" ask --only invariants --methods "$methods"
# A wrong contract is refuted, so that not all of them are implied.
sed 's/of_contains_edge {/of_contains_edge { ensures not \\result/' bench/karun/graph_full.contracts >"$dir/wrong.contracts"
expect "K40_a wrong one is not implied" 10 "RESULT: false" "$tool" spec --calls=summary --refinements=0 --function=of_contains_edge --objects=2 --unroll=2 --width=3 --contracts="$dir/wrong.contracts" "$dir/results/graph_accuracy.c"
finish

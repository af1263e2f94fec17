#!/bin/bash
# Options of engines that split regions: refused where an engine has no use for them (status 64), before anything runs.
. "$(dirname "$0")/common"

printf 'int main(void) { return 0; }\n' >"$dir/a.c"
refused() {   # NAME PATTERN ARGUMENTS...
  name=$1 pattern=$2
  shift 2
  expect "$name" 64 "$pattern" "$tool" check "$@" "$dir/a.c"
  [ -s "$dir/out" ] && name="$name, nothing ran" why="standard output is not empty" verdict_of_case
}

for option in edges=lazy fair=3 generalize=none nodes=loops regions=three split=pre state=last; do
  refused "--$option with bmc" "--${option%=*}: engine bmc has no use for it; it is for engines: .*synergy" --engine=bmc --$option
  refused "--$option with auto" "--${option%=*}: engine auto has no use for it" --$option
  expect "--$option with synergy" 0 "^RESULT: true" "$tool" check --engine=synergy --$option "$dir/a.c"
done
refused "state with lee-yannakakis" "--state: engine lee-yannakakis has no use for it; it is for engines: synergy$" --engine=lee-yannakakis --state=last
refused "steps with kinduction" "--steps: engine kinduction has no use for it" --engine=kinduction --steps=3
refused "a word for split" "--split: 'weakest' is not one of drop\|pre\|interpolant" --engine=synergy --split=weakest
refused "no number for fair" "--fair: 'often' is neither a number that fits nor 'never'" --engine=synergy --fair=often
refused "a number too large for fair" "--fair: '99999999999999999999' is neither" --engine=synergy --fair=99999999999999999999
expect "never fair" 0 "^RESULT: true" "$tool" check --engine=synergy --fair=never "$dir/a.c"
expect "lee-yannakakis" 0 "^RESULT: true" "$tool" check --engine=lee-yannakakis --steps=100 "$dir/a.c"
finish

#!/bin/bash
# Compositions on the command line and in files: what is wrong is said with its place before anything runs (status 64).
. "$(dirname "$0")/common"

printf 'int main(void) { return 0; }\n' >"$dir/a.c"
conf() { printf "$2" >"$dir/$1.conf"; }
refused() {   # NAME PATTERN ARGUMENTS...
  name=$1 pattern=$2
  shift 2
  expect "$name" 64 "$pattern" "$tool" check "$@" "$dir/a.c"
  [ -s "$dir/out" ] && name="$name, nothing ran" why="standard output is not empty" verdict_of_case
}

conf stop 'analysis = location callstack constant\n\nconstant.stop = join\n'
conf unknown 'engine = cpa\nanalysis = location kallstack\n'
conf key '# only this\nconstant.colour = red\nanalysis = location constant\n'
conf syntax 'analysis = location (constant\n'
conf line 'what is this\n'
conf merge 'analysis = constant callstack\nmerge = join\n'
conf good '# L x constants\nanalysis = location callstack constant\nmerge = join-on-location   # one element each\nconstant.merge = join\n'

refused "F31 stop join without exact join" "stop.conf:3: constant.stop = join: its join means more than the union" --config="$dir/stop.conf"
refused "unknown analysis" "unknown.conf:2: unknown analysis 'kallstack'; did you mean 'callstack'\?" --config="$dir/unknown.conf"
refused "unknown setting" "key.conf:2: unknown setting of constant 'colour'" --config="$dir/key.conf"
refused "parentheses" "syntax.conf:1: analysis: expected '\)'" --config="$dir/syntax.conf"
refused "no option" "unknown option 'what is this' \(.*line.conf:1\)" --config="$dir/line.conf"
refused "merge without location" "merge.conf:2: merge = join: there is no location" --config="$dir/merge.conf"
refused "an override that does not fit" "^twoproof check: --stop: stop = join: the join of constant" --config="$dir/good.conf" --stop=join
refused "a value that is none" "'both' is not one of sep\|join" --config="$dir/good.conf" --merge=both
refused "settings without composition" "--merge: merge speaks of a composition, but engine bmc has none" --engine=bmc --merge=join
refused "cpa without analysis" "which analyses\? .*--config=NAME knows .*interval" --engine=cpa
refused "set without key" "is not NAME.KEY=VALUE" --analysis=location --set=interval
refused "no such configuration" "cannot read configuration no-such" --config=no-such

expect "a composition from a file" 0 "^RESULT: true" "$tool" check --config="$dir/good.conf" "$dir/a.c"
expect "a composition that comes with the tool" 0 "Proved by cpa" "$tool" check --config=constant "$dir/a.c"
# strtol compares with values beyond 2^61, whose bounds in octagons are weakened
cat >"$dir/digits.c" <<'C'
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++) n += atoi(argv[i]) > 3;
  return n != 0;
}
C
expect "octagons of values beyond their bounds" 0 "Proved by octagon" "$tool" check --engine=octagon --timelimit=60 "$dir/digits.c"
expect "a composition on the command line" 0 "Proved by cpa" \
  "$tool" check --analysis='location callstack (constant)' --waitlist=bfs --transfer=strengthened "$dir/a.c"
finish

#!/bin/bash
# Where compilers differ, a table of small programs (compilers.txt; doc/semantics.md has the same rows). Each program is built by clang and
# by gcc without and with optimisation, and must hold or fail as its row says; the verdict must be the row's, with what it lists.
# === NAME | clang -O0, clang -O2, gcc -O0, gcc -O2: holds, fails, - (does not build) or * (either, as the stack happens to be) | verdict, or - (compilers only) | pattern, none (no assumption) or any | compiler options
# An argument is a pattern of names. By default a part is tried (test/part.common), with TP_SOAK=1 all.
set -u
cd "$(dirname "$0")/../.."
. test/part.common
table=test/semantics/compilers.txt
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
complain() { failed=$((failed + 1)); echo "FAILED $1: $2"; }

awk -v dir="$dir" '/^---$/ && !rows { heading = 1; next }
  /^=== / { rows = 1; line = substr($0, 5); n = split(line, f, " [|] ?"); at = dir "/" f[1] ".c"; print line > (dir "/list"); printf "%s", head > at; next }
  !heading { head = head $0 "\n"; next }
  rows { print > at }' "$table"
echo '#include <unistd.h>
void reach_error(void) { _exit(1); }' >"$dir/reach.h"

# built NAME COMPILER LEVEL OPTIONS: holds, fails, or - if it does not build
built() {
  $2 -O"$3" -std=gnu17 -w $4 -include "$dir/reach.h" -o "$dir/program" "$dir/$1.c" -lm 2>"$dir/messages" || { echo -; return; }
  if timeout 10 "$dir/program" x </dev/null >"$dir/printed" 2>&1; then echo holds; else echo fails; fi
}

names=${1:-}
part 12 8 <"$dir/list" >"$dir/tried"
while IFS='|' read -r name natives verdict pattern options; do
  read -r name <<<"$name"
  read -r verdict <<<"$verdict"
  pattern=${pattern# } pattern=${pattern% }
  read -r options <<<"$options"
  case $name in ${1:-*}) ;; *) continue ;; esac
  read -r c0 c2 g0 g2 <<<"$natives"
  got="$(built "$name" clang-19 0 "$options") $(built "$name" clang-19 2 "$options") $(built "$name" gcc 0 "$options") $(built "$name" gcc 2 "$options")"
  [[ $got == $c0\ $c2\ $g0\ $g2 ]] || complain "$name" "the compiled programs: $got, not $c0 $c2 $g0 $g2"
  grep -q "^| $name |" doc/semantics.md || complain "$name" "no row in doc/semantics.md"
  [ "$verdict" != - ] || { passed=$((passed + 1)); continue; }
  machine=lp64
  [ "$options" != -m32 ] || machine=ilp32
  timeout 120 build/twoproof check --timelimit 60 --machine $machine "$dir/$name.c" >"$dir/out" 2>&1 </dev/null
  answer=$(sed -n 's/^RESULT: //p' "$dir/out" | tail -n 1)
  case $answer in
    "$verdict" | "$verdict("*) passed=$((passed + 1)) ;;
    *) complain "$name" "expected $verdict, got ${answer:-no answer}" ;;
  esac
  case $pattern in
    any) ;;
    none) ! grep -q '^Assumptions:' "$dir/out" || complain "$name" "assumptions where nothing is left open: $(sed -n '/^Assumptions:/,/^RESULT/p' "$dir/out" | tr '\n' ' ')" ;;
    *) grep -Eq -e "$pattern" "$dir/out" || complain "$name" "no line with '$pattern'" ;;
  esac
done <"$dir/tried"

# Every row of the document is a program.
if [ $# = 0 ]; then
  for row in $(sed -n '/^## Where compilers differ/,/^## /s/^| \([a-z][a-z0-9-]*\) |.*/\1/p' doc/semantics.md); do
    [ -f "$dir/$row.c" ] || complain "$row" "a row of doc/semantics.md without a program"
  done
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]

#!/bin/sh
# Verdicts of the programs in outside.txt, by default and with --missing=any; what the answers say about functions without body. Run from anywhere;
# TWOPROOF names the program to test; an argument is a pattern of names. Of the programs by default a part (test/part.common), with TP_SOAK=1 all.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
. test/part.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
awk -v dir="$dir" '/^---$/ { heading = 1; next } /^=== / { heading = 0; file = dir "/" $2 ".c"; print substr($0, 5) > (dir "/list"); printf "%s", head > file; next }
  heading { head = head $0 "\n"; next } file { print > file }' test/verdicts/outside.txt
names=${1:-}
part 6 2,4,5 <"$dir/list" >"$dir/tried"
while read -r name property machine strict any; do
  case $name in ${1:-*}) ;; *) continue ;; esac
  verdict "$name" "$strict" "$tool" check --property "$property" --machine "$machine" --timelimit "$(patience 30 "$strict")" "$dir/$name.c"
  verdict "$name, any" "$any" "$tool" check --missing=any --property "$property" --machine "$machine" --timelimit "$(patience 30 "$any")" "$dir/$name.c"
done < "$dir/tried"
[ $# = 0 ] || { finish; exit; }

# says NAME TEXT FILE OPTION...: a line of the answer, or a line of its statistics, contains the text
says() {
  name=$1 text=$2 file=$3
  shift 3
  "$tool" check --timelimit 30 --stats="$dir/stats" "$@" "$dir/$file.c" >"$dir/out" 2>/dev/null </dev/null
  if cat "$dir/out" "$dir/stats" | grep -qF -e "$text"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $name: no line has: $text"; fi
}
says "unknown names the function" ":5:7: level has no body: is a file missing?" result-decides
says "unknown has the reason" "RESULT: unknown(the failure at $dir/result-decides.c:5:20 depends on what level returns, without a body)" result-decides
says "unknown says what to do" "--missing=any" result-decides
says "false names the function" ":6:11: level has no body: is a file missing?" result-is-passed-on
says "true names the function" ":5:11: level has no body: is a file missing?" any-result-is-fine
says "any names the function, too" "level has no body: is a file missing?" result-decides --missing=any
says "a function of the system" "a64l, a function of the system, has no model" function-of-system
says "a pointer that it could write through" "comes behind a call of fill, which has no body and could write memory or call back" pointer-is-written-through
says "statistics name it" '"function": "level"' result-decides
says "statistics say where" "result-decides.c:5:7\"" result-decides
says "not declared" "__VERIFIER_nondet_bool is not declared: its published type is _Bool" undeclared-inputs
says "declared otherwise" "__VERIFIER_nondet_bool returns int here, _Bool as published" declared-wider
says "why declared otherwise is unknown" "needs a value of __VERIFIER_nondet_bool that not both its declaration and its published type have" declared-wider
says "statistics have remarks" '"remark": "__VERIFIER_nondet_uchar returns int here, unsigned char as published' declared-wider-proof-for-all

says "a variable" "limit is declared, and nothing defines it: is a file missing?" variable-that-nothing-defines
says "why a variable is unknown" "depends on limit, a variable that nothing defines" variable-that-nothing-defines
says "statistics name a variable" '"variable": "limit"' variable-that-nothing-defines

"$tool" check "$dir/input-by-address.c" 2>/dev/null | grep -q '^Note:' && { failed=$((failed + 1)); echo "FAILED nothing to say about an input by address"; } || passed=$((passed + 1))

# many functions: a line each, up to a dozen
i=0
while [ $i -lt 20 ]; do echo "int f$i(void);"; i=$((i + 1)); done >"$dir/many.c"
{ echo "int main(void) { return 0"; i=0; while [ $i -lt 20 ]; do echo "+ f$i()"; i=$((i + 1)); done; echo "; }"; } >>"$dir/many.c"
says "a dozen at most" "Note: ... and 8 more; -v shows all" many
lines=$(grep -c '^Note: ' "$dir/out")
[ "$lines" = 13 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED a dozen at most: $lines lines"; }

# a task definition means what it says: functions without body are inputs, unless told otherwise
printf 'format_version: "2.0"\ninput_files: result-decides.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: false\noptions:\n  data_model: LP64\n' >"$dir/task.yml"
cp examples/properties/unreach-call.prp "$dir"
"$tool" bench "$dir/task.yml" | grep -q ' right ' && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED bench takes functions without body for inputs"; }
"$tool" bench --missing=strict "$dir/task.yml" | grep -q 'depends on what level returns' && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED bench --missing=strict"; }
finish

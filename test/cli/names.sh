#!/bin/bash
# Names of files, functions and lines that are no words: what is written for compilers, Graphviz and readers of JSON stays well-formed, and a
# vector of inputs can be read back.
. "$(dirname "$0")/common"

# One row for each way in: the name of the case, text of the program before main, the call of an input.
out=$dir/evidence
while IFS='|' read -r name before call; do
  { echo 'extern int __VERIFIER_nondet_int(void);'; echo 'void reach_error(void) {}'; printf '%b\n' "$before"
    echo "int main(void) { int x = __VERIFIER_nondet_int(); int y = $call; if (x > 5 && x < 15 && y >= 0) reach_error(); return 0; }"; } >"$dir/names.c"
  rm -rf "$out"
  "$tool" check --engine=bmc --timelimit=20 --output="$out" --stats="$dir/stats.json" "$dir/names.c" >"$dir/out" 2>"$dir/err" </dev/null
  got=$? why=
  [ $got = 10 ] || [ $got = 5 ] || why="status $got"
  clang-19 -fsyntax-only -Wno-everything "$out/harness.c" 2>"$dir/both" || why="$why; the harness does not compile"
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$dir/stats.json" 2>>"$dir/both" || why="$why; statistics"
  python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$out/test.xml" 2>>"$dir/both" || why="$why; test.xml"
  n_inputs=$(grep -cv '^#' "$out/inputs.txt")
  n_listed=$(python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); print(len(o["inputs"]) if "inputs" in o else sys.argv[2])' "$dir/stats.json" "$n_inputs")
  [ "$n_inputs" = "$n_listed" ] || why="$why; the vector has $n_inputs lines that are values, not $n_listed"
  [ "$(grep -av '^#' "$out/inputs.txt" | grep -ac '  # input ')" = "$(grep -c '<input>' "$out/test.xml")" ] || why="$why; test.xml has other inputs"
  "$tool" dump --dot "$dir/names.c" 2>/dev/null | dot -Tsvg >"$dir/graph.svg" 2>"$dir/both" || why="$why; graph"
  python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$dir/graph.svg" 2>>"$dir/both" || why="$why; svg"
  leftovers
  verdict_of_case
done <<'CASES'
plain name||__VERIFIER_nondet_int()
line marker with a line end|#line 5 "a\\nb.c"|__VERIFIER_nondet_int()
line marker with the end of a comment|#line 5 "a*/ #error b.c"|__VERIFIER_nondet_int()
line marker with a backslash at its end|#line 5 "a.c\\\\"|__VERIFIER_nondet_int()
line marker with a trigraph|#line 5 "a??/"|__VERIFIER_nondet_int()
line marker that is no text|#line 5 "\\001\\377<&>"|__VERIFIER_nondet_int()
function with spaces and quotes|extern int f(void) __asm__("a \\" b");|f()
function with a line end and a value|extern int f(void) __asm__("a\\n77");|f()
function with the end of a comment|extern int f(void) __asm__("a */ b //");|f()
function called int|extern int f(void) __asm__("int");|f()
function of the harness|extern int f(void) __asm__("tp_next");|f()
variable with quotes|extern int v __asm__("v\\" = 1; int w = \\"");|v
name with a dollar|int a$b(void) { return 3; }|a$b()
name in another script|int größe(void) { return 3; }|größe()
label called as the harness|static int h(void) { goto tp_violated; tp_violated: return 3; }|h()
CASES

# Names of the file itself.
n=0
for file in $'q"uo\'tes\\and\nline%s%nend$(touch x).c' $'q"uo\'tes\\and%s%nend$(touch x).c' $'com*/ment/??/\001<a>&amp;.c' $'\377 blank .c'; do
  n=$((n + 1))
  mkdir -p "$(dirname "$dir/files/$file")"
  printf 'extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 15) reach_error(); return 0; }\n' >"$dir/files/$file"
  rm -rf "$out"
  # tools that read debug information say one place in a line: a name with a line end is no place that they can confirm
  case $file in *$'\n'*) status=5 result="not confirmed on the compiled program" ;; *) status=10 result="RESULT: false" ;; esac
  expect "file name $n" $status "$result" "$tool" check --engine=bmc --output="$out" "$dir/files/$file"
  name="file name $n, evidence" why=
  clang-19 -fsyntax-only -Wno-everything "$out/harness.c" 2>"$dir/both" || why="the harness does not compile"
  "$tool" replay "$dir/files/$file" "$out/inputs.txt" >"$dir/out" 2>"$dir/both" || [ $? = $status ] || why="$why; the vector does not repeat the failure"
  leftovers
  verdict_of_case
done

# Programs that include the file: modules and contracts.
module='#include <stdlib.h>\nstruct cell { int value; };\nstruct cell *cell_new(void) { return malloc(sizeof(struct cell)); }\nint cell_get(struct cell *c) { return c->value; }\n'
mkdir -p "$dir/a*/"
printf "$module" >"$dir/a*/cell.c"
expect "a module in a folder with the end of a comment" 0 "RESULT: true" "$tool" adequacy --module=cell_ --property=valid-deref --timelimit=30 "$dir/a*/cell.c"
printf "$module" >"$dir/cell\".c"
expect "a module with a quote" 6 "cannot include a file whose name has quotes" "$tool" adequacy --module=cell_ --timelimit=30 "$dir/cell\".c"
printf '//@ ensures \\result == 1;\nint one(int x) { return x; }\n' >"$dir/a*/one.c"
expect "a contract in a folder with the end of a comment" 10 "fails" "$tool" spec --output="$out" "$dir/a*/one.c"
name="its program" why=
clang-19 -fsyntax-only -Wno-everything "$out/one.c" 2>"$dir/both" || why="does not compile"
verdict_of_case
finish

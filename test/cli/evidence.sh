#!/bin/bash
# What a failure leaves for its user (--output): tests that carry their property and data model, Test-Comp files that replay, the user's own
# positions, and a script that also starts the debugger.
. "$(dirname "$0")/common"
max_lines=400

cat >"$dir/index.c" <<'C'
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), wide[4];
  if (sizeof(long) == 4 && n >= 0 && n < 5) wide[n] = LIMIT;
  return 0;
}
C
cat >"$dir/memory.c" <<'C'
#include <assert.h>
void __VERIFIER_nondet_memory(void *, unsigned long);
int __VERIFIER_nondet_int(void);
int main(void) {
  char s[6];
  __VERIFIER_nondet_memory(s, 6);
  int n = __VERIFIER_nondet_int();
  assert(s[1] != 'k' || n != 5);
  return 0;
}
C
cat >"$dir/read.c" <<'C'
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int x;
  if (scanf("%d", &x) != 1) return 0;
  fprintf(stderr, "read %d\n", x);
  if (argc > 1) assert(x != 9);
  return 0;
}
C
holds() { # NAME COMMAND...: a fact about the last run
  name=$1 why=
  shift
  "$@" >"$dir/both" 2>&1 || why="not so"
  verdict_of_case
}
twoproof() { "$tool" "$@"; }
printed_command() { # the command of the last answer, as a shell takes it
  eval "$(sed -n 's/^Replay it: *//p' "$1")"
}

# the test is enough for the replay
expect "a failure of one property and data model" 10 "^Replay it: +twoproof replay .*/index.c .*/o/inputs.txt -- -DLIMIT=1$" "$tool" check --property=memsafety --machine=ilp32 --output="$dir/o" -DLIMIT=1 "$dir/index.c"
cp "$dir/out" "$dir/first"
expect "the printed command replays it" 10 "^RESULT: false\(valid-deref\)" printed_command "$dir/first"
expect "so does the Test-Comp file" 10 "^RESULT: false\(valid-deref\)" "$tool" replay -DLIMIT=1 "$dir/index.c" "$dir/o/test.xml"
expect "the command line counts more: a property" 5 "^RESULT: unknown" "$tool" replay --property=no-overflow -DLIMIT=1 "$dir/index.c" "$dir/o/inputs.txt"
expect "the command line counts more: a data model" 5 "^RESULT: unknown" "$tool" replay --machine=lp64 -DLIMIT=1 "$dir/index.c" "$dir/o/inputs.txt"
sed 's/^# machine: ilp32/# machine: ilp33/' "$dir/o/inputs.txt" >"$dir/wrong.txt"
expect "a head that is wrong" 6 "wrong.txt: --machine: 'ilp33' is not one of" "$tool" replay -DLIMIT=1 "$dir/index.c" "$dir/wrong.txt"
echo 4 >"$dir/bare.txt"
expect "a test without a head" 10 "^RESULT: false\(valid-deref\)" "$tool" replay --property=memsafety --machine=ilp32 -DLIMIT=1 "$dir/index.c" "$dir/bare.txt"
mkdir "$dir/with blank"
cp "$dir/memory.c" "$dir/with blank/it's.c"
expect "names with blanks and quotes" 10 "^Replay it: " "$tool" check --output="$dir/with blank/o" "$dir/with blank/it's.c"
cp "$dir/out" "$dir/first"
expect "are words of the command" 10 "^RESULT: false\(unreach-call\)" printed_command "$dir/first"
expect "several properties: a command each" 10 "^Replay it: .*/several/valid-memsafety/inputs.txt" "$tool" check --all --machine=ilp32 -DLIMIT=1 --output="$dir/several" "$dir/index.c"
expect "policies are of the test, too" 10 "" sh -c "printf '#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(malloc(1)); return 0; }\n' >'$dir/null.c'; '$tool' check --malloc=may-fail --output='$dir/null' '$dir/null.c'"
expect "as is seen in a replay" 10 "^RESULT: false\(unreach-call\)" "$tool" replay "$dir/null.c" "$dir/null/inputs.txt"

# Test-Comp files
expect "memory as an input" 10 "" "$tool" check --output="$dir/m" "$dir/memory.c"
holds "is bytes of a Test-Comp file" test "$(grep -c '<input variable="\[[0-5]\]" type="unsigned char">' "$dir/m/test.xml")" = 6
holds "in the order of asking" grep -q '"\[1\]" type="unsigned char">107</input>' "$dir/m/test.xml"
expect "and comes back" 10 "__VERIFIER_nondet_memory\(\) = .*6b.*at .*memory.c:6:3" "$tool" replay "$dir/memory.c" "$dir/m/test.xml"
sed 's/>107</>106</' "$dir/m/test.xml" >"$dir/other.xml"
expect "another byte is another run" 5 "ends without a violation" "$tool" replay "$dir/memory.c" "$dir/other.xml"
expect "what the format lacks" 10 "" "$tool" check --output="$dir/r" "$dir/read.c"
holds "is said in the file" grep -q "this format has no place for: .* of kind 'environment'" "$dir/r/test.xml"
holds "which is XML" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$dir/r/test.xml"

# the user's own calls and names
expect "inputs of the library have the user's position" 10 "^  scanf\(\) = 9 +at .*/read.c:5:7$" "$tool" check "$dir/read.c"
also "and the user's function" "^  guessed result of fprintf\(\) = .* at .*/read.c:6:3$"
why=; grep -q "lib/libc" "$dir/both" && why="$(grep lib/libc "$dir/both")"; name="nothing of the models is shown" verdict_of_case
holds "nor in the vector" sh -c "! grep lib/libc '$dir/r/inputs.txt'"

cat >"$dir/words.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char **all = argv;
  char *last = argc > 2 ? argv[2] : "";
  int *kept = malloc(4);
  assert(last[0] != 'z');
  return all == 0 || kept == 0;
}
C
expect "arguments of main have their names" 10 "last = argv\[2\]$" "$tool" check "$dir/words.c"
holds "argv is no address of itself" grep -q "all = argv$" "$dir/out"
expect "pointers do not become NULL where main ends" 10 "^RESULT: false\(valid-memtrack\)" "$tool" check --property=valid-memtrack "$dir/words.c"
holds "in the error path" sh -c "! grep 'kept = NULL\|all = NULL' '$dir/out'"

# the script
expect "the script fails" 107 "" sh "$dir/o/run.sh"
holds "with variables for the debugger" grep -q -- "'-gdwarf-4' -g " "$dir/o/run.sh"
if command -v gdb >/dev/null; then
  expect "and stops in the debugger" 0 "^#[0-9]+ .* main \(\) at .*index.c:4" sh "$dir/o/run.sh" gdb
  printf '#include <stdlib.h>\nint nondet_int(void);\nstatic int get(int *p, int i) { return p[i]; }\nint main(void) {\n  int *p = calloc(10, 4), i = nondet_int();\n  return p && i >= 0 && i < 11 ? get(p, i) : 0;\n}\n' >"$dir/behind.c"
  expect "a failure that a sanitizer sees" 10 "^RESULT: false" "$tool" check --property=valid-deref --output="$dir/behind" "$dir/behind.c"
  expect "is shown in the frame of the program" 0 "." sh "$dir/behind/run.sh" gdb </dev/null
  holds "with its line last" sh -c "tail -n 12 '$dir/out' | grep -q '^3.*return p.i.'"
fi
printf 'int nondet_int(void);\nint main(void) { __CPROVER_assert(nondet_int() != 7, "n within capacity"); return 0; }\n' >"$dir/text.c"
expect "what an assertion says of itself" 10 "^FALSE: .*: assertion violated: n within capacity$" "$tool" check "$dir/text.c"
printf 'extern void abort(void); void reach_error(void) { abort(); }\nint nondet_int(void);\nint main(void) { if (nondet_int() == 7) { ERROR: reach_error(); } return 0; }\n' >"$dir/label.c"
expect "a label in front of an error" 10 "See it fail" "$tool" check --output="$dir/label" "$dir/label.c"
expect "has its script, too" 107 "" sh "$dir/label/run.sh"
expect "another way to write its path" 10 "^RESULT: false" "$tool" check "$dir//./label.c"
finish

#!/bin/bash
# Termination is not verified: TRUE says so where a loop has no way out, and only there; -v says it of every program with loops.
. "$(dirname "$0")/common"
max_lines=200

# NAME|BODY OF MAIN|endless or ends: is a loop without a way out remarked?
while IFS='|' read -r case body kind; do
  { echo '#include <assert.h>'; echo '#include <stdio.h>'; echo '#include <stdlib.h>'; echo 'int __VERIFIER_nondet_int(void);'
    echo 'static void stop(int n) { if (n) exit(0); }'; echo 'static int twice(int n) { return n + n; }'
    echo 'int main(void) {'; echo '  int n = __VERIFIER_nondet_int();'; echo "  $body"; echo '  return 0;'; echo '}'; } >"$dir/a.c"
  expect "$case" 0 "^RESULT: true" "$tool" check "$dir/a.c"
  why=
  case $kind in
  endless) grep -Eq '^Note: .*a.c:[0-9]+:[0-9]+: this loop has no way out: .*termination is not verified' "$dir/out" || why="no remark" ;;
  ends) grep -q 'no way out' "$dir/out" && why="a remark" ;;
  esac
  name="$case: $kind" verdict_of_case
done <<'ROWS'
a loop that does nothing|while (1) ;|endless
a semicolon too much|while (n = __VERIFIER_nondet_int(), 1) ; { if (n > 3) return 1; }|endless
a loop that stands for an assumption|if (n > 3) for (;;) ; assert(n <= 3);|ends
a server with an assert|for (;;) { n = __VERIFIER_nondet_int(); if (n > 3) assert(n > 2); }|endless
a loop within one without a way out|for (;;) { for (int i = 0; i < 3; i++) n = i; }|endless
output in a loop|for (;;) puts("x");|endless
a break|for (;;) { n = __VERIFIER_nondet_int(); if (n == 7) break; }|ends
a return|for (;;) { n = __VERIFIER_nondet_int(); if (n == 7) return 1; }|ends
an exit|for (;;) { n = __VERIFIER_nondet_int(); if (n == 7) exit(1); }|ends
a function that may exit|for (;;) { n = __VERIFIER_nondet_int(); stop(n); }|ends
a condition|while (n > 0) n--;|ends
a goto|again: if (n > 7) goto out; n = __VERIFIER_nondet_int(); goto again; out: ;|ends
no loop|n = n == 1;|ends
ROWS
expect "not reached, not remarked" 0 "^RESULT: true" sh -c "printf 'static void f(void) { for (;;) ; }\nint main(void) { return 0; }\n' >'$dir/b.c'; '$tool' check '$dir/b.c'"
why=; grep -q 'no way out' "$dir/out" && why="$(cat "$dir/out")"; name="a loop of a function that is not called" verdict_of_case
printf 'int __VERIFIER_nondet_int(void);\nint main(void) { int n = __VERIFIER_nondet_int(); while (n > 0) n--; return 0; }\n' >"$dir/c.c"
expect "-v says it of loops" 0 "^Termination was not verified" "$tool" check -v "$dir/c.c"
expect "a short answer does not" 0 "^RESULT: true" "$tool" check "$dir/c.c"
why=; grep -q 'ermination' "$dir/out" && why="$(cat "$dir/out")"; name="nothing without -v" verdict_of_case
printf 'int main(void) { return 0; }\n' >"$dir/d.c"
expect "nothing of programs without loops" 0 "^RESULT: true" "$tool" check -v "$dir/d.c"
why=; grep -q 'ermination' "$dir/out" && why="$(cat "$dir/out")"; name="not even with -v" verdict_of_case
finish

#!/bin/bash
# Failures that need one input among 2^32, a thousand calls, ten million iterations, a hundred million where nothing is asked for, or a string: `auto` finds each in 5 seconds of CPU.
. "$(dirname "$0")/common"
head='extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void); void reach_error(void) {}'
program() { { echo "$head"; cat; } >"$dir/$1.c"; }
program constant <<'C'
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 123456789) reach_error(); return 0; }
C
program calls <<'C'
int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) == 1000) reach_error(); return 0; }
C
program two_constants <<'C'
int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }
int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x > 5000 || x < 0) return 0; int r = f(x); if (y == 4711 && r == 1000) reach_error(); return 0; }
C
program iterations <<'C'
int main(void) { int x = __VERIFIER_nondet_int(); unsigned s = 0; for (int i = 0; i < 10000000; i++) s += (unsigned)(i ^ x); if (x == 77) reach_error(); return (int)s; }
C
program one_run <<'C'
int main(void) { unsigned x = 300000001, s = 0; while (x > 2) { x -= 3; s ^= x; } if (x == 1) reach_error(); return (int)s; }
C
program string <<'C'
int main(void) {
  char s[9];
  for (int i = 0; i < 8; i++) s[i] = __VERIFIER_nondet_char();
  s[8] = 0;
  const char *word = "password";
  int same = 1;
  for (int i = 0; i < 8; i++) if (s[i] != word[i]) same = 0;
  if (same) reach_error();
  return 0;
}
C
max_lines=5000  # the path has a thousand calls
for f in constant calls two_constants iterations one_run string; do
  expect "deep failure: $f" 10 "^RESULT: false.unreach-call.$" "$tool" check --timelimit=5 "$dir/$f.c"
done
sed 's/if (f(x) == 1000) reach_error/if (f(x) < 0) reach_error/' "$dir/calls.c" >"$dir/safe.c"
expect "deep failure: none in the safe twin" 5 "^RESULT: unknown|^RESULT: true" "$tool" check --timelimit=5 "$dir/safe.c"
sed 's/if (x == 1)/if (x == 2)/' "$dir/one_run.c" >"$dir/safe.c"
expect "deep failure: none in the safe twin of the one run" 5 "^RESULT: unknown|^RESULT: true" "$tool" check --timelimit=5 "$dir/safe.c"
finish

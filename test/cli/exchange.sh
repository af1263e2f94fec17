#!/bin/bash
# What engines of one run tell each other: who is named, what is missed without it, and that it can be repeated to the byte. One program, with TP_SOAK=1 all.
. "$(dirname "$0")/common"
max_lines=200

# Failures behind counters that inputs raise by right answers only: too deep to unroll, too rare for random inputs.
head='#include <assert.h>
int __VERIFIER_nondet_int(void);'
cat >"$dir/steps.c" <<C
$head
int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_int()) {
    unsigned k = (unsigned)__VERIFIER_nondet_int();
    if ((k & 15) == ((x * 7u + 3) & 15)) x++;
    else if (x) x--;
    assert(x < 300);
  }
  return 0;
}
C
cat >"$dir/levels.c" <<C
$head
int main(void) {
  int level = 0, fuel = 0;
  for (;;) {
    int c = __VERIFIER_nondet_int();
    if (c == 1) fuel++;
    else if (c == 2 && fuel >= 10) fuel -= 10, level++;
    else if (c == 3) fuel = 0;
    else if (c == 4) break;
    assert(level != 25);
  }
  return 0;
}
C
cat >"$dir/transfers.c" <<C
$head
int main(void) {
  int balance = 0, debt = 0;
  while (__VERIFIER_nondet_int()) {
    int a = __VERIFIER_nondet_int();
    if (a <= 0 || a > 10) continue;
    if (__VERIFIER_nondet_int()) balance += a;
    else if (balance >= a) balance -= a, debt += a;
    assert(!(balance == 777 && debt == 333));
  }
  return 0;
}
C
cat >"$dir/word.c" <<C
$head
int main(void) {
  int place = 0, rounds = 0;
  for (;;) {
    int c = __VERIFIER_nondet_int(), before = place;
    switch (place) {
      case 0: place = c == 'H' ? 1 : 0; break;
      case 1: place = c == 'E' ? 2 : 0; break;
      case 2: place = c == 'L' ? 3 : 0; break;
      default: place = 0; if (c == 'O') rounds++; else rounds = 0;
    }
    if (place == 0 && before != 3) rounds = 0;
    if (c == 0 && __VERIFIER_nondet_int()) break;
    assert(rounds < 50);
  }
  return 0;
}
C
# Safe twins: the counter stops before it fails.
sed 's/x++;/{ if (x < 299) x++; }/' "$dir/steps.c" >"$dir/steps-safe.c"
sed 's/level++;/level += level < 24;/' "$dir/levels.c" >"$dir/levels-safe.c"

for program in $(some steps levels transfers word); do
  expect "$program: found where a proof is stuck" 10 "^Found by directed, (to|on the way to) a state at .*$program.c:[0-9:]+ that [a-z-]+ could not exclude; confirmed" \
    "$tool" check --timelimit=60 "$dir/$program.c"
done
soak && limit=8 || limit=4  # what has no answer uses all of it
for program in $(some steps levels); do
  expect "$program: not without goals" 5 "^RESULT: unknown" "$tool" check --timelimit=$limit --exchange=no-goals "$dir/$program.c"
  expect "$program: nor without any exchange" 5 "^RESULT: unknown" "$tool" check --timelimit=$limit --exchange=none "$dir/$program.c"
  expect "$program: its safe twin does not fail" 0 "^RESULT: (true|unknown)" sh -c '"$0" check --timelimit="$2" "$1"; [ $? -le 5 ]' "$tool" "$dir/$program-safe.c" $limit
done
expect "one worker is enough" 10 "^Found by directed" "$tool" check --timelimit=30 --workers=1 "$dir/levels.c"
expect "more workers than cores" 10 "^Found by directed" "$tool" check --timelimit=30 --workers=4 "$dir/levels.c"

# A limit of steps in place of one of time: the same facts, the same answer.
mkdir "$dir/a" "$dir/b" "$dir/c"
for out in a b; do
  expect "a run by steps ($out)" 10 "^Found by directed" "$tool" check --steps=5 --output="$dir/$out" "$dir/levels.c"
done
expect "leaves the same record" 0 "" cmp "$dir/a/blackboard.txt" "$dir/b/blackboard.txt"
grep -v '^#' "$dir/a/inputs.txt" >"$dir/a/values"
grep -v '^#' "$dir/b/inputs.txt" >"$dir/b/values"
expect "with the same inputs" 0 "" cmp "$dir/a/values" "$dir/b/values"
expect "which has goals" 0 "^fact goals kinduction" cat "$dir/a/blackboard.txt"
expect "and inputs" 0 "^fact inputs random" cat "$dir/a/blackboard.txt"
expect "a run without inputs in the record" 10 "" "$tool" check --steps=5 --exchange=no-inputs --output="$dir/c" "$dir/levels.c"
expect "has none" 1 "^0$" grep -c "^fact inputs" "$dir/c/blackboard.txt"

expect "an exchange that does not exist" 64 "exchange" "$tool" check --exchange=no-gossip "$dir/levels.c"
expect "one engine has nobody to talk to" 64 "engine bmc has no use for it" "$tool" check --engine=bmc --exchange=none "$dir/levels.c"

finish

#!/bin/bash
# What an answer of --unroll speaks about: checks that runs within the bound come to, loops at which they are
# cut, the bound to ask for. Each program has a twin that fails behind the loop.
. "$(dirname "$0")/common"

cat >"$dir/behind.c" <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int first = __VERIFIER_nondet_int(), k = 0;
  if (first > 3) assert(first != 3);
  while (k < 20)
    if (__VERIFIER_nondet_int()) k++;
    else k += 2;
  assert(k != LAST);
  return 0;
}
C
cat >"$dir/only_behind.c" <<'C'
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() | 1024, ones = 0;
  for (unsigned m = n; m; m >>= 1) ones += m & 1;
  assert(ones != LAST || n < 2000);
  return 0;
}
C
cat >"$dir/recursion.c" <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int depth(int n) {
  if (n <= 0) return 0;
  return 1 + depth(__VERIFIER_nondet_int() ? n - 1 : n - 2);
}
static void need(int c) {
  if (!c) assert(0);
}
int main(void) {
  need(__VERIFIER_nondet_int() * 0 == 0);
  need(depth(20) != LAST);
  return 0;
}
C
cat >"$dir/dead.c" <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), even = 0;
  if (n < 0 || n > 3) n = 0;
  for (int i = 0; i < n; i++) even = !even;
  if (n < 2 && n > 2) {
    assert(even);
    n = __VERIFIER_nondet_int();
  }
  assert(n != 2 || even == LAST);
  return 0;
}
C

# bounded NAME LAST UNROLL PATTERN...: the answer is bounded, and each pattern matches a line of it
bounded() {
  local program=$1 last=$2 unroll=$3
  shift 3
  expect "$program, LAST=$last, --unroll=$unroll" 1 "^RESULT: bounded\(unroll=$unroll\)$" "$tool" check --unroll="$unroll" -DLAST="$last" "$dir/$program.c"
  for pattern; do
    why=; grep -Eq -e "$pattern" "$dir/out" || why="no line matches '$pattern'"
    name="$program, LAST=$last, --unroll=$unroll: $pattern" verdict_of_case
  done
}
# the bound that is advised: $larger
larger() { larger=$(sed -n 's/^  next:    --unroll=\([0-9]*\) is the smallest bound .*/\1/p' "$dir/out"); }
# says NAME PATTERN: the answer of the last call has no such line
says_not() { why=; grep -Eq -e "$2" "$dir/out" && why="a line matches '$2'"; name=$1 verdict_of_case; }

for last in 22 21; do
  bounded behind $last 2 "^  reached: 1 of 2 checks; not looked at: .*behind.c:9:3$" "^  cut: .* the loop at .*behind.c:6:3$" "^  next: .*comes to .*behind.c:9:3$"
  says_not "one check is reached" "none of these runs"
  bounded only_behind $((last - 10)) 3 "^BOUNDED: .* but none of these runs comes to a check$" "^  reached: no check; not looked at: .*only_behind.c:6:3$" "^  cut: .* the loop at .*only_behind.c:5:3$"
  larger
  [ "$last" = 22 ] && bounded only_behind 12 $((larger - 1)) "none of these runs comes to a check"
  [ "$last" = 22 ] && bounded only_behind 12 "$larger" "^  reached: the only check$"
  # a check in a function of the user's stands at each call of it
  bounded recursion $last 2 "^  reached: 1 of 2 checks; not looked at: .*recursion.c:12:3$" "^  cut: .* the recursion of .*recursion.c:3:1$"
done
expect "behind the bound it fails" 10 "^RESULT: false" "$tool" check --unroll=30 -DLAST=21 "$dir/behind.c"
expect "behind the bound it fails, too" 10 "^RESULT: false" "$tool" check --unroll=32 -DLAST=11 "$dir/only_behind.c"
# nothing is cut: what is not reached is dead, and nothing is advised
bounded dead 0 4 "^  reached: 1 of 2 checks; no run comes to: .*dead.c:8:5$" "^  cut:     no run; without --unroll the answer is about all runs$"
says_not "nothing is advised" "^  next:"
expect "dead code stays so, the rest fails" 10 "^RESULT: false" "$tool" check --unroll=4 -DLAST=1 "$dir/dead.c"

# the same as JSON
max_lines=400
expect "as JSON" 1 "" "$tool" check --format=json --unroll=3 -DLAST=12 "$dir/only_behind.c"
why=$(python3 -c '
import json, sys, jsonschema
o = json.load(open(sys.argv[1]))
jsonschema.validate(o, json.load(open("doc/answer.schema.json")))
r = o["reach"]
ok = r["checks"] == 1 and r["reached"] == 0 and r["missed"][0]["line"] == 6 and not r["open"] and r["cuts"][0]["kind"] == "loop" and r["cuts"][0]["position"]["line"] == 5 and r["larger"]["unroll"] == int(sys.argv[2]) and r["larger"]["is_least"]
sys.exit(0 if ok else str(r))' "$dir/out" 11 2>&1 | tail -n 1)
name="JSON says what the text says" verdict_of_case
finish

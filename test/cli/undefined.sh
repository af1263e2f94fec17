#!/bin/sh
# No TRUE of a program that is seen to have undefined behaviour: behind that, the compiled program may do anything. What is proved up to there is said.
. "$(dirname "$0")/common"

cat >"$dir/outside.c" <<'C'
extern void reach_error(void);
int main(void) {
  int a[4] = {0};
  for (int i = 0; i <= 4; i++) a[i] = i;
  if (a[0] > 1) reach_error();
  return 0;
}
C
sed 's/<= 4/< 4/' "$dir/outside.c" >"$dir/inside.c"
cat >"$dir/library.c" <<'C'
#include <string.h>
extern void reach_error(void);
int main(void) {
  char small[4];
  int x = 0;
  strcpy(small, "too long");
  if (x) reach_error();
  return 0;
}
C
cat >"$dir/seldom.c" <<'C'
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[4] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i % 1000003 == 777 && i > 100000) a[i] = 1;
  if (a[0] > 1) reach_error();
  return 0;
}
C
cat >"$dir/shift.c" <<'C'
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned mask = (1u << (n % 40)) - 1;
  unsigned k = __VERIFIER_nondet_uint();
  if (k * 2654435761u == 12345u && (n >> (k / 134217728u + 8)) > mask) mask++;
  if (n < 1 && mask > 4294967295u) reach_error();
  return 0;
}
C
cat >"$dir/behind.c" <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int sum = 0;
  if (x > 2147483000) sum = x + 2000;
  if (x * 31 == 1234567 * 31 && y > 0)
    sum += y / (y - 1234567);
  if (y < 0 && y > 0) reach_error();
  return sum != 0;
}
C
cat >"$dir/pointer.c" <<'C'
extern void reach_error(void);
struct cell { int x; };
int main(void) {
  struct cell *p;
  int seen = 0;
  p->x = 1;
  seen = 1;
  if (seen) reach_error();
  return 0;
}
C
expect "an access outside is no proof" 5 "^UNKNOWN: some runs have undefined behaviour, and behind that anything may happen: access outside of an object$" "$tool" check "$dir/outside.c"
also "where it is" "^  where: .*outside.c:4:37: for"
also "what is proved" "^  known: unreach-call holds in every run up to there, certificate checked"
also "who shows it" "^  next:  --property=valid-memsafety shows such a run"
also "the result" "^RESULT: unknown\(some runs have undefined behaviour: access outside of an object at .*outside.c:4:37\)$"
expect "one of the library is the user's call" 5 "^  where: .*library.c:6:3" "$tool" check "$dir/library.c"
expect "an error behind a pointer that was never set is not excluded" 5 "^UNKNOWN: " "$tool" check "$dir/pointer.c"
expect "inputs for one are looked for" 5 "^UNKNOWN: some runs have undefined behaviour, and behind that anything may happen: access outside of an object$" "$tool" check "$dir/seldom.c"
expect "an operation on numbers" 5 "^  where: .*shift.c:5:23: " "$tool" check "$dir/shift.c"
expect "one behind another failure of that property" 5 "^RESULT: unknown\(some runs have undefined behaviour: division by zero at .*behind.c:8:14\)$" "$tool" check "$dir/behind.c"
expect "one that was not seen is not excluded" 0 "^TRUE: unreach-call holds in every run without undefined behaviour, which was not excluded" "$tool" check --steps=1000000 "$dir/seldom.c"
expect "the twin has none" 0 "^TRUE: unreach-call holds in every run$" "$tool" check "$dir/inside.c"
expect "nor where accesses are what is checked" 10 "^FALSE: valid-deref" "$tool" check --property=valid-memsafety "$dir/outside.c"

# TRUE of one property that rests on an operation which another property of the same run shows to fail
sed 's/a\[i\] = 1/a[i % 4] = 1/' "$dir/seldom.c" >"$dir/seldom_inside.c"
refuted="^UNKNOWN: some runs have undefined behaviour, and behind that anything may happen: write to a\[i\], "
expect "a failure of another property is in the first line" 10 "$refuted" "$tool" check --steps=1000000 --all "$dir/seldom.c"
why=; [ "$(grep -c '^RESULT: unknown(some runs have undefined behaviour: write to a\[i\], .*seldom.c:6:[0-9]*)$' "$dir/out")" = 1 ] && [ "$(grep -c '^RESULT: false(undefined)$' "$dir/out")" = 1 ] && [ "$(grep -c '^  where: .*(valid-memsafety)$' "$dir/out")" = 1 ] && [ "$(grep -c '^RESULT: true' "$dir/out")" = 0 ] || why="not the proof alone says so"
name="the proof says so, and the index is undefined, too" verdict_of_case
why=; [ "$(grep '^PROPERTY: ' "$dir/out" | tr -d '\n')" = "PROPERTY: unreach-callPROPERTY: valid-memsafetyPROPERTY: undefined" ] || why="another order"
name="in the order of the properties" verdict_of_case
expect "whatever the order is" 10 "$refuted" "$tool" check --steps=1000000 --property=memsafety,unreach-call "$dir/seldom.c"
expect "the twin holds for all properties" 0 "^TRUE: unreach-call holds in every run$" "$tool" check --all "$dir/seldom_inside.c"
expect "properties that show nothing of it" 0 "^TRUE: unreach-call holds in every run without undefined behaviour, which was not excluded$" "$tool" check --steps=1000000 --property=unreach-call,no-overflow "$dir/seldom.c"
expect "whom to ask" 0 "^  next:  --property=valid-memsafety verifies these operations$" "$tool" check --steps=1000000 "$dir/seldom.c"
expect "nobody, where nothing is open" 0 "" "$tool" check "$dir/seldom_inside.c"
why=; grep -q "  next:" "$dir/out" && why="there is advice"
name="no advice" verdict_of_case
max_lines=400
expect "the same as JSON" 10 "" "$tool" check --steps=1000000 --all --format=json --stats="$dir/stats" "$dir/seldom.c"
why=$(python3 -c '
import json, sys, jsonschema
answers = json.load(open(sys.argv[1]))["answers"]
answers.append(json.load(open(sys.argv[2])))
for o in answers: jsonschema.validate(o, json.load(open("doc/answer.schema.json")))
bad = [o["property"] for o in answers if o["property"] == "unreach-call" and not (o["verdict"] == "unknown" and o["undefined"]["property"] == "valid-memsafety")]
sys.exit("%s of %d" % (bad, len(answers)) if bad or len(answers) != 4 else 0)' "$dir/out" "$dir/stats.undefined" 2>&1 | tail -n 1)
name="JSON and statistics say so" verdict_of_case
finish

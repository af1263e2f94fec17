#!/bin/bash
# Facts of the user's: proved or left out, never believed; what became of them is told.
. "$(dirname "$0")/common"
max_lines=400

# ring NAME KEEPS ASSERTS CLAIM: a loop whose invariant (c == (a ^ 5)) k-induction does not find (predicates may, as it is asserted); KEEPS is what one branch makes of c
ring() {
  cat >"$dir/$1.c" <<C
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int __twoproof_lemma_next(unsigned low, unsigned high) { return high == (low ^ 5); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, a = 0, b = 0, c = 5;
  while (i < n) {
    $4
    unsigned k = __VERIFIER_nondet_uint() % 5;
    if (k == 0) { a = a + b + 1; c = ((c ^ 5) + b + 1) ^ 5; }
    else if (k == 1) { b = b + c; c = ((c ^ 5) * 3) ^ 5; a = a * 3; }
    else if (k == 2) { a = b * b; c = $2 ^ (b * b); }
    else { b = a * 7 - c; }
    i++;
  }
  if ($3) reach_error();
  return 0;
}
C
}
ring bare 5 'c != (a ^ 5)' ''
ring helped 5 'c != (a ^ 5)' '__twoproof_invariant(c == (a ^ 5));'
ring lemma 5 'c != (a ^ 5)' '__twoproof_invariant(__twoproof_lemma_next(a, c));'
ring broken 4 'c != (a ^ 5)' '__twoproof_invariant(c == (a ^ 5));'
ring wrong 5 'c != (a ^ 5) && i > 5' '__twoproof_invariant(b == a + 2); __twoproof_invariant(a < 1000000); __twoproof_invariant((a ^ 5) == c || i == 77777);'
ring unread 5 'i > n' '__twoproof_invariant(nobody > 1); __twoproof_invariant(c = 1);'

expect "without help there is no proof" 5 "^UNKNOWN" "$tool" check --engine=kinduction --timelimit=4 "$dir/bare.c"
expect "with it there is one" 0 "^Proved by kinduction" "$tool" check --timelimit=20 "$dir/helped.c"
expect "by a lemma, too" 0 "^Proved by kinduction" "$tool" check --timelimit=20 "$dir/lemma.c"
expect "the twin fails, whatever is claimed" 10 "^FALSE: unreach-call" "$tool" check --timelimit=20 "$dir/broken.c"
expect "the same from a file" 0 "^Proved by kinduction" "$tool" check --timelimit=20 --hints=<(echo "# of the loop"; echo "invariant $dir/bare.c:6 c == (a ^ 5)") "$dir/bare.c"
# what is wrong, and why
expect "a wrong claim is no proof" 5 "wrong.c:7: not shown at the start: .* a = 0, b = 0" "$tool" check --engine=kinduction --timelimit=5 "$dir/wrong.c"
why=; grep -q "'a < 1000000' at .*not inductive: all of them hold in the first state, at .*wrong.c:6:3, and it does not in the second" "$dir/out" || why="$(cat "$dir/out")"; name="which is not inductive" verdict_of_case
why=; grep -q "a = [0-9]*.* -> .*a = [0-9]*" "$dir/out" || why="no two states"; name="the two states" verdict_of_case
expect "as JSON" 5 '"state": "not inductive"' "$tool" check --format=json --engine=kinduction --timelimit=5 "$dir/wrong.c"
why=$(python3 -c '
import json, sys, jsonschema
o = json.load(open(sys.argv[1]))
jsonschema.validate(o, json.load(open("doc/answer.schema.json")))
h = o["hints"]
bad = [x for x in h if x["kind"] != "invariant" or not x["position"].endswith("wrong.c:7")] or len(h) != 3 or not (h[1]["before"] and h[1]["after"])
sys.exit(str(h) if bad else 0)' "$dir/out" 2>&1 | tail -n 1)
name="which fits the schema" verdict_of_case
# the state that is shown really is one that the loop does not keep: a run from it, compiled
state=$(python3 -c '
import json, re, sys
h = json.load(open(sys.argv[1]))["hints"][1]
pairs = dict(re.findall(r"(\w+) = (\d+)", h["before"]))
print(";".join(f"{k} = {v}u" for k, v in pairs.items()), ";", int(dict(re.findall(r"(\w+) = (\d+)", h["after"]))["a"]) >= 1000000)' "$dir/out")
why=; case $state in *True) ;; *) why="$state" ;; esac
name="the second state violates the claim" verdict_of_case
expect "what cannot be read is left out" 0 "not used: it cannot be read there: no variable 'nobody'" "$tool" check -v --engine=kinduction --timelimit=20 "$dir/unread.c"
why=; grep -q "unread.c:7: warning: 'nobody > 1' is not used" "$dir/err" || why="$(cat "$dir/err")"; name="with a warning" verdict_of_case

# facts at statements, loops of all kinds, functions as entries
cat >"$dir/kinds.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned sum(unsigned n) {
  unsigned i = 0, s = 0;
  do {
    __twoproof_invariant(s == 3 * i);
    s += 3;
    __twoproof_assume(s == 3 * i + 3);
    i++;
  } while (i < n);
  for (unsigned k = 0; k < n; k++) {
    __twoproof_invariant(s == 3 * (i + k));
    s += 3;
  }
  if (s != 3 * (i + n)) reach_error();
  return s;
}
int main(void) { return sum(__VERIFIER_nondet_uint()) != 0; }
C
expect "loops of all kinds, facts at statements" 0 "" "$tool" check --engine=kinduction -v --timelimit=20 "$dir/kinds.c"
why=; [ "$(grep -c "^  given: .* proved$" "$dir/out")" = 3 ] || why="$(grep given "$dir/out")"; name="all three are proved" verdict_of_case
expect "with a function as the entry" 0 "" "$tool" check --entry=sum --property=unreach-call --engine=kinduction -v --timelimit=20 "$dir/kinds.c"
why=; [ "$(grep -c "^  given: .* proved$" "$dir/out")" = 3 ] || why="$(grep given "$dir/out")"; name="all three are proved there" verdict_of_case
# places that are none, files that are none
printf 'int main(void) {\n  __twoproof_invariant(1);\n  return 0;\n}\n' >"$dir/nowhere.c"
expect "no loop around it" 0 "" "$tool" check "$dir/nowhere.c"
why=; grep -q "nowhere.c:2: warning: '1' is not used: it is in the body of no loop" "$dir/err" || why="$(cat "$dir/err")"; name="is told" verdict_of_case
expect "no hint" 6 "" "$tool" check --hints=<(echo "invariant $dir/bare.c c == 1") "$dir/bare.c"
why=; grep -q ":1: FILE:LINE is wanted" "$dir/err" || why="$(cat "$dir/err")"; name="is told, too" verdict_of_case
expect "no such file" 6 "" "$tool" check --hints="$dir/none" "$dir/bare.c"
# a compiler sees nothing of it; a failing run is replayed on the compiled program
why=$(gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -include lib/include/twoproof.h "$dir/kinds.c" 2>&1 | head -n 1); name="compilers see nothing" verdict_of_case
sed 's/__twoproof_invariant(.*/__twoproof_invariant(i = 0);/' "$dir/helped.c" >"$dir/effect.c"
expect "an effect is none" 5 "" "$tool" check --engine=kinduction --timelimit=4 "$dir/effect.c"
why=; grep -q "'i = 0' is not used" "$dir/err" || why="$(cat "$dir/err")"; name="and is told" verdict_of_case
expect "evidence of a program with facts" 10 "" "$tool" check --timelimit=20 --output="$dir/o" "$dir/broken.c"
expect "is replayed" 10 "RESULT: false\(unreach-call\)" "$tool" replay "$dir/broken.c" "$dir/o/inputs.txt"
finish

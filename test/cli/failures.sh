#!/bin/bash
# All failures of one run: each place once, with its own inputs and evidence; that there are no others is proved, or open.
. "$(dirname "$0")/common"
max_lines=400

cat >"$dir/many.c" <<'C'
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int get(int *p, int i) { return p[i]; }
int main(void) {
  int a[4] = {0}, n = __VERIFIER_nondet_int();
  char *s = malloc(3);
  if (n == 1) s[3] = 0;
  if (n == 2) return get(a, 7);
  if (n == 3) return get(a, 9);
  if (n == 4) memcpy(s, a, 4);
  if (n == 5) { free(s); return s[1]; }
  if (n > 5 && n < 9) strcpy(s, "abc");
  free(s);
  return 0;
}
C
all="$tool check --property=valid-deref --failures=0 --timelimit=60"
expect "five places" 10 "^FAILURES: 5 at different places; there are no others, apart from other calls of the same library functions: proved without them, certificate checked$" $all --output="$dir/o" "$dir/many.c"
for line in "many.c:8:20: CWE-787" "many.c:4:40: CWE-125" "many.c:11:15: CWE-787" "many.c:12:33: CWE-416" "many.c:13:23: CWE-787"; do
  why=; [ "$(grep -c "^  [1-5]  .*$line, valid-deref: " "$dir/out")" = 1 ] || why="$(grep '^  [1-5]  ' "$dir/out")"
  name="$line, once" verdict_of_case
done
last_line_is "the result is that of the property" "RESULT: false(valid-deref)"
for k in . failure-2 failure-3 failure-4 failure-5; do
  why=; (cd "$dir" && sh "o/$k/run.sh") >"$dir/both" 2>&1; status=$?; [ $status != 0 ] || why="status $status"
  name="the compiled program fails with the inputs of $k" verdict_of_case
done
why=$(cat "$dir/o/inputs.txt" "$dir"/o/failure-*/inputs.txt | grep '^[0-9]' | cut -d' ' -f1 | sort -u | wc -l); [ "$why" = 5 ] && why=; name="each has its own inputs" verdict_of_case
why=$(python3 -c '
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
lines = sorted(r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results)
sys.exit(0 if lines == [4, 8, 11, 12, 13] and all(r.get("codeFlows") for r in results) else str(lines))' "$dir/o/findings.sarif" 2>&1 | tail -n 1)
name="SARIF has five results" verdict_of_case
expect "as JSON" 10 "" $all --format=json "$dir/many.c"
why=$(python3 -c '
import json, sys, jsonschema
o = json.load(open(sys.argv[1]))
jsonschema.validate(o, json.load(open("doc/answer.schema.json")))
f = o["failures"]
found = sorted((x["position"]["line"], x["cwe"]) for x in f)
sys.exit(0 if found == [(4, 125), (8, 787), (11, 787), (12, 416), (13, 787)] and not o["no_others"] and all(x["inputs"] and x["path"] for x in f) else str(found))' "$dir/out" 2>&1 | tail -n 1)
name="JSON has five, one document" verdict_of_case
expect "no more than asked for" 10 "^FAILURES: 2 at different places; further ones were not looked for" "$tool" check --property=valid-deref --failures=2 "$dir/many.c"
expect "one without the option" 10 "" "$tool" check --property=valid-deref "$dir/many.c"
why=; grep -q FAILURES "$dir/out" && why="there is a table"; name="and no table" verdict_of_case
sed 's/get(a, 7)/get(a, 3)/; s/get(a, 9)/get(a, 0)/; /strcpy/d' "$dir/many.c" >"$dir/fewer.c"
expect "a program with fewer" 10 "^FAILURES: 3 at different places; there are no others: proved" $all "$dir/fewer.c"
why=; grep -q "^  that there are no others assumes: memory can always be allocated$" "$dir/out" || why="no assumption"; name="and what that assumes" verdict_of_case
expect "as JSON, too" 10 '"no_others": true' $all --format=json "$dir/fewer.c"
# one more call of a function that failed is not denied
sed 's/  free(s);$/  if (n == 77) strcpy(s, "abcd");\n  free(s);/' "$dir/many.c" >"$dir/twice.c"
expect "two calls of one library function" 10 "^FAILURES: [56] at different places; there are no others, apart from other calls" $all "$dir/twice.c"
# with a loop that no proof is known for, the rest is open: nothing is said about others
cat >"$dir/open.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 1, x = 7;
  for (unsigned i = 0; i < n; i++) { s = s * s * x + i; x = x * 3 + s * 2; if (n == 3 && i == 2) reach_error(); }
  if (s * x * x % 1234577 == 77 && s == 34523453) reach_error();
  return 0;
}
C
expect "the rest may be open" 10 "^FAILURES: 1 at different places; whether there are others is open: " "$tool" check --failures=0 --timelimit=5 "$dir/open.c"
printf 'int main(void) { int a[2] = {0}; return a[1]; }\n' >"$dir/none.c"
expect "a program without failures" 0 "^TRUE" $all "$dir/none.c"
expect "functions as entries, several properties" 10 "^FAILURES: 2 at different places" "$tool" check --entry=both --failures=0 --property=undefined,valid-deref --timelimit=20 <(echo 'int both(int x, int y) { if (x > 3) return 7 / (x - 5); return y + 1; }')
finish

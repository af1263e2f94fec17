#!/bin/bash
# --format=json: answers of every verdict against the schema, failures as compilers write errors.
. "$(dirname "$0")/common"
max_lines=400

cat >"$dir/string.c" <<'C'
#include <string.h>
int main(int argc, char **argv) {
  char small[4];
  if (argc > 1) strcpy(small, argv[1]);
  return 0;
}
C
cat >"$dir/loop.c" <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int f(void);
int main(void) {
  int a[3] = {0}, n = __VERIFIER_nondet_int();
  for (int i = 0; i < n && i < LIMIT; i++) a[i] = f();
  if (a[0] == 7 && n == FAILS) reach_error();
  return 0;
}
C
echo 'int main(void) { return' >"$dir/broken.c"
echo 'int main(void) { __asm__("nop"); return 0; }' >"$dir/assembly.c"

# fits NAME: the output is one object that fits the schema, and a Python condition on it holds
fits() {
  why=$(python3 -c '
import json, sys, jsonschema
answer = json.load(open(sys.argv[1]))
jsonschema.validate(answer, json.load(open("doc/answer.schema.json")))
o = answer
sys.exit(0 if eval(sys.argv[2]) else "the answer is another one")' "$dir/out" "$2" 2>&1 | tail -n 1)
  name=$1
  verdict_of_case
}
expect "false" 10 "" "$tool" check --format=json --property=memsafety "$dir/string.c"
fits "false fits" 'o["verdict"] == "false" and o["position"]["line"] == 4 and any(i["kind"] == "argument" and i["name"] == "argv" for i in o["inputs"])'
why=; grep -q "string.c:4:17: error: write of .* \[valid-deref\]" "$dir/err" && grep -q "string.c:3:8: note: declared here" "$dir/err" || why="$(cat "$dir/err")"; name="as compilers say it" verdict_of_case
expect "true" 0 "" "$tool" check --format=json --missing=any -DLIMIT=3 -DFAILS=-1 "$dir/loop.c"
fits "true fits" 'o["verdict"] == "true" and o["certificate"] == "checked" and o["missing"][0]["function"] == "f"'
expect "bounded" 1 "" "$tool" check --format=json --unroll=5 --missing=any -DLIMIT=3 -DFAILS=-1 "$dir/loop.c"
fits "bounded fits" 'o["verdict"] == "bounded" and o["bound"] == 5 and o["result"] == "bounded(unroll=5)" and o["reach"]["reached"] == 1 and not o["reach"]["cuts"]'
expect "unknown" 5 "" "$tool" check --format=json --engine=random --timelimit=1 -DLIMIT=3 -DFAILS=-1 "$dir/loop.c"
fits "unknown fits" 'o["verdict"] == "unknown" and o["why"] and o["next"] and o["explored"][0]["engine"] == "random"'
expect "not C" 6 "" "$tool" check --format=json "$dir/broken.c"
fits "not C fits" 'o["verdict"] == "unknown"'
expect "no file" 6 "" "$tool" check --format=json "$dir/none.c"
fits "no file fits" 'o["verdict"] == "unknown"'
expect "not supported" 6 "" "$tool" check --format=json "$dir/assembly.c"
fits "not supported fits" 'o["verdict"] == "unknown" and "assembly" in o["why"] and o["next"]'
expect "undefined behaviour beside a proof" 5 "" "$tool" check --format=json --missing=any -DLIMIT=4 -DFAILS=-1 "$dir/loop.c"
fits "it is told" '"loop.c" in o["undefined"]["position"]'
expect "several properties" 10 "" "$tool" check --format=json --property=memsafety,no-overflow "$dir/string.c"
why=$(python3 -c '
import json, sys, jsonschema
o = json.load(open(sys.argv[1]))
for a in o["answers"]: jsonschema.validate(a, json.load(open("doc/answer.schema.json")))
found = [a["result"].split(" ")[0] for a in o["answers"]], o["verdict"], o["status"]
sys.exit(0 if found == (["false(valid-deref)", "unknown(some"], "false", 10) else str(found))' "$dir/out" 2>&1 | tail -n 1)
name="are one document" verdict_of_case
cat >"$dir/two.c" <<'C'
int last(int x) { return 1 / x; }
int first(int x) { return x; }
C
expect "all functions" 10 "" "$tool" check --format=json --all-functions --property=undefined,valid-deref "$dir/two.c"
why=$(python3 -c '
import json, sys
o = json.load(open(sys.argv[1]))
found = [(f["function"], f["check"]["verdict"], len(f["check"]["answers"])) for f in o["functions"]], o["hold"], o["fail"], o["status"]
sys.exit(0 if found == ([("last", "false", 2), ("first", "true", 2)], 1, 1, 10) else str(found))' "$dir/out" 2>&1 | tail -n 1)
name="all functions are one document" verdict_of_case
expect "no function" 6 "" "$tool" check --format=json --all-functions <(echo "static int x;")
why=$(python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); sys.exit(0 if o == {"functions": [], "status": 6} else str(o))' "$dir/out" 2>&1 | tail -n 1)
name="no function is a document" verdict_of_case
expect "a property that is none" 64 "" "$tool" check --format=json --all-functions --property=valid-deref,nothing "$dir/two.c"
why=$(python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); sys.exit(0 if o["functions"][0]["check"] is None else str(o))' "$dir/out" 2>&1 | tail -n 1)
name="no property is a document" verdict_of_case
"$tool" check --property=memsafety --output="$dir/o" --stats="$dir/stats" "$dir/string.c" >/dev/null
expect "replay" 10 "" "$tool" replay --format=json --property=memsafety "$dir/string.c" "$dir/o/inputs.txt"
fits "replay fits" 'o["verdict"] == "false" and o["engine"] == "replay"'
cp "$dir/stats" "$dir/out"
fits "the file of --stats is the same" 'o["verdict"] == "false" and o["path"]'
finish

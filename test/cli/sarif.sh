#!/bin/bash
# findings.sarif: rules, weaknesses and code flows of failures of every kind; JUnit XML of test and spec.
. "$(dirname "$0")/common"
max_lines=200

cat >"$dir/kinds.c" <<'C'
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *freed(void) {
  int *p = malloc(sizeof *p);
  free(p);
  return p;
}
int main(void) {
  int a[3] = {0}, n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  int *none = 0;
  if (i < 0 || i > 3) return 0;
  switch (KIND) {
    case 1: assert(n != 7); break;
    case 2: return *none;
    case 3: return *freed();
    case 4: a[i] = 1; break;
    case 5: return a[i];
    case 6: free(freed()); break;
    case 7: free(a); break;
    case 8: return malloc(4) != 0;
    case 9: return n + 1;
    case 10: return 5 / n;
    case 11: return 1 << n;
  }
  return a[0];
}
C

# sarif NAME FILE CONDITION: the file has the structure of SARIF 2.1.0 as far as we write it, and a condition on the
# first run (r) and its results (f) holds
sarif() {
  name=$1
  why=$(/usr/bin/python3 -c '
import json, re, sys, urllib.parse
log = json.load(open(sys.argv[1], encoding="utf-8"))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1, "version"
r = log["runs"][0]
f = r["results"]
rules = r["tool"]["driver"]["rules"]
assert len({rule["id"] for rule in rules}) == len(rules), "rules with one name"
for rule in rules:
    assert all(rule[k]["text"] for k in ("shortDescription", "fullDescription", "help")), "a rule without text"
    assert any(re.fullmatch("external/cwe/cwe-[0-9]+", t) for t in rule["properties"]["tags"]), "no weakness"
def place(location):
    p = location["physicalLocation"]
    assert re.fullmatch("[A-Za-z0-9._~/%:-]+", p["artifactLocation"]["uri"]), "a URI with other characters"
    assert p["region"]["startLine"] >= 1 and p["region"].get("startColumn", 1) >= 1, "a region"
for result in f:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"], "another rule"
    assert result["message"]["text"] and len(result["locations"]) == 1, "no message or place"
    for l in result["locations"] + result.get("relatedLocations", []): place(l)
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    for s in steps: place(s["location"])
    last, at = steps[-1]["location"]["physicalLocation"], result["locations"][0]["physicalLocation"]
    assert last["region"]["startLine"] == at["region"]["startLine"], "the flow ends elsewhere"
cwe = [re.sub(".*-", "", t) for x in f for t in rules[x["ruleIndex"]]["properties"]["tags"] if "cwe" in t]
sys.exit(0 if eval(sys.argv[2]) else f"not so: {sys.argv[2]}")' "$2" "$3" 2>&1 | tail -n 1)
  verdict_of_case
}
out=$dir/o
mkdir "$out"
while read -r kind property cwe; do
  expect "kind $kind" 10 "" "$tool" check --property="$property" --output="$out" --timelimit=60 -DKIND="$kind" "$dir/kinds.c"
  sarif "weakness of kind $kind" "$out/findings.sarif" "cwe == ['$cwe']"
done <<'KINDS'
1 unreach-call 617
2 valid-deref 476
3 valid-deref 416
4 valid-deref 787
5 valid-deref 125
6 valid-free 415
7 valid-free 590
8 valid-memcleanup 401
9 no-overflow 190
10 undefined 369
11 undefined 1335
KINDS
sarif "values in the code flow" "$out/findings.sarif" '"(input)" in json.dumps(f)'
expect "proof" 0 "" "$tool" check --output="$out" --timelimit=60 -DKIND=12 "$dir/kinds.c"
sarif "a proof has no results" "$out/findings.sarif" 'f == [] and r["properties"]["result"] == "true"'
expect "unknown" 5 "" "$tool" check --engine=random --timelimit=1 --output="$out" -DKIND=12 "$dir/kinds.c"
sarif "an unknown is a notification" "$out/findings.sarif" 'f == [] and r["invocations"][0]["toolExecutionNotifications"]'
# Columns are characters, in places of notes, too.
printf '#include <stdlib.h>\nint main(void) {\n  /* \303\244\303\266 */ int *p = malloc(40);\n  /* \303\244 */ if (p) free(p);\n  return p ? p[1] : 0;\n}\n' >"$dir/letters.c"
expect "letters of two bytes" 10 "" "$tool" check --property=valid-deref --output="$out" "$dir/letters.c"
sarif "columns of notes" "$out/findings.sarif" \
  '[(p["region"]["startLine"], p["region"]["startColumn"]) for p in (l["physicalLocation"] for l in f[0]["relatedLocations"])] == [(3, 21), (4, 18)]'

hostile="$dir/a\"b <script> ]]> %41.c"
cp "$dir/kinds.c" "$hostile"
expect "hostile name" 10 "" "$tool" check --output="$out" --timelimit=60 -DKIND=1 "$hostile"
sarif "hostile name as a URI" "$out/findings.sarif" \
  'urllib.parse.unquote(f[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).endswith("a\"b <script> ]]> %41.c")'

# junit NAME FILE CONDITION: on the suite (s) and its cases (c)
junit() {
  name=$1
  why=$(/usr/bin/python3 -c '
import sys, xml.etree.ElementTree as tree
s = tree.parse(sys.argv[1]).getroot().find("testsuite")
c = s.findall("testcase")
for key, element in ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"):
    assert int(s.get(key)) == len([x for x in c if x.find(element) is not None]), key
assert int(s.get("tests")) == len(c), "tests"
sys.exit(0 if eval(sys.argv[2]) else f"not so: {sys.argv[2]}")' "$2" "$3" 2>&1 | tail -n 1)
  verdict_of_case
}
mkdir "$dir/suite"
expect "test with --junit" 0 "" "$tool" test --output="$dir/suite" --junit="$dir/j.xml" --timelimit=30 -DKIND=1 "$hostile"
junit "goals, and the test that fails" "$dir/j.xml" 'int(s.get("failures")) == 1 and any("n == 7" in x.get("name") for x in c) and c[0].get("classname").endswith("%41.c")'
expect "spec with --junit, good" 1 "" "$tool" spec --junit="$dir/j.xml" examples/spec/topo.c
junit "contracts that hold" "$dir/j.xml" 'len(c) >= 1 and s.get("failures") == "0" and s.get("errors") == "0"'
expect "spec with --junit, bad" 10 "" "$tool" spec --junit="$dir/j.xml" examples/spec/topo_bad.c
junit "a contract that fails" "$dir/j.xml" 'int(s.get("failures")) >= 1 and any("fails" in x.find("failure").get("message") for x in c if x.find("failure") is not None)'
expect "junit in no folder" 74 "cannot write" "$tool" test --output="$dir/suite" --junit="$dir/none/j.xml" --timelimit=30 -DKIND=1 "$dir/kinds.c"
finish

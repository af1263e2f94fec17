#!/bin/bash
# report.html of --output, without a browser (test/system/report.py has one): it is there for every verdict, its object can be read and says
# what the answer says, nothing comes from outside, hostile texts stay texts, the same bytes each time.
. "$(dirname "$0")/common"

# page NAME FOLDER CONDITION: report.html of the folder is well formed, and the Python condition on its object `o` holds.
page() {
  name=$1
  why=$(python3 - "$2/report.html" "$3" 2>&1 <<'P' | tail -n 1
import html.parser, json, re, sys
raw = open(sys.argv[1], "rb").read()
text = raw.decode("utf-8")

class Shape(html.parser.HTMLParser):
    """What a browser reads: elements, and where they lead."""
    def __init__(self):
        super().__init__()
        self.tags, self.leads, self.inside, self.data = [], [], "", {}
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.leads += [v for k, v in attributes if k in ("src", "href", "data", "action", "poster", "srcset")]
        self.inside = dict(attributes).get("id") or tag
    def handle_endtag(self, tag):
        self.inside = ""
    def handle_data(self, data):
        self.data[self.inside] = self.data.get(self.inside, "") + data

shape = Shape()
shape.feed(text)
o = json.loads(shape.data["object"])
allowed = ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "main", "noscript", "p", "pre", "script", "script"]
problems = [
    (shape.tags != allowed, f"elements: {shape.tags}"),
    (shape.leads, f"leads to {shape.leads}"),
    ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:" not in text, "the policy that keeps browsers from fetching"),
    ("<" in shape.data["object"], "a < in the object"),
    (o["format"] != "twoproof-page 1", "format"),
    (not o["headline"] and o["answer"]["verdict"] != "unknown", "no headline"),
    (o["answer"]["result"] not in text.split("<pre>")[1].replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), "the text without JavaScript has no result"),
    (not eval(sys.argv[2]), "the object is another one"),
]
sys.exit("; ".join(what for is_wrong, what in problems if is_wrong) or 0)
P
)
  verdict_of_case
}

cat >"$dir/list.c" <<'C'
#include <stdlib.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int total;
static int add(int a, int b) {
  int sum = a + b;
  return sum;
}
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = __VERIFIER_nondet_int();
    fresh->next = list;
    list = fresh;
  }
  total = add(list->key, 1);
  if (total == FAILS) reach_error();
  return 0;
}
C
cat >"$dir/count.c" <<'C'
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
unsigned both(unsigned n) {
  unsigned i = 0, j = 0;
  while (i < n) {
    i++;
    j++;
  }
  assert(i == j);
  return i;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  both(n);
  return 0;
}
C
cat >"$dir/calls.c" <<'C'
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int down(int n) { return n > 0 ? down(n - 1) : 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 5 && down(n) != 0) reach_error();
  for (int i = 0; i < 7; i++) n ^= i;
  return 0;
}
C

# ---- FALSE: the run in steps, values, where pointers lead, how often lines ran
expect "false" 10 "" "$tool" check -DFAILS=8 --output="$dir/false" "$dir/list.c"
page "false has a page" "$dir/false" 'o["answer"]["verdict"] == "false" and o["error"][1] == 19'
page "its run has steps" "$dir/false" 'o["run"]["steps"][-1][7] == 2 and len({s[2] for s in o["run"]["steps"]}) > 8'
page "depths and functions" "$dir/false" '{(o["run"]["functions"][s[4]], s[5]) for s in o["run"]["steps"]} == {("main", 1), ("add", 2)}'
page "the input that fails" "$dir/false" 'any(c[1] == "fresh->key" and c[2] == "7" for s in o["run"]["steps"] for c in s[8])'
page "cells and pointees" "$dir/false" 'len({c[4][0] for s in o["run"]["steps"] for c in s[8] if c[1] == "fresh->next"}) == 3 and {c[5][0] for s in o["run"]["steps"] for c in s[8] if c[1] == "list" and c[5]} == {c[4][0] for s in o["run"]["steps"] for c in s[8] if c[4]}'
page "visits of lines" "$dir/false" 'max(e[4] for a in o["automata"] for e in a["edges"] if e[3] == 14) == 3 and max(e[4] for a in o["automata"] for e in a["edges"] if e[3] == 20) == 0'
page "locations of steps are in the automata" "$dir/false" '{s[6] for s in o["run"]["steps"]} <= {n[0] for a in o["automata"] for n in a["nodes"]}'
page "commands" "$dir/false" 'o["script"].startswith("sh ") and "replay" in o["replay"]'
page "source" "$dir/false" 'o["files"][0]["lines"] == open(o["files"][0]["path"]).read().split("\n")[:-1]'
page "what was given" "$dir/false" '["compiler flag", "-DFAILS=8", True] in o["options"] and any(x[0] == "machine" and not x[2] for x in o["options"])'

# ---- TRUE: invariants and bounds in place
expect "true" 0 "" "$tool" check --engine=kinduction --output="$dir/true" "$dir/count.c"
page "an invariant as C" "$dir/true" 'any(p["kind"] == "loop" and p["place"][1] == 5 and "i == j" in p["alternatives"][0] for p in o["proof"])'
page "names of outer calls" "$dir/true" 'not any(f == "n == n" for p in o["proof"] for a in p.get("alternatives", []) for f in a)'
expect "true by unrolling" 0 "" "$tool" check --engine=bmc --output="$dir/unrolled" "$dir/calls.c"
page "bounds of loops and calls" "$dir/unrolled" 'any(p["kind"] == "bound" and p["iterations"] == 7 and p["place"][1] == 7 for p in o["proof"]) and any(p["kind"] == "depth" and p["function"] == "down" and p["activations"] == 5 for p in o["proof"])'
page "no run" "$dir/true" '"run" not in o and o["error"] is None'
expect "bounded" 1 "" "$tool" check --unroll=2 --output="$dir/bounded" "$dir/count.c"
page "bounded has a page" "$dir/bounded" 'o["answer"]["verdict"] == "bounded" and o["answer"]["bound"] == 2'
expect "heaps" 0 "" "$tool" check --config=shape --output="$dir/shape" examples/shapes/reverse.c
page "pictures of heaps" "$dir/shape" 'len(o["pictures"]) > 3 and all(p["svg"].lstrip().startswith("<?xml") for p in o["pictures"])'

# ---- other commands
echo 3 >"$dir/three.txt"
expect "adequacy" 0 "" "$tool" adequacy --tests="$dir/three.txt" --output="$dir/tests" "$dir/count.c"
page "abstract states of tests" "$dir/tests" 'any(s["missed"] for c in o["section"]["cutpoints"] for s in c["states"]) and any(s["by"].endswith("three.txt") for c in o["section"]["cutpoints"] for s in c["states"])'
sed 's/l->next = i;/l->next = l;/' examples/spec/ring.c >"$dir/ring.c"
max_lines=400
expect "contracts" 10 "" "$tool" spec --output="$dir/spec" "$dir/ring.c"
page "a contract that fails" "$dir/spec" '{c["name"]: c["answer"] for c in o["section"]["contracts"]}["insert"] == "fails" and all(c["before"] and c["after"] and c["svg"] for c in o["section"]["contracts"] if c["answer"] == "fails")'
page "those that hold" "$dir/spec" 'any(c["answer"] == "holds" and "before" not in c for c in o["section"]["contracts"])'

# ---- UNKNOWN, and what cannot be read
expect "unknown" 5 "" "$tool" check --engine=random --timelimit=1 --output="$dir/unknown" "$dir/count.c"
page "unknown has a page" "$dir/unknown" 'o["answer"]["verdict"] == "unknown" and o["answer"]["next"] and o["answer"]["explored"] and "where" in o'
echo 'int main(void) { return' >"$dir/broken.c"
expect "not C" 6 "" "$tool" check --output="$dir/broken" "$dir/broken.c"
page "not C has a page" "$dir/broken" 'o["answer"]["verdict"] == "unknown" and o["files"][0]["lines"] == ["int main(void) { return"] and not o["automata"]'
expect "no file" 6 "" "$tool" check --output="$dir/none" "$dir/none.c"
page "no file has a page" "$dir/none" 'o["files"] == []'
expect "two properties" 10 "" "$tool" check -DFAILS=8 --property=unreach-call,no-overflow --output="$dir/two" "$dir/list.c"
page "a page for each" "$dir/two/no-overflow" 'o["answer"]["property"] == "no-overflow"'
mkdir -p "$dir/taken/report.html"
expect "a folder in its place" 74 "cannot write .*report.html" "$tool" check --engine=bmc --output="$dir/taken" "$dir/calls.c"

# ---- hostile texts in names, strings, comments and values
bad='</script><script>alert(1)</script><!-- <b> &amp; "'
mkdir "$dir/<!--"
{
  echo 'extern void reach_error(void); extern char __VERIFIER_nondet_char(void);'
  printf 'const char *s = "</script><!--<script>"; /* \377\376 \xe2\x80\xa8 \xed\xa0\x80 </SCRIPT\t> */\n'
  echo 'int main(void) { char c = __VERIFIER_nondet_char(); if (c == 60 && s[0] == c) /* ]]> */ reach_error(); return 0; }'
} >"$dir/<!--/<script>\"&'.c"
expect "hostile" 10 "" "$tool" check --output="$dir/hostile" "$dir/<!--/<script>\"&'.c"
page "hostile texts stay texts" "$dir/hostile" 'o["files"][0]["path"].endswith("<!--/<script>\"&'"'"'.c") and "</script><!--<script>" in o["files"][0]["lines"][1] and "\ufffd\ufffd" in o["files"][0]["lines"][1]'
cat >"$dir/$(echo "$bad" | tr / _).c" <"$dir/calls.c"
expect "hostile name" 0 "" "$tool" check --engine=bmc --output="$dir/named" "$dir/$(echo "$bad" | tr / _).c"
page "hostile names stay texts" "$dir/named" '"<script>" in o["files"][0]["path"]'

# ---- the same bytes but for times
times_apart() { grep -v '^"times":' "$1/report.html"; }
for engine in bmc kinduction; do
  "$tool" check --engine=$engine --output="$dir/again" "$dir/calls.c" >/dev/null
  times_apart "$dir/again" >"$dir/first"
  "$tool" check --engine=$engine --output="$dir/again" "$dir/calls.c" >/dev/null
  times_apart "$dir/again" >"$dir/second"
  expect "the same bytes, $engine" 0 "" cmp "$dir/first" "$dir/second"
done

# ---- the checks above can fail
sed 's/<main id="page">/&<img src="x">/' "$dir/true/report.html" >"$dir/again/report.html"
name="planted: an element" why=$(page x "$dir/again" True | grep -q "^FAILED x: .*elements.*leads" || echo "not found") verdict_of_case
sed 's/^"headline":"/&<b>/' "$dir/true/report.html" >"$dir/again/report.html"
name="planted: a sign that begins an element" why=$(page x "$dir/again" True | grep -q "^FAILED x: .*a < in" || echo "not found") verdict_of_case
finish

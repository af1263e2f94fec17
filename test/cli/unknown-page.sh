#!/bin/bash
# doc/unknown.md has every reason for UNKNOWN that the sources have, and no other; what real runs print is on it.
. "$(dirname "$0")/common"
max_lines=200
expect "every reason" 0 "^[0-9]+ reasons$" tools/reasons --check
grep -v '^| `no function main`' doc/unknown.md >"$dir/less.md"
expect "a missing row is noticed" 1 'session.c:[0-9]+: .* lacks the reason `no function main`' tools/reasons --check "$dir/less.md"
{ cat doc/unknown.md; echo '| `it is too late` | | |'; } >"$dir/more.md"
expect "a row without a source is noticed" 1 'no source says `it is too late`' tools/reasons --check "$dir/more.md"
{ cat doc/unknown.md; echo '| `interrupted` | | |'; } >"$dir/twice.md"
expect "a row that stands twice is noticed" 1 '`interrupted` stands twice' tools/reasons --check "$dir/twice.md"

# Reasons of real runs, in the last line: each is on the page, up to what stands for names and numbers.
cat >"$dir/look.py" <<'P'
import re, sys
rows = [re.escape(r).replace(re.escape("..."), ".*") for r in re.findall(r"^\| `([^`]*)` \|", open("doc/unknown.md").read(), flags=re.M)]
rows = [r for r in rows if re.search("[a-z]{4}", r)]
text = sys.stdin.read()
last = re.search(r"^RESULT: unknown\((.*)\)$", text, flags=re.M)[1]
sys.exit(0 if any(re.match(r, last) for r in rows) else f"not on the page: {last}")
P
cat >"$dir/hard.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < n; i++) s += i * i % 7; if (s == 123457) reach_error(); return 0; }
C
echo 'int f(int x) { return x; }' >"$dir/library.c"
echo 'int main(void) { return 0 }' >"$dir/wrong.c"
printf 'void reach_error(void) {}\nint get(void);\nint main(void) { if (get() == 3) reach_error(); return 0; }\n' >"$dir/callee.c"
on_page() { "$@" 2>/dev/null | python3 "$dir/look.py"; }
for run in "--timelimit=2 hard.c" "--engine=bmc --timelimit=2 hard.c" "--engine=random --timelimit=2 hard.c" "--engine=interval hard.c" "--engine=elements hard.c" "library.c" "wrong.c" "none.c" "callee.c"; do
  # shellcheck disable=SC2086
  expect "printed by $run" 0 "" on_page sh -c 'cd "$1"; shift; exec "$@"' sh "$dir" "$tool" check $run
done
finish

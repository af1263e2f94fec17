#!/bin/bash
# Verification witnesses: what --output writes has the structure of the format, and says what the answer says.
. "$(dirname "$0")/common"
max_lines=60

cat >"$dir/sum.c" <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) {
    s += 2;
  }
  int k = 0;
  do {
    k++;
  } while (k < n);
  if (s != 2 * n || k > 1000 || k == LIMIT) {
    reach_error();
  }
  return 0;
}
C
sed 's/LIMIT/1001/' "$dir/sum.c" >"$dir/good.c"
sed 's/LIMIT/7/' "$dir/sum.c" >"$dir/bad.c"
mkdir "$dir/true" "$dir/false"

# structure NAME FILE: the independent reader of the structure takes it
structure() {
  name=$1
  why=$(/usr/bin/python3 test/cli/witness-structure "$2" 2>&1)
  verdict_of_case
}
# has NAME FILE PATTERN...: every pattern stands in the file
has() {
  name=$1 file=$2 why=
  shift 2
  for pattern; do grep -Eq -e "$pattern" "$file" || why="$why; no '$pattern'"; done
  [ -z "$why" ] || cp "$file" "$dir/both"
  verdict_of_case
}

expect "true" 0 "" "$tool" check --output="$dir/true" --timelimit=60 "$dir/good.c"
structure "structure of a correctness witness" "$dir/true/witness.yml"
has "invariants of loops" "$dir/true/witness.yml" 'type: "loop_invariant"' 'line: 6$' 'value: "i <= n"' \
  'type: "location_invariant"' 'line: 11$' "$(sha256sum <"$dir/good.c" | cut -c 1-64)"
expect "false" 10 "" "$tool" check --output="$dir/false" --timelimit=60 "$dir/bad.c"
structure "structure of a violation witness" "$dir/false/witness.yml"
has "the input, the target" "$dir/false/witness.yml" 'value: "..result == 7"' 'column: 33' 'type: "target"' 'line: 14$'
why=$(awk '/function_return/ { f = NR } /type: "target"/ { t = NR } END { if (!f || f > t) print "the target comes first" }' "$dir/false/witness.yml")
name="the target is the last" verdict_of_case
cp "$dir/false/witness.yml" "$dir/first"
"$tool" check --output="$dir/false" --timelimit=60 "$dir/bad.c" >/dev/null 2>&1
why=$(diff <(grep -v creation_time "$dir/first") <(grep -v creation_time "$dir/false/witness.yml"))
name="the same run gives the same witness" verdict_of_case

# names and texts that could end a string or a line
hostile="$dir/a\"b # c: <script> {}.c"
cp "$dir/bad.c" "$hostile"
expect "a hostile name" 10 "" "$tool" check --output="$dir/false" --timelimit=60 "$hostile"
structure "structure with a hostile name" "$dir/false/witness.yml"
finish

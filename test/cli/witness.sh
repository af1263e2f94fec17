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

# ---- reading: own witnesses are confirmed, each mutant of them is refused
is() { # NAME STATUS LINE WITNESS PROGRAM [OPTION...]
  name=$1 status=$2 line=$3 witness=$4 program=$5
  shift 5
  expect "$name" "$status" "^WITNESS: $line" "$tool" check --timelimit=60 --witness="$witness" "$program" "$@"
}
cp "$dir/first" "$dir/false/witness.yml"
is "own proof" 0 "confirmed" "$dir/true/witness.yml" "$dir/good.c"
is "own failure" 10 "confirmed" "$dir/false/witness.yml" "$dir/bad.c"
has "its answer" "$dir/out" "^RESULT: false.unreach-call" "confirmed on the builds of clang and gcc"

# invariant TYPE LINE COLUMN VALUE...: a correctness witness of good.c, one invariant for each four arguments
invariants() {
  sed '/^  content:/,$d' "$dir/true/witness.yml"
  echo "  content:"
  while [ $# -gt 0 ]; do
    echo "    - invariant:"
    echo "        type: \"$1\""
    echo "        location: { file_name: \"$dir/good.c\", line: $2, column: $3, function: \"main\" }"
    echo "        value: \"$4\""
    echo "        format: \"c_expression\""
    shift 4
  done
}
loop="loop_invariant 6 3"
invariants $loop 's == 2 * i && i <= n' $loop 'n <= 1000' location_invariant 7 5 'i < n' location_invariant 11 5 'k < 1000' \
  loop_invariant 10 3 'k >= 1' >"$dir/hand.yml"
is "invariants of every kind" 0 "confirmed: 5 invariants hold" "$dir/hand.yml" "$dir/good.c"
sed 's/, column: 3,/,/' "$dir/hand.yml" >"$dir/w.yml"
is "without columns" 0 "confirmed" "$dir/w.yml" "$dir/good.c"
n_refused=0
while IFS='|' read -r name why type line column value; do
  invariants $loop 'i <= n' "$type" "$line" "$column" "$value" >"$dir/w.yml"
  is "$name" 6 "refused: .*$why" "$dir/w.yml" "$dir/good.c"
  n_refused=$((n_refused + 1))
done <<'MUTANTS'
other constant|1 of 2 invariants does not hold|loop_invariant|6|3|s == 3 * i
other bound|1 of 2|loop_invariant|6|3|n <= 999
negated|1 of 2|loop_invariant|6|3|!(s == 2 * i)
off by one|1 of 2|loop_invariant|6|3|i < n
too late|1 of 2|location_invariant|7|5|i >= n
holds before the loop only|1 of 2|loop_invariant|6|3|s == 0
shifted line|no loop stands there|loop_invariant|7|5|s == 2 * i
shifted column|nothing starts there|loop_invariant|6|4|s == 2 * i
no such line|nothing starts there|loop_invariant|600|3|s == 2 * i
no statement|no statement stands there|location_invariant|6|12|s == 2 * i
in no scope|1 of 2|loop_invariant|6|3|k == 0
an assignment|has an effect|loop_invariant|6|3|n = 5
an increment|has an effect|loop_invariant|6|3|i++ >= 0
a call|has a call|loop_invariant|6|3|__VERIFIER_nondet_int() == 0
a call through parentheses|has a call|loop_invariant|6|3|(main)() == 0
text that leaves the expression|brackets do not match|loop_invariant|6|3|1); __VERIFIER_assume(0
a comment|a comment|loop_invariant|6|3|1 // n
our own name|is ours|loop_invariant|6|3|__twoproof_segment == 0
MUTANTS
while IFS='|' read -r name why from to; do
  sed "s/$from/$to/" "$dir/false/witness.yml" >"$dir/w.yml"
  cmp -s "$dir/w.yml" "$dir/false/witness.yml" && echo "no mutant: $name" && failed=$((failed + 1))
  is "$name" 6 "refused: .*$why" "$dir/w.yml" "$dir/bad.c"
  n_refused=$((n_refused + 1))
done <<'MUTANTS'
other input|no run follows|result == 7|result == 8
other branch|no run follows|value: "true"|value: "false"
target in another line|no run follows|line: 14|line: 11
target nowhere|nothing starts there|line: 14|line: 140
call elsewhere|no closing parenthesis|column: 33|column: 7
other function|not within the function|function: "main"|function: "other"
result of another type|no expression|result == 7|result == none
other hash|another program|[0-9a-f]\{8\}"$|00000000"
other specification|none that is known|reach_error..|what_error()
unknown key|unknown key|action|acts
broken|broken YAML|content:|content
MUTANTS
why=; [ $n_refused = 29 ] || why="$n_refused mutants"
name="29 mutants" verdict_of_case
is "another program" 6 "refused: .*another program" "$dir/true/witness.yml" "$dir/bad.c"
is "another property" 6 "refused: .*about unreach-call" "$dir/true/witness.yml" "$dir/good.c" --property=no-overflow
is "another machine" 6 "refused: .*machine lp64" "$dir/true/witness.yml" "$dir/good.c" --machine=ilp32
is "no file" 6 "refused: .*No such file" "$dir/none.yml" "$dir/good.c"
is "another version" 5 "open: .*version" <(sed 's/"2.0"/"7.0"/' "$dir/true/witness.yml") "$dir/good.c"
expect "with --all" 64 "one property" "$tool" check --all --witness="$dir/true/witness.yml" "$dir/good.c"
expect "as JSON" 6 '"status": "refused"' "$tool" check --format=json --witness="$dir/w.yml" "$dir/bad.c"

# an invariant that nobody else finds makes the proof possible; a wrong one makes no proof
cat >"$dir/xor.c" <<'C'
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = x ^ 5;
  while (__VERIFIER_nondet_uint()) {
    unsigned t = __VERIFIER_nondet_uint();
    x = x ^ t;
    y = y ^ t;
  }
  if (x == 0 && y != LIMIT)
    reach_error();
  return 0;
}
C
xor() { # LIMIT VALUE: the program, and a witness with this invariant
  sed "s/LIMIT/$1/" "$dir/xor.c" >"$dir/x.c"
  invariants loop_invariant 5 3 "$2" | sed -e "s|$dir/good.c|$dir/x.c|g" \
    -e "s/\"[0-9a-f]\{64\}\"/\"$(sha256sum <"$dir/x.c" | cut -c 1-64)\"/" >"$dir/w.yml"
}
xor 5 "(x ^ y) == 5"
expect "without the invariant" 5 "" "$tool" check --engine=kinduction --timelimit=20 "$dir/x.c"
is "with the invariant" 0 "confirmed: 1 invariant holds" "$dir/w.yml" "$dir/x.c" --engine=kinduction
xor 6 "(x ^ y) == 5"
is "a true invariant of a wrong program" 10 "refused: the program violates" "$dir/w.yml" "$dir/x.c"
xor 6 "(x ^ y) == 6"
is "a wrong invariant of a wrong program" 6 "refused: 1 of 1" "$dir/w.yml" "$dir/x.c"

# violation witnesses that others write: assumptions, waypoints to avoid, entries of functions
cat >"$dir/calls.c" <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int x) {
  if (x < 0) return 0;
  return 2 * x;
}
int main(void) {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > 100 || x < -100) return 0;
    n += twice(x);
  }
  if (n == 26)
    reach_error();
  return 0;
}
C
waypoints() { # one argument for each: "SEGMENT TYPE ACTION LINE COLUMN VALUE"
  sed -e '/^  content:/,$d' -e "s|$dir/bad.c|$dir/calls.c|g" \
    -e "s/\"[0-9a-f]\{64\}\"/\"$(sha256sum <"$dir/calls.c" | cut -c 1-64)\"/" "$dir/false/witness.yml"
  echo "  content:"
  last=
  for w; do
    read -r segment type action line column value <<<"$w"
    [ "$segment" = "$last" ] || echo "    - segment:"
    last=$segment
    echo "        - waypoint: { type: \"$type\", action: \"$action\", location: { file_name: \"calls.c\", line: $line, column: $column }"
    [ -z "$value" ] || echo "            , constraint: { value: '$value' }"
    echo "          }"
  done
}
target="9 target follow 15 5"
waypoints "1 assumption follow 11 5 x == 1" "2 assumption follow 11 5 x == 5" "$target" >"$dir/w.yml"
is "assumptions" 10 "confirmed" "$dir/w.yml" "$dir/calls.c"
waypoints "1 assumption follow 11 5 x == 1" "2 assumption follow 11 5 x == 15" "$target" >"$dir/w.yml"
is "assumptions that no failing run meets" 6 "refused: no run follows" "$dir/w.yml" "$dir/calls.c"
waypoints "1 branching avoid 4 3 true" "1 assumption avoid 13 3 n != 0" "1 function_return follow 12 17 \\result == 26" "$target" >"$dir/w.yml"
is "what is avoided never happens" 6 "refused" "$dir/w.yml" "$dir/calls.c"
waypoints "1 branching avoid 4 3 true" "1 function_return follow 12 17 \\result == 26" "$target" >"$dir/w.yml"
is "what is avoided may not happen" 10 "confirmed" "$dir/w.yml" "$dir/calls.c"
waypoints "1 function_enter follow 12 17" "2 function_enter follow 12 17" "3 function_enter follow 12 17" "4 branching follow 14 3 true" "$target" >"$dir/w.yml"
is "three calls" 10 "confirmed" "$dir/w.yml" "$dir/calls.c"
waypoints "1 function_enter follow 12 17" "2 function_enter follow 12 17" "3 function_enter follow 12 17" "4 function_enter follow 12 17" "$target" >"$dir/w.yml"
is "four calls" 6 "refused" "$dir/w.yml" "$dir/calls.c"
waypoints "$target" >"$dir/w.yml"
is "a target alone" 10 "confirmed" "$dir/w.yml" "$dir/calls.c"

# memory that is left where a block ends: behind its last statement
printf '#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  p = 0;\n}\n' >"$dir/leak.c"
expect "a leak" 10 "" "$tool" check --property=valid-memcleanup --output="$dir/false" "$dir/leak.c"
structure "structure of its witness" "$dir/false/witness.yml"
is "its witness" 10 "confirmed" "$dir/false/witness.yml" "$dir/leak.c"
sed 's/line: 4/line: 3/' "$dir/false/witness.yml" >"$dir/w.yml"
is "the leak is elsewhere" 6 "refused" "$dir/w.yml" "$dir/leak.c"

# names and texts that could end a string or a line
hostile="$dir/a\"b # c: <script> {}.c"
cp "$dir/bad.c" "$hostile"
expect "a hostile name" 10 "" "$tool" check --output="$dir/false" --timelimit=60 "$hostile"
structure "structure with a hostile name" "$dir/false/witness.yml"
finish

#!/bin/bash
# auto: engines side by side. Who proves what, what is said where nobody does, limits that count all workers, nothing left behind.
. "$(dirname "$0")/common"
max_lines=200

cat >"$dir/flag.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int i = 0, mode = 1;
  while (__VERIFIER_nondet_int()) {
    if (i < 1000) i++;
    mode = __VERIFIER_nondet_int() ? 1 : 2;
  }
  if (i > 1000 || mode == 3) reach_error();
  return 0;
}
C
sed 's/i > 1000/i > 19/' "$dir/flag.c" >"$dir/flag-bad.c"
cat >"$dir/hard.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 1, z = 5;
  while (x < n) { x++; y ^= y << 13; y ^= y >> 17; y ^= y << 5; if (z > 9) reach_error(); }
  if (y == 81217) reach_error();
  if (y == 4 * n + 6 && n > 3) reach_error();
  return 0;
}
C
cat >"$dir/straight.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5 && n < 3) reach_error();
  return 0;
}
C
cat >"$dir/recursive.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int down(int n) { return n > 0 ? down(n - 1) : 0; }
int main(void) {
  if (down(__VERIFIER_nondet_int()) > 0) reach_error();
  return 0;
}
C

cat >"$dir/beside.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
struct cell { struct cell *next; int key; };
int main(void) {
  struct cell *list = NULL;
  unsigned made = 0, twice = 0;
  while (__VERIFIER_nondet_int()) {
    struct cell *c = malloc(sizeof *c);
    if (!c) continue;
    c->key = __VERIFIER_nondet_int();
    c->next = list;
    list = c;
    made++;
    twice += 2;
  }
  if (twice != 2 * made) reach_error();
  return 0;
}
C
sed 's/2 \* made/2 * made \&\& made != 5/; s/twice += 2/twice += made == 5 ? 1 : 2/' "$dir/beside.c" >"$dir/beside-bad.c"

json() { python3 -c "import json,sys; o=json.load(open('$dir/$1')); sys.exit(0 if ($2) else 1)"; }

expect "a loop without bound is proved" 0 "^Proved by (interval|octagon|value|kinduction|horn)" "$tool" check --timelimit=60 "$dir/flag.c"
expect "its broken twin fails" 10 "^Found by (bmc|random|value)" "$tool" check --timelimit=60 "$dir/flag-bad.c"
expect "without loops, one engine is enough" 0 "^Proved by bmc" "$tool" check "$dir/straight.c"
expect "recursion without bound is proved" 0 "^Proved by (interval|octagon|value)" "$tool" check --timelimit=60 "$dir/recursive.c"
# shapes come first here, and know more than they can say to others: that must not read as "no run comes there"
expect "what shapes leave open, others prove" 0 "^Proved by (kinduction|horn|octagon|cegar)" "$tool" check --timelimit=60 "$dir/beside.c"
expect "its broken twin fails, too" 10 "^Found by" "$tool" check --timelimit=60 "$dir/beside-bad.c"
expect "proofs are watched in random runs" 0 "random runs" "$tool" check --check=run --timelimit=60 "$dir/flag.c"

soak && limit=10 || limit=6
expect "UNKNOWN that helps" 5 "^UNKNOWN" "$tool" check --timelimit=4 "$dir/hard.c"
why=; grep -q "^UNKNOWN: no failure" "$dir/out" || why="no reason in the user's words"; name="why" verdict_of_case
why=; grep -q "^  where: .*hard.c:[0-9:]*: " "$dir/out" || why="no line of the program"; name="where" verdict_of_case
why=; grep -q "^  next:  " "$dir/out" || why="no advice"; name="what to try next" verdict_of_case
why=; test "$(wc -l <"$dir/out")" -le 4 || why="$(wc -l <"$dir/out") lines"; name="three lines and the result" verdict_of_case
expect "-v has all engines" 5 "^UNKNOWN" "$tool" check -v --timelimit=$limit --stats="$dir/s1" "$dir/hard.c"
why=; grep -q "^Shown by bmc: a proof for runs in which no loop has more than [0-9]* iterations" "$dir/out" || why="no condition of bmc"; name="condition of bmc" verdict_of_case
why=; grep -qE "^Shown by (kinduction|octagon|cegar|horn|value): a proof if the errors at .*hard.c:6:19, .*hard.c:7:32 cannot happen; 1 other check is proved" "$dir/out" || why="no condition of a prover"; name="condition of a prover" verdict_of_case
why=; grep -qE "^Cost most in (kinduction|octagon|cegar|horn|value): .*hard.c:[0-9:]*: .*, followed [0-9]* times" "$dir/out" || why="no edge"; name="the edge that cost most" verdict_of_case
why=; grep -q "^Cost most in bmc: the largest query: [0-9]* terms" "$dir/out" || why="no query"; name="the query that cost most" verdict_of_case
expect "the same in the statistics" 0 "" json s1 "o['verdict'] == 'unknown' and o['next'] and '1 loop (1 decided by inputs)' in o['features']
  and {'bmc', 'kinduction'} <= {e['engine'] for e in o['explored']}
  and all(e.get('condition', '').startswith('a proof') for e in o['explored'] if e['engine'] in ('bmc', 'kinduction'))
  and any('cost' in e for e in o['explored'])"
expect "the limit counts all workers" 0 "" json s1 "o['times']['cpu_s'] < $limit + 2.5"
expect "one engine says it, too" 5 "^Shown by cpa: a proof if" "$tool" check -v --config=interval "$dir/hard.c"
expect "a bound that the user sets" 1 "^BOUNDED: unreach-call holds in every run with at most 8 iterations" "$tool" check --engine=bmc --unroll=8 "$dir/hard.c"

# interrupted while two workers run
# after a moment, on a busy machine a longer one, for something to be shown
for moment in 2 8 30; do
  "$tool" check "$dir/hard.c" >"$dir/out" 2>"$dir/err" </dev/null & pid=$!
  sleep $moment
  kill -INT $pid 2>/dev/null
  wait $pid
  grep -q "^  known: " "$dir/out" && break
done
why= name="nothing is left after an interrupt"
cat "$dir/out" "$dir/err" >"$dir/both"
tail -n 1 "$dir/out" | grep -q "^RESULT: unknown(interrupted)" || why="no result line"
grep -q "^  known: .*a proof for runs in which no loop has more than" "$dir/out" || why="$why; what was shown is lost"
leftovers
verdict_of_case
finish

#!/bin/bash
# Precisions that outlive a run: the same program needs no refinement, a changed one starts with what still fits, damage is told.
. "$(dirname "$0")/common"

cat >"$dir/a.c" <<'END'
extern void reach_error(void);
extern int nondet(void);
int state = 0;
static void turn(void) { if (state) reach_error(); state = 1; }
int main(void) {
  unsigned n = nondet(), x = 0, y = 0;
  while (x < n) {
    turn();
    x++; y++;
    state = 0;
  }
  if (x != y) reach_error();
  return 0;
}
END
# The same with lines moved, a new variable in front, and a new function.
sed -e 's/^int state/int before = 4;\n\nint state/' -e 's/^int main/static int other(int k) { return k + before; }\n\nint main/' \
    -e 's/^  while/  int more = before + 2;\n\n  while/' -e 's/return 0;/return more;/' "$dir/a.c" >"$dir/b.c"

refinements() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['refinements'])" "$1"; }
expect "what refinement found is printed by -v, in C" 0 "^    y == x$|^    x == y$" "$tool" check -v --engine=cegar "$dir/a.c"
also "with the place" "^  main, while \(x < n\) \{"
is() { # NAME WANTED NUMBER
  name=$1 why=
  [ "$2" = "$3" ] || why="$3 instead of $2"
  verdict_of_case
}

expect "a run that refines" 0 "Proved by cegar" "$tool" check --engine=cegar --save-precision="$dir/p.txt" --stats="$dir/first.json" "$dir/a.c"
name="it did refine" why=
[ "$(refinements "$dir/first.json")" -gt 0 ] || why="$(refinements "$dir/first.json") refinements"
verdict_of_case
expect "the same program again" 0 "Proved by cegar" "$tool" check --engine=cegar --load-precision="$dir/p.txt" --stats="$dir/second.json" "$dir/a.c"
is "without a refinement" 0 "$(refinements "$dir/second.json")"
expect "a changed program" 0 "Proved by cegar" "$tool" check --engine=cegar --load-precision="$dir/p.txt" --stats="$dir/third.json" "$dir/b.c"
is "without a refinement, too" 0 "$(refinements "$dir/third.json")"

# Values that became predicates: which variables are not explicit any more goes along.
values() { "$tool" check --engine=cpa --config=adjust --set=value.threshold=2 "$@"; }
expect "values that are handed over" 0 "Proved by cpa" values --save-precision="$dir/v.txt" --stats="$dir/v1.json" "$dir/a.c"
name="what was dropped is written" why=
grep -q '^untracked (local main::' "$dir/v.txt" || why="no untracked in it"
verdict_of_case
expect "the same with that" 0 "Proved by cpa" values --load-precision="$dir/v.txt" --stats="$dir/v2.json" "$dir/a.c"
expect "a changed program with that" 0 "Proved by cpa" values --load-precision="$dir/v.txt" "$dir/b.c"
calls() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['solver_calls'])" "$1"; }
name="fewer questions" why=
[ "$(calls "$dir/v2.json")" -lt "$(calls "$dir/v1.json")" ] || why="$(calls "$dir/v2.json") after $(calls "$dir/v1.json")"
verdict_of_case

sed 's/^predicate (/predicate ((/' "$dir/p.txt" >"$dir/damaged.txt"
expect "a damaged precision" 5 "the precision cannot be used: line [0-9]+: " "$tool" check --engine=cegar --load-precision="$dir/damaged.txt" "$dir/a.c"
expect "no precision at all" 5 "line 1: expected 'precision 2'" "$tool" check --engine=cegar --load-precision="$dir/a.c" "$dir/a.c"
expect "a precision that is not there" 64 "cannot read precision file .*nowhere" "$tool" check --engine=cegar --load-precision="$dir/nowhere" "$dir/a.c"
expect "nowhere to write to" 64 "cannot write precision to .*/no/p.txt" "$tool" check --engine=cegar --save-precision="$dir/no/p.txt" "$dir/a.c"
expect "an engine that refines nothing" 64 "engine interval refines nothing" "$tool" check --engine=interval --save-precision="$dir/q.txt" "$dir/a.c"
finish

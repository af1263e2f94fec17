#!/bin/bash
# The subcommands that answer without verifying: help, manual, dumps, bench.
. "$(dirname "$0")/common"
max_lines=400

cat >"$dir/loop.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) n++;
  if (n == 45) reach_error();
  return 0;
}
C
sed 's/n == 45/n == 45 \&\& n > 50/' "$dir/loop.c" >"$dir/fine.c"
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >"$dir/unreach-call.prp"
task() {
  printf "format_version: '2.0'\ninput_files: '%s'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: %s\noptions:\n  language: C\n  data_model: %s\n" \
    "$2" "$3" "$4" >"$dir/$1.yml"
}
task loop loop.c false LP64
task fine fine.c true ILP32

expect "help" 0 "check .*verify a C program" "$tool" --help
expect "version" 0 "^twoproof [0-9]" "$tool" --version
for command in check replay dump bench; do expect "help of $command" 0 "Usage: twoproof $command" "$tool" $command --help; done
expect "manual is up to date" 0 "" tools/options-doc --check
expect "dump as text" 0 "L[0-9]+ -> L[0-9]+: n = __VERIFIER_nondet_int\(\)" "$tool" dump --cfa "$dir/loop.c"
expect "dump as graph" 0 "^digraph" "$tool" dump --dot "$dir/loop.c"
expect "dump of the schedule" 0 "^kinduction +18% +60 s +0.5 s  an invariant is shorter" "$tool" dump --schedule "$dir/loop.c"
if command -v dot >/dev/null; then "$tool" dump --dot "$dir/loop.c" >"$dir/graph" && expect "graph is well-formed" 0 "" dot -Tsvg -o /dev/null "$dir/graph"; fi
expect "bench over a directory" 0 "^2 tasks in .*: 2 right, 0 wrong, 0 unknown" "$tool" bench --timelimit=60 "$dir"
printf '# a set\nfine.yml\n' >"$dir/some.set"
expect "bench over a set" 0 "^1 tasks in .*: 1 right" "$tool" bench "$dir/some.set"
task fine fine.c false LP64
expect "bench sees a wrong verdict" 70 "1 wrong" "$tool" bench "$dir/fine.yml"
expect "relative paths" 10 "^RESULT: false" sh -c "cd '$dir' && '$tool' check loop.c"
expect "several files" 10 "^RESULT: false" sh -c "cd '$dir' && printf 'int main(void) { extern int two(void); if (two() == 2) reach_error(); return 0; }' >one.c && printf 'int two(void) { return 2; }' >two.c && '$tool' check one.c two.c"
expect "macros reach the compilers" 10 "^RESULT: false" sh -c "cd '$dir' && printf 'int main(void) { if (LIMIT == 7) reach_error(); return 0; }' >macro.c && '$tool' check -DLIMIT=7 macro.c"
expect "the same bytes twice" 0 "" sh -c "'$tool' check '$dir/loop.c' >'$dir/a'; '$tool' check '$dir/loop.c' >'$dir/b'; cmp '$dir/a' '$dir/b'"
finish

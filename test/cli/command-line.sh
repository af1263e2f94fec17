#!/bin/bash
# What people expect of a command line: help, suggestions, several properties, compiler flags, limits.
. "$(dirname "$0")/common"

cat >"$dir/array.c" <<'C'
extern void reach_error(void);
int main(void) {
  int a[4] = {0};
  for (int i = 0; i <= LAST; i++) a[i] = i;
  if (a[0] > 1) reach_error();
  return 0;
}
C
cat >"$dir/count.c" <<'C'
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int(), s = 0;
  while (i < n) {
    i++;
    s += 2;
    if (s == 40) reach_error();
  }
  return 0;
}
C
cat >"$dir/hard.c" <<'C'
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { // a prime
  unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a > 1 && b > 1 && a * b == 2305843009213693951ul) reach_error();
  return 0;
}
C
cat >"$dir/walk.c" <<'C'
#include <string.h>
static int length(const char *s) { return (int)strlen(s); }
int main(void) { return length("abc") - 3; }
C

# help
expect "bench --help has its other forms" 0 "^ +twoproof bench compare A.db" "$tool" bench --help
expect "compare is explained" 64 "^Usage: twoproof bench compare A.db" "$tool" bench compare
for command in "" check replay dump bench adequacy spec; do
  expect "-h of ${command:-twoproof}" 0 "^Usage: twoproof ${command:-COMMAND}" "$tool" $command -h
done
expect "--help groups options" 0 "^Experiments \(explained by --help=experiments\):" "$tool" check --help
expect "--help=engines explains them" 0 "^  --engine=NAME " "$tool" check --help=engines
max_lines=400; expect "--help=all has all" 0 "^  --waitlist=ORDER" "$tool" check --help=all
expect "--help of a group that is none" 64 "no group 'all-of-them'" "$tool" check --help=all-of-them
why=; "$tool" check --help | awk 'length > 80 { bad = 1 } END { exit bad }' || why="a line of more than 80 columns"; name="help fits 80 columns" verdict_of_case
expect "version" 0 "^  Z3 .* 4\." "$tool" --version
expect "version names the commit" 0 "^twoproof [0-9.]+( \(commit [0-9a-f]+\+?\))?$" "$tool" --version

# what was meant
expect "a misspelt command" 64 "unknown command 'chekc'; did you mean 'check'\?" "$tool" chekc "$dir/array.c"
expect "a command that was left out" 64 "to verify a file: twoproof check .*array.c" "$tool" "$dir/array.c"
expect "a misspelt option" 64 "unknown option '--propery'; did you mean '--property'\?" "$tool" check --propery=no-overflow "$dir/array.c"
expect "an option of another command" 64 "unknown option '--jobs'" "$tool" check --jobs=2 "$dir/array.c"
expect "an option of CBMC" 64 "unknown option '--unwind': --unroll=N is a bound" "$tool" check --unwind 5 "$dir/array.c"
expect "an option of CBMC with a value" 64 "unknown option '--function': that is --entry=NAME" "$tool" check --function=f "$dir/array.c"
expect "an option of CPAchecker with one dash" 64 "unknown option '-spec': property files" "$tool" check -spec a.prp "$dir/array.c"
expect "all unknown options in one run" 64 "unknown option '--trace': a failure is printed" "$tool" check --unwind 5 --trace --object-bits 9 -svcomp24 --foo "$dir/array.c"
why=; [ "$(grep -c "^twoproof check: unknown option '" "$dir/err")" = 5 ] || why="not all of them"; name="each on a line" verdict_of_case
while IFS='|' read -r option hint; do
  expect "hint for $option" 64 "unknown option '$option': .*$hint" "$tool" check "$option" "$dir/array.c"
done <<'ROWS'
--malloc-may-fail|--malloc=may-fail
--malloc-fail-null|--malloc=may-fail
--slice-formula|leave it out
--object-bits|leave it out
--show-properties|--all
--stop-on-fail|leave it out
--depth|--unroll=N
--drop-unused-functions|leave it out
--nondet-static|at the start of main
--z3|--solver=z3
-svcomp24|leave it out
-svcomp25--memsafety|leave it out
-predicateAnalysis-linear|--engine=cegar
-kInduction|--engine=kinduction
ROWS
while IFS='|' read -r value hint; do
  expect "hint for $value" 64 "$hint" "$tool" check $value "$dir/array.c"
done <<'ROWS'
--machine=32|is not one of .*that is --machine=ilp32
--machine=linux32|is not one of .*that is --machine=ilp32
--machine=64|is not one of .*that is --machine=lp64
--config=predicateAnalysis|that is --engine=cegar
--config=config/valueAnalysis.properties|that is --config=value-cegar
ROWS
expect "the version behind a command" 0 "^twoproof [0-9.]+" "$tool" check --version
expect "an option with one dash too few" 64 "unknown option '-timelimit'; did you mean '--timelimit'\?" "$tool" check -timelimit 5 "$dir/array.c"
expect "options of one letter with their value" 0 "^RESULT: true" "$tool" check -DLAST=3 "$dir/array.c"
expect "seconds with their unit" 0 "^RESULT: true" "$tool" check --timelimit=60s -DLAST=3 "$dir/array.c"
expect "seconds with another unit" 64 "'1h' is not a number" "$tool" check --timelimit=1h "$dir/array.c"
expect "no configuration of that name" 64 "cannot read configuration predicates: .*; built in: .* predicate " "$tool" check --config=predicates "$dir/array.c"
cp "$dir/array.c" "$dir/kept.c"
expect "statistics in the place of a source file" 64 "kept.c' is a source file" "$tool" check --stats "$dir/kept.c" "$dir/array.c"
why=; cmp -s "$dir/kept.c" "$dir/array.c" || why="it was overwritten"; name="the source file is kept" verdict_of_case
touch "$dir/task.yml"
expect "a task definition" 64 "task definitions are run by 'twoproof bench .*task.yml'" "$tool" check "$dir/task.yml"
expect "a misspelt property" 64 "unknown property 'memsafty'; did you mean 'memsafety'\?" "$tool" check --property=memsafty "$dir/array.c"
expect "a misspelt value" 64 "'true' is not one of" "$tool" check --malloc=true "$dir/array.c"
expect "beginnings of options are enough" 0 "^RESULT: true" "$tool" check --prop=no-overflow -DLAST=3 "$dir/array.c"

# advice where no file can be given
cat >"$dir/threads.c" <<'C'
#include <assert.h>
#include <pthread.h>
int x;
static void *f(void *p) { x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != 5); return 0; }
C
cat >"$dir/stat.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <sys/statvfs.h>
int main(void) { struct statvfs s; int *p = malloc(4); *p = 3; if (statvfs("x", &s)) return 1; assert(*p == 3); return 0; }
C
cat >"$dir/own.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int fill(int *s);
int main(void) { int s, *p = malloc(4); *p = 3; if (fill(&s)) return 1; assert(*p == 3); return 0; }
C
expect "threads" 6 "^  next:  programs with several threads or processes cannot be verified" "$tool" check "$dir/threads.c"
expect "a function of the system has no file to give" 5 "^  next:  write a stub of statvfs" "$tool" check "$dir/stat.c"
expect "a function of the user's has" 5 "^  next:  give the files? that defines?" "$tool" check "$dir/own.c"

# properties
expect "memsafety is valid-memsafety" 10 "^RESULT: false\(valid-deref\)" "$tool" check --property=memsafety -DLAST=4 "$dir/array.c"
expect "overflow is no-overflow" 0 "^RESULT: true" "$tool" check --property=overflow -DLAST=3 "$dir/array.c"
expect "several properties" 10 "^PROPERTY: memsafety" "$tool" check --property=no-overflow,memsafety,unreach-call -DLAST=4 "$dir/array.c"
why=; [ "$(sed -n 's/^RESULT: \(unknown\).*(.*/\1/p; s/^RESULT: \(false(valid-deref)\)$/\1/p; /^RESULT: true/p' "$dir/out" | tr '\n' ' ')" = "unknown false(valid-deref) unknown " ] || why="$(grep '^RESULT' "$dir/out")"; name="one finding each" verdict_of_case
expect "--all, and all hold" 0 "^PROPERTY: undefined" "$tool" check --all -DLAST=3 "$dir/array.c"
expect "evidence of each" 0 "" "$tool" check --all --output="$dir/evidence" --stats="$dir/s" -DLAST=3 "$dir/array.c"
why=; for p in unreach-call valid-memsafety undefined; do [ -s "$dir/evidence/$p/certificate.txt" ] && [ -s "$dir/s.$p" ] || why="nothing of $p"; done; name="a folder and a file for each" verdict_of_case
expect "a wrong name among several" 64 "unknown property 'overflw'" "$tool" check --property=unreach-call,overflw -DLAST=3 "$dir/array.c"

expect "nothing to verify is said" 0 "^Note: main reaches no assert that could fail, and no call of reach_error" "$tool" check "$dir/walk.c"
expect "a check is there" 0 "^RESULT: true" "$tool" check -DLAST=3 "$dir/array.c"
why=; grep -q "reaches no assert" "$dir/both" && why="$(cat "$dir/both")"; name="nothing is said where a check is" verdict_of_case
cat >"$dir/average.c" <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(), x = 7; int r = x / n; assert(n != 1 || r == 7); return 0; }
C
expect "division by zero is no run of a proof" 5 "^UNKNOWN: some runs have undefined behaviour, and behind that anything may happen: division by zero" "$tool" check "$dir/average.c"
# 3 iterations fail, behind an equation that takes a solver longer
cat >"$dir/factors.c" <<'C'
#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(), a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong(), i = 0;
  while (i < n) i++;
  if (i == 3 && a > 1 && b > a && a < 1ul << 31 && b < 1ul << 31) assert(a * b != 2147483629ul * 2147483587ul);
  return 0;
}
C
expect "iterations that were not decided are not claimed" 5 "up to [12] iterations? of this loop|not all iterations of this loop|time limit" "$tool" check --engine=bmc --timelimit=4 "$dir/factors.c"
printf 'CHECK( init(main()), LTL(F end) )\n' >"$dir/termination.prp"
expect "termination" 64 "LTL\(F ...\)\), cannot be verified" "$tool" check --property="$dir/termination.prp" "$dir/array.c"
printf 'CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n' >"$dir/two.prp"
expect "checks that are no single property" 64 "verify them one by one: --property=valid-deref,valid-free" "$tool" check --property="$dir/two.prp" "$dir/array.c"
cat >"$dir/cbmc.c" <<'C'
_Bool __CPROVER_r_ok(const void *, unsigned long);
int main(void) { int x = 1; __CPROVER_assert(__CPROVER_r_ok(&x, 4), "readable"); return 0; }
C
expect "primitives of CBMC" 5 "__CPROVER_r_ok is a primitive of CBMC without a model here: .*--property=valid-memsafety" "$tool" check "$dir/cbmc.c"
expect "a leak by name" 0 "^RESULT: true" "$tool" check --property=leak -DLAST=3 "$dir/array.c"

# the first program of README.md, and its broken twin
sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' >"$dir/largest.c"
sed 's/largest(a, 4)/largest(a, 5)/' "$dir/largest.c" >"$dir/larger.c"
expect "the first program holds" 0 "^RESULT: true" "$tool" check --all "$dir/largest.c"
expect "the first program, broken" 10 "^RESULT: false\(valid-deref\)" "$tool" check --all "$dir/larger.c"

# flags of the compiler
expect "flags behind --" 0 "^RESULT: true" "$tool" check "$dir/array.c" -- -DLAST=3 -O2 -Wall -std=c11 -g -c -o x.o
expect "a macro behind -- counts" 10 "^RESULT: false" "$tool" check --property=memsafety "$dir/array.c" -- -D LAST=4
expect "flags that change the meaning" 64 "'-fwrapv' behind '--': signed arithmetic" "$tool" check "$dir/array.c" -- -fwrapv
expect "flags of the data model" 64 "--machine=ilp32" "$tool" check "$dir/array.c" -- -m32
expect "files behind --" 64 "files stand before '--'" "$tool" check -- "$dir/array.c"
expect "nothing is compiled by bench" 64 "nothing is compiled here" "$tool" bench "$dir" -- -DX

# bounds
expect "a bound below the failure" 1 "^BOUNDED: unreach-call holds in every run with at most 8 iterations of each loop" "$tool" check --engine=bmc --unroll=8 "$dir/count.c"
last_line_is "the bound is the answer" "RESULT: bounded(unroll=8)"
expect "a bound at the failure" 10 "^RESULT: false" "$tool" check --engine=bmc --unroll=20 "$dir/count.c"
expect "a bound that covers all runs is no proof" 1 "^RESULT: bounded\(unroll=9\)" "$tool" check --unroll=9 -DLAST=3 "$dir/array.c"
expect "the claim is checked, and written" 1 "certificate checked" "$tool" check --unroll=9 -DLAST=3 --output="$dir/bounded" "$dir/array.c"
why=; grep -qx "kind bounded 9" "$dir/bounded/certificate.txt" || why="no certificate"; name="certificate of a bound" verdict_of_case
expect "a bound that is no number of iterations" 64 "at most 4294967295" "$tool" check --unroll=4294967296 "$dir/count.c"
expect "engines without bounds" 64 "engine octagon knows no bounds" "$tool" check --engine=octagon --unroll=9 "$dir/count.c"

# limits
expect "the clock" 5 "^UNKNOWN: no failure and no proof within 2 s on the clock" "$tool" check --walltime=2 "$dir/hard.c"
why=; grep -q "^  next:  allow more time (--walltime=8)" "$dir/out" || why="no advice"; name="what to do about the clock" verdict_of_case

# one function
expect "dump of one function" 0 "^function int length" "$tool" dump --function=length "$dir/walk.c"
why=; grep -q "strlen(\|main" <(grep "^function" "$dir/out") && why="other functions, too"; name="no other function" verdict_of_case
expect "as a graph" 0 "label=\"length\"" "$tool" dump --function=length --dot "$dir/walk.c"
expect "a function that is none" 64 "no function 'lenght' with a body; did you mean 'length'\?" "$tool" dump --function=lenght "$dir/walk.c"
# a place within a model of the C library is the call that leads there
cat >"$dir/inside.c" <<'C'
#include <string.h>
extern void reach_error(void);
int main(void) {
  char small = (char)(long)strrchr("a..b", '.');
  if (strcmp((char *)(long)small, "..b") != 0) reach_error();
  return strcmp("a", "b");
}
C
expect "calls of models are places of the user" 5 "^  where: .*inside.c:5:7: if \(strcmp.*\(in strcmp, or in 1 other call\)$" "$tool" check "$dir/inside.c"
finish

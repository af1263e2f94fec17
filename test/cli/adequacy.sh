#!/bin/bash
# twoproof adequacy: answers about tests, predicates from files and from the source, modules, what is refused.
. "$(dirname "$0")/common"
max_lines=200

cat >"$dir/foo.c" <<'C'
extern int __VERIFIER_nondet_int(void);
static void foo(int x, int y) {
  int *px = 0;
A: x = x + 1;
B: if (x < 5)
C:   px = &x;
D: if (px == &y)
E:   x = x + 1;
F: if (x < 5)
G:   *px = *px + 1;
H: return;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  foo(x, y);
  return 0;
}
C
sed 's/^B: if (x < 5)/B: if (x < 4)/' "$dir/foo.c" >"$dir/foo_bad.c"
printf 'foo: x < 5\nfoo: px == NULL\n' >"$dir/fine"
printf 'foo: x < 10\nfoo: px == NULL\n' >"$dir/coarse"
mkdir "$dir/tests"
for x in 2 6 11; do printf '%s\n0\n' $x >"$dir/tests/$x.txt"; done
adequacy="$tool adequacy --property=valid-deref --cutpoints=all --tests=$dir/tests"

expect Y02_fine_predicates 0 "^invariant: foo, label G, line 10: x < 5 && !\(px == NULL\)$" $adequacy --predicates="$dir/fine" --stats="$dir/s1" "$dir/foo.c"
also Y26_missed_states_are_listed "^missed: foo, label E, line 8: x < 5 && !\(px == NULL\)$"
also Y26_the_first_answer "^TESTS: not adequate \([0-9]+ of [0-9]+ abstract states missed\)$"
last_line_is Y11_fixed_foo "RESULT: true"
expect Y10_foo 10 "x = 3 \(input\)" $adequacy --predicates="$dir/fine" "$dir/foo_bad.c"
expect Y12_coarse_predicates 5 "^potential error: " $adequacy --predicates="$dir/coarse" --stats="$dir/s2" "$dir/foo.c"
also Y12_the_state "^RESULT: unknown.*from .*foo.c:10:[0-9]+ \(x < 10, px == NULL\)"
from_tests() { sed -n 's/^ *"abstract_states_from_tests": *\([0-9]*\),*$/\1/p' "$1"; }
expect Y02_coarse_predicates_tell_three_more 0 "" test $(($(from_tests "$dir/s2") - $(from_tests "$dir/s1"))) = $((15 - 12))
expect Y31_statistics 0 "" grep -q '"fabricated_states": [1-9]' "$dir/s1"
expect Y16_default_predicates 0 "^RESULT: true" "$tool" adequacy --property=valid-deref --save-predicates="$dir/saved" "$dir/foo.c"
expect Y16_default_predicates_bad 10 "= 3 " "$tool" adequacy --property=valid-deref "$dir/foo_bad.c"

# what the tests missed: runs come there, or none does
mkdir "$dir/found" "$dir/more"
expect Y27_reachable_with_inputs 10 "^  reachable with inputs 3 " $adequacy --predicates="$dir/fine" --output="$dir/found" "$dir/foo_bad.c"
cp "$dir/out" "$dir/answer"
expect Y27_reachable_without_pointer 0 "" awk '/^missed: foo, line [0-9]+: x < 5 && px == NULL/ { m = 1 } /^  reachable/ { if (m) ok = 1; m = 0 } END { exit !ok }' "$dir/answer"
expect Y27_unreachable 0 "" awk '/^missed: foo, label E, .*: x < 5 && !\(px == NULL\)/ { m = 1 } /^  unreachable/ { if (m) ok = 1; m = 0 } END { exit !ok }' "$dir/answer"
expect Y27_counted 0 "" test "$(grep -c '^  reachable' "$dir/answer") $(grep -c '^  unreachable' "$dir/answer")" = "3 2"
cp "$dir/tests"/* "$dir/found"/missed-*.txt "$dir/more"
before=$(grep -c "^missed" "$dir/answer")
expect Y28_inputs_are_tests 10 "^TESTS: not adequate \($((before - 3)) of " "$tool" adequacy --property=valid-deref --cutpoints=all --tests="$dir/more" --predicates="$dir/fine" "$dir/foo_bad.c"

# what is saved can be given again, and says the same
expect Y29_saved 0 "RESULT: true" $adequacy --predicates="$dir/fine" --save-predicates="$dir/saved" "$dir/foo.c"
expect Y29_given_again 0 "RESULT: true" $adequacy --predicates="$dir/saved" --save-predicates="$dir/again" "$dir/foo.c"
expect Y29_the_same 0 "" cmp "$dir/saved" "$dir/again"

# probes in the source
cat >"$dir/probe.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
__attribute__((used)) static int __twoproof_probe_even(unsigned i) { return i % 2 == 0; }
__attribute__((used)) static int __twoproof_probe_same(unsigned i, unsigned n) { return i == n; }
int main(void) {
  unsigned i = 0, n = 0;
  while (__VERIFIER_nondet_uint()) { i += 2; n += 2; if (i % 2) reach_error(); }
  if (i != n) reach_error();
  return 0;
}
C
expect Y03_probes 0 "__twoproof_probe_same\(i, n\)" "$tool" adequacy "$dir/probe.c"
sed 's/return i % 2 == 0;/while (i > 1) i -= 2; return i == 0;/' "$dir/probe.c" >"$dir/loop.c"
expect Y03_loop_is_refused 6 "loop.c:3:.*error: __twoproof_probe_even is no probe: it has a loop" "$tool" adequacy "$dir/loop.c"
sed 's/unsigned n) { return/unsigned m) { return n ==/; s/return n == i == n/return i == m/' "$dir/probe.c" >"$dir/nowhere.c"
expect Y03_asked_nowhere_is_refused 6 "nowhere.c:4.*error: no cutpoint sees variables" "$tool" adequacy "$dir/nowhere.c"
sed '3s/__attribute__((used)) //' "$dir/probe.c" >"$dir/dropped.c"
expect Y03_dropped_is_said 5 "dropped.c:3:12: warning: the compiler has dropped this probe" "$tool" adequacy --timelimit=20 --predicates=/dev/null "$dir/dropped.c"

# modules
cat >"$dir/stack.c" <<'C'
#include <stdlib.h>
struct stack { int *elems; int size, max; };
struct stack *stack_new(int max) {
  struct stack *s = malloc(sizeof *s);
  if (!s) return 0;
  s->elems = malloc((size_t)max * sizeof *s->elems);
  s->size = 0;
  s->max = max;
  return s;
}
void stack_pop(struct stack *s) { s->size--; }
void stack_push(struct stack *s, int k) {
  if (s->size < s->max) s->elems[s->size++] = k;
}
C
expect Y17_module 10 "stack_pop\(s\);" "$tool" adequacy --module=stack_ --property=valid-deref --output="$dir/evidence" "$dir/stack.c"
gcc -g -fsanitize=address -o "$dir/unit" "$dir/evidence/unit_test.c" && expect Y17_the_unit_test_crashes 1 "AddressSanitizer" "$dir/unit"
expect "no such function" 6 "no function named queue_" "$tool" adequacy --module=queue_ "$dir/stack.c"

# a stack whose capacity is chosen when it is made: the proof rests on how capacity and allocated memory relate
module="$tool adequacy --property=valid-deref --module=stack_"
cat >"$dir/capacity.c" <<'C'
#include <stdlib.h>
struct stack { int *elems; int size, max; };
struct stack *stack_new(int max) {
  struct stack *s = malloc(sizeof *s);
  if (!s) return 0;
  s->elems = malloc((size_t)max * sizeof *s->elems);
  if (!s->elems) abort();
  s->size = 0;
  s->max = max;
  return s;
}
void stack_pop(struct stack *s) { if (s->size > 0) s->size--; }
void stack_push(struct stack *s, int k) {
  if (s->size < s->max) s->elems[s->size++] = k;
}
C
expect Y19_memory_and_capacity_are_not_its_failures 0 "^RESULT: true" $module "$dir/capacity.c"
expect Y16_without_sizes_of_objects 5 "^potential error: .*write" $module --default-predicates=no-sizes --timelimit=30 "$dir/capacity.c"
stack=bench/adequacy/stack
mkdir "$dir/built"
expect Y28_states_without_calls 10 "" $module --output="$dir/built" ${stack}_printed.c
f=$(grep -l UNCONFIRMED "$dir/built"/missed-*.c | tail -n 1)
for cc in gcc clang-19; do
  $cc -w -fsanitize=address -o "$dir/unit" "$f" && expect "Y28_built_$cc" 0 "" env ASAN_OPTIONS=detect_leaks=0 "$dir/unit"
done
grep -v memcpy "$f" >"$dir/fewer.c"
gcc -w -o "$dir/unit" "$dir/fewer.c" && expect Y28_not_built_it_is_another_state 1 "" env MALLOC_PERTURB_=255 "$dir/unit"
mkdir "$dir/held"
expect Y18_guarded_pop 0 "^RESULT: true" $module --stats="$dir/s2" --output="$dir/held" ${stack}_gt.c
cp "$dir/out" "$dir/answer"
expect Y18_the_invariant 0 "^module invariant: 0 <= s->size && s->size <= s->max && .*object_size\(s->elems\) == \(unsigned long\)\(\(long\)s->max \* 4\)" cat "$dir/answer"
expect Y18_the_assertion 0 "^  assert\(0 <= s->size && s->size <= s->max\);" cat "$dir/answer"
cat >"$dir/held.c" <<C
#include "$PWD/${stack}_gt.c"
#include "held/invariant.h"
int main(int argc, char **argv) {
  struct stack *s = stack_new(3);
  (void)argv;
  ASSERT_MODULE_INVARIANT(s);
  for (int i = 0; i < 5; i++) stack_push(s, i);
  ASSERT_MODULE_INVARIANT(s);
  if (argc > 1) s->size = 4;
  ASSERT_MODULE_INVARIANT(s);
  return 0;
}
C
gcc -o "$dir/held_run" "$dir/held.c" && expect Y18_the_header_compiles 0 "" "$dir/held_run"
expect Y18_the_header_asserts 134 "Assertion" "$dir/held_run" broken
expect Y18_states_were_fabricated 0 "" grep -q '"fabricated_states": [1-9]' "$dir/s2"
# unit tests for what was missed: both compilers build them, and they end with the question whether the state is the one meant
calls=$(grep -l "Calls after" "$dir/held"/missed-*.c | tail -n 1)
for cc in gcc clang-19; do
  for f in $calls $(grep -l "Calls during" "$dir/held"/missed-*.c | head -n 1); do
    $cc -w -fsanitize=address -o "$dir/unit" "$f" && expect "Y28_calls_$cc" 0 "" env ASAN_OPTIONS=detect_leaks=0 "$dir/unit"
  done
done
grep -v "stack_p.*(s" "$calls" >"$dir/fewer.c"
gcc -w -o "$dir/unit" "$dir/fewer.c" && expect Y28_without_the_calls_it_is_another_state 1 "" "$dir/unit"
expect Y18_guarded_pop_of_globals 0 "^module invariant: 0 <= size && size <= 4$" $module ${stack}_globals_gt.c
last_line_is Y18_guarded_pop_of_globals_is_proved "RESULT: true"
expect Y18_a_file_without_main_is_a_module 0 "no function main .*taken as a module" "$tool" adequacy --property=valid-deref "$dir/capacity.c"
expect Y18_a_guard_that_lets_minus_one_pass 10 "stack_push\(s, .*\);" $module ${stack}_ge.c
rm -r "$dir/evidence"
expect Y17_stack_in_globals 10 "stack_push\(0\);" $module --output="$dir/evidence" ${stack}_globals.c
gcc -g -fsanitize=address -o "$dir/unit" "$dir/evidence/unit_test.c" && expect Y17_in_front_of_a_variable 1 "AddressSanitizer" "$dir/unit"

# a program that uses a stack, and a test that never pops an empty one
mkdir "$dir/uses"
printf '5\n1\n1\n3\n1\n1\n4\n1\n0\n0\n' >"$dir/uses/one.txt"
uses="$tool adequacy --property=valid-deref --tests=$dir/uses"
expect Y18_stack_in_a_program 0 "^invariant: main, .*0 <= s->size && s->size <= s->max && " $uses examples/adequacy/stack.c
last_line_is Y18_stack_in_a_program_is_proved "RESULT: true"
expect Y18_stack_in_a_program_fails 10 "stack_bad.c" $uses examples/adequacy/stack_bad.c

# two processes with tickets: proved below a bound, wrong where tickets wrap
bakery=bench/adequacy/bakery
expect Y13_tickets_below_a_bound 0 "^TESTS: not adequate \(17 of 17 abstract states missed\)$" "$tool" adequacy --predicates=$bakery.pred $bakery.c
last_line_is Y13_proved "RESULT: true"
expect Y13_tickets_of_one_byte 10 "RESULT: false" "$tool" adequacy --predicates=$bakery.pred ${bakery}_byte.c
expect Y13_tickets_that_wrap 10 "RESULT: false" "$tool" adequacy --predicates=$bakery.pred ${bakery}_wrap.c

# fewer cutpoints never give more alarms
alarms() { "$tool" adequacy --timelimit=60 "$@" 2>/dev/null </dev/null | grep -c "^potential error"; }
while read -r name options; do
  [ -n "$name" ] || continue  # bakery takes a minute
  n=
  # shellcheck disable=SC2086
  for c in loops calls all; do n="$n $(alarms --cutpoints=$c $options)"; done
  expect "Y14_alarms_of_$name:$n" 0 "" sh -c 'test $1 -le $2 && test $2 -le $3' - $n
done <<C
foo --property=valid-deref $dir/foo.c
foo_bad --property=valid-deref $dir/foo_bad.c
${TP_SOAK:+bakery --predicates=$bakery.pred $bakery.c}
turns --predicates=bench/adequacy/turns.pred bench/adequacy/turns.c
C

# bad input
expect "no predicates" 6 "predicates .*/none: No such file" "$tool" adequacy --predicates="$dir/none" "$dir/foo.c"
expect "no tests" 6 "test .*/none: No such file" "$tool" adequacy --tests="$dir/none" "$dir/foo.c"
printf 'foo: x <\n' >"$dir/wrong"
expect "wrong predicate" 6 "wrong:1:9: error: expected an expression at the end" "$tool" adequacy --predicates="$dir/wrong" --cutpoints=all "$dir/foo.c"
printf 'abc\n' >"$dir/tests/wrong.txt"
expect "wrong test" 6 "wrong.txt: " "$tool" adequacy --tests="$dir/tests" "$dir/foo.c"
expect "wrong cutpoints" 64 "is not one of loops" "$tool" adequacy --cutpoints=some "$dir/foo.c"
cat >"$dir/minus.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n == -50) while (i < 2) i++;
  if (i < 0) reach_error();
  return 0;
}
C
mkdir "$dir/minus"
echo 3 >"$dir/minus/three.txt"
expect "witnesses are signed where inputs are" 0 "^  reachable with inputs -50$" "$tool" adequacy --tests="$dir/minus" "$dir/minus.c"

# Folders that test and check write have more than tests in them.
cat >"$dir/sum.c" <<'C'
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
C
expect "a suite is written" 0 "^RESULT: " "$tool" test --output="$dir/suite" "$dir/sum.c"
expect "the tests of a suite are read" 10 "^RESULT: false" "$tool" adequacy --tests="$dir/suite" "$dir/sum.c"
expect "evidence is written" 10 "^RESULT: false" "$tool" check --output="$dir/evidence" "$dir/sum.c"
expect "the test of evidence is read" 10 "^RESULT: false" "$tool" adequacy --tests="$dir/evidence" "$dir/sum.c"
finish

#!/bin/bash
# twoproof test: suites, what is proved dead, how gcov counts the same outcomes.
. "$(dirname "$0")/common"
max_lines=80
if [ -z "$TP_GCOV" ]; then gcov=gcov gcc=gcc; else gcov=$TP_GCOV gcc=${TP_GCC:-gcc}; fi

cat >"$dir/mixed.c" <<'C'
extern int __VERIFIER_nondet_int(void);
static int kind(int x) {
  switch (x) {
    case 7: return 1;
    case 123456: return 2;
    default: return 0;
  }
}
int main(void) {
  int a = __VERIFIER_nondet_int(), n = 0;
  for (int i = 0; i < 10; i++)
    if (kind(a + i) == 2) n++;
  if (n > 1) return 3;
  if (a > 0 && a * a == 15129) n = 5;
  return n;
}
C
cat >"$dir/fails.c" <<'C'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a > 1000) assert(a != 4711);
  return 0;
}
C
cat >"$dir/endless.c" <<'C'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int state = 0;
  for (;;) {
    int x = __VERIFIER_nondet_int();
    if (state == 0 && x == 5) state = 1;
    else if (state == 1 && x > 100) state = 2;
    else if (state == 2 && x == 17) state = 0;
    if (state > 3) return 7;
  }
}
C
cat >"$dir/idle.c" <<'C'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 10)
    while (1)
      if (x == 42) x = 43;
  return 0;
}
C
cat >"$dir/choices.c" <<'C'
extern int __VERIFIER_nondet_int(void);
static int f(int x) { return x > 4; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int r = a > 3 && b < 7;
  int q = (a == 0 ? 2 : 3) + r;
  int s = a < 3 || f(b);
  _Bool t = !(a == 5 || b == 6);
  int u = a == 9 ? b + 1 : b / 2;
  if ((a == 1 && b == 2) == r) q++;
  int w = a > 100 && (b > 5 || a < 200);
  int never = a > 10 && a < 5;
  return q + s + t + u + w + never;
}
C
printf 'int main(void) { return 0; }\n' >"$dir/plain.c"

suite() { # suite FILE.c [options]: a fresh folder $dir/suite
  rm -rf "$dir/suite" && mkdir "$dir/suite" && "$tool" test "$@" --output="$dir/suite"
}
expect output_is_needed 64 "--output=DIR is needed" "$tool" test "$dir/plain.c"
expect cover_is_known 64 "branches, boundaries, statements or calls" suite "$dir/plain.c" --cover=paths
expect dead_by_arithmetic 0 "^dead: .*mixed.c:13:[0-9]+: 1 < n, in main \(certificate-[0-9]+.txt\)" suite "$dir/mixed.c"
last_line_is only_that_is_dead "RESULT: 12 covered, 1 proved dead, 0 open"
expect certificate_is_there 0 "^kind " cat "$dir/suite/certificate-1.txt"
expect no_test_is_superfluous 0 "" sh -c '
  cd "$0/suite" && for t in test-*.txt; do
    grep "^covered" coverage.txt | grep -Eq ": ${t%.txt}$" || exit 1
  done' "$dir"
expect metadata 0 "<specification>COVER\( init\(main\(\)\), FQL\(COVER EDGES\(@DECISIONEDGE\)\) \)" cat "$dir/suite/metadata.xml"
expect chosen_values_are_outcomes 0 "^covered: .*choices.c:5:[0-9]+: 6 < b, in main" suite "$dir/choices.c" -v
expect last_operand_may_be_dead 0 "^dead: .*choices.c:12:[0-9]+: a < 5, in main" cat "$dir/suite/coverage.txt"
expect users_know_no_temporaries 0 "choices.c:10:[0-9]+: r == \(\.\.\.\), in main" cat "$dir/suite/coverage.txt"
suite "$dir/mixed.c" >/dev/null
cp -r "$dir/suite" "$dir/before"
expect same_seed_same_suite 0 "" suite "$dir/mixed.c"
expect same_files 0 "" diff -r "$dir/before" "$dir/suite"
expect failing_tests_are_apart 0 "^fails: fails-[0-9]+: .*fails.c:5:[0-9]+: assertion" suite "$dir/fails.c"
expect replay_fails 10 "RESULT: false.unreach-call" sh -c '"$0" replay "$1/fails.c" "$1"/suite/fails-*.txt' "$tool" "$dir"
expect replay_of_xml_fails 10 "RESULT: false.unreach-call" sh -c '"$0" replay "$1/fails.c" "$1"/suite/fails-*.xml' "$tool" "$dir"
expect harness_fails_alone 107 "violated" sh -c '"$1" -w "$0/fails.c" "$0"/suite/fails-*.c -o "$0/alone" && "$0/alone"' "$dir" "$gcc"
expect one_test_without_inputs 0 "^tests: 1 in " suite "$dir/plain.c" --cover=statements
cat >"$dir/calls.c" <<'C'
extern int __VERIFIER_nondet_int(void);
static int bit(int x) { return x & 1; }
int main(void) {
  int n = __VERIFIER_nondet_int(), v[2] = {1, 2};
  if (bit(n) > bit(n + 1) + 2) return 1;
  if (v[n & 1] == 7) return 2;
  return 0;
}
C
expect dead_without_temporaries 0 "^dead: .*calls.c:5:7: bit\(n \+ 1\) \+ 2 < bit\(n\), in main" suite "$dir/calls.c"
why=; grep -Eq "^dead: .*calls.c:6:7: v\[n & 1\] == 7, in main" "$dir/both" || why="another text"
name=dead_reads_without_temporaries verdict_of_case
# What was found when somebody interrupts is written.
cat >"$dir/mixer.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = x % 4000;
  for (unsigned i = 0; i < n; i++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  if (n > 3000 && x == 4711) return 1;
  return 0;
}
C
interrupted() {
  rm -rf "$dir/suite" && mkdir "$dir/suite"
  "$tool" test "$dir/mixer.c" --output="$dir/suite" & pid=$!
  for i in $(seq 100); do # until it has started its work
    sleep 0.1
    grep -qs . "/proc/$pid/task/$pid/children" && [ "$i" -gt 15 ] && break
  done
  kill -INT $pid
  wait $pid
}
expect interrupt_ends_in_a_suite 5 "^RESULT: [1-9][0-9]* covered, 0 proved dead, [1-9][0-9]* open" interrupted
expect interrupt_leaves_tests 0 "^covered" cat "$dir/suite/coverage.txt"
# A proof about all elements: another engine's certificate, a thousand iterations long, must not use up the time.
cat >"$dir/elements.c" <<'C'
extern int __VERIFIER_nondet_int(void);
static int a[1000];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = 3;
  for (int i = 0; i < n; i++)
    if (a[i] != 3) return 1;
  return 0;
}
C
expect dead_by_all_elements 0 "^dead: .*elements.c:8:[0-9]+: a\[i\] != 3, in main" suite "$dir/elements.c" --timelimit=8
expect statements 0 "^dead: .*mixed.c:13: statement, in main" suite "$dir/mixed.c" --cover=statements --timelimit=60
expect calls 0 "^RESULT: 1 covered, 0 proved dead, 0 open" suite "$dir/mixed.c" --cover=calls:kind
expect limits_end_in_an_answer 5 "^RESULT: [0-9]+ covered, [0-9]+ proved dead, [1-9][0-9]* open" suite "$dir/mixed.c" --timelimit=0.02

# Runs without an end: the test ends where the program asks for more, or by the clock.
expect clock_ends_a_run 0 "^RESULT: 4 covered, 0 proved dead, 0 open" suite "$dir/idle.c" --timelimit=20
expect clock_ends_the_harness 142 "" sh -c '
  for t in "$0"/suite/test-*.c; do "$1" -w "$0/idle.c" "$t" -o "$0/alone" && "$0/alone" >/dev/null 2>&1 || exit; done' "$dir" "$gcc"
expect endless_is_cut 0 "^RESULT: 13 covered, 1 proved dead, 0 open" suite "$dir/endless.c" --timelimit=40
expect cut_test_ends_alone 0 "the test ends where the program asks" sh -c '
  t=$(grep -l "ends where the program" "$0"/suite/test-*.c | head -n 1)
  "$1" -w "$0/endless.c" "$t" -o "$0/alone" && "$0/alone"' "$dir" "$gcc"

# gcov_agrees NAME FILE.c: the program with --coverage, all tests of the suite, outcomes line by line. Where
# gcov and the suite have equally many outcomes in a line, equally many of them are taken; where lowering
# makes one condition of several, all of gcov's taken means none of ours missing, and the reverse for none.
# A run ends at its first invalid access in both: behind it C says nothing (examples/endless/ring_buffer_bad.c).
gcov_agrees() {
  (
    rm -rf "$dir/gcov" && mkdir "$dir/gcov" && cp "$2" "$dir/gcov/program.c" && cd "$dir/gcov" || exit 1
    cat >dump.c <<'C'
#include <signal.h>
#include <unistd.h>
extern void __gcov_dump(void);
static void dump(int s) { (void)s; __gcov_dump(); _exit(1); }
__attribute__((constructor)) static void arm(void) {
  signal(SIGABRT, dump), signal(SIGSEGV, dump), signal(SIGFPE, dump), signal(SIGBUS, dump);
}
C
    "$gcc" -w --coverage -fsanitize=address -c program.c && "$gcc" -c dump.c || exit 1
    for t in "$dir"/suite/test-*.c "$dir"/suite/fails-*.c; do
      [ -e "$t" ] || continue
      sed 's/^  for (;;) tp_system_call(TP_EXIT/  extern void __gcov_dump(void); __gcov_dump();\n&/' "$t" >harness.c
      "$gcc" -w -c harness.c && "$gcc" --coverage -fsanitize=address program.o harness.o dump.o -o run || exit 1
      ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:handle_segv=0 timeout 20 ./run >/dev/null 2>&1
      [ $? != 108 ] && [ $? != 109 ] || exit 1
    done
    "$gcov" --branch-probabilities --json-format --stdout program.gcda >counts.json 2>/dev/null || exit 1
    perl -MJSON::PP -e '
      my ($base, %all, %taken, %ours, %covered) = ($ARGV[0]);
      my $json = decode_json(do { local (@ARGV, $/) = "counts.json"; <> });
      for my $f (grep { $_->{file} =~ /program\.c$/ } @{$json->{files}}) {
        for my $l (@{$f->{lines}}) {
          for (@{$l->{branches}}) { $all{$l->{line_number}}++; $taken{$l->{line_number}}++ if $_->{count} > 0 }
        }
      }
      open my $c, "<", "$base/suite/coverage.txt" or die;
      while (<$c>) { /^(\w+): .*?:(\d+):\d+: / or next; $ours{$2}++; $covered{$2}++ if $1 eq "covered" }
      my $wrong = 0;
      for my $l (sort { $a <=> $b } keys %ours) {
        my ($n, $t, $o, $k) = ($all{$l} // 0, $taken{$l} // 0, $ours{$l}, $covered{$l} // 0);
        my $agrees = $n == $o || $ENV{SAME_OUTCOMES} ? $n == $o && $t == $k : $n == 0 ? 1 : !($t == 0 && $k > 0) && !($t == $n && $k < $o);
        print "line $l: gcov $t of $n, suite $k of $o\n" unless $agrees;
        $wrong ||= !$agrees;
      }
      exit $wrong' "$dir"
  )
}
both() {
  suite "$2" --timelimit="${3:-20}" >"$dir/answer"
  [ -z "$TP_SUITE_FIGURES" ] || echo "$2 $(tail -n 1 "$dir/answer"), $(sed -n 's/ in .*//p' "$dir/answer" | grep '^tests:')" >>"$TP_SUITE_FIGURES"
  gcov_agrees "$1" "$2"
}
if command -v "$gcov" >/dev/null && command -v perl >/dev/null; then
  expect gcov_agrees_mixed 0 "" both mixed "$dir/mixed.c"
  expect gcov_agrees_fails 0 "" both fails "$dir/fails.c"
  SAME_OUTCOMES=1 expect gcov_has_no_other_outcomes 0 "" both choices "$dir/choices.c"
  expect gcov_agrees_endless 0 "" both endless "$dir/endless.c"
  suite "$dir/mixed.c" >/dev/null
  sed -i 's/^dead/covered/' "$dir/suite/coverage.txt"
  expect gcov_contradicts_a_false_claim 1 "line 13: gcov 1 of 2, suite 2 of 2" gcov_agrees mixed "$dir/mixed.c"
  # TP_SUITES: programs; TP_SUITE_FIGURES: a file that gets the last line of each answer
  if [ -n "$TP_SUITES" ]; then
    set -- $TP_SUITES
  elif [ -n "$TP_SOAK" ]; then
    set -- examples/*/*.c
  else
    set -- examples/arrays/binary_search.c examples/recursion/towers_bad.c examples/parsers/run_lengths_bad.c \
      examples/state_machines/door_code.c
  fi
  for f in "$@"; do
    case $f in examples/modules/* | examples/spec/*) continue ;; esac
    expect "gcov_agrees_$(basename "$f" .c)" 0 "" both "$f" "$f"
  done
fi
# Beside tests that exist: only what they miss.
cat >"$dir/sides.c" <<'C'
int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 10) b++;
  if (b == 77) return 1;
  return 0;
}
C
mkdir -p "$dir/mine" "$dir/more" "$dir/rest"
printf '20\n5\n' >"$dir/mine/first.txt"
expect add_to 0 "mine: 1 test covers 2 of 4" "$tool" test --timelimit=30 --add-to="$dir/mine" --output="$dir/more" "$dir/sides.c"
expect add_to_names_them 0 "^covered: .*10 < a, in main \(by a test of --add-to\)" cat "$dir/more/coverage.txt"
one() { [ "$(find "$dir/more" -name 'test-*.txt' | wc -l)" -le 2 ] && ! grep -q "^open" "$dir/more/coverage.txt"; }
expect add_to_writes_the_rest 0 "" one
expect add_to_reads_a_suite 0 "RESULT: 4 covered, 0 proved dead, 0 open" "$tool" test --timelimit=30 --add-to="$dir/more" --output="$dir/rest" "$dir/sides.c"
expect add_to_stays 0 "^20" cat "$dir/mine/first.txt"
expect add_to_itself 64 "are the same folder" "$tool" test --add-to="$dir/mine" --output="$dir/mine" "$dir/sides.c"
printf 'no number\n' >"$dir/mine/bad.txt"
expect add_to_bad_test 6 "test .*bad.txt: " "$tool" test --add-to="$dir/mine" --output="$dir/rest" "$dir/sides.c"
expect add_to_nothing 6 "" "$tool" test --add-to="$dir/none" --output="$dir/rest" "$dir/sides.c"
expect replay_of_a_passing_test 5 "next:  twoproof check looks for inputs" "$tool" replay "$dir/sides.c" "$dir/mine/first.txt"

# Modules: unit tests that pass, whose coverage gcov confirms, and that notice a change.
max_lines=400
cat >"$dir/ring.c" <<'C'
#include <stddef.h>
struct ring {
  unsigned char *buf;
  size_t size, head, count;
};
static int n_errors;
int ring_put(struct ring *r, unsigned char x) {
  if (!r || r->count == r->size) {
    n_errors++;
    return -1;
  }
  if (r->head >= r->size) return -2;
  r->buf[(r->head + r->count) % r->size] = x;
  r->count++;
  return 0;
}
int ring_find(const struct ring *r, int (*like)(int)) {
  if (!r || !like) return -1;
  for (size_t i = 0; i < r->count && i < r->size; i++)
    if (like(r->buf[i]) > 7) return (int)i;
  return -1;
}
void ring_end(int status);
C
cat >"$dir/test_ring.c" <<'C'
#include <assert.h>
#include <stddef.h>
struct ring {
  unsigned char *buf;
  size_t size, head, count;
};
int ring_put(struct ring *r, unsigned char x);
int main(void) {
  unsigned char bytes[2];
  struct ring r = {bytes, 2, 0, 0};
  assert(ring_put(&r, 3) == 0);
  assert(ring_put(&r, 4) == 0);
  assert(ring_put(&r, 5) == -1);
  return 0;
}
C
units() { # units FILE [FLAG...]: compiles unit tests with the address sanitizer and runs them
  f=$1
  shift
  "$gcc" -fsanitize=address "$f" -o "$dir/units" "$@" && "$dir/units"
}
expect module 0 "^tests: [0-9]+ in .*, [0-9]+ as unit tests in tests.c" suite "$dir/ring.c" --timelimit=40
last_line_is capacity_and_functions_are_assumed "RESULT: 14 covered, 2 proved dead, 0 open"
expect assumptions 0 "ring_put is called with: r->size is at most 4" cat "$dir/suite/assumptions.txt"
expect unit_tests_pass 0 "[0-9]+ tests passed" units "$dir/suite/tests.c"
expect unit_tests_assert 0 "assert.n_errors == 1" cat "$dir/suite/tests.c"
module_agrees() {
  rm -rf "$dir/gcov" && mkdir "$dir/gcov" && cd "$dir/gcov" && "$gcc" -w --coverage "$dir/suite/tests.c" -o t && ./t >/dev/null &&
    "$gcov" --branch-probabilities --json-format --stdout ./*.gcda 2>/dev/null | perl -MJSON::PP -e '
      my $json = decode_json(do { local $/; <STDIN> });
      my ($all, $taken) = (0, 0);
      for my $f (grep { $_->{file} =~ /ring\.c$/ } @{$json->{files}}) {
        for my $l (@{$f->{lines}}) { for (@{$l->{branches}}) { $all++; $taken++ if $_->{count} > 0 } }
      }
      print "gcov: $taken of $all\n"; exit 0'
}
if command -v "$gcov" >/dev/null && command -v perl >/dev/null; then
  expect gcov_agrees_module 0 "gcov: 14 of 16" module_agrees
fi
sed -i 's/r->count++/r->count += 2/' "$dir/ring.c"
expect unit_tests_notice_a_change 134 "Assertion" units "$dir/suite/tests.c"
sed -i 's/r->count += 2/r->count++/' "$dir/ring.c"
if echo '#include <cmocka.h>' | "$gcc" -include stdarg.h -include stddef.h -include setjmp.h -include stdint.h -fsyntax-only -x c - 2>/dev/null; then
  expect cmocka 0 "" suite "$dir/ring.c" --timelimit=40 --style=cmocka
  expect cmocka_tests_pass 0 "PASSED" units "$dir/suite/tests.c" -lcmocka
fi
cp -r "$dir/suite" "$dir/before-module"
expect same_seed_same_module 0 "" suite "$dir/ring.c" --timelimit=40 --style=cmocka
expect same_module_files 0 "" diff -r "$dir/before-module" "$dir/suite"
# Unit tests in C: what they miss, in the order of the source.
ask_c_tests() { rm -rf "$dir/missing" && mkdir "$dir/missing" && "$tool" adequacy --tests="$dir/test_ring.c" --output="$dir/missing" --timelimit=40 "$dir/ring.c" "$@"; }
expect c_tests 10 "no test with r == NULL, in ring_put" ask_c_tests
expect c_tests_boundary 10 "ring.c:[0-9]+:[0-9]+: no test with r->size == r->head, in ring_put" ask_c_tests
expect c_tests_written 0 "assert.result == -2" cat "$dir/missing/tests.c"
expect c_tests_summary 10 "^RESULT: [0-9]+ of [0-9]+ states met; [1-9][0-9]* reachable, tests written; 0 open" ask_c_tests
cp "$dir/missing/tests.c" "$dir/all.c"
cp "$dir/test_ring.c" "$dir/mine/test_ring.c" && rm -f "$dir/mine"/*.txt && cp "$dir/missing/tests.c" "$dir/mine/more.c"
expect c_tests_are_enough 0 "^TESTS: adequate" "$tool" adequacy --tests="$dir/mine" --timelimit=40 "$dir/ring.c"
sed 's/== -1/== 0/' "$dir/test_ring.c" >"$dir/wrong.c"
expect failing_c_test_is_said 10 "wrong.c: the run ended at .*test_ring|wrong.c: the run ended at .*wrong.c:[0-9]+" "$tool" adequacy --tests="$dir/wrong.c" --timelimit=40 "$dir/ring.c"
expect c_tests_of_a_program 6 "tests in C are for modules" "$tool" adequacy --tests="$dir/test_ring.c" "$dir/mixed.c"
finish

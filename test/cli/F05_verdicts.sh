#!/bin/bash
# Row F05: one fixture for each kind of answer, with its evidence. Names start with F05_ for tools/rows.
. "$(dirname "$0")/common"
max_lines=200

cat >"$dir/safe.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 100) return 0;
  for (int i = 0; i < 10; i++)
    sum += n;
  if (sum != 10 * n) reach_error();
  return 0;
}
C
sed 's/sum != 10 \* n/sum == 420/' "$dir/safe.c" >"$dir/unsafe.c"
cat >"$dir/hard.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 1;
  while (x < n) { x++; y ^= y << 13; y ^= y >> 17; y ^= y << 5; }
  if (y == 81217) reach_error();
  return 0;
}
C
cat >"$dir/slow.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
static unsigned table[65536];
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), h = 1;
  for (unsigned i = 0; i < n; i++) { table[h % 65536] = h * i; h = h * 31 + table[(h >> 7) % 65536] / (i + 1); }
  if (h == 0x12345678 && n > 70000) reach_error();
  return 0;
}
C

expect F05_safe 0 "^TRUE: unreach-call" "$tool" check --output="$dir/o1" --stats="$dir/s1" "$dir/safe.c"
last_line_is F05_safe_last_line "RESULT: true"
expect F05_safe_certificate 0 "" grep -q '^twoproof-certificate' "$dir/o1/certificate.txt"
expect F05_safe_statistics 0 "" grep -q '"certificate": "checked"' "$dir/s1"
expect F05_safe_second_opinion 0 "also with cvc5" "$tool" check --second-opinion "$dir/safe.c"
expect F05_safe_check_run 0 "random runs" "$tool" check --check=run "$dir/safe.c"
expect F05_unsafe_path 10 "^ *8 \| .*reach_error" "$tool" check --output="$dir/o2" "$dir/unsafe.c"
last_line_is F05_unsafe_last_line "RESULT: false(unreach-call)"
expect F05_unsafe_names_the_input 0 "" grep -q 'n = 42 (input)' "$dir/o2/path.txt"
expect F05_unsafe_folds_the_loop 0 "" grep -q 'more iterations of the loop in line 6: sum = 126 .. ' "$dir/o2/path.txt"
expect F05_unsafe_replay 10 "gcc *confirmed" "$tool" replay "$dir/unsafe.c" "$dir/o2/inputs.txt"
expect F05_unsafe_replay_testcomp 10 "gcc *confirmed" "$tool" replay "$dir/unsafe.c" "$dir/o2/test.xml"
expect F05_safe_replay 5 "RESULT: unknown" "$tool" replay "$dir/safe.c" "$dir/o2/inputs.txt"
expect F05_unsafe_one_command 107 "violated" sh "$dir/o2/run.sh"
cat >"$dir/string.c" <<'C'
#include <string.h>
int main(int argc, char **argv) {
  char small[4];
  if (argc > 1) strcpy(small, argv[1]);
  return 0;
}
C
expect F05_unsafe_strings 10 "^  argc = [2-9].*, argv\[1\] = \"....+\"" "$tool" check --property=memsafety --output="$dir/o4" "$dir/string.c"
expect F05_unsafe_strings_in_the_path 0 "" grep -q 'argv\[1\] = "....*" (input)' "$dir/o4/path.txt"
expect F05_unsafe_strings_replayed 10 "^  argc = [2-9].*, argv\[1\] = \"....+\"" "$tool" replay --property=memsafety "$dir/string.c" "$dir/o4/inputs.txt"
expect F05_unsafe_memory_one_command 107 "AddressSanitizer: stack-buffer-overflow" sh "$dir/o4/run.sh"
expect F05_unsafe_no_library_inside 1 "" grep -q "lib/libc" "$dir/both"
gcc -w -o "$dir/by-hand" "$dir/unsafe.c" -finstrument-functions "$dir/o2/harness.c" && expect F05_unsafe_harness_by_hand 107 "violated" "$dir/by-hand"
# uninitialised values are inputs; a compiled program can be given zeros
cat >"$dir/uninitialised.c" <<'C'
#include <stdlib.h>
void reach_error(void) {}
int main(void) {
  int x, a[4], *p = malloc(8);
  if (x == 0 && p[1] == 0 && a[2] == 0) reach_error();
  return 0;
}
C
sed 's/x == 0/x == 5/; s/p\[1\] == 0/p[1] == 7/' "$dir/uninitialised.c" >"$dir/five.c"
cat >"$dir/vla.c" <<'C'
void reach_error(void) {}
int main(void) {
  int n = 4, v[n];
  if (v[1] == 5) reach_error();
  return 0;
}
C
expect F05_unsafe_zeroed 10 "depends on indeterminate values; they are 0" "$tool" check "$dir/uninitialised.c"
expect F05_unsafe_filled 10 "clang's build was given them" "$tool" check "$dir/five.c"
expect F05_unsafe_filled_ilp32 10 "clang's build was given them" "$tool" check --machine=ilp32 "$dir/five.c"
expect F05_no_answer_unconfirmed 5 "not confirmed on the compiled program" "$tool" check --output="$dir/o3" "$dir/vla.c"
expect F05_no_answer_candidate 0 "" grep -q "uninitialised v" "$dir/o3/inputs.txt"
expect F05_no_answer 5 "^UNKNOWN: .*" "$tool" check --timelimit=3 "$dir/hard.c"
also F05_no_answer_next "^  next:  "
expect F05_no_answer_random 5 "no violation in [0-9]+ random runs" "$tool" check --engine=random --timelimit=1 "$dir/safe.c"
# an abstraction that nothing refines, and one whose refinement has no more to say
expect F05_false_alarm 5 "^RESULT: unknown\(the abstraction cannot exclude the error at .*reach_error\)$" "$tool" check --engine=cpa "--analysis=location callstack constant" "$dir/safe.c"
expect F05_refinement_failed 5 "refined [1-9][0-9]* times? .*; value: values alone do not exclude the path\)$" "$tool" check --engine=cegar --config=value-cegar "$dir/safe.c"
# memory errors say what happened, with notes; errors in a library model and assumptions of a proof are told at the user's call
cat >"$dir/copy.c" <<'C'
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(4);
  if (p) strcpy(p, "hello");
  free(p);
}
C
cat >"$dir/quotient.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  div_t d = div(2, __VERIFIER_nondet_int());
  if (d.quot > 2) reach_error();
  return 0;
}
C
sed 's/int()/int() % 1000003 - 777/' "$dir/quotient.c" >"$dir/seldom.c"
expect F05_unsafe_memory 10 "copy.c:5:10: write of 1 byte at offset 4 of an allocated object of 4 bytes, in strcpy" \
  "$tool" check --property=valid-deref "$dir/copy.c"
also F05_unsafe_note "copy.c:4:13: note: allocated here"
expect F05_open_operation 5 "^  where: .*quotient.c:5:13: div_t d = div\(2" "$tool" check "$dir/quotient.c"
expect F05_safe_assumption 0 "^  no division by zero at the call of div at .*seldom.c:5:13$" "$tool" check --steps=100000 "$dir/seldom.c"
# bmc stops in the middle of a round, or before one that it cannot finish
expect F05_timeout 5 "RESULT: unknown\(.*(time ran out|time limit|not exhausted)" timeout 60 "$tool" check --timelimit=2 "$dir/slow.c"
printf 'engine = random\n# a comment\ntimelimit = 1\n' >"$dir/config"
expect F05_configuration 5 "random runs" "$tool" check --config="$dir/config" "$dir/safe.c"

# requests for memory that fail: the compiled program gets the recorded answers, also where a library function asks
cat >"$dir/memory.c" <<'C'
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *a = malloc(8), *b;
  char *s;
  if (!a) return 1;
  b = calloc(2, 4);
  if (!b) return free(a), 2;
  a[0] = b[0];
  s = strdup("abc");
  s[0] = 'x';
  return free(a), free(b), free(s), 0;
}
C
expect F05_no_memory 10 "malloc fails.. = 1 +at .*memory.c:10:7" "$tool" check --malloc=may-fail --property=valid-deref "$dir/memory.c"
expect F05_no_memory_by_default 0 "memory can always be allocated" "$tool" check --property=valid-deref "$dir/memory.c"
cat >"$dir/early.c" <<'C'
#include <stdlib.h>
int main(void) { int *a = malloc(8); if (!a) return 1; int *b = malloc(8); if (!b) return 2; free(a); free(b); return 0; }
C
expect F05_no_memory_leak 10 "RESULT: false\(valid-memcleanup\)" "$tool" check --malloc=may-fail --property=valid-memcleanup "$dir/early.c"
cat >"$dir/grown.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { int *a = malloc(8); if (!a) return 1; printf("%d\n", 3); a = realloc(a, 80); if (!a) return 2; free(a); return 0; }
C
expect F05_no_memory_realloc 10 "RESULT: false\(valid-memtrack\)" "$tool" check --malloc=may-fail --property=valid-memtrack "$dir/grown.c"
sed 's/printf("%d.n", 3)/if (printf("%d", 3) != 1) return 3/; s/if (!a) return 2;/a[19] = 1;/' "$dir/grown.c" >"$dir/grown_then_used.c"
expect F05_no_memory_with_the_real_library 10 "RESULT: false\(valid-deref\)" "$tool" check --malloc=may-fail --property=valid-deref "$dir/grown_then_used.c"

# Red zones lie behind variables: in front of the first one of each file there is none of its own file.
printf 'int first[5];\nvoid fill(void) { for (int i = 4; i >= LEAST; i--) first[i] = 1; }\n' >"$dir/second.c"
printf 'volatile int flag;\nvoid fill(void);\nint main(void) { fill(); return flag; }\n' >"$dir/main.c"
expect F05_before_the_first_variable_of_the_second_file 10 "RESULT: false\(valid-deref\)" "$tool" check --property=valid-deref "$dir/main.c" "$dir/second.c" -- -DLEAST=-1
expect F05_first_variable_of_the_second_file 0 "RESULT: true" "$tool" check --property=valid-deref "$dir/main.c" "$dir/second.c" -- -DLEAST=0
finish

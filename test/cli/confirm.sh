#!/bin/bash
# How failures are confirmed: smaller inputs, other failures behind one that the compiled program does not show,
# --confirm=machine.
. "$(dirname "$0")/common"
max_lines=60

cat >"$dir/number.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char line[20];
  int a[10] = {0};
  if (!fgets(line, sizeof line, stdin)) return 0;
  int i = atoi(line);
  if (i >= 0) a[i] = 1;
  return a[0];
}
C
cat >"$dir/sum.c" <<'C'
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[10] = {0}, i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i > 1000 && j < 1000 && j > -1000) a[i - 1000 + j] = 1;
  return a[0];
}
C
cat >"$dir/arguments.c" <<'C'
int main(int argc, char **argv) { int a[5] = {0}; return argv[0] ? a[argc] : 0; }
C
expect smaller_number_in_a_text 10 "write to a\[i\], element 10 of 'a'" "$tool" check --property valid-memsafety "$dir/number.c"
expect smaller_sum 10 "element 10 of 'a'" "$tool" check --property valid-memsafety "$dir/sum.c"
expect smaller_argument_count 10 "element 5 of 'a'" "$tool" check --property valid-memsafety "$dir/arguments.c"
printf '2000\n-300\n' >"$dir/given"
expect given_inputs_stay 10 "element 700 of 'a'" "$tool" replay --property valid-memsafety "$dir/sum.c" "$dir/given"

# The end of a variable-length array is seen by what stays poisoned, but not where large frames lie on the real stack.
cat >"$dir/ended.c" <<'C'
#include <string.h>
int __VERIFIER_nondet_int(void);
static int large(int n) { char b[100000]; memset(b, n, sizeof b); return b[5]; }
int main(void) {
  int b[4] = {0}, *p, n = __VERIFIER_nondet_int(), r;
  if (n < 1 || n > 10) return 0;
  {
    int a[n];
    a[0] = 3;
    p = a;
  }
  r = large(n);
  return *p;
}
C
sed 's/return \*p/if (n == 7) b[n - 3] = 1; return n < 7 ? b[r - n] : *p/' "$dir/ended.c" >"$dir/another.c"
expect not_seen_by_sanitizers 5 "could not be confirmed" "$tool" check --property valid-memsafety "$dir/ended.c"
expect what_its_inputs_are_for 5 "^  next:  (sh .*/ended/run.sh builds|do .*/ended/path.txt and .*/ended/inputs.txt make sense\? There is no run.sh)" "$tool" check --property valid-memsafety --output="$dir/ended" "$dir/ended.c"
why=; if [ -f "$dir/ended/run.sh" ]; then grep -q "There is no run.sh" "$dir/out" && why="there is"; else grep -q "There is no run.sh" "$dir/out" || why="not said"; fi; name=a_missing_script_is_said verdict_of_case
expect another_machine_is_offered 5 "With --confirm=machine the interpreter's run is enough" "$tool" check --property valid-memsafety "$dir/ended.c"
expect path_of_what_was_not_seen 5 "ERROR: read of an object whose scope has ended" "$tool" check -v --property valid-memsafety "$dir/ended.c"
expect seen_by_the_machine 10 "shown by the interpreter, not by a compiled build" "$tool" check --confirm=machine --property valid-memsafety "$dir/ended.c"
last_line_is seen_by_the_machine_last_line "RESULT: false(valid-deref)"
expect another_failure_is_found 10 "another.c:13:.* write to b\[n - 3\], element 4 of 'b'" "$tool" check --property valid-memsafety "$dir/another.c"

# What compares addresses is exact on no machine.
cat >"$dir/addresses.c" <<'C'
#include <stdint.h>
void reach_error(void) {}
int main(void) {
  int a, b;
  if ((uintptr_t)&a < (uintptr_t)&b) reach_error();
  return 0;
}
C
cat >"$dir/bytes.c" <<'C'
#include <string.h>
void reach_error(void) {}
int main(void) {
  int a, b, *p = &a, *q = &b;
  unsigned long x, y;
  memcpy(&x, &p, sizeof x);
  memcpy(&y, &q, sizeof y);
  if (x < y) reach_error();
  return 0;
}
C
sed 's/x < y/y < x/' "$dir/bytes.c" >"$dir/bytes2.c"
sed 's/&a < (uintptr_t)&b/\&b < (uintptr_t)\&a/' "$dir/addresses.c" >"$dir/addresses2.c"
for case in addresses addresses2 bytes bytes2; do
  # false: the compilers laid the objects out that way, so both builds show it
  expect "compared_$case" "$("$tool" check "$dir/$case.c" >"$dir/compiled" 2>&1; echo $?)" "$(tail -n 1 "$dir/compiled" | cut -c1-14)" \
    "$tool" check --confirm=machine "$dir/$case.c"
  [ "$got" = 5 ] || expect "compared_${case}_natively" 0 "" grep -q "confirmed on the build" "$dir/compiled"
done

# A run that ends before the program's later questions: the functions that it did not ask are defined for the linker, so that each compiler builds once.
cat >"$dir/later.c" <<'C'
long __VERIFIER_nondet_long(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4] = {0}, i = __VERIFIER_nondet_int();
  if (i < 0 || i > 4) return 0;
  a[i] = 1;
  return (int)__VERIFIER_nondet_long() + a[0];
}
C
mkdir "$dir/counting"
printf '#!/bin/sh\necho built >>"%s"\nPATH="%s" exec gcc "$@"\n' "$dir/builds" "$PATH" >"$dir/counting/gcc"
chmod +x "$dir/counting/gcc"
expect unasked_functions 10 "element 4 of 'a'" env PATH="$dir/counting:$PATH" "$tool" check --property valid-memsafety "$dir/later.c"
expect one_build 0 "^1$" grep -c built "$dir/builds"
finish

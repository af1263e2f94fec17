#!/bin/bash
# Unbounded proofs from the command line: checked, watched in runs, the same bytes twice, and never for the broken twin.
. "$(dirname "$0")/common"

cat >"$dir/sum.c" <<'C'
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
static void assume(int c) { if (!c) abort(); }
static void claim(int c) { if (!c) reach_error(); }
static unsigned sum(unsigned n) {
  if (n == 0) return 0;
  unsigned r = sum(n - 1) + n;
  if (r > 1000) return 1000;
  return r;
}
int main(void) {
  unsigned total = 0;
  for (;;) {
    unsigned n = __VERIFIER_nondet_uint();
    assume(n < 30);
    total = sum(n);
    claim(total <= 1000);
    if (total == 77) break;
  }
  return 0;
}
C
sed 's/claim(total <= 1000)/claim(total <= 400)/' "$dir/sum.c" >"$dir/broken.c"
expect "interval, watched" 0 "watched in 1000 random runs and in 1000 runs of the compiled program" "$tool" check --engine=interval --check=run "$dir/sum.c"
expect "octagon" 0 "^RESULT: true" "$tool" check --engine=octagon "$dir/sum.c"
for engine in interval octagon value; do
  expect "$engine on the broken twin" 0 "^RESULT: (unknown|false)" sh -c "'$tool' check --engine=$engine '$dir/broken.c' | tail -n 1"
done
expect "the same certificate twice" 0 "" sh -c "for d in a b; do '$tool' check --engine=interval --output='$dir'/\$d '$dir/sum.c'; done; cmp '$dir/a/certificate.txt' '$dir/b/certificate.txt'"
cat >"$dir/sorted.c" <<'C'
#include <stdlib.h>
void reach_error(void) {}
static int tens(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }
int main(void) {
  int a[3] = {21, 11, 12}, key = 10;
  qsort(a, 3, sizeof *a, tens);
  if (a[0] != 11) reach_error();
  return *(int *)bsearch(&key, a, 3, sizeof *a, tens);
}
C
expect "what qsort leaves open is listed" 0 "qsort keeps the order of elements that compare equal" "$tool" check "$dir/sorted.c"
also "what bsearch leaves open is listed" "bsearch finds the middle one first of elements that compare equal"
# names in certificates are comments: whatever they are, the certificate stays what it is
cat >"$dir/names.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
extern unsigned first __asm__("first\nend\n# (var");
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned steps = first;
  while (steps < n) steps++;
  if (steps < n || (n < first && steps != first)) reach_error();
  return 0;
}
C
expect "names of variables in the certificate" 0 "certificate checked" "$tool" check --engine=kinduction --output="$dir/names" "$dir/names.c"
expect "behind their numbers" 0 "^at .*  # .*names.c:7:[0-9]+; .*[0-9]+ = n(,|$)" cat "$dir/names/certificate.txt"
expect "a name with a line end stays in its line" 0 "[0-9]+ = first.012end.012# .var" cat "$dir/names/certificate.txt"
expect "contracts in the certificate" 0 "^post 1 " cat "$dir/a/certificate.txt"
finish

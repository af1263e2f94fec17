#!/bin/sh
# TRUE of a program whose runs have undefined behaviour says so in its first line.
. "$(dirname "$0")/common"

cat >"$dir/outside.c" <<'C'
extern void reach_error(void);
int main(void) {
  int a[4] = {0};
  for (int i = 0; i <= 4; i++) a[i] = i;
  if (a[0] > 1) reach_error();
  return 0;
}
C
sed 's/<= 4/< 4/' "$dir/outside.c" >"$dir/inside.c"
cat >"$dir/library.c" <<'C'
#include <string.h>
extern void reach_error(void);
int main(void) {
  char small[4];
  int x = 0;
  strcpy(small, "too long");
  if (x) reach_error();
  return 0;
}
C
cat >"$dir/seldom.c" <<'C'
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[4] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i % 1000003 == 777 && i > 100000) a[i] = 1;
  if (a[0] > 1) reach_error();
  return 0;
}
C
expect "an access outside is in the first line" 0 "^TRUE: unreach-call holds in every run up to undefined behaviour, and some runs have that: access outside of an object at .*outside.c:4:37" "$tool" check "$dir/outside.c"
expect "one of the library is the user's call" 0 "^TRUE: .* some runs have that: .* at .*library.c:6:3" "$tool" check "$dir/library.c"
expect "one that was not seen is not excluded" 0 "^TRUE: unreach-call holds in every run without undefined behaviour, which was not excluded" "$tool" check "$dir/seldom.c"
expect "the twin has none" 0 "^TRUE: unreach-call holds in every run$" "$tool" check "$dir/inside.c"
expect "nor where accesses are what is checked" 10 "^FALSE: valid-deref" "$tool" check --property=valid-memsafety "$dir/outside.c"
finish

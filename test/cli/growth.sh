#!/bin/bash
# Growth: a chain of n calls has a certificate linear in n, and facts about others neither help nor
# hinder a proof.
. "$(dirname "$0")/common"

chain() {   # N: each function adds one, in one case two
  {
    echo 'extern int __VERIFIER_nondet_int(void); extern void reach_error(void);'
    echo 'static int f0(int x) { return x; }'
    for ((i = 1; i < $1; i++)); do
      echo "static int f$i(int x) { if (x == $i) x = x + 1; return f$((i - 1))(x + 1); }"
    done
    echo "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > 50) return 0;"
    echo "  if (f$(($1 - 1))(x) < $2) reach_error(); return 0; }"
  } >"$dir/chain$1.c"
}

for n in 40 160; do
  chain $n 0
  expect "a chain of $n calls" 0 "^RESULT: true" "$tool" check --engine=kinduction --output="$dir/$n" "$dir/chain$n.c"
done
small=$(wc -c <"$dir/40/certificate.txt")
large=$(wc -c <"$dir/160/certificate.txt")
expect "four times the calls, at most 4.8 times the certificate ($small, $large bytes)" 0 "" \
  test $((large * 10)) -le $((small * 48))
chain 40 41
max_lines=400; expect "its broken twin" 10 "^RESULT: false" "$tool" check "$dir/chain40.c"

# Fourteen conditions on a path; what makes it impossible shares no symbol with the last of them.
far() {   # NAME CONDITION
  {
    echo 'extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);'
    echo 'int main(void) {'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
      echo "  unsigned a$i = __VERIFIER_nondet_uint(); if (a$i < $i) return 0;"
    done
    echo '  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();'
    echo "  if (!($2)) return 0; if (y != 5) reach_error(); return 0; }"
  } >"$dir/$1.c"
}
far impossible '(x & 1) && ((x * x) & 1) == 0'
far possible '(x & 1) && ((x * x) & 1) == 1'
expect "a path impossible by far facts" 0 "^RESULT: true" "$tool" check --engine=kinduction "$dir/impossible.c"
expect "its possible twin" 10 "^RESULT: false" "$tool" check "$dir/possible.c"
finish

#!/bin/bash
# twoproof adequacy on recursive programs, over integers and over lists: summaries of functions decide what no stretch between cutpoints says. Each has a broken twin.
. "$(dirname "$0")/common"
max_lines=200
head='extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }'
cat >"$dir/gcd.c" <<C
$head
static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) return 0;
  if (gcd(a, b) <= 0) reach_error();
  return 0;
}
C
sed 's/<= 0) reach_error/<= 1) reach_error/' "$dir/gcd.c" >"$dir/gcd_bad.c"
cat >"$dir/largest.c" <<C
$head
#include <stdlib.h>
struct node { int value; struct node *next; };
static int largest(const struct node *l) {
  if (!l->next) return l->value;
  int m = largest(l->next);
  return m > l->value ? m : l->value;
}
int main(void) {
  struct node *l = NULL;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct node *x = malloc(sizeof *x);
    x->value = __VERIFIER_nondet_int();
    x->next = l;
    l = x;
  }
  if (l && largest(l) < l->value) reach_error();
  return 0;
}
C
sed 's/? m : l->value/? l->value : m/' "$dir/largest.c" >"$dir/largest_bad.c"
cp examples/recursion/{length,mc_carthy,even_odd,list_search}{,_bad}.c "$dir"
mkdir "$dir/tests"
printf '3\n1\n2\n3\n' >"$dir/tests/three.txt"
adequacy="$tool adequacy --timelimit=15 --tests=$dir/tests"
for program in length mc_carthy even_odd gcd; do
  expect "$program is proved by summaries" 0 "^TESTS: " $adequacy "$dir/$program.c"
  last_line_is "$program is true" "RESULT: true"
  expect "$program, broken, fails" 10 "^RESULT: false.unreach-call" $adequacy "$dir/${program}_bad.c"
done
for program in list_search largest; do
  expect "$program of a list of any length" 0 "^RESULT: true" $adequacy --default-predicates=none "$dir/$program.c"
  expect "$program, broken, fails" 10 "^RESULT: false.unreach-call" $adequacy --default-predicates=none "$dir/${program}_bad.c"
done
finish

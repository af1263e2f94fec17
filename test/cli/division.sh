#!/bin/bash
# Divisions in functions with contracts: by variables, by 0, by constants that do not fit the width; each with a twin that is wrong.
. "$(dirname "$0")/common"
max_lines=60
spec() { "$tool" spec --objects=2 --unroll=3 --width=4 "$@"; }

# NAME HOLDS FAILS: the program with two contracts, one that it keeps and one that it breaks
both() {
  sed "s|CONTRACT|$2|" "$dir/$1.c" >"$dir/good.c"
  sed "s|CONTRACT|$3|" "$dir/$1.c" >"$dir/bad.c"
  expect "$1" 1 "RESULT: bounded" spec "$dir/good.c"
  expect "$1, wrong" 10 "RESULT: false" spec "$dir/bad.c"
}

cat >"$dir/quotient.c" <<'C'
//@ requires y != 0
//@ ensures CONTRACT
int f(int x, int y) { return x / y; }
C
both quotient '(x = 7 and y = 2 => \\result = 3) and (x = minus[0, 7] and y = 2 => \\result = minus[0, 3]) and (y = minus[0, 1] and x < 0 => \\result > 0)' 'x = minus[0, 7] and y = 2 => \\result = minus[0, 4]'
cat >"$dir/rest.c" <<'C'
//@ requires y != 0
//@ ensures CONTRACT
int f(int x, int y) { return x % y; }
C
both rest '(x = 7 and y = 4 => \\result = 3) and (x = minus[0, 7] and y = 4 => \\result = minus[0, 3]) and (x >= 0 => \\result >= 0)' '\\result >= 0'
cat >"$dir/unsigned.c" <<'C'
//@ requires y > 0 and x >= 0
//@ ensures CONTRACT
unsigned f(unsigned x, unsigned y) { return x / y + x % y; }
C
both unsigned '(x < y => \\result = x) and (y = 1 => \\result = x) and (x = 7 and y = 3 => \\result = 3)' 'x = 7 and y = 3 => \\result = 2'

# A table whose size is a variable: the index stays inside.
cat >"$dir/table.c" <<'C'
struct table { unsigned size; int *at; };
//@ requires t != null and t.at != null and t.size > 0 and CONTRACT #t.at.\elements and h >= 0
int f(struct table *t, unsigned h) { return t->at[h % t->size]; }
C
both table 't.size =' 't.size >'

# ---- by 0
cat >"$dir/zero.c" <<'C'
//@ requires CONTRACT
//@ ensures x = 0 => \result = 0
int f(int x, int y) { return x / y; }
C
both zero 'y != 0' 'x >= 0'
expect "by 0: what fails is said" 10 "division by zero" spec "$dir/bad.c"
cat >"$dir/inside.c" <<'C'
static int half(int x, int y) { return x / y; }
//@ requires CONTRACT
//@ ensures x >= 0
int f(int x, int y) { return half(x, y); }
C
for m in inline summary frame havoc; do
  sed 's/CONTRACT/y > 0 and x >= 0/' "$dir/inside.c" >"$dir/good.c"
  sed 's/CONTRACT/y >= 0 and x >= 0/' "$dir/inside.c" >"$dir/bad.c"
  expect "by 0 inside of calls, $m" 1 "RESULT: bounded" spec --calls=$m --function=f "$dir/good.c"
  expect "by 0 inside of calls, $m, wrong" 10 "RESULT: false" spec --calls=$m --function=f "$dir/bad.c"
done

# ---- by a constant beyond the width: the least number is as large as that
cat >"$dir/least.c" <<'C'
//@ ensures CONTRACT
int f(int x) { return x / 8 - x % 8; }
C
both least '(x >= 0 => \\result = minus[0, x]) and (x < minus[0, 7] => \\result = minus[0, 1]) and (x = minus[0, 7] => \\result = 7)' 'x < minus[0, 7] => \\result = 0'
cat >"$dir/eighth.c" <<'C'
//@ ensures CONTRACT
int f(int x) { return x / 8; }
C
both eighth '\\result <= 0' '\\result = 0'
finish

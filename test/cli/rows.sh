#!/bin/bash
# tools/rows says what is wrong with a table, and with tests that did not pass: planted in copies of the table and in logs.
. "$(dirname "$0")/common"
max_lines=400
table=test/rows.tsv
tab=$(printf '\t')

# planted NAME PATTERN SED: the edited copy is refused in these words; the edit changes something.
planted() {
  sed "$3" $table >"$dir/table"
  if cmp -s $table "$dir/table"; then failed=$((failed + 1)) && echo "FAILED $1: nothing was planted"; return; fi
  expect "$1" 1 "^WRONG $2" tools/rows --table "$dir/table" --log "$dir/none"
}

expect "the table is right" 0 "^[0-9]+ done, [0-9]+ do not hold, [0-9]+ open: 234 rows$" tools/rows --log "$dir/none"
expect "the counts add up" 0 "" awk '{ exit $1 + $3 + $7 != 234 }' "$dir/out"
planted "a row that is gone" "K09: the row is missing" '/^K09\t/d'
planted "a row that the sources do not have" "Y32: no such row" "\$aY32${tab}done${tab}nothing"
planted "a row twice" ".*S28 a second time" '/^S28\t/{p;}'
planted "done without a test" "X83: done without a test" 's/^X83\t[^\t]*/X83\tdone/'
planted "done with an excuse" "S26: done, and something is said behind it" 's/^S26\t.*/&\tnearly/'
planted "an unknown state" "F33: unknown state" 's/^F33\tdone/F33\tlanded/'
planted "a relation that does not hold, without a reason" "X05: does not hold without" 's/^\(X05\t[^\t]*\t[^\t]*\)\t.*/\1/'
planted "a reason without a measurement" "X05: does not hold without" 's/^\(X05\t[^\t]*\t[^\t]*\)\t.*/\1\tThe engine is too fast for that./'
planted "a reason that is no sentence" "X05: does not hold without" 's/^\(X05\t[^\t]*\t[^\t]*\)\t.*/\1\t3.2 s/'
planted "open without an issue" "K30: open without an issue" 's/^K30\t[^\t]*/K30\topen/'
planted "open by a number alone" "K30: open without an issue" 's/^K30\t[^\t]*/K30\topen by issue 24/'
planted "no obligation" "F10: no obligation" 's/^\(F10\tdone\)\t.*/\1\t/'
planted "columns that run together" ".*: 2 columns" 's/^\(F11\tdone\)\t/\1 /'

# Logs: a test that failed, one that passed, rows without any.
mkdir "$dir/log"
for i in $(cut -f1 $table | grep -v '^#'); do echo "ok ${i}_planted"; done >"$dir/log/all.log"
expect "all tests passed" 0 "" tools/rows --log "$dir/log"
echo "[  FAILED  ] S26_the_earliest_state_makes_ways_short" >"$dir/log/one.log"
expect "a test that failed" 1 "^WRONG S26: a test failed" tools/rows --log "$dir/log"
echo "FAILED X05_list_3: got nothing" >"$dir/log/one.log"
expect "a test of a relation that does not hold failed" 1 "^WRONG X05: a test failed" tools/rows --log "$dir/log"
rm "$dir/log/one.log"
sed -i 's/^ok X21_/soak X21_/' "$dir/log/all.log"
expect "a test that is left to the soak" 0 "^left to make soak: X21$" tools/rows --log "$dir/log"
sed -i 's/^soak X21_/soaked X21_/' "$dir/log/all.log"
expect "a test that is left to nobody" 1 "^WRONG X21: its tests did not run" tools/rows --log "$dir/log"
sed -i '/^ok Y20_/d; s/^ok K35_/ok FIXK35_/' "$dir/log/all.log"
expect "a test that did not run" 1 "^WRONG Y20: its tests did not run" tools/rows --log "$dir/log"
expect "another test of a similar name" 1 "^WRONG K35: its tests did not run" tools/rows --log "$dir/log"
finish

#!/bin/bash
# Procedures: calls are questions of their own (S24), answered by summaries (S25), which certificates carry and the checker shows one by one. TRUE twins by checked certificates, FALSE twins by inputs
# that the compiled program fails with; what was asked is counted.
. "$(dirname "$0")/../cli/common"
max_lines=100  # error paths of lists and recursion
smash() { "$tool" check --engine=smash --timelimit=30 --stats="$dir/stats.json" --output="$dir/$1" "examples/recursion/$1.c"; }
# count NAME KEY OPERATOR NUMBER: a statistic of the last run
count() {
  got=$(sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$dir/stats.json" | head -n 1)
  why=
  [ "${got:-none}" != none ] && [ "$got" "$3" "$4" ] || why="$2 is ${got:-missing}, not $3 $4"
  name=$1
  verdict_of_case
}
for f in length mc_carthy lock two_calls list_search; do
  expect "S24_$f" 0 "^RESULT: true$" smash "$f"
  expect "S24_${f}_bad" 10 "^RESULT: false.unreach-call.$" smash "${f}_bad"
done

# A chain of two levels, called twice: the second call is answered by what the first one left behind. With one call only there are as many questions that go on in the callee.
expect S25_twice 0 "^RESULT: true$" smash two_calls
count S25_hits summary_hits -ge 1
count S25_not_may not_may_summaries -ge 2
twice=$(sed -n 's/.*"sub_queries": *\([0-9]*\).*/\1/p' "$dir/stats.json")
sed '/int q/,/q > 11/d' examples/recursion/two_calls.c >"$dir/one_call.c"
expect S25_once 0 "^RESULT: true$" "$tool" check --engine=smash --timelimit=30 --stats="$dir/stats.json" "$dir/one_call.c"
count S25_as_many_questions sub_queries -eq "${twice:-99}"

# Recursion is one contract, by induction: the post relates the result to the argument. Forgeries: test/certify/summaries_test.c.
expect S25_recursion 0 "^RESULT: true$" smash length
count S25_depth tests_run -le 5
expect S25_relates 0 "post 1 .EQ" cat "$dir/length/certificate.txt"

# adequacy decides recursion by the same summaries.
expect S25_adequacy 0 "^RESULT: true$" "$tool" adequacy --timelimit=30 examples/recursion/length.c
expect S25_adequacy_bad 10 "^RESULT: false" "$tool" adequacy --timelimit=30 examples/recursion/length_bad.c

# engine synergy and auto ask smash about recursion, which they gave up on before.
expect S25_synergy 0 "^Proved by synergy" "$tool" check --engine=synergy --timelimit=30 examples/recursion/length.c
expect S25_auto 0 "^Proved by smash" "$tool" check --timelimit=60 examples/recursion/length.c

expect S25_printed_not_may 0 "^not-may +length: from -1 < n never to n != result$" "$tool" dump --summaries examples/recursion/length.c
expect S25_printed_must 0 "^must +length: from -1 < n to n == result" "$tool" dump --summaries examples/recursion/length.c
finish

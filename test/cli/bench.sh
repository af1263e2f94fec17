#!/bin/bash
# bench: the store, going on after a kill, comparisons, and tasks that do not behave.
. "$(dirname "$0")/common"
max_lines=200

echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >"$dir/unreach-call.prp"
# task NAME EXPECTED CONDITION
task() {
  echo "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); if ($3) reach_error(); return 0; }" >"$dir/tasks/$1.c"
  printf "format_version: '%s'\ninput_files: '%s.c'\nproperties:\n  - property_file: ../unreach-call.prp\n    expected_verdict: %s\noptions:\n  language: C\n  data_model: LP64\n" \
    "${4:-2.0}" "$1" "$2" >"$dir/tasks/$1.yml"
}
mkdir "$dir/tasks"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
  case $((i % 2)) in
  0) task "t$i" false "n == $i" 2.1 ;;
  1) task "t$i" true "n == $i \&\& n > $((i + 1))" ;;
  esac
done
sed -i 's/\\&/\&/g' "$dir"/tasks/*.c
sql() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())' "$dir/$1" "$2"; }

# the store
expect "a run is kept" 0 "^12 tasks in .* 12 right" "$tool" bench --store="$dir/a.db" --label=a "$dir/tasks"
expect "a row for each task" 0 "^12 12 12 0$" sql a.db "select count(*), count(distinct task), sum(grade = 'right'), sum(cpu_s <= 0) from runs where label = 'a'"
expect "certificates have a hash, answers their statistics" 0 "^6 12$" sql a.db "select sum(length(certificate) = 16), sum(json_extract(statistics, '\$.times.cpu_s') >= 0) from runs"
expect "what is there is not run again" 0 "12 right, 0 wrong, 0 unknown \(12 from the store\)" "$tool" bench --store="$dir/a.db" --label=a "$dir/tasks"
task t1 true "n == 100 && n > 101"
expect "changed inputs are run again" 0 "\(11 from the store\)" "$tool" bench --store="$dir/a.db" --label=a "$dir/tasks"
expect "in place of the old row" 0 "^12$" sql a.db "select count(*) from runs"
expect "other options need another label" 64 "label 'a' is that of a run of .* choose another --label" "$tool" bench --store="$dir/a.db" --label=a --seed=2 "$dir/tasks"
expect "a store that is none" 64 "not a database" sh -c "printf '%0999d' 7 >'$dir/bad.db'; exec '$tool' bench --store='$dir/bad.db' '$dir/tasks'"

# killed at some moment, again and again
name="killed and resumed" why=
for moment in 0.05 0.15 0.25 0.1 0.3 0.2; do
  { timeout -s KILL $moment "$tool" bench --store="$dir/k.db" --label=a "$dir/tasks" >/dev/null; } 2>/dev/null
done
"$tool" bench --store="$dir/k.db" --label=a "$dir/tasks" >"$dir/out" 2>&1 || why="status $?"
[ "$(sql k.db "select group_concat(task || verdict || certificate) from (select * from runs order by task)")" = \
  "$(sql a.db "select group_concat(task || verdict || certificate) from (select * from runs order by task)")" ] || why="$why; rows differ"
cp "$dir/out" "$dir/both"
for i in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(pgrep -f "bench --store=$dir/k.db")" ] && break; sleep 0.2; done
rm -rf "${TMPDIR:?}"/*  # of the killed ones: nobody was left to remove it
leftovers
verdict_of_case

# comparisons
cp "$dir/a.db" "$dir/b.db"
python3 - "$dir/b.db" <<'P'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("update runs set label = 'b'")
def change(task, **columns):
    for column, value in columns.items(): db.execute(f"update runs set {column} = ? where task like ?", (value, f"%/{task}.yml"))
change("t1", verdict="false(unreach-call)", grade="wrong")
change("t2", verdict="unknown", grade="unknown")
change("t3", cpu_s=9)
db.commit()
P
expect "new wrong decides the status" 70 "^NEW WRONG +.*/t1.yml, unreach-call: true -> false" "$tool" bench compare "$dir/a.db" "$dir/b.db"
why=; grep -q "^lost .*/t2.yml" "$dir/out" && grep -q "^slower .*/t3.yml" "$dir/out" && grep -q "1 new wrong, 1 lost, 0 gained, 0 faster, 1 slower" "$dir/out" || why="$(cat "$dir/out")"; name="lost and slower" verdict_of_case
expect "the other way round" 0 "0 new wrong, 0 lost, 1 gained, 1 faster, 0 slower" "$tool" bench compare "$dir/b.db:b" "$dir/a.db:a"
expect "no such store" 64 "no such store" "$tool" bench compare "$dir/a.db" "$dir/none.db"

# a report: well-formed, with every task, loading nothing
expect "a report of one run" 0 "<h1>a</h1>" "$tool" bench report "$dir/a.db"
why=; grep -q "src=\|http:\|https:\|url(" "$dir/out" && why="it loads something"; [ "$(grep -c '<tr class="right">' "$dir/out")" = 12 ] || why="$why; not every task"; name="every task, and nothing from elsewhere" verdict_of_case
expect "a report of two" 0 "" "$tool" bench report "$dir/a.db" "$dir/b.db"
why=$(python3 -c '
import re, sys, xml.dom.minidom as xml
text = open(sys.argv[1]).read()
plots = [xml.parseString(p) for p in re.findall("<svg.*?</svg>", text, re.S)]
points = [len(p.getElementsByTagName("circle")) for p in plots]
print("" if points == [0, 12] else points)' "$dir/out" 2>&1); name="its plots" verdict_of_case

# what is missing is named, and the others are run all the same
mkdir "$dir/missing"
definition() { printf "format_version: '2.0'\ninput_files: '%s'\nproperties:\n  - property_file: %s\n    expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n" "$2" "$3" >"$dir/missing/$1.yml"; }
definition fine ../tasks/t2.c ../unreach-call.prp
expect "nothing is missing" 0 "^1 tasks in [0-9]+ s: 1 right, 0 wrong, 0 unknown$" "$tool" bench "$dir/missing"
definition no_property ../tasks/t2.c none.prp
expect "a property file that is missing" 6 "^no_property.yml .* none .* error .*not run: property file .*/missing/none.prp: No such file" "$tool" bench "$dir/missing"
why=; grep -q "^1 tasks in [0-9]* s: 1 right, 0 wrong, 0 unknown, 1 not run: files are missing$" "$dir/out" || why="$(tail -n 1 "$dir/out")"; name="the others are run" verdict_of_case
rm "$dir/missing/no_property.yml"
definition no_input none.c ../unreach-call.prp
expect "an input file that is missing" 6 "^no_input.yml .* error .*not run: input file .*/missing/none.c: No such file" "$tool" bench --store="$dir/missing.db" "$dir/missing"
expect "what is not run is not kept" 0 "^1$" sql missing.db "select count(*) from runs"
rm "$dir/missing/no_input.yml"
echo 'CHECK( init(main()), LTL(F end) )' >"$dir/termination.prp"
definition loop ../tasks/t2.c ../termination.prp
expect "other properties are skipped by name" 0 "1 right, 0 wrong, 0 unknown \(1 with other properties skipped: termination\)$" "$tool" bench "$dir/missing"

# tasks that do not behave: another program in the tool's place
rude() {
  printf '#!/bin/bash\n[ "$1" = --version ] && { echo rude; exit; }\n%s\n' "$2" >"$dir/$1"
  chmod +x "$dir/$1"
}
printf 't1.yml\n' >"$dir/tasks/one.set"
one() { "$tool" bench --tool="$dir/$1" --timelimit=1 --memlimit=64 --jobs=1 --store="$dir/rude.db" --label="$1" "$dir/tasks/one.set"; }
gone() { why=; for i in 1 2 3 4 5; do pgrep -f "$1" >/dev/null || break; sleep 0.2; done; pgrep -f "$1" >/dev/null && why="$(pgrep -af "$1")"; name="nothing is left of it: $2" verdict_of_case; }
rude session 'setsid sleep 98761 & setsid bash -c "trap : TERM INT HUP; while :; do sleep 98762; done" & disown -a; echo "RESULT: true"'
expect "sessions of their own" 0 "t1.yml .* right .* true" one session
gone "sleep 9876" session
rude bomb 'bomb() { [ $1 -gt 0 ] && { bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; sleep 98763; }; bomb 6; echo "RESULT: true"'
expect "many processes that sleep" 0 "unknown: ended by the limit of wall" one bomb
gone "sleep 98763" bomb
rude busy 'trap : TERM; (while :; do :; done) & while :; do :; done'
expect "CPU of all processes" 0 "unknown: ended by the limit of cpu" one busy
rude hungry 'tail -c 900000000 /dev/zero | tail -c 900000000 >/dev/null; echo "RESULT: true"'
expect "memory of all processes" 0 "unknown: ended by the limit of memory" one hungry
rude chatty 'trap "" PIPE; while echo "RESULT: true"; do :; done'
expect "output without end" 0 "unknown: ended by the limit of (output|cpu|wall)" one chatty
rude silent 'exit 3'
expect "no answer" 0 "unknown: no answer, status 3" one silent
expect "every end is recorded" 0 "^6 0$" sql rude.db "select count(*), sum(end = 'failed') from runs"
finish

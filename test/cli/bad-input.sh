#!/bin/bash
# Bad input of every kind: a message that fits on a screen, the right status, nothing left behind. A file of a megabyte, with TP_SOAK=1 of ten.
. "$(dirname "$0")/common"

cat >"$dir/good.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 5) reach_error(); return 0; }
C
echo 'int f(void) { return 1; }' >"$dir/nomain.c"
printf 'int main(void) {\n  int x = ;\n  return 0;\n}\n' >"$dir/syntax.c"
: >"$dir/empty.c"
head -c 20000 /dev/urandom >"$dir/binary.c"
head -c 20000 /dev/urandom >"$dir/binary.i"
{ echo 'void reach_error(void) {}'
  awk -v n=$(soak && echo 150000 || echo 15000) 'BEGIN { for (i = 0; i < n; i++) printf "int f%d(int x) { return x + %d; } /* some words to fill the line */\n", i, i }'
  echo 'int main(void) { if (f7(1) == 9) reach_error(); return 0; }'; } >"$dir/big.c"

expect "missing file" 6 "No such file" "$tool" check "$dir/none.c"
last_line_is "missing file, last line" "RESULT: unknown(the input cannot be read)"
expect "directory as file" 6 "is a directory" "$tool" check "$dir"
expect "syntax error" 6 "syntax.c:2:11: error: expected expression" "$tool" check "$dir/syntax.c"
expect "no main" 6 "no function main: add one that calls" "$tool" check "$dir/nomain.c"
printf 'int shared = 1;\nint main(void) { return 0; }\n' >"$dir/one.c"
printf 'int main(void) { return 1; }\n' >"$dir/two.c"
printf 'int shared = 2;\nint f(void) { return 1; }\n' >"$dir/three.c"
printf 'static int shared;\nint __attribute__((weak)) f(void) { return shared; }\n' >"$dir/four.c"
expect "two mains" 6 "main is defined in .*one.c and in .*two.c: a program has one main; verify these files one by one" "$tool" check "$dir/one.c" "$dir/two.c"
expect "a variable twice" 6 "shared is defined in .*one.c and in .*three.c: leave one of the files out" "$tool" check "$dir/one.c" "$dir/three.c"
why=; grep -q "Linking globals\|multiply" "$dir/both" && why="$(cat "$dir/both")"; name="in the words of users" verdict_of_case
expect "static and weak definitions do not clash" 0 "^RESULT: true" "$tool" check "$dir/one.c" "$dir/four.c"
expect "nor do weak ones with others" 0 "^RESULT: true" "$tool" check "$dir/two.c" "$dir/three.c" "$dir/four.c"
expect "empty file" 6 "no function main" "$tool" check "$dir/empty.c"
expect "binary garbage" 6 "error" "$tool" check "$dir/binary.c"
expect "binary garbage, preprocessed" 6 "error" "$tool" check "$dir/binary.i"
expect "unknown option" 64 "unknown option '--no-such-option'" "$tool" check --no-such-option "$dir/good.c"
expect "unknown command" 64 "unknown command" "$tool" prove "$dir/good.c"
expect "nothing has a contract" 6 "no function has a contract" "$tool" spec "$dir/good.c"
expect "no file" 64 "no file given" "$tool" check
expect "bad number" 64 "not a number" "$tool" check --timelimit=soon "$dir/good.c"
expect "bad choice" 64 "not one of" "$tool" check --machine=pdp11 "$dir/good.c"
expect "unknown property" 64 "unknown property" "$tool" check --property=liveness "$dir/good.c"
expect "unreadable property file" 64 "cannot read property file" "$tool" check --property="$dir/none.prp" "$dir/good.c"
echo 'CHECK( init(main()), LTL(F end) )' >"$dir/end.prp"
expect "property of another kind" 64 "end.prp: termination" "$tool" check --property="$dir/end.prp" "$dir/good.c"
echo 'hello' >"$dir/bad.prp"
expect "no property file" 64 "bad.prp" "$tool" check --property="$dir/bad.prp" "$dir/good.c"
: >"$dir/file"
expect "unwritable output" 64 "cannot write" "$tool" check --output="$dir/file/sub" "$dir/good.c"
expect "output is a file" 64 "cannot write" "$tool" check --output="$dir/file" "$dir/good.c"
expect "unwritable statistics" 64 "cannot write" "$tool" check --stats="$dir/none/s.json" "$dir/good.c"
expect "unreadable configuration" 64 "cannot read configuration" "$tool" check --config="$dir/none.cfg" "$dir/good.c"
printf '# comment\nno-such = 1\n' >"$dir/bad.cfg"
expect "bad configuration" 64 "bad.cfg:2" "$tool" check --config="$dir/bad.cfg" "$dir/good.c"
expect "megabytes" "$([ -n "$BIG_STATUS" ] && echo "$BIG_STATUS" || echo 0)" "RESULT: " "$tool" check --timelimit=120 "$dir/big.c"
expect "bench without tasks" 64 "no .yml" "$tool" bench "$TMPDIR"
echo 'a: [' >"$dir/bad.yml"
expect "bad task definition" 64 "not a task definition" "$tool" bench "$dir/bad.yml"
expect "unreadable test" 6 "No such file" "$tool" replay "$dir/good.c" "$dir/none.txt"
echo 'what?' >"$dir/bad.txt"
expect "bad test" 6 "bad.txt" "$tool" replay "$dir/good.c" "$dir/bad.txt"

# More memory than allowed: a loop that has to be unrolled, with a table in it.
cat >"$dir/hungry.c" <<'C'
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
expect "more memory than the limit" 5 "UNKNOWN: (out of memory|.*memory|.*limit)" "$tool" check --memlimit=60 --timelimit=60 "$dir/hungry.c"

# Interrupts: the reason is named, nothing stays behind.
for signal in INT TERM; do
  ("$tool" check "$dir/hungry.c" >"$dir/out" 2>"$dir/err" & pid=$!; sleep 1.5; kill -$signal $pid; wait $pid; echo $? >"$dir/status")
  name="interrupted by SIG$signal" why=
  cat "$dir/out" "$dir/err" >"$dir/both"
  [ "$(cat "$dir/status")" = 5 ] || why="status $(cat "$dir/status")"
  [ "$(tail -n 1 "$dir/out")" = "RESULT: unknown(interrupted)" ] || why="$why; $(tail -n 1 "$dir/out")"
  grep -q "^  next:  with a limit, such as --walltime=60" "$dir/out" || why="$why; no advice"
  leftovers
  verdict_of_case
done
finish

#!/bin/bash
# What surrounds the tool: limits of the shell, closed or full streams, an odd environment, missing programs, signals, processes that others kill.
. "$(dirname "$0")/common"

cat >"$dir/bad.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 15) reach_error(); return 0; }
C
sed 's/x < 15/x < 5/' "$dir/bad.c" >"$dir/good.c"
cat >"$dir/loop.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < n; i++) s += i % 7; if (s == 12345) reach_error(); return 0; }
C
printf '//@ ensures \\result == 1;\nint one(int x) { return x; }\n' >"$dir/one.c"
with() { bash -c "$1; exec \"\$@\"" bash "${@:2}"; }

# Output that nobody takes is no verdict.
to_full() { "$@" >/dev/full; }
for file in good bad; do
  expect "standard output is full: $file" 74 "cannot be written to standard output: No space left" to_full "$tool" check "$dir/$file.c"
  expect "standard output is closed: $file" 74 "cannot be written to standard output" with 'exec >&-' "$tool" check "$dir/$file.c"
done
reader_leaves() { "$@" | true; return "${PIPESTATUS[0]}"; }
expect "nobody reads standard output" 74 "cannot be written to standard output: Broken pipe" reader_leaves "$tool" check "$dir/good.c"
expect "nobody reads the model" 74 "Broken pipe" reader_leaves "$tool" dump "$dir/good.c"
expect "help to a full disk" 74 "No space left" to_full "$tool" --help
expect "contracts to a full disk" 74 "No space left" to_full "$tool" spec "$dir/one.c"
expect "statistics to a full disk" 74 "RESULT: unknown\(the evidence could not be written\)" "$tool" check --stats=/dev/full "$dir/good.c"
mkdir "$dir/small"
if mount -t tmpfs -o size=4k tmpfs "$dir/small" 2>/dev/null; then
  expect "evidence to a full disk" 74 "RESULT: unknown\(the evidence could not be written\)" "$tool" check --output="$dir/small" "$dir/bad.c"
  expect "temporary files on a full disk" 5 "No space left on device" env TMPDIR="$dir/small" "$tool" check "$dir/bad.c"
  umount "$dir/small"
fi
expect "no folder for temporary files" 74 "cannot create a temporary directory in /none: No such file" env TMPDIR=/none "$tool" check "$dir/good.c"
last_line_is "no folder for temporary files, last line" "RESULT: unknown(no temporary directory)"
expect "standard error is closed" 10 "RESULT: false" with 'exec 2>&-' "$tool" check "$dir/bad.c"
expect "all streams are closed" 74 "" with 'exec <&- >&- 2>&-' "$tool" check "$dir/bad.c"

# Programs that are missing.
mkdir "$dir/none" "$dir/clang"
ln -s "$(PATH=/usr/bin:/usr/local/bin:$PATH command -v clang-19)" "$dir/clang"
for command in check dump adequacy spec; do
  expect "$command without a compiler" 69 "cannot run clang-19" env PATH="$dir/none" "$tool" "$command" "$dir/one.c"
done
expect "no linker" 5 "clang: could not build.*ld" env PATH="$dir/clang" "$tool" check "$dir/bad.c"

# Limits of the shell. What the shell inherited counts as open.
no_others='exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-'
expect "four open files" 74 "cannot create a temporary directory in .*: Too many open files" with "$no_others; ulimit -n 4" "$tool" check "$dir/bad.c"
expect "ten open files" 0 "RESULT: true" with "$no_others; ulimit -n 10" "$tool" check "$dir/good.c"
no_bytes() { with 'ulimit -f 0' "$@" 2>&1 | cat; return "${PIPESTATUS[0]}"; }
expect "no bytes in files" 5 "File size limit|File too large" no_bytes "$tool" check "$dir/bad.c"
expect "a second of CPU time" 5 "time limit|interrupted" with 'ulimit -t 1' "$tool" check --engine=bmc "$dir/loop.c"
expect "a small stack" 10 "RESULT: false" with 'ulimit -s 200' "$tool" check "$dir/bad.c"

# Environments.
expect "options for clang in the environment" 10 "RESULT: false" env CCC_OVERRIDE_OPTIONS="+-Dreach_error=other" "$tool" check "$dir/bad.c"
expect "gcc notes dependencies" 10 "RESULT: false" env DEPENDENCIES_OUTPUT="$dir/dependencies" "$tool" check "$dir/bad.c"
[ ! -e "$dir/dependencies" ] || { failed=$((failed + 1)); echo "FAILED a file of dependencies was written"; }
expect "an odd locale" 10 "RESULT: false" env LC_ALL=tr_TR.UTF-8 LANGUAGE=de "$tool" check "$dir/bad.c"
expect "no environment but PATH" 10 "RESULT: false" env -i PATH="$PATH" TMPDIR="$TMPDIR" "$tool" check "$dir/bad.c"
expect "an odd name of the program" 10 "RESULT: false" bash -c 'exec -a "" "$@"' bash "$tool" check "$dir/bad.c"
mkdir "$dir/gone"
expect "the working directory is gone" 10 "RESULT: false" with "cd $dir/gone && rmdir $dir/gone" "$tool" check "$dir/bad.c"

# The source goes away while the tool works; a worker is killed by others; signals in every phase.
cp "$dir/bad.c" "$dir/leaves.c"
mkfifo "$dir/gate.h"
echo '#include "gate.h"' >>"$dir/leaves.c"
deleted() { (sleep 0.5; rm "$dir/leaves.c"; echo >"$dir/gate.h") & "$@"; got=$?; wait; return $got; }
expect "the source is deleted meanwhile" 5 "could not build.*no such file" deleted "$tool" check --timelimit=20 "$dir/leaves.c"
descendant() { at=$1; for ((i = 0; i < $2; i++)); do at=$(cut -d' ' -f1 "/proc/$at/task/$at/children" 2>/dev/null); done; echo "$at"; }
killed_worker() {
  "$@" >"$dir/out2" 2>&1 &
  pid=$!
  sleep 1
  kill -9 "$(descendant $pid 3)"
  wait $pid
  got=$?
  cat "$dir/out2"
  return $got
}
expect "a worker is killed" 5 "bmc was killed from outside" killed_worker "$tool" check --engine=bmc "$dir/loop.c"
killed_main() { "$@" >"$dir/out2" 2>&1 & pid=$!; sleep 1; kill -9 "$(descendant $pid 2)"; wait $pid; got=$?; cat "$dir/out2"; return $got; }
expect "the main process is killed" 5 "RESULT: unknown\(killed\)" killed_main "$tool" check --engine=bmc "$dir/loop.c"
for signal in HUP TERM INT; do
  for after in 0.1 0.3 1; do
    for times in 1 2; do
      "$tool" check "$dir/loop.c" >"$dir/out" 2>"$dir/err" </dev/null &
      pid=$!
      sleep $after
      for ((i = 0; i < times; i++)); do kill -$signal $pid; done
      wait $pid
      got=$? name="SIG$signal $times times after $after s" why=
      [ $got = 5 ] || [ $got -gt 128 ] || why="status $got"
      [ $got -gt 128 ] || [ "$(tail -n 1 "$dir/out")" = "RESULT: unknown(interrupted)" ] || why="$why; $(tail -n 1 "$dir/out")"
      cat "$dir/out" "$dir/err" >"$dir/both"
      leftovers
      verdict_of_case
    done
  done
done
finish

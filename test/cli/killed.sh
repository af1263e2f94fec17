#!/bin/bash
# Killed at random moments, the tool leaves no process and no temporary file: whatever the killed process had started ends within two seconds,
# compilers with their assemblers, native runs and solvers behind pipes among it.
. "$(dirname "$0")/common"

cat >"$dir/bad.c" <<'C'
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 15) reach_error(); return 0; }
C
cat >"$dir/waits.c" <<'C'
extern unsigned sleep(unsigned);
void reach_error(void) {}
int main(void) { sleep(1000); reach_error(); return 0; }
C
cat >"$dir/loop.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < n; i++) s += i % 7; if (s == 12345) reach_error(); return 0; }
C
cat >"$dir/even.c" <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < n; i++) s += 2; if (s % 2) reach_error(); return 0; }
C
mkfifo "$dir/never"
echo "#include \"$dir/never\"" >"$dir/blocked.c"

# Processes that were started below this test's temporary folder, by environment or working directory.
left() {
  for p in /proc/[0-9]*; do
    case $(readlink "$p/cwd" 2>/dev/null) in "$TMPDIR"*) echo "${p#/proc/}:$(tr '\0' ' ' <"$p/cmdline" 2>/dev/null)"; continue ;; esac
    grep -qzs "^TMPDIR=$TMPDIR" "$p/environ" && grep -qsE 'twoproof|clang|gcc|cc1|cvc5|/as |/ld ' "$p/cmdline" && echo "${p#/proc/}:$(tr '\0' ' ' <"$p/cmdline" 2>/dev/null)"
  done
}

# The pid is that of the tool itself; which: which of its processes is killed.
kill_once() {
  seconds=$1 which=$2
  shift 2
  "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null &
  pid=$!
  sleep "$seconds"
  victim=$pid
  for ((generation = 0; generation < which; generation++)); do victim=$(head -c 20 "/proc/$victim/task/$victim/children" 2>/dev/null | cut -d' ' -f1); done
  [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null
  wait $pid 2>/dev/null
  for ((turn = 0; turn < 20; turn++)); do
    rest=$(left)
    [ -z "$rest" ] && [ -z "$(ls -A "$TMPDIR")" ] && return 0
    sleep 0.1
  done
  # killed before its keeper lived: the next run removes the folder
  [ -z "$rest" ] && "$tool" dump "$dir/bad.c" >"$dir/out" 2>&1 && [ -z "$(ls -A "$TMPDIR")" ] && return 0
  why="after ${seconds}s, generation $which: $rest $(ls "$TMPDIR")"
  return 1
}

campaign() {
  name=$1 which=$2 count=$3 most=$4
  shift 4
  why=
  for ((i = 0; i < count; i++)); do
    kill_once "$(awk -v r=$RANDOM -v m="$most" 'BEGIN { printf "%.3f", r / 32768 * m }')" "$which" "$@" || break
  done
  : >"$dir/both"
  verdict_of_case
}

RANDOM=7
n=$([ -n "$TP_SOAK" ] && echo 50 || echo 3)
campaign "killed while it compiles, searches and builds" 0 "$n" 0.4 check "$dir/bad.c"
campaign "killed while clang waits" 0 "$n" 0.3 check "$dir/blocked.c"
campaign "killed while the compiled program waits" 0 "$n" 0.6 check "$dir/waits.c"
campaign "killed while engines search" 0 "$n" 0.8 check "$dir/loop.c"
campaign "killed while a solver behind a pipe works" 0 "$n" 0.8 check --engine=kinduction --second-opinion "$dir/even.c"
campaign "the keeper is killed" 1 "$n" 0.5 check "$dir/bad.c"
campaign "the main process is killed" 2 "$n" 0.5 check "$dir/bad.c"

# Everything at once: nobody is left to remove the temporary folder. The next run does, and leaves alone what another run uses.
why=
"$tool" check "$dir/waits.c" >"$dir/out" 2>"$dir/err" </dev/null &
other=$!
"$tool" check "$dir/waits.c" >"$dir/out2" 2>"$dir/err2" </dev/null &
pid=$!
for ((turn = 0; turn < 50 && $(ls "$TMPDIR" | wc -l) < 2; turn++)); do sleep 0.1; done
keeper=$(head -c 20 "/proc/$pid/task/$pid/children" | cut -d' ' -f1)
kill -STOP "$keeper"
kill -9 "$pid" "$keeper"
wait "$pid" 2>/dev/null
[ "$(ls "$TMPDIR" | wc -l)" = 2 ] || why="folders: $(ls "$TMPDIR")"
"$tool" check "$dir/even.c" --timelimit=20 >"$dir/out2" 2>&1 </dev/null
[ "$(ls "$TMPDIR" | wc -l)" = 1 ] || why="$why; after the next run: $(ls "$TMPDIR")"
kill "$other"
wait "$other"
[ -z "$(ls -A "$TMPDIR")" ] || why="$why; at the end: $(ls "$TMPDIR")"
name="all killed: the next run removes what is left"
: >"$dir/both"
verdict_of_case
finish

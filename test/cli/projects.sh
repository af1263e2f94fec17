#!/bin/bash
# Projects: what is linked, with which flags, from a compilation database that builds write and one that `twoproof cc` writes; replays; what is said of databases
# that cannot be read and of files that are not in them.
. "$(dirname "$0")/common"

is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
run() {
  (cd "$dir/p" && timeout 120 "$tool" "$@") >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; ! grep -Fq -e "$2" "$dir/both" || why="a line has '$2'"; name=$1 verdict_of_case; }

mkdir -p "$dir/p/src" "$dir/p/include/ring" "$dir/p/tools"
cat >"$dir/p/include/ring/ring.h" <<'C'
struct ring { int at[SIZE], first, n; };
int ring_put(struct ring *r, int x);
int ring_get(struct ring *r);
int wrap(int i);
C
cat >"$dir/p/src/ring.c" <<'C'
#include <ring/ring.h>
#include "local.h"
int ring_put(struct ring *r, int x) {
  if (r->n == SIZE - SLACK) return FULL;
  r->at[wrap(r->first + r->n++)] = x;
  return 0;
}
int ring_get(struct ring *r) {
  int x = r->at[r->first];
  r->first = wrap(r->first + 1);
  r->n--;
  return x;
}
C
echo '#define FULL -1' >"$dir/p/src/local.h"
cat >"$dir/p/src/wrap.c" <<'C'
#ifdef SLACK
#error this unit has no slack
#endif
int wrap(int i) { return i % SIZE; }
int never_needed(void) { return 1; }
C
cat >"$dir/p/tools/two.c" <<'C'
#include <ring/ring.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
  struct ring r = {{0}, 0, 0};
  int a = rand(), b = rand();
  ring_put(&r, a);
  ring_put(&r, b);
  assert(ring_get(&r) == a);
  assert(ring_get(&r) == b);
  return 0;
}
C
cat >"$dir/p/tools/full.c" <<'C'
#include <ring/ring.h>
#include <assert.h>
int main(void) {
  struct ring r = {{0}, 0, 0};
  int n = 0;
  while (n < 9 && ring_put(&r, n) == 0) n++;
  assert(n == SIZE);
  return 0;
}
C
echo 'no C at all' >"$dir/p/src/broken.c"
cat >"$dir/p/Makefile" <<'M'
CFLAGS := -std=c11 -O2 -Wall -Iinclude -DSIZE=4 '-DTEXT="a b"'
all: two full
two: two.o ring.o wrap.o
	$(CC) -o $@ $^
full: full.o ring.o wrap.o
	$(CC) -o $@ $^
ring.o: CFLAGS += -DSLACK=1 -MD -MF ring.d
%.o: tools/%.c
	$(CC) $(CFLAGS) -c -o $@ $<
%.o: src/%.c
	$(CC) $(CFLAGS) -c -o $@ $<
M

# twoproof cc: the build is as it was, the database comes to be, again and in parallel
(cd "$dir/p" && make -j2 CC="$tool cc" >"$dir/both" 2>&1)
is "a build with twoproof cc" "$?-$("$dir/p/two"; echo $?)" 0-0
is "it notes each source once" "$(grep -c '"file"' "$dir/p/compile_commands.json")" 4
(cd "$dir/p" && rm -f two.o && make CC="$tool cc" >"$dir/both" 2>&1)
is "and again once" "$(grep -c '"file"' "$dir/p/compile_commands.json")" 4
(cd "$dir/p/src" && TWOPROOF_DATABASE="$dir/other.json" "$tool" cc -fsyntax-only no-such.c 2>/dev/null)
is "the compiler's status is that of twoproof cc" "$?" 1
(cd "$dir/p/src" && echo 'int main(void) { return 0; }' >"$dir/lone.c" && TWOPROOF_DATABASE="$dir/other.json" TWOPROOF_CC=no-such-compiler "$tool" cc -c "$dir/lone.c" 2>/dev/null)
is "a compiler that is not there" "$?-$(grep -c lone.c "$dir/other.json")" 69-2
printf '{"mine": 1}' >"$dir/mine.json"
TWOPROOF_DATABASE="$dir/mine.json" "$tool" cc -fsyntax-only "$dir/lone.c" 2>"$dir/both"
is "a file that is no database stays as it is" "$?-$(cat "$dir/mine.json")" '0-{"mine": 1}'
has "which is said" "cannot note the command"

# The database of the build, in a folder of its own, as CMake writes it: relative files, one command with quotes, a unit that is broken and one that is C++
mkdir -p "$dir/p/build"
cat >"$dir/p/build/compile_commands.json" <<J
[
{"directory": "$dir/p", "command": "/usr/bin/cc -std=c11 -O2 -Iinclude -DSIZE=4 -DSLACK=1 -DTEXT=\\"a\\\\ b\\" -c src/ring.c", "file": "src/ring.c"},
{"directory": "$dir/p/src", "arguments": ["cc", "-std=c11", "-I", "../include", "-DSIZE=4", "-flto=auto", "-c", "wrap.c"], "file": "wrap.c"},
{"directory": "$dir/p", "command": "cc -std=c11 -Iinclude '-DSIZE=4' --param=what=1 -c tools/two.c", "file": "tools/two.c"},
{"directory": "$dir/p", "command": "cc -std=c11 -Iinclude -DSIZE=4 -c tools/full.c", "file": "$dir/p/tools/full.c"},
{"directory": "$dir/p", "command": "cc -std=c11 -c src/broken.c", "file": "src/broken.c"},
{"directory": "$dir/p", "command": "c++ -c x.cc", "file": "x.cc"}
]
J
for database in . build; do
  run check -p $database tools/two.c
  is "$database: what a program needs is linked" $status 0
  has "$database: it is named" "Note: linked from the project: $dir/p/src/ring.c, $dir/p/src/wrap.c"
  run check --project=$database --output=ev tools/full.c
  is "$database: macros of one unit count in that unit" $status 10
  has "$database: the failure is in the file as it is called" "at tools/full.c:7:3"
  is "$database: the replay command is there" "$(sed -n 's/^# replay: //p' "$dir/p/ev/inputs.txt")" "twoproof replay --project=$database $dir/p/tools/full.c ev/inputs.txt"
  run replay --project=$database tools/full.c ev/inputs.txt
  is "$database: it replays" $status 10
  run replay --project=$database ev/inputs.txt
  is "$database: but not without saying which program" $status 6
done
has "a unit without meaning is left out" "several units define main"
run check -p build
is "several programs" $status 6
has "the choice is said" "several units define main; name the file that is meant:"
has "with all of them" "p/tools/full.c"
has "a broken unit is left out, and said" "src/broken.c cannot be compiled and is left out"
run check -p build tools/two.c
has "flags that nobody knows are said" "Note: flags of $dir/p/tools/two.c that are not known here: --param=what=1"

# functions
run check -p build --entry=ring_put --property=valid-deref
is "a function is found in its unit: a ring that no ring_put made" $status 10
run check -p build --entry=wrap --property=valid-deref
is "and another" $status 0
run check -p build --entry=wrap --entry=nowhere
has "there is no such function" "no unit of build defines nowhere"
is "which is the input's fault" $status 6
run check -p build --all-functions src/wrap.c --property=no-overflow
has "all functions of a file" "2 functions: 2 hold, 0 fail, 0 are open"
run check -p build --all-functions src/ring.c --property=no-overflow --timelimit=20
has "those that are linked are not listed" "2 functions:"
run check -p build --all-functions --property=unreach-call --timelimit=20
has "all functions of all units" "UNIT: $dir/p/src/wrap.c"

# dump, test, adequacy read projects, too
run dump -p build --function=wrap tools/two.c
is "dump" $status 0
run test -p build --output=suite tools/two.c
is "test" $status 0

# what cannot be
run check -p nowhere tools/two.c
is "no folder" $status 6
has "it is said" "twoproof: --project: nowhere: No such file or directory"
run check -p src tools/two.c
has "no database in it" "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
run check -p build "$dir/lone.c"
has "a file that is no unit" "is none of the 5 units of build"
is "no program" "$status" 6
printf '[{"file": "a.c"}]' >"$dir/p/bad.json"
run check -p bad.json
has "an entry without a command" "bad.json: entry 1: an entry has no file, or neither command nor arguments"
printf '[{"file": "a.c", ' >"$dir/p/bad.json"
run check -p bad.json
has "no JSON" "twoproof: --project: bad.json:1:"
printf '{}' >"$dir/p/bad.json"
run check -p bad.json
has "no list" "bad.json: no list of entries"
printf '[]' >"$dir/p/bad.json"
run check -p bad.json
has "an empty list" "bad.json: no unit of C"
printf '[{"directory": "%s", "file": "tools/full.c", "command": "cc -fwrapv -DSIZE=4 -Iinclude -c tools/full.c"}]' "$dir/p" >"$dir/p/bad.json"
run check -p bad.json
has "flags that change the meaning" "is compiled with -fwrapv: signed arithmetic that wraps around is not what is verified"
sed 's/-std=c11 -Iinclude -DSIZE=4 -c tools.full.c/-std=c99 -Iinclude -DSIZE=4 -c tools\/full.c/' "$dir/p/build/compile_commands.json" >"$dir/p/bad.json"
run check -p bad.json tools/full.c
has "two dialects in one program" "files of one program are compiled alike here"
is "are no program" $status 6
run check
has "without a project a file is needed" "no file given"
finish

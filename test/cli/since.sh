#!/bin/bash
# A change: which functions it reaches, what was proved before and is not any more, what behaves as before. Against commits and folders.
. "$(dirname "$0")/common"
max_lines=1000
command -v git >/dev/null || { echo "0 passed, 0 failed (git is not installed)"; exit 0; }

mkdir -p "$dir/work/src"
cat >"$dir/work/src/ring.c" <<'C'
#include "ring.h"
static unsigned next(unsigned i) { return i + 1 < SIZE ? i + 1 : 0; }
unsigned put(unsigned i) { return next(i); }
int get(const int *a, unsigned i) { return i < SIZE ? a[0] : 0; }
int twice(int x) { return x < 1000 && x > -1000 ? x * 2 : 0; }
int gone(int x) { return x; }
int same(int x) { return x & 7; }
C
echo '#define SIZE 4' >"$dir/work/src/ring.h"
cp -r "$dir/work/src" "$dir/work/old"
(cd "$dir/work" && git init -q . && git add -A && git -c user.name=tester -c user.email=tester@example.org commit -qm one) >/dev/null
sed -i 's/x < 1000 && x > -1000 ? x \* 2 : 0/x * 2/; /^int gone/d; s/^int same.*/\/\/ a comment\nint same(int x) { return x \& 7; }\nint fresh(int x) { return x; }/; s/return next(i); }/unsigned k = next(i); return k; }/' "$dir/work/src/ring.c"

# in FOLDER STATUS ARGUMENTS...: the table only
in_folder() {
  folder=$1 wanted=$2
  shift 2
  (cd "$dir/work/$folder" && timeout 300 "$tool" check --property=undefined --timelimit=20 "$@") >"$dir/out" 2>"$dir/err" </dev/null
  got=$?
  why=; [ $got = "$wanted" ] || why="status $got instead of $wanted"
  cat "$dir/out" "$dir/err" >"$dir/both"
  sed -n '/^SINCE/,$p' "$dir/out" >"$dir/table"
  leftovers
  verdict_of_case
}
row() { why=; grep -Fxq -e "$1" "$dir/table" || why="$(cat "$dir/table")"; name="$1" verdict_of_case; }

name="a commit"
in_folder src 10 --since=HEAD ring.c
row 'SINCE HEAD: 3 of 5 functions reach what has changed'
row '  TRUE         put: same behaviour (proved)'
row '  FALSE        twice: behaviour changed; before: TRUE, which it is not any more'
row '  TRUE         fresh: new'
row '  gone         gone'
row '3 verified again, 2 reach nothing that has changed, 1 were proved before and are not any more'
name="from the folder above, with a header that changed"
sed -i 's/SIZE 4/SIZE 5/' "$dir/work/src/ring.h"
in_folder . 10 --since=HEAD src/ring.c
row '  TRUE         get: behaviour changed'
row '4 verified again, 1 reach nothing that has changed, 1 were proved before and are not any more'
name="a folder"
in_folder src 10 --since=../old ring.c
row '4 verified again, 1 reach nothing that has changed, 1 were proved before and are not any more'
name="a comment is no change"
cp "$dir/work/old/"* "$dir/work/src/"; sed -i '1i // a comment' "$dir/work/src/ring.c"
in_folder src 0 --since=HEAD ring.c
row '0 verified again, 5 reach nothing that has changed, 0 were proved before and are not any more'
name="options are no change of the program"
in_folder src 0 --since=HEAD ring.c -DUNUSED
row '0 verified again, 5 reach nothing that has changed, 0 were proved before and are not any more'

# what cannot be done is said
name="no such commit"
in_folder src 6 --since=nothing ring.c
name="no repository"
mkdir "$dir/bare" && cp "$dir/work/old/"* "$dir/bare/"
(cd "$dir/bare" && "$tool" check --since=HEAD ring.c) >"$dir/both" 2>&1
status=$?; why=; [ $status = 6 ] || why="status $status"; grep -q "neither a folder nor within a Git repository" "$dir/both" || why="$(cat "$dir/both")"; verdict_of_case
name="an absolute name"
in_folder src 6 --since=HEAD "$dir/work/src/ring.c"
expect "a project" 64 "without --project" "$tool" check --since=HEAD -p . "$dir/work/src/ring.c"

# as one JSON object
mkdir "$dir/was" "$dir/is"
printf 'int twice(int x) { return x < 9 && x > -9 ? x * 2 : 0; }\nint gone(int x) { return x; }\n' >"$dir/was/a.c"
printf 'int twice(int x) { return x * 2; }\n' >"$dir/is/a.c"
name="JSON: its status"
(cd "$dir/is" && timeout 300 "$tool" check --property=undefined --timelimit=20 --format=json --since=../was a.c) >"$dir/out" 2>"$dir/both" </dev/null
status=$?; why=; [ $status = 10 ] || why="status $status"; verdict_of_case
name="JSON: what was lost"
got=$(python3 -c '
import json, sys
a = json.load(open(sys.argv[1]))
f = a["functions"][0]
print(f["function"], f["check"]["verdict"], f["now"], f["before"], f["behaviour"], f["lost"], a["gone"], a["kept"], a["lost"], a["status"])' "$dir/out" 2>&1)
why=; [ "$got" = "twice false false true changed True ['gone'] 0 1 10" ] || why="$got"; verdict_of_case
finish

#!/bin/bash
# Preconditions (check --entry): inferred from calls that fail, stated with --requires; functions for which there is none.
. "$(dirname "$0")/common"

is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
run() {
  timeout 400 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; grep -Fq -e "$2" "$dir/both" && why="a line has '$2'"; name=$1 verdict_of_case; }

cat >"$dir/vec.c" <<'C'
struct vec { int *data; unsigned size, capacity; };
int vec_get(const struct vec *v, unsigned i) { return v->data[i]; }
int pick(int *a, int n, int from, int count) {
  int last = 0;
  for (int k = 0; k < count; k++) last = a[from + k];
  return last;
}
int signed_index(const struct vec *v, int i) {
  if (i == 3) return 1;
  return v->data[i];
}
int never(struct vec *v) {
  int *none = 0;
  return v->size ? *none : none[1];
}
C
run check --entry=vec_get --property=valid-deref --timelimit=60 --output="$dir/evidence" "$dir/vec.c"
is 'a failure stays one' "$status" 10
has 'the precondition' 'Precondition: valid-deref fails for some calls with `i >= v->capacity`; true for calls that satisfy `i < v->capacity` (proved; they come to 1 of 1 returns)'
is 'a file to edit' "$(grep -v '^#' "$dir/evidence/requires.txt")" 'vec_get: i < v->capacity'
run check --entry=vec_get --property=valid-deref --requires="$dir/evidence/requires.txt" "$dir/vec.c"
is 'the file as an assumption' "$status" 0
has 'which is listed' 'vec_get is called with: (i < v->capacity)'
run check --entry=vec_get --property=valid-deref --arguments=types --requires='i <= v->capacity' "$dir/vec.c"
has 'a weaker one' 'RESULT: false(valid-deref)'
run check --entry=pick --property=valid-deref --timelimit=60 --format=json "$dir/vec.c"
is 'JSON: a sum' "$(python3 -c 'import json,sys; p=json.load(open(sys.argv[1]))["precondition"]; print(p["verdict"], sorted(p["condition"].split(" && ")), p["returns"])' "$dir/out")" \
  "true ['(long long)from + count <= n', 'from >= 0'] {'all': 1, 'reached': 1}"
run check --entry=signed_index --property=valid-deref --timelimit=60 "$dir/vec.c"
has 'numbers of two types' 'true for calls that satisfy `i >= 0 && (long long)i < v->capacity` (proved; they come to 2 of 2 returns)'
run check --entry=never --property=valid-deref --timelimit=20 "$dir/vec.c"
has 'it fails always' 'RESULT: false(valid-deref)'
lacks 'no precondition' 'Precondition:'
run check --entry=vec_get --requires='i < v->capacity; abort()' "$dir/vec.c"
is 'no statement' "$status" 64
run check --entry=vec_get --requires='(i < 3' "$dir/vec.c"
has 'parentheses' '`(` without `)`'
for change in 'i = 3' 'i += 3' 'i <<= 3' 'i++ < 3'; do
  run check --entry=vec_get --requires="$change" "$dir/vec.c"
  is "a change of a value is no condition: $change" "$status" 64
  has 'says why' 'it changes a value'
done
run check --entry=vec_get --requires='i < v->nothing' "$dir/vec.c"
is 'no such member' "$status" 6
run check --entry=vec_get --requires=./nowhere "$dir/vec.c"
is 'no such file' "$status" 64
run check --requires='i < 3' "$dir/vec.c"
is 'of no function' "$status" 64
printf '# a comment\nvec_get: i < 2\n\nvec_get i\n' >"$dir/lines"
run check --entry=vec_get --requires="$dir/lines" "$dir/vec.c"
has 'a line of another form' "lines:4: wanted is FUNC: CONDITION"
# more room than the environment gives an argument's object
cat >"$dir/room.c" <<'C'
#include <stddef.h>
int token(const char *s, size_t n) { return n && s[0] == '$' ? s[1] : 0; }
int token_bad(const char *s, size_t n) { return n && s[0] == '$' ? s[n + 1] : 0; }
int decode(const unsigned char *p, unsigned i) { return p[i % 900]; }
C
run check --entry=token --property=valid-deref --timelimit=60 "$dir/room.c"
is 'a string with its length: it stays a failure' "$status" 10
has 'what would be enough' 'Precondition: valid-deref fails for some calls with `s points to n elements`; true for calls that satisfy `room(s, n + 1) && s[n] == 0` (proved; they come to 1 of 1 returns)'
run check --entry=token_bad --property=valid-deref --timelimit=60 "$dir/room.c"
lacks 'that is not enough for its twin' 'room(s, n + 1) && s[n] == 0` (proved'
run check --entry=decode --property=valid-deref --timelimit=60 "$dir/room.c"
has 'a block' 'true for calls that satisfy `room(p, 1024)` (proved'
finish

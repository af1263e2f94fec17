#!/bin/bash
# Arguments that a module makes itself (check --entry --arguments): functions that fail for structures filled by their types only, beside twins that fail for
# structures of the module, too; which functions make and change a structure; what the answers say. Some with fewer calls than usual, with TP_SOAK=1 all with as many.
. "$(dirname "$0")/common"

# is NAME GOT WANTED; run COMMAND...: its status is $status; has NAME PATTERN, lacks NAME PATTERN: a line of the last output; all one case each
is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
run() {
  timeout 400 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; grep -Fq -e "$2" "$dir/both" && why="a line has '$2'"; name=$1 verdict_of_case; }

cat >"$dir/dial.h" <<'C'
struct dial;
struct dial *dial_new(void);
int dial_peek(struct dial *d);
C
cat >"$dir/dial.c" <<'C'
#include <stdlib.h>
#include "dial.h"
struct dial { unsigned at; int table[4]; };
struct dial *dial_new(void) {
  struct dial *d = malloc(sizeof *d);
  if (d) d->at = 0, d->table[0] = d->table[1] = d->table[2] = d->table[3] = 0;
  return d;
}
void dial_free(struct dial *d) { free(d); }
void dial_turn(struct dial *d) { d->at = (d->at + 1) % 4; }
void dial_write(struct dial *d, int i, int value) { d->table[i] = value; }
void dial_copy(struct dial *d, int *out) { *out = d->table[0]; }
int dial_read(struct dial *d) { return d->table[d->at]; }
int dial_next(struct dial *d) { return d->table[d->at + 1]; }
C
sed 's/void dial_turn.*/void dial_turn(struct dial *d) { d->at += 2; }/' "$dir/dial.c" >"$dir/dial_bad.c"

# that a structure breaks an invariant needs no build: each compiler links one program, that of the failure by types
mkdir "$dir/counting"
printf '#!/bin/sh\necho built >>"%s"\nPATH="%s" exec gcc "$@"\n' "$dir/builds" "$PATH" >"$dir/counting/gcc"
chmod +x "$dir/counting/gcc"
PATH="$dir/counting:$PATH" run check --entry=dial_read --property=undefined --timelimit=60 "$dir/dial.c"
is 'only others fail: bounded' "$status" 1
is 'one build' "$(grep -c built "$dir/builds")" 1
has 'the result' 'RESULT: bounded(operations=2)'
has 'who makes it' 'd is made by dial_new and changed by at most 2 calls of dial_write or dial_turn'
has 'calls that fail' 'the calls that make its arguments do not fail'
has 'how others fail' 'Outside of that: dial_read fails for structures that are filled by their types only, at '
run check --entry=dial_read --property=undefined --timelimit=60 "$dir/dial_bad.c"
has 'the module breaks it' 'RESULT: false(undefined)'
has 'that is said' 'FALSE: dial_read fails for structures that the module makes'
run check --entry=dial_read --property=undefined --operations=1 --arguments=calls --timelimit=60 "$dir/dial_bad.c"
has 'one call is not enough' 'RESULT: bounded(operations=1)'
soak || few=--operations=1  # answers of many calls are as those of few
if soak; then
  run check --entry=dial_next --property=undefined --timelimit=60 --output="$dir/evidence" "$dir/dial.c"
  has 'unchanged structures are enough' 'RESULT: bounded(operations=2)'
fi
run check --entry=dial_next --property=undefined --timelimit=60 --operations=3 --arguments=calls --output="$dir/evidence" "$dir/dial.c"
has 'three calls are' 'RESULT: false(undefined)'
run replay "$dir/evidence/entry.c" "$dir/evidence/inputs.txt"
has 'the calls replay' 'false(undefined)'
run check --entry=dial_read --property=undefined --arguments=types "$dir/dial.c"
has 'as asked: by types' 'RESULT: false(undefined)'
run check --entry=dial_read --property=undefined --operations=1 --format=json --timelimit=60 "$dir/dial.c"
is 'JSON: bounded' "$(python3 -c 'import json,sys; a=json.load(open(sys.argv[1])); print(a["verdict"], a["operations"], a["outside"]["violated"], a["outside"]["message"] != "")' "$dir/out")" 'bounded 1 undefined True'
run check --entry=dial_read --arguments=calls --harness "$dir/dial.c"
lacks 'ends are no operations' 'dial_free('
cp "$dir/out" "$dir/harness.c"
gcc -Wall -Werror -fsyntax-only "$dir/harness.c" >"$dir/messages" 2>&1
is 'gcc takes the harness' $? 0

# the structure is another file's, and has no definition here
printf '#include "dial.h"\nint dial_peek(struct dial *d) { return 1 / (d != 0); }\n' >"$dir/peek.c"
run check --entry=dial_peek --property=undefined --timelimit=60 "$dir/peek.c" "$dir/dial.c"
has 'a structure of another file' 'RESULT: bounded(operations=2)'

# an initialiser; a name for a pointer whose objects have a head; lists whose nodes are made apart; nobody makes it
cat >"$dir/more.c" <<'C'
#include <stdlib.h>
typedef struct { unsigned at; int table[4]; } wheel;
void wheel_init(wheel *w) { w->at = 0; }
void wheel_turn(wheel *w) { w->at = (w->at + 1) & 3; }
int wheel_read(wheel *w) { return 12 / (w->at < 4); }
typedef char *text;
text text_new(int n) {
  char *p = malloc(5);
  if (!p || n < 0 || n > 4) return 0;
  p[0] = (char)n;
  return p + 1;
}
int text_length(text t) { return t[-1]; }
int text_length_bad(text t) { return t[4]; }
struct node { struct node *next; int key; };
struct list { struct node *head; unsigned length; };
struct list *list_new(void) { return calloc(1, sizeof(struct list)); }
struct node *node_new(int key) {
  struct node *n = calloc(1, sizeof *n);
  if (n) n->key = key;
  return n;
}
void list_push(struct list *l, struct node *n) { n->next = l->head, l->head = n, l->length++; }
void list_remove(struct list *l, struct node *n) {
  if (l->head == n) l->head = n->next;
  l->length--;
  free(n);
}
int list_first(struct list *l) { return l->length ? l->head->key : 0; }
int grow(char **data, int *length, int *capacity, int size) {
  if (*length < *capacity) return 0;
  char *p = realloc(*data, (size_t)(*capacity + 1) * size);
  if (!p) return -1;
  *data = p, ++*capacity;
  return 1;
}
int last(char **data, int *length, int *capacity, int size) { return *length > 0 && *capacity ? (*data)[*length * size - 1] : 0; }
int last_bad(char **data, int *length, int *capacity, int size) { return *length > 0 && *capacity ? (*data)[*capacity * size] : 0; }
struct nil { unsigned at; };
struct nil *nil_new(int x) { return x > 0 && x < 0 ? malloc(sizeof(struct nil)) : 0; }
int nil_read(struct nil *n) { return 12 / (n->at < 4); }
_Noreturn void leave(void) { exit(1); }
int sign(int x) {
  if (x < 0) return -1;
  if (x > 0) return 1;
  return x != 0 ? 2 : 0;
}
struct loose { unsigned at; int table[4]; };
int loose_read(struct loose *l) { return 12 / (l->at < 4); }
C
# verdict_of NAME RESULT OPTION...: of --entry=NAME
verdict_of() {
  local name=$1 result=$2
  shift 2
  run check --property=valid-deref,undefined --timelimit=60 --entry="$name" "$@" "$dir/more.c"
  is "$name $*" "$(sed -n 's/^RESULT: //p' "$dir/out" | sort -u | grep -v '^true$' | head -n 1 | grep . || echo true)" "$result"
}
verdict_of wheel_read true
verdict_of text_length_bad 'false(valid-deref)'
verdict_of list_first 'bounded(operations=2)'
lacks 'what ends a part is no operation' 'list_remove'
run check --entry=list_first --property=unreach-call --timelimit=60 $few "$dir/more.c"
has 'a proof that undefined behaviour withdrew' 'RESULT: bounded(operations='
! soak || verdict_of text_length 'bounded(operations=2)'
verdict_of last 'true'
has 'an array in variables' 'last is called with: *data points to *capacity elements of size bytes'
verdict_of last_bad 'false(valid-deref)'
verdict_of grow 'true'
verdict_of loose_read 'false(undefined)'
run check --entry=loose_read --arguments=calls "$dir/more.c"
is 'nobody makes it' "$status" 6
has 'and that is said' 'no function of its file makes a structure that it takes'

# a proof is shown to be about calls that come back
run check --entry=sign --property=undefined --format=json "$dir/more.c"
is 'JSON: all returns' "$(python3 -c 'import json,sys; a=json.load(open(sys.argv[1])); print(a["verdict"], sorted(a["returns"].items()))' "$dir/out")" "true [('all', 3), ('missed', []), ('reached', 3)]"
run check --entry=grow --property=undefined "$dir/more.c"
has 'memory is always there' 'Calls were seen to come to 2 of 3 returns of grow; none to '
run check --entry=leave --property=undefined "$dir/more.c"
has 'it never returns' 'leave has no return that a run could come to'
run check --entry=nil_read --property=undefined --timelimit=60 "$dir/more.c"
has 'no call at all' 'RESULT: unknown(no call was found that comes back from nil_read'
is 'is unknown' "$status" 5
# initialisers by their code: whatever they are called, wherever the object stands among the arguments, they write it before they read it
cat >"$dir/start.c" <<'C'
#include <stddef.h>
#include <string.h>
struct tape { const char *bytes; size_t at, end; int depth, stack[4]; };
struct walk { struct tape *of; size_t from; int flags; char own[8]; };
static void rewind_to(struct tape *t, size_t at) { t->at = at; }
int tape_open(const char *bytes, size_t n, struct tape *t) {
  if (!bytes) return -1;
  memset(t->stack, 0, sizeof t->stack);
  rewind_to(t, 0);
  t->bytes = bytes, t->end = n, t->depth = 0;
  return 0;
}
void tape_mark(struct tape *t, int depth) { t->depth = depth; }
void tape_push(struct tape *t, int x) { if (t->depth < LAST) t->stack[t->depth++] = x; }
int tape_next(struct tape *t) { return t->at < t->end ? t->bytes[t->at++] : t->depth > 0 ? t->stack[t->depth - 1] : -1; }
void walk_start(struct walk *w, struct tape *t) { w->of = t, w->from = t->at, w->flags = 0; }
int walk_first(struct walk *w) { return w->from < w->of->end ? w->of->bytes[w->from] : 0; }
C
sed '/tape_mark/d' "$dir/start.c" >"$dir/marked.c"
run check --entry=tape_next --property=undefined,valid-deref --timelimit=60 $few -DLAST=4 "$dir/marked.c"
is 'made by an initialiser of another name' "$status" 1
has 'who makes it' 't is made by tape_open'
run check --entry=tape_next --property=undefined,valid-deref --operations=1 --arguments=calls --timelimit=60 -DLAST=4 "$dir/start.c"
is 'a setter is no initialiser: it leaves a depth that fails' "$status" 10
run check --entry=tape_next --operations=1 --arguments=calls --harness -DLAST=4 "$dir/start.c"
has 'a setter changes' 't is made by tape_open and changed by at most 1 call of tape_'
run check --entry=walk_first --property=valid-deref --timelimit=60 -DLAST=4 "$dir/marked.c"
is 'an object that leads to another one that is made' "$status" 1
has 'both' 'w is made by walk_start'
run check --entry=tape_open --property=valid-deref --harness -DLAST=4 "$dir/marked.c"
lacks 'what initialises gets any content' 't is made by'
# functions that no header declares are not for users where a header declares the one that is verified; one that frees a part and stores nothing is an end
cat >"$dir/reel.h" <<'C'
struct reel;
struct reel *reel_new(void);
void reel_add(struct reel *r);
void reel_stop(struct reel *r);
int reel_last(struct reel *r);
C
cat >"$dir/reel.c" <<'C'
#include <stdlib.h>
#include "reel.h"
struct reel { int *items; unsigned at; };
struct reel *reel_new(void) {
  struct reel *r = malloc(sizeof *r);
  r->items = malloc(4 * sizeof *r->items), r->at = 0;
  return r;
}
void reel_drop(struct reel *r, unsigned n) { r->at -= n; }
void reel_add(struct reel *r) { if (r->at < 4) r->items[r->at++] = 1; }
void reel_stop(struct reel *r) { free(r->items); }
int reel_last(struct reel *r) { return r->at ? r->items[r->at - 1] : 0; }
C
sed 's/struct reel;/struct reel; void reel_drop(struct reel *r, unsigned n);/' "$dir/reel.h" >"$dir/all.h"
sed 's/reel\.h/all.h/' "$dir/reel.c" >"$dir/reel_all.c"
run check --entry=reel_last --property=valid-deref --timelimit=60 "$dir/reel.c"
is 'only what the header declares is called' "$status" 1
has 'which is listed' 'r is made by reel_new and changed by at most 2 calls of reel_add'
run check --entry=reel_last --property=valid-deref --timelimit=60 "$dir/reel_all.c"
is 'a function of the header that breaks it is' "$status" 10
finish

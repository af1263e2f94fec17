#!/bin/bash
# Functions as entries: each kind of argument with a function that is safe for it and a twin that is not, what the answer assumes, the program that calls, all
# functions of a file, a module's client, and what is said of functions that cannot be called. Of functions of one kind a part (test/part.common), with TP_SOAK=1 all.
. "$(dirname "$0")/common"

# is NAME GOT WANTED; run COMMAND...: its status is $status; has NAME PATTERN: a line of the last output; all one case each
is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
run() {
  timeout 120 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; grep -Fq -e "$2" "$dir/both" && why="a line has '$2'"; name=$1 verdict_of_case; }

cat >"$dir/lib.c" <<'C'
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int width, height; } extent;
struct node { struct node *next; const char *name; int value; };
typedef struct { int *items; unsigned length, capacity; } bag;
typedef struct { bool is_set; union { int number; void *pointer; } u; extent size; char tag[3]; } cell;
struct opaque;
int limit = 3;

int last(const int *a, size_t n) { return n ? a[n - 1] : 0; }
int last_bad(const int *a, size_t n) { return a[n - 1]; }
int second(const int *a, int n) { return n > 1 ? a[1] : 0; }
int second_bad(const int *a, int n) { return n > 0 ? a[1] : 0; }
size_t words(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += *text == ' ';
  return n;
}
size_t words_bad(const char *text) {
  size_t n = 0;
  for (; *text; text += 2) n += *text == ' ';
  return n;
}
int sum(const struct node *list) {
  int n = 0;
  for (; list; list = list->next) n = list->value;
  return n;
}
int sum_bad(const struct node *list) { return list->next->value; }
void push(bag *b, int item) {
  if (b->length == b->capacity) return;
  b->items[b->length++] = item;
}
void push_bad(bag *b, int item) {
  if (b->length > b->capacity) return;
  b->items[b->length++] = item;
}
int area(extent e) { return e.width > 0 && e.width < 9 && e.height > 0 && e.height < 9 ? e.width * e.height : 0; }
int area_bad(extent e) { return e.width * e.height; }
int apply(int (*f)(int), int x) { return f(x) / 2; }
int apply_bad(int (*f)(int), int x) { return 100 / f(x); }
int tagged(cell *c) { return c->is_set ? c->tag[2] : c->u.number; }
int tagged_bad(cell *c) { return c->is_set ? c->tag[2] : *(int *)c->u.pointer; }
int grid(int rows[2][3], cell by_value) { return rows[0][2] == by_value.tag[0]; }
int grid_bad(int rows[2][3], cell by_value) { return rows[0][3] == by_value.tag[0]; }
void release(struct node *n) { free(n); }
void release_bad(struct node *n) { free(n); free(n); }
int in_table(void) { static const int table[4] = {1, 2, 3, 4}; return table[limit]; }
void move(int *to, int *from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = from[i];
}
int apart(int *a, int *b) { *a = 1; *b = 0; return 1 / *a; }
int given(int *p) { return *p; }
int hidden(struct opaque *o, int x) { return o ? 1 : x / 2; }
char *fresh(void) { char *p = malloc(4); p[3] = 0; return p; }
static int helper(int x) { return 100 / x; }
int uses_helper(int x) { return x > 0 ? helper(x) : 0; }
int main(void) { return last_bad(NULL, 0); }
C

# verdict_of NAME RESULT OPTION...: of --entry=NAME
verdict_of() {
  local name=$1 result=$2
  shift 2
  run check --property=valid-deref,valid-free,undefined,no-overflow --timelimit=60 --entry="$name" "$@" "$dir/lib.c"
  got=$(sed -n 's/^RESULT: //p' "$dir/out" | sort | uniq | grep -v '^true$' | head -n 1)
  is "$name $*" "${got:-true}" "$result"
}
while read -r name failure; do
  verdict_of "$name" true
  verdict_of "${name}_bad" "false($failure)"
done < <(part 4 2 <<'ROWS'
last valid-deref
second valid-deref
words valid-deref
sum valid-deref
push valid-deref
area no-overflow
apply undefined
tagged valid-deref
grid undefined
release valid-free
ROWS
)
verdict_of move true
verdict_of helper 'false(undefined)'
verdict_of uses_helper true
# what options make of arguments
verdict_of given true
verdict_of given 'false(valid-deref)' --nulls
verdict_of apart true
verdict_of apart 'false(undefined)' --aliases
verdict_of in_table true
verdict_of in_table 'false(undefined)' --globals=any
verdict_of last true --elements=0 --machine=ilp32
verdict_of push true --malloc=may-fail  # the argument's own objects exist
verdict_of fresh true
verdict_of fresh 'false(valid-deref)' --malloc=may-fail

# the answer says which calls it is about
run check --entry=push --property=valid-deref "$dir/lib.c"
has 'assumes a capacity' 'push is called with: b->items points to b->capacity elements'
has 'assumes an order' 'push is called with: b->length is at most b->capacity'
run check --entry=hidden "$dir/lib.c"
has 'assumes null' 'hidden is called with: o is null: its type has no definition'
is 'asks for everything' "$(grep -c '^PROPERTY' "$dir/out")" 4

# the program that calls the function is C that compilers take, is kept with the evidence, and is replayed
run check --entry=push_bad --harness "$dir/lib.c"
cp "$dir/out" "$dir/harness.c"
gcc -Wall -Werror -fsyntax-only "$dir/harness.c" >"$dir/messages" 2>&1
is 'gcc takes the harness' $? 0
run check --property=valid-deref "$dir/harness.c"
has 'the harness has the failure' 'RESULT: false(valid-deref)'
run check --entry=push_bad --property=valid-deref --output="$dir/evidence" "$dir/lib.c"
[ -s "$dir/evidence/entry.c" ]
is 'the harness is kept' $? 0
run replay "$dir/evidence/entry.c" "$dir/evidence/inputs.txt"
has 'the test replays' 'false(valid-deref)'

# all functions
cat >"$dir/small.c" <<'C'
int half(int x) { return x / 2; }
int inverse(int x) { return 100 / x; }
static int unused(int x) { return 1 / x; }
int tail(const char *s) { while (*s) s++; return s[-1]; }
int both(int x) { return unused(x | 1); }
C
run check --all-functions --property=undefined,valid-deref "$dir/small.c"
is 'which hold' "$(sed -n 's/^  TRUE  *//p' "$dir/out" | tr '\n' ' ')" 'half both '
is 'which fail' "$(sed -n 's/^  FALSE  *//p' "$dir/out" | tr '\n' ' ')" 'inverse tail '
has 'the sum' '4 functions: 2 hold, 2 fail, 0 are open'

# weak definitions are functions that other files can call, as headers that are whole libraries have them
cat >"$dir/weak.h" <<'C'
__attribute__((weak)) int quarter(int x) { return x / 4; }
__attribute__((weak)) int share(int x) { return 100 / x; }
C
printf '#include "weak.h"\n' >"$dir/weak.c"
run check --entry=quarter --property=undefined "$dir/weak.c"
is 'a weak function is proved' $status 0
run check --entry=share --property=undefined "$dir/weak.c"
is 'its broken twin fails' $status 10

# a module: calls in any order, with the states that its functions make
cat >"$dir/lamp.c" <<'C'
#include <stdlib.h>
struct lamp { unsigned level; char name[4]; };
struct lamp *lamp_new(void) {
  struct lamp *l = malloc(sizeof *l);
  l->level = 0;
  return l;
}
void lamp_up(struct lamp *l) { if (l->level < LAST) l->level++; }
void lamp_down(struct lamp *l) { if (l->level) l->level--; }
char lamp_sign(struct lamp *l) { l->name[l->level] = 1; return l->name[l->level]; }
void lamp_free(struct lamp *l) { free(l); }
C
run check --module=lamp_ --property=valid-deref --timelimit=60 -DLAST=3 "$dir/lamp.c"
has 'a module that is safe in any order of calls' 'RESULT: true'
run check --module=lamp_ --property=valid-deref --timelimit=60 -DLAST=4 "$dir/lamp.c"
has 'a module that fails after some calls' 'RESULT: false(valid-deref)'
cat >"$dir/cell.c" <<'C'
struct cell { int at; int a[4]; };
int cell_init(struct cell *c, int n) {
  if (n < 0 || n > LAST) return -1;
  c->at = n;
  c->a[0] = c->a[1] = c->a[2] = c->a[3] = 0;
  return 0;
}
int cell_get(struct cell *c) { return c->a[c->at]; }
C
run check --module=cell_ --property=valid-deref --timelimit=60 -DLAST=3 "$dir/cell.c"
has 'an object whose initialiser has failed is not used' 'RESULT: true'
has 'and that is said' 'users go on behind cell_init unless it returns a negative number'
run check --module=cell_ --property=valid-deref --timelimit=60 -DLAST=4 --output="$dir/cell" "$dir/cell.c"
has 'its broken twin fails' 'RESULT: false(valid-deref)'
run replay --property=valid-deref -DLAST=4 "$dir/cell/client.c" "$dir/cell/inputs.txt"
has 'and is replayed with the client that is kept' 'RESULT: false(valid-deref)'

# a length beside a pointer to a structure counts only where the code goes from one element to another
cat >"$dir/rings.c" <<'C'
#include <string.h>
struct item { int a, b; };
struct ring { int head, n; char room[8]; };
unsigned index_sum(const struct item *v, unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += (unsigned)v[i].a; return s; }
unsigned step_sum(const struct item *v, unsigned n) { unsigned s = 0; while (n--) s += (unsigned)(v++)->b; return s; }
unsigned end_sum(const struct item *v, unsigned n) { unsigned s = 0; for (const struct item *p = v, *end = v + n; p != end; p++) s += (unsigned)p->a; return s; }
unsigned call_sum(const struct item *v, unsigned n) { return index_sum(v, n); }
void clear_all(struct item *v, unsigned n) { memset(v, 0, n * sizeof *v); }
void put(struct ring *r, unsigned len) { struct ring *q = r; memset(q, 0, sizeof *q); q->head = (int)(len & 3); }
char room(const struct ring *r, unsigned len) { return r->room[len & 7]; }
char behind(const struct ring *r, unsigned len) { return r->room[len]; }
C
for f in index_sum step_sum end_sum call_sum clear_all; do
  run check --entry=$f --harness "$dir/rings.c"
  has "$f has an array" 'v points to n elements'
done
for f in $(some put room); do
  run check --entry=$f --property=undefined,valid-deref --timelimit=20 "$dir/rings.c"
  is "$f gets one ring, and is proved" $status 0
  has "$f gets one ring" 'r points to one struct ring'
done
run check --entry=behind --property=undefined --timelimit=20 "$dir/rings.c"
is 'its broken twin fails' $status 10

# of two counts of a structure, `size` is the capacity where no other name says so
cat >"$dir/sizes.c" <<'C'
#include <stddef.h>
struct dictionary { int n; size_t size; int *values; };
struct stack { int *items; size_t size, capacity; };
int all(const struct dictionary *d) { int s = 0; for (size_t i = 0; i < d->size; i++) s ^= d->values[i]; return s; }
int used(const struct dictionary *d) { return d->n > 0 ? d->values[d->n - 1] : 0; }
int used_bad(const struct dictionary *d) { return d->n > 0 ? d->values[d->n] : 0; }
int top(const struct stack *s) { return s->size ? s->items[s->size - 1] : 0; }
int last(const struct stack *s) { return s->capacity ? s->items[s->capacity - 1] : 0; }
C
for f in $(some all used top last); do
  run check --entry=$f --property=undefined,valid-deref --timelimit=20 "$dir/sizes.c"
  is "$f is proved" $status 0
done
run check --entry=used_bad --property=valid-deref --timelimit=20 "$dir/sizes.c"
is 'the twin fails' $status 10

# where nothing else says how large an object is, it has what the code accesses at places that constants bound
cat >"$dir/extents.c" <<'C'
#include <string.h>
typedef unsigned char byte;
static unsigned long word(const byte *p) { return p[0] | (unsigned long)p[7] << 56; }
unsigned long key(const void *k) { return word(k) ^ word((const byte *)k + 8); }
void digest(char *out) { for (int i = 0; i < 20; i++) out[i] = (char)i; }
unsigned state(const unsigned *s) { unsigned sum = 0; for (unsigned i = 0; i < 8; ++i) sum += s[i]; return sum; }
void block(byte *to, const byte *from) { memcpy(to, from, 16); }
unsigned from_table(const byte *p) { return p[word(p) % 8 + 12]; }
char first(const char *text) { return text[0] == 'a' && text[1] == 'b' ? text[2] : 0; }
char first_bad(const char *text) { return text[1]; }
unsigned masked(const unsigned *s, int i) { return s[i & 7]; }
C
for f in $(some key digest state block first); do
  run check --entry=$f --property=undefined,valid-deref --timelimit=20 "$dir/extents.c"
  is "$f is proved" $status 0
done
run check --entry=first_bad --property=valid-deref --timelimit=20 "$dir/extents.c"
is "first_bad fails" $status 10
run check --entry=from_table --property=valid-deref --timelimit=20 "$dir/extents.c"
is 'from_table is open, behind what constants bound' $status 5
has 'it rests on a guess' 'rests on a guess: nothing says whether'
run check --entry=masked --property=valid-deref --timelimit=20 "$dir/extents.c"
is 'an input that is read anywhere has room' $status 0
has 'and that it is a guess' 'nothing says how much room masked needs at s'
run check --entry=key --property=valid-deref --timelimit=20 "$dir/extents.c"
has 'the size is told' 'k points to 16 bytes'
has 'and where it comes from' 'the size of k is what key accesses at places that constants bound'
run check --entry=state --harness "$dir/extents.c"
cp "$dir/out" "$dir/harness.c"
gcc -Wall -Werror -fsyntax-only "$dir/harness.c" >"$dir/messages" 2>&1
is 'gcc takes the harness' $? 0

# pointers that go through an array of the same structure point into it
cat >"$dir/cursors.c" <<'C'
#include <stddef.h>
struct ring { unsigned char *buf, *head, *tail; size_t size; };
struct text { const char *start_of, *pos, *end; size_t size; };
void put(struct ring *r, unsigned char c) { *r->head = c; r->head++; if (r->head == r->buf + r->size) r->head = r->buf; *r->head = 0; }
void put_bad(struct ring *r, unsigned char c) { *r->head = c; r->head++; *r->head = 0; }
size_t used(const struct ring *r) { return r->head >= r->tail ? (size_t)(r->head - r->tail) : r->size - (size_t)(r->tail - r->head); }
int left(const struct text *t) { return t->end == t->start_of ? 0 : t->end[-1] + *t->pos; }
int left_bad(const struct text *t) { return *t->end; }
C
for f in $(some put used left); do
  run check --entry=$f --property=undefined,valid-deref --timelimit=20 "$dir/cursors.c"
  is "$f is proved" $status 0
done
run check --entry=left --harness "$dir/cursors.c"
has 'and it is told' 't->pos points into t->start_of, which has at least one element'
for f in $(some put_bad left_bad); do
  run check --entry=$f --property=valid-deref --timelimit=20 "$dir/cursors.c"
  is "$f fails" $status 10
done

# a number whose name says what it counts counts nothing else; a count that is compared with a constant may be that large; names of parameters are not those of the environment's own variables
cat >"$dir/names.c" <<'C'
#include <string.h>
enum kind { ONE, TWO };
size_t find(const char *pattern, const char *text, size_t text_len) { return text_len ? strlen(pattern) + (size_t)text[text_len - 1] : 0; }
size_t find_bad(const char *pattern, const char *text, size_t text_len) { return text_len ? strlen(pattern) + (size_t)text[text_len] : 0; }
int move(char *to, const char *from, size_t n) { memcpy(to, from, n); return 0; }
int sealed(const char *tag, unsigned tag_len) { return tag_len == 16 ? tag[15] : 0; }
int sealed_bad(const char *tag, unsigned tag_len) { return tag_len == 16 ? tag[16] : 0; }
enum kind named(int *result, int *kept, int *others) { return *result + *kept == *others ? ONE : TWO; }
C
for f in $(some find move sealed named); do
  run check --entry=$f --property=valid-deref --timelimit=20 "$dir/names.c"
  is "$f is proved" $status 0
done
for f in $(some find_bad sealed_bad); do
  run check --entry=$f --property=valid-deref --timelimit=20 "$dir/names.c"
  is "$f fails" $status 10
done

# an output of which nothing says how large it is has room; characters that are read as well are a string; a failure that leaves an argument's object says what is assumed of it
cat >"$dir/outputs.c" <<'C'
#include <stddef.h>
#include <string.h>
typedef unsigned char byte;
static byte *put(byte *to, const byte *from, size_t n) { while (n--) *to++ = *from++; return to; }
size_t pack(const byte *in, size_t n, void *out) {
  byte *at = out;
  *at++ = 0;
  for (size_t i = 0; i < n; i++) at = put(at, in + i, 1), at = put(at, in + i, 1);
  ((byte *)out)[0] |= 1;
  return (size_t)(at - (byte *)out);
}
size_t pack_bad(const byte *in, size_t n, void *out) {
  byte *at = out;
  for (size_t i = 0; i < n; i++) at = put(at, in + i, 2);
  return (size_t)(at - (byte *)out);
}
void message(char *text, int code) { strcpy(text, code ? "no such entry" : "done"); }
void endless(char *text) { for (int i = 0; i < 300; i++) text[i] = 'a'; }
void cut(char *text) { size_t n = strlen(text); if (n) text[n - 1] = 0; }
void cut_bad(char *text) { text[strlen(text) + 1] = 0; }
int behind(const char *s, size_t n) { return n && s[0] == '$' ? s[1] : 0; }
int wide(const byte *p, unsigned i) { return p[i % 900]; }
C
for f in $(some pack message cut); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/outputs.c"
  is "$f is proved" $status 0
done
for f in $(some pack_bad cut_bad); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/outputs.c"
  is "$f fails" $status 10
done
run check --entry=endless --property=valid-deref --timelimit=40 "$dir/outputs.c"
is 'more room than was made is a guess' $status 5
run check --entry=pack --property=valid-deref --harness "$dir/outputs.c"
has 'the room is told' 'out points to 256 bytes'
has 'and that it is a guess' 'nothing says how much room pack needs at out'
run check --entry=wide --property=valid-deref --arguments=types --timelimit=40 "$dir/outputs.c"
is 'a failure that rests on a guess' $status 5
has 'why it is none' 'a failure is possible, but not certain: the failure at '
has 'what the failure rests on' "The failure rests on an assumption: p points to 256 elements. If callers give more: --requires='room(p, 1024)'"
run check --entry=wide --property=valid-deref --arguments=types --requires='room(p, 1024)' "$dir/outputs.c"
is 'more room: proved' $status 0
has 'which is listed' 'p points to (1024) elements'
run check --entry=wide --property=valid-deref --arguments=types --requires='room(p, 8)' "$dir/outputs.c"
is 'not enough of it' $status 10
run check --entry=behind --property=valid-deref --arguments=types --requires='room(s, n + 1) && s[n] == 0' "$dir/outputs.c"
is 'a string with its length: proved' $status 0
run check --entry=behind --property=valid-deref --arguments=types --requires='room(s, n)' "$dir/outputs.c"
is 'without its end it fails' $status 10
# what a choice says of a size would be proved of that size, and claimed of all that the choice allows
for r in 'room(p, 32) || i == 8' '!room(p, 32)' 'i > 8 ? room(p, 32) : 1' 'room(p, 32) == 0' '(room(p, 32) && 1)'; do
  run check --entry=wide --property=valid-deref --arguments=types --requires="$r" "$dir/outputs.c"
  is "no conjunct: $r" $status 64
done
run check --entry=wide --property=valid-deref --arguments=types --requires='i < 8 && room(p, 8)' "$dir/outputs.c"
is 'room beside a condition' $status 0
run check --entry=behind --property=valid-deref --requires='room(t, 3)' "$dir/outputs.c"
is 'room of no argument' $status 6

# a number behind pointers of several types counts the one next to it; what the C library reads to its end is a string; a structure's only count counts from anywhere; pointers that functions of arguments return are null; a failure that leaves an object of which nothing says how large it is is open
cat >"$dir/guesses.c" <<'C'
#include <stdlib.h>
#include <string.h>
typedef unsigned char byte;
struct hash { byte *out; unsigned sum; };
struct filter { int rounds; double rate; unsigned bytes, seed; int major, minor, spare; byte *bits; };
struct pool { void *(*get)(size_t); };
struct masked { char *text; unsigned at, mask; };
struct name { char *text; };
static void finish(struct hash *h) { for (int i = 0, j = 0; i < 8; i++) h->out[j++] = (byte)h->sum, h->out[j++] = 0; }
void digest(byte *out, const void *in, size_t n) { struct hash h = {out, 0}; while (n--) h.sum ^= ((const byte *)in)[n]; finish(&h); }
void digest_bad(byte *out, const void *in, size_t n) { struct hash h = {out, ((const byte *)in)[n]}; finish(&h); }
char *append(char *v, const char *s, size_t n) { size_t m = strlen(v); char *p = malloc(m + n + 1); memcpy(p, v, m); memcpy(p + m, s, n); p[m + n] = 0; return p; }
char *append_bad(char *v, const char *s, size_t n) { size_t m = strlen(v); char *p = malloc(m + n + 1); memcpy(p, v, m); memcpy(p + m, s, n + 1); return p; }
void clear(struct filter *f) { memset(f->bits, 0, f->bytes); }
void clear_bad(struct filter *f) { memset(f->bits, 0, f->bytes + 1); }
char given(struct pool *p) { char *m = p->get(4); return m ? m[0] : 0; }
char given_bad(struct pool *p) { char *m = p->get(4); return m[0]; }
int ten(int *p, int i) { if (i != 100) return 0; p[i] = 1; return 10 / (i - 100); }
int before(const int *p) { return p[-1]; }
char within(const struct masked *m) { return m->text[m->at & m->mask]; }
char second_bad(const struct name *n) { return n->text[1]; }
C
for f in $(some digest append clear given); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/guesses.c"
  is "$f is proved" $status 0
done
for f in $(some digest_bad append_bad clear_bad given_bad second_bad); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/guesses.c"
  is "$f fails" $status 10
done
for f in $(some before within); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/guesses.c"
  is "$f is open" $status 5
  has "$f rests on a guess" 'rests on a guess: nothing says whether'
done
# the runs end there all the same: nothing is proved of what comes behind, here a division by zero
run check --entry=ten --property=valid-deref,undefined --timelimit=40 "$dir/guesses.c"
is 'ten is open' $status 5
lacks 'for each property' 'RESULT: true'

# characters under another name are strings, bytes that are read up to an end are as well; a place in a string that a member leads to
cat >"$dir/texts.c" <<'C'
#include <stddef.h>
typedef char letter;
typedef unsigned char octet;
typedef signed char small;
int letters(const letter *s) { int n = 0; while (s[n]) n++; return n; }
int letters_bad(const letter *s) { int n = 0; while (s[n + 1]) n++; return n; }
int octets(const octet *s) { int n = 0; while (*s++) n++; return n; }
int octets_bad(const octet *s) { int n = 0; while (*s++) n++; return n + *s; }
int first(const small *s) { return s[0]; }
int second(const octet *s) { return s[0] ? s[1] : 0; }
struct scan { const letter *end, *text; int line; };
int rest(struct scan *s) { int n = 0; for (const letter *p = s->text; p < s->end; p++) n += *p == 'x'; return n; }
int rest_bad(struct scan *s) { int n = 0; for (const letter *p = s->text; p <= s->end; p++) n += p[1] == 'x'; return n; }
C
for f in $(some letters octets first second rest); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/texts.c"
  is "$f is proved" $status 0
done
for f in $(some letters_bad octets_bad rest_bad); do
  run check --entry=$f --property=valid-deref --timelimit=40 "$dir/texts.c"
  is "$f fails" $status 10
done
run check --entry=letters --harness "$dir/texts.c"
has 'a string of characters under another name' 's is a string of at most 4 characters'
run check --entry=octets --harness "$dir/texts.c"
has 'bytes read up to an end' 's is a string of at most 4 characters'
run check --entry=first --harness "$dir/texts.c"
has 'no string: one number' 's points to one small'
run check --entry=rest --harness "$dir/texts.c"
has 'a place in the string' 's->end points into s->text, or to its end'

# what the function never reads is neither made nor assumed; what it reads decides of unions, of void pointers, and of arrays of structures and pointers
cat >"$dir/reads.c" <<'C'
#include <stdarg.h>
#include <stdlib.h>
struct word { unsigned n; char *text; };
struct tree { struct word *name; struct tree *left, *right; union { char *text; struct tree *child; } of; int depth; struct tree *table[64]; void (*shown)(struct tree *); };
struct store { int n, size; struct word *words; };
struct tree *left_of(struct tree *t) { return t->left; }
unsigned length_of(struct tree *t) { return t->left ? t->left->name->n : 0; }
int first_of(struct tree *t) { return t->left && t->left->name->n ? t->left->name->text[0] : 0; }
int first_of_bad(struct tree *t) { return t->left ? t->left->name->text[0] : 0; }
void copy_of(struct tree *to, struct tree *from) { *to = *from; }
int copied(struct tree *t) { struct tree own = *t; return own.left ? own.left->depth + own.name->text[own.name->n - 1] : 0; }
int depth_of(struct tree *t) { struct tree *child = t->of.child; return child ? child->depth : 0; }
void show(struct tree *t) { t->shown(t->right); }
unsigned sum(struct store *s) { unsigned n = 0; for (int i = 0; i < s->n; i++) n += s->words[i].n; return n; }
unsigned sum_bad(struct store *s) { unsigned n = 0; for (int i = 0; i <= s->n; i++) n += s->words[i].n; return n; }
unsigned handle(void *store) { struct store *s = store; return s->size ? s->words[s->size - 1].n : 0; }
unsigned handle_bad(void *store) { struct store *s = store; return s->words[s->size].n; }
void drop(char **list) { char **p = list; while (*p) free(*p++); free(list); }
void drop_bad(char **list) { char **p = list; do free(*p); while (*p++); free(*p); }
int swap(void **of, size_t size) { void *p = *of; return p != 0 && size > 0; }
int listed(int n, va_list list) { return n + va_arg(list, int); }
C
for f in $(some left_of length_of first_of copy_of depth_of show sum handle drop swap); do
  run check --entry=$f --property=valid-deref --arguments=types --timelimit=40 "$dir/reads.c"
  is "$f is proved" $status 0
done
for f in $(some first_of_bad copied sum_bad handle_bad drop_bad); do
  run check --entry=$f --property=valid-deref --arguments=types --timelimit=40 "$dir/reads.c"
  is "$f fails" $status 10
done
run check --entry=left_of --harness "$dir/reads.c"
has 'one object is made' 't->left is null, or points to one struct tree'
lacks 'what is not read is not assumed' 'name'
lacks 'nor what is behind' 't->left->'
run check --entry=left_of --harness --aliases "$dir/reads.c"
has 'with aliases all is' 't->name->text points to t->name->n elements'
run check --entry=length_of --requires='t->name->n == 1' --harness "$dir/reads.c"
has 'a condition reads as well' 't->name->text points to t->name->n elements'
run check --entry=copied --harness "$dir/reads.c"
has 'a copy is read' 't->name->text points to t->name->n elements'
run check --entry=depth_of --harness "$dir/reads.c"
has 'the member in use' 't->of.child is the member of its union that is in use'
run check --entry=handle --harness "$dir/reads.c"
has 'what a void pointer is taken for' 'store points to one struct store'
run check --entry=drop --harness "$dir/reads.c"
has 'pointers up to null' 'list points to at most 4 pointers, and a null pointer behind them'
run check --entry=swap --harness "$dir/reads.c"
has 'one pointer' 'of points to one void *'
run check --entry=listed "$dir/reads.c"
has 'no va_list' 'cannot be an entry: it takes the further arguments of another function (va_list)'

# what cannot be done is said
run check --entry=nobody "$dir/lib.c"
is 'no such function' $status 6
has 'no such function' 'no function nobody with a body'
run check --entry=last --all-functions "$dir/lib.c"
has 'two entries' 'exclude each other'
run check --harness "$dir/lib.c"
has 'a harness of nothing' '--entry=FUNC names it'
printf 'int f(int x) { return x }\n' >"$dir/broken.c"
run check --entry=f "$dir/broken.c"
has 'a file that does not compile' "expected ';'"
printf 'static int x;\n' >"$dir/empty.c"
run check --all-functions "$dir/empty.c"
has 'a file without functions' 'no function'
finish

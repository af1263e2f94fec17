#!/bin/bash
# check --equal: pairs of versions that do the same and twins that do not, of all kinds of inputs and outputs; what the answer says; the program that compares;
# evidence and its replay; what is said of versions that cannot be compared.
. "$(dirname "$0")/common"

is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
run() {
  timeout 120 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; ! grep -Fq -e "$2" "$dir/both" || why="a line has '$2'"; name=$1 verdict_of_case; }

# Each pair: a line "== NAME VERDICT FUNCTION OPTION...", the old text, a line "--", the new text; lines that begin with "! " are what the answer must say.
cat >"$dir/pairs" <<'PAIRS'
== arithmetic true average
unsigned average(unsigned a, unsigned b) { return a / 2 + b / 2 + (a % 2 + b % 2) / 2; }
--
unsigned average(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
== arithmetic-differs false average
! average returns
unsigned average(unsigned a, unsigned b) { return a / 2 + b / 2 + (a % 2 + b % 2) / 2; }
--
unsigned average(unsigned x, unsigned y) { return (x + y) / 2; }
== old-overflows true twice
int twice(int x) { return x + x; }
--
int twice(int x) { return (int)(2u * (unsigned)x); }
== old-always-undefined unknown stores
! no call was found that both versions of stores come back from
int stores(int n) { int a[2] = {0, 0}; a[n * 0 + 2] = 1; return n; }
--
int stores(int n) { return n + 1; }
== old-mostly-undefined true stores
int stores(int n) { int a[2] = {0, 0}; a[n == 77 ? 0 : 2] = 1; return n; }
--
int stores(int n) { (void)n; return 77; }
== both-always-end true ends
void exit(int); void abort(void); void ends(int n) { if (n > 3) abort(); exit(2); }
--
void exit(int); void abort(void); void ends(int n) { if (n <= 3) exit(2); abort(); }
== new-overflows false twice
! twice has undefined behaviour in new.c, and none in old.c, overflow
int twice(int x) { return (int)(2u * (unsigned)x); }
--
int twice(int x) { return x + x; }
== early-return true sign
int sign(int x) { int s; if (x < 0) s = -1; else if (x == 0) s = 0; else s = 1; return s; }
--
int sign(int x) { if (x > 0) return 1; return x ? -1 : 0; }
== early-return-differs false sign
! sign returns 0 in old.c and 1 in new.c for x = 0
int sign(int x) { int s; if (x < 0) s = -1; else if (x == 0) s = 0; else s = 1; return s; }
--
int sign(int x) { if (x >= 0) return 1; return -1; }
== strings true digits
int digits(const char *s) { int n = 0; for (; *s; s++) if (*s >= '0' && *s <= '9') n++; return n; }
--
static int is_digit(char c) { return (unsigned char)(c - '0') < 10; }
int digits(const char *s) { int n = 0; while (*s) n += is_digit(*s++); return n; }
== strings-differ false digits
! for s = "
int digits(const char *s) { int n = 0; for (; *s; s++) if (*s >= '0' && *s <= '9') n++; return n; }
--
int digits(const char *s) { int n = 0; for (; *s; s++) if (*s > '0' && *s <= '9') n++; return n; }
== string-in-place true upper
void upper(char *s) { for (int i = 0; s[i]; i++) if (s[i] >= 'a' && s[i] <= 'z') s[i] -= 'a' - 'A'; }
--
void upper(char *s) { for (char *p = s; *p; ++p) if ('a' <= *p && *p <= 'z') *p = (char)(*p ^ ' '); }
== string-in-place-differs false upper
! after upper, s[
void upper(char *s) { for (int i = 0; s[i]; i++) if (s[i] >= 'a' && s[i] <= 'z') s[i] -= 'a' - 'A'; }
--
void upper(char *s) { for (char *p = s; *p; ++p) if (*p >= 'a') *p = (char)(*p ^ ' '); }
== arrays true largest
int largest(const int *a, unsigned n) { int m = -1; for (unsigned i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }
--
int largest(const int *a, unsigned n) { int m = -1; while (n-- > 0) m = a[n] > m ? a[n] : m; return m; }
== arrays-differ false largest
int largest(const int *a, unsigned n) { int m = -1; for (unsigned i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }
--
int largest(const int *a, unsigned n) { int m = -1; for (unsigned i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
== lists true sum
struct node { struct node *next; unsigned value; };
unsigned sum(const struct node *l) { unsigned n = 0; while (l) { n += l->value; l = l->next; } return n; }
--
struct node { struct node *next; unsigned value; };
unsigned sum(const struct node *l) { return l ? l->value + sum(l->next) : 0; }
== lists-differ false sum
! sum returns
struct node { struct node *next; unsigned value; };
unsigned sum(const struct node *l) { unsigned n = 0; while (l) { n += l->value; l = l->next; } return n; }
--
struct node { struct node *next; unsigned value; };
unsigned sum(const struct node *l) { unsigned n = 0; while (l->next) { n += l->value; l = l->next; } return n; }
== list-reversed true reverse
struct node { struct node *next; int value; };
struct node *reverse(struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } return r; }
--
struct node { struct node *next; int value; };
static struct node *onto(struct node *l, struct node *r) { if (!l) return r; struct node *n = l->next; l->next = r; return onto(n, l); }
struct node *reverse(struct node *l) { return onto(l, 0); }
== list-reversed-differs false reverse
! leads to another place
struct node { struct node *next; int value; };
struct node *reverse(struct node *l) { struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } return r; }
--
struct node { struct node *next; int value; };
struct node *reverse(struct node *l) { return l; }
== new-objects true push
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->next = l; n->value = v; return n; }
--
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *push(struct node *l, int v) { struct node *n = calloc(1, sizeof(struct node)); *n = (struct node){l, v}; return n; }
== new-objects-differ false push
! after push
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->next = l; n->value = v; return n; }
--
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->next = l; n->value = v ^ 1; return n; }
== freed true drop
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *drop(struct node *l) { struct node *n = l->next; free(l); return n; }
--
#include <stdlib.h>
struct node { struct node *next; int value; };
static void release(void *p) { free(p); }
struct node *drop(struct node *l) { struct node *old = l; l = l->next; release(old); return l; }
== freed-differs false drop
! drop frees what l points to in old.c and not in new.c
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *drop(struct node *l) { struct node *n = l->next; free(l); return n; }
--
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *drop(struct node *l) { return l->next; }
== globals true count
unsigned calls; static unsigned total;
unsigned count(unsigned by) { calls++; total += by; return total; }
--
unsigned calls; static unsigned total;
unsigned count(unsigned by) { ++calls; return total = total + by; }
== globals-differ false count
! after count, calls is
unsigned calls; static unsigned total;
unsigned count(unsigned by) { calls++; total += by; return total; }
--
unsigned calls; static unsigned total;
unsigned count(unsigned by) { if (by) calls++; return total += by; }
== static-globals-differ false reset
! after reset, total is
static unsigned total; unsigned get(void) { return total; }
void reset(void) { total = 0; }
--
static unsigned total; unsigned get(void) { return total; }
void reset(void) { total &= 1; }
== globals-as-initialised true limited --globals=initial
int limit = 3; void set(int x) { limit = x; }
int limited(int x) { return x < limit ? x : limit; }
--
int limit = 3; void set(int x) { limit = x; }
int limited(int x) { return x < 3 ? x : 3; }
== static-functions true clamp
static int clamp(int x, int most) { if (x > most) x = most; return x; }
int f(int x) { return clamp(x, 9); }
--
static int clamp(int x, int most) { return x > most ? most : x; }
int f(int x) { return clamp(x, 9); }
== static-functions-differ false clamp
static int clamp(int x, int most) { if (x > most) x = most; return x; }
int f(int x) { return clamp(x, 9); }
--
static int clamp(int x, int most) { return x >= most ? most - 1 : x; }
int f(int x) { return clamp(x, 9); }
== struct-by-value true area
typedef struct { short width, height; } extent;
int area(extent e) { return e.width * e.height; }
--
typedef struct { short width, height; } extent;
int area(extent e) { int n = e.height; n *= e.width; return n; }
== struct-result-differs false grow
! after grow, result.height is
typedef struct { unsigned char width, height; } extent;
extent grow(extent e) { e.width++; return e; }
--
typedef struct { unsigned char width, height; } extent;
extent grow(extent e) { e.width++; e.height |= 1; return e; }
== out-parameters true divide
int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest) { if (!b) return -1; *quotient = a / b; *rest = a % b; return 0; }
--
int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest) { if (b == 0) return -1; unsigned q = a / b; *rest = a % b; *quotient = q; return 0; }
== out-parameters-differ false divide
! after divide
int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest) { if (!b) return -1; *quotient = a / b; *rest = a % b; return 0; }
--
int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest) { *rest = 0; if (!b) return -1; *quotient = a / b; *rest = a % b; return 0; }
== aborts true need
#include <stdlib.h>
static void fail(void) { abort(); }
int need(int x) { if (x < 0) fail(); return x; }
--
#include <assert.h>
int need(int x) { assert(x >= 0); return x; }
== aborts-differ false need
! need aborts in old.c and returns in new.c
#include <stdlib.h>
int need(int x) { if (x < 0) abort(); return x; }
--
#include <stdlib.h>
int need(int x) { if (x < -1) abort(); return x; }
== exits-differ false quit
! quit exits with 1 in old.c and 2 in new.c
#include <stdlib.h>
void quit(int x) { if (x) exit(1); }
--
#include <stdlib.h>
void quit(int x) { if (x) exit(2); }
== asserts-differ false checked
! checked returns in old.c and aborts in new.c
#include <assert.h>
int checked(int x) { return x / 2; }
--
#include <assert.h>
int checked(int x) { assert(x != 77); return x / 2; }
== floats true scale
double scale(double x) { return x == x ? x * 2 : x; }
--
double scale(double x) { return x + x; }
== floats-differ false zero
! for x = -0.0
float zero(float x) { return x; }
--
float zero(float x) { return x + 0.0f; }
== reads-behind-the-end false last
! last has undefined behaviour in new.c, and none in old.c
int last(const int *a, unsigned n) { return n ? a[n - 1] : 0; }
--
int last(const int *a, unsigned n) { int x = a[n - 1]; return n ? x : 0; }
== function-pointers true apply
int apply(int (*f)(int), int x) { int y = f(x); return y > 0 ? y : 0; }
--
int apply(int (*f)(int), int x) { return f(x) > 0 ? f(x) : 0; }
== function-pointers-differ false apply
int apply(int (*f)(int), int x) { return f(x); }
--
int apply(int (*f)(int), int x) { return f(x + 1u); }
== static-buffers true word
const char *word(int x) { return x ? "yes" : "no"; }
--
static char buffer[4];
const char *word(int x) { buffer[0] = x ? 'y' : 'n'; buffer[1] = x ? 'e' : 'o'; buffer[2] = x ? 's' : 0; buffer[3] = 0; return buffer; }
== static-buffers-differ false word
! result[
const char *word(int x) { return x ? "yes" : "no"; }
--
const char *word(int x) { return x ? "yes" : "nO"; }
== inner-pointers true skip
const char *skip(const char *s) { while (*s == ' ') s++; return s; }
--
const char *skip(const char *s) { int i = 0; for (; s[i] == ' '; i++) ; return &s[i]; }
== inner-pointers-differ false skip
! result leads to another place
const char *skip(const char *s) { while (*s == ' ') s++; return s; }
--
const char *skip(const char *s) { if (*s == ' ') s++; return s; }
== unknown-functions true ask
int sensor(int channel);
int ask(int c) { int v = sensor(c); return v < 0 ? 0 : v; }
--
int sensor(int channel);
int ask(int c) { return sensor(c) < 0 ? 0 : sensor(c); }
== addresses unknown hash
unsigned hash(void *place) { return (unsigned)(unsigned long)place; }
--
unsigned hash(void *place) { return (unsigned)(unsigned long)place; }
== distances false place
! place returns 0 in old.c and 1 in new.c
long place(const char *s) { const char *p = s; while (*p && *p != ' ') p++; return p - s; }
--
long place(const char *s) { const char *p = s; while (*p && *p != ' ') p++; return p - s + !*s; }
== random unknown draw
#include <stdlib.h>
int draw(void) { return rand(); }
--
#include <stdlib.h>
int draw(void) { return rand(); }
PAIRS

# write PAIR: its texts in old.c and new.c
write_pair() {
  awk -v want="$1" -v old="$dir/old.c" -v new="$dir/new.c" -v says="$dir/says" '
    /^== / { on = $2 == want; to = old; next }
    on && /^--$/ { to = new; next }
    on && /^! / { print substr($0, 3) >says; next }
    on { print >to }' "$dir/pairs"
}
# A part of them, each with its twin (test/part.common).
tried=$(awk '/^== / { name = $2; sub(/-differs?$/, "", name); if (!seen[name]++) print name, $3 }' "$dir/pairs" | part 3 2 | cut -d' ' -f1)
while read -r _ pair wanted function options; do
  grep -qx "${pair%-differ*}" <<<"$tried" || continue
  rm -f "$dir/old.c" "$dir/new.c" "$dir/says"
  write_pair "$pair"
  # shellcheck disable=SC2086
  (cd "$dir" && timeout 120 "$tool" check $options --timelimit=60 --equal old.c new.c "$function" >"$dir/out" 2>"$dir/err" </dev/null)
  cat "$dir/out" "$dir/err" >"$dir/both"
  got=$(sed -n 's/^RESULT: //p' "$dir/out" | sed 's/(.*//')
  is "$pair" "$got" "$wanted"
  [ ! -s "$dir/says" ] || while read -r text; do has "$pair says" "$text"; done <"$dir/says"
done < <(grep '^== ' "$dir/pairs")

# in FOLDER COMMAND...: as run, with the names of files as the user has them
in_folder() {
  (cd "$dir" && timeout 120 "$tool" "$@") >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
}

# the answer: status, the assumptions that it rests on, JSON
write_pair lists
in_folder check --equal old.c new.c sum --cells=1
is 'a status' $status 0
has 'says what the proof is about' 'TRUE: sum of new.c does what that of old.c does, in every call that the assumptions describe'
has 'says which calls' 'sum is called with: l->next is null'
has 'says what is not compared' 'whether sum returns at all is not compared'
write_pair early-return-differs
in_folder check --equal old.c new.c sign --format=json
has 'JSON has the sentence' '"headline": "sign returns 0 in old.c and 1 in new.c for x = 0"'
has 'JSON has the result' '"result": "false(equal)"'
in_folder check --equal=old.c --entry=sign new.c
is 'the function as an option' $status 10

# evidence: what compares is kept, shows the difference, is replayed
in_folder check --equal old.c new.c sign --output=evidence
[ -s "$dir/evidence/entry.c" ] && [ -s "$dir/evidence/old.c" ]
is 'both units are kept' $? 0
(cd "$dir" && sh evidence/run.sh) >"$dir/out" 2>&1
is 'the compiled versions differ' "$((status != 0))" 1
in_folder replay evidence/entry.c evidence/old.c evidence/inputs.txt
has 'the input is replayed' 'RESULT: false(equal)'
in_folder check --equal old.c new.c sign --harness
has 'the harness has the old version' '#define sign twoproof_of_old_sign'
awk '/^\/\/ ---- old.c/ { exit } { print }' "$dir/out" >"$dir/main.c"
gcc -Wall -Wno-unused -fsyntax-only "$dir/main.c" >"$dir/messages" 2>&1
is 'gcc takes the harness' "$(grep -c 'error' "$dir/messages")" 0

# further files belong to both versions, each with its own variables
cat >"$dir/shared.c" <<'C'
int hits; static int last;
int note(int x) { hits++; last = x; return last; }
C
printf 'int note(int); extern int hits; int f(int x) { return note(x) + (hits & 1); }\n' >"$dir/old.c"
printf 'int note(int); extern int hits; int f(int x) { int y = note(x); return y + (hits %% 2 != 0); }\n' >"$dir/new.c"
in_folder check --timelimit=60 --equal old.c new.c shared.c f
has 'a further file' 'RESULT: true'
printf 'int note(int); extern int hits; int f(int x) { note(x); int y = note(x); return y + (hits & 1); }\n' >"$dir/new.c"
in_folder check --timelimit=60 --equal old.c new.c shared.c f
has 'a further file, other effects' 'RESULT: false(equal)'

# a source that can be read once only
printf 'int g(int x) { return x & 7; }\n' >"$dir/new.c"
(cd "$dir" && "$tool" check --equal <(echo 'unsigned char x; int g(int x) { return x & 7; }') new.c g) >"$dir/both" 2>&1
has 'an old version from a pipe' 'RESULT: true'

# what cannot be compared
refused() {
  printf '%s\n' "$2" >"$dir/old.c"
  printf '%s\n' "$3" >"$dir/new.c"
  in_folder check --equal old.c new.c f
  is "$1: status" $status 6
  has "$1" "$4"
}
refused 'no such function' 'int f(void) { return 0; }' 'int g(void) { return 0; }' 'no function of this name with a body in new.c'
refused 'fewer parameters' 'int f(int a, int b) { return a + b; }' 'int f(int a) { return a; }' 'f has 2 parameters in old.c and 1 in new.c'
refused 'another result' 'int f(void) { return 0; }' 'long f(void) { return 0; }' 'the result of f is of type `int` in old.c and `long` in new.c'
refused 'another sign' 'int f(int x) { return x != 0; }' 'int f(unsigned x) { return x != 0; }' 'parameter 1 of f is of type `int` in old.c and `unsigned int` in new.c'
refused 'a new member' 'struct s { int a; }; int f(struct s *p) { return p->a; }' 'struct s { int a, b; }; int f(struct s *p) { return p->a; }' \
  'member `b` of struct s is only in new.c'
refused 'members in another order' 'struct s { int a, b; }; int f(struct s *p) { return p->a; }' 'struct s { int b, a; }; int f(struct s *p) { return p->a; }' \
  'member 1 of struct s is `a` in old.c and `b` in new.c'
refused 'a longer array' 'struct s { char a[4]; }; int f(struct s *p) { return p->a[0]; }' 'struct s { char a[5]; }; int f(struct s *p) { return p->a[0]; }' \
  'member `a` of struct s has 4 elements in old.c and 5 in new.c'
refused 'an old version that does not compile' 'int f(void) { return }' 'int f(void) { return 0; }' "expected expression"
refused 'a new version that does not compile' 'int f(void) { return 0; }' 'int f(void) { return 0 }' "expected ';'"
refused 'a variable that nothing defines' 'extern int x; int f(void) { return x; }' 'int f(void) { return 0; }' 'nothing defines the variable x'
in_folder check --equal missing.c new.c f
is 'a file that is missing' $status 6
has 'a file that is missing' 'missing.c: No such file or directory'
in_folder check --equal old.c new.c
is 'no function' $status 64
has 'no function' '--equal OLD.c NEW.c FUNC'
in_folder check --equal old.c new.c f --property=no-overflow
has 'another property' 'has a property of its own'
in_folder check --equal old.c new.c f --all-functions
has 'other entries' '--equal compares one function'
finish

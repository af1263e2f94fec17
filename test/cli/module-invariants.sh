#!/bin/bash
# Invariants of the structures that a module makes: entries that are proved under one, for structures of any size, with twins whose module breaks it; what there is no invariant of, and
# why; what the answer assumes and writes.
. "$(dirname "$0")/common"

# is NAME GOT WANTED; check FILE FUNC OPTION...: its answer is in $dir/both, the last line's verdict $result; has, lacks NAME PATTERN: some line of the last output; all one case each
is() { why=; [ "$2" = "$3" ] || why="'$2' instead of '$3'"; name=$1 verdict_of_case; }
check() {
  timeout 120 "$tool" check --property=valid-deref --timelimit="${seconds:-40}" --entry="$2" "${@:3}" "$dir/$1" >"$dir/out" 2>"$dir/err" </dev/null
  status=$?
  cat "$dir/out" "$dir/err" >"$dir/both"
  result=$(sed -n 's/^RESULT: //p' "$dir/out" | tail -n 1)
}
has() { why=; grep -Fq -e "$2" "$dir/both" || why="no line has '$2'"; name=$1 verdict_of_case; }
lacks() { why=; ! grep -Fq -e "$2" "$dir/both" || why="a line has '$2'"; name=$1 verdict_of_case; }

# a ring in memory of its user's, whose initialiser may refuse
cat >"$dir/queue.c" <<'C'
#include <stddef.h>
struct queue { int *cells; size_t capacity, first, n; void (*on_full)(struct queue *); };
int queue_init(struct queue *q, int *cells, size_t capacity) {
  if (!q || !cells || capacity == 0) return 0;
  q->cells = cells;
  q->capacity = capacity;
  q->first = q->n = 0;
  q->on_full = NULL;
  return 1;
}
void queue_watch(struct queue *q, void (*on_full)(struct queue *)) { q->on_full = on_full; }
int queue_put(struct queue *q, int cell) {
  if (q->n == q->capacity) {
    if (q->on_full) q->on_full(q);
    return 0;
  }
  size_t at = q->first < q->capacity - q->n ? q->first + q->n : q->first - (q->capacity - q->n);
  q->cells[at] = cell;
  q->n++;
  return 1;
}
int queue_take(struct queue *q, int *cell) {
  if (q->n == 0) return 0;
  *cell = q->cells[q->first];
  q->first = q->first + 1 == q->capacity ? 0 : q->first + 1;
  q->n--;
  return 1;
}
C
sed 's/q->first + 1 == q->capacity/q->first == q->capacity/' "$dir/queue.c" >"$dir/queue_bad.c"
sed 's/^int queue_take/static int shared[8];\n&/; s/q->cells = cells;/q->cells = capacity < 8 ? shared : cells;/' "$dir/queue.c" | sed '/^static int shared/d; s/^struct queue/static int shared[8];\n&/' >"$dir/queue_shared.c"
sed '$a void queue_swap(struct queue **q, struct queue *by) { *q = by; }' "$dir/queue.c" >"$dir/queue_swap.c"

check queue.c queue_take
is 'a ring of any capacity' "$result" true
has 'what holds of it' 'object->first < object->capacity; object->n <= object->capacity'
has 'its memory' 'object->cells is null or leads to object->capacity elements'
has 'who keeps it' '(kept by all 4 functions of the module that take or make one; 4 certificates checked)'
has 'which results count' 'a structure is used only if queue_init returned a value != 0'
has 'who writes it' "only the module's functions write struct queue and what such structures own, which they do not share"
has 'what fails without' 'Outside of that: queue_take fails for structures that are filled by their types only'
is 'true' $status 0
check queue_bad.c queue_take --operations=3
is 'one place too far' "$result" 'false(valid-deref)'
check queue_shared.c queue_take --operations=0
has 'memory of the module' "No invariant of the module's structures: the module has a variable, shared"
check queue_swap.c queue_take --operations=0
has 'by the address of a pointer' "No invariant of the module's structures: queue_swap takes the address of a pointer to it"
is 'no proof without' "$result" 'bounded(operations=0)'

# memory of its own, which grows
cat >"$dir/stack.c" <<'C'
#include <stdint.h>
#include <stdlib.h>
struct stack { long *items; size_t n, room; };
struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
int stack_push(struct stack *s, long item) {
  if (s->n == s->room) {
    if (s->room > SIZE_MAX / 32) return -1;
    size_t room = s->room ? 2 * s->room : 4;
    long *items = realloc(s->items, room * sizeof *items);
    if (!items) return -1;
    s->items = items;
    s->room = room;
  }
  s->items[s->n++] = item;
  return 0;
}
void stack_cut(struct stack *s, size_t n) { if (n < s->n) s->n = n; }
void stack_free(struct stack *s) { if (s) { free(s->items); free(s); } }
C
sed 's/if (n < s->n) s->n = n;/s->n = n;/' "$dir/stack.c" >"$dir/stack_cut.c"
sed 's/realloc(s->items, room \* sizeof \*items)/realloc(s->items, (unsigned)(room * sizeof *items))/' "$dir/stack.c" >"$dir/stack_wraps.c"
sed 's/if (n < s->n) s->n = n;/if (n == 0) free(s->items);/' "$dir/stack.c" >"$dir/stack_dangles.c"
check stack.c stack_push --arguments=invariant --format=json
has 'a stack that grows' '"verdict": "true"'
has 'JSON: what holds' '"object->items is null or leads to object->room elements"'
seconds=4  # nothing is to be found
for broken in stack_cut ${TP_SOAK:+stack_wraps stack_dangles}; do
  check $broken.c stack_push --arguments=invariant
  lacks "$broken" 'RESULT: true'
done

seconds=

# what is written
check stack.c stack_cut --arguments=invariant --output="$dir/evidence"
is 'with evidence' "$result" true
grep -q 'object->n <= object->room' "$dir/evidence/invariant.txt" && grep -q 'twoproof_state_1' "$dir/evidence/structures.c"
is 'the invariant, and its obligations' $? 0

# what an invariant would be silent about: structures whose pointers come to lead to one object, and functions that reach a structure in a way that no obligation has. hidden NAME FUNC WHY MODULE
module='#include <stdlib.h>
struct v { int *a; unsigned k; };
struct v *v_new(void) { struct v *p = malloc(sizeof *p); p->a = malloc(16); p->k = 4; return p; }
int v_get(struct v *v, unsigned i) { return i < v->k ? v->a[i] : 0; }'
hidden() {
  printf '%s\n' "$4" >"$dir/hidden.c"
  check hidden.c "$2" --arguments=invariant
  has "$1" "UNKNOWN: no invariant of the module's structures: $3"
}
hidden 'two pointers to one block' pair_take 'whether pair_link keeps it is open' '#include <stdlib.h>
struct pair { int *first, *second; };
struct pair *pair_new(void) { struct pair *p = malloc(sizeof *p); p->first = malloc(16); p->second = malloc(16); return p; }
void pair_link(struct pair *p) { p->second = p->first; }
int pair_take(struct pair *p) { free(p->first); p->first = malloc(16); return p->second[3]; }'
hidden 'a copy that is not deep' v_two 'whether v_clone keeps it is open' "$module
struct v *v_clone(struct v *s) { struct v *c = malloc(sizeof *c); *c = *s; return c; }
int v_two(struct v *x, struct v *y) { free(x->a); x->a = malloc(16); return y->a[3]; }"
hidden 'a void *' v_get 'v_reset writes through a void *' "$module
void v_reset(void *o) { ((struct v *)o)->k = 1000; }"
hidden 'a structure that leads to it, whose name says end' v_get 'owner_release takes a structure that leads to it' "$module
struct owner { struct v *v; };
void owner_release(struct owner *o) { o->v->k = 1000; }"
hidden 'variable arguments' v_get 'v_of takes variable arguments' "$module
#include <stdarg.h>
struct v *v_of(int n, ...) { va_list l; va_start(l, n); struct v *p = v_new(); p->k = va_arg(l, unsigned); va_end(l); return p; }"
hidden 'an array of structures' v_get 'v_init_all takes an array of structures' "$module
void v_init_all(struct v *v, unsigned n) { for (unsigned i = 0; i < n; i++) { v[i].a = malloc(16); v[i].k = i ? 1000 : 4; } }"
echo 'static unsigned limit = 4;' >"$dir/limit.h"
hidden 'a variable of a header' v_some 'the module has a variable, limit' "$module
#include \"limit.h\"
int v_some(struct v *v, unsigned i) { return i < limit ? v->a[i] : 0; }
void set_limit(unsigned n) { limit = n; }"
# calls that fail in structures as facts make them only, and go on in those of the module: behind them a candidate breaks, for one argument that no run draws
rare='k = (k ^ (k >> 7)) * 2654435761u; if (k * k + (k >> 3) == 2408894925u) v->k = 1000;'
passes() {  # NAME MEMBERS INITIALISER STATEMENT [BEFORE]
  printf '%s\n' '#include <stdlib.h>
struct v { int *a; unsigned k; '"$2"' };
'"${5:-}"'
struct v *v_new(unsigned size) { '"${6:-struct v *p = malloc(sizeof *p);}"' p->a = malloc(16); p->k = 4; '"$3"' return p; }
int v_get(struct v *v, unsigned i) { return i < v->k && i < 1000 ? v->a[i] : 0; }
void v_bump(struct v *v, unsigned k) { '"$4 $rare"' }' >"$dir/passes.c"
  check passes.c v_get --arguments=invariant
  lacks "$1" 'RESULT: true'
}
seconds=4 && ! soak || seconds=8  # no proof is to be found
passes 'memory of a size that no fact says' 'char *b; int has;' 'p->b = malloc(size); p->has = size ? 7 : 0;' 'if (!v->has) return; v->b[0] = 1;'
passes 'a pointer in memory that it owns' 'int **b;' 'p->b = malloc(sizeof *p->b); *p->b = malloc(4);' '**v->b = 1;'
passes 'an object around it' '' '(void)size;' '((struct around *)v)->behind = 1;' 'struct around { struct v v; int behind; };' 'struct v *p = &((struct around *)malloc(sizeof(struct around)))->v;'
passes 'a function in memory that it owns' 'struct calls *b;' 'p->b = malloc(sizeof *p->b); p->b->one = nothing;' 'v->b->one();' 'struct calls { void (*one)(void); };
static void nothing(void) {}'
passes 'a pointer that can be freed in most states' 'char *b;' 'p->b = malloc(4);' 'free(v->b); v->b = malloc(4);' 'void v_skip(struct v *v) { v->b = v->b + 1; }'
seconds=
hidden 'a part of it' v_get 'count_more writes to what may be a part of it' '#include <stdlib.h>
struct count { unsigned n; };
struct v { int *a; struct count k; };
struct v *v_new(void) { struct v *p = malloc(sizeof *p); p->a = malloc(16); p->k.n = 4; return p; }
void count_more(struct count *c) { c->n++; }
int v_get(struct v *v, unsigned i) { return i < v->k.n ? v->a[i] : 0; }'
hidden 'what it owns, from its users' v_get 'numbers_free writes to what may be a part of it, or its own' "$module
int *v_numbers(struct v *v) { return v->a; }
void numbers_free(int *a) { free(a); }"
hidden 'a variable without a name' v_get 'the module has a variable, one without a name' "$module
static unsigned *const limit = (unsigned[1]){4};
void set_limit(unsigned n) { *limit = n; }
void v_limit(struct v *v) { v->k = *limit; }"
hidden 'what the library remembers' v_get 'the module uses strtok, which remembers' "$module
#include <string.h>
int v_words(struct v *v, char *text) { return strtok(text, \",\") && v->k; }
void v_next(struct v *v) { if (strtok(NULL, \",\")) v->k = 1000; }"
printf '%s\n' "$module
#include <errno.h>
void v_retry(struct v *v) { if (errno == EINTR) v->k = 1000; }" >"$dir/errno.c"
check errno.c v_get --arguments=invariant
lacks 'errno of earlier calls' 'RESULT: true'
printf '%s\n' "$module
void v_exchange(struct v *x, struct v *y) { int *a = x->a; x->a = y->a; y->a = a; }" >"$dir/exchange.c"
check exchange.c v_get --arguments=invariant
is 'two structures' "$result" true
has 'two structures are different ones' 'pointers among the arguments of a call lead to different structures, and to nothing that structures own'
finish

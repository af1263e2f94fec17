#!/bin/bash
# What functions do, by abstract interpretation: as contracts that the tool reads back and that hold of the bodies, and in English.
. "$(dirname "$0")/common"
max_lines=60

# ---- worked examples, by rows of the list of what the source asks for
"$tool" spec --summaries examples/spec/stack.c >"$dir/stack.contracts" 2>"$dir/stack.err"
says() { # NAME FUNCTION PATTERN: the block of the function has the line
  name=$1 why=
  sed -n "/^function $2 {/,/^}/p" "${4:-$dir/stack.contracts}" | grep -Eq -e "$3" || why="no line '$3' in the summary of $2"
  verdict_of_case
}
says "K17_a new object at the front" push "some new1 : struct node - .alloc [|] head' = head [+][+] l -> new1 and next' = next [+] new1 -> l.head and struct node::v' = struct node::v [+] new1 -> v and .alloc' = .alloc [+] new1"
says "K19_a loop that visits all of a list is exact" reset "ensures v' = v [+][+] [(]l.head.[*]next - null[)] -> [{]0[}]"
says "K18_only what is reachable" reset "changes .v. of objects reachable from .l->head. through .next. only"
says "K20_a loop that changes what it traverses" reverse "changes .head. of .l. only; changes .next. of objects reachable from .l->head. through .next. only"
says "K22_recursion" length "changes nothing"
says "K14_objects end" clear "may end objects"
says "W1_a choice stays exact" join "next' = [(]if x = y then next else next [+][+] x -> y[)]"
says "trap 2: nothing behind a return" join "result = [(]if x = y then x else y[)]"
cat >"$dir/once.c" <<'C'
#include <stdlib.h>
struct s { struct s *next; };
void add_once(struct s *x) { if (!x->next) x->next = malloc(sizeof *x); }
C
"$tool" spec --summaries "$dir/once.c" >"$dir/once.contracts" 2>&1
says "K16_perhaps a new object" find_or_add "some new1_or_null : struct node - .alloc [+] null [|] let new1 = new1_or_null - null"
says "K16_what exists stays" copy "(some new1 .*| )[\\]alloc [+] new1 in [\\]alloc'"
says "K16_objects of one branch" add_once "may make objects" "$dir/once.contracts"
says "K16_a set of new objects" copy "next' in next [+] [(]struct node - .alloc[)] -> "

# ---- they are read back, and hold
expect "K25_contracts are read back" 0 "CONTRACTS: [0-9]+ understood, 0 wrong" "$tool" spec --check-syntax --contracts="$dir/stack.contracts" examples/spec/stack.c
expect "K23_each summary holds of its body" 1 "RESULT: bounded" "$tool" spec --contracts="$dir/stack.contracts" --objects=3 --unroll=2 --width=3 examples/spec/stack.c
sed "s/next' = next + new1 -> l.head/next' = next + new1 -> null/" "$dir/stack.contracts" >"$dir/wrong.contracts"
max_lines=200 expect "K23_a wrong one does not" 10 "RESULT: false" "$tool" spec --contracts="$dir/wrong.contracts" --objects=2 --unroll=1 --width=3 --function=push examples/spec/stack.c
"$tool" spec --summaries bench/karun/dll.c >"$dir/dll.contracts"
says "K14_what is linked" unlink_item "next' = next [+][+] i.prev -> i.next" "$dir/dll.contracts"
sed 's,//@,//,;s,^/[*]@,/*,' bench/karun/dll.c >"$dir/dll.c"
max_lines=80 expect "K25_a file without contracts" 0 "CONTRACTS: [0-9]+ understood, 0 wrong" "$tool" spec --check-syntax --contracts="$dir/dll.contracts" "$dir/dll.c"
max_lines=400 expect "K24_a program of 88 functions" 0 "^function mst" bash -c "ulimit -t 5; exec '$tool' spec --summaries --function=mst bench/karun/graph.c"
"$tool" spec --summaries --function=mst bench/karun/graph.c >"$dir/mst.contracts" 2>&1
says "K24_... of which the last one says that it changes no object that was there" mst "// makes objects$" "$dir/mst.contracts"

for f in graph sched topo; do
  "$tool" spec --summaries bench/karun/$f.c >"$dir/$f.contracts"
  max_lines=1000 expect "K25_all of a program is read back: $f" 0 "CONTRACTS: [0-9]+ understood, 0 wrong" "$tool" spec --check-syntax --contracts="$dir/$f.contracts" bench/karun/$f.c
done

# ---- what a large expression has several times is written once, and means what it meant: the body keeps the contract, not one whose part is another
says "W1_many choices stay exact" add_edge "struct list::first' = [(]let part1 = .*, part2 = " "$dir/graph.contracts"
keeps=(spec --function=add_edge --objects=2 --unroll=2 --width=3)
max_lines=200 expect "K23_a summary with let holds of its body" 1 "RESULT: bounded" "$tool" "${keeps[@]}" --contracts="$dir/graph.contracts" bench/karun/graph.c
sed -E "/^function add_edge /,/^}/s/(struct list::first' = [(]let part1 = [(]if null) != e.a/\1 = e.a/" "$dir/graph.contracts" >"$dir/wrong_part.contracts"
max_lines=200 expect "K23_one with a wrong part does not" 10 "RESULT: false" "$tool" "${keeps[@]}" --contracts="$dir/wrong_part.contracts" bench/karun/graph.c

# ---- calls by summary: what holds of a weaker callee holds, and what fails is confirmed by the compiled program
topo="spec --calls=summary --function=topo --objects=3 --unroll=3 --width=4"
expect "K37_a property that summaries are enough for" 1 "RESULT: bounded" "$tool" $topo --contracts=bench/karun/properties/R1 bench/karun/topo.c
expect "K37_one that they are not enough for" 5 "not confirmed by the compiled program" "$tool" $topo --refinements=0 --contracts=bench/karun/properties/R2 bench/karun/topo.c
max_lines=200 expect "K41_a failure in a callee" 10 "RESULT: false" "$tool" $topo --contracts=bench/karun/properties/R2 -DBUG_RESET bench/karun/topo.c
max_lines=200 expect "K27_contracts of the user, and summaries beside them" 1 "RESULT: bounded" "$tool" spec --calls=summary --objects=3 --unroll=3 --width=3 bench/karun/dll.c
max_lines=500 expect "K27_... with an error" 10 "RESULT: false" "$tool" spec --calls=summary --objects=3 --unroll=3 --width=3 -DBUG_LINK bench/karun/dll.c
expect "K27_functions with a contract of the user are checked only" 1 "RESULT: bounded" "$tool" spec --calls=summary --objects=2 --unroll=2 --width=3 --function=push examples/spec/stack.c

# ---- the pattern "visit all", and shapes that it is forbidden for
cat >"$dir/visit.c" <<'C'
struct node { struct node *next; struct box *box; int v; };
struct box { int w; };
void all(struct node *x) { for (; x; x = x->next) x->v = 7; }
void through(struct node *x, int k) { while (x) { x->box->w = k; x = x->next; } }
void invariant_receiver(struct node *x, struct node *y) { for (; x; x = x->next) y->v = 7; }
void conditional(struct node *x) { for (; x; x = x->next) if (x->box) x->v = 7; }
void traversed(struct node *x) { while (x) { x->next = 0; x = x->next; } }
void traversed_path(struct node *x, struct box *b) { for (; x; x = x->next) { x->box->w = 7; x->box = b; } }
void twice(struct node *x) { for (; x; x = x->next) { x->v = 7; x->v = 8; } }
void behind_exit(struct node *x) { for (; x; x = x->next) { if (x->v == 3) break; x->v = 7; } }
void another_end(struct node *x, struct node *y) { for (; x != y; x = x->next) x->v = 7; }
void changing_value(struct node *x, int k) { for (; x; x = x->next) { x->v = k; k = k + 1; } }
void behind_step(struct node *x) { while (x) { x = x->next; if (x) x->v = 7; } }
void entered_inside(struct node *x) { goto in; while (x) { x->v = 7; in: x = x->next; } }
C
"$tool" spec --summaries "$dir/visit.c" >"$dir/visit.contracts" 2>&1
says "K19_all" all "v' = v [+][+] [(]x.[*]next - null[)] -> [{]7[}]" "$dir/visit.contracts"
says "K19_through a member" through "w' = w [+][+] x.[*]next.struct node::box -> k|w' = w [+][+] x.[*]next.box -> k" "$dir/visit.contracts"
for f in invariant_receiver conditional traversed_path twice behind_exit another_end changing_value behind_step entered_inside; do
  why=
  sed -n "/^function $f {/,/^}/p" "$dir/visit.contracts" | grep -Eq "[vw]' = " && why="an exact bound: $(sed -n "/^function $f {/,/^}/p" "$dir/visit.contracts")"
  name="K19_forbidden: $f" verdict_of_case
done
why=
sed -n "/^function traversed {/,/^}/p" "$dir/visit.contracts" | grep -q "next' = next ++ (x" && why="an exact bound"
name="K19_forbidden: traversed" verdict_of_case
max_lines=200 expect "K19_what is said of them holds, but for null pointers" 10 "through: objects" "$tool" spec --contracts="$dir/visit.contracts" --objects=3 --unroll=3 --width=4 "$dir/visit.c"
why=$(grep "fails:" "$dir/both" | grep -v "null pointer")
name="K23_nothing else fails" verdict_of_case

# ---- rows of the thesis's rules: aliases, updates, allocations, conditions, contexts
cat >"$dir/rules.c" <<'C'
#include <stdbool.h>
#include <stdlib.h>
struct node { struct node *next, *other; int v; };
struct node *alias(struct node *a, struct node *b) { a->other = b->other; b->other = 0; return a->other; }
void strong(struct node *a, struct node *b) { a->other = b; }
void weak(struct node *a, struct node *b) { while (a->v < 3) a = a->next; a->other = b; }
void inexact_value(struct node *a, struct node *b) { while (b->v < 3) b = b->next; a->other = b; }
struct node *three(void) {
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y), *z = malloc(sizeof *z);
  x->next = y; y->next = z; z->next = 0;
  return x;
}
struct node *path_equal(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (x && x->next->other == y) return x; return 0; }
struct node *path_unequal(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (x && x->other != y) return x; return 0; }
struct node *both(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (x && x->other == y && x->next == y) return x; return 0; }
struct node *either(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (!x || x->other == y) return x; return 0; }
struct node *negated(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (!(!x || x->other != y)) return x; return 0; }
struct node *itself(struct node *x, struct node *y, int k) { while (x && k > x->v) x = x->next; if (x != y) return x; return 0; }
struct node *ordered(struct node *x, int k) { while (x && k > x->v) x = x->next; if (x && x->v < 7) return x; return 0; }
C
"$tool" spec --summaries "$dir/rules.c" >"$dir/rules.contracts" 2>&1
"$tool" spec --summaries --summary-m=2 --function=three "$dir/rules.c" >"$dir/three.contracts" 2>&1
at='x.[*]next'
says "K14_two stores that may be to one object" alias "other' = other [+][+] a -> b.other [+][+] b -> null" "$dir/rules.contracts"
says "K15_an exact receiver: strong" strong "other' = other [+][+] a -> b" "$dir/rules.contracts"
says "K15_a joined receiver: weak" weak "other' in other [+] a.[*]next -> b" "$dir/rules.contracts"
says "K15_a joined value: the receiver's old one is gone" inexact_value "other' in a -> b.[*]next [+] [(]other - a -> univ[)]" "$dir/rules.contracts"
says "K16_as many objects as are told apart" three "next' = next [+] new1 -> new2 [+] new2 -> new3 [+] new3 -> null" "$dir/rules.contracts"
says "K16_one more: a set" three "struct node - .alloc" "$dir/three.contracts"
says "K18_v.f.g = e" path_equal "result in null [+] .*next[.][(]other[.]y[)]" "$dir/rules.contracts"
says "K18_v.f != e" path_unequal "result in null [+] .*other[.][(]univ - y[)]" "$dir/rules.contracts"
says "K18_&&" both "result in null [+] .*next[.]y.*other[.]y|result in null [+] .*other[.]y.*next[.]y" "$dir/rules.contracts"
says "K18_||" either "result in null [+] .*other[.]y" "$dir/rules.contracts"
says "K18_not" negated "result in null [+] .*other[.]y" "$dir/rules.contracts"
says "K18_v != e" itself "result in null [+] .* - y|result in null [+] .*- [(]null [+] y[)]|result in null [+] .*- [(]y [+] null[)]" "$dir/rules.contracts"
says "K18_<: nothing" ordered "result in null [+] [(]x.[*]next - null[)]" "$dir/rules.contracts"
"$tool" spec --summaries --function=pick bench/karun/topo.c >"$dir/pick.contracts" 2>&1
says "K18_pick" pick "result in null [+] [(]from.[*]next - null[)] & node.[(]indeg" "$dir/pick.contracts"
max_lines=900 expect "K23_what is said by these rules holds, but for null pointers" 10 "ordered: objects" "$tool" spec --contracts="$dir/rules.contracts" --objects=3 --unroll=2 --width=3 "$dir/rules.c"
why=$(grep "fails:" "$dir/both" | grep -v "null pointer\|uninitialised\|indeterminate")
name="K23_nothing else of these rules fails" verdict_of_case

# One callee in eight contexts: the call changes what the inlined body changes, and what is said of its result holds of the inlined body, too.
cat >"$dir/contexts" <<'C'
1 struct node *a, struct node *b|;|a, b
2 struct node *a, struct node *b|;|a, a
3 struct node *a, struct node *b|while (a->v < 3) a = a->next;|a, b
4 struct node *a, struct node *b|while (b->v < 3) b = b->next;|a, b
5 struct node *a, struct node *b|while (a->v < 3) a = a->next; while (b->v < 3) b = b->next;|a, b
6 struct node *a, struct node *b|a = malloc(sizeof *a);|a, b
7 struct node *a, struct node *b|for (int i = 0; i < b->v; i++) a = malloc(sizeof *a);|a, b
8 struct node *a, struct node *b|while (b->v < 3) { b->other = a; b = b->next; }|a, b
C
{
  echo '#include <stdlib.h>'
  echo 'struct node { struct node *next, *other; int v; };'
  echo 'static struct node *callee(struct node *x, struct node *y) { x->next = y->other; y->other = x; return x->next; }'
  while IFS='|' read -r head body args; do
    n=${head%% *} params=${head#* }
    echo "struct node *called$n($params) { $body return callee($args); }"
    echo "struct node *inlined$n($params) { $body struct node *x = ${args%,*}, *y = ${args#*, }; x->next = y->other; y->other = x; return x->next; }"
  done <"$dir/contexts"
} >"$dir/contexts.c"
"$tool" spec --summaries "$dir/contexts.c" >"$dir/contexts.contracts" 2>&1
for n in 1 2 3 4 5 6 7 8; do
  for f in called inlined; do sed -n "/^function $f$n {/,/^}/p" "$dir/contexts.contracts" | sed '1d;/result/d' >"$dir/$f"; done
  why=
  cmp -s "$dir/called" "$dir/inlined" && grep -q "next'" "$dir/called" || why=$(diff "$dir/called" "$dir/inlined")
  name="K22_context $n" verdict_of_case
  says "K22_context $n: the result" "called$n" "result (=|in) " "$dir/contexts.contracts"
done
sed -n '/^function called/,/^}/p' "$dir/contexts.contracts" | sed 's/function called/function inlined/' >"$dir/inlined.contracts"
max_lines=900 expect "K22_what calls say holds of inlined bodies, but for null pointers" 10 "inlined8: objects" "$tool" spec --contracts="$dir/inlined.contracts" --objects=3 --unroll=2 --width=3 "$dir/contexts.c"
why=$(grep "fails:" "$dir/both" | grep -v "null pointer\|uninitialised\|indeterminate")
name="K22_nothing else fails" verdict_of_case

# A chain of 400 functions, each of which calls the next one twice, within 10 seconds of CPU.
{
  echo 'struct node { struct node *next; int v; };'
  echo 'static void f400(struct node *x, struct node *y) { x->v = 7; }'
  for n in $(seq 399 -1 1); do echo "static void f$n(struct node *x, struct node *y) { f$((n + 1))(x, y); if (x->next == y) f$((n + 1))(y, x); }"; done
  echo 'void f0(struct node *x, struct node *y) { f1(x, y); }'
} >"$dir/chain.c"
max_lines=400 expect "K24_a chain of 400 functions" 0 "^function f0" bash -c "ulimit -t 10; exec '$tool' spec --summaries --function=f0 '$dir/chain.c'"

# ---- searches: exact where the loop walks along one member, changes nothing and ends by conditions on the cursor
cat >"$dir/search.c" <<'C'
struct node { struct node *next, *other; int v; };
struct node *by_value(struct node *x, int k) { while (x && x->v != k) x = x->next; return x; }
struct node *by_break(struct node *x, int k) { for (; x; x = x->next) if (x->v == k) break; return x; }
struct node *by_return(struct node *x, struct node *y) { for (; x; x = x->next) if (x->other == y) return x; return 0; }
struct node *last(struct node *x) { while (x->next) x = x->next; return x; }
struct node *until(struct node *x, const struct node *y) { while (x != y) x = x->next; return x; }
struct node *behind(struct node *x, int k) { struct node *b = 0; while (x && x->v != k) { b = x; x = x->next; } return b; }
struct node *two_ways(struct node *x, int k) { while (x && x->v != k) { if (x->v == 3) x = x->other; else x = x->next; } return x; }
struct node *counts(struct node *x, int k) { while (x && k) { x = x->next; k = k - 1; } return x; }
struct node *by_order(struct node *x, int k) { while (x && x->v < k) x = x->next; return x; }
struct node *writes(struct node *x, int k) { while (x && x->v != k) { x->v = 3; x = x->next; } return x; }
struct node *writes_elsewhere(struct node *x, struct node *y, int k) { while (x && x->v != k) { y->v = k; x = x->next; } return x; }
struct node *cuts(struct node *x, int k) { while (x && x->v != k) { struct node *n = x->next; x->next = 0; x = n; } return x; }
struct node *self(struct node *x) { while (x->other != x) x = x->next; return x; }
struct node *two_cursors(struct node *x, struct node *y) { while (x && y && x->v != y->v) { x = x->next; y = y->next; } return x; }
C
"$tool" spec --summaries "$dir/search.c" >"$dir/search.contracts" 2>&1
first="x.[*][(]next - [(]null [+] v.k[)] -> univ[)] & [(]null [+] v.k[)]"
says "K18_a search is exact" by_value "result = $first" "$dir/search.contracts"
says "K18_... that ends by a break" by_break "result = $first" "$dir/search.contracts"
says "K18_... of the last one" last "result = x.[*][(]next - next.null -> univ[)] & next.null" "$dir/search.contracts"
says "K18_... to another pointer" until "result = x.[*][(]next - y -> univ[)] & y" "$dir/search.contracts"
says "K18_what follows the cursor by one step" behind "result = [(]if x = $first then null else x.[*][(]next - next.[(]$first[)] -> univ[)] & next.[(]$first[)][)]" "$dir/search.contracts"
for f in two_ways counts by_order writes writes_elsewhere cuts self two_cursors; do
  why=
  sed -n "/^function $f {/,/^}/p" "$dir/search.contracts" | grep -q "result = " && why="an exact bound: $(sed -n "/^function $f {/,/^}/p" "$dir/search.contracts")"
  name="K18_no search: $f" verdict_of_case
done
max_lines=900 expect "K23_what is said of searches holds, but for null pointers" 10 "two_cursors: objects" "$tool" spec --contracts="$dir/search.contracts" --objects=3 --unroll=3 --width=3 "$dir/search.c"
why=$(grep "fails:" "$dir/both" | grep -v "null pointer")
name="K23_nothing else of searches fails" verdict_of_case

# ---- conditions on what callees read: of the caller's variables, not of those with the same number
cat >"$dir/getters.c" <<'C'
struct n { struct n *next; int v; };
static struct n *get(struct n *p) { return p->next; }
static struct n *second(struct n *p) { p = p->next; return p->next; }
struct n *another(struct n *a, struct n *b, struct n *q) {
  while (a && a->v) a = a->next;
  if (b && get(b) == q) return a;
  return 0;
}
struct n *own(struct n *a, struct n *q, int k) {
  while (a && k) { a = a->next; k = k - 1; }
  return a && get(a) == q ? a : 0;
}
struct n *moved(struct n *a, struct n *q, int k) {
  while (a && k) { a = a->next; k = k - 1; }
  return a && a->next && second(a) == q ? a : 0;
}
C
"$tool" spec --summaries "$dir/getters.c" >"$dir/getters.contracts" 2>&1
says "K18_a filter behind a getter" own "result in null [+] .*next[.]q" "$dir/getters.contracts"
max_lines=200 expect "K23_conditions on results of calls" 1 "RESULT: bounded" "$tool" spec --contracts="$dir/getters.contracts" --function=another --objects=3 --unroll=3 --width=3 "$dir/getters.c"
max_lines=200 expect "K23_... of an argument that the callee moves on" 1 "RESULT: bounded" "$tool" spec --contracts="$dir/getters.contracts" --function=moved --objects=3 --unroll=3 --width=3 "$dir/getters.c"

# ---- new objects that may be gone again have no members for certain, and pointers to them lead anywhere
cat >"$dir/freed.c" <<'C'
#include <stdlib.h>
struct n { struct n *a; };
struct n *g;
struct n *kept(struct n *y) { if (y) g = calloc(1, sizeof *g); free(g); return y; }
static void end(struct n *x) { free(x); }
struct n *passed(struct n *y) { struct n *p = 0; if (y) p = calloc(1, sizeof *p); end(p); return p; }
C
"$tool" spec --summaries "$dir/freed.c" >"$dir/freed.contracts" 2>&1
max_lines=200 expect "K23_new objects that are freed in one branch" 1 "RESULT: bounded" "$tool" spec --contracts="$dir/freed.contracts" --objects=3 --unroll=2 --width=3 "$dir/freed.c"

# ---- what is not known is said
cat >"$dir/unknown.c" <<'C'
struct s { int a, b; int *p; };
int extern_call(struct s *);
int interior(struct s *x) { x->p = &x->b; return 0; }
int calls(struct s *x) { return extern_call(x); }
int calls_interior(struct s *x) { return interior(x); }
int scalar(struct s *x) { int *q = &x->a; *q = 1; return x->a; }
void cast(struct s *x) { ((char *)x)[1] = 0; }
C
"$tool" spec --summaries "$dir/unknown.c" >"$dir/unknown.contracts" 2>&1
says "a pointer into an object in memory" interior "not known: a pointer into an object is kept in memory .*unknown.c:3:" "$dir/unknown.contracts"
says "what calls it" calls_interior "not known: it calls interior" "$dir/unknown.contracts"
says "a function without body" calls "everything may change at a call of extern_call" "$dir/unknown.contracts"
says "bytes of an object" cast "everything may change at a store that no member" "$dir/unknown.contracts"
says "a pointer to a member" scalar "a' = a [+][+] x -> [{]1[}]" "$dir/unknown.contracts"
says "what was stored is read" scalar "result = [{]1[}]" "$dir/unknown.contracts"
expect "tunables out of range" 64 "at least 2" "$tool" spec --summaries --summary-k=1 "$dir/unknown.c"
expect "a small limit on operators" 0 "modifies head, next, struct node::v, count, .alloc|modifies" "$tool" spec --summaries --summary-n=2 --function=push examples/spec/stack.c

# ---- calls with an object that no member leads to have a template of their own (l); an object that was stored has not
cat >"$dir/context.c" <<'C'
#include <stdlib.h>
struct e { int v; };
struct c { struct e *e; struct c *next; };
struct l { struct c *first; };
static struct e *kept;
static int has(const struct l *l, const struct e *e) { struct c *c = l->first; while (c && c->e != e) c = c->next; return c != NULL; }
static int push(struct l *l, struct e *e) { if (has(l, e)) return 0; struct c *c = malloc(sizeof *c); c->e = e; c->next = l->first; l->first = c; return 1; }
int fresh(struct l *l) { struct e *e = malloc(sizeof *e); return push(l, e); }
int twice(struct l *l) { struct e *e = malloc(sizeof *e); push(l, e); return push(l, e); }
int stored(struct l *l) { struct e *e = malloc(sizeof *e); if (l->first) l->first->e = e; return push(l, e); }
int global(struct l *l) { struct e *e = malloc(sizeof *e); kept = e; return push(l, e); }
int given(struct l *l, struct e *e) { return push(l, e); }
int both(struct l *l, struct e *e, int b) { struct e *n = malloc(sizeof *n); if (b) e = n; return push(l, e); }
C
"$tool" spec --summaries "$dir/context.c" >"$dir/context.contracts"
says "a new object is in no list" fresh "result = [{]1[}]" "$dir/context.contracts"
says "what was pushed is found" twice "result = [{]0[}]" "$dir/context.contracts"
says "a global is no member" global "result = [{]1[}]" "$dir/context.contracts"
for f in stored given both; do says "$f may be there" $f "result = [(]if no " "$dir/context.contracts"; done
for f in fresh twice stored global both; do echo "function $f { requires l != null }"; done >>"$dir/context.contracts"
for f in fresh twice stored global both; do expect "the summary of $f holds of its body" 1 "holds within these bounds" "$tool" spec --calls=inline --objects=2 --unroll=2 --width=3 --function=$f --contracts="$dir/context.contracts" "$dir/context.c"; done
finish

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
says "K20_a loop that changes what it traverses" reverse "changes .head. of .l. only; changes .next. of any struct node"
says "K22_recursion" length "changes nothing"
says "K14_objects end" clear "may end objects"
says "W1_a choice stays exact" join "next' = [(]if x = y then next else next [+][+] x -> y[)]"
says "trap 2: nothing behind a return" join "result = [(]if x = y then x else y[)]"
says "K16_perhaps a new object" find_or_add "some new1_or_null : struct node - .alloc [+] null [|] let new1 = new1_or_null - null"
says "K16_what exists stays" copy "(some new1 .*| )[\\]alloc [+] new1 in [\\]alloc'"
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
max_lines=400 expect "K24_a program of 88 functions" 0 "^function mst" "$tool" spec --summaries --function=mst bench/karun/graph.c

for f in graph sched topo; do
  "$tool" spec --summaries bench/karun/$f.c >"$dir/$f.contracts"
  max_lines=1000 expect "K25_all of a program is read back: $f" 0 "CONTRACTS: [0-9]+ understood, 0 wrong" "$tool" spec --check-syntax --contracts="$dir/$f.contracts" bench/karun/$f.c
done

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
finish

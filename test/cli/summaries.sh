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
says "K18_a loop over all of a list" reset "ensures v' in v [+] l.head.[*]next -> [{]0[}]"
says "K18_only what is reachable" reset "changes .v. of objects reachable from .l->head. through .next. only"
says "K20_a loop that changes what it traverses" reverse "changes .head. of .l. only; changes .next. of any struct node"
says "K22_recursion" length "changes nothing"
says "K14_objects end" clear "may end objects"
says "W1_a choice stays exact" join "next' = [(]if x = y then next else next [+][+] x -> y[)]"
says "trap 2: nothing behind a return" join "result = [(]if x = y then x else y[)]"
says "K16_perhaps a new object" find_or_add "some new1_or_null : struct node - .alloc [+] null [|] let new1 = new1_or_null - null"
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

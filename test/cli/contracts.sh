#!/bin/bash
# Contracts on the command line: what is understood, what is wrong and where, statuses.
. "$(dirname "$0")/common"

cat >"$dir/list.h" <<'C'
struct data { int key; };
struct cell { struct data *data; struct cell *next; };
struct list {
  struct cell *head;
  //@ model content : set struct data = this.head.*next.data - null
};
C
cat >"$dir/list.c" <<'C'
#include "list.h"
#if LATER
//@ requires nothing of this is read
#endif
//@ requires l != null and c != null
//@ modifies l.head, c.next
//@ ensures l.content' = l.content + c.data
void push(struct list *l, struct cell *c) { c->next = l->head; l->head = c; }
C
sed 's/l.head, c.next/l.hed/' "$dir/list.c" >"$dir/wrong.c"
printf 'function push {\n  ensures l.head%s = c\n}\n' "'" >"$dir/beside.txt"
expect "contracts are understood" 0 "list.c:7:5: function push: ensures l.struct list::content' = l.struct list::content . c.struct cell::data" "$tool" spec --check-syntax "$dir/list.c"
last_line_is "contracts are counted" "CONTRACTS: 4 understood, 0 wrong"
expect "contracts of headers" 0 "list.h:5:7: struct list: model content" "$tool" spec --check-syntax "$dir/list.c"
cat >"$dir/values.c" <<'C'
struct pair { int a, b; };
static struct pair make(int a) { struct pair p = {a, a}; return p; }
//@ ensures \result = 1
int first(void) { return make(1).a; }
static int sum(struct pair v) { return v.a + (int)sizeof(struct pair); }
//@ requires q != null
int second(struct pair *q) { return sum(*q); }
C
expect "functions that take or return structs" 0 "values.c:3:5: function first: ensures" "$tool" spec --check-syntax "$dir/values.c"
last_line_is "contracts behind them are about the next function" "CONTRACTS: 2 understood, 0 wrong"
expect "contracts beside the program" 0 "beside.txt:2:3: function push: ensures l.struct list::head' = c" "$tool" spec --check-syntax --contracts="$dir/beside.txt" "$dir/list.c"
printf '#include <string.h>\n#include "tp_set.h"\nunsigned long f(const char *s, struct tp_set *t) { return strlen(s) + tp_set_has(t, s); }\n' >"$dir/library.c"
expect "contracts of the C library" 0 "libc.contracts:[0-9]*:3: function strlen: modifies none" "$tool" spec --check-syntax -I lib/spec "$dir/library.c"
last_line_is "what is not used is left aside" "CONTRACTS: 8 understood, 0 wrong, 35 about what the program does not use"
sed "s/modifies .*/modifies c.next/; s/ensures .*/ensures l.head' != l.head/" "$dir/list.c" >"$dir/vacuous.c"
printf 'struct list {\n  invariant this.head != null\n  invariant no this.head.*next & null }\nfunction push {\n  requires l.head = null }\n' >"$dir/vacuous.txt"
expect "no call is possible" 0 "vacuous.txt:5:3: warning: no call can meet what this function requires" "$tool" spec --check-syntax --contracts="$dir/vacuous.txt" "$dir/list.c"
expect "no return is possible" 0 "vacuous.c:6:5: warning: the function cannot return as this says" "$tool" spec --check-syntax "$dir/vacuous.c"
expect "a wrong contract" 6 "wrong.c:6:16: error: nothing is called 'hed' here; did you mean 'head'\?" "$tool" spec --check-syntax "$dir/wrong.c"
last_line_is "wrong contracts are counted" "CONTRACTS: 3 understood, 1 wrong"
expect "macros in conditions" 6 "list.c:3:22: error: expected" "$tool" spec --check-syntax -DLATER=1 "$dir/list.c"
expect "no file of contracts" 6 "cannot read" "$tool" spec --check-syntax --contracts="$dir/none.txt" "$dir/list.c"
expect "no C file" 6 "no such file" "$tool" spec --check-syntax "$dir/none.c"
finish

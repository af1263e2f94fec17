#!/bin/bash
# Whoever does what the third line of an UNKNOWN says, answer by answer, comes to a verdict or to advice without
# options: never to a command that was given before, never to an option that stands on the command line already.
# The unit test beside src/report/advice.c follows all alternatives; here the last one with an option is followed
# with the real tool.
. "$(dirname "$0")/common"

cat >"$dir/list.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->v = __VERIFIER_nondet_int();
    n->next = head;
    head = n;
  }
  for (struct node **pp = &head; *pp;) {
    struct node *n = *pp;
    if (n->v < 0) {
      *pp = n->next;
      free(n);
    } else {
      pp = &n->next;
    }
  }
  for (struct node *n = head; n; n = n->next) assert(n->v >= 0);
  return 0;
}
C
cat >"$dir/tree.c" <<'C'
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct tree { int k; struct tree *l, *r; };
static struct tree *insert(struct tree *t, int k) {
  if (!t) {
    t = malloc(sizeof *t);
    t->k = k;
    t->l = t->r = NULL;
  } else if (k < t->k) {
    t->l = insert(t->l, k);
  } else {
    t->r = insert(t->r, k);
  }
  return t;
}
int main(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
  for (struct tree *t = root; t && t->l; t = t->l) assert(t->l->k < t->k);
  return 0;
}
C
cat >"$dir/hash.c" <<'C'
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), h = 2166136261u;
  for (int i = 0; i < 64; i++) {
    h = (h ^ (x >> (i & 31))) * 16777619u;
    h = h << 7 | h >> 25;
  }
  assert(h != 0xdeadbeef || h == x);
  return 0;
}
C
cat >"$dir/floats.c" <<'C'
#include <assert.h>
float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  float x = __VERIFIER_nondet_float(), s = 0;
  if (!(x > 0.5f && x < 2)) return 0;
  for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
    x = (x + 2 / x) / 2;
    s += x;
  }
  assert(x < 2.5f);
  return 0;
}
C
cat >"$dir/straight.c" <<'C'
#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong(), c = __VERIFIER_nondet_ulong();
  assert(a * a * a + b * b * b != c * c * c * 5 + 12345677 || a * b * c % 1000003 != 77);
  return 0;
}
C
cat >"$dir/assembly.c" <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 5) __asm__("nop");
  assert(x != 6 || x == 6);
  return 0;
}
C

# The options after the advice in file $1 was followed, given those before; nothing: it names none. Says what is
# wrong with the advice on standard error.
cat >"$dir/obey.py" <<'P'
import re, sys
lines = [l for l in open(sys.argv[1]) if l.startswith("  next:  ")]
given = sys.argv[2:]
if not lines: sys.exit("no advice")
limits = ("--timelimit", "--walltime")
for text in reversed(lines[0][9:].rstrip("\n").split("; or ")):
    left = re.findall(r"leave (--[a-z-]+) out", text)
    named = [o for o in re.findall(r"--[a-z-]+=[\w.=-]+", text) if not o.startswith("--output=")]
    for o in named:
        if o in given: sys.exit("the advice names %s, which was given" % o)
    for o in left:
        if not any(g.startswith(o + "=") for g in given): sys.exit("%s cannot be left out" % o)
    if not left and not named: continue
    if "--timelimit=4" in given and all(o.split("=")[0] in limits for o in named) and not left: break
    keep = [g for g in given if g.split("=")[0] not in left and not (left and g.startswith("--set="))]
    keep = [g for g in keep if g.startswith("--set=") or g.split("=")[0] not in [o.split("=")[0] for o in named]]
    print(" ".join(keep + named))
    break
P

# follows PROGRAM OPTION...
follows() {
  name="$1 ${*:2}" why=
  local program=$1 options="${*:2}" seen=" " steps=0 got
  while [ -z "$why" ]; do
    seen="$seen[$options] " steps=$((steps + 1))
    # shellcheck disable=SC2086
    "$tool" check $options "$dir/$program.c" >"$dir/out" 2>"$dir/err"
    got=$?
    cp "$dir/out" "$dir/both"
    [ $got = 64 ] && why="the advice is wrong usage: $options: $(cat "$dir/err")"
    [ $got = 5 ] || [ $got = 6 ] || break
    # shellcheck disable=SC2086
    options=$(python3 "$dir/obey.py" "$dir/out" $options 2>"$dir/err") || why="$(cat "$dir/err")"
    [ -n "$options" ] || break
    case $seen in *"[$options]"*) why="a circle: $seen" ;; esac
    [ $steps -lt 9 ] || why="no end: $seen"
  done
  leftovers
  [ -z "$why" ] && name="$name: $steps step(s)$([ $got = 5 ] && echo ", no answer")"
  verdict_of_case
}
limit=--timelimit=1
follows list $limit
follows list --config=shape $limit
follows tree $limit
follows hash --engine=octagon $limit
follows floats $limit
follows straight $limit
follows assembly
finish

#!/bin/bash
# Local variables in memory and --objects: they have atoms of their own in every mode of calls, so that a contract that is false is refuted
# at a bound that the objects of the heap fit into, and one that is true is not vacuous.
. "$(dirname "$0")/common"
max_lines=150

cat >"$dir/locals.c" <<'C'
struct node { int v; struct node *next; };
struct pair { int a, b; };
struct it { struct node *at; };
struct node *kept;
static void fill(struct pair *p, int a) { p->a = a; p->b = 1; }
static int sum(const struct pair *p) { return p->a + p->b; }
//@ requires n != null
//@ ensures n.v' = n.v + 4
void four(struct node *n) {
  struct pair x, y, z, w;
  fill(&x, n->v); fill(&y, sum(&x)); fill(&z, sum(&y)); fill(&w, sum(&z));
  n->v = sum(&w);
}
static struct node *get(struct it *i) { struct node *n = i->at; if (n) i->at = n->next; return n; }
static int count(struct node *l) { struct it i = {l}; int n = 0; while (get(&i)) n++; return n; }
//@ requires no c : l.*next | c in c.^next
//@ ensures int[\result] = #(l.*next - null) + #(l.*next - null)
int twice(struct node *l) { int n = 0; for (int k = 0; k < 2; k++) n += count(l); return n; }
static void keep(struct node *n) { struct node own = {n->v, n}; kept = &own; if (n->v) kept = n; }
//@ requires n != null and n.v != 0
//@ ensures kept' = n
void keeps(struct node *n) { keep(n); keep(n); if (kept->v != n->v) kept = 0; }
static int three(void) { int a[3] = {1, 2, 3}; int *p = a; return p[0] + p[1] + p[2]; }
//@ ensures \result = 6
int elements(void) { return three(); }
static void *gone(void) { struct node own = {1, 0}; void *p = &own; return p; }
//@ requires n != null
//@ ensures \result = 1
int dangling(struct node *n) { struct node *p = gone(); return p ? n->v == n->v : 1; }
C
sed -e 's/n.v + 4/n.v + 5/' -e 's/n += count/n = count/' -e 's/own = {n->v, n}; kept = &own; if (n->v)/own = {n->v, n}; kept = \&own; if (!n->v)/' \
  -e 's/int a\[3\] = {1, 2, 3}/int a[3] = {1, 2, 4}/' -e 's/return p ? n->v == n->v : 1/return p->v/' "$dir/locals.c" >"$dir/broken.c"

modes="inline summary havoc" turn=0  # each function in one of them, with TP_SOAK=1 in all that there are
[ -z "$TP_SOAK" ] || modes="inline contracts summary frame havoc"
for mode in $modes; do
  turn=$((turn + 1)) k=0
  run="build/twoproof spec --objects=1,node:3 --unroll=4 --width=5 --calls=$mode"
  for f in four twice keeps elements dangling; do
    k=$((k + 1))
    soak || [ $((k % 3)) = $((turn % 3)) ] || continue
    expect "$f, $mode" 1 "^RESULT: bounded" $run --function=$f "$dir/locals.c"
    if grep -q "never returns\|no heap" "$dir/out"; then echo "FAILED $f, $mode: vacuous"; failed=$((failed + 1)); fi
    expect "$f broken, $mode" 10 "^RESULT: false" $run --function=$f "$dir/broken.c"
  done
done

# A variable of an earlier call that memory still leads to is not the next call's variable.
cat >"$dir/again.c" <<'C'
struct node { int v; };
struct node *kept;
static int look(int first) { struct node own = {1}; if (first) { kept = &own; return 1; } return kept->v; }
//@ ensures \result = 1
int again(void) { look(1); return look(0); }
C
for mode in inline summary havoc; do
  expect "a variable of an earlier call, $mode" 10 "access to an object that is gone" build/twoproof spec --objects=2 --unroll=1 --width=3 --calls=$mode "$dir/again.c"
done
finish

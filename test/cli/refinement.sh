#!/bin/bash
# Calls that start from nothing, from frames, from summaries, and are refined as far as the property needs.
. "$(dirname "$0")/common"
max_lines=200
modes="inline havoc frame summary"
spec() { "$tool" spec "--calls=$1" --stats="$dir/stats" "${@:2}"; }
counter() { grep -o "\"$1\": [0-9]*" "$dir/stats" | tail -n 1 | tr -dc 0-9; }

# status, pattern; two cases (a pair, where there is one) in one mode, the next two in the next, with TP_SOAK=1 each in every mode
turn=0
in_modes() { # NAME STATUS PATTERN ARGUMENT...
  local what=$1 status=$2 pattern=$3 m some
  shift 3
  read -ra some <<<"$modes"
  soak || some=("${some[turn++ / 2 % ${#some[@]}]}")
  for m in "${some[@]}"; do expect "$what, $m" "$status" "$pattern" spec "$m" "$@"; done
}

# ---- K27: rows of the thesis at bounds that are quick; all rows at the thesis's bounds: bench/karun/modes
row() { # ROW PROGRAM FUNCTION PROPERTY STATUS BOUND WIDTH FLAG...
  in_modes "K27_$1" "$5" "RESULT: ($([ "$5" = 1 ] && echo bounded || echo false))" --refinements=120 "--function=$3" "--objects=$6" "--unroll=$6" "--width=$7" "${@:8}" -I lib/spec --contracts="bench/karun/properties/$4" "bench/karun/$2"
}
row R1 topo.c topo R1 1 2 5
row R2 topo.c topo R2 1 2 4
row R3 topo.c topo R2 10 1 3 -DBUG_RESET
row Q1 sched.c trigger_names Q1 1 2 4
row Q3 sched.c remove_calendar Q3 1 2 4
row Q4 sched.c triggers_of_job Q4 1 2 4
row Q9c sched.c store_calendar Q7 10 2 4 -DBUG_CRON
row G1 graph.c add G1 1 1 3
row G4 graph.c remove_edge G4 1 1 3
row G5 graph.c remove_edge G5 1 1 3

# ---- a pointer of the heap leads to any function of its type, whatever the program itself stores in it
cat >"$dir/pointer.c" <<'C'
#include <stddef.h>
struct t;
struct ops { void (*f)(struct t *, int); };
struct t { int v; struct t *next; const struct ops *ops; };
static void first(struct t *t, int k) { (void)k; t->next = NULL; }
static void second(struct t *t, int k) { (void)k; t->next = t; }
struct ops a = {first}, b = {second};
static struct t here;
static void call(struct t *t) { t->ops->f(t, 1); }
static void again(struct t *t, int k) { call(t); t->v = k; }
//@ requires t != null and t.ops != null and t.ops.f = TARGET
//@ ensures t.next' = null
void user(struct t *t) { call(t); }
void make(struct t *t, int k) { t->ops = k ? &b : NULL; again(t, k); }
int main(void) { here.ops = &a; user(&here); return 0; }
C
for target in first second; do
  sed "s/TARGET/$target/" "$dir/pointer.c" >"$dir/pointer_$target.c"
  [ $target = first ] && answer='1 RESULT: (bounded)' || answer='10 RESULT: (false)'
  in_modes "pointer_to_$target" "${answer%% *}" "${answer#* }" --function=user --objects=1 --unroll=1 --width=3 "$dir/pointer_$target.c"
done
summary_of() { "$tool" spec --summaries "$1" | sed -n "/^function $2 {/,/^}/p"; }
expect "pointer_summary" 0 'modifies v, next, ops, f' summary_of "$dir/pointer_first.c" call

# ---- what a call leaves by its summary alone is no state where it stores through null: it does not return then
cat >"$dir/through_null.c" <<'C'
#include <stddef.h>
struct s { int v; struct s *next; };
static void cut(struct s *x) { x->next->next = NULL; }
static void set(struct s *x) { x->v = VALUE; }
//@ requires x != null
//@ ensures x.v' = 1
void f(struct s *x) { cut(x); set(x); }
C
for value in 1 2; do
  sed "s/VALUE/$value/" "$dir/through_null.c" >"$dir/through_null_$value.c"
  [ $value = 1 ] && answer='1 RESULT: bounded' || answer='10 RESULT: false'
  modes="havoc frame summary" in_modes "through_null_$value" "${answer%% *}" "${answer#* }" --call-failures=assumed --function=f --objects=2 --width=3 "$dir/through_null_$value.c"
done

# ---- K30: three levels, and what is not known is at the lowest one; a broken twin
cat >"$dir/chain.c" <<'C'
struct s { int v, w; struct s *next; };
static void low(struct s *x) { x->v = VALUE; }
static void middle(struct s *x) { if (x->next) low(x->next); low(x); }
static void high(struct s *x) { x->w = 2; middle(x); }
//@ requires x != null
//@ ensures x.v' = 1 and x.w' = 2
void f(struct s *x) { high(x); }
C
in_modes K30_a_chain_of_three_calls 1 "RESULT: bounded" --function=f --objects=2 --width=3 -DVALUE=1 "$dir/chain.c"
in_modes K30_..._that_is_wrong_below 10 "RESULT: false" --function=f --objects=2 --width=3 -DVALUE=0 "$dir/chain.c"
expect "K30_the inner calls are refined" 1 "of low: .*of middle: .*of high: |of high: " spec havoc -v --function=f --objects=2 --width=3 -DVALUE=1 "$dir/chain.c"
why=
for f in low middle high; do grep -q "^  of $f: " "$dir/both" || why="no specification of $f"; done
name="K30_specifications on all three levels" verdict_of_case

# ---- K33: a call that is not reached contradicts what is learned of it
cat >"$dir/guard.c" <<'C'
#include <stdlib.h>
struct s { int v, w; };
static void only(struct s *x) { if (x->v != 1) abort(); x->w = 1; }
//@ requires x != null
//@ ensures EXPECTED
void f(struct s *x) { if (x->v == 1) only(x); else if (x->v == 2) { x->v = 3; if (x->v == 2) only(x); } }
C
sed "s/EXPECTED/x.v=1 => x.w'=1/" "$dir/guard.c" >"$dir/guard_good.c"
sed "s/EXPECTED/x.w'=1/" "$dir/guard.c" >"$dir/guard_bad.c"
in_modes K33_what_is_refined_holds_where_the_call_is 1 "RESULT: bounded" --function=f --objects=1 --width=4 "$dir/guard_good.c"
in_modes K33_..._and_says_nothing_elsewhere 10 "RESULT: false" --function=f --objects=1 --width=4 "$dir/guard_bad.c"

# ---- failures inside of calls; what nobody may assume of a callee
cat >"$dir/fails.c" <<'C'
struct s { int v; struct s *next; };
static void step(struct s *x) { x->next->v = 0; }
//@ requires x != null ASSUMED
//@ ensures x.next' = x.next
void f(struct s *x) { step(x); }
C
sed 's/ASSUMED//' "$dir/fails.c" >"$dir/fails_bad.c"
sed 's/ASSUMED/and x.next != null/' "$dir/fails.c" >"$dir/fails_good.c"
in_modes failures_inside_of_calls 10 "null pointer dereference" --function=f --objects=2 --width=3 "$dir/fails_bad.c"
in_modes ..._that_cannot_happen 1 "RESULT: bounded" --function=f --objects=2 --width=3 "$dir/fails_good.c"
expect "what is not looked at is said" 1 "assumed: nothing fails inside of calls" spec summary --refinements=0 --function=f --objects=2 --width=3 "$dir/fails_bad.c"
expect "... and what is assumed away" 1 "assumed: nothing fails inside of calls" spec summary --call-failures=assumed --function=f --objects=2 --width=3 "$dir/fails_bad.c"
cat >"$dir/invariant.c" <<'C'
struct s { int v, w;
  //@ invariant this.v = this.w
};
static void half(struct s *x) { x->v = 1; }
static void rest(struct s *x) { x->w = 1; }
//@ requires x != null
void both(struct s *x) { half(x); rest(x); }
//@ requires x != null
void only(struct s *x) { half(x); }
C
in_modes helpers_break_invariants 1 "RESULT: bounded" --function=both --objects=2 --width=3 "$dir/invariant.c"
in_modes ..._and_nobody_repairs_them 10 "RESULT: false" --function=only --objects=2 --width=3 "$dir/invariant.c"
for m in contracts summary; do
  expect "a summary says nothing of invariants, $m" 10 "RESULT: false" spec "$m" --refinements=0 --function=only --objects=2 --width=3 "$dir/invariant.c"
done

# ---- contracts of users beside what is known of bodies
cat >"$dir/own.c" <<'C'
struct s { int v, w; };
//@ requires x != null
//@ modifies x.v
//@ ensures x.v' = 1
static void set(struct s *x) { x->v = 1; }
//@ requires x != null
//@ ensures x.v' = VALUE and x.w' = x.w
void f(struct s *x) { set(x); }
C
sed 's/VALUE/1/' "$dir/own.c" >"$dir/own_good.c"
sed 's/VALUE/2/' "$dir/own.c" >"$dir/own_bad.c"
in_modes K27_with_contracts_of_the_user 1 "RESULT: bounded" --objects=2 --width=3 "$dir/own_good.c"
in_modes K27_..._that_do_not_do 10 "RESULT: false" --objects=2 --width=3 "$dir/own_bad.c"
expect "that they are relied on is said" 1 "assumed: functions that are called keep their own contracts" spec havoc --function=f --objects=2 --width=3 "$dir/own_good.c"

# ---- recursion is unrolled, and calls without relations are executed
cat >"$dir/inlined.c" <<'C'
struct s { int v; struct s *next; };
static void all(struct s *x) { if (x) { x->v = 1; all(x->next); } }
static void through(int *p) { *p = 2; }
//@ requires x != null and no x.next - null
//@ ensures x.v' = 2
void f(struct s *x) { all(x); through(&x->v); }
C
in_modes recursion_and_pointers_to_members 1 "RESULT: bounded" --function=f --objects=2 --unroll=2 --width=3 "$dir/inlined.c"
expect "calls that are executed are counted" 1 "[1-9][0-9]* calls executed" spec havoc --function=f --objects=2 --unroll=2 --width=3 "$dir/inlined.c"

# ---- new objects, objects that end, objects on the callee's stack
cat >"$dir/objects.c" <<'C'
#include <stdlib.h>
struct s { int v; struct s *next; };
static void fill(struct s *x, struct s *n) { x->v = 1; x->next = n; }
static struct s *make(struct s *n) { struct s *x = malloc(sizeof *x); if (x) fill(x, n); return x; }
static int local(void) { struct s own; fill(&own, 0); return own.v; }
static void end(struct s *x) { free(x); }
//@ requires l != null
//@ ensures \result in \alloc' - \alloc + null and l !in \alloc'
//@ ensures \result != null => \result.v' = VALUE
struct s *f(struct s *l) { struct s *a = make(0), *b = make(a); if (b && a) b->v = local(); end(l); return b; }
C
sed 's/VALUE/1/' "$dir/objects.c" >"$dir/objects_good.c"
sed 's/VALUE/0/' "$dir/objects.c" >"$dir/objects_bad.c"
in_modes objects_come_and_go 1 "RESULT: bounded" --function=f --objects=4 --width=3 "$dir/objects_good.c"
in_modes ..._with_a_wrong_value 10 "RESULT: false" --function=f --objects=4 --width=3 "$dir/objects_bad.c"

# ---- K37: the property decides
topo="--function=topo --objects=3 --unroll=3 --width=4 --call-failures=assumed bench/karun/topo.c"
max_lines=400 expect "K37_R1 needs no refinement for the property" 1 "refined [0-9]+ times \\(0 of them for the property\\)" spec summary --contracts=bench/karun/properties/R1 $topo
max_lines=400 expect "K37_R2 needs few" 1 "refined [1-9] times" spec summary -v --contracts=bench/karun/properties/R2 $topo
why=
grep -q "^  call [0-9]*, of release: [1-9]" "$dir/both" && grep -q "^  call [0-9]*, of release: 0" "$dir/both" || why="specifications do not differ from call to call: $(grep '^  call' "$dir/both")"
name="K37_calls of one function have other specifications" verdict_of_case

# ---- bounds that bind inside of calls
cat >"$dir/width.c" <<'C'
struct s { int v; };
static void more(struct s *x) { x->v = x->v + 1; }
//@ requires x != null
//@ ensures x.v' > x.v
void f(struct s *x) { more(x); }
C
expect "K42_width inside of calls" 1 "not known: whether --width binds inside of calls" spec frame --function=f --objects=1 --width=3 "$dir/width.c"
expect "K42_rounds inside of calls" 1 "bound by --unroll: .*in the call of reset" spec summary --function=topo --objects=2 --unroll=1 --width=3 --contracts=bench/karun/properties/R1 bench/karun/topo.c
cat >"$dir/never.c" <<'C'
#include <stdlib.h>
struct s { int v; };
static void never(struct s *x) { if (x->v < 3) abort(); x->v = 0; }
//@ requires x != null and x.v < 3
//@ ensures x.v' = 5
void f(struct s *x) { never(x); }
C
for m in $modes; do expect "K42_a function that never returns, $m" 1 "warning: within the bounds the function never returns" spec "$m" --function=f --objects=1 --width=4 "$dir/never.c"; done

# ---- what a body leaves alone is one specification, not one for each member, in each function on the way
cat >"$dir/alone.c" <<'C'
struct s { int a, b, c, d, e, f; struct s *g, *h; };
static struct s *next(const struct s *x) { return x->g; }
static struct s *second(const struct s *x) { struct s *n = next(x); return n ? next(n) : n; }
static void mark(struct s *x, int v) {
  struct s *n = second(x);
  if (n) n->VALUE = v;
}
//@ requires x != null
//@ ensures c' = c and d' = d and e' = e and g' = g and h' = h
void user(struct s *x) { mark(x, 1); mark(x, 2); }
C
few() { "$tool" spec "--calls=$1" --stats="$dir/stats" --body-after=0 --function=user --objects=2 --unroll=2 --width=3 "${@:2}" "$dir/alone.c"; }
for m in havoc frame summary; do
  expect "left alone, $m" 1 "RESULT: bounded" few "$m" -DVALUE=a
  expect "left alone, $m, wrong" 10 "RESULT: false" few "$m" -DVALUE=e
  expect "left alone, $m, with proofs" 1 "RESULT: bounded" few "$m" -DVALUE=a --check=proof
done
expect "left alone, few refinements" 1 "refined [0-9]* times \([0-6] of them for the property\)" few havoc -DVALUE=a

# ---- what functions that store and make objects do is one specification of each, which their summaries propose; from refutations it takes many
cat >"$dir/adds.c" <<'C'
#include <stdlib.h>
struct cell { int key; struct cell *next; };
struct list { struct cell *first; int n; };
static struct cell *first(const struct list *l) { return l->first; }
static struct cell *next(const struct cell *c) { return c->next; }
static int key(const struct cell *c) { return c->key; }
static struct cell *find(const struct list *l, int k) { struct cell *c = first(l); while (c && key(c) != k) c = next(c); return c; }
static struct cell *make(int k, struct cell *n) { struct cell *c = malloc(sizeof *c); c->key = k; c->next = n; return c; }
static void start(struct list *l, struct cell *c) { l->first = c; }
static void push(struct list *l, int k) { start(l, make(k, first(l))); }
static void put(struct list *l, int k) { if (!find(l, k)) push(l, WHAT); }
//@ requires l != null and no c : l.first.*next - null | c in c.^next
//@ ensures k in (l.first'.*next' - null).key' and l.n' = l.n
void user(struct list *l, int k) { put(l, k); put(l, k); }
C
adds() { "$tool" spec "--calls=$1" --stats="$dir/stats" --fallback=none --body-after=0 --call-failures=assumed --function=user --objects=3 --unroll=3 --width=3 "${@:2}" "$dir/adds.c"; }
declare -A asked
for m in havoc frame; do
  expect "proposals, $m" 1 "RESULT: bounded" adds "$m" -DWHAT=k
  few=$(counter refinements)
  asked[$m]=$(counter replay_clauses)
  expect "proposals, $m, wrong" 10 "RESULT: false" adds "$m" -DWHAT=k+1
  expect "proposals, $m, none" 1 "RESULT: bounded" adds "$m" --proposals=none --refinements=1000 -DWHAT=k
  why=
  [ "$few" -gt 0 ] && [ $((few * 2)) -le "$(counter refinements)" ] || why="$few refinements with proposals, $(counter refinements) without"
  name="proposals, $m, at most half as many refinements" verdict_of_case
  expect "proposals, $m, none, wrong" 10 "RESULT: false" adds "$m" --proposals=none --refinements=1000 -DWHAT=k+1
done
# what calls start with from a frame is not shown once more
why=
[ $((${asked[frame]} * 3)) -le $((${asked[havoc]} * 2)) ] || why="${asked[frame]} clauses from frames, ${asked[havoc]} from nothing"
name="proposals, frame, two thirds of the clauses from nothing" verdict_of_case
expect "proposals that are proved" 1 "RESULT: bounded" adds havoc -DWHAT=k --check=proof

# ---- K43: counters
expect "K43_counters of a refinement" 1 "main questions, .* s; [0-9]* of calls, .* variables, .* clauses, .* solver calls" spec frame --function=f --objects=2 --width=3 -DVALUE=1 "$dir/chain.c"
why=
for c in refinements refinements_for_property recalled main_questions main_s replays replay_s replay_solver_calls replay_variables replay_clauses variables clauses solver_calls solver_s; do
  grep -q "\"$c\": " "$dir/stats" || why="no $c in the statistics"
done
[ "$(counter refinements)" -gt 0 ] && [ "$(counter replays)" -ge "$(counter refinements)" ] && [ "$(counter main_questions)" -gt 1 ] || why="counters that cannot be: $(cat "$dir/stats")"
name="K43_as JSON" verdict_of_case

# ---- bodies at calls: after so many specifications, and never if that is asked for; what was put there is listed
cat >"$dir/cases.c" <<'C'
struct s { int v, w; };
static void by_cases(struct s *x) { if (x->v == 0) x->w = 3; else if (x->v == 1) x->w = 2; else if (x->v == 2) x->w = 1; else x->w = 0; }
static void outer(struct s *x) { by_cases(x); x->v = 0; }
//@ requires x != null and 0 <= x.v and x.v <= 3
//@ ensures x.w' = EXPECTED x.v
void f(struct s *x) { outer(x); }
C
sed 's/EXPECTED/3 -/' "$dir/cases.c" >"$dir/cases_good.c"
sed 's/EXPECTED/2 -/' "$dir/cases.c" >"$dir/cases_bad.c"
for after in 0 1 3; do
  in_modes "bodies at calls after $after" 1 "RESULT: bounded" --body-after=$after --function=f --objects=1 --width=4 "$dir/cases_good.c"
  in_modes "bodies at calls after $after, wrong" 10 "RESULT: false" --body-after=$after --function=f --objects=1 --width=4 "$dir/cases_bad.c"
done
expect "functions inlined at call are named" 1 "functions inlined at call: .*by_cases [(].*cases_good.c:3:" spec havoc --proposals=none --body-after=1 --function=f --objects=1 --width=4 "$dir/cases_good.c"
n=$(counter refinements) why=
expect "... and none is where that is switched off" 1 "RESULT: bounded" spec havoc --proposals=none --body-after=0 --function=f --objects=1 --width=4 "$dir/cases_good.c"
grep -q "inlined at call" "$dir/both" && why="a body was put at a call"
[ "$(counter refinements)" -ge "$n" ] || why="$n refinements with bodies, $(counter refinements) without"
[ "$(counter bodies_at_calls)" = 0 ] || why="bodies at calls: $(counter bodies_at_calls)"
name="a body at a call saves refinements" verdict_of_case

# ---- K38, K39: a partial property needs less of a program from summaries than from all bodies, and frames need refinements where summaries need none
thesis_row() { # MODE FUNCTION PROPERTY
  spec "$1" --fallback=none --call-failures=assumed --body-after=0 "--function=$2" --objects=2 --unroll=2 --width=4 -I lib/spec "--contracts=bench/karun/properties/$3" bench/karun/graph.c
}
expect "K38_P4 inline" 1 "RESULT: bounded" thesis_row inline mst G6
inline_clauses=$(counter clauses) why=
expect "K38_P4 summary" 1 "RESULT: bounded" thesis_row summary mst G6
[ $((2 * ($(counter clauses) + $(counter replay_clauses)))) -lt "$inline_clauses" ] || why="$(counter clauses) and $(counter replay_clauses) clauses, inline $inline_clauses"
[ "$(counter refinements_for_property)" = 0 ] || why="$(counter refinements_for_property) refinements"
name="K38_P4 less than half of the clauses, no refinement" verdict_of_case
why=
expect "K39_F2 frame" 1 "RESULT: bounded" thesis_row frame add F2
[ "$(counter refinements_for_property)" -gt 0 ] || why="frames say as much as summaries"
expect "K39_F2 summary" 1 "RESULT: bounded" thesis_row summary add F2
[ "$(counter refinements_for_property)" = 0 ] || why="$(counter refinements_for_property) refinements"
name="K39_F2 no refinement from summaries, some from frames" verdict_of_case

# ---- proofs of clauses: of the last questions with all specifications, and of what bodies imply
proofs="without a model: ([0-9]+) questions, \\1 of them by a clause proof"
for mode in summary havoc; do expect "every proof is checked, $mode" 1 "$proofs" spec $mode --check=proof --fallback=none --function=topo --objects=2 --unroll=2 --width=4 --contracts=bench/karun/properties/R2 bench/karun/topo.c; done
expect "refinement fails without a proof within the limit" 5 "no proof of it was checked|a limit of the solver" spec summary --check=proof --timelimit=0.001 --fallback=none --function=topo --objects=3 --unroll=3 --width=4 --contracts=bench/karun/properties/R2 bench/karun/topo.c

# ---- limits: what is used up is said, and what is done instead
expect "as many refinements as allowed" 1 "refined too often" spec havoc --refinements=1 --function=f --objects=2 --width=3 -DVALUE=1 "$dir/chain.c"
also "... calls are executed then" "calls are executed instead"
expect "... or nothing is known" 5 "RESULT: unknown" spec havoc --refinements=1 --fallback=none --function=f --objects=2 --width=3 -DVALUE=1 "$dir/chain.c"
finish

#!/bin/bash
# twoproof adequacy --domain=shapes: the six list functions of figure 7 of Yorsh, Ball, Sagiv 2006, four inputs each, with lists of 0 to 3 cells: no invalid access and no leak,
# with a certificate; heaps of at most 8 cells are fabricated for what the tests miss. With one thing wrong each is refuted with inputs; the error is also met from a fabricated heap.
. "$(dirname "$0")/common"
max_lines=200

cat >"$dir/lists.c" <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next; int data; };

static struct cell *any_list(void) {
  struct cell *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *fresh = malloc(sizeof *fresh);
    fresh->data = __VERIFIER_nondet_int();
    fresh->next = list;
    list = fresh;
  }
  return list;
}

static struct cell *search(struct cell *list, int key) {
#ifdef BROKEN
  while (list->data != key) list = list->next;
#else
  while (list && list->data != key) list = list->next;
#endif
  return list;
}

static struct cell *reverse(struct cell *list) {
  struct cell *done = NULL;
  while (list) {
    struct cell *rest = list->next;
#ifndef BROKEN
    list->next = done;
#endif
    done = list;
    list = rest;
  }
  return done;
}

static struct cell *insert(struct cell *list, int key) {
  struct cell *before = NULL, *behind = list, *fresh = malloc(sizeof *fresh);
  while (behind && behind->data < key) {
    before = behind;
    behind = behind->next;
  }
  fresh->data = key;
  fresh->next = behind;
#ifdef BROKEN
  before->next = fresh;
  return list;
#else
  if (!before) return fresh;
  before->next = fresh;
  return list;
#endif
}

static struct cell *get_last(struct cell *list) {
#ifndef BROKEN
  if (!list) return NULL;
#endif
  while (list->next) list = list->next;
  return list;
}

static void delete_all(struct cell *list) {
  while (list) {
    struct cell *rest = list->next;
    free(list);
    list = rest;
  }
}

static struct cell *delete_one(struct cell *list, int key) {
  struct cell *before = NULL, *at = list;
  while (at && at->data != key) {
    before = at;
    at = at->next;
  }
  if (!at) return list;
  if (before)
    before->next = at->next;
  else
    list = at->next;
#ifndef BROKEN
  free(at);
#endif
  return list;
}

int main(void) {
  struct cell *list = any_list();
  int key = __VERIFIER_nondet_int();
  (void)key;
#if defined SEARCH
  struct cell *found = search(list, key);
  if (found) found->data = 0;
#elif defined REVERSE
  list = reverse(list);
#elif defined INSERT
  list = insert(list, key);
#elif defined GET_LAST
  struct cell *last = get_last(list);
  if (last) last->data = 0;
#elif defined DELETE
  list = delete_one(list, key);
#endif
#if defined DELETE_ALL && defined BROKEN
  if (list) delete_all(list->next);
#else
  delete_all(list);
#endif
  return 0;
}
C

mkdir "$dir/tests" "$dir/one"
# inputs: for each cell 1 and its number, 0, then the key
printf '0\n5\n' >"$dir/tests/0.txt"
printf '1\n7\n0\n7\n' >"$dir/tests/1.txt"
printf '1\n9\n1\n7\n0\n9\n' >"$dir/tests/2.txt"
printf '1\n9\n1\n8\n1\n7\n0\n8\n' >"$dir/tests/3.txt"
cp "$dir/tests/0.txt" "$dir/one"
heaps() { "$tool" adequacy --domain=shapes --cutpoints=all --property=valid-memsafety --timelimit=60 "$@"; }
count() { sed -n "s/^ *\"$1\": *\([0-9]*\),*$/\1/p" "$2"; }

for f in SEARCH REVERSE INSERT GET_LAST DELETE_ALL DELETE; do
  expect "Y24_$f" 0 "^RESULT: true" heaps --tests="$dir/tests" --stats="$dir/$f" "$dir/lists.c" -- -D$f
  expect "Y24_${f}_fabricates" 0 "" test "$(count fabricated_states "$dir/$f")" -gt 0
  expect "Y24_${f}_longest_list" 0 "" test "$(count longest_list "$dir/$f")" -le 7
  expect "Y24_${f}_broken" 10 "^RESULT: false\(valid-(deref|memtrack)\)" heaps --tests="$dir/tests" "$dir/lists.c" -- -D$f -DBROKEN
done
# The test of the empty list alone: more is missed, the answer about the property is the same.
expect Y24_fewer_tests 0 "^RESULT: true" heaps --tests="$dir/one" --stats="$dir/fewer" "$dir/lists.c" -- -DREVERSE
expect Y24_fewer_tests_miss_more 0 "" test "$(count abstract_states_missed "$dir/fewer")" -gt "$(count abstract_states_missed "$dir/REVERSE")"
expect Y24_fewer_tests_same_set 0 "" test "$(count abstract_states "$dir/fewer")" = "$(count abstract_states "$dir/REVERSE")"
expect Y24_refuted_by_a_fabricated_heap 10 "^  from the fabricated heap list = c1, .*->next = NULL" heaps --tests="$dir/one" "$dir/lists.c" -- -DREVERSE -DBROKEN
# Y31: the same counts in two runs
heaps --tests="$dir/tests" --stats="$dir/again" "$dir/lists.c" -- -DSEARCH >/dev/null 2>&1
for n in abstract_states abstract_states_from_tests fabricated_states abstract_steps longest_list rounds runs steps visits cutpoints elements models; do
  expect "Y31_$n" 0 "" test "$(count $n "$dir/again")" = "$(count $n "$dir/SEARCH")" -a -n "$(count $n "$dir/again")"
done

# With nothing that is linked there is nothing to ask about.
printf 'int main(void) { return 0; }\n' >"$dir/none.c"
expect no_cells 5 "no structure with links to its own kind" heaps "$dir/none.c"
finish

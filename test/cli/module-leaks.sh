#!/bin/bash
# Modules and memory: the client ends what it made, so that a correct module is never blamed for a leak; its twin loses memory.
# The good module of each pair is never FALSE: the states between calls do not say which memory exists, so the answer can be UNKNOWN. A pair's fields: property, and the answer for the good one (- for any but FALSE). A part of them (test/part.common), with TP_SOAK=1 all.
. "$(dirname "$0")/../verdicts.common"
. "$(dirname "$0")/common"
max_lines=200
split_pairs - "$dir" <<'C'
---
#include <stdlib.h>
=== constructor_and_free valid-memtrack -
good   free(s->elems);
bad
struct stack { int *elems; int size; };
struct stack *stack_new(void) {
  struct stack *s = malloc(sizeof *s);
  s->elems = malloc(4 * sizeof *s->elems);
  s->size = 0;
  return s;
}
void stack_push(struct stack *s, int k) { if (s->size < 4) s->elems[s->size++] = k; }
void stack_free(struct stack *s) {
@
  free(s);
}
=== freed_once valid-free true
good
bad   free(s);
struct cell { int value; };
struct cell *cell_new(void) { struct cell *s = malloc(sizeof *s); s->value = 0; return s; }
void cell_set(struct cell *s, int k) { s->value = k; }
void cell_free(struct cell *s) {
  free(s);
@
}
=== initialiser_and_deinit valid-memtrack -
good   free(b->bytes);
bad   b->bytes = 0;
struct buffer { char *bytes; unsigned n; };
void buffer_deinit(struct buffer *b) {
@
}
void buffer_init(struct buffer *b) { b->bytes = malloc(8); b->n = 0; }
void buffer_put(struct buffer *b, char c) { if (b->n < 8) b->bytes[b->n++] = c; }
=== initialiser_and_clear valid-memtrack -
good   free(b->bytes);
bad
struct buffer { char *bytes; unsigned n; };
void buffer_init(struct buffer *b) { b->bytes = malloc(8); b->n = 0; }
void buffer_put(struct buffer *b, char c) { if (b->n < 8) b->bytes[b->n++] = c; }
void buffer_clear(struct buffer *b) {
@
  b->bytes = 0;
}
=== constructor_that_returns_null valid-memtrack -
good     free(p);
bad
struct pool { int *at; };
struct pool *pool_new(int n) {
  struct pool *p = malloc(sizeof *p);
  if (n < 0) {
@
    return 0;
  }
  p->at = malloc(4);
  return p;
}
int pool_is_empty(const struct pool *p) { return p->at == 0; }
void pool_destroy(struct pool *p) { free(p->at); free(p); }
=== constructor_alone valid-memtrack -
good   free(n->text);
bad
struct note { char *text; };
struct note *note_new(void) { struct note *n = malloc(sizeof *n); n->text = malloc(2); return n; }
void note_renew(struct note *n) {
@
  n->text = malloc(4);
}
=== initialiser_alone valid-memtrack -
good   free(n->text);
bad
struct note { const int limit; char *text; };
void note_init(struct note *n) { n->text = malloc(2); }
void note_renew(struct note *n) {
@
  n->text = malloc(4);
}
=== destructor_that_sets_to_null valid-memtrack -
good   free(*q);
bad
struct queue { int n; };
struct queue *queue_create(void) { struct queue *q = malloc(sizeof *q); q->n = 0; return q; }
void queue_put(struct queue *q) { if (q->n < 5) q->n++; }
void queue_delete(struct queue **q) {
@
  *q = 0;
}
=== close_is_no_destructor_beside_free valid-memtrack -
good   free(c->buffer);
bad
struct connection { char *buffer; int is_open; };
struct connection *connection_open(void) {
  struct connection *c = malloc(sizeof *c);
  c->buffer = malloc(4);
  c->is_open = 1;
  return c;
}
void connection_close(struct connection *c) { c->is_open = 0; }
void connection_free(struct connection *c) {
@
  free(c);
}
=== words_inside_a_name_are_none valid-memtrack -
good   free(s->spare);
bad
struct freelist { char *spare; };
struct freelist *freelist_make(void) { struct freelist *s = malloc(sizeof *s); s->spare = 0; return s; }
void freelist_delete_spare(struct freelist *s) { free(s->spare); s->spare = 0; }
void freelist_fill(struct freelist *s) { if (!s->spare) s->spare = malloc(3); }
void freelist_Destroy(struct freelist *s) {
@
  free(s);
}
=== state_in_file_scope_variables valid-memcleanup -
good   free(at);
bad
static int *at;
static unsigned n;
void table_init(void) { at = malloc(16); n = 0; }
void table_put(int k) { if (n < 4) at[n++] = k; }
void table_fini(void) {
@
  at = 0;
}
C
while read -r name property good; do
  check="$tool adequacy --property=$property --timelimit=20"
  $check "$dir/$name-good.c" >"$dir/out" 2>"$dir/err" </dev/null
  got=$(tail -n 1 "$dir/out")
  why=
  case $got in
    "RESULT: true") ;;
    "RESULT: unknown"*) [ "$good" = - ] || why="got $got" ;;
    *) why="got ${got:-no answer}" ;;
  esac
  cat "$dir/out" "$dir/err" >"$dir/both"
  leftovers
  verdict_of_case
  expect "$name: its twin" 10 "^RESULT: false\($property\)$" $check "$dir/$name-bad.c"
done < <(part 4 2,3 <"$dir/list")

# what users keep to is said
expect "a destructor is named" 0 "assuming that users call cell_free at the end, once" "$tool" adequacy --property=valid-free "$dir/freed_once-good.c"
expect "its absence is said" 10 "objects of type struct note are kept until the program ends" "$tool" adequacy --property=valid-memtrack "$dir/constructor_alone-bad.c"
finish

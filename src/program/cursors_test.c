/* Cursors of a program built by hand: of each pair the one that lacks half of what makes a cursor
 * is none. */
#include "program/cursors.h"

#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { AT_INDEX = 0, AT_COUNT = 8, AT_START = 16, STEPS = 16 };

typedef struct {
  tp_program *p;
  tp_func main, skip;
  tp_loc at[STEPS + 1];
  tp_var bytes, parser, i, n, limit, c, tmp, count, kept, param, result, end;
  tp_edge index, step, count_up, start_over;
} scanner;

static tp_term grown(tp_program *p, tp_var v) {
  return tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, v), bv(p, 64, 1));
}
static tp_term index_of(const scanner *s, tp_var v) {
  return tp_mk_ptr_add(s->p->terms, term_of(s->p, s->bytes), term_of(s->p, v));
}

static void add_vars(scanner *s) {
  tp_program *p = s->p;
  const tp_sort number = bv_sort(p, 64), pointer = ptr_sort(p);
  s->bytes = var(p, s->main, "bytes", pointer, TP_TYPE_NONE);
  s->parser = var(p, s->main, "parser", pointer, TP_TYPE_NONE);
  s->i = var(p, s->main, "i", number, TP_TYPE_NONE);
  s->n = var(p, s->main, "n", number, TP_TYPE_NONE);
  s->limit = var(p, s->main, "limit", number, TP_TYPE_NONE);
  s->c = var(p, s->main, "c", bv_sort(p, 8), TP_TYPE_NONE);
  s->tmp = var(p, s->main, "tmp", number, TP_TYPE_NONE);
  s->count = var(p, s->main, "count", number, TP_TYPE_NONE);
  s->kept = var(p, s->main, "kept", number, TP_TYPE_NONE);
  s->end = var(p, s->main, "end", pointer, TP_TYPE_NONE);
  s->param = var(p, s->skip, "param", pointer, TP_TYPE_NONE);
  s->result = var(p, s->skip, "result", pointer, TP_TYPE_NONE);
}

/* bytes[i], i++; n++; bytes[limit]; parser: index and count are stepped, start is not. */
static void add_edges(scanner *s) {
  tp_program *p = s->p;
  tp_loc *at = s->at;
  const tp_term parser = term_of(p, s->parser);
  load(p, at[0], at[1], s->c, index_of(s, s->i));
  assign(p, at[1], at[2], s->i, grown(p, s->i));
  assign(p, at[2], at[3], s->n, grown(p, s->n));
  load(p, at[3], at[4], s->c, index_of(s, s->limit));
  s->index = load(p, at[4], at[5], s->tmp, plus(p, parser, AT_INDEX));
  load(p, at[5], at[6], s->c, index_of(s, s->tmp));
  s->step = store(p, at[6], at[7], plus(p, parser, AT_INDEX), grown(p, s->tmp));
  load(p, at[7], at[8], s->count, plus(p, parser, AT_COUNT));
  s->count_up = store(p, at[8], at[9], plus(p, parser, AT_COUNT), grown(p, s->count));
  load(p, at[9], at[10], s->kept, plus(p, parser, AT_START));
  s->start_over = store(p, at[10], at[11], plus(p, parser, AT_INDEX), grown(p, s->kept));
  const tp_edge skip = call(p, at[11], at[12], s->skip, TP_TERM_NONE);
  tp_term *args = tp_arena_array(&p->arena, tp_term, 1);
  args[0] = term_of(p, s->bytes);
  p->edges.at[skip.id].args = args;
  p->edges.at[skip.id].n_args = 1;
  p->edges.at[skip.id].var = s->end;
  load(p, at[12], at[13], s->c, term_of(p, s->end));
}

/* result = param + 1 after param = param + 1 */
static void add_skip(scanner *s) {
  tp_program *p = s->p;
  const tp_loc middle = loc(p, s->skip);
  tp_var *params = tp_arena_array(&p->arena, tp_var, 1);
  params[0] = s->param;
  p->funcs.at[s->skip.id].params = params;
  p->funcs.at[s->skip.id].n_params = 1;
  p->funcs.at[s->skip.id].result = s->result;
  assign(p, entry_of(p, s->skip), middle, s->param, plus(p, term_of(p, s->param), 1));
  give_back(p, middle, s->skip, term_of(p, s->param));
}

static void steps_and_addresses_make_cursors(void **state) {
  (void)state;
  scanner s = {.p = tp_program_new(NULL, 64)};
  tp_cursors c;
  s.skip = func(s.p, "skip");
  s.main = s.p->main = func(s.p, "main");
  s.at[0] = entry_of(s.p, s.main);
  for (int k = 1; k <= STEPS; k++) s.at[k] = loc(s.p, s.main);
  add_vars(&s);
  add_edges(&s);
  add_skip(&s);
  tp_cursors_init(&c, s.p);
  assert_true(c.is_cursor[s.i.id]);       // stepped, and an index
  assert_false(c.is_cursor[s.n.id]);      // stepped only
  assert_false(c.is_cursor[s.limit.id]);  // an index only
  assert_false(c.is_cursor[s.c.id]);
  assert_true(c.is_cursor[s.param.id]);  // what becomes of it is followed by the caller
  assert_true(c.is_cursor[s.end.id]);    // what was stepped is its value
  assert_false(c.is_cursor[s.bytes.id]);
  assert_true(c.steps[s.step.id] && c.indexes[s.index.id]);
  assert_true(c.steps[s.count_up.id]);
  assert_false(c.steps[s.start_over.id]);  // made of another cell
  tp_cursors_clear(&c);
  tp_program_free(s.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_and_addresses_make_cursors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

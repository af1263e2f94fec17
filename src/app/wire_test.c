/* Results survive the wire; cut and damaged messages are refused, never believed. */
#include "app/wire.h"

#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

static void fill(tp_result *r) {
  tp_result_init(r);
  r->verdict = TP_VERDICT_FALSE;
  r->violated = TP_P_VALID_FREE;
  r->hint = "try harder";
  r->condition = "a proof for short runs";
  tp_str_add(&r->certificate, "some\ntext");
  tp_vec_push(&r->assumptions, "no division by zero");
  tp_vec_push(&r->assumptions, "");
  tp_str_add(&r->invariants_text, "what is known\n");
  tp_str_add(&r->precision, "precision 2\n");
  tp_vec_push(&r->proved, (tp_loc){7});
  for (uint32_t i = 1; i < 5; i++) tp_vec_push(&r->unproved, (tp_loc){i});
  r->costliest = (tp_edge){3};
  r->costliest_steps = 1000000000000;
  tp_vec_push(&r->reach.checks, ((tp_looked_check){{1, 2, 3}, TP_LOOKED_NO}));
  tp_vec_push(&r->reach.checks, ((tp_looked_check){{1, 4, 1}, TP_LOOKED_YES}));
  tp_vec_push(&r->reach.cuts, ((tp_cut_place){{1, 2, 1}, true}));
  r->reach.larger = r->reach.tried = 11;
  r->reach.larger_pos = (tp_pos){1, 2, 3};
  tp_vec_push(&r->pictures, (tp_drawing){"loop", "a graph", "loop-1", "digraph"});
  tp_vec_push(&r->claims, (tp_claim){3, TP_CLAIM_NOT_KEPT, "i = 3", "i = 4", "a.c:1:2"});
  tp_vec_push(&r->claims, (tp_claim){7, TP_CLAIM_PROVED, NULL, NULL, NULL});
  tp_vec_push(&r->pictures, (tp_drawing){"end", "nothing is known", NULL, NULL});
  tp_inputs_add(&r->inputs, (tp_input){.kind = TP_I_NONDET,
                                       .width_bits = 128,
                                       .is_signed = true,
                                       .bits = ~(tp_u128)5,
                                       .name = "f",
                                       .pos = {1, 2, 3}});
  tp_inputs_add(
      &r->inputs,
      (tp_input){.kind = TP_I_EXTERN, .width_bits = 64, .is_float = true, .bits = 7, .name = ""});
  tp_inputs_add(&r->inputs, (tp_input){.kind = TP_I_INDETERMINATE,
                                       .bytes = (const uint8_t *)"a\0b",
                                       .n_bytes = 3,
                                       .name = "buffer"});
}

static void assert_equal_results(const tp_result *a, const tp_result *b) {
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->violated, b->violated);
  assert_null(b->reason);
  assert_string_equal(a->hint, b->hint);
  assert_string_equal(a->condition, b->condition);
  assert_string_equal(tp_str_text(&a->certificate), tp_str_text(&b->certificate));
  assert_int_equal(a->assumptions.n, b->assumptions.n);
  for (size_t i = 0; i < a->assumptions.n; i++)
    assert_string_equal(a->assumptions.at[i], b->assumptions.at[i]);
  assert_string_equal(tp_str_text(&a->invariants_text), tp_str_text(&b->invariants_text));
  assert_string_equal(tp_str_text(&a->precision), tp_str_text(&b->precision));
  assert_int_equal(a->proved.n, b->proved.n);
  assert_int_equal(a->unproved.n, b->unproved.n);
  assert_memory_equal(a->proved.at, b->proved.at, a->proved.n * sizeof *a->proved.at);
  assert_memory_equal(a->unproved.at, b->unproved.at, a->unproved.n * sizeof *a->unproved.at);
  assert_int_equal(a->costliest.id, b->costliest.id);
  assert_int_equal(a->costliest_steps, b->costliest_steps);
  assert_int_equal(a->reach.checks.n, b->reach.checks.n);
  for (size_t i = 0; i < a->reach.checks.n; i++) {
    assert_int_equal(a->reach.checks.at[i].reached, b->reach.checks.at[i].reached);
    assert_int_equal(a->reach.checks.at[i].pos.line, b->reach.checks.at[i].pos.line);
  }
  assert_int_equal(a->reach.cuts.n, b->reach.cuts.n);
  for (size_t i = 0; i < a->reach.cuts.n; i++)
    assert_int_equal(a->reach.cuts.at[i].is_recursion, b->reach.cuts.at[i].is_recursion);
  assert_int_equal(a->reach.larger, b->reach.larger);
  assert_int_equal(a->reach.tried, b->reach.tried);
  assert_int_equal(a->reach.larger_pos.column, b->reach.larger_pos.column);
  assert_int_equal(a->claims.n, b->claims.n);
  for (size_t i = 0; i < a->claims.n; i++) {
    const tp_claim *x = &a->claims.at[i], *y = &b->claims.at[i];
    assert_true(x->number == y->number && x->state == y->state && !x->before == !y->before);
    if (x->before) assert_string_equal(x->before, y->before);
    if (x->after) assert_string_equal(x->after, y->after);
    if (x->from) assert_string_equal(x->from, y->from);
  }
  assert_int_equal(a->pictures.n, b->pictures.n);
  for (size_t i = 0; i < a->pictures.n; i++) {
    const tp_drawing *x = &a->pictures.at[i], *y = &b->pictures.at[i];
    assert_string_equal(x->place, y->place);
    assert_string_equal(x->caption, y->caption);
    assert_true(!x->text == !y->text && !x->file == !y->file);
    if (x->text) assert_true(strcmp(x->text, y->text) == 0 && strcmp(x->file, y->file) == 0);
  }
  assert_int_equal(a->inputs.v.n, b->inputs.v.n);
  for (size_t i = 0; i < a->inputs.v.n; i++) {
    const tp_input *x = &a->inputs.v.at[i], *y = &b->inputs.v.at[i];
    assert_true(x->kind == y->kind && x->width_bits == y->width_bits &&
                x->is_signed == y->is_signed && x->is_float == y->is_float);
    assert_true(x->bits == y->bits && x->n_bytes == y->n_bytes && x->pos.line == y->pos.line &&
                x->pos.column == y->pos.column);
    assert_string_equal(x->name, y->name);
    if (x->n_bytes) assert_memory_equal(x->bytes, y->bytes, x->n_bytes);
  }
}

static void results_survive(void **state) {
  (void)state;
  tp_result r, copy;
  tp_str wire = {0};
  fill(&r);
  tp_result_init(&copy);
  tp_wire_put_result(&wire, &r);
  tp_wire_reader reader = {wire.text, wire.text + wire.n, false};
  tp_wire_result(&reader, &copy);
  assert_false(reader.bad);
  assert_true(reader.at == reader.end);
  assert_equal_results(&r, &copy);
  tp_result_clear(&r);
  tp_result_clear(&copy);
  tp_str_clear(&wire);
  assert_int_equal(tp_live_bytes(), 0);
}

/* Every prefix, and many damaged bytes: never a crash; a prefix never gives a verdict. */
static void damage_is_refused(void **state) {
  (void)state;
  tp_result r;
  tp_str wire = {0};
  fill(&r);
  tp_wire_put_result(&wire, &r);
  for (size_t n = 0; n < wire.n; n++) {
    tp_result copy;
    tp_result_init(&copy);
    tp_wire_reader reader = {wire.text, wire.text + n, false};
    tp_wire_result(&reader, &copy);
    assert_true(reader.bad);
    assert_int_equal(copy.verdict, TP_VERDICT_UNKNOWN);
    tp_result_clear(&copy);
  }
  tp_rng rng;
  tp_rng_init(&rng, 5);
  for (int i = 0; i < 2000; i++) {
    tp_str broken = {0};
    tp_str_add_n(&broken, wire.text, wire.n);
    broken.text[tp_rng_below(&rng, broken.n)] = (char)tp_rng_next(&rng);
    tp_result copy;
    tp_result_init(&copy);
    tp_wire_reader reader = {broken.text, broken.text + broken.n, false};
    tp_wire_result(&reader, &copy);
    tp_result_clear(&copy);
    tp_str_clear(&broken);
  }
  tp_result_clear(&r);
  tp_str_clear(&wire);
  assert_int_equal(tp_live_bytes(), 0);
}

static void frames_come_one_by_one(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  tp_str a = {0}, b = {0}, got = {0};
  tp_str_add(&a, "first");
  assert_true(tp_wire_send(ends[1], TP_FRAME_PROGRESS, &a));
  assert_true(tp_wire_send(ends[1], TP_FRAME_RESULT, &b));
  close(ends[1]);
  char buffer[256];
  ssize_t n = read(ends[0], buffer, sizeof buffer);
  close(ends[0]);
  assert_true(n > 0);
  size_t done = 0, frames = 0;
  tp_frame_tag tag;
  tp_wire_reader payload;
  for (ssize_t i = 0; i < n; i++) {  // byte by byte
    tp_str_add_n(&got, buffer + i, 1);
    while (tp_wire_next(&got, &done, &tag, &payload)) {
      assert_int_equal(tag, frames == 0 ? TP_FRAME_PROGRESS : TP_FRAME_RESULT);
      assert_int_equal(payload.end - payload.at, frames == 0 ? 5 : 0);
      frames++;
    }
  }
  assert_int_equal(frames, 2);
  tp_str_clear(&a);
  tp_str_clear(&got);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_survive),
                                     cmocka_unit_test(damage_is_refused),
                                     cmocka_unit_test(frames_come_one_by_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

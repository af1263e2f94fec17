#include "exec/testing.h"

/* The test-vector file, and answers from a vector. */

static tp_inputs read(const char *text) {
  tp_inputs in;
  tp_inputs_init(&in);
  tp_str why = {0};
  if (tp_inputs_read(text, &in, &why) != TP_OK) fail_msg("%s: %s", text, tp_str_text(&why));
  return in;
}

static tp_u128 answer(const char *literal, uint32_t width, bool is_float) {
  tp_inputs in = read(literal);
  tp_vector_oracle v = {.in = &in};
  tp_oracle o = tp_oracle_of_vector(&v);
  tp_input io = {.width_bits = width, .is_float = is_float};
  assert_true(o.ask(o.ctx, &io));
  tp_inputs_clear(&in);
  return io.bits;
}

static void literals(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t width;
    bool is_float;
    uint64_t want;
  } all[] = {
      {"5", 32, false, 5},
      {"-1", 32, false, 0xffffffff},
      {"-1", 8, false, 0xff},
      {"0xffU", 16, false, 0xff},
      {"010", 32, false, 8},
      {"0b101", 8, false, 5},
      {"'a'", 8, false, 'a'},
      {"'\\n'", 32, false, '\n'},
      {"'#'", 8, false, '#'},
      {"true", 1, false, 1},
      {"false", 1, false, 0},
      {"18446744073709551615UL", 64, false, UINT64_MAX},
      {"-9223372036854775808", 64, false, (uint64_t)1 << 63},
      {"1.5", 64, true, 0x3ff8000000000000},
      {"1.5f", 32, true, 0x3fc00000},
      {"1.5", 32, true, 0x3fc00000},
      {"0x1.8p0", 64, true, 0x3ff8000000000000},
      {"-inf", 64, true, 0xfff0000000000000},
      {"nan(0x7ff8000000000001)", 64, true, 0x7ff8000000000001},
      {"nan(0x7fc00002)f", 32, true, 0x7fc00002},
      {"3", 64, true, 0x4008000000000000},
      {"-3", 32, true, 0xc0400000},
      {"2.9", 32, false, 2},
      {"-2.9", 16, false, 0xfffe},
      {"bytes: 01 02", 32, false, 0x201},
      {"\"ab\"", 32, false, 0x6261},
      {"\"#\\\"\"  # a comment", 32, false, 0x2223},
      {"\"\\001\\377\\n\"", 32, false, 0x0aff01},
      {"\"\"", 32, false, 0},
      {"300", 8, false, 44},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (answer(all[i].text, all[i].width, all[i].is_float) != all[i].want)
      fail_msg("%s", all[i].text);
}

static void wrong_texts(void **state) {
  (void)state;
  static const char *const all[] = {"abc",
                                    "1 2",
                                    "0x",
                                    "bytes: 1",
                                    "bytes: xy",
                                    "\"ab",
                                    "\"a\"b\"",
                                    "\"\\9\"",
                                    "\"\\777\"",
                                    "\"",
                                    "'ab'",
                                    "--1",
                                    "1.5.5",
                                    "999999999999999999999999999999999999999999",
                                    "<testcase><input>1",
                                    "<a><input>z</input>"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    tp_inputs in;
    tp_inputs_init(&in);
    tp_str why = {0};
    if (tp_inputs_read(all[i], &in, &why) != TP_ERR_INPUT) fail_msg("accepted: %s", all[i]);
    assert_true(why.n > 0);
    tp_str_clear(&why);
    tp_inputs_clear(&in);
  }
}

static void check_same(const tp_inputs *a, const tp_inputs *b) {
  assert_int_equal(a->v.n, b->v.n);
  tp_vector_oracle vb = {.in = b};
  tp_oracle o = tp_oracle_of_vector(&vb);
  for (size_t i = 0; i < a->v.n; i++) {
    tp_input io = a->v.at[i];
    io.bits = 0;
    io.bytes = NULL;
    assert_true(o.ask(o.ctx, &io));
    assert_true(io.bits == a->v.at[i].bits);
    // a string comes back with its 0, which is the same: bytes that are missing are 0
    const size_t n = a->v.at[i].n_bytes;
    assert_true(io.n_bytes == n ||
                (a->v.at[i].kind == TP_I_ARGS && io.n_bytes == n + 1 && io.bytes[n] == 0));
    if (n) assert_memory_equal(io.bytes, a->v.at[i].bytes, n);
  }
}

static void written_and_read_back(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_rng rng;
  tp_rng_init(&rng, 3);
  tp_inputs in;
  tp_inputs_init(&in);
  for (int i = 0; i < 500; i++) {
    static const uint32_t widths[] = {1, 8, 13, 32, 64, 128, 0};
    tp_input x = {.width_bits = widths[tp_rng_below(&rng, 7)],
                  .kind = (tp_input_kind)tp_rng_below(&rng, 6),
                  .name = "f",
                  .is_signed = tp_rng_below(&rng, 2),
                  .pos = {tp_diag_file(diag, "a.c"), 3, 4}};
    uint8_t bytes[9] = {0, 1, 2, 3, 255, 6, 7, 8, 9};
    x.bits = (tp_u128)tp_rng_next(&rng) << 64 | tp_rng_next(&rng);
    if (tp_rng_below(&rng, 4) == 0) x.bits = (tp_u128)1 << (x.width_bits ? x.width_bits - 1 : 0);
    if (x.width_bits < 128) x.bits &= (((tp_u128)1) << x.width_bits) - 1;
    x.is_float = (x.width_bits == 32 || x.width_bits == 64) && tp_rng_below(&rng, 2);
    if (tp_rng_below(&rng, 2))  // strings, as arguments of main are
      for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = k + 1 < sizeof bytes ? (uint8_t)(1 + tp_rng_below(&rng, 255)) : 0;
    if (!x.width_bits) x.bits = 0, x.bytes = bytes, x.n_bytes = tp_rng_below(&rng, 10);
    tp_inputs_add(&in, x);
  }
  tp_str plain = {0}, xml = {0};
  tp_inputs_write(&in, diag, &plain);
  assert_non_null(strstr(plain.text, "a.c:3:4"));
  tp_inputs_write_testcomp(&in, "", &xml);
  tp_inputs again = read(plain.text);
  check_same(&in, &again);
  tp_inputs_clear(&again);
  again = read(xml.text);  // that format has the inputs only which programs of tests ask for
  tp_inputs asked;
  tp_inputs_init(&asked);
  for (size_t i = 0; i < in.v.n; i++)
    if (in.v.at[i].kind == TP_I_NONDET && (in.v.at[i].width_bits || in.v.at[i].n_bytes))
      tp_inputs_add(&asked, in.v.at[i]);
  assert_true(asked.v.n > 0 && asked.v.n < in.v.n);
  check_same(&asked, &again);
  tp_inputs_clear(&asked);
  tp_inputs_clear(&again);
  tp_inputs_clear(&in);
  tp_str_clear(&plain);
  tp_str_clear(&xml);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

static void vectors_end(void **state) {
  (void)state;
  tp_inputs in = read("# nothing but this\n\n7 # seven\nbytes: aa bb cc"), made;
  tp_inputs_init(&made);
  tp_vector_oracle v = {.in = &in};
  tp_record_oracle rec = {tp_oracle_of_vector(&v), &made};
  tp_oracle o = tp_oracle_recording(&rec);
  tp_input bytes = {.n_bytes = 2}, word = {.width_bits = 8};
  assert_true(o.ask(o.ctx, &bytes));  // a number is next: bytes are zeros, the number stays
  assert_int_equal(bytes.n_bytes, 0);
  assert_true(o.ask(o.ctx, &word));
  assert_int_equal((int)word.bits, 7);
  bytes.n_bytes = 2;
  assert_true(o.ask(o.ctx, &bytes));
  assert_int_equal(bytes.bytes[1], 0xbb);
  assert_false(o.ask(o.ctx, &word));
  v.then_zero = true;
  assert_true(o.ask(o.ctx, &word));
  assert_true(word.bits == 0);
  assert_int_equal(made.v.n, 4);
  assert_int_equal(made.v.at[2].n_bytes, 2);
  tp_inputs_clear(&in);
  tp_inputs_clear(&made);
}

/* What a file does not say, by who asks: one row each. kind and width of the question, how many
 * values are left for the next one. */
static void what_files_leave_out(void **state) {
  (void)state;
  static const char xml[] = "<testcase><input>7</input></testcase>", plain[] = "7";
  static const struct {
    const char *text;
    tp_input_kind kind;
    uint32_t width_bits;
    bool is_at_end, is_answered;
    uint64_t bits;
  } rows[] = {
      {xml, TP_I_NONDET, 32, false, true, 7},
      {xml, TP_I_NONDET, 32, true, false, 0},
      {xml, TP_I_INDETERMINATE, 0, false, true, 0},
      {xml, TP_I_INDETERMINATE, 32, true, true, 0},
      {xml, TP_I_ARGS, 32, false, true, 1},
      {xml, TP_I_ENVIRONMENT, 32, false, true, 0},
      {plain, TP_I_NONDET, 32, false, true, 7},
      {plain, TP_I_ENVIRONMENT, 32, false, true, 7},
      {plain, TP_I_INDETERMINATE, 0, true, true, 0},
      {plain, TP_I_NONDET, 0, true, false, 0},
      {plain, TP_I_INDETERMINATE, 32, true, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_inputs in = read(rows[i].text);
    tp_vector_oracle v = {.in = &in, .next = rows[i].is_at_end};
    tp_oracle o = tp_oracle_of_vector(&v);
    tp_input io = {.kind = rows[i].kind, .width_bits = rows[i].width_bits, .n_bytes = 4};
    assert_int_equal(o.ask(o.ctx, &io), rows[i].is_answered);
    if (rows[i].is_answered && rows[i].width_bits) assert_int_equal((int)io.bits, rows[i].bits);
    if (rows[i].is_answered && !rows[i].width_bits) assert_int_equal(io.n_bytes, 0);
    tp_inputs_clear(&in);
  }
}

/* Memory is its bytes, zeros at the end with them; two memories in a row stay two. */
static void memory_in_test_comp_files(void **state) {
  (void)state;
  static const uint8_t a[] = {1, 255, 3}, b[] = {9};
  tp_inputs in;
  tp_inputs_init(&in);
  tp_inputs_add(&in, (tp_input){.bytes = a, .n_bytes = 3, .n_asked = 5, .name = "f"});
  tp_inputs_add(&in, (tp_input){.bytes = b, .n_bytes = 1, .n_asked = 1, .name = "f"});
  tp_inputs_add(&in, (tp_input){.width_bits = 8, .bits = 4, .name = "f"});
  tp_inputs_add(&in, (tp_input){.kind = TP_I_VOLATILE, .width_bits = 8, .bits = 4, .name = "f"});
  tp_str xml = {0};
  tp_inputs_write_testcomp(&in, "", &xml);
  assert_non_null(strstr(xml.text, "variable=\"[4]\" type=\"unsigned char\">0<"));
  assert_null(strstr(xml.text, "[5]"));
  assert_non_null(strstr(xml.text, "1 of kind 'volatile read'"));
  tp_inputs again = read(xml.text);
  assert_int_equal(again.v.n, 3);
  assert_int_equal(again.v.at[0].n_bytes, 5);
  assert_memory_equal(again.v.at[0].bytes, "\1\377\3\0\0", 5);
  assert_int_equal(again.v.at[1].n_bytes, 1);
  assert_int_equal(again.v.at[1].bytes[0], 9);
  assert_int_equal((int)again.v.at[2].bits, 4);
  tp_inputs_clear(&again);
  tp_inputs_clear(&in);
  tp_str_clear(&xml);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(literals),
                                     cmocka_unit_test(wrong_texts),
                                     cmocka_unit_test(written_and_read_back),
                                     cmocka_unit_test(vectors_end),
                                     cmocka_unit_test(what_files_leave_out),
                                     cmocka_unit_test(memory_in_test_comp_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

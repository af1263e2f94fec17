/* Witnesses as text: written and read again; texts that are refused, each with its line. */
#include "report/witness.h"

#include <setjmp.h>

#include <cmocka.h>

static const char hash[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static void fill(tp_witness *w, tp_witness_kind kind, const char *path, const char *value) {
  tp_witness_init(w);
  w->kind = kind;
  w->version = "2.0";
  w->created = "2026-01-02T03:04:05Z";
  w->producer = "Twoproof";
  w->specification = "CHECK( init(main()), LTL(G ! overflow) )";
  w->data_model = "LP64";
  tp_vec_push(&w->files, (tp_witness_file){path, hash});
  const bool is_path = kind == TP_WITNESS_VIOLATION;
  const tp_witness_item first = {
      .kind = is_path ? TP_WITNESS_ASSUMPTION : TP_WITNESS_LOOP_INVARIANT,
      .type = is_path ? "assumption" : "loop_invariant",
      .file = path,
      .line = 7,
      .column = 3,
      .function = "main",
      .value = value,
      .format = "c_expression"};
  tp_vec_push(&w->items, first);
  const tp_witness_item target = {
      .kind = TP_WITNESS_TARGET, .type = "target", .file = path, .line = 9, .segment = 1};
  if (is_path) tp_vec_push(&w->items, target);
  tp_witness_name(w);
}

static void texts_come_back(void **state) {
  (void)state;
  static const char *const texts[] = {"x == 1",
                                      "\"\\ # : {",
                                      "a\nb\t\001\177",
                                      "gr\xc3\xb6\xc3\x9f",
                                      "\xe2\x80\xa8\xc2\x85",
                                      "- y: [1]",
                                      "</script>",
                                      "%YAML 1.1",
                                      "yes"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int kind = TP_WITNESS_VIOLATION; kind <= TP_WITNESS_CORRECTNESS; kind++) {
      tp_witness w, back;
      tp_str text = {0}, again = {0}, why = {0};
      fill(&w, (tp_witness_kind)kind, texts[i], texts[i]);
      tp_witness_print(&w, &text);
      tp_witness_init(&back);
      const tp_status st = tp_witness_read(text.text, text.n, &back, &why);
      if (st != TP_OK) fail_msg("%s: %s", text.text, why.text);
      tp_witness_print(&back, &again);
      assert_string_equal(text.text, again.text);
      assert_string_equal(back.items.at[0].value, texts[i]);
      tp_witness_clear(&w);
      tp_witness_clear(&back);
      tp_str_clear(&text);
      tp_str_clear(&again);
    }
}

/* Replaces the first `from` in a good witness. */
static void changed(tp_witness_kind kind, const char *from, const char *to, tp_str *out) {
  tp_witness w;
  tp_str text = {0};
  fill(&w, kind, "a.c", "x == 1");
  tp_witness_print(&w, &text);
  const char *at = strstr(text.text, from);
  if (!at) fail_msg("no %s in %s", from, text.text);
  tp_str_add_n(out, text.text, (size_t)(at - text.text));
  tp_str_printf(out, "%s%s", to, at + strlen(from));
  tp_str_clear(&text);
  tp_witness_clear(&w);
}

static void wrong_texts_are_refused(void **state) {
  (void)state;
  static const struct {
    tp_witness_kind kind;
    const char *from, *to, *why;
    tp_status status;
  } cases[] = {
      {TP_WITNESS_VIOLATION, "follow", "followed", "unknown action", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "follow", "cycle", "not followed here", TP_ERR_UNSUPPORTED},
      {TP_WITNESS_VIOLATION, "follow", "avoid", "ends with its only", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "uuid", "uid", "unknown key 'uid'", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "column: 3", "column: x", "no number", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "line: 7", "line: 0", "less than 1", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "line: 7", "lines: 7", "unknown key 'lines'", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "\"target\"", "\"assumption\"", "needs a constraint", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "\"2.0\"", "\"3.0\"", "version '3.0'", TP_ERR_UNSUPPORTED},
      {TP_WITNESS_VIOLATION, "LP64", "LP65", "neither ILP32 nor LP64", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "e3b0", "xyz0", "no SHA-256", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "x == 1\"", "x == 1", "broken YAML", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "violation_sequence", "violation", "unknown entry", TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "violation_sequence", "invariant_set", "unknown key 'segment'",
       TP_ERR_INPUT},
      {TP_WITNESS_VIOLATION, "  content", "  metadata: 1\n  content", "twice", TP_ERR_INPUT},
      {TP_WITNESS_CORRECTNESS, "loop_invariant", "loopinvariant", "unknown type", TP_ERR_INPUT},
      {TP_WITNESS_CORRECTNESS, "c_expression", "C", "unknown format", TP_ERR_INPUT},
      {TP_WITNESS_CORRECTNESS, "        format: \"c_expression\"\n", "", "lacks 'format'",
       TP_ERR_INPUT},
      {TP_WITNESS_CORRECTNESS, "- invariant", "- contract", "'contract' is not followed",
       TP_ERR_UNSUPPORTED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_witness w;
    tp_str text = {0}, why = {0};
    changed(cases[i].kind, cases[i].from, cases[i].to, &text);
    tp_witness_init(&w);
    assert_int_equal(tp_witness_read(text.text, text.n, &w, &why), cases[i].status);
    if (!strstr(why.text, cases[i].why)) fail_msg("%zu: %s", i, why.text);
    assert_int_equal(strncmp(why.text, "line ", 5), 0);
    tp_witness_clear(&w);
    tp_str_clear(&text);
    tp_str_clear(&why);
  }
}

/* Every prefix of a good witness is refused or read, and nothing else happens. */
static void cut_texts_do_no_harm(void **state) {
  (void)state;
  tp_str text = {0};
  changed(TP_WITNESS_VIOLATION, "x == 1", "x == 2", &text);
  for (size_t n = 0; n < text.n; n++) {
    tp_witness w;
    tp_str why = {0};
    tp_witness_init(&w);
    if (tp_witness_read(text.text, n, &w, &why) != TP_OK) assert_true(why.n > 0);
    tp_witness_clear(&w);
    tp_str_clear(&why);
  }
  tp_str_clear(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_come_back),
                                     cmocka_unit_test(wrong_texts_are_refused),
                                     cmocka_unit_test(cut_texts_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

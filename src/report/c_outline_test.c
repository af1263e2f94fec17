/* Places in small programs: statements, loops, calls, scopes, line markers. */
#include "report/c_outline.h"

#include <setjmp.h>

#include <cmocka.h>

static void outline_of(tp_outline *o, const char *text) {
  tp_str copy = {0};
  tp_str_add(&copy, text);
  tp_outline_read(o, "a.c", copy);
}

/* The number of the n-th token with this text. */
static uint32_t token(const tp_outline *o, const char *text, int n) {
  for (uint32_t i = 1; i < o->tokens.v.n; i++)
    if (tp_c_token_is(&o->tokens, i, text) && n-- == 0) return i;
  fail_msg("no token %s", text);
  return 0;
}

static void tokens_have_places(void **state) {
  (void)state;
  static const struct {
    const char *text, *name;
    uint32_t line, column;
  } cases[] = {{"int x;\n  x = 1;", "=", 2, 5},
               {"/* ( \n */ int \"{\"; x", "x", 2, 14},
               {"#define A {\\\n  (\nx", "x", 3, 1},
               {"// { \\\n {\nx", "x", 3, 1},
               {"'\\'' x", "x", 1, 6},
               {"a+++x", "x", 1, 5},
               {"#if 0\n  '\n#endif\nx", "x", 4, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_outline o;
    outline_of(&o, cases[i].text);
    const tp_c_token *t =
        &o.tokens.v.at[token(&o, cases[i].name, cases[i].name[0] == 'x' && i == 0)];
    assert_int_equal(t->line, cases[i].line);
    assert_int_equal(t->column, cases[i].column);
    tp_outline_clear(&o);
  }
}

/* One character for each statement, in the order of the text. */
static void statements_are_found(void **state) {
  (void)state;
  static const char letters[] = "sbiCwdf";
  static const struct {
    const char *text, *kinds;
  } cases[] = {
      {"int main(void) { int x = 0; x++; return x; }", "sss"},
      {"int f() { if (a) b(); else if (c) { d; } e; }", "isibss"},
      {"int f() { while (a) for (;;) do x++; while (y); }", "wfds"},
      {"int f() { L: case 1: x ? y : z; default: ; }", "ss"},
      {"int f() { switch (x) { case 'a' ? 1 : 2: y; break; } }", "Cbss"},
      {"struct s { int a; } v = { 1 }; int f(struct s p) { p; } int g;", "s"},
      {"int f(a, b) int a; int b; { a; }", "s"},
      {"int (*f(int x))(int) { x; } int h(void) __attribute__((x)); int k(void) { y; }", "ss"},
      {"int f() { if (a) { b; ", ""},
      {"int f() { } } int g() { x; }", "s"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_outline o;
    tp_str kinds = {0};
    outline_of(&o, cases[i].text);
    tp_str_add(&kinds, "");
    for (size_t s = 0; s < o.statements.n; s++)
      tp_str_add_char(&kinds, letters[o.statements.at[s].kind]);
    assert_string_equal(kinds.text, cases[i].kinds);
    tp_str_clear(&kinds);
    tp_outline_clear(&o);
  }
}

static void names_are_visible_in_their_block(void **state) {
  (void)state;
  tp_outline o;
  outline_of(&o,
             "int g; int f(int p) { int a; { int b; b; } for (int i = 0; i < p; i++) { i; }\n"
             "  a; } int h(void) { g; }");
  static const struct {
    const char *name;
    int declared;
    const char *at;
    int nth;
    bool sees;
  } cases[] = {{"g", 0, "g", 1, true}, {"p", 0, "a", 1, true},  {"p", 0, "g", 1, false},
               {"a", 0, "b", 1, true}, {"b", 0, "b", 1, true},  {"b", 0, "a", 1, false},
               {"i", 0, "i", 3, true}, {"i", 0, "a", 1, false}, {"a", 0, "g", 1, false},
               {"a", 0, "p", 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(tp_outline_sees(&o, token(&o, cases[i].name, cases[i].declared),
                                     token(&o, cases[i].at, cases[i].nth)),
                     cases[i].sees);
  tp_outline_clear(&o);
}

static void line_markers_name_places(void **state) {
  (void)state;
  tp_outline o;
  tp_diag *d = tp_diag_new(NULL, false);
  outline_of(&o, "int a;\n# 7 \"dir/b.c\" 1\nint b;\n#line 20\nint c;\n# 2 \"a.c\" 2\nint d;\n");
  const uint32_t a = tp_diag_file(d, "a.c"), b = tp_diag_file(d, "/home/dir/b.c"),
                 other = tp_diag_file(d, "/home/xdir/b.c");
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){a, 1, 5}), token(&o, "a", 0));
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){b, 7, 5}), token(&o, "b", 0));
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){b, 20, 5}), token(&o, "c", 0));
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){a, 2, 5}), token(&o, "d", 0));
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){a, 7, 5}), 0);
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){a, 2, 4}), 0);
  assert_int_equal(tp_outline_at(&o, d, (tp_pos){other, 7, 5}), 0);
  assert_int_equal(o.tokens.v.at[token(&o, "d", 0)].line, 7);
  tp_outline_clear(&o);
  tp_diag_free(d);
}

static void effects_are_seen(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool has;
  } cases[] = {{"a + b == c", false}, {"a = b", true},   {"a++", true},
               {"f(x)", true},        {"(f)(x)", true},  {"sizeof (x)", false},
               {"a[i] << 2", false},  {"p->f(1)", true}, {"t[0](1)", true},
               {"a >>= 1", true},     {"(a)", false},    {"({ a; })", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_c_tokens t;
    tp_c_tokens_read(&t, cases[i].text, strlen(cases[i].text));
    assert_int_equal(tp_outline_has_effect(&t, 1, (uint32_t)t.v.n - 1), cases[i].has);
    tp_c_tokens_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_have_places), cmocka_unit_test(statements_are_found),
      cmocka_unit_test(names_are_visible_in_their_block),
      cmocka_unit_test(line_markers_name_places), cmocka_unit_test(effects_are_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a function reaches as a text (program/reach_text.h), on C: edits that it must not see, and
 * edits that it must see; beside each other, since a text that is always the same would pass the
 * first, and one that is always another the second. */
#include "program/reach_text.h"

#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char base[] =
    "struct pair { int a, b; };\n"
    "static int seen = 1;\n"
    "static const char name[] = \"abc\";\n"
    "static int help(int x) { return x / 2; }\n"
    "static int other(int x) { return x - 1; }\n"
    "static int (*const table[2])(int) = {help, other};\n"
    "int asked(const struct pair *p, unsigned i) {\n"
    "  int sum = 0;\n"
    "  for (int k = 0; k < p->a; k++)\n"
    "    sum += help(k) + name[i % 3];\n"
    "  if (sum == 7) seen = p->b;\n"
    "  return table[i & 1](sum) + seen;\n"
    "}\n"
    "long apart;\n"
    "int unasked(int x) { return x * 3; }\n";

typedef struct {
  const char *name, *from, *to;
} edit;

/* The function `asked` of the text with the edit. */
static void text_of(const edit *e, tp_property property, tp_str *text, tp_reach_places *places) {
  char folder[] = "/tmp/reach-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t.c", folder);
  tp_str source = {0};
  const char *at = e ? strstr(base, e->from) : NULL;
  if (e) assert_non_null(at);
  tp_str_add_n(&source, base, at ? (size_t)(at - base) : strlen(base));
  if (at) tp_str_printf(&source, "%s%s", e->to, at + strlen(e->from));
  assert_int_equal(tp_write_file(path, source.text, source.n), TP_OK);
  const char *files[] = {path};
  const tp_front_options opt = {.files = files, .n_files = 1, .property = property};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = NULL;
  uint32_t n_exported, f = 1;
  assert_int_equal(tp_front_load_module(&opt, diag, &p, &n_exported), TP_OK);
  while (f < p->funcs.n && strcmp(p->funcs.at[f].name, "asked") != 0) f++;
  assert_true(f < p->funcs.n);
  tp_reach_text(p, (tp_func){f}, text, places);
  tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&source);
  unlink(path);
  rmdir(folder);
}

static const tp_property properties[] = {TP_P_UNREACH_CALL, TP_P_VALID_DEREF, TP_P_NO_OVERFLOW};

static void check(const edit *rows, size_t n, bool is_same) {
  for (size_t k = 0; k < sizeof properties / sizeof *properties; k++) {
    tp_str before = {0};
    tp_reach_places old = {0};
    text_of(NULL, properties[k], &before, &old);
    bool differs = false;
    for (size_t i = 0; i < n; i++) {
      tp_str after = {0};
      tp_reach_places places = {0};
      text_of(&rows[i], properties[k], &after, &places);
      const bool is_equal = strcmp(before.text, after.text) == 0;
      if (is_same && !is_equal) fail_msg("%s: another text", rows[i].name);
      if (is_same) assert_int_equal(places.n, old.n);
      if (!is_same && is_equal) fail_msg("%s: the same text", rows[i].name);
      for (size_t j = 0; is_same && j < places.n; j++)
        differs |= places.at[j].line != old.at[j].line;
      tp_str_clear(&after);
      tp_vec_clear(&places);
    }
    if (is_same) assert_true(differs);  // lines moved, and the places say so
    tp_str_clear(&before);
    tp_vec_clear(&old);
  }
}

static void edits_elsewhere_are_not_seen(void **unused) {
  (void)unused;
  static const edit rows[] = {
      {"a line", "int asked", "\n\nint asked"},
      {"a comment", "int sum = 0;", "int sum = 0;  /* of all */"},
      {"a comment of lines", "  int sum", "  /* one\n two */\n  int sum"},
      {"spaces", "sum += help(k)", "sum  +=  help( k )"},
      {"an unused macro", "struct pair", "#define UNUSED 1\nstruct pair"},
      {"an unused function's body", "x * 3", "x * 4"},
      {"an unused function in front", "static int help",
       "int more(int y) { return y + 5; }\nstatic int help"},
      {"an unused variable in front", "static int seen",
       "int first = 9; char text[] = \"text\";\nstatic int seen"},
      {"an unused type in front", "struct pair",
       "struct other { long z; struct other *next; };\nstruct pair"},
      {"an unused function with all operations", "long apart",
       "int busy(struct pair *p) { int a[3] = {0}; for (int i = 0; i < 3; i++) a[i] = p->b / "
       "(i + 1); return a[p->a & 1]; }\nlong apart"},
      {"a declaration", "long apart", "extern int elsewhere(int);\nlong apart"},
      {"the type of an unused variable", "long apart", "short apart"},
  };
  check(rows, sizeof rows / sizeof *rows, true);
}

static void edits_of_what_is_reached_are_seen(void **unused) {
  (void)unused;
  static const edit rows[] = {
      {"a constant", "sum == 7", "sum == 8"},
      {"an operator", "k < p->a", "k <= p->a"},
      {"a member", "seen = p->b", "seen = p->a"},
      {"a callee's body", "x / 2", "x / 3"},
      {"a function that is called through a pointer", "x - 1", "x - 2"},
      {"the table of these", "{help, other}", "{other, help}"},
      {"an initial value", "seen = 1", "seen = 2"},
      {"a string", "\"abc\"", "\"abd\""},
      {"the layout of a type", "int a, b;", "int b, a;"},
      {"a type that grows", "int a, b;", "int a, b, c;"},
      {"the type of a variable", "static int seen", "static short seen"},
      {"the type of a parameter", "unsigned i", "unsigned char i"},
      {"const that is gone", "static const char name", "static char name"},
      {"a name that people read", "int sum = 0;\n", "int sum = 0, total;\n  (void)(total = 0);\n"},
      {"a macro that is used", "static int help", "#define help help2\nstatic int help"},
      {"another order of operands", "k < p->a", "p->a < k"},
      {"a statement less", "  if (sum == 7) seen = p->b;\n", ""},
      {"a statement more", "  int sum = 0;\n", "  int sum = 0;\n  seen++;\n"},
  };
  check(rows, sizeof rows / sizeof *rows, false);
}

/* The same source, read twice. */
static void the_text_is_the_same_each_time(void **unused) {
  (void)unused;
  tp_str a = {0}, b = {0};
  tp_reach_places x = {0}, y = {0};
  text_of(NULL, TP_P_VALID_DEREF, &a, &x);
  text_of(NULL, TP_P_VALID_DEREF, &b, &y);
  assert_string_equal(a.text, b.text);
  assert_int_equal(x.n, y.n);
  tp_str_clear(&a);
  tp_str_clear(&b);
  tp_vec_clear(&x);
  tp_vec_clear(&y);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edits_elsewhere_are_not_seen),
                                     cmocka_unit_test(edits_of_what_is_reached_are_seen),
                                     cmocka_unit_test(the_text_is_the_same_each_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

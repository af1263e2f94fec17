/* Reading and printing contracts: precedence, round trips, what is wrong and where, contracts in
 * comments (row K01). */
#include "front/clang.h"
#include "contracts/spec/clause.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  FILE *to;
  char *said;
  size_t n;
  tp_diag *diag;
  tp_clauses clauses;
} reading;

static void open_reading(reading *r) {
  *r = (reading){0};
  r->to = open_memstream(&r->said, &r->n);
  r->diag = tp_diag_new(r->to, false);
  tp_clauses_init(&r->clauses, r->diag);
}

static const char *said(reading *r) {
  fflush(r->to);
  return r->said;
}

static void close_reading(reading *r) {
  tp_clauses_clear(&r->clauses);
  tp_diag_free(r->diag);
  fclose(r->to);
  free(r->said);
  assert_int_equal(tp_live_bytes(), 0);
}

// --------------------------------------------------------------------- phrases

/* The text, and how it is printed: parentheses show what binds closer. */
static const struct {
  const char *text, *printed;
} exprs[] = {
    {"a", "a"},
    {"x.*next.data", "x.*next.data"},
    {"l.head'.*next'.data' == l.head.*next.data - d",
     "l.head'.*next'.data' = l.head.*next.data - d"},
    {"all x,y : struct tree | x.parent = y <=> (y.left = x or y.right = x)",
     "all x, y : struct tree | x.parent = y <=> (y.left = x or y.right = x)"},
    {"all t : struct tree | not (t in t.^(left + right))",
     "all t : struct tree | not t in t.^(left + right)"},
    {"all n : t.*(left+right) | #(n.left.*(left+right)) = #n.right.*(left+right)",
     "all n : t.*(left + right) | #n.left.*(left + right) = #n.right.*(left + right)"},
    // from loose to close
    {"a or b <=> c => d and not e in f + g * #h ++ i & j -> k <: l :> m.~n",
     "a or b <=> c => d and not e in f + g * #h ++ i & j -> k <: l :> m.~n"},
    {"((a or b) <=> (c => (d and (not (e in (f + (g * (#(h ++ (i & (j -> (k <: (l :> "
     "(m.(~n)))))))))))))))",
     "(a or b) <=> c => d and not e in f + g * #h ++ i & j -> k <: l :> m.~n"},
    {"(a + b) - c", "a + b - c"},
    {"a - (b - c)", "a - (b - c)"},
    {"a => b => c", "a => b => c"},
    {"(a => b) => c", "(a => b) => c"},
    {"a implies b else c", "if a then b else c"},
    {"a => b => c else d", "a => (if b then c else d)"},
    {"if a then (b => c) else d", "if a then (b => c) else d"},
    {"if a then if b then c else d else e", "if a then (if b then c else d) else e"},
    {"(if a then b else c).d", "(if a then b else c).d"},
    {"a and all x : s | p and q", "a and (all x : s | p and q)"},
    {"(all x : s | p) and q", "(all x : s | p) and q"},
    {"some x.next and some x : s | x = x", "some x.next and (some x : s | x = x)"},
    {"no disj x, y : lone s, z : t | x = y", "no disj x, y : lone s, z : t | x = y"},
    {"one x", "one x"},
    {"lone x : s | true", "lone x : s | true"},
    {"sum x : s | #x", "sum x : s | #x"},
    {"sum s.count", "sum s.count"},
    {"let a = x.next, b = a.next | b = null", "let a = x.next, b = a.next | b = null"},
    {"{x, y : s | x.next = y}", "{x, y : s | x.next = y}"},
    {"{a, b.c, 3}", "{a, b.c, 3}"},
    {"{}", "{}"},
    {"a[i]", "a[i]"},
    {"a.b[i, j].c[k]'", "a.b[i, j].c[k]'"},
    {"a.(b[i]')", "a.(b[i]')"},
    {"(a.b)'", "(a.b)'"},
    {"a.b'", "a.b'"},
    {"^next'", "^next'"},
    {"(^next)'", "(^next)'"},
    {"~a.b", "~a.b"},
    {"-a * -b", "-a * -b"},
    {"- -3", "--3"},
    {"a * *b", "a * *b"},
    {"a !in b and a not in c and a != b", "a !in b and a !in c and a != b"},
    {"a =< b || a <= b && !(a >= b)", "a <= b or a <= b and not a >= b"},
    {"int[a] + Int[#b] - plus[1, 0x10] + minus[a, b]",
     "int[a] + Int[#b] - plus[1, 16] + minus[a, b]"},
    {"Int & int", "int & int"},
    {"struct list::head + list_t::head + ::set + ::all",
     "struct list::head + list_t::head + ::set + ::all"},
    {"x.set.sum.all'", "x.set.sum.all'"},
    {"this.(struct s)", "this.struct s"},
    {"\\result in \\alloc' - \\alloc", "\\result in \\alloc' - \\alloc"},
    {"key -> lone data", "key -> lone data"},
    {"a // the rest of the line\n + b", "a + b"},
    {"f => \n g", "f => g"},
};

static void test_K01_phrases_round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
    reading r;
    open_reading(&r);
    const tp_spec_expr *x = tp_spec_expr_read(&r.clauses, "t", exprs[i].text);
    if (!x) fail_msg("%s: %s", exprs[i].text, said(&r));
    tp_str printed = {0};
    tp_spec_expr_print(x, &printed);
    assert_string_equal(printed.text, exprs[i].printed);
    const tp_spec_expr *again = tp_spec_expr_read(&r.clauses, "t", printed.text);
    if (!again || !tp_spec_expr_equal(x, again))
      fail_msg("%s: printed as %s, which is another phrase", exprs[i].text, printed.text);
    assert_string_equal(said(&r), "");
    tp_str_clear(&printed);
    close_reading(&r);
  }
}

/* Texts that are no phrases: where, and what is said. */
static const struct {
  const char *text, *said;
} wrong[] = {
    {"", "t:1:1: error: expected a name, a number or '(', but the text ends"},
    {"a +", "t:1:4: error: expected a name, a number or '(', but the text ends"},
    {"a b", "t:1:3: error: expected an operator or the end, not 'b'"},
    {"(a", "t:1:3: error: expected ')', but the text ends"},
    {"a)", "t:1:2: error: expected an operator or the end, not ')'"},
    {"a\n  ? b : c",
     "t:2:3: error: expected an operator or the end, not '?': a choice is written if F then a else "
     "b"},
    {"\\old(x)",
     "t:1:1: error: expected a name, a number or '(', not '\\old': x is the value before and x' "
     "that after, so there is no need for \\old"},
    {"x = \\null", "t:1:5: error: expected a name, a number or '(', not '\\null': write null"},
    {"forall x : s | p", "t:1:8: error: expected an operator or the end, not 'x'"},
    {"all x s | p", "t:1:7: error: expected ':', not 's'"},
    {"all x : s", "t:1:10: error: expected '|', but the text ends"},
    {"all set : s | p",
     "t:1:5: error: expected a name for the variable, not 'set': in front of a declared type only"},
    {"let x : a | x", "t:1:7: error: expected '=', not ':'"},
    {"a + sum", "t:1:8: error: expected a name, a number or '(', but the text ends"},
    {"a = not b",
     "t:1:5: error: expected a name, a number or '(', not 'not': not and ! bind less closely than "
     "this place; put them in parentheses"},
    {"a + some b",
     "t:1:5: error: expected a name, a number or '(', not 'some': put it in parentheses"},
    {"a & model",
     "t:1:5: error: expected a name, a number or '(', not 'model', a word of this language; as a "
     "name of the program it is ::model"},
    {"if a then b", "t:1:12: error: expected 'else', but the text ends"},
    {"if a then b => c else d", "t:1:13: error: expected 'else', not '=>'"},
    {"12ab", "t:1:1: error: '12ab' is not a number"},
    {"99999999999999999999", "t:1:1: error: 99999999999999999999 is too large"},
    {"plus[a]", "t:1:1: error: plus[...] takes 2, not 1"},
    {"a::", "t:1:4: error: expected a field, but the text ends"},
    {"struct", "t:1:7: error: expected the name of a struct, but the text ends"},
    {"a = \"text\"",
     "t:1:5: error: expected a name, a number or '(', not '\"': there are no strings here"},
    {"a \xc3\xa4", "t:1:3: error: expected an operator or the end, not '\xc3\xa4'"},
    {"a.", "t:1:3: error: expected a name, a number or '(', but the text ends"},
    {"{a, b", "t:1:6: error: expected '}', but the text ends"},
    {"f[a", "t:1:4: error: expected ']', but the text ends"},
};

static void test_K01_wrong_phrases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    reading r;
    open_reading(&r);
    assert_null(tp_spec_expr_read(&r.clauses, "t", wrong[i].text));
    if (strncmp(said(&r), wrong[i].said, strlen(wrong[i].said)) != 0)
      fail_msg("'%s':\nsaid %s\nnot  %s", wrong[i].text, said(&r), wrong[i].said);
    assert_int_equal(r.clauses.n_wrong, 1);
    close_reading(&r);
  }
}

static void test_K01_depth_is_limited(void **state) {
  (void)state;
  static const struct {
    const char *open, *middle, *close;
  } shapes[] = {{"(", "a", ")"}, {"", "a", "+a"},  {"not ", "a", ""},
                {"{", "a", "}"}, {"a[", "a", "]"}, {"all x : s | ", "a", ""},
                {"", "a", "'"},  {"a=>", "a", ""}, {"if a then b else ", "a", ""}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int n = 100; n <= 100000; n *= 1000) {
      reading r;
      open_reading(&r);
      tp_str text = {0};
      for (int k = 0; k < n; k++) tp_str_add(&text, shapes[i].open);
      tp_str_add(&text, shapes[i].middle);
      for (int k = 0; k < n; k++) tp_str_add(&text, shapes[i].close);
      const tp_spec_expr *x = tp_spec_expr_read(&r.clauses, "t", text.text);
      if (n == 100)
        assert_non_null(x);
      else
        assert_non_null(strstr(said(&r), "nested more than"));
      tp_str_clear(&text);
      close_reading(&r);
    }
}

// --------------------------------------------------------------------- clauses

static void print_all(const tp_clauses *c, tp_str *out) {
  static const char *const abouts[] = {"file", "function", "struct", "body"};
  for (size_t i = 0; i < c->all.n; i++) {
    const tp_clause *clause = &c->all.at[i];
    tp_str_printf(out, "%u:%u %s %s", clause->pos.line, clause->pos.column,
                  abouts[clause->subject.about], clause->subject.name ? clause->subject.name : "-");
    for (uint32_t k = 0; clause->subject.params && k < clause->subject.n_params; k++)
      tp_str_printf(out, "%s%s", k ? "," : "(",
                    clause->subject.params[k] ? clause->subject.params[k] : "?");
    tp_str_add(out, clause->subject.n_params ? "): " : ": ");
    tp_clause_print(clause, out);
    tp_str_add_char(out, '\n');
  }
}

static void test_K01_clauses_round_trip(void **state) {
  (void)state;
  static const char text[] =
      "pred sorted[l : struct list, disj a, b : set int] { a in b b in a }\n"
      "fun contents [l : struct list] : set struct data { l.head.*next.data }\n"
      "invariant head = null; invariant tail = null\n"
      "ghost taken : lone struct cell\n"
      "// a remark\n"
      "struct list { invariant no this.head; model size : int = #this.head.*next; ghost seen : set "
      "struct data }\n"
      "function push {\n"
      "  requires l != null   // not null\n"
      "  preserves sorted[l, a, b] ensures \\result => l.head'.data' = d;\n"
      "  modifies l.head, data, none\n"
      "}\n";
  static const char printed[] =
      "1:1 file -: pred sorted[l : struct list, disj a, b : set int] { a in b and b in a }\n"
      "2:1 file -: fun contents[l : struct list] : set struct data { l.head.*next.data }\n"
      "3:1 file -: invariant head = null\n"
      "3:24 file -: invariant tail = null\n"
      "4:1 file -: ghost taken : lone struct cell\n"
      "6:15 struct struct list: invariant no this.head\n"
      "6:39 struct struct list: model size : int = #this.head.*next\n"
      "6:76 struct struct list: ghost seen : set struct data\n"
      "8:3 function push: requires l != null\n"
      "9:3 function push: preserves sorted[l, a, b]\n"
      "9:29 function push: ensures \\result => l.head'.data' = d\n"
      "10:3 function push: modifies l.head, data, none\n";
  reading r;
  open_reading(&r);
  tp_clauses_read_file(&r.clauses, "t", text);
  tp_str out = {0};
  print_all(&r.clauses, &out);
  assert_string_equal(said(&r), "");
  assert_string_equal(out.text, printed);
  for (size_t i = 0, n = r.clauses.all.n; i < n; i++) {
    tp_str once = {0}, twice = {0};
    tp_clause_print(&r.clauses.all.at[i], &once);
    tp_clauses_read(&r.clauses, "t", 1, once.text, r.clauses.all.at[i].subject);
    assert_int_equal(r.clauses.all.n, n + i + 1);
    tp_clause_print(&r.clauses.all.at[n + i], &twice);
    assert_string_equal(once.text, twice.text);
    tp_str_clear(&once);
    tp_str_clear(&twice);
  }
  assert_string_equal(said(&r), "");
  tp_str_clear(&out);
  close_reading(&r);
}

/* Every wrong clause is named, the others are read. */
static void test_K01_wrong_clauses(void **state) {
  (void)state;
  static const struct {
    const char *text, *said[4];
    size_t good;
  } cases[] = {
      {"function f { requires a\n ensure b\n ensures c }",
       {"t:2:2: error: expected an operator or the end of the clause, not 'ensure'"},
       1},
      {"function f {\n require a\n ensures c\n}",
       {"t:2:2: error: expected requires, ensures, preserves, modifies, invariant, model, ghost, "
        "pred or fun, not 'require'"},
       1},
      {"function f {\n assigns a\n ensures c\n}",
       {"t:2:2: error: expected requires, ensures, preserves, modifies, invariant, model, ghost, "
        "pred or fun, not 'assigns': write modifies"},
       1},
      {"function f {\n requires a +\n ensures c\n modifies\n}\nstruct s { invariant 3 3 "
       "}\ninvariant a",
       {"t:3:2: error: expected a name", "t:5:1: error: expected a name",
        "t:6:24: error: expected an operator"},
       2},
      {"requires a",
       {"t:1:1: error: 'requires' may not stand here: it belongs in front of a function"},
       0},
      {"function f { invariant a }",
       {"t:1:14: error: 'invariant' may not stand here: it belongs inside of a struct"},
       0},
      {"function f { ghost x = 3 }",
       {"t:1:14: error: 'ghost x = ...' may not stand here: it belongs inside of a function's "
        "body"},
       0},
      {"struct s { pred p { a } }",
       {"t:1:12: error: 'pred' may not stand here: it belongs outside of functions and structs"},
       0},
      {"function { requires a }", {"t:1:10: error: expected the name of a function, not '{'"}, 0},
      {"function f { requires a", {"t:1:24: error: expected '}', but the text ends"}, 1},
      {"pred p[x] { a }", {"t:1:9: error: expected ':', not ']'"}, 0},
      {"fun f : int", {"t:1:12: error: expected '{', but the text ends"}, 0},
      {"}\ninvariant a", {"t:1:1: error: expected"}, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reading r;
    open_reading(&r);
    tp_clauses_read_file(&r.clauses, "t", cases[i].text);
    size_t n = 0;
    for (; n < 4 && cases[i].said[n]; n++)
      if (!strstr(said(&r), cases[i].said[n]))
        fail_msg("'%s':\nsaid %s\nnot  %s", cases[i].text, said(&r), cases[i].said[n]);
    if (r.clauses.n_wrong < n || r.clauses.all.n != cases[i].good)
      fail_msg("'%s': %u wrong, %zu good\n%s", cases[i].text, r.clauses.n_wrong, r.clauses.all.n,
               said(&r));
    close_reading(&r);
  }
}

// -------------------------------------------------------------------- comments

/* Through the preprocessor (columns change, lines are left out); clauses have positions of the
 * user's file. */
static void test_K01_comments(void **state) {
  (void)state;
  static const char users[] =
      "#include <stddef.h>\n"  // 1
      "LIST {\n"
      "  struct cell *head;     //@ invariant this.head != null\n"
      "};\n"
      "typedef struct { int x; /*@ invariant this.x > 0\n"
      "                          @ ghost y : int @*/ } pair_t;\n"  // 5
      "#if 0\n//@ requires hidden\n#endif\n"
      "#define M(x) x /* //@ requires no */\n"
      "     //@ requires l != null   // a remark\n"
      "     //@   and x > 0\n"
      "/*@ ensures \\result\n"
      "  @   => l.head' = null;\n"
      "  @ modifies l.head @*/\n"  // 10
      "static inline __attribute__((aligned(8))) struct cell *push(struct list *l, int x, int "
      "(*cb)(int *p), unsigned a[static 3]) {\n"
      "  char *s = \"//@ requires no\"; char q = '\"'; /* //@ requires no */\n"
      "  //@ ghost count = count + 1\n"
      "  return l->head; }\n"
      "//@ requires a = 1\n"  // 15
      "int f(int a);    int (*pointer)(int b);\n"
      "//@ ghost count : int\n"
      "int other; // @ requires no\n";
  char path[] = "/tmp/clause-test-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0 && write(fd, users, strlen(users)) == (ssize_t)strlen(users));
  close(fd);
  const char *define[] = {"-DLIST=struct list"};
  tp_front_options front = {.clang_args = define, .n_clang_args = 1};
  tp_str text = {0}, messages = {0};
  assert_int_equal(tp_clang_preprocess(&front, path, &text, &messages), TP_OK);
  tp_str_clear(&messages);
  reading r;
  open_reading(&r);
  tp_clauses_read_c(&r.clauses, path, text.text);
  assert_string_equal(said(&r), "");
  tp_str out = {0};
  print_all(&r.clauses, &out);
  assert_string_equal(out.text,
                      "3:30 struct struct list: invariant this.head != null\n"
                      "5:29 struct pair_t: invariant this.x > 0\n"
                      "6:29 struct pair_t: ghost y : int\n"
                      "11:10 function push(l,x,cb,a): requires l != null and x > 0\n"
                      "13:5 function push(l,x,cb,a): ensures \\result => l.head' = null\n"
                      "15:5 function push(l,x,cb,a): modifies l.head\n"
                      "18:7 body push: ghost count = count + 1\n"
                      "20:5 function f(a): requires a = 1\n"
                      "22:5 file -: ghost count : int\n");
  tp_str_clear(&out);
  tp_str_clear(&text);
  close_reading(&r);
  unlink(path);
}

static void test_K01_misplaced_comments(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"//@ requires a\nint x;\n",
       ":1:5: error: 'requires' speaks of the function that follows, but what follows here is no "
       "function"},
      {"//@ requires a\ntypedef int f(int);\n", ":1:5: error: 'requires' speaks of the function"},
      {"//@ requires a\nint (*f)(int);\n", ":1:5: error: 'requires' speaks of the function"},
      {"//@ requires a\nint x = f(3);\n", ":1:5: error: 'requires' speaks of the function"},
      {"//@ requires a\n", ":1:5: error: 'requires' speaks of the function"},
      {"int f(void); //@ requires a\nint g(void);\n",
       ":1:18: error: contracts stand in front of their function"},
      {"int f(void) { //@ requires a\n return 1; }\n",
       ":1:19: error: 'requires' may not stand here"},
      {"struct { int x; //@ invariant this.x > 0\n} y;\n", ":1:21: error: this struct has no name"},
      {"struct s { int x; //@ requires x\n};\n", ":1:23: error: 'requires' may not stand here"},
      {"//@ requires x +\nint f(int x);\n",
       ":1:17: error: expected a name, a number or '(', but the text ends"},
      {"/*@ requires x", ":1:5: error: 'requires' speaks of the function"},
      {"int x[] = { //@ ghost y = 3\n 1 };\n",
       ":1:17: error: contracts may not stand between these braces"},
      {"//@\n//@ requries x\nint f(int x);", ":2:5: error: expected requires, ensures"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reading r;
    open_reading(&r);
    tp_clauses_read_c(&r.clauses, "no-such-file.c", cases[i].text);
    if (!strstr(said(&r), cases[i].said) || r.clauses.all.n || r.clauses.n_wrong != 1)
      fail_msg("'%s': %zu clauses\nsaid %s\nnot  %s", cases[i].text, r.clauses.all.n, said(&r),
               cases[i].said);
    close_reading(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_K01_phrases_round_trip), cmocka_unit_test(test_K01_wrong_phrases),
      cmocka_unit_test(test_K01_depth_is_limited),   cmocka_unit_test(test_K01_clauses_round_trip),
      cmocka_unit_test(test_K01_wrong_clauses),      cmocka_unit_test(test_K01_comments),
      cmocka_unit_test(test_K01_misplaced_comments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

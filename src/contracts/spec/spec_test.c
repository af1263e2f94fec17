/* Expressions over a program's variables: what they mean, what is refused and where, that spelled
 * terms read back, that functions read as terms agree with running them (row Y03). */
#include "front/front.h"
#include "exec/exec.h"
#include "expression/expression.h"
#include "expression/predicate_file.h"
#include "expression/pure_function.h"
#include "expression/scope.h"
#include "expression/expression_print.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  tp_diag *diag;
  tp_program *p;
  char path[40];
} source;

static source load(const char *text, tp_property property) {
  source s = {.path = "/tmp/spec-test-XXXXXX.c"};
  int fd = mkstemps(s.path, 2);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  s.diag = tp_diag_new(stderr, false);
  const char *files[] = {s.path};
  tp_front_options front = {
      .files = files, .n_files = 1, .property = property, .without_models = true};
  assert_int_equal(tp_front_load(&front, s.diag, &s.p), TP_OK);
  unlink(s.path);
  return s;
}

static void clear(source *s) {
  tp_program_free(s->p);
  tp_diag_free(s->diag);
  assert_int_equal(tp_live_bytes(), 0);
}

/* Where main ends. */
static tp_loc end_of_main(const tp_program *p) { return tp_func_of(p, p->main)->exit; }

// -------------------------------------------------------------------- meaning

/* Variables with values that matter; the program stops at its end, where expressions are evaluated.
 */
static const char PROGRAM[] =
    "extern void *malloc(unsigned long);\n"
    "struct pair { char tag; short low : 5, high : 7; struct { int inner; }; struct pair *next; "
    "int cells[4]; };\n"
    "typedef unsigned char byte;\n"
    "enum colour { RED, GREEN };\n"
    "static const char letters[] = \"abc\"; int minus = -3, numbers[5] = {4, 8, 15, 16, 23}; "
    "unsigned big = 4000000000u; double half = 0.5; float quarter = 0.25f;\n"
    "static struct pair global = {'x', -5, 33, {7}, &global, {1, 2, 3, 4}};\n"
    "int *third(int *p) { return p + 2; }\n"
    "int main(void) {\n"
    "  byte small = 200; signed char sc = -7; long wide = -1; _Bool yes = 1; enum colour c = "
    "GREEN;\n"
    "  struct pair *p = malloc(sizeof *p), *none = 0; int *q = third(numbers); int (*f)(void) = "
    "main; int zero = 0;\n"
    "  *p = global; p->next = &global; p->cells[2] = -9;\n"
    "  if (minus++ > 5 || big++ == 1 || half > 1 || quarter > 1) quarter = half = minus = big = 9; "
    "minus--; big--;\n"
    "  global.cells[1] = small + sc + (int)wide + yes + c + *q + (f != 0) + (none == 0) + zero + "
    "letters[sc + 7];\n"
    "  return global.cells[1];\n"
    "}\n";

static const struct {
  const char *text;
  bool is_true;
} MEANINGS[] = {
    {"minus == -3", true},
    {"letters[1] == 'b'", true},
    {"p->cells[minus + 5] == -9", true},
    {"minus < 0", true},
    {"minus < big", false},
    {"big > 3999999999", true},
    {"small == 200", true},
    {"small + small == 400", true},
    {"(byte)(small + small) == 144", true},
    {"(signed char)small < 0", true},
    {"sc < small", true},
    {"sc >> 1 == -4", true},
    {"(unsigned char)sc >> 1 == 124", true},
    {"wide < 1u", true},
    {"minus < 1u", false},
    {"wide == -1L && wide != 1", true},
    {"yes", true},
    {"!yes", false},
    {"yes + yes == 2", true},
    {"c == 1", true},
    {"numbers[2] == 15", true},
    {"*q == 15 && q[1] == 16 && q[-2] == 4", true},
    {"q - numbers == 2", true},
    {"&numbers[2] == q", true},
    {"q > numbers && numbers + 5 > q", true},
    {"*(q + 2) == 23", true},
    {"numbers[5] == 0", false},
    {"numbers[5] != 0", false},
    {"!(numbers[5] == 0)", false},
    {"p->tag == 'x'", true},
    {"p->low == -5 && p->high == 33", true},
    {"p->inner == 7", true},
    {"p->next->next == &global", true},
    {"p->next->cells[3] == 4", true},
    {"p->cells[2] < -8", true},
    {"(*p).cells[0] == 1", true},
    {"global.low == -5", true},
    {"none == NULL", true},
    {"none->inner == 0", false},
    {"none->inner != 0", false},
    {"none && none->inner == 0", false},
    {"none == 0 || none->inner == 0", true},
    {"none ? none->inner : minus", true},
    {"object_size(p) == sizeof(struct pair)", true},
    {"object_size(p) == sizeof *p", true},
    {"object_live(p) && !object_offset(p)", true},
    {"object_offset(q) == 8 && object_size(q) == 20", true},
    {"object_of(q) == object_of(numbers)", true},
    {"object_of(p) == object_of(q)", false},
    {"object_live(none)", false},
    {"sizeof(int) == 4 && sizeof(long) == 8 && sizeof(void *) == 8 && sizeof numbers == 20", true},
    {"1 / zero == 0", false},
    {"1 / zero != 0", false},
    {"zero && 1 / zero", false},
    {"!(zero && 1 / zero)", true},
    {"1 << 40 == 0", false},
    {"1L << 40 > 0", true},
    {"half + quarter == 0.75", true},
    {"half < 1 && half > quarter", true},
    {"(int)(half * 5) == 2", true},
    {"-half < 0", true},
    {"0x10 == 16 && 010 == 8 && '\\n' == 10", true},
    {"1 ? 0 : 1", false},
    {"1 + 2 * 3 - 4 / 2 % 3 == 5", true},
    {"1 | 2 ^ 3 & 4", true},
    {"(1, 2)", false},
    {"2147483647 + 1 < 0", true},
    {"2147483648 > 0", true},
    {"4294967295u + 1 == 0", true},
    {"~0 == -1 && -(-3) == 3 && +minus == -3", true},
    {"f == main", true},
    {"third(q) == numbers + 4", true},
    {"*third(numbers) == 15", true},
    {"(long)p == (long)(void *)p", true},
    {"*(unsigned char *)&global.cells[1] == (unsigned char)global.cells[1]", true}};

static bool stop_there(void *ctx, const tp_state *now) {
  const tp_loc *at = ctx;
  return tp_state_loc(now).id != at->id;
}

static void expressions_mean_what_c_says(void **state) {
  (void)state;
  source s = load(PROGRAM, TP_P_UNREACH_CALL);
  tp_state *run = tp_state_initial(s.p);
  tp_loc end = end_of_main(s.p);
  tp_edge last = {tp_in_edges(s.p, end).at[0]};  // in front of the return everything is alive
  tp_loc at = tp_edge_of(s.p, last)->from;
  tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &at, .at = stop_there};
  tp_inputs in;
  tp_inputs_init(&in);
  tp_vector_oracle zeros = {&in, 0, true};
  tp_oracle oracle = tp_oracle_of_vector(&zeros);
  assert_int_equal(tp_exec_run(s.p, run, &oracle, (tp_run_limits){0}, &observer).end,
                   TP_END_STOPPED);
  for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; i++) {
    tp_expression_error error = {0};
    tp_term t;
    if (strcmp(MEANINGS[i].text, "(1, 2)") == 0) {
      assert_int_equal(tp_predicate_read(s.p, at, MEANINGS[i].text, &t, &error), TP_ERR_INPUT);
    } else {
      if (tp_predicate_read(s.p, at, MEANINGS[i].text, &t, &error) != TP_OK)
        fail_msg("%s: %u: %s", MEANINGS[i].text, error.column, tp_str_text(&error.why));
      tp_value v = {0};
      assert_int_equal(tp_state_eval(run, t, &v), TP_OK);
      if ((v.bits != 0) != MEANINGS[i].is_true) fail_msg("%s is %d", MEANINGS[i].text, v.bits != 0);
    }
    tp_str_clear(&error.why);
  }
  tp_inputs_clear(&in);
  tp_state_free(run);
  clear(&s);
}

// --------------------------------------------------------------------- errors

static const struct {
  const char *text;
  uint32_t column;
  const char *why;
} ERRORS[] = {
    {"", 1, "expected an expression at the end"},
    {"minus <", 8, "expected an expression at the end"},
    {"minus minus", 7, "expected an operator or the end before 'minus'"},
    {"nobody == 1", 1, "no variable 'nobody' in main"},
    {"p->colour", 4, "struct pair has no member 'colour'"},
    {"minus->x", 8, "only a pointer to an object can be followed"},
    {"minus = 3", 7, "an expression here must not change anything"},
    {"minus++", 6, "an expression here must not change anything"},
    {"minus += 1", 7, "an expression here must not change anything"},
    {"(minus", 7, "expected ')' at the end"},
    {"numbers[1", 10, "expected ']' at the end"},
    {"rand()", 1, "no function 'rand' in the program"},
    {"object_size(minus)", 1, "object_size wants one pointer"},
    {"1 ? 2", 6, "expected ':' at the end"},
    {"p % 2", 3, "this operator is not for pointers"},
    {"&minus", 1, "the address of a variable that is kept outside of memory cannot be taken"},
    {"third(1, 2)", 1, "third wants 1 arguments, not 2"},
    {"main()", 1, "main is no predicate: it writes to memory (line 2)"},
    {"12zz", 1, "expected a number before '12zz'"}};

static void errors_have_places(void **state) {
  (void)state;
  source s = load(
      "struct pair { int x; } g; int numbers[4]; int *third(int *p) { return p + 2; }\n"
      "int main(void) { int minus = 1; struct pair *p = &g; numbers[1] = p->x;\n\n\n\n\n\n\n\n "
      "third(&numbers[minus]); return 0; }\n",
      TP_P_UNREACH_CALL);
  for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
    tp_expression_error error = {0};
    tp_term t;
    if (tp_predicate_read(s.p, end_of_main(s.p), ERRORS[i].text, &t, &error) != TP_ERR_INPUT)
      fail_msg("%s is taken", ERRORS[i].text);
    if (error.column != ERRORS[i].column || strcmp(tp_str_text(&error.why), ERRORS[i].why) != 0)
      fail_msg("%s: %u: %s", ERRORS[i].text, error.column, tp_str_text(&error.why));
    tp_str_clear(&error.why);
  }
  clear(&s);
}

// -------------------------------------------------------------------- spelling

static const char *const SPELLED[] = {"minus < 0",
                                      "minus + 3 < numbers[1]",
                                      "big < 7u",
                                      "small < 200",
                                      "sc < small",
                                      "sc == -7",
                                      "wide < (long)minus",
                                      "numbers[minus + 4] == 8",
                                      "q == NULL",
                                      "p->next == p",
                                      "p->next->cells[1] < p->cells[minus]",
                                      "object_size(p->next) == 4 * (unsigned long)(long)minus",
                                      "object_live(p) && p->inner == 3",
                                      "p != none",
                                      "(unsigned)minus / 3 == big % 5",
                                      "minus / 3 == -1",
                                      "(minus & 7) == 5 || big >> 3 == 1",
                                      "half < 0.25 || half == 2",
                                      "p->cells[minus + 3] == 4",
                                      "p->next->cells[minus] < 0",
                                      "yes && minus > 3",
                                      "(yes ? minus : sc) == 4",
                                      "p->cells == q",
                                      "&numbers[3] == q",
                                      "(long)minus * 4 + (long)object_offset(q) < 12",
                                      "global.cells[1] == *q",
                                      "-minus == ~minus"};

static void spelled_terms_read_back(void **state) {
  (void)state;
  source s = load(PROGRAM, TP_P_UNREACH_CALL);
  tp_loc at = end_of_main(s.p);
  for (size_t i = 0; i < sizeof SPELLED / sizeof *SPELLED; i++) {
    tp_expression_error error = {0};
    tp_c_value v, again;
    if (tp_expression_read(s.p, at, SPELLED[i], &v, &error) != TP_OK)
      fail_msg("%s: %s", SPELLED[i], tp_str_text(&error.why));
    tp_str text = {0};
    if (!tp_expression_print(s.p, at, v.value, &text)) {
      tp_str shown = {0};
      tp_print_c(s.p->terms, v.value, TP_C_READABLE, &shown);
      fail_msg("%s is not spelled: %s", SPELLED[i], tp_str_text(&shown));
    }
    assert_int_equal(tp_expression_read(s.p, at, tp_str_text(&text), &again, &error), TP_OK);
    assert_true(tp_term_eq(again.value, v.value));
    tp_str_clear(&text);
    tp_str_clear(&error.why);
  }
  clear(&s);
}

static void temporaries_are_not_spelled(void **state) {
  (void)state;
  source s = load("extern int nondet(void); int main(void) { return nondet() + nondet(); }",
                  TP_P_UNREACH_CALL);
  for (uint32_t i = 1; i < s.p->vars.n; i++) {
    tp_str text = {0};
    if (s.p->vars.at[i].kind == TP_V_TEMP)
      assert_false(tp_expression_print(s.p, end_of_main(s.p), s.p->vars.at[i].term, &text));
    tp_str_clear(&text);
  }
  clear(&s);
}

// --------------------------------------------------------------- pure functions

/* main draws a state and calls each function on it; `at_call` compares what it returns with its
 * term. */
static const char PURE[] =
    "extern int nondet(void); extern unsigned char nondet_uchar(void); extern void "
    "*malloc(unsigned long);\n"
    "struct queue { int head, tail; unsigned char flags; struct queue *next; int cells[3]; };\n"
    "static int ordered(struct queue *q) { return q->head <= q->tail; }\n"
    "static int linked(struct queue *q) { if (!q->next) return 0; if (q->next->head > q->head) "
    "return q->next->flags; return q->tail - 1; }\n"
    "static _Bool even(struct queue *q, int i) { int k = i & 1; if (q->flags & 4) k = !k; return i "
    ">= 0 && i < 3 && (q->cells[i] ^ k) % 2 == 0; }\n"
    "static int safe(struct queue *q, int i) { return i != 0 && q->head / i > 2 ? q->tail % i : "
    "-1; }\n"
    "static unsigned mixed(struct queue *q, unsigned char c, long w) { unsigned r = c; r = r * 3u "
    "+ (unsigned)w; if (q->head < 0) r >>= 3; return r + (unsigned)(signed char)c; }\n"
    "static int fragile(struct queue *q, int i) { return 100 / i + q->next->head; }\n"
    "int main(void) {\n"
    "  struct queue a, b; struct queue *q = &a; int i = nondet(), r; unsigned char c = "
    "nondet_uchar(); long w = nondet();\n"
    "  a.head = nondet(); a.tail = nondet(); a.flags = nondet_uchar(); a.next = nondet() & 1 ? &b "
    ": 0;\n"
    "  a.cells[0] = nondet(); a.cells[1] = nondet(); a.cells[2] = nondet(); b = a; b.head = "
    "nondet(); b.flags = nondet_uchar();\n"
    "  r = ordered(q); r = linked(q); r = even(q, i); r = safe(q, i); unsigned m = mixed(q, c, w); "
    "r = fragile(q, i);\n"
    "  return r + (int)m;\n"
    "}\n";

typedef struct {
  const tp_program *p;
  tp_value want;
  tp_func callee;
  bool is_pending, is_defined;
  uint64_t n_compared, n_undefined;
} comparer;

/* In front of a call: its value as a term, in this state. In front of the return: the value that
 * came out. */
static bool compare_edge(void *ctx, const tp_state *before, tp_edge edge) {
  comparer *c = ctx;
  const tp_edge_info *e = tp_edge_of(c->p, edge);
  if (e->kind == TP_E_CALL && tp_func_of(c->p, e->callee)->has_body) {
    tp_c_value arguments[4], v;
    tp_str why = {0};
    for (uint32_t i = 0; i < e->n_args; i++) {
      tp_type type = tp_var_of(c->p, tp_func_of(c->p, e->callee)->params[i])->type;
      arguments[i] = tp_c_value_of(c->p, tp_c_type_of(c->p, type), e->args[i]);
    }
    if (tp_pure_call(c->p, e->callee, arguments, e->n_args, &v, &why) != TP_OK)
      fail_msg("%s", tp_str_text(&why));
    tp_value defined;
    assert_int_equal(tp_state_eval(before, v.defined, &defined), TP_OK);
    c->is_defined = defined.bits != 0;
    if (c->is_defined)
      assert_int_equal(tp_state_eval(before, v.value, &c->want), TP_OK);
    else
      c->n_undefined++;
    c->callee = e->callee;
    c->is_pending = true;
    return true;
  }
  if (e->kind != TP_E_RETURN || !c->is_pending || tp_loc_of(c->p, e->from)->func.id != c->callee.id)
    return true;
  tp_value got;
  assert_int_equal(tp_state_eval(before, e->a, &got), TP_OK);
  assert_true(c->is_defined && got.bits == c->want.bits);
  c->is_pending = false;
  c->n_compared++;
  return true;
}

typedef struct {
  tp_rng rng;
} drawer;
static bool draw(void *ctx, tp_input *io) {
  drawer *d = ctx;
  uint64_t v = tp_rng_next(&d->rng);
  if (v % 3 == 0) v = (v >> 8) % 8;  // small values make branches likely
  io->bits = io->width_bits < 64 ? v & ((1ull << io->width_bits) - 1) : v;
  static const uint8_t zeros[64];
  if (io->width_bits == 0) io->bytes = zeros, io->n_bytes = io->n_bytes < 64 ? io->n_bytes : 64;
  return true;
}

static void Y03_functions_give_the_value_of_their_terms(void **state) {
  (void)state;
  source s = load(PURE, TP_P_UNREACH_CALL);
  tp_state *start = tp_state_initial(s.p);
  comparer c = {.p = s.p};
  drawer d;
  tp_rng_init(&d.rng, 7);
  for (int i = 0; i < 2000; i++) {  // six functions each: 10^4 states and more
    tp_state *run = tp_state_copy(start);
    tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &c, .edge = compare_edge};
    tp_oracle oracle = {&d, draw};
    c.is_pending = false;
    tp_run_end end = tp_exec_run(s.p, run, &oracle, (tp_run_limits){0}, &observer).end;
    assert_true(end == TP_END_EXIT ||
                ((end == TP_END_INVALID || end == TP_END_BLOCKED) && !c.is_defined));
    tp_state_free(run);
  }
  assert_true(c.n_compared >= 10000 && c.n_undefined >= 500);
  tp_state_free(start);
  clear(&s);
}

static const struct {
  const char *body, *what;
} IMPURE[] = {{"{ while (g) g--; return g; }", "has a loop"},
              {"{ for (int i = 0; i < a; i++) a += i; return a; }", "has a loop"},
              {"{ return other(a); }", "calls a function"},
              {"{ g = a; return a; }", "changes a global variable"},
              {"{ *p = a; return a; }", "writes to memory"},
              {"{ int *m = malloc(4); return m != 0; }", "allocates memory"},
              {"{ free(p); return a; }", "frees memory"},
              {"{ int b[2] = {a, a}; return b[a]; }",
               "has a variable in memory (its address is taken, or it is an array or a struct)"},
              {"{ return nondet(); }", "asks for an input"},
              {"{ return --*p; }", "writes to memory"}};

static void Y03_side_effects_are_refused_with_their_place(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof IMPURE / sizeof *IMPURE; i++) {
    tp_str text = {0};
    tp_str_printf(&text,
                  "extern int nondet(void); extern void *malloc(unsigned long); extern void "
                  "free(void *); int g, *p;\n"
                  "int other(int x) { return x; }\n"
                  "int __twoproof_probe_it(int a)\n%s\nint main(void) { return 0; }\n",
                  IMPURE[i].body);
    source s = load(tp_str_text(&text), TP_P_UNREACH_CALL);
    tp_pos where;
    const char *what = "nothing";
    tp_func f = tp_scope_function(s.p, "__twoproof_probe_it");
    if (!f.id || !tp_function_is_impure(s.p, f, &where, &what) || strcmp(what, IMPURE[i].what) != 0)
      fail_msg("%s: %s", IMPURE[i].body, what);
    assert_int_equal(where.line, 4);
    tp_str_clear(&text);
    clear(&s);
  }
}

/* Two loops with a variable of their own each, of one name. */
static void names_at_a_loop_mean_the_loops_own_variable(void **state) {
  (void)state;
  source s = load(
      "extern int nondet(void);\nint main(void) {\n  unsigned n = nondet(), sum = 0;\n"
      "  for (unsigned i = 0; i < n; i++) sum += i;\n  for (unsigned i = 0; i < sum; i++) n += "
      "i;\n  return (int)n;\n}\n",
      TP_P_UNREACH_CALL);
  int heads = 0;
  for (uint32_t l = 1; l < s.p->locs.n; l++) {
    const tp_loc_info *info = &s.p->locs.at[l];
    if (!info->is_loop_head) continue;
    tp_name_meaning m = tp_scope_find(s.p, (tp_loc){l}, "i");
    assert_int_equal(m.kind, TP_NAME_VAR);
    assert_int_equal(tp_var_of(s.p, m.var)->pos.line, info->pos.line);
    heads++;
  }
  assert_int_equal(heads, 2);
  clear(&s);
}

// ------------------------------------------------------------------------ files

typedef struct {
  const tp_program *p;
  tp_str text;
} collected;
static void collect(void *ctx, tp_loc at, tp_term term, const char *text) {
  collected *c = ctx;
  assert_true(tp_term_is(term));
  tp_predicate_write(c->p, at, text, &c->text);
}

static tp_status read_file_text(source *s, const char *text, collected *c, tp_str *said) {
  char path[] = "/tmp/spec-test-XXXXXX.pred", log[] = "/tmp/spec-test-XXXXXX.log";
  int fd = mkstemps(path, 5), out = mkstemps(log, 4);
  assert_true(fd >= 0 && out >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  TP_VEC(tp_loc) places = {0};
  for (uint32_t i = 1; i < s->p->locs.n; i++)
    if (s->p->locs.at[i].is_cutpoint) tp_vec_push(&places, (tp_loc){i});
  FILE *to = fdopen(out, "w");
  tp_diag *diag = tp_diag_new(to, false);
  tp_status st = tp_predicates_read(s->p, (tp_predicate_locations){places.at, places.n}, path, diag,
                                    (tp_predicate_sink){c, collect});
  fclose(to);
  assert_int_equal(tp_read_file(log, said), TP_OK);
  tp_diag_free(diag);
  unlink(path);
  unlink(log);
  tp_vec_clear(&places);
  return st;
}

static const char LOOPS[] =
    "extern int nondet(void);\nint total;\n"
    "static void add(int n) {\n  for (int i = 0; i < n; i++)\n    total++;\n}\n"
    "int main(void) {\n  int i = 0;\n  while (nondet()) {\n    add(i);\n    i++;\n  }\n  return "
    "0;\n}\n";

static void Y02_files_of_predicates(void **state) {
  (void)state;
  source s = load(LOOPS, TP_P_UNREACH_CALL);
  collected c = {s.p, {0}}, again = {s.p, {0}};
  tp_str said = {0};
  assert_int_equal(read_file_text(&s,
                                  "# what is asked\n*: i < total   # both have an i\n\nadd: i <= "
                                  "n\nmain@9: total == 0 || '#' == i\n",
                                  &c, &said),
                   TP_OK);
  assert_string_equal(tp_str_text(&said), "");
  assert_string_equal(
      tp_str_text(&c.text),
      "main@9: i < total\nadd@4: i < total\nadd@4: i <= n\nmain@9: total == 0 || '#' == i\n");
  assert_int_equal(read_file_text(&s, tp_str_text(&c.text), &again, &said), TP_OK);
  assert_string_equal(tp_str_text(&again.text), tp_str_text(&c.text));
  static const struct {
    const char *line, *why;
  } wrong[] = {{"i < 3\n", "expected SCOPE: EXPRESSION"},
               {"sub: i < 3\n", "no such function in the program"},
               {"main@4: i < 3\n", "no cutpoint of main there; it has some in line 9"},
               {"main@x: i\n", "expected @LINE behind the function"},
               {"main:\n", "expected an expression at the end"},
               {"main: n < 3\n", "no variable 'n' in main"},
               {"*: i <\n", "expected an expression at the end"},
               {"*: x < 1\n", "no variable 'x'"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    said.n = 0;
    assert_int_equal(read_file_text(&s, wrong[i].line, &again, &said), TP_ERR_INPUT);
    if (!strstr(tp_str_text(&said), wrong[i].why) || !strstr(tp_str_text(&said), ".pred:1:"))
      fail_msg("%s gives %s", wrong[i].line, tp_str_text(&said));
  }
  tp_str_clear(&c.text);
  tp_str_clear(&again.text);
  tp_str_clear(&said);
  clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expressions_mean_what_c_says),
      cmocka_unit_test(errors_have_places),
      cmocka_unit_test(spelled_terms_read_back),
      cmocka_unit_test(temporaries_are_not_spelled),
      cmocka_unit_test(Y03_functions_give_the_value_of_their_terms),
      cmocka_unit_test(names_at_a_loop_mean_the_loops_own_variable),
      cmocka_unit_test(Y03_side_effects_are_refused_with_their_place),
      cmocka_unit_test(Y02_files_of_predicates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The front end on small programs: what edges they become, which checks are inserted, which inputs
 * are refused.
 *
 * Each case gives C text and lines that its dump must (or must not) contain, without location
 * numbers. That the edges mean the same as the program is tested elsewhere, by running both
 * (test/features, test/fuzz). */
#include "front/front.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  const char *name;
  const char *source;
  const char *has[12];  // each on a line of its own, in this order
  const char *lacks;
  tp_property property;  // NONE: unreach-call
  tp_machine machine;
  tp_malloc_policy malloc_policy;
} dump_case;

static char folder[64];

static void in_folder(const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/%s", folder, name);
}

static void write_source(const char *name, const char *text) {
  char path[128];
  in_folder(name, path, sizeof path);
  assert_int_equal(tp_write_file(path, text, strlen(text)), TP_OK);
}

typedef struct {
  tp_status status;
  tp_program *program;
  tp_diag *diag;
  tp_str said;  // on standard error, clang's and ours
} loaded;

/* Load the files of the folder; what is said is caught. */
static loaded load(tp_front_options opt, const char *const *names, size_t n) {
  char paths[4][128], log[128];
  const char *files[4];
  for (size_t i = 0; i < n; i++) {
    in_folder(names[i], paths[i], sizeof paths[i]);
    files[i] = paths[i];
  }
  opt.files = files;
  opt.n_files = n;
  if (opt.property == TP_P_NONE) opt.property = TP_P_UNREACH_CALL;
  in_folder("messages", log, sizeof log);
  fflush(stderr);
  int before = dup(2), to = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  dup2(to, 2);
  close(to);
  loaded l = {.diag = tp_diag_new(stderr, false)};
  l.status = tp_front_load(&opt, l.diag, &l.program);
  fflush(stderr);
  dup2(before, 2);
  close(before);
  assert_int_equal(tp_read_file(log, &l.said), TP_OK);
  return l;
}

static loaded load_text(tp_front_options opt, const char *name, const char *text) {
  write_source(name, text);
  return load(opt, &name, 1);
}

static void unload(loaded *l) {
  if (l->status == TP_OK) tp_program_free(l->program);
  tp_diag_free(l->diag);
  tp_str_clear(&l->said);
}

/* The dump without what changes with unrelated edits: "  L3 -> L4: x = 1   // a.c:2" becomes "x =
 * 1". */
static void dump(const tp_program *p, tp_str *out) {
  tp_str all = {0};
  tp_program_print(p, &all);
  for (const char *line = tp_str_text(&all); *line;) {
    size_t n = strcspn(line, "\n");
    const char *colon = memchr(line, ':', n), *end = line + n;
    for (const char *c = line; c + 2 < line + n; c++)
      if (memcmp(c, "   // ", 6 < (size_t)(line + n - c) ? 6 : 2) == 0 && c[3] == '/') end = c;
    if (line[0] == ' ' && colon && colon + 2 < end)
      tp_str_add_n(out, colon + 2, (size_t)(end - colon - 2));
    else
      tp_str_add_n(out, line, (size_t)(end - line));
    tp_str_add_char(out, '\n');
    line += n + (line[n] == '\n');
  }
  tp_str_clear(&all);
}

/* Position behind `line` (a whole line) at or after `from`, NULL if there is none. */
static const char *find_line(const char *from, const char *line) {
  size_t n = strlen(line);
  for (const char *at = from; (at = strstr(at, line)) != NULL; at++)
    if ((at == from || at[-1] == '\n') && at[n] == '\n') return at + n + 1;
  return NULL;
}

static void check_case(const dump_case *c) {
  tp_front_options opt = {.property = c->property,
                          .machine = c->machine,
                          .malloc_policy = c->malloc_policy,
                          .without_models = true};
  loaded l = load_text(opt, "a.c", c->source);
  if (l.status != TP_OK)
    fail_msg("%s: %s: %s", c->name, tp_status_name(l.status), tp_str_text(&l.said));
  tp_str why = {0}, text = {0};
  if (!tp_program_check(l.program, &why)) fail_msg("%s: %s", c->name, tp_str_text(&why));
  dump(l.program, &text);
  const char *at = tp_str_text(&text);
  for (size_t i = 0; i < 12 && c->has[i]; i++) {
    const char *next = find_line(at, c->has[i]);
    if (!next)
      fail_msg("%s: no line \"%s\" (in this order) in\n%s", c->name, c->has[i], tp_str_text(&text));
    at = next;
  }
  if (c->lacks && strstr(tp_str_text(&text), c->lacks))
    fail_msg("%s: \"%s\" in\n%s", c->name, c->lacks, tp_str_text(&text));
  tp_str_clear(&why);
  tp_str_clear(&text);
  unload(&l);
}

// ------------------------------------------------------------------------ edges

#define HEAD                                                                                      \
  "extern int nondet_int(void); extern void reach_error(void); int g, h; int f(int); struct s { " \
  "int a, b; struct s *n; };\n"

static const dump_case edge_cases[] = {
    {"one edge per statement",
     HEAD "int main(void) { int x = nondet_int(), y; y = (x + g) * 2 - x; return y; }",
     {"x = nondet_int()", "y = x + g * 2", "return y"},
     "tmp",
     0,
     0,
     0},
    {"a value read before a change is saved",
     HEAD "int main(void) { int x = nondet_int(); int y = x++ + g; return x + y; }",
     {"tmp1 = x", "x = x + 1", "y = tmp1 + g"},
     NULL,
     0,
     0,
     0},
    {"a global read before a call is saved",
     HEAD "int f(int n) { g = n; return n; } int main(void) { int y = g + f(3); return y; }",
     {"tmp1 = g", "tmp2 = f(3)", "y = tmp1 + tmp2"},
     NULL,
     0,
     0,
     0},
    {"a local read before a call is not",
     HEAD "int f(int n) { g = n; return n; } int main(void) { int x = nondet_int(); int y = x + "
          "f(3); return y; }",
     {"tmp1 = f(3)", "y = x + tmp1"},
     "tmp2",
     0,
     0,
     0},
    {"who knows how a condition ends does not ask",
     HEAD "int main(void) { int x = 0; while (x < 9 && nondet_int()) x++; return x; }",
     {"assume(8 < x)", "assume(x < 9)", "tmp1 = nondet_int()"},
     "tmp2 = false",
     0,
     0,
     0},
    {"and, or without effects are expressions",
     HEAD "int main(void) { int x = nondet_int(), y = nondet_int(); int z = x > 3 && (y < 2 || g); "
          "while (x < 9 && y) x++; return z; }",
     {"z = 3 < x && (y < 2 || g != 0)", "assume(x < 9 && y != 0)"},
     "tmp",
     0,
     0,
     0},
    {"and with a call on the right branches",
     HEAD "int f(int n) { return n; } int main(void) { int x = nondet_int(); int z = x && f(x); "
          "return z; }",
     {"assume(x != 0)", "tmp2 = f(x)"},
     NULL,
     0,
     0,
     0},
    {"a conditional without effects is an expression",
     HEAD "int main(void) { int x = nondet_int(); int z = x < 0 ? -x : x; return z; }",
     {"z = x < 0 ? -x : x"},
     "assume",
     0,
     0,
     0},
    {"a conditional of two changes branches",
     HEAD "int main(void) { int x = nondet_int(); int z = x ? g++ : h--; return z; }",
     {"assume(x == 0)"},
     NULL,
     0,
     0,
     0},
    {"F02 one dereference per edge",
     HEAD "int main(void) { struct s a = {1, 2, 0}, *p = &a; a.n = p; return p->n->n->b; }",
     {"tmp1 = p->n", "tmp2 = tmp1->n", "tmp3 = tmp2->b", "return tmp3"},
     NULL,
     0,
     0,
     0},
    {"F02 conditions dereference nothing",
     HEAD
     "int main(void) { struct s a = {1, 2, 0}, *p = &a; if (p->a < p->b) return 1; return 0; }",
     {"tmp1 = p->a", "tmp2 = p->b", "assume(tmp1 < tmp2)"},
     NULL,
     0,
     0,
     0},
    {"F02 a load goes straight to the variable",
     HEAD "int main(void) { int x = 1, *p = &x, y; y = *p; return y; }",
     {"y = *p"},
     "tmp",
     0,
     0,
     0},
    {"F03 a failed assertion is an error location",
     "#include <assert.h>\nint main(void) { int x = 1; assert(x > 0); return 0; }",
     {"assume(x < 1)", "error unreach-call (assertion violated: x > 0)"},
     NULL,
     0,
     0,
     0},
    {"F03 an undeclared assert too",
     "int nondet_int(); int main() { int x = nondet_int(); assert(x == 3); return 0; }",
     {"assume(x != 3)", "error unreach-call (assertion violated)"},
     NULL,
     0,
     0,
     0},
    {"F03 the error function is not entered",
     "void reach_error(void) { for (;;); } int main(void) { reach_error(); return 0; }",
     {"error unreach-call (call of reach_error)"},
     "loop",
     0,
     0,
     0},
    {"F03 label ERROR where no function reports errors",
     "int main(void) { ERROR: return 1; }",
     {"label ERROR, error unreach-call (label ERROR reached)"},
     NULL,
     0,
     0,
     0},
    {"label ERROR means nothing beside an error function",
     HEAD "int main(void) { if (g) reach_error(); ERROR: return 1; }",
     {"return 1"},
     "label ERROR reached",
     0,
     0,
     0},
    {"F06 a call hands over values",
     HEAD "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { return f(g + 1); }",
     {"tmp1 = f(g + 1)", "return tmp1", "tmp3 = f(n - 1)", "tmp2 = tmp3 + 1", "return tmp2"},
     NULL,
     0,
     0,
     0},
    {"F06 a call through a pointer",
     "static int one(int x) { return x; } int main(void) { int (*p)(int) = one; return p(3); }",
     {"p = one", "tmp1 = (*p)(3)"},
     NULL,
     0,
     0,
     0},
    {"a local in a loop body is fresh in each turn",
     HEAD
     "int use(int *); int main(void) { for (int i = 0; i < 3; i++) { int x; use(&x); } return 0; }",
     {"&x = NULL", "end_of_scope(&x)", "&x = new_stack(4)"},
     NULL,
     0,
     0,
     0},
    {"a local that is set at once asks for no input",
     HEAD "int main(void) { int x, y = 3; struct s a = {1, 2, 0}; x = 4; return x + y + a.b; }",
     {"&a = new_stack(16, filled with 0)", "x = 4"},
     "indeterminate",
     0,
     0,
     0},
    {"a local that may be read unset asks for one",
     HEAD "int main(void) { int x; if (g) x = 1; return x; }",
     {"x = indeterminate"},
     NULL,
     0,
     0,
     0},
    {"assume and abort end the run",
     HEAD "void abort(void); void __VERIFIER_assume(int); int main(void) { int x = nondet_int(); "
          "__VERIFIER_assume(x < 5); if (x == 2) abort(); return x; }",
     {"assume(x < 5)", "assume(false)"},
     NULL,
     0,
     0,
     0},
    {"error of glibc ends the program",
     "void error(int, int, const char *, ...); int g; int main(void) { error(g, 0, \"x\"); return "
     "7; }",
     {"assume(g == 0)", "assume(g != 0)", "return 7"},
     "unreach-call",
     0,
     0,
     0},
    {"division by what may be zero is assumed possible",
     HEAD "int main(void) { unsigned x = g, y = h; return x / y + x / 3; }",
     {"assume(y != 0)"},
     "assume(3",
     0,
     0,
     0},
    {"narrow shifts",
     HEAD "int main(void) { int x = g; return x << h | x >> 2; }",
     {"assume((unsigned)h < 32)"},
     NULL,
     0,
     0,
     0},
    {"malloc may fail if so asked",
     "void *malloc(unsigned long); int main(void) { char *p = malloc(3); return p != 0; }",
     {"p = malloc(3)", "p = NULL"},
     NULL,
     0,
     0,
     TP_MALLOC_MAY_FAIL},
    {"malloc zeroed if so asked",
     "void *malloc(unsigned long); int main(void) { char *p = malloc(3); return p != 0; }",
     {"p = malloc(3, filled with 0)"},
     NULL,
     0,
     0,
     TP_MALLOC_ZEROED},
    {"malloc does not fail otherwise",
     "void *malloc(unsigned long); int main(void) { char *p = malloc(3); return p != 0; }",
     {"p = malloc(3)"},
     "p = NULL",
     0,
     0,
     TP_MALLOC_NEVER_FAILS},
    {"the data model decides sizes",
     "int main(void) { long n = sizeof(long); char *p = 0; return n + sizeof p; }",
     {"n = 4", "return n + 4"},
     NULL,
     0,
     TP_MACHINE_ILP32,
     0},
};

// ----------------------------------------------------------------------- checks

static const dump_case check_cases[] = {
    {"an unknown pointer is checked",
     HEAD "int main(void) { struct s *p = (struct s *)(unsigned long)g; p->a = 1; return 0; }",
     {"error valid-deref (invalid pointer in a write: null, out of bounds, freed, out of scope or "
      "constant)"},
     NULL,
     TP_P_VALID_DEREF,
     0,
     0},
    {"one's own variable is not",
     HEAD "int main(void) { int a[3]; a[1] = 2; return a[1]; }",
     {NULL},
     "error",
     TP_P_VALID_DEREF,
     0,
     0},
    {"its index is",
     HEAD "int main(void) { int a[3] = {0}; return a[g]; }",
     {"error valid-deref (invalid pointer in a read: null, out of bounds, freed or out of scope)"},
     NULL,
     TP_P_VALID_DEREF,
     0,
     0},
    {"a constant index too far is an error",
     HEAD "int main(void) { int a[3] = {0}; return a[3]; }",
     {"assume(true)", "assume(false)",
      "error valid-deref (invalid pointer in a read: null, out of bounds, freed or out of scope)"},
     NULL,
     TP_P_VALID_DEREF,
     0,
     0},
    {"a loop that is left by return",
     HEAD "int find(void) { for (int i = 0; i < 4; i++) if (i == g) return i; return -1; } int "
          "main(void) { return find(); }",
     {"retval = i"},
     "indeterminate",
     TP_P_VALID_DEREF,
     0,
     0},
    {"a function that is left by its end",
     HEAD "int find(void) { for (int i = 0; i < 4; i++) if (i == g) return i; } int main(void) { "
          "return find(); }",
     {"retval = indeterminate", "retval = i"},
     NULL,
     TP_P_VALID_DEREF,
     0,
     0},
    {"free",
     "void free(void *); int main(void) { int x; free(&x); return 0; }",
     {"error valid-free (free of a pointer that is not the start of a live heap object)"},
     NULL,
     TP_P_VALID_FREE,
     0,
     0},
    {"leaks",
     "int main(void) { return 0; }",
     {"error valid-memtrack (memory is neither freed nor reachable at the end of the program)"},
     NULL,
     TP_P_VALID_MEMTRACK,
     0,
     0},
    {"clean-up",
     "void exit(int); int main(void) { exit(1); }",
     {"error valid-memcleanup (memory is not freed at the end of the program)"},
     NULL,
     TP_P_VALID_MEMCLEANUP,
     0,
     0},
    {"signed addition",
     HEAD "int main(void) { return g + 1; }",
     {"assume(g == 2147483647)", "assume(g != 2147483647)",
      "error no-overflow (overflow in a signed addition)"},
     NULL,
     TP_P_NO_OVERFLOW,
     0,
     0},
    {"signed operations, each at its place",
     HEAD "int main(void) { int x = g - 2; x = x * h; x = -x; return x / g; }",
     {"error no-overflow (overflow in a signed subtraction)",
      "error no-overflow (overflow in a signed multiplication)",
      "error no-overflow (overflow in a negation)", "error no-overflow (overflow in a division)"},
     NULL,
     TP_P_NO_OVERFLOW,
     0,
     0},
    {"abs",
     "int abs(int); int g; int main(void) { return abs(g); }",
     {"error no-overflow (overflow in a negation)"},
     NULL,
     TP_P_NO_OVERFLOW,
     0,
     0},
    {"unsigned arithmetic wraps",
     "unsigned g; int main(void) { return g * 3 + 1; }",
     {NULL},
     "error",
     TP_P_NO_OVERFLOW,
     0,
     0},
    {"folded constants",
     "int main(void) { return 2147483647 + 1; }",
     {"error no-overflow (overflow in a signed addition)"},
     NULL,
     TP_P_NO_OVERFLOW,
     0,
     0},
    {"other undefined behaviour",
     HEAD "int main(void) { return g / h + (g << h); }",
     {"error undefined (overflow or division by zero)",
      "error undefined (shift amount or shifted value out of range)"},
     NULL,
     TP_P_UNDEFINED,
     0,
     0},
    {"an error function is no error of another property",
     HEAD "int main(void) { reach_error(); return 0; }",
     {"assume(false)"},
     "error no",
     TP_P_NO_OVERFLOW,
     0,
     0},
};

static void run_cases(const dump_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) check_case(&cases[i]);
}

static void F02_F03_F06_edges_of_small_programs(void **state) {
  (void)state;
  run_cases(edge_cases, sizeof edge_cases / sizeof *edge_cases);
}

static void F03_checks_of_properties(void **state) {
  (void)state;
  run_cases(check_cases, sizeof check_cases / sizeof *check_cases);
}

// ------------------------------------------------------------ names, types, places

static const tp_var_info *var_named(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].name && strcmp(p->vars.at[i].name, name) == 0) return &p->vars.at[i];
  fail_msg("no variable %s", name);
  return NULL;
}

static void variables_keep_names_types_and_places(void **state) {
  (void)state;
  static const char source[] =
      "typedef struct list { struct list *next; unsigned char key[4]; } list;\n"
      "static unsigned long long total = 7;\n"
      "int len(const list *l, _Bool all) {\n"
      "  int n = 0;\n"
      "  for (; l; l = l->next) { int n = 1; total += n; }\n"
      "  return all ? n : 0;\n"
      "}\n"
      "int main(void) { list a = {0}; return len(&a, 1); }\n";
  loaded l = load_text((tp_front_options){.without_models = true}, "names.c", source);
  assert_int_equal(l.status, TP_OK);
  const tp_program *p = l.program;
  const tp_var_info *total = var_named(p, "total"), *all = var_named(p, "all"),
                    *list = var_named(p, "l"), *a = var_named(p, "a");
  assert_int_equal(total->kind, TP_V_GLOBAL);
  assert_string_equal(tp_type_of(p, total->type)->name, "unsigned long long");
  uint64_t value = 0;
  assert_true(tp_bv_value_u64(p->terms, total->initial, &value) && value == 7);
  assert_int_equal(total->pos.line, 2);
  assert_int_equal(all->kind, TP_V_PARAM);
  assert_int_equal(tp_type_of(p, all->type)->kind, TP_T_BOOL);
  assert_int_equal(tp_sort_kind_of(p->terms, tp_sort_of(p->terms, all->term)), TP_SORT_BOOL);
  const tp_type_info *pointer = tp_type_of(p, list->type),
                     *element = tp_type_of(p, pointer->element);
  assert_int_equal(pointer->kind, TP_T_POINTER);
  assert_string_equal(element->name, "list");
  assert_int_equal(element->n_members, 2);
  assert_int_equal(element->size_bytes, 16);
  assert_string_equal(element->members[1].name, "key");
  assert_int_equal(element->members[1].offset_bits, 64);
  assert_string_equal(tp_type_of(p, element->members[1].type)->name, "unsigned char[4]");
  assert_int_equal(tp_type_of(p, tp_type_of(p, element->members[0].type)->element)->n_members, 2);
  assert_true(a->is_address);
  assert_int_equal(a->pos.line, 8);
  assert_int_equal(a->pos.column, 23);
  size_t n = 0;
  for (size_t i = 1; i < p->vars.n; i++)
    if (strcmp(p->vars.at[i].name, "n") == 0) n += p->vars.at[i].pos.line;
  assert_int_equal(n, 4 + 5);  // two variables of this name, each at its place
  unload(&l);
}

/* Every edge that does something has a position. */
static void edges_have_positions(void **state) {
  (void)state;
  loaded l = load_text((tp_front_options){.without_models = true}, "places.c",
                       "int nondet_int(void);\nint main(void) {\n  int x = nondet_int();\n  while "
                       "(x > 3)\n    x--;\n  return x;\n}\n");
  assert_int_equal(l.status, TP_OK);
  unsigned seen = 0;
  for (size_t i = 1; i < l.program->edges.n; i++) {
    tp_pos pos = l.program->edges.at[i].pos;
    assert_true(tp_pos_known(pos));
    seen |= 1u << pos.line;
  }
  assert_int_equal(seen & 0x78, 0x78);  // lines 3 to 6
  unload(&l);
}

// ------------------------------------------------------------------- what is read

static void several_units_are_one_program(void **state) {
  (void)state;
  write_source("one.c",
               "int shared(void); static int n = 1; int main(void) { n = shared(); return n; }");
  write_source("two.c", "static int n = 2; int shared(void) { return n++; }");
  const char *const names[] = {"one.c", "two.c"};
  loaded l = load((tp_front_options){.without_models = true}, names, 2);
  assert_int_equal(l.status, TP_OK);
  size_t with_body = 0;
  for (size_t i = 1; i < l.program->funcs.n; i++) with_body += l.program->funcs.at[i].has_body;
  assert_int_equal(with_body, 2);
  unload(&l);
}

static void definitions_that_clash_are_refused(void **state) {
  (void)state;
  write_source("one.c", "int f(void) { return 1; } int main(void) { return f(); }");
  write_source("two.c", "int f(void) { return 2; }");
  const char *const names[] = {"one.c", "two.c"};
  loaded l = load((tp_front_options){.without_models = true}, names, 2);
  assert_int_equal(l.status, TP_ERR_INPUT);
  assert_non_null(strstr(tp_str_text(&l.said), " is defined in "));
  unload(&l);
}

/* Programs that clang refuses at first and that a further attempt reads. */
static void old_dialects_are_rescued(void **state) {
  (void)state;
  static const char *const sources[][2] = {
      {"a.i",
       "extern void *malloc(unsigned long) __attribute__((__malloc__(free, 1)));\nint main(void) { "
       "return 0; }"},
      {"a.i",
       "long __builtin_expect(long x, long y);\nint main(void) { return __builtin_expect(3, 3) != "
       "3; }"},
      {"a.c",
       "char *index(int a, int b) { return 0; }\nint main(void) { return index(1, 2) != 0; }"},
      {"a.c", "main() { return undeclared_before_use(3); } undeclared_before_use(x) { return x; }"},
      {"plain", "int main(void) { return 0; }"}};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    loaded l = load_text((tp_front_options){.without_models = true}, sources[i][0], sources[i][1]);
    if (l.status != TP_OK) fail_msg("%s: %s", sources[i][1], tp_str_text(&l.said));
    assert_string_equal(tp_str_text(&l.said), "");
    unload(&l);
  }
}

static void bad_input_is_refused_with_a_reason(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"a.c", "int main(void) { return x; }", "undeclared identifier 'x'"},
      {"a.c", "int f(void) { return 0; }", "no function main"},
      {"a.c", "", "no function main"},
      {"a.c", "#include \"missing.h\"\n", "'missing.h' file not found"},
      {"a.i",
       "\x7f"
       "ELF\x01\x02",
       "error"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    loaded l = load_text((tp_front_options){0}, cases[i][0], cases[i][1]);
    assert_int_equal(l.status, TP_ERR_INPUT);
    if (!strstr(tp_str_text(&l.said), cases[i][2]))
      fail_msg("\"%s\" is not said in: %s", cases[i][2], tp_str_text(&l.said));
    unload(&l);
  }
  const char *const missing[] = {"nowhere.c"};
  loaded l = load((tp_front_options){0}, missing, 1);
  assert_int_equal(l.status, TP_ERR_INPUT);
  assert_non_null(strstr(tp_str_text(&l.said), "no such file"));
  unload(&l);
  l = load_text((tp_front_options){.clang = "/nowhere/clang"}, "a.c",
                "int main(void) { return 0; }");
  assert_int_equal(l.status, TP_ERR_SYSTEM);
  assert_non_null(strstr(tp_str_text(&l.said), "cannot run /nowhere/clang"));
  unload(&l);
}

static void users_arguments_reach_clang(void **state) {
  (void)state;
  const char *const defines[] = {"-DVALUE=41", "-DNAME=main"};
  loaded l = load_text(
      (tp_front_options){.clang_args = defines, .n_clang_args = 2, .without_models = true}, "a.c",
      "int NAME(void) { return VALUE + 1; }");
  assert_int_equal(l.status, TP_OK);
  tp_str text = {0};
  dump(l.program, &text);
  assert_non_null(find_line(tp_str_text(&text), "return 42"));
  tp_str_clear(&text);
  unload(&l);
  tp_arena arena = {0};
  const char *const *args = tp_front_clang_args(
      &(tp_front_options){.clang_args = defines, .n_clang_args = 2}, "x.c", &arena);
  bool found = false;
  size_t n = 0;
  for (; args[n]; n++) found |= strcmp(args[n], "-DVALUE=41") == 0;
  assert_true(found);
  assert_string_equal(args[n - 1], "x.c");
  tp_arena_clear(&arena);
}

/* What is not modelled is named with its place, and only what main reaches. */
static void unsupported_constructs_are_named(void **state) {
  (void)state;
  loaded l = load_text(
      (tp_front_options){.without_models = true}, "a.c",
      "int never(void) { int x; __asm__(\"nop\" : \"=r\"(x)); return x; }\n"
      "int main(int argc, char **argv) {\n  _Complex double d = 1;\n  if (argc > 2)\n    d = "
      "d * d;\n  __asm__ volatile(\"\" ::: \"memory\");\n  return d == 1;\n}\n");
  assert_int_equal(l.status, TP_OK);
  assert_int_equal(l.program->unsupported.n, 2);
  const tp_unsupported *u = &l.program->unsupported.at[1];
  assert_string_equal(u->what, "product or quotient of _Complex");
  assert_int_equal(u->pos.line, 5);
  assert_true(tp_loc_of(l.program, u->loc)->is_unsupported);
  unload(&l);
}

static void a_program_keeps_its_own_library_functions(void **state) {
  (void)state;
  loaded l = load_text(
      (tp_front_options){0}, "a.c",
      "int abs(int x) { return x + 1; }\nunsigned long strlen(const char *s) { return 5; }\n"
      "int main(void) { return abs(2) + (int)strlen(\"x\"); }");
  assert_int_equal(l.status, TP_OK);
  tp_str text = {0};
  dump(l.program, &text);
  assert_non_null(find_line(tp_str_text(&text), "return x + 1"));
  assert_non_null(find_line(tp_str_text(&text), "return 5"));
  for (size_t i = 1; i < l.program->funcs.n; i++) assert_false(l.program->funcs.at[i].is_model);
  tp_str_clear(&text);
  unload(&l);
}

static void missing_library_functions_get_models(void **state) {
  (void)state;
  loaded l = load_text(
      (tp_front_options){0}, "a.c",
      "#include <string.h>\nint main(int argc, char **argv) { return (int)strlen(argv[0]); }");
  assert_int_equal(l.status, TP_OK);
  bool found = false;
  for (size_t i = 1; i < l.program->funcs.n; i++) {
    const tp_func_info *f = &l.program->funcs.at[i];
    if (strcmp(f->name, "strlen") == 0) found = f->is_model && f->has_body;
  }
  assert_true(found);
  unload(&l);
}

static void externals_are_inputs_and_named(void **state) {
  (void)state;
  loaded l =
      load_text((tp_front_options){.without_models = true}, "a.c",
                "int other(const int *); void change(int *); short __VERIFIER_nondet_short(void);\n"
                "int main(void) { int x = 0; short s = __VERIFIER_nondet_short(); change(&x); "
                "return other(&x) + s; }");
  assert_int_equal(l.status, TP_OK);
  unsigned nondet = 0, external = 0, writes = 0;
  for (size_t i = 1; i < l.program->edges.n; i++) {
    const tp_edge_info *e = &l.program->edges.at[i];
    nondet += e->kind == TP_E_HAVOC && e->input == TP_I_NONDET;
    external += e->kind == TP_E_HAVOC && e->input == TP_I_EXTERN && !e->may_write;
    writes += e->kind == TP_E_HAVOC_MEMORY && e->input == TP_I_EXTERN && e->may_write;
  }
  assert_int_equal(nondet, 1);
  assert_int_equal(external, 1);
  assert_int_equal(writes, 1);
  bool said = false;
  for (size_t i = 0; i < l.program->assumptions.n; i++)
    said |= l.program->assumptions.at[i] &&
            strstr(l.program->assumptions.at[i], "function other has no body") != NULL;
  assert_true(said);
  unload(&l);
}

/* Nesting and length of the input must not exhaust the stack. */
static void deep_and_long_programs_are_read(void **state) {
  (void)state;
  tp_str s = {0};
  tp_str_add(&s, "int nondet_int(void);\nint main(void) {\n  int x = nondet_int(), y = 0;\n");
  for (int i = 0; i < 3000; i++)
    tp_str_printf(&s, "  %sif (x == %d) y += %d;\n", i ? "else " : "", i, i % 7);
  tp_str_add(&s, "  y = x");
  for (int i = 0; i < 2000; i++) tp_str_add(&s, " && x");
  tp_str_add(&s, ";\n  y = ");
  for (int i = 0; i < 1500; i++) tp_str_add(&s, "(1 + ");
  tp_str_add(&s, "x");
  for (int i = 0; i < 1500; i++) tp_str_add(&s, ")");
  tp_str_add(&s, ";\n  return y;\n}\n");
  loaded l = load_text((tp_front_options){.without_models = true}, "deep.c", tp_str_text(&s));
  if (l.status != TP_OK) fail_msg("%.500s", tp_str_text(&l.said));
  tp_str why = {0};
  assert_true(tp_program_check(l.program, &why));
  tp_str_clear(&why);
  tp_str_clear(&s);
  unload(&l);
}

static void nothing_is_left_behind(void **state) {
  (void)state;
  size_t before = tp_live_bytes();
  loaded l = load_text((tp_front_options){.property = TP_P_VALID_MEMSAFETY}, "a.c",
                       "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *p = "
                       "malloc(4); sprintf(p, \"%d\", 12); free(p); return 0; }");
  assert_int_equal(l.status, TP_OK);
  unload(&l);
  assert_int_equal(tp_live_bytes(), before);
  l = load_text((tp_front_options){0}, "a.c", "int main(void) { return nowhere; }");
  unload(&l);
  assert_int_equal(tp_live_bytes(), before);
}

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/front_test.XXXXXX");
  return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"a.c",   "a.i",   "plain",  "names.c", "places.c",
                                      "one.c", "two.c", "deep.c", "messages"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    in_folder(names[i], path, sizeof path);
    (void)unlink(path);
  }
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F02_F03_F06_edges_of_small_programs),
                                     cmocka_unit_test(F03_checks_of_properties),
                                     cmocka_unit_test(variables_keep_names_types_and_places),
                                     cmocka_unit_test(edges_have_positions),
                                     cmocka_unit_test(several_units_are_one_program),
                                     cmocka_unit_test(definitions_that_clash_are_refused),
                                     cmocka_unit_test(old_dialects_are_rescued),
                                     cmocka_unit_test(bad_input_is_refused_with_a_reason),
                                     cmocka_unit_test(users_arguments_reach_clang),
                                     cmocka_unit_test(unsupported_constructs_are_named),
                                     cmocka_unit_test(a_program_keeps_its_own_library_functions),
                                     cmocka_unit_test(missing_library_functions_get_models),
                                     cmocka_unit_test(externals_are_inputs_and_named),
                                     cmocka_unit_test(deep_and_long_programs_are_read),
                                     cmocka_unit_test(nothing_is_left_behind)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

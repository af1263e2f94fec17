/* Contracts that come with the tool: all are understood and lowered; each can be met; what they say
 * of their functions follows from them, and what they do not say does not (row K26). */
#include "contracts/spec/testing.h"

#include "front/clang.h"
#include "contracts/spec/contract_library.h"
#include "expression/scope.h"
#include "contracts/spec/vacuity.h"

const char TESTED_PROGRAM[] =
    "#include \"tp_list.h\"\n#include \"tp_map.h\"\n#include \"tp_set.h\"\n"
    "typedef unsigned long size;\n"
    "int use(struct tp_set *s, struct tp_set *q, struct tp_map *m, struct tp_list *l, struct "
    "tp_list *k, void *x, void *y, int i) {\n"
    "  s = tp_set_new(); tp_set_free(q); i += tp_set_add(s, x) + tp_set_remove(s, x) + "
    "tp_set_has(s, x) + tp_set_size(s) + (tp_set_any(s) == y);\n"
    "  tp_set_clear(s); tp_set_unite(s, q); tp_set_intersect(s, q); tp_set_subtract(s, q); i += "
    "tp_set_is_within(s, q);\n"
    "  m = tp_map_new(); i += (tp_map_put(m, x, y) == x) + (tp_map_get(m, x) == x) + "
    "(tp_map_remove(m, x) == x);\n"
    "  i += tp_map_has_key(m, x) + tp_map_has_value(m, y) + tp_map_size(m); tp_map_clear(m); s = "
    "tp_map_keys(m); q = tp_map_values(m); tp_map_free(m);\n"
    "  l = tp_list_new(); tp_list_append(l, x); tp_list_insert(l, i, y); i += tp_list_length(l) + "
    "(tp_list_get(l, i) == x) + (tp_list_set(l, i, y) == x);\n"
    "  i += (tp_list_remove(l, i) == x) + tp_list_find(l, x) + tp_list_has(l, x); "
    "tp_list_append_all(l, k); s = tp_list_members(k);\n"
    "  tp_list_clear(l); tp_list_free(k); return i; }\n"
    // functions of the C library, as it declares them; what they do plays no part
    "void *malloc(size n) { return 0; } void *calloc(size n, size m) { return 0; } void free(void "
    "*p) {} void *realloc(void *p, size n) { return p; }\n"
    "void *memcpy(void *to, const void *from, size n) { return to; } void *memmove(void *to, const "
    "void *from, size n) { return to; }\n"
    "void *memset(void *to, int c, size n) { return to; } int memcmp(const void *a, const void *b, "
    "size n) { return 0; }\n"
    "void qsort(void *b, size n, size m, int (*f)(const void *, const void *)) {}\n"
    "size strlen(const char *s) { return 0; } size strnlen(const char *s, size n) { return 0; } "
    "int strcmp(const char *a, const char *b) { return 0; }\n"
    "int strncmp(const char *a, const char *b, size n) { return 0; } char *strcpy(char *to, const "
    "char *from) { return to; } char *strdup(const char *s) { return 0; }\n"
    "int abs(int n) { return n; } long labs(long n) { return n; } int atoi(const char *s) { return "
    "*s; } int rand(void) { return 4; }\n"
    "int isdigit(int c) { return c; } int isupper(int c) { return c; } int islower(int c) { return "
    "c; } int isalpha(int c) { return c; } int isspace(int c) { return c; }\n"
    "int toupper(int c) { return c; } int tolower(int c) { return c; } void exit(int n) { for "
    "(;;); } void abort(void) { for (;;); }\n";

static tp_str preprocessed;

static int set_up_library(void **state) {
  if (set_up(state)) return -1;
  const world *w = *state;
  const char *files[] = {w->path};
  const tp_front_options front = tested_program(files);
  tp_str messages = {0};
  const tp_status status = tp_clang_preprocess(&front, w->path, &preprocessed, &messages);
  tp_str_clear(&messages);
  return status != TP_OK;
}

static int tear_down_library(void **state) {
  tp_str_clear(&preprocessed);
  return tear_down(state);
}

/* All contracts of lib/spec, and some more. */
static void read_library(world *w, reading *r, const char *more) {
  tp_str library = {0};
  forget(w);
  assert_int_equal(tp_read_file("lib/spec/libc.contracts", &library), TP_OK);
  tp_clauses_init(&r->clauses, w->diag);
  tp_clauses_read_c(&r->clauses, w->path, preprocessed.text);
  tp_clauses_read_file(&r->clauses, "libc.contracts", library.text);
  tp_clauses_read_file(&r->clauses, "more", more);
  tp_contracts_init(&r->m, &w->u, &r->clauses);
  if (*said(w)) fail_msg("%s", said(w));
  assert_int_equal(r->m.n_absent, 0);
  tp_str_clear(&library);
}

static bool is_about_characters(const char *function) {
  return strncmp(function, "is", 2) == 0 || strncmp(function, "to", 2) == 0;
}

/* Two objects of what the function is about, one of other types; functions on characters need
 * integers that hold them. */
static tp_state_scope size_for(const reading *r, const char *function) {
  static uint32_t n[64];
  const tp_object_model *u = r->m.object_model;
  assert_true(u->basics.n <= 64);
  for (uint32_t b = 0; b < u->basics.n; b++) {
    const char *name = u->basics.at[b].name;
    n[b] =
        1 + (strncmp(name, "struct ", 7) == 0 ? strncmp(name + 7, function, strlen(name + 7)) == 0
                                              : strncmp(function, "str", 3) == 0);
    if (strcmp(name, "struct tp_list") == 0 && !strstr(function, "append_all")) n[b] = 1;
  }
  return (tp_state_scope){.width_bits = is_about_characters(function)          ? 8
                                        : strncmp(function, "tp_list", 7) == 0 ? 3
                                                                               : 4,
                          .n_objects = n};
}

static tp_vacuity_answer ask(reading *r, const tp_function_contract *c, tp_vacuity_query q) {
  tp_vacuity_result result;
  tp_vacuity_find_state(&r->m, q, c, 0, size_for(r, c->name), &result);
  const tp_vacuity_answer answer = result.answer;
  if (answer == TP_VACUITY_UNKNOWN) fail_msg("%s: %s", c->name, tp_str_text(&result.text));
  tp_vacuity_result_clear(&result);
  return answer;
}

static void check_lowering(reading *r, const tp_function_contract *c) {
  tp_rel *l = tp_rel_new();
  tp_bounded_states *small = tp_bounded_states_new(&r->m, l, size_for(r, c->name));
  tp_lowering *w = tp_lowering_new(&r->m, l, tp_bounded_states_relations(small));
  const bool ok = tp_lower_requires(w, c).id && tp_lower_ensures(w, c).id &&
                  tp_lower_frame(w, c).id && tp_lower_invariants(w, TP_POST_STATE).id;
  if (!ok || tp_lowering_error(w)) fail_msg("%s: %s", c->name, tp_lowering_error(w));
  tp_lowering_free(w);
  tp_bounded_states_free(small);
  tp_rel_free(l);
}

static void test_K26_contracts_of_libraries(void **state) {
  world *w = *state;
  reading r;
  read_library(w, &r, "");
  assert_int_equal(r.m.of_functions.n, 13 + 11 + 14 + 26);
  for (size_t i = 0; i < r.m.of_functions.n; i++) {
    const tp_function_contract *c = r.m.of_functions.at[i];
    check_lowering(&r, c);
    if (is_about_characters(c->name))
      continue;  // nothing is asked of them, and the solver is busy with such numbers
    const bool ends = strcmp(c->name, "exit") == 0 || strcmp(c->name, "abort") == 0;
    if (ask(&r, c, TP_VACUITY_CALL) != TP_VACUITY_FOUND)
      fail_msg("%s can never be called", c->name);
    if (ask(&r, c, TP_VACUITY_RETURN) != (ends ? TP_VACUITY_NONE : TP_VACUITY_FOUND))
      fail_msg("%s %s", c->name, ends ? "returns" : "never returns");
  }
  end(&r);
}

static const struct {
  const char *function, *claim;
  bool follows;
} claims[] = {
    {"tp_set_add(s, x)", "x in s.contains' and s.contains in s.contains'", true},
    {"tp_set_add(s, x)", "#s.contains' > #s.contains", false},
    {"tp_set_add(s, x)", "\\result => #s.contains' = #s.contains + 1", true},
    {"tp_set_add(s, x)",
     "all o : struct tp_set & \\alloc & \\alloc' - s | o.contains' = o.contains", true},
    {"tp_set_remove(s, x)", "x !in s.contains'", true},
    {"tp_set_remove(s, x)", "s.contains' != s.contains", false},
    {"tp_set_has(s, x)", "s.contains' = s.contains and \\alloc' = \\alloc", true},
    {"tp_set_new", "\\result != null => #\\alloc' > #\\alloc and no \\result.contains'", true},
    {"tp_set_new", "all o : struct tp_set & \\alloc | o.contains' = o.contains", true},
    {"tp_set_new", "\\result != null", false},
    {"tp_set_free(s)", "s !in \\alloc'", true},
    {"tp_set_intersect(to, from)", "to.contains' in from.contains", true},
    {"tp_set_subtract(to, from)", "to = from => no to.contains'", true},
    {"tp_set_unite(to, from)", "from.contains' = to.contains'", false},
    {"tp_set_any(s)", "\\result = null => tp_set::contains' = tp_set::contains and no s.contains",
     true},
    {"tp_map_put(m, key, value)", "m.entries'[key] = value", true},
    {"tp_map_put(m, key, value)", "all k : object - key | m.entries'[k] = m.entries[k]", true},
    {"tp_map_put(m, key, value)", "#m.entries' > #m.entries", false},
    {"tp_map_remove(m, key)", "no m.entries'[key] and m.entries' in m.entries", true},
    {"tp_map_get(m, key)", "\\result = null <=> no m.entries[key]", true},
    {"tp_map_keys(m)",
     "\\result != null => all k : object | k in \\result.contains' <=> some m.entries'[k]", true},
    {"tp_map_values(m)", "\\result != null => #\\result.contains' = #m.entries", false},
    {"tp_list_append(l, x)", "#l.items' = #l.items + 1 and x in univ.(l.items')", true},
    {"tp_list_insert(l, i, x)", "#l.items' = #l.items + 1 and x in univ.(l.items')", true},
    {"tp_list_insert(l, i, x)", "l.items'[0] = x", false},
    {"tp_list_remove(l, i)",
     "all k : int | k >= i and k < #l.items' => l.items'[k] = l.items[k + 1]", true},
    {"tp_list_remove(l, i)", "\\result !in univ.(l.items')", false},
    {"tp_list_set(l, i, x)", "#l.items' = #l.items", true},
    {"tp_list_find(l, x)", "\\result >= -1 and (\\result >= 0 => l.items[\\result] = x)", true},
    {"tp_list_find(l, x)", "\\result >= 0", false},
    {"tp_list_append_all(to, from)", "univ.(to.items') = univ.(to.items) + univ.(from.items)",
     true},
    {"strlen(s)", "(\\result = 0 <=> s[0] = 0) and (s[1] = 0 => \\result <= 1)", true},
    {"strlen(s)", "\\result < 2", false},
    {"strnlen(s, most)", "s[0] = 0 and most > 0 => \\result = 0", true},
    {"strcmp(a, b)", "(a = b => \\result = 0) and (\\result = 0 and a[0] != 0 => a[1] = b[1])",
     true},
    {"strcmp(a, b)", "a[0] = b[0] => \\result = 0", false},
    {"strncmp(a, b, most)",
     "(most = 0 => \\result = 0) and (\\result = 0 and most > 0 and some a[0] + b[0] => a[0] = "
     "b[0])",
     true},
    {"strcpy(to, from)",
     "to[0]' = from[0] and (from[0] = 0 => to[1]' = to[1]) and all k : int | from[k]' = from[k]",
     true},
    {"strcpy(to, from)", "to.\\elements' = from.\\elements", false},
    {"strdup(s)", "\\result != null => \\result[0]' = s[0] and \\result != s", true},
    {"malloc(n)", "\\result = null or \\result !in \\alloc", true},
    {"calloc(n, m)", "\\result != null", false},
    {"free(p)", "p !in \\alloc' and \\alloc - p in \\alloc'", true},
    {"realloc(p, n)", "\\alloc - p in \\alloc'", true},
    {"realloc(p, n)", "\\result = p", false},
    {"memset(to, value, n)",
     "all o : struct tp_set & \\alloc - to | o.contains' = o.contains and o.implementation' = "
     "o.implementation",
     true},
    {"memset(to, value, n)",
     "all o : struct tp_set & \\alloc | o.implementation' = o.implementation", false},
    {"qsort(base, n, size, compare)", "\\alloc' = \\alloc", true},
    {"abs(n)", "\\result >= 0 and (\\result = n or \\result = -n)", true},
    {"isdigit(c)", "(c = 48 or c = 57 => \\result) and (\\result => c > 47 and c < 58)", true},
    {"isspace(c)", "c = 10 or c = 32 => \\result", true},
    {"toupper(c)", "\\result != 97 and (c = 97 => \\result = 65)", true},
};

/* A claim follows if its contrary, added to what is ensured, leaves no way to return. */
static void test_K26_what_follows_from_libraries(void **state) {
  world *w = *state;
  for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
    reading r;
    tp_str more = {0};
    tp_str_printf(&more, "function %s { ensures not (%s) }", claims[i].function, claims[i].claim);
    read_library(w, &r, more.text);
    const size_t n = strcspn(claims[i].function, "(");
    const tp_function_contract *c = NULL;
    for (size_t k = 0; k < r.m.of_functions.n; k++)
      if (strlen(r.m.of_functions.at[k]->name) == n &&
          strncmp(r.m.of_functions.at[k]->name, claims[i].function, n) == 0)
        c = r.m.of_functions.at[k];
    assert_non_null(c);
    const bool follows = ask(&r, c, TP_VACUITY_RETURN) == TP_VACUITY_NONE;
    if (follows != claims[i].follows)
      fail_msg("%s: '%s' %s", claims[i].function, claims[i].claim,
               follows ? "follows" : "does not follow");
    tp_str_clear(&more);
    end(&r);
  }
}

/* For calls of functions that a program does not define: not for those that it does, nor where the
 * user says something. */
static void test_K26_libraries_stand_back(void **state) {
  world *w = *state;
  tp_clauses c;
  tp_contracts m;
  forget(w);
  tp_clauses_init(&c, w->diag);
  assert_int_equal(tp_contract_library_read(&c), TP_OK);
  tp_contracts_init(&m, &w->u, &c);
  assert_int_equal(m.of_functions.n, 0);
  tp_contracts_clear(&m);
  w->p->funcs.at[tp_scope_function(w->p, "strlen").id].is_model = true;
  w->p->funcs.at[tp_scope_function(w->p, "strcmp").id].is_model = true;
  tp_clauses_read_file(&c, "t", "function strcmp { modifies none }");
  tp_contracts_init(&m, &w->u, &c);
  assert_int_equal(m.of_functions.n, 2);
  assert_string_equal(m.of_functions.at[0]->name, "strcmp");
  assert_false(m.of_functions.at[0]->is_library);
  assert_int_equal(m.of_functions.at[0]->clauses.n, 1);
  assert_string_equal(m.of_functions.at[1]->name, "strlen");
  assert_true(m.of_functions.at[1]->is_library);
  assert_int_equal(m.of_functions.at[1]->clauses.n, 4);
  tp_contracts_clear(&m);
  // declared otherwise than the library thinks: nothing of it counts, nothing is said
  w->p->funcs.at[tp_scope_function(w->p, "strlen").id].type =
      w->p->funcs.at[tp_scope_function(w->p, "abs").id].type;
  tp_contracts_init(&m, &w->u, &c);
  assert_int_equal(m.of_functions.n, 1);
  assert_int_equal(m.all.n, 1);
  assert_int_equal(c.n_wrong, 0);
  assert_string_equal(said(w), "");
  tp_contracts_clear(&m);
  tp_clauses_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K26_contracts_of_libraries),
                                     cmocka_unit_test(test_K26_what_follows_from_libraries),
                                     cmocka_unit_test(test_K26_libraries_stand_back)};
  return cmocka_run_group_tests(tests, set_up_library, tear_down_library);
}

/* Differential tests on random terms: as written against normalised, C compiled by the
 * compiler against tp_eval. A few hundred of each; TP_SOAK=1 makes it ten thousand. */
#include "term/term.h"

#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct {
  tp_random *r;
  tp_value values[64];  // by index of variable
  tp_arena *arena;
} world;

static bool value_of(void *ctx, tp_term v, tp_value *out) {
  world *w = ctx;
  *out = w->values[tp_var_index(w->r->tt, v)];
  return true;
}
static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx;
  return object * UINT64_C(0x10010);
}
static void draw(world *w) {
  const tp_terms *tt = w->r->tt;
  for (uint32_t i = 0; i < tp_n_vars(tt); i++)
    w->values[i] = tp_random_value(w->r, tp_sort_of(tt, tp_var_by_index(tt, i)), w->arena);
}
static tp_value eval(world *w, tp_term t) {
  tp_env env = {w, value_of, base_of, NULL};
  tp_value v;
  assert_int_equal(tp_eval(w->r->tt, t, &env, w->arena, &v), TP_OK);
  return v;
}

static int rounds(int quick) { return getenv("TP_SOAK") ? 10000 : quick; }

static void show(tp_random *r, const char *what, tp_term t) {
  tp_str s = {0};
  tp_print_c(r->tt, t, TP_C_READABLE, &s);
  print_error("%s: %s\n", what, tp_str_text(&s));
  tp_str_clear(&s);
}

static void normal_form_has_the_same_value(uint32_t width, unsigned sorts, int n, uint64_t seed) {
  for (int i = 0; i < n; i++) {
    tp_terms *tt = tp_terms_new(width == 32 ? 32 : 64);
    tp_arena arena = {0};
    tp_random r;
    tp_random_init(&r, tt, seed + (uint64_t)i, width, sorts);
    world w = {.r = &r, .arena = &arena};
    tp_term raw, normal;
    tp_random_term(&r, 4 + (uint32_t)(i % 60), &raw, &normal);
    for (int k = 0; k < 10; k++) {
      draw(&w);
      tp_value a = eval(&w, raw), b = eval(&w, normal);
      if (tp_value_eq(tt, tp_sort_of(tt, raw), a, b)) continue;
      show(&r, "as written", raw);
      show(&r, "normalised", normal);
      fail_msg("width %u, seed %llu: values differ", width,
               (unsigned long long)(seed + (uint64_t)i));
    }
    tp_arena_clear(&arena);
    tp_terms_free(tt);
  }
}

static void rewriting_keeps_values_1(void **s) {
  (void)s, normal_form_has_the_same_value(1, TP_RANDOM_ARRAYS, rounds(2500), 1000);
}
static void rewriting_keeps_values_4(void **s) {
  (void)s, normal_form_has_the_same_value(4, TP_RANDOM_ARRAYS, rounds(2500), 2000000);
}
static void rewriting_keeps_values_8(void **s) {
  (void)s,
      normal_form_has_the_same_value(8, TP_RANDOM_FLOATS | TP_RANDOM_ARRAYS, rounds(2000), 3000000);
}
static void rewriting_keeps_values_32(void **s) {
  (void)s, normal_form_has_the_same_value(32, TP_RANDOM_FLOATS | TP_RANDOM_POINTERS, rounds(1500),
                                          4000000);
}
static void rewriting_keeps_values_64(void **s) {
  (void)s, normal_form_has_the_same_value(64, TP_RANDOM_POINTERS | TP_RANDOM_ARRAYS, rounds(1500),
                                          5000000);
}

// ------------------------------------------------------------------ compiled C

static const char *c_type(const tp_terms *tt, tp_sort s) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_PTR: return "tp_ptr";
    case TP_SORT_FP: return tp_sort_width(tt, s) == 32 ? "float" : "double";
    case TP_SORT_BOOL: return "int";
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return "tp_w128";
}

/* A function that sets the variables, evaluates t and prints its value. */
static void write_case(world *w, tp_term t, int number, tp_str *out) {
  const tp_terms *tt = w->r->tt;
  tp_sort s = tp_sort_of(tt, t);
  tp_str_printf(out, "static void test%d(void) {\n", number);
  for (uint32_t i = 0; i < tp_n_vars(tt); i++) {
    tp_term v = tp_var_by_index(tt, i);
    tp_sort vs = tp_sort_of(tt, v);
    unsigned long long low = (unsigned long long)w->values[i].bits,
                       high = (unsigned long long)(w->values[i].bits >> 64);
    tp_str_printf(out, "  %s %s = ", c_type(tt, vs), tp_var_name(tt, v));
    switch (tp_sort_kind_of(tt, vs)) {
      case TP_SORT_FP:
        tp_str_printf(out, tp_sort_width(tt, vs) == 32 ? "tp_float(%lluu)" : "tp_double(%lluull)",
                      low);
        break;
      case TP_SORT_PTR: tp_str_printf(out, "{%uu, %lluull}", w->values[i].object, low); break;
      case TP_SORT_BOOL:
      case TP_SORT_BV:
      case TP_SORT_ARRAY:
      case TP_SORT_INT: tp_str_printf(out, "(tp_w128)%lluull << 64 | %lluull", high, low); break;
    }
    tp_str_printf(out, ";\n  (void)%s;\n", tp_var_name(tt, v));
  }
  tp_str_printf(out, "  %s r = ", c_type(tt, s));
  tp_print_c(tt, t, TP_C_COMPILABLE, out);
  tp_str_add(out, ";\n  show(");
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_FP:
      tp_str_printf(out, tp_sort_width(tt, s) == 32
                             ? "0, r != r ? 0x7fc00000 : tp_float_bits(r)"
                             : "0, r != r ? 0x7ff8000000000000 : tp_double_bits(r)");
      break;
    case TP_SORT_PTR: tp_str_add(out, "r.object, r.offset"); break;
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: tp_str_add(out, "0, (tp_w128)r"); break;
  }
  tp_str_add(out, ");\n}\n");
}

static void expected_line(const tp_terms *tt, tp_sort s, tp_value v, tp_str *out) {
  if (tp_sort_kind_of(tt, s) == TP_SORT_FP) {
    uint32_t w = tp_sort_width(tt, s);
    uint64_t bits = (uint64_t)v.bits, nan = w == 32 ? 0x7fc00000 : 0x7ff8000000000000;
    bool is_nan =
        w == 32 ? (bits & 0x7fffffff) > 0x7f800000 : (bits & INT64_MAX) > 0x7ff0000000000000;
    v.bits = is_nan ? nan : bits;
  }
  tp_str_printf(out, "%u %016llx%016llx\n", tp_sort_kind_of(tt, s) == TP_SORT_PTR ? v.object : 0,
                (unsigned long long)(v.bits >> 64), (unsigned long long)v.bits);
}

/* n random terms through one run of the compiler. */
static void compile_and_compare(int n, uint64_t seed, uint32_t width, unsigned sorts) {
  tp_str code = {0}, expect = {0}, got = {0}, calls = {0};
  tp_str_add(&code, "#define TP_PTR_BITS 64\n#include <stdio.h>\n");
  tp_str_add(&code, tp_c_prelude());
  tp_str_add(&code,
             "tp_word tp_base(uint32_t object) { return object * UINT64_C(0x10010); }\n"
             "static void show(unsigned object, tp_w128 v) {\n"
             "  printf(\"%u %016llx%016llx\\n\", object, (unsigned long long)(v >> 64), (unsigned "
             "long long)v);\n}\n");
  for (int i = 0; i < n; i++) {
    tp_terms *tt = tp_terms_new(64);
    tp_arena arena = {0};
    tp_random r;
    tp_random_init(&r, tt, seed + (uint64_t)i, width, sorts);
    world w = {.r = &r, .arena = &arena};
    tp_term raw, normal;
    tp_random_term(&r, 4 + (uint32_t)(i % 40), &raw, &normal);
    tp_term t = i % 2 ? raw : normal;
    draw(&w);
    if (tp_is_c_printable(tt, t)) {
      write_case(&w, t, i, &code);
      tp_str_printf(&calls, "  test%d();\n", i);
      expected_line(tt, tp_sort_of(tt, t), eval(&w, t), &expect);
    }
    tp_arena_clear(&arena);
    tp_terms_free(tt);
  }
  tp_str_printf(&code, "int main(void) {\n%s  return 0;\n}\n", tp_str_text(&calls));
  char dir[] = "/tmp/tp-random-XXXXXX", command[512];
  assert_non_null(mkdtemp(dir));
  snprintf(command, sizeof command, "%s/t.c", dir);
  assert_int_equal(tp_write_file(command, code.text, code.n), TP_OK);
  snprintf(command, sizeof command,
           "cd %s && gcc -std=gnu11 -O0 -fwrapv -ffp-contract=off -w -o t t.c -lm && ./t > out",
           dir);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "%s/out", dir);
  assert_int_equal(tp_read_file(command, &got), TP_OK);
  assert_string_equal(tp_str_text(&got), tp_str_text(&expect));
  assert_true(expect.n > 100);
  snprintf(command, sizeof command, "rm -r %s", dir);
  assert_int_equal(system(command), 0);
  tp_str_clear(&code), tp_str_clear(&expect), tp_str_clear(&got), tp_str_clear(&calls);
}

static void in_batches(int n, uint64_t seed, uint32_t width, unsigned sorts) {
  for (int done = 0; done < n; done += 500)
    compile_and_compare(n - done < 500 ? n - done : 500, seed + (uint64_t)done, width, sorts);
}
static void c_means_what_eval_says_32(void **s) {
  (void)s, in_batches(rounds(200), 7000000, 32, TP_RANDOM_FLOATS);
}
static void c_means_what_eval_says_64(void **s) {
  (void)s, in_batches(rounds(100), 8000000, 64, TP_RANDOM_FLOATS | TP_RANDOM_POINTERS);
}
static void c_means_what_eval_says_odd(void **s) {
  (void)s, in_batches(rounds(100), 9000000, 7, TP_RANDOM_FLOATS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewriting_keeps_values_1),  cmocka_unit_test(rewriting_keeps_values_4),
      cmocka_unit_test(rewriting_keeps_values_8),  cmocka_unit_test(rewriting_keeps_values_32),
      cmocka_unit_test(rewriting_keeps_values_64), cmocka_unit_test(c_means_what_eval_says_32),
      cmocka_unit_test(c_means_what_eval_says_64), cmocka_unit_test(c_means_what_eval_says_odd),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Formulas as C against the evaluator: random formulas over small universes, compiled with the
 * sanitizers and run; every operator, integers that leave their width, variables in each other's
 * scope. */
#include "contracts/rel/rel_emit.h"
#include "contracts/contracts_limits.h"
#include "contracts/rel/rel_eval.h"
#include "contracts/rel/testing.h"

#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_FORMULAS = 40, N_MASKS = 3 };

static const char *const variables[] = {"r_A", "r_r", "r_B", "r_t"};

static void print_list(const world *w, uint32_t relation, const tp_rel_tuples *value, tp_str *out) {
  const uint32_t arity = tp_rel_relation_arity(w->l, relation);
  tp_str_printf(out, "  %s = tp_list(%u, %zu, (const int[]){", variables[relation], arity,
                value->n);
  for (size_t k = 0; k < value->n; k++) {
    uint32_t atoms[TP_CONTRACTS_ARITY];
    tp_rel_tuple_atoms(w->u, value->at[k], arity, atoms);
    for (uint32_t i = 0; i < arity; i++) tp_str_printf(out, "%u, ", atoms[i]);
  }
  tp_str_add(out, "0});\n");
}

/* The values of all formulas for one instance after the other, a digit each: what the program must
 * say. */
static void print_program(world *w, const tp_rel_emitted_formula *all, uint32_t n, tp_str *out,
                          tp_str *want) {
  assert_int_equal(tp_rel_emit_constants(w->u, WIDTH, out), TP_OK);
  tp_rel_emit_definitions(out);
  tp_str_add(out, "static const tp_set *r_A, *r_r, *r_B, *r_t;\n");
  tp_rel_emit(w->l, all, n, variables, out);
  tp_str_add(out, "static void say(void) {\n  tp_moment++;\n");
  for (uint32_t k = 0; k < n; k++) tp_str_printf(out, "  putchar('0' + %s());\n", all[k].function);
  tp_str_add(out, "}\nint main(void) {\n");
  tp_rel_instance i;
  tp_rel_instance_init(&i, MAX_RELATIONS);
  for (uint32_t m = 0; m < N_MASKS; m++) {
    instance_of(w, (uint32_t)below(w, 1u << w->n_open), &i);
    for (uint32_t r = 0; r < MAX_RELATIONS; r++) print_list(w, r, &i.of[r], out);
    tp_str_add(out, "  say();\n");
    tp_rel_eval *e = tp_rel_eval_new(w->b, &i, WIDTH);
    for (uint32_t k = 0; k < n; k++)
      tp_str_printf(want, "%d", tp_rel_eval_formula(e, all[k].formula));
    tp_rel_eval_free(e);
  }
  tp_rel_instance_clear(&i);
  tp_str_add(out, "  return 0;\n}\n");
}

static void run(const char *const *argv, tp_str *out) {
  tp_process p;
  const tp_process_spec spec = {.argv = argv,
                                .out = TP_STDIO_CAPTURE,
                                .err = TP_STDIO_CAPTURE,
                                .limits = {.cpu_s = 60, .output_bytes = 1 << 20}};
  assert_int_equal(tp_process_run(&p, spec), TP_OK);
  if (p.end != TP_PROCESS_EXITED || p.code != 0)
    fail_msg("%s: %.2000s", argv[0], tp_str_text(&p.err));
  tp_str_add(out, tp_str_text(&p.out));
  tp_process_clear(&p);
}

static void check_world(uint64_t seed, uint32_t *n_of) {
  world w;
  tp_rel_emitted_formula all[N_FORMULAS];
  char names[N_FORMULAS][16];
  tp_str program = {0}, want = {0}, have = {0}, directory = {0}, file = {0}, exe = {0};
  world_init(&w, seed, ALL_INTEGERS);
  tp_str_add(&program, "#include <stdio.h>\n#include <stdlib.h>\n");
  for (uint32_t k = 0; k < N_FORMULAS; k++) {
    snprintf(names[k], sizeof names[k], "f%u", k);
    all[k] = (tp_rel_emitted_formula){names[k], NULL, any_formula(&w, 2 + k % 3)};
  }
  assert_null(tp_rel_error(w.l));
  print_program(&w, all, N_FORMULAS, &program, &want);
  assert_int_equal(tp_temp_dir(&directory), TP_OK);
  tp_str_printf(&file, "%s/f.c", tp_str_text(&directory));
  tp_str_printf(&exe, "%s/f", tp_str_text(&directory));
  assert_int_equal(tp_write_file(tp_str_text(&file), program.text, program.n), TP_OK);
  const char *const compiler[] = {"clang-19",
                                  "-std=gnu17",
                                  "-w",
                                  "-O0",
                                  "-fsanitize=address,undefined",
                                  "-fno-sanitize-recover=all",
                                  "-o",
                                  tp_str_text(&exe),
                                  tp_str_text(&file),
                                  NULL};
  run(compiler, &have);
  run((const char *const[]){tp_str_text(&exe), NULL}, &have);
  for (size_t k = 0; k < want.n; k++) {
    n_of[want.text[k] - '0']++;
    if (k < have.n && have.text[k] == want.text[k]) continue;
    tp_str text = {0};
    tp_rel_print(w.l, all[k % N_FORMULAS].formula.id, &text);
    fail_msg("seed %llu: %s is %c, not %c", (unsigned long long)seed, tp_str_text(&text),
             k < have.n ? have.text[k] : '?', want.text[k]);
  }
  assert_int_equal(have.n, want.n);
  tp_remove_tree(tp_str_text(&directory));
  tp_str *const texts[] = {&program, &want, &have, &directory, &file, &exe};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) tp_str_clear(texts[k]);
  world_clear(&w);
}

static void K13_formulas_as_c_mean_what_the_evaluator_says(void **state) {
  (void)state;
  uint32_t n_of[3] = {0};
  const uint64_t n = getenv("TP_SOAK") ? 150 : 3;
  for (uint64_t seed = 1; seed <= n; seed++) check_world(seed, n_of);
  printf("%u values false, %u true, %u undefined\n", n_of[0], n_of[1], n_of[2]);
  for (uint32_t k = 0; k < 3; k++) assert_true(n_of[k] > 10);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K13_formulas_as_c_mean_what_the_evaluator_says)};
  return cmocka_run_group_tests_name("emit", tests, NULL, NULL);
}

/* One run of one program in one tier of the concrete machine: seconds of CPU time without loading
 * and compiling, steps, exit status. usage: tiers interpreter|observed|trace|resume FILE.c INPUT...
 * (observed: an observer looks at each edge; trace and resume: machine code, with the path code
 * written down; a fifth number: seconds of compilation) */
#include <stdio.h>
#include <stdlib.h>

#include "exec/native/native.h"
#include "front/front.h"

static bool look(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  *(uint64_t *)ctx += e.id;
  return true;
}

static tp_program *load(tp_diag *diag, const char *file) {
  const char *files[] = {file};
  tp_front_options o = {
      .files = files, .n_files = 1, .property = TP_P_UNREACH_CALL, .model_dir = "build/lib/libc"};
  tp_program *p;
  return tp_front_load(&o, diag, &p) == TP_OK ? p : NULL;
}

static tp_run_result run_native(tp_native *n, tp_state *s, tp_oracle *oracle) {
  tp_path_code code;
  tp_path_code_init(&code, (size_t)1 << 30);
  tp_run_result r =
      tp_native_run(n, s, oracle, (tp_run_limits){.steps = UINT64_MAX}, &code, NULL, NULL);
  tp_path_code_finish(&code);
  tp_path_code_clear(&code);
  return r;
}

/* RESUME compiles at its first run: a run of no step. */
static tp_native *compile(const tp_program *p, const char *tier) {
  bool resume = strcmp(tier, "resume") == 0;
  tp_str why = {0};
  if (!resume && strcmp(tier, "trace") != 0) return NULL;
  tp_native *n = tp_native_new(p, resume ? TP_NATIVE_RESUME : TP_NATIVE_TRACE, &why);
  tp_str_clear(&why);
  if (!resume || !n) return n;
  tp_state *s = tp_state_initial(p);
  (void)tp_native_run(n, s, NULL, (tp_run_limits){.steps = 1}, NULL, NULL, NULL);
  tp_state_free(s);
  return n;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = load(diag, argv[2]);
  if (!p) return 2;
  tp_inputs in;
  tp_inputs_init(&in);
  for (int i = 3; i < argc; i++)
    tp_inputs_add(&in, (tp_input){.width_bits = 32, .bits = strtoul(argv[i], NULL, 10)});
  tp_vector_oracle v = {.in = &in, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&v);
  uint64_t seen = 0;
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &seen, .edge = look};
  bool watched = strcmp(argv[1], "observed") == 0;
  tp_native *n = compile(p, argv[1]);
  tp_state *s = tp_state_initial(p);
  double start = tp_cpu_s();
  tp_run_result r = n ? run_native(n, s, &oracle)
                      : tp_exec_run(p, s, &oracle, (tp_run_limits){.steps = UINT64_MAX},
                                    watched ? &observer : NULL);
  double took = tp_cpu_s() - start;
  printf("%.4f %llu %d %d %.3f\n", took, (unsigned long long)r.steps, (int)r.end, r.exit_status,
         n ? tp_native_compile_s(n) : 0);
  tp_native_free(n);
  tp_state_free(s);
  tp_inputs_clear(&in);
  tp_program_free(p);
  tp_diag_free(diag);
  return r.end == TP_END_EXIT ? 0 : 1;
}

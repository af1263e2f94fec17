/* Problems of relational logic, solved: one line for each file.
 *
 *   bench/rel/solve [TURNS] FILE.rel...
 *
 * name, answer, tuples between the bounds, variables and clauses of the solver, milliseconds of CPU
 * from the text of the file to the answer (the least of TURNS turns, 3 unless told), of these
 * before the solver was asked. Everything but the times depends on nothing but the file. Status 1:
 * an answer is not the one that the file expects. */
#include "problem.h"
#include "contracts/rel/symmetry.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  tp_rel_answer answer;
  tp_rel_stats stats;
  double all_ms, translation_ms;
} result;

static result solve(tp_rel_problem *p, double start_s) {
  result r = {.answer = TP_REL_UNKNOWN};
  tp_rel_options options = tp_rel_default_options();
  options.width_bits = p->width_bits;
  tp_rel_symmetry_fix_orders(p->bounds, p->facts.at, p->facts.n);
  tp_rel_finder *f = tp_rel_finder_new(p->bounds, options);
  bool ok = true;
  for (size_t i = 0; i < p->facts.n && ok; i++) ok = tp_rel_finder_add(f, p->facts.at[i]) == TP_OK;
  r.translation_ms = (tp_cpu_s() - start_s) * 1000;
  if (ok)
    r.answer = tp_rel_finder_solve(f, NULL, 0);
  else
    fprintf(stderr, "%s\n", tp_rel_finder_error(f));
  r.all_ms = (tp_cpu_s() - start_s) * 1000;
  r.stats = tp_rel_finder_stats(f);
  tp_rel_finder_free(f);
  return r;
}

/* False: the answer is wrong, or there is none. */
static bool measure(char *path, int turns) {
  static const char *const names[] = {[TP_REL_SAT] = "some",
                                      [TP_REL_UNSAT] = "none",
                                      [TP_REL_UNKNOWN] = "gave-up",
                                      [TP_REL_INCONSISTENT] = "broken"};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_str text = {0};
  result best = {0};
  bool ok = tp_read_file(path, &text) == TP_OK, is_expected = false;
  if (!ok) fprintf(stderr, "%s cannot be read\n", path);
  for (int i = 0; i < turns && ok; i++) {
    tp_rel_problem p;
    const double start_s = tp_cpu_s();
    ok = tp_rel_problem_read(&p, path, tp_str_text(&text), diag) == TP_OK;
    if (ok) {
      const result r = solve(&p, start_s);
      if (i == 0 || r.all_ms < best.all_ms) best = r;
      is_expected = p.expected == r.answer || p.expected == TP_REL_UNKNOWN;
    }
    tp_rel_problem_clear(&p);
  }
  if (ok)
    printf("%s\t%s\t%llu\t%llu\t%llu\t%.1f\t%.1f\n", basename(path), names[best.answer],
           (unsigned long long)best.stats.n_primary, (unsigned long long)best.stats.n_variables,
           (unsigned long long)best.stats.n_clauses, best.all_ms, best.translation_ms);
  fflush(stdout);
  tp_str_clear(&text);
  tp_diag_free(diag);
  return ok && is_expected;
}

int main(int argc, char **argv) {
  const bool has_turns = argc > 1 && atoi(argv[1]) > 0;
  bool ok = argc > 1 + has_turns;
  if (!ok) fprintf(stderr, "usage: bench/rel/solve [TURNS] FILE.rel...\n");
  for (int i = 1 + has_turns; i < argc; i++)
    ok = measure(argv[i], has_turns ? atoi(argv[1]) : 3) && ok;
  return ok ? 0 : 1;
}

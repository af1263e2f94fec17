/* The answer for people: verdict, reason, inputs, assumptions, notes, statistics; a screenful
 * unless more is asked for. */
#include "program/absent.h"
#include "program/endless.h"
#include "report/bounded.h"
#include "report/inputs_text.h"
#include "report/open_operations.h"
#include "report/report.h"
#include "report/report_limits.h"
#include "report/unknown.h"

static void add_statistics(const tp_stats *s, tp_str *out) {
  tp_str_add(out, "Statistics:\n");
#define TP_S(name, unit, help) \
  if (s->name) tp_str_printf(out, "  %12llu %-11s %s\n", (unsigned long long)s->name, unit, help);
  TP_STATS(TP_S)
#undef TP_S
  tp_str_printf(out, "  %12.3f s CPU, %.3f s wall, %.3f s in solvers, %.0f MB\n", s->cpu_s,
                s->wall_s, s->solver_s, s->peak_mb);
}

static void add_inputs(const tp_report *r, unsigned verbosity, tp_str *out) {
  TP_REQUIRE(r && out);
  tp_str text = {0};
  const size_t n = tp_inputs_text(
      r->program, r->inputs,
      (tp_inputs_text_options){.indeterminate_matter = r->used_indeterminate && !r->is_zeroed,
                               .most_lines = verbosity ? 0 : TP_REPORT_INPUT_LINES},
      &text);
  if (n == 0)
    tp_str_add(out, "The failure needs no input.\n");
  else
    tp_str_printf(out, "Inputs (%zu, in the order of asking):\n%s", n, text.text);
  tp_str_clear(&text);
}

/* A volatile value that is not the usual 0 and that no compiled program was given. */
static bool has_unfed_value(const tp_report *r) {
  for (size_t i = 0; r->n_unfed && i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    bool is_zero = in->bits == 0;
    for (size_t k = 0; k < in->n_bytes && is_zero; k++) is_zero = in->bytes[k] == 0;
    if (in->kind == TP_I_VOLATILE && !is_zero) return true;
  }
  return false;
}

static void add_false(const tp_report *r, unsigned verbosity, tp_str *out) {
  TP_REQUIRE(r && out);
  if (r->headline) tp_str_printf(out, "FALSE: %s\n", r->headline);
  tp_str_printf(out, "%s%s is violated",
                r->headline ? "Shown where " : "FALSE: ", tp_property_name(r->violated));
  if (tp_pos_known(r->error_pos)) {
    tp_str_add(out, " at ");
    tp_pos_print(r->diag, r->error_pos, out);
  }
  if (r->error_message) tp_str_printf(out, ": %s", r->error_message);
  tp_str_add_char(out, '\n');
  if (r->error_notes) tp_str_add(out, r->error_notes);
  tp_str_printf(out, "Found by %s%s%s; %s.\n", r->engine, r->help ? ", " : "",
                r->help ? r->help : "", r->evidence);
  if (r->is_zeroed)
    tp_str_add(out,
               "The failure depends on indeterminate values; they are 0 here, and in builds with "
               "-ftrivial-auto-var-init=zero.\n");
  else if (r->used_indeterminate)
    tp_str_add(out,
               "The failure depends on indeterminate values (uninitialised variables or memory); "
               "clang's build was given them.\n");
  else if (has_unfed_value(r))
    tp_str_add(out, "Some inputs are volatile; they were not fed to the compiled programs.\n");
  tp_str_printf(out, "\nError path:\n%s\n", r->path);
  add_inputs(r, verbosity, out);
  if (!r->output || !r->output[0]) return;
  if (r->has_script)
    tp_str_printf(out, "See it fail: sh %s/run.sh (in the debugger: sh %s/run.sh gdb)\n", r->output,
                  r->output);
  else
    tp_str_add(out,
               "There is no run.sh: the compiled program that fails needs more than harness.c "
               "gives it.\n");
  if (r->replay && r->replay[0]) tp_str_printf(out, "Replay it:   %s\n", r->replay);
}

/* Where the operations that the proof takes to be valid are verified. */
static void add_property(const tp_report *r, tp_str *out) {
  tp_str property = {0};
  tp_open_operations_property(r, &property);
  if (property.n)
    tp_str_printf(out, "  next:  --property=%s verifies %s\n", property.text,
                  r->undefined ? "that" : "these operations");
  tp_str_clear(&property);
}

/* A proof says of runs that they do no harm, not that they end. A loop that they cannot leave may
 * be a mistake that hides what stands behind it. */
static void add_termination(const tp_report *r, unsigned verbosity, tp_str *out) {
  const tp_loc head = r->program && r->program->main.id ? tp_endless_loop(r->program) : TP_LOC_NONE;
  if (head.id) {
    tp_str_add(out, "Note: ");
    tp_pos_print(r->diag, tp_loc_of(r->program, head)->pos, out);
    tp_str_add(out,
               ": this loop has no way out: what stands behind it is never reached; termination is "
               "not verified\n");
  } else if (verbosity && r->program && tp_has_loops(r->program)) {
    tp_str_add(out, "Termination was not verified: runs may go on for ever.\n");
  }
}

static void add_true(const tp_report *r, unsigned verbosity, tp_str *out) {
  TP_REQUIRE(r && out);
  if (r->bound)
    tp_str_printf(out,
                  "BOUNDED: %s holds in every run with at most %llu iteration%s of each loop and "
                  "%llu nested call%s of each function",
                  tp_property_name(r->asked), (unsigned long long)r->bound,
                  r->bound == 1 ? "" : "s", (unsigned long long)r->bound, r->bound == 1 ? "" : "s");
  else if (r->headline)
    tp_str_printf(out, "%s: %s", r->has_operations ? "BOUNDED" : "TRUE", r->headline);
  else
    tp_str_printf(out, "TRUE: %s holds in every run", tp_property_name(r->asked));
  tp_open_operations_clause(r, out);
  if (r->bound) tp_bounded_headline(r, out);
  tp_str_add_char(out, '\n');
  if (r->bound) tp_bounded_lines(r, out);
  tp_str_printf(out, "Proved by %s%s%s; %s.\n", r->engine, r->help ? ", " : "",
                r->help ? r->help : "", r->evidence);
  if (verbosity && r->given) tp_str_add(out, r->given);
  if (!r->bound) add_termination(r, verbosity, out);
  if (r->n_assumptions == 0) return;
  tp_str_add(out, "Assumptions:\n");
  size_t n = verbosity || r->n_assumptions <= TP_REPORT_ASSUMPTIONS ? r->n_assumptions
                                                                    : TP_REPORT_ASSUMPTIONS - 1;
  for (size_t i = 0; i < n; i++) tp_str_printf(out, "  %s\n", r->assumptions[i]);
  if (n < r->n_assumptions)
    tp_str_printf(out, "  ... and %zu more; -v shows all\n", r->n_assumptions - n);
  add_property(r, out);
}

/* A line for each engine and each thing that it can say. */
static void add_finding(const tp_finding *f, tp_str *out) {
  tp_str_printf(out, "%s: %s\n", f->engine, f->reason);
  if (f->condition) tp_str_printf(out, "Shown by %s: %s\n", f->engine, f->condition);
  if (f->cost) tp_str_printf(out, "Cost most in %s: %s\n", f->engine, f->cost);
}

/* What engines did, in their own words. */
static void add_attempts(const tp_report *r, tp_str *out) {
  const tp_stats *s = r->stats;
  if (s->tests_run)
    tp_str_printf(out, "Established: no confirmed failure in %llu concrete runs\n",
                  (unsigned long long)s->tests_run);
  if (s->unroll_bound)
    tp_str_printf(out, "Tried: all paths with loops of up to %llu iterations, %llu queries\n",
                  (unsigned long long)s->unroll_bound, (unsigned long long)s->solver_calls);
  for (size_t i = 0; i < r->n_findings; i++) add_finding(&r->findings[i], out);
  if (r->hint && r->hint[0]) tp_str_printf(out, "Hint: %s\n", r->hint);
}

/* Why, where, what next: three lines. */
static void add_unknown(const tp_report *r, unsigned verbosity, tp_str *out) {
  TP_REQUIRE(r && out);
  tp_str line = {0};
  tp_unknown_headline(r, &line);
  tp_str_printf(out, "UNKNOWN: %s\n", tp_str_text(&line));
  tp_str_clear(&line);
  tp_unknown_where(r, &line);
  if (line.n) tp_str_printf(out, "  where: %s\n", line.text);
  tp_str_clear(&line);
  tp_unknown_known(r, &line);
  if (line.n) tp_str_printf(out, "  known: %s\n", line.text);
  tp_str_clear(&line);
  tp_unknown_next(r, &line);
  if (line.n) tp_str_printf(out, "  next:  %s\n", line.text);
  tp_str_clear(&line);
  if (r->given) tp_str_add(out, r->given);
  if (verbosity && r->path && r->path[0]) {
    tp_str_printf(out, "\nPath of the run that was not confirmed:\n%s\n", r->path);
    add_inputs(r, verbosity, out);
  }
  if (verbosity) add_attempts(r, out);
}

/* One line of the notes, with its position; beyond the bound it is only counted. */
static void add_note(const tp_report *r, tp_pos pos, const char *text, size_t *n, size_t max,
                     tp_str *out) {
  TP_REQUIRE(r && out);
  if (++*n > max) return;
  tp_str_add(out, "Note: ");
  if (tp_pos_known(pos)) {
    tp_pos_print(r->diag, pos, out);
    tp_str_add(out, ": ");
  }
  tp_str_printf(out, "%s\n", text);
}

/* Of a function without body: a file may be missing, but for primitives of CBMC's. */
static const char *absence_note(const tp_func_info *f) {
  static const char cbmc[] = "__CPROVER_";
  const char *rest = f->name + sizeof cbmc - 1;
  if (strncmp(f->name, cbmc, sizeof cbmc - 1) == 0)
    return strcmp(rest, "r_ok") == 0 || strcmp(rest, "w_ok") == 0 || strcmp(rest, "rw_ok") == 0
               ? " is a primitive of CBMC without a model here: leave it out, every access is "
                 "checked by --property=valid-memsafety"
               : " is a primitive of CBMC without a model here: __CPROVER_assume and "
                 "__CPROVER_assert have one";
  return f->absence == TP_ABSENT ? " has no body: is a file missing?"
                                 : ", a function of the system, has no model";
}

/* What the program asks from outside and nobody states: before any verdict. */
static void add_notes(const tp_report *r, size_t max, tp_str *out) {
  TP_REQUIRE(r && out);
  const tp_program *p = r->program;
  size_t n = 0;
  tp_str text = {0};
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    if (f->absence == TP_PRESENT) continue;
    tp_str_clear(&text);
    tp_str_printf(&text, "%s%s", f->name, absence_note(f));
    add_note(r, tp_absent_pos(p, (tp_func){i}), text.text, &n, max, out);
  }
  const size_t n_variables = tp_absent_variables(p, NULL, 0);
  const char **variables = TP_NEW_ARRAY(const char *, n_variables + 1);
  (void)tp_absent_variables(p, variables, n_variables);
  for (size_t i = 0; i < n_variables; i++) {
    tp_str_clear(&text);
    tp_str_printf(&text, "%s is declared, and nothing defines it: is a file missing?",
                  variables[i]);
    add_note(r, TP_POS_NONE, text.text, &n, max, out);
  }
  tp_free(variables);
  for (size_t i = 0; i < p->remarks.n; i++)
    add_note(r, p->remarks.at[i].pos, p->remarks.at[i].text, &n, max, out);
  if (n > max) tp_str_printf(out, "Note: ... and %zu more; -v shows all\n", n - max);
  tp_str_clear(&text);
}

/* "in main, while (i < n): i <= n", of the comments that stand before entries of a precision. */
static void add_predicates(const char *text, tp_str *out) {
  tp_str function = {0}, place = {0};
  size_t n = 0;
  bool is_new = true;
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const int length = (int)(end - line);
    if (strncmp(line, "in ", 3) == 0) {
      tp_str_clear(&function);
      tp_str_clear(&place);
      tp_str_add_n(&function, line + 3, (size_t)length - 3);
      is_new = true;
    } else if (strncmp(line, "at ", 3) == 0) {
      const size_t skipped = 3 + strcspn(line + 3, " \n");
      tp_str_clear(&place);
      if (line + skipped < end)
        tp_str_add_n(&place, line + skipped, (size_t)(end - line) - skipped);
      is_new = true;
    } else if (strncmp(line, "# ", 2) == 0 && n++ < TP_REPORT_PREDICATES) {
      if (n == 1) tp_str_add(out, "What refinement found (--save-precision=FILE keeps it):\n");
      if (is_new)
        tp_str_printf(out, "  %s%s%s\n", tp_str_text(&function), place.n ? "," : "",
                      tp_str_text(&place));
      tp_str_printf(out, "    %.*s\n", length - 2, line + 2);
      is_new = false;
    }
  }
  if (n > TP_REPORT_PREDICATES)
    tp_str_printf(out, "    ... and %zu more\n", n - TP_REPORT_PREDICATES);
  tp_str_clear(&function);
  tp_str_clear(&place);
}

void tp_report_console(const tp_report *r, unsigned verbosity, tp_str *out) {
  TP_REQUIRE(r && out);
  if (r->program) add_notes(r, verbosity ? SIZE_MAX : TP_REPORT_NOTES, out);
  switch (r->verdict) {
    case TP_VERDICT_TRUE: add_true(r, verbosity, out); break;
    case TP_VERDICT_FALSE: add_false(r, verbosity, out); break;
    case TP_VERDICT_UNKNOWN: add_unknown(r, verbosity, out); break;
  }
  if (verbosity && r->precision) add_predicates(r->precision, out);
  if (verbosity && r->features) tp_str_printf(out, "Program: %s\n", r->features);
  if (verbosity) add_statistics(r->stats, out);
}

void tp_report_result(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out);
  switch (r->verdict) {
    case TP_VERDICT_TRUE:
      if (r->bound)
        tp_str_printf(out, "bounded(unroll=%llu)", (unsigned long long)r->bound);
      else if (r->has_operations)
        tp_str_printf(out, "bounded(operations=%llu)", (unsigned long long)r->operations);
      else
        tp_str_add(out, "true");
      return;
    case TP_VERDICT_FALSE:
      tp_str_printf(out, "false(%s)",
                    tp_property_name(r->asked == TP_P_EQUAL ? r->asked : r->violated));
      return;
    case TP_VERDICT_UNKNOWN: break;
  }
  tp_str_add(out, "unknown(");
  for (const char *c = r->reason; *c; c++)
    tp_str_add_char(out, *c == '\n' || *c == '\r' ? ' ' : *c);
  tp_str_add_char(out, ')');
}

void tp_report_last_line(const tp_report *r, tp_str *out) {
  tp_str_add(out, "RESULT: ");
  tp_report_result(r, out);
  tp_str_add_char(out, '\n');
}

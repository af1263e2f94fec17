/* One row for each kind of obstacle: how the headline begins. What helps: report/advice.c. */
#include "report/unknown.h"

#include "report/model_calls.h"
#include "report/open_operations.h"
#include "report/report_limits.h"

// -------------------------------------------------------------------- headline

tp_unknown_subject tp_unknown_subject_of(const tp_report *r) {
  if (r->is_final_reason && r->obstacle.kind != TP_OBSTACLE_CONSTRUCT) return TP_UNKNOWN_INPUT;
  if (r->rests_on_open) return TP_UNKNOWN_OPEN;
  if (r->claim == TP_VERDICT_FALSE) return TP_UNKNOWN_CANDIDATE;
  if (r->claim == TP_VERDICT_TRUE) return TP_UNKNOWN_PROOF;
  return TP_UNKNOWN_OBSTACLE;
}

/* The reason without " at a.c:3:4" where that is the position of the obstacle. */
static void add_reason(const tp_report *r, tp_str *out) {
  tp_str at = {0};
  const size_t n = strlen(r->reason);
  size_t kept = n;
  if (tp_pos_known(r->obstacle.pos)) {
    tp_str_add(&at, " at ");
    tp_pos_print(r->diag, r->obstacle.pos, &at);
    if (n > at.n && strcmp(r->reason + n - at.n, at.text) == 0) kept = n - at.n;
  }
  tp_str_add_n(out, r->reason, kept);
  tp_str_clear(&at);
}

static void add_limit(const tp_report *r, tp_str *out) {
  if (strncmp(r->reason, "out of memory", strlen("out of memory")) == 0)
    tp_str_printf(out, "memory ran out (%llu MB) before a failure or a proof was found",
                  (unsigned long long)r->memory_mb);
  else if (r->wall_s > 0)
    tp_str_printf(out, "no failure and no proof within %g s on the clock", r->wall_s);
  else if (r->limit_s > 0)
    tp_str_printf(out, "no failure and no proof within the time limit of %g s", r->limit_s);
  else
    tp_str_add(out, "no failure and no proof within the time that the engines give themselves");
}

static void add_obstacle(const tp_report *r, tp_str *out) {
  const unsigned long long bound = (unsigned long long)r->obstacle.bound;
  switch (r->obstacle.kind) {
    case TP_OBSTACLE_LIMIT: add_limit(r, out); return;
    case TP_OBSTACLE_LOOP:
      if (bound == 0) {
        tp_str_add(out,
                   "no failure found, and no proof, because not all iterations of this loop "
                   "were followed");
        return;
      }
      tp_str_printf(out,
                    "no failure in runs with up to %llu iteration%s of this loop, and no proof for "
                    "longer runs",
                    bound, bound == 1 ? "" : "s");
      return;
    case TP_OBSTACLE_RECURSION:
      if (bound == 0) {
        tp_str_add(out,
                   "no failure found, and no proof, because not all nested calls of this "
                   "function were followed");
        return;
      }
      tp_str_printf(out,
                    "no failure in runs with up to %llu nested call%s of this function, and no "
                    "proof for deeper ones",
                    bound, bound == 1 ? "" : "s");
      return;
    case TP_OBSTACLE_CONSTRUCT:
      tp_str_add(out, "no failure found, and no proof, because there is no model of this: ");
      break;
    case TP_OBSTACLE_POINTER:
      tp_str_add(out, "no failure found, and no proof, because the program uses ");
      break;
    case TP_OBSTACLE_CALLEE: tp_str_add(out, "no failure found, and no proof, because "); break;
    case TP_OBSTACLE_ABSTRACTION:
      tp_str_add(out, "no failure found, and no proof: this error could not be excluded");
      return;
    case TP_OBSTACLE_SOLVER:
      tp_str_add(out, "no failure and no proof: the formulas are too hard for the solver");
      return;
    case TP_OBSTACLE_UNDEFINED: tp_open_operations_headline(r->undefined, out); return;
    case TP_OBSTACLE_OTHER:
    case TP_N_OBSTACLES: break;
  }
  add_reason(r, out);
}

void tp_unknown_headline(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  switch (tp_unknown_subject_of(r)) {
    case TP_UNKNOWN_INPUT: tp_str_add(out, r->reason); return;
    case TP_UNKNOWN_OPEN:
      tp_str_printf(out, "a failure is possible, but not certain: %s", r->reason);
      return;
    case TP_UNKNOWN_CANDIDATE:
      tp_str_printf(out, "a failing run was found, but could not be confirmed: %s", r->reason);
      return;
    case TP_UNKNOWN_PROOF:
      tp_str_printf(out, "a proof was found, but could not be confirmed: %s", r->reason);
      return;
    case TP_UNKNOWN_OBSTACLE: add_obstacle(r, out); return;
  }
}

// ----------------------------------------------------------------------- where

/* "a.c:3:4: x = y;", the line without the spaces around it; of a long line the part at the column.
 */
static void add_line(const tp_report *r, tp_pos pos, tp_str *out) {
  const char *line = tp_diag_source_line(r->diag, pos.file, pos.line);
  tp_pos_print(r->diag, pos, out);
  if (!line) return;
  const size_t leading = strspn(line, " \t"), column = pos.column ? pos.column - 1 : 0;
  size_t n = strlen(line), from = leading;
  while (n > from && strchr(" \t\r", line[n - 1])) n--;
  const bool is_cut = n - from > TP_REPORT_SOURCE_CHARACTERS;
  if (is_cut && column < n && column > from + TP_REPORT_SOURCE_CHARACTERS / 2)
    from = column - TP_REPORT_LINE_BEFORE;
  const size_t room = is_cut ? TP_REPORT_SOURCE_CHARACTERS : n,
               shown = n - from < room ? n - from : room;
  if (shown > 0)
    tp_str_printf(out, ": %s%.*s%s", from > leading ? "..." : "", (int)shown, line + from,
                  from + shown < n ? "..." : "");
}

/* A place within a model is one of the calls that lead there. */
static void add_place(const tp_report *r, tp_pos pos, tp_str *out) {
  const tp_model_calls calls =
      r->program ? tp_model_calls_of(r->program, pos) : (tp_model_calls){0};
  add_line(r, tp_pos_known(calls.pos) ? calls.pos : pos, out);
  if (!tp_pos_known(calls.pos)) return;
  tp_str_printf(out, " (in %s", calls.function);
  if (calls.n_more)
    tp_str_printf(out, ", or in %zu other call%s", calls.n_more, calls.n_more == 1 ? "" : "s");
  tp_str_add(out, ")");
}

/* Of the analyses that came to an end, the one with the fewest errors left: what it could not
 * exclude is what is left to prove. */
static const tp_finding *closest(const tp_report *r) {
  const tp_finding *best = NULL;
  for (size_t i = 0; i < r->n_findings; i++) {
    const tp_finding *f = &r->findings[i];
    if (f->n_unproved && (!best || f->n_unproved < best->n_unproved)) best = f;
  }
  return best;
}

void tp_unknown_where(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  const tp_unknown_subject s = tp_unknown_subject_of(r);
  if (s == TP_UNKNOWN_INPUT || !r->diag) return;
  if ((s == TP_UNKNOWN_CANDIDATE || s == TP_UNKNOWN_OPEN) && tp_pos_known(r->error_pos)) {
    add_place(r, r->error_pos, out);
    return;
  }
  const tp_finding *left = closest(r);
  if ((s == TP_UNKNOWN_OBSTACLE || s == TP_UNKNOWN_PROOF) && tp_pos_known(r->obstacle.pos)) {
    add_place(r, r->obstacle.pos, out);
  } else if (left) {
    tp_str_add(out, "not excluded: ");
    add_place(r, left->unproved, out);
    if (left->n_unproved > 1) tp_str_printf(out, " (and %zu more)", left->n_unproved - 1);
  } else if (r->n_findings && tp_pos_known(r->findings[0].costliest)) {
    tp_str_add(out, "most effort: ");
    add_place(r, r->findings[0].costliest, out);
  }
}

void tp_unknown_known(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  if (r->undefined && r->obstacle.kind == TP_OBSTACLE_UNDEFINED) {
    tp_open_operations_known(r, out);
    return;
  }
  if (tp_unknown_subject_of(r) != TP_UNKNOWN_INPUT && r->wall_s <= 0) return;
  for (size_t i = 0; i < r->n_findings; i++) {
    const char *condition = r->findings[i].condition;
    if (!condition || (out->n && strstr(out->text, condition))) continue;
    tp_str_printf(out, "%s%s", out->n ? "; " : "", condition);
  }
}

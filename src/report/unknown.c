/* One row for each kind of obstacle: how the headline begins and what helps. */
#include "report/unknown.h"

#include "report/report_limits.h"

// -------------------------------------------------------------------- headline

/* Why a verdict is missing, as users see it: a claim that its evidence does not carry comes before
 * what an engine met. */
typedef enum {
  ABOUT_INPUT,      // the input cannot be handled, or the run was interrupted: the reason says it
  ABOUT_OPEN,       // a failing run that rests on what the program leaves open
  ABOUT_CANDIDATE,  // a failing run that was not confirmed
  ABOUT_PROOF,      // a proof that was not confirmed
  ABOUT_OBSTACLE,   // no claim
} subject;

static subject subject_of(const tp_report *r) {
  if (r->is_final_reason && r->obstacle.kind != TP_OBSTACLE_CONSTRUCT) return ABOUT_INPUT;
  if (r->rests_on_open) return ABOUT_OPEN;
  if (r->claim == TP_VERDICT_FALSE) return ABOUT_CANDIDATE;
  if (r->claim == TP_VERDICT_TRUE) return ABOUT_PROOF;
  return ABOUT_OBSTACLE;
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
    case TP_OBSTACLE_OTHER:
    case TP_N_OBSTACLES: break;
  }
  add_reason(r, out);
}

void tp_unknown_headline(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  switch (subject_of(r)) {
    case ABOUT_INPUT: tp_str_add(out, r->reason); return;
    case ABOUT_OPEN:
      tp_str_printf(out, "a failure is possible, but not certain: %s", r->reason);
      return;
    case ABOUT_CANDIDATE:
      tp_str_printf(out, "a failing run was found, but could not be confirmed: %s", r->reason);
      return;
    case ABOUT_PROOF:
      tp_str_printf(out, "a proof was found, but could not be confirmed: %s", r->reason);
      return;
    case ABOUT_OBSTACLE: add_obstacle(r, out); return;
  }
}

// ----------------------------------------------------------------------- where

/* "a.c:3:4: x = y;", the line without the spaces around it; of a long line the part at the column.
 */
static void add_place(const tp_report *r, tp_pos pos, tp_str *out) {
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
  const subject s = subject_of(r);
  if (s == ABOUT_INPUT || !r->diag) return;
  if ((s == ABOUT_CANDIDATE || s == ABOUT_OPEN) && tp_pos_known(r->error_pos)) {
    add_place(r, r->error_pos, out);
    return;
  }
  const tp_finding *left = closest(r);
  if (s == ABOUT_OBSTACLE && tp_pos_known(r->obstacle.pos)) {
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
  if (subject_of(r) != ABOUT_INPUT && r->wall_s <= 0) return;
  for (size_t i = 0; i < r->n_findings; i++) {
    const char *condition = r->findings[i].condition;
    if (!condition || (out->n && strstr(out->text, condition))) continue;
    tp_str_printf(out, "%s%s", out->n ? "; " : "", condition);
  }
}

// ------------------------------------------------------------------------ next

static void add_time(const tp_report *r, tp_str *out) {
  if (r->wall_s > 0)
    tp_str_printf(out, "allow more time (--walltime=%g)", 4 * r->wall_s);
  else if (r->limit_s > 0)
    tp_str_printf(out, "allow more time (--timelimit=%g)", 4 * r->limit_s);
}

static void add_alternative(const char *text, tp_str *out) {
  static const char time[] = "allow more time";
  const bool is_said = text && strncmp(text, time, sizeof time - 1) == 0 && out->n &&
                       strncmp(out->text, time, sizeof time - 1) == 0;
  if (!text || !*text || is_said) return;
  tp_str_printf(out, "%s%s", out->n ? "; or " : "", text);
}

/* Where the user chose one engine: several. Else what else there is to try. */
static void add_engines(const tp_report *r, const char *otherwise, tp_str *out) {
  if (r->chosen_by)
    tp_str_printf(out, "%sleave %s out: several engines share the work then", out->n ? "; or " : "",
                  r->chosen_by);
  else
    add_alternative(otherwise, out);
}

static bool is_same_place(tp_pos a, tp_pos b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* The function of the system that is called at this place, or NULL. */
static const char *system_callee(const tp_program *p, tp_pos at) {
  for (uint32_t i = 1; tp_pos_known(at) && i < p->edges.n; i++) {
    const tp_edge_info *e = tp_edge_of(p, (tp_edge){i});
    if (!e->name || !is_same_place(e->pos, at)) continue;
    for (uint32_t f = 1; f < p->funcs.n; f++)
      if (p->funcs.at[f].absence == TP_ABSENT_IN_SYSTEM &&
          strcmp(p->funcs.at[f].name, e->name) == 0)
        return e->name;
  }
  return NULL;
}

/* Nobody has the file of a function of the system. */
static void add_callee_advice(const tp_report *r, tp_str *out) {
  const char *name = r->program ? system_callee(r->program, r->obstacle.pos) : NULL;
  if (name)
    tp_str_printf(out,
                  "write a stub of %s, a function in a file of yours that does what matters here: "
                  "this one of the system has no model",
                  name);
  else
    tp_str_add(out, "give the file that defines the function, or write a stub of it");
}

static void add_obstacle_advice(const tp_report *r, tp_str *out) {
  switch (r->obstacle.kind) {
    case TP_OBSTACLE_LIMIT:
    case TP_OBSTACLE_SOLVER:
      if (strncmp(r->reason, "out of memory", strlen("out of memory")) == 0) {
        tp_str_printf(out, "allow more memory (--memlimit=%llu), or make arrays and inputs smaller",
                      (unsigned long long)(4 * r->memory_mb));
        return;
      }
      add_time(r, out);
      break;
    case TP_OBSTACLE_CONSTRUCT:
      if (strstr(r->reason, "second thread or process")) {
        tp_str_add(out,
                   "programs with several threads or processes cannot be verified: give what each "
                   "of them does a main of its own");
        return;
      }
      tp_str_add(out,
                 "replace the construct, for verification, by plain C that does the same, or "
                 "leave its code out (-D, #ifdef)");
      return;
    case TP_OBSTACLE_POINTER:
      tp_str_add(out,
                 "let this pointer, or the one that it was read through, point to an object "
                 "before it is used: for example p = malloc(sizeof *p) where inputs are made");
      return;
    case TP_OBSTACLE_CALLEE: add_callee_advice(r, out); return;
    case TP_OBSTACLE_RECURSION:
      tp_str_add(out,
                 "bound the input on which the depth depends (__VERIFIER_assume), or ask about few "
                 "nested calls (--unroll=5)");
      return;
    case TP_OBSTACLE_LOOP:
    case TP_OBSTACLE_ABSTRACTION:
    case TP_OBSTACLE_OTHER:
    case TP_N_OBSTACLES: break;
  }
  static const char unusable[] =
      "the configuration cannot be used";  // the reason says how to mend it
  if (strncmp(r->reason, unusable, strlen(unusable)) != 0) add_engines(r, r->next, out);
}

static const char machine_is_enough[] =
    "With --confirm=machine the interpreter's run is enough for FALSE, if it uses no uninitialised "
    "value and no number made of an address";

void tp_unknown_next(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  switch (subject_of(r)) {
    case ABOUT_INPUT:
      if (strcmp(r->reason, "interrupted") == 0)
        tp_str_add(out,
                   "with a limit, such as --walltime=60, the answer is what is known by then, and "
                   "what to try next");
      return;
    case ABOUT_OPEN:
      tp_str_add(out, r->hint && *r->hint ? r->hint : "state what the program leaves open");
      return;
    case ABOUT_CANDIDATE:
      if (r->has_script && r->output && r->output[0])
        tp_str_printf(out,
                      "sh %s/run.sh builds the program with these inputs, and runs it: look "
                      "whether it does what path.txt says",
                      r->output);
      else if (r->output && r->output[0])
        tp_str_printf(out,
                      "do %s/path.txt and %s/inputs.txt make sense? There is no run.sh: a compiled "
                      "program cannot be given all of that run. %s",
                      r->output, r->output, machine_is_enough);
      else
        tp_str_printf(out,
                      "-v shows the path of that run, --output=DIR writes its inputs: do they make "
                      "sense? %s",
                      machine_is_enough);
      return;
    case ABOUT_PROOF:
      add_alternative(r->hint, out);
      if (out->n == 0) add_time(r, out);
      add_engines(r, "another engine (--engine=kinduction or cegar)", out);
      return;
    case ABOUT_OBSTACLE: add_obstacle_advice(r, out); return;
  }
}

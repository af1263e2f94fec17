/* What to do next, of an UNKNOWN. Advice leads in one direction, so that it cannot go in circles:
 *
 *   one engine  ->  all of the schedule  ->  more time, up to a limit  ->  an option that the
 * schedule does not have  ->  short runs (--unroll)  ->  shorter ones  ->  the program has to
 * change.
 *
 * A run knows its place from its options: an engine that the schedule runs anyhow is left out, one
 * that it does not run was chosen on advice and stays. More time is advised where time was what
 * ended an engine that could still prove. */
#include "report/open_operations.h"
#include "report/report_limits.h"
#include "report/unknown.h"

#include <unistd.h>

static void add(tp_str *out, const char *fmt, ...) TP_PRINTF(2, 3);
static void add(tp_str *out, const char *fmt, ...) {
  char text[600];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_str_printf(out, "%s%s", out->n ? "; or " : "", text);
}

static bool is_out_of_memory(const tp_report *r) {
  return strncmp(r->reason, "out of memory", strlen("out of memory")) == 0;
}

// ------------------------------------------------------------------------ where

/* An engine that was chosen because the schedule does not have it. */
static bool is_chosen_on_advice(const tp_report *r) {
  return r->chosen_by && r->advice.name && strcmp(r->chosen, r->advice.name) == 0 &&
         (!r->advice.has_setting || r->n_settings > 0);
}

static bool is_one_of_schedule(const tp_report *r) {
  return r->chosen_by && !r->unroll && !is_chosen_on_advice(r);
}

/* Could this engine have proved the program? Bounded checking goes on to ever longer runs, and
 * always runs out of time where inputs decide how long they are. */
static bool may_prove(const tp_report *r, const tp_finding *f) {
  if (r->chosen_by || r->unroll || r->advice.is_finite) return true;
  return f->proves_only && (!r->advice.prover || strcmp(f->engine, r->advice.prover) == 0);
}

/* Did time end an engine that could still have proved, or come before its turn? The solver gives up
 * when its part of the time is over. */
static bool ran_out(const tp_report *r) {
  const bool is_last = r->chosen_by || r->unroll || r->advice.is_finite;
  if (r->obstacle.kind == TP_OBSTACLE_SOLVER && r->limit_s > 0 && is_last) return true;
  bool had_turn = false;
  for (size_t i = 0; i < r->n_findings; i++) {
    const tp_finding *f = &r->findings[i];
    if (f->ran_out && may_prove(r, f)) return true;
    had_turn |= r->advice.prover && strcmp(f->engine, r->advice.prover) == 0;
  }
  return !had_turn && (r->wall_s > 0 || r->has_waiting);
}

// ----------------------------------------------------------------------- limits

static const double most_time_s = (double)TP_REPORT_MOST_TIME_S;

static double more(double limit_s) { return limit_s * 4 < most_time_s ? limit_s * 4 : most_time_s; }

static void add_time(const tp_report *r, tp_str *out) {
  if (r->wall_s > 0) {
    if (r->wall_s < most_time_s) add(out, "allow more time (--walltime=%g)", more(r->wall_s));
  } else if (r->limit_s > 0) {
    if (r->limit_s < most_time_s) add(out, "allow more time (--timelimit=%g)", more(r->limit_s));
  } else {
    add(out, "allow more time (--timelimit=%d --walltime=%d)", TP_REPORT_MOST_TIME_S,
        TP_REPORT_MOST_TIME_S);
  }
}

static void add_memory(const tp_report *r, tp_str *out) {
  const uint64_t machine_mb =
      (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) >> 20;
  if (r->memory_mb && r->memory_mb < machine_mb)
    add(out, "allow more memory (--memlimit=%llu)",
        (unsigned long long)(4 * r->memory_mb < machine_mb ? 4 * r->memory_mb : machine_mb));
}

/* Shorter runs than were asked about, or short ones at all. */
static void add_short_runs(const tp_report *r, tp_str *out) {
  if (r->unroll > 1)
    add(out, "ask about shorter runs (--unroll=%llu)", (unsigned long long)(r->unroll / 2));
  else if (!r->unroll && r->advice.repeats && r->chosen_by)
    add(out, "leave %s out, and ask about short runs only (--unroll=%d)", r->chosen_by,
        TP_REPORT_SHORT_RUNS);
  else if (!r->unroll && r->advice.repeats)
    add(out, "ask about short runs only (--unroll=%d)", TP_REPORT_SHORT_RUNS);
}

// --------------------------------------------------------------------- obstacles

static const char *restructure(const tp_report *r) {
  if (r->obstacle.kind == TP_OBSTACLE_RECURSION)
    return "bound the input on which the depth depends (__VERIFIER_assume)";
  if (is_out_of_memory(r)) return "make arrays and inputs smaller";
  return r->advice.restructure ? r->advice.restructure : "narrow the inputs with __VERIFIER_assume";
}

/* Options first; where there are none, that is said. */
static void add_program(const tp_report *r, tp_str *out) {
  if (out->n)
    add(out, "%s", restructure(r));
  else
    tp_str_printf(out, "no option of this tool is known to help: %s; or report the program",
                  restructure(r));
}

/* One run was asked for, not a search. */
static bool is_replay(const tp_report *r) {
  return r->engine && strcmp(r->engine, "replay") == 0 && r->obstacle.kind == TP_OBSTACLE_OTHER;
}

static void add_general(const tp_report *r, tp_str *out) {
  if (is_replay(r)) {
    tp_str_add(out, "twoproof check looks for inputs with which the program fails");
    return;
  }
  if (is_one_of_schedule(r)) {
    add(out, "leave %s out: several engines share the work then", r->chosen_by);
    return;
  }
  if (is_out_of_memory(r))
    add_memory(r, out);
  else if (ran_out(r))
    add_time(r, out);
  if (!r->chosen_by && !r->unroll && r->advice.option)
    add(out, "use %s: %s", r->advice.option, r->advice.why);
  add_short_runs(r, out);
  add_program(r, out);
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

/* The property of which the run without meaning is a failure. */
static void add_property_advice(const tp_report *r, tp_str *out) {
  tp_str property = {0};
  tp_open_operations_property(r, &property);
  if (property.n)
    tp_str_printf(out, "--property=%s shows such a run, with its inputs", property.text);
  else
    tp_str_add(out, "give this operation a meaning");
  tp_str_clear(&property);
}

static void add_obstacle_advice(const tp_report *r, tp_str *out) {
  switch (r->obstacle.kind) {
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
    case TP_OBSTACLE_UNDEFINED: add_property_advice(r, out); return;
    case TP_OBSTACLE_LIMIT:
    case TP_OBSTACLE_SOLVER:
    case TP_OBSTACLE_RECURSION:
    case TP_OBSTACLE_LOOP:
    case TP_OBSTACLE_ABSTRACTION:
    case TP_OBSTACLE_OTHER:
    case TP_N_OBSTACLES: break;
  }
  static const char unusable[] =
      "the configuration cannot be used";  // the reason says how to mend it
  if (strncmp(r->reason, unusable, strlen(unusable)) != 0) add_general(r, out);
}

// ------------------------------------------------------------------------ claims

static void add_candidate_advice(const tp_report *r, tp_str *out) {
  if (r->has_script && r->output && r->output[0])
    tp_str_printf(out,
                  "sh %s/run.sh builds the program with these inputs, and runs it: look "
                  "whether it does what path.txt says",
                  r->output);
  else if (r->output && r->output[0])
    tp_str_printf(out,
                  "do %s/path.txt and %s/inputs.txt make sense? There is no run.sh: a compiled "
                  "program cannot be given all of that run.",
                  r->output, r->output);
  else
    tp_str_add(out,
               "-v shows the path of that run, --output=DIR writes its inputs: do they make "
               "sense?");
  if (!r->counts_machine)
    tp_str_add(out,
               " With --confirm=machine the interpreter's run is enough for FALSE, if it uses no "
               "uninitialised value and no number made of an address");
}

/* A proof that its checker does not carry. */
static void add_proof_advice(const tp_report *r, tp_str *out) {
  if (r->hint && *r->hint) add(out, "%s", r->hint);
  if (is_one_of_schedule(r))
    add(out, "leave %s out: several engines share the work then", r->chosen_by);
  else if (r->check_ran_out)
    add_time(r, out);
  if (r->check_rejected) {
    add(out, "report the program: a proof that is rejected is an error of this tool");
    return;
  }
  if (is_one_of_schedule(r)) return;
  add_short_runs(r, out);
  add_program(r, out);
}

void tp_unknown_next(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out && r->verdict == TP_VERDICT_UNKNOWN);
  switch (tp_unknown_subject_of(r)) {
    case TP_UNKNOWN_INPUT:
      if (strcmp(r->reason, "interrupted") == 0)
        tp_str_add(out,
                   "with a limit, such as --walltime=60, the answer is what is known by then, and "
                   "what to try next");
      return;
    case TP_UNKNOWN_OPEN:
      tp_str_add(out, r->hint && *r->hint ? r->hint : "state what the program leaves open");
      return;
    case TP_UNKNOWN_CANDIDATE: add_candidate_advice(r, out); return;
    case TP_UNKNOWN_PROOF: add_proof_advice(r, out); return;
    case TP_UNKNOWN_OBSTACLE: add_obstacle_advice(r, out); return;
  }
}

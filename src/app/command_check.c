/* twoproof check: load, search and confirm, conclude.
 *
 * Runs below the guard (process_guard.c). The search (portfolio.c) and every check of its answer
 * are workers forked from here after the program has been read, so that reading it is paid once. */
#include "app/commands.h"

#include "app/app_limits.h"
#include "app/entry_check.h"
#include "app/entry_load.h"
#include "app/entry_made.h"
#include "app/equal.h"
#include "app/exit.h"
#include "app/hints.h"
#include "app/module.h"
#include "app/options_intake.h"
#include "app/process_guard.h"
#include "app/project.h"
#include "app/requires.h"
#include "app/several.h"
#include "app/since.h"
#include "app/structure_share.h"
#include "app/wall_clock.h"
#include "app/witness_check.h"
#include "base/fault.h"

#include <signal.h>
#include <stdio.h>

static void on_signal(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

/* A function in two versions, and the program that compares them. */
static int load_equal(tp_session *s, tp_options *o, tp_equal *e) {
  s->bad_input = true;
  tp_session_give_up(s, "the versions of %s cannot be compared", o->entry);
  const tp_status st = tp_equal_prepare(o, s->diag, &s->arena, e);
  int status = st == TP_OK ? tp_session_load(s) : tp_session_cannot_load(s, st);
  if (status == 0) tp_equal_restrict(s, e);
  return status;
}

static int check_equal(tp_session *s, tp_options *o) {
  tp_equal e = {0};
  const int status = load_equal(s, o, &e);
  if (status == 0) {
    tp_session_decide(s);
    tp_equal_answer(s, &e);
  }
  tp_equal_clear(&e);
  tp_heartbeat_erase(&s->budget.heartbeat);
  return tp_conclude_and_clear(s, status);
}

/* The program, or the environment of a function of it, or the client of a module. */
static int load(tp_session *s, tp_options *o) {
  if (o->entry[0]) return tp_entry_load(s, o, tp_entry_first_arguments(o));
  int status = 0;
  if (o->module[0] && o->files.n > 0) {
    tp_module module;
    tp_module_init(&module);
    s->bad_input = true;
    tp_session_give_up(s, "the module cannot be read");
    const tp_status st = tp_module_prepare(o, s->diag, &s->arena, &module);
    if (st != TP_OK) status = tp_session_cannot_load(s, st);
    tp_module_clear(&module);
  }
  return status ? status : tp_session_load(s);
}

/* Facts of the user's are read first: their files are those of the command line, in whose place a
 * session may have others. */
static int check_program(tp_options *o) {
  tp_hints hints;
  tp_session s;
  const bool has_hints = tp_hints_read(o, &hints) == TP_OK;
  const char **files = tp_arena_array(&o->arena, const char *, o->files.n + 1),
             **made = tp_arena_array(&o->arena, const char *, o->files.n + 1);
  for (size_t i = 0; i < o->files.n; i++) files[i] = o->files.at[i];
  if (has_hints && o->entry[0] && strcmp(o->arguments, "invariant") == 0) {
    const int concluded = tp_entry_check_invariant(o, &hints);
    tp_hints_clear(&hints);
    return concluded;
  }
  tp_session_init(&s, o);
  s.bad_input = !has_hints;
  tp_session_give_up(&s, "the file of hints cannot be used");
  int status = has_hints ? load(&s, o) : TP_EXIT_INPUT;
  if (status == 0) tp_entry_decide(&s, &hints);
  if (status == 0 && tp_entry_is_doubtful(&s)) {
    status = tp_entry_check_again(&s, o, &hints, files, made);
  } else {
    if (status == 0 && o->entry[0] && tp_entry_first_arguments(o) == TP_ENTRY_BY_CALLS)
      tp_entry_made_answer(&s, NULL, NULL);
    status = tp_entry_conclude(&s, &hints, status);
  }
  tp_hints_clear(&hints);
  return status;
}

static int check_below_guard(void *ctx, int channel) {
  (void)channel;
  const tp_options *o = ctx;
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  tp_wall_clock_start(o->walltime);
  if (!o->witness[0] && !o->equal[0]) return check_program(ctx);
  tp_session s;
  tp_session_init(&s, o);
  return o->witness[0] ? tp_witness_check(&s, ctx) : check_equal(&s, ctx);
}

static int check_property(tp_options *o) {
  int status = TP_EXIT_USAGE;
  if (tp_outputs_are_writable(o) && (status = TP_EXIT_INPUT, tp_options_take_in(o, true))) {
    tp_guard_limits limits = {.cpu_s = o->timelimit,
                              .memory_bytes = (o->memlimit << 20) * 2,
                              .has_result = true,
                              .is_json = strcmp(o->format, "json") == 0};
    status = tp_guard_run(check_below_guard, o, limits);
  }
  return status;
}

static int print_harness(void *ctx, int channel) {
  (void)channel;
  tp_options *o = ctx;
  tp_environment_assumptions assumptions = {0};
  tp_session s;
  tp_session_init(&s, o);
  tp_equal e = {0};
  const tp_status st = o->equal[0] ? tp_equal_prepare(o, s.diag, &s.arena, &e)
                                   : tp_entry_prepare(o, tp_entry_first_arguments(o), s.diag,
                                                      &s.arena, &assumptions);
  const int status = st == TP_OK ? 0 : tp_session_cannot_load(&s, st);
  tp_vec_clear(&assumptions);
  tp_equal_clear(&e);
  tp_session_clear(&s);
  return status;
}

static int check_properties(tp_options *o) {
  if (tp_project_prepare(o) != 0) {
    tp_options_say_unreadable(o);
    return TP_EXIT_INPUT;
  }
  const char *const *properties;
  const size_t n = tp_several_properties(o, &properties);
  const bool is_alone = n == 1 && !o->all_functions;
  return is_alone ? check_property(o) : tp_several_check(o, properties, n, check_property);
}

/* Of the files that were named; of all units of a project where none was. */
static int check_functions(tp_options *o) {
  if (tp_project_prepare(o) == 0) return tp_entry_check_all(o, check_properties);
  tp_options_say_unreadable(o);
  return TP_EXIT_INPUT;
}

/* --equal OLD.c NEW.c FUNC: the function stands behind the files, unless --entry names it. */
static bool complete_equal(tp_options *o) {
  if (!o->entry[0] && o->files.n > 1) o->entry = o->files.at[--o->files.n];
  if (!o->entry[0] || o->files.n == 0)
    fputs("twoproof: --equal compares a function of two files: --equal OLD.c NEW.c FUNC\n", stderr);
  else if (o->all_functions || o->module[0] || o->witness[0] || o->monitor[0] || o->project[0])
    fputs(
        "twoproof: --equal compares one function: without --all-functions, --module, --witness, "
        "--monitor, --project\n",
        stderr);
  else if (o->all || !tp_option_is_default(o, "property"))
    fputs("twoproof: --equal has a property of its own: without --property, --all\n", stderr);
  else {
    o->property = tp_property_name(TP_P_EQUAL);
    return true;
  }
  return false;
}

/* The two versions of a function, which --since names. */
static int check_versions(tp_options *o) {
  o->all_functions = o->all = 0;
  return check_property(o);
}

static bool complete_options(tp_options *o) {
  if (o->since[0]) o->all_functions = 1;
  if (o->equal[0]) return complete_equal(o);
  const bool has_entry = o->entry[0] || o->all_functions;
  if (o->entry[0] && o->all_functions)
    fputs("twoproof: --entry and --all-functions exclude each other\n", stderr);
  else if (o->harness && !o->entry[0])
    fputs("twoproof: --harness prints the environment of a function: --entry=FUNC names it\n",
          stderr);
  else if (o->since[0] && (o->project[0] || !o->files.n))
    fputs("twoproof: --since compares files that are named: without --project\n", stderr);
  else if (o->witness[0] && (has_entry || o->module[0] || o->monitor[0] || o->all || o->unroll))
    fputs(
        "twoproof: --witness is about one property of a whole program: without --entry, "
        "--all-functions, --module, --monitor, --all, --unroll\n",
        stderr);
  else if (o->precondition[0] && !has_entry)
    fputs("twoproof: --requires is about calls of a function: --entry=FUNC names it\n", stderr);
  else if (tp_requires_is_usable(o)) {
    if (has_entry && !o->all && tp_option_is_default(o, "property"))
      o->property = tp_entry_properties;
    return true;
  }
  return false;
}

int tp_command_check(int argc, char **argv) {
  tp_options o;
  tp_guard_own_memory(true);
  tp_options_parse(&o, TP_FOR_CHECK, argc, argv);
  int status = TP_EXIT_USAGE;
  const bool is_complete = complete_options(&o);
  if (is_complete && (o.entry[0] || o.all_functions)) o.invariants = tp_shared_structures_new();
  if (!is_complete)
    ;
  else if (o.harness)
    status = tp_options_take_in(&o, true) ? tp_guard_run(print_harness, &o, (tp_guard_limits){0})
                                          : TP_EXIT_INPUT;
  else
    status = o.since[0]                   ? tp_since_check(&o, check_properties, check_versions)
             : !o.all_functions           ? check_properties(&o)
             : o.project[0] && !o.files.n ? tp_project_check_units(&o, check_functions)
                                          : check_functions(&o);
  tp_shared_structures_free(o.invariants);
  tp_options_clear(&o);
  return status;
}

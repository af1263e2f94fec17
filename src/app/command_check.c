/* twoproof check: load, search and confirm, conclude.
 *
 * Runs below the guard (process_guard.c). The search (portfolio.c) and every check of its answer
 * are workers forked from here after the program has been read, so that reading it is paid once. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/process_guard.h"
#include "app/portfolio.h"
#include "app/several.h"
#include "app/wall_clock.h"
#include "base/fault.h"
#include "proof/proof_engines.h"

#include <signal.h>
#include <stdio.h>

// ---------------------------------------------------------------------- search

/* The reason names something that the model cannot say: then the input is what cannot be handled.
 */
static void blame_unsupported(tp_session *s) {
  if (s->now.verdict != TP_VERDICT_UNKNOWN) return;
  const char *reason = tp_str_text(&s->now.reason);
  for (size_t i = 1; i < s->program->unsupported.n; i++) {
    const tp_unsupported *u = &s->program->unsupported.at[i];
    size_t n = strlen(u->what);
    if (strncmp(reason, u->what, n) != 0 || strncmp(reason + n, " at ", 4) != 0) continue;
    tp_diag_say(s->diag, TP_ERROR, u->pos, "unsupported", "%s", u->what);
    s->bad_input = true;
    s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_CONSTRUCT, .pos = u->pos};
    return;
  }
}

/* unreach-call, the default, is about asserts: a program without any has nothing to fail. */
static void note_missing_checks(const tp_session *s, const tp_features *f) {
  const bool is_whole = s->program->unsupported.n <= 1;  // behind what has no model, nobody looks
  if (s->property != TP_P_UNREACH_CALL || f->n_checks > 0 || s->o->monitor[0] || !is_whole) return;
  fprintf(stderr,
          "Note: main reaches no assert that could fail, and no call of reach_error: unreach-call "
          "says nothing about this program%s\n",
          s->o->all ? "" : " (--all: memory and arithmetic, too)");
}

void tp_session_decide(tp_session *s) {
  tp_fault_enter_phase("features");
  const tp_engine *engine = tp_engine_find(s->o->engine);
  tp_features f = tp_features_of(s->program, s->property);
  tp_schedule schedule = tp_schedule_of(&f);
  s->advice = tp_schedule_advice(&f, &schedule);
  note_missing_checks(s, &f);
  tp_str text = {0};
  tp_features_print(&f, &text);
  s->features = tp_arena_strdup(&s->arena, tp_str_text(&text));
  tp_str_clear(&text);
  if (!engine && s->o->unroll) engine = &tp_engine_bmc;  // the one that knows bounds
  if (engine) {
    const bool is_chosen = tp_engine_find(s->o->engine) != NULL;
    schedule.n = 1;
    schedule.at[0] = (tp_schedule_entry){.name = is_chosen ? s->o->engine : engine->name,
                                         .engine = engine,
                                         .composition = s->o->composition,
                                         .share = 1};
  }
  tp_fault_enter_phase("search");
  tp_portfolio_run(s, &schedule);
  blame_unsupported(s);
}

// ---------------------------------------------------------------------- command

static void on_signal(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

static int check_below_guard(void *ctx, int channel) {
  (void)channel;
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  tp_session s;
  tp_session_init(&s, ctx);
  tp_wall_clock_start(s.o->walltime);
  int status = tp_session_load(&s);
  if (status == 0) tp_session_decide(&s);
  tp_heartbeat_erase(&s.budget.heartbeat);
  return tp_conclude_and_clear(&s, status);
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

int tp_command_check(int argc, char **argv) {
  tp_options o;
  tp_guard_own_memory(true);
  tp_options_parse(&o, TP_FOR_CHECK, argc, argv);
  const char *const *properties;
  const size_t n = tp_several_properties(&o, &properties);
  const int status =
      n > 1 ? tp_several_check(&o, properties, n, check_property) : check_property(&o);
  tp_options_clear(&o);
  return status;
}

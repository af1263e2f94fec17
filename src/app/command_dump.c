/* twoproof dump: the program model as text or as a graph; the schedule that `auto` has for it. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/process_guard.h"
#include "app/limits_table.h"
#include "app/options_intake.h"
#include "app/session.h"
#include "auto/schedule.h"
#include "base/nearest.h"

#include <signal.h>
#include <stdio.h>

static void print_schedule(const tp_session *s, tp_str *out) {
  const tp_features f = tp_features_of(s->program, s->property);
  const tp_schedule schedule = tp_schedule_of(&f);
  tp_str_add(out, "program: ");
  tp_features_print(&f, out);
  tp_str_add_char(out, '\n');
  tp_schedule_print(&schedule, out);
}

/* Of functions, as the engine smash finds them for the property. */
static void print_summaries(const tp_session *s, tp_str *out) {
  const tp_task task = {.program = s->program, .property = s->property, .seed = 1};
  const tp_budget budget = {.cpu_s = s->o->timelimit};
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  tp_engine_find("smash")->run(&task, &budget, &stats, &result);
  tp_str_add_n(out, tp_str_text(&result.summaries), result.summaries.n);
  tp_result_clear(&result);
}

/* The function that --function names, NONE without the option; false: there is none of this name.
 */
static bool find_function(const tp_session *s, tp_func *out) {
  const tp_program *p = s->program;
  const char *name = s->o->function;
  *out = TP_FUNC_NONE;
  if (!name[0]) return true;
  const char **names = TP_NEW_ARRAY(const char *, p->funcs.n + 1);
  size_t n = 0;
  for (uint32_t i = 1; i < p->funcs.n; i++) {
    if (p->funcs.at[i].has_body && strcmp(p->funcs.at[i].name, name) == 0) *out = (tp_func){i};
    if (p->funcs.at[i].has_body && !p->funcs.at[i].is_model) names[n++] = p->funcs.at[i].name;
  }
  if (!out->id) {
    tp_str why = {0};
    tp_add_known_names(&why, name, names);
    fprintf(stderr, "twoproof: no function '%s' with a body%s\n", name, tp_str_text(&why));
    tp_str_clear(&why);
  }
  tp_free(names);
  return out->id != 0;
}

static int dump_below_guard(void *ctx, int channel) {
  const tp_options *o = ctx;
  (void)channel;
  signal(SIGPIPE, SIG_IGN);
  tp_session s;
  tp_session_init(&s, o);
  int status = tp_session_load(&s);
  tp_func only;
  if (s.program && !find_function(&s, &only)) {
    status = TP_EXIT_USAGE;
  } else if (s.program) {
    tp_str text = {0};
    if (o->schedule)
      print_schedule(&s, &text);
    else if (o->summaries)
      print_summaries(&s, &text);
    else if (o->dot)
      tp_program_print_function_dot(s.program, only, &text);
    else
      tp_program_print_function(s.program, only, &text);
    fwrite(tp_str_text(&text), 1, text.n, stdout);
    tp_str_clear(&text);
  }
  tp_session_clear(&s);
  return status;
}

static int dump_limits(void) {
  tp_str text = {0};
  tp_limits_print(&text);
  const bool is_written =
      fwrite(tp_str_text(&text), 1, text.n, stdout) == text.n && !fflush(stdout);
  tp_str_clear(&text);
  return is_written ? TP_EXIT_TRUE : TP_EXIT_OUTPUT;
}

int tp_command_dump(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_DUMP, argc, argv);
  if (o.limits) {
    tp_options_clear(&o);
    return dump_limits();
  }
  const int status = !tp_options_take_in(&o, false)
                         ? TP_EXIT_INPUT
                         : tp_guard_run(dump_below_guard, &o, (tp_guard_limits){0});
  tp_options_clear(&o);
  return status;
}

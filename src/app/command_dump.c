/* twoproof dump: the program model as text or as a graph; the schedule that `auto` has for it. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/process_guard.h"
#include "app/limits_table.h"
#include "app/session.h"
#include "auto/schedule.h"

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

static int dump_below_guard(void *ctx, int channel) {
  const tp_options *o = ctx;
  (void)channel;
  signal(SIGPIPE, SIG_IGN);
  tp_session s;
  tp_session_init(&s, o);
  int status = tp_session_load(&s);
  if (s.program) {
    tp_str text = {0};
    if (o->schedule)
      print_schedule(&s, &text);
    else if (o->dot)
      tp_program_print_dot(s.program, &text);
    else
      tp_program_print(s.program, &text);
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

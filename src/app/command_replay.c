/* twoproof replay: one test on the concrete machine and on builds of both compilers. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/options_intake.h"
#include "app/process_guard.h"
#include "app/project.h"
#include "app/session.h"
#include "app/test_head.h"
#include "report/report.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

typedef struct {
  tp_options *o;
  const char *test;
} replay_command;

static bool read_test(tp_session *s, const char *path) {
  tp_str text = {0}, why = {0};
  bool ok = tp_read_file(path, &text) == TP_OK;
  if (!ok)
    tp_str_add(&why, strerror(errno));
  else
    ok = tp_inputs_read(tp_str_text(&text), &s->now.result.inputs, &why) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: test %s: %s\n", path, tp_str_text(&why));
  tp_str_clear(&text);
  tp_str_clear(&why);
  return ok;
}

/* What the test says of its run counts where the command line says nothing. False: it cannot, which
 * has been said. A test that cannot be read is refused later. */
static bool take_head(replay_command *c) {
  tp_str text = {0}, why = {0};
  const bool ok =
      tp_read_file(c->test, &text) != TP_OK || tp_test_head_take(tp_str_text(&text), c->o, &why);
  if (!ok) fprintf(stderr, "twoproof: test %s: %s\n", c->test, tp_str_text(&why));
  tp_str_clear(&text);
  tp_str_clear(&why);
  return ok;
}

/* Nothing where the interpreter's run does not fail: then the compiled program was not tried. */
static void print_native(const tp_session *s) {
  if (!s->now.native.harness.n || strcmp(s->o->format, "json") == 0) return;
  for (int c = 0; c < TP_CHK_N_NATIVE; c++) {
    const tp_chk_native_result *r = &s->now.native.by[c];
    printf("%-10s %s%s%s\n", tp_chk_native_compilers[c], tp_chk_native_outcome_name(r->outcome),
           r->detail.n ? ": " : "", tp_str_text(&r->detail));
  }
}

static int replay_below_guard(void *ctx, int channel) {
  replay_command *c = ctx;
  (void)channel;
  signal(SIGPIPE, SIG_IGN);
  const bool is_head_taken = take_head(c);
  tp_session s;
  tp_session_init(&s, c->o);
  s.now.engine = "replay";
  s.has_given_inputs = true;
  int status = is_head_taken ? tp_session_load(&s) : 0;
  if (!is_head_taken || (status == 0 && !read_test(&s, c->test))) {
    status = TP_EXIT_INPUT;
    tp_session_give_up(&s, "the test cannot be read");
  }
  if (status == 0) {
    tp_confirm_false(&s);
    print_native(&s);
  }
  return tp_conclude_and_clear(&s, status);
}

int tp_command_replay(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_REPLAY, argc, argv);
  int status = TP_EXIT_USAGE;
  if (o.files.n < (o.project[0] ? 1 : 2)) {
    fprintf(stderr, "twoproof replay: a program and a test are needed\n");
  } else {
    const char *test = tp_vec_pop(&o.files);  // no file of a project
    const bool is_ready = tp_project_prepare(&o) == 0;
    tp_vec_push(&o.files, test);
    const bool can_read = is_ready && tp_options_take_in(&o, true);
    replay_command c = {&o, tp_vec_pop(&o.files)};
    status = !can_read ? TP_EXIT_INPUT
                       : tp_guard_run(replay_below_guard, &c,
                                      (tp_guard_limits){.has_result = true,
                                                        .is_json = strcmp(o.format, "json") == 0});
  }
  tp_options_clear(&o);
  return status;
}

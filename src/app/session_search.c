/* The search for a verdict: which engines look for it, by the features of the program, and what is
 * said before they start. */
#include "app/session.h"

#include "app/portfolio.h"
#include "base/fault.h"
#include "proof/proof_engines.h"

#include <stdio.h>

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

void tp_session_search(tp_session *s) {
  tp_fault_enter_phase("features");
  const tp_engine *engine = tp_engine_find(s->o->engine);
  tp_features f = tp_features_of(s->program, s->property);
  tp_schedule schedule = tp_schedule_of(&f);
  if (s->candidates.n) tp_schedule_prefer_claims(&schedule);
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

/* Rounds: a failure that is known is no failure for the search any more. Each round is a search of
 * its own, in workers that change their copy of the program (tp_session_exempt_known); the
 * session's program stays as it is, so that paths and replays are those of the whole program. */
#include "app/session.h"

#include "app/app_limits.h"

/* A function may be there in several copies: the place in the source counts. */
static bool is_same_place(const tp_program *p, tp_loc a, tp_loc b) {
  const tp_loc_info *x = tp_loc_of(p, a), *y = tp_loc_of(p, b);
  const bool is_known = tp_pos_known(x->pos) && tp_pos_known(y->pos);
  if (!is_known) return a.id == b.id;
  return x->error == y->error && x->pos.file == y->pos.file && x->pos.line == y->pos.line &&
         x->pos.column == y->pos.column;
}

void tp_session_set_aside(tp_session *s) {
  TP_REQUIRE(s && s->now.error.id);
  const tp_program *p = s->program;
  for (uint32_t l = 1; l < p->locs.n; l++) {
    if (p->locs.at[l].error == TP_P_NONE || !is_same_place(p, (tp_loc){l}, s->now.error)) continue;
    tp_vec_push(&s->known, (tp_loc){l});
  }
}

void tp_session_start_round(tp_session *s) {
  tp_attempt_init(&s->now, s->o->engine);
  tp_session_give_up(s, "nothing was tried");
  tp_board_clear(&s->board);
  s->findings.n = 0;
  if (s->o->timelimit <= 0) s->budget.limit_s = tp_budget_used_s() + TP_APP_FURTHER_FAILURE_S;
}

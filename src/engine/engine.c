/* Budgets of engines, and the life of a result. */
#include "engine/engine.h"

#include "engine/invariants.h"

double tp_engine_left_s(const tp_budget *b, double start_s) {
  return b->cpu_s > 0 ? b->cpu_s - (tp_cpu_s() - start_s) : 1e6;
}

double tp_engine_share_s(const tp_budget *b, double start_s, double share) {
  TP_REQUIRE(share > 0 && share <= 1);
  const double least_s = 1e-3;
  if (b->cpu_s <= 0) return 0;
  double s = share * tp_engine_left_s(b, start_s);
  return s > least_s ? s : least_s;
}

bool tp_engine_is_over(const tp_budget *b, double start_s) {
  return tp_engine_left_s(b, start_s) <= 0 || (b->should_stop && b->should_stop(b->ctx));
}

tp_budget tp_engine_sub_budget(const tp_budget *b, double start_s, double share) {
  tp_budget part = *b;
  part.cpu_s = tp_engine_share_s(b, start_s, share);
  return part;
}

void tp_engine_report_phase(const tp_budget *b, const tp_stats *stats, const char *phase) {
  if (b->progress) b->progress(b->ctx, stats, phase);
}

void tp_result_init(tp_result *r) {
  memset(r, 0, sizeof *r);
  tp_arena_init(&r->arena);
  tp_inputs_init(&r->inputs);
}

void tp_result_clear(tp_result *r) {
  tp_inputs_clear(&r->inputs);
  tp_str_clear(&r->certificate);
  tp_vec_clear(&r->assumptions);
  tp_invariants_free(r->invariants);
  tp_str_clear(&r->invariants_text);
  tp_str_clear(&r->precision);
  tp_str_clear(&r->summaries);
  tp_vec_clear(&r->pictures);
  tp_vec_clear(&r->reach.checks);
  tp_vec_clear(&r->reach.cuts);
  tp_vec_clear(&r->claims);
  tp_vec_clear(&r->proved);
  tp_vec_clear(&r->unproved);
  tp_arena_clear(&r->arena);
}

void tp_result_give_up_at(tp_result *r, tp_obstacle obstacle, const char *reason,
                          const char *hint) {
  TP_REQUIRE(reason && *reason);
  TP_REQUIRE(obstacle.kind < TP_N_OBSTACLES);
  r->verdict = TP_VERDICT_UNKNOWN;
  r->obstacle = obstacle;
  r->reason = reason;
  r->hint = hint;
}

void tp_result_give_up(tp_result *r, const char *reason, const char *hint) {
  tp_result_give_up_at(r, (tp_obstacle){.kind = TP_OBSTACLE_OTHER}, reason, hint);
}

void tp_result_set_invariants(tp_result *r, tp_invariants *invariants) {
  TP_REQUIRE(!invariants || invariants != r->invariants);
  tp_invariants_free(r->invariants);
  r->invariants = invariants;
}

void tp_result_write_invariants(tp_result *r, const tp_program *p) {
  TP_REQUIRE(!r->invariants || r->invariants->fingerprint == tp_program_fingerprint(p));
  tp_str_clear(&r->invariants_text);
  if (!r->invariants || r->verdict == TP_VERDICT_TRUE) return;
  if (!tp_invariants_write(r->invariants, p, &r->invariants_text))
    tp_str_clear(&r->invariants_text);
}

bool tp_engine_delegate(const tp_engine *engine, const tp_task *task, const tp_budget *budget,
                        tp_verdict wanted, tp_stats *own, tp_result *out) {
  TP_REQUIRE(engine && wanted != TP_VERDICT_TRUE);
  tp_result r;
  tp_result_init(&r);
  engine->run(task, budget, own, &r);
  TP_INVARIANT(r.verdict != TP_VERDICT_TRUE || r.certificate.n > 0);
  bool takes = wanted == TP_VERDICT_UNKNOWN ? r.verdict != TP_VERDICT_UNKNOWN : r.verdict == wanted;
  tp_result other = takes ? *out : r;
  if (takes) *out = r;
  tp_result_clear(&other);
  return takes;
}

const char *tp_position_text(const tp_program *p, tp_pos pos, tp_arena *arena) {
  tp_str s = {0};
  if (p->diag) tp_pos_print(p->diag, pos, &s);
  const char *text = tp_arena_strdup(arena, tp_str_text(&s));
  tp_str_clear(&s);
  return text;
}

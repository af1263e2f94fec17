/* Random runs of the compiled program: the only check of a proof that shares neither the model nor
 * its translation. One build, then one sandboxed process for each seed. */
#include "certify/runs/native_replay_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One entry for each function that may ask. What library models ask the environment for is left to
 * the real library. */
static void name_sources(const tp_program *p, tp_inputs *out) {
  tp_map done = {0};
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind != TP_E_HAVOC || (e->input != TP_I_NONDET && e->input != TP_I_EXTERN) || !e->name ||
        !e->var.id)
      continue;
    uint64_t key = tp_hash_bytes(e->name, strlen(e->name), 0);
    if (tp_map_has(&done, key)) continue;
    tp_map_set(&done, key, 1);
    tp_sort s = tp_sort_of(p->terms, tp_var_of(p, e->var)->term);
    bool is_signed = e->type.id && tp_type_of(p, e->type)->is_signed;
    tp_inputs_add(out, (tp_input){.kind = e->input,
                                  .width_bits = tp_sort_width(p->terms, s),
                                  .is_signed = is_signed,
                                  .is_float = tp_sort_kind_of(p->terms, s) == TP_SORT_FP,
                                  .name = e->name,
                                  .pos = e->pos});
  }
  tp_map_clear(&done);
}

/* "twoproof: answer NAME HIGH LOW", a line for each answer. */
static void read_answers(const char *text, const tp_inputs *sources, tp_inputs *out) {
  static const char mark[] = "twoproof: answer ";
  for (const char *at = strstr(text, mark); at; at = strstr(at, mark)) {
    at += sizeof mark - 1;
    size_t n = strcspn(at, " \n");
    for (size_t i = 0; i < sources->v.n; i++) {
      tp_input in = sources->v.at[i];
      if (strlen(in.name) != n || strncmp(in.name, at, n) != 0 || at[n] != ' ') continue;
      char *low;
      tp_u128 high = strtoull(at + n, &low, 16);
      in.bits = high << 64 | strtoull(low, NULL, 16);
      tp_inputs_add(out, in);
    }
  }
}

static tp_status run_seed(tp_chk_native_job *j, const char **env, size_t n_env, uint64_t seed,
                          tp_process *p) {
  char text[48];
  snprintf(text, sizeof text, "TWOPROOF_SEED=%" PRIu64, seed);
  env[n_env] = text;
  env[n_env + 1] = NULL;
  static const char *const arguments[] = {"program", NULL};
  tp_process_spec spec = tp_chk_native_run(j, TP_CHK_NATIVE_CLANG, arguments, env, 1);
  spec.limits.resident_bytes = 1024u << 20;
  spec.limits.output_bytes = 2 << 20;
  return tp_process_run(p, spec);
}

// ------------------------------------------------------------- does it count?

/* The answers of a native run, told to the concrete machine; what only the model asks is zero. */
typedef struct {
  const tp_inputs *answers;
  size_t next;
} retelling;

static bool retell(void *ctx, tp_input *io) {
  retelling *r = ctx;
  io->bits = 0;
  io->bytes = NULL;
  io->n_bytes = 0;
  if (io->width_bits == 0 || (io->kind != TP_I_NONDET && io->kind != TP_I_EXTERN)) return true;
  if (r->next < r->answers->v.n && strcmp(r->answers->v.at[r->next].name, io->name) == 0)
    io->bits = r->answers->v.at[r->next++].bits;
  return true;
}

static bool meets_assumptions(const tp_program *p, const tp_inputs *answers) {
  retelling r = {.answers = answers};
  tp_oracle oracle = {&r, retell};
  tp_run_end end = tp_exec_main(p, &oracle, (tp_run_limits){0}, NULL).end;
  return end != TP_END_INVALID && end != TP_END_BLOCKED;
}

// ------------------------------------------------------------------------ runs

typedef struct {
  uint64_t seed;  // of the first run
  uint32_t runs;
  double cpu_s;
  tp_inputs *answers;  // of the run that contradicts the proof
  uint32_t done;
  bool contradicted;
  bool reached_limit;  // a run did not end: those to come would wait as long
} campaign;

static tp_status run_seeds(tp_chk_native_job *j, campaign *c) {
  TP_REQUIRE(j->r->is_random && c->answers && c->done == 0);
  const char **env = tp_chk_native_environment(j, TP_CHK_NATIVE_CLANG);
  size_t n_env = 0;
  while (env[n_env]) n_env++;
  double used_s = 0;
  tp_status st = TP_OK;
  while (c->done < c->runs && !c->contradicted && !c->reached_limit && st == TP_OK &&
         (c->cpu_s <= 0 || used_s < c->cpu_s)) {
    tp_process p;
    st = run_seed(j, env, n_env, c->seed + c->done, &p);
    used_s += p.cpu_s;
    c->reached_limit = tp_process_hit_limit(&p);
    if (st == TP_OK && !c->reached_limit) c->done++;
    if (st == TP_OK && tp_chk_native_shows(j, &p)) {
      tp_inputs_clear(c->answers);
      tp_inputs_init(c->answers);
      read_answers(tp_str_text(&p.err), j->r->inputs, c->answers);
      c->contradicted = meets_assumptions(j->r->program, c->answers);
    }
    tp_process_clear(&p);
  }
  return st;
}

static tp_status run_campaign(tp_chk_native_request *r, campaign *c, tp_str *detail) {
  tp_chk_native_report builds = {0};
  tp_chk_native_job j = {.r = r, .report = &builds};
  tp_status st = tp_chk_native_prepare(&j);
  if (st == TP_OK) {
    tp_chk_native_build(&j);
    tp_str_add(detail, tp_str_text(&builds.by[TP_CHK_NATIVE_CLANG].detail));
    if (builds.by[TP_CHK_NATIVE_CLANG].outcome == TP_CHK_NATIVE_NOT) st = run_seeds(&j, c);
  }
  tp_chk_native_job_clear(&j);
  tp_chk_native_report_clear(&builds);
  return st;
}

tp_certify_result tp_certify_run_native(const tp_chk_native_request *request, tp_property prop,
                                        uint64_t seed, uint32_t runs, double cpu_s,
                                        tp_inputs *counterexample, tp_certify_report *report) {
  tp_inputs sources;
  tp_inputs_init(&sources);
  name_sources(request->program, &sources);
  tp_chk_native_request r = *request;
  r.violated = prop == TP_P_VALID_MEMSAFETY ? TP_P_VALID_DEREF
               : prop == TP_P_EQUAL         ? TP_P_UNREACH_CALL
                                            : prop;
  r.inputs = &sources;
  r.is_random = true;
  campaign c = {.seed = seed, .runs = runs, .cpu_s = cpu_s, .answers = counterexample};
  tp_str detail = {0};
  tp_status st = run_campaign(&r, &c, &detail);
  report->queries = c.done;
  tp_certify_result result = TP_CERTIFY_ACCEPTED;
  if (c.contradicted) {
    result = TP_CERTIFY_REJECTED;
    tp_str_printf(&report->why,
                  "the compiled program contradicts the proof (random run %" PRIu64 ")",
                  seed + c.done - 1);
  } else if (c.reached_limit) {
    result = TP_CERTIFY_UNDECIDED;
    tp_str_printf(&report->why,
                  "%u random runs of the compiled program, the next one did not end in time",
                  c.done);
  } else if (c.done == 0) {
    result = TP_CERTIFY_UNDECIDED;
    tp_str_printf(&report->why, "no random run of the compiled program (%s)",
                  detail.n ? detail.text : tp_status_name(st));
  }
  tp_str_clear(&detail);
  tp_inputs_clear(&sources);
  return result;
}

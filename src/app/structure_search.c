/* Three programs, each about the module's structures (environment_structures.c), are run or proved:
 *
 *   probe        which results of initialisers say that there is an object?
 *   samples      candidates are what holds in every state that random calls come to.
 *   obligations  from states with all candidates that are left, one call of any function. Random
 *                runs, then bounded checking look for one that breaks a candidate; all that it
 *                breaks are out, and the rest is tried again. What no engine breaks is proved: all
 *                functions together where that is done by one certificate, else one by one.
 *
 * It ends: each round has fewer candidates than the one before, or is the last. */
#include "app/structure_search.h"

#include "app/app_limits.h"
#include "app/entry.h"
#include "app/entry_made.h"
#include "app/made_source.h"
#include "app/straight.h"
#include "app/structure_accesses.h"
#include "app/structure_share.h"
#include "app/structure_states.h"
#include "program/constant_params.h"
#include <stdio.h>

typedef struct tp_structure_search {
  tp_options *o;
  tp_arena own, *arena;  // arena: own
  tp_entry_module m;
  tp_diag *diag;
  tp_makers makers;
  tp_structure_finding finding, *out;  // out: finding
  double end_s;
  tp_environment_assumptions assumed;        // by arguments of obligations
  uint32_t first_checks[TP_APP_STRUCTURES];  // lines of the program of obligations
  TP_VEC(tp_loc) errors;                     // of the program of obligations
  bool *has_state;                           // by structure: some run has come to one
  int64_t constants[TP_APP_PRECONDITION_CONSTANTS];
  size_t n_constants;
  size_t grown;  // bytes of candidates that were added in a session, which outlive it
  // of probes, by function: was an object left as it was, was one changed, by the sign of the
  // result
  bool (*untouched)[3], (*touched)[3];
} search;

static bool is_over(const search *q) {
  return tp_budget_used_s() >= q->end_s || tp_process_interrupted();
}

// --------------------------------------------------------------------- structures

static const tp_type_info *type_of(const search *q, tp_type t) { return tp_type_of(q->m.p, t); }

static bool add_structure(search *q, tp_type handle) {
  tp_made_structures *all = &q->out->structures;
  if (tp_structures_find(all, &q->makers, handle) < all->list.n) return false;
  tp_made_structure s;
  tp_made_structure_init(&s, q->m.p, handle, q->arena);
  tp_vec_push(&all->list, s);
  return true;
}

static bool has_structure(const search *q, tp_type t) {
  return t.id && tp_makers_is_handle(&q->makers, t) && type_of(q, t)->element.id &&
         type_of(q, type_of(q, t)->element)->kind == TP_T_STRUCT &&
         tp_makers_has_any(&q->makers, t);
}

/* The structures that the function takes and the module makes. */
static bool add_structures_of(search *q, tp_func f) {
  const tp_func_info *info = tp_func_of(q->m.p, f);
  bool is_new = false;
  if (!info->type.id) return false;
  const tp_type_info *t = type_of(q, info->type);
  for (uint32_t i = 0; i < t->n_params; i++)
    if (has_structure(q, t->params[i])) is_new |= add_structure(q, t->params[i]);
  return is_new;
}

static void refuse(search *q, const char *obstacle) {
  if (!q->out->obstacle) q->out->obstacle = obstacle;
}

/* Is one of the function's arguments no structure in use, before or behind the call? */
static bool is_special(tp_use_kind kind) {
  return kind == TP_USE_INITIALISES || kind == TP_USE_REPLACES || kind == TP_USE_ENDS;
}

/* A function that takes several structures is one use: what it does to one of them that is special
 * counts. */
static void add_use(search *q, tp_made_structure_use use) {
  tp_made_structure_uses *uses = &q->out->structures.uses;
  size_t i = 0;
  while (i < uses->n && uses->at[i].func.id != use.func.id) i++;
  if (i == uses->n)
    tp_vec_push(uses, use);
  else if (is_special(use.kind) && !is_special(uses->at[i].kind))
    uses->at[i] = use;
  else if (is_special(use.kind) && uses->at[i].parameter != use.parameter)
    refuse(q, tp_arena_printf(q->arena, "%s does different things to its structures",
                              tp_func_of(q->m.p, use.func)->name));
}

/* What users can call; a structure that such a function takes beside has an invariant, too. Behind
 * an obstacle it goes on: what initialisers return is asked all the same. */
static void list_uses(search *q) {
  tp_made_structures *all = &q->out->structures;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (uint32_t f = 1; f <= q->m.n_exported; f++)
      for (size_t k = 0; k < all->list.n; k++) {
        tp_made_structure_use use = {.func = {f}};
        const char *obstacle = NULL;
        use.kind = tp_makers_use(&q->makers, use.func, all->list.at[k].handle, &use.parameter,
                                 q->arena, &obstacle);
        if (obstacle) refuse(q, obstacle);
        if (use.kind == TP_USE_NONE) continue;
        add_use(q, use);
        has_more |= all->list.n < TP_APP_STRUCTURES && add_structures_of(q, use.func);
      }
  }
  bool *is_exposed = tp_arena_array(q->arena, bool, q->m.p->funcs.n + 1);
  tp_program_find_exposed(q->m.p, is_exposed);
  for (size_t k = 0; k < all->list.n; k++) {
    const char *hidden =
        tp_makers_hidden_use(&q->makers, is_exposed, all->list.at[k].handle, q->arena);
    if (hidden) refuse(q, hidden);
  }
  const char *array =
      tp_environment_array_of_structures(q->m.p, all, q->m.func, &q->m.options, q->arena);
  if (array) refuse(q, array);
  for (size_t k = 0; k < all->list.n; k++)
    if (all->list.at[k].obstacle)
      refuse(q, tp_arena_printf(q->arena, "%s: %s", all->list.at[k].structure,
                                all->list.at[k].obstacle));
  if (all->list.n == 0)
    refuse(q, "no function of the module makes a structure that it takes");
  else if (all->list.n > TP_APP_STRUCTURES)
    refuse(q, "its functions take too many structures");
}

/* Is the variable one that models of the library keep, as theirs is what it holds? */
static bool is_of_models(const tp_program *p, const char *name, tp_pos pos) {
  if (strncmp(name, "__tp_", 5) == 0 || !tp_pos_known(pos)) return true;
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_model && p->funcs.at[f].pos.file == pos.file) return true;
  return false;
}

/* Variables that are no constants, of the module or of what it includes or is linked with: what
 * they hold between calls no fact says. */
static const char *mutable_variable(const search *q) {
  const tp_program *p = q->m.p;
  for (size_t i = 1; i < p->statics.n; i++) {
    const tp_static *s = &p->statics.at[i];
    const bool is_literal = strncmp(s->name, ".compoundliteral", 16) == 0;
    if (s->kind == TP_O_GLOBAL && !s->is_const && !s->is_extern && is_literal)
      return "one without a name";
    if (s->kind == TP_O_GLOBAL && !s->is_const && s->type.id && s->name[0] && !s->is_extern &&
        !is_of_models(p, s->name, s->pos))
      return s->name;
  }
  for (size_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && !v->is_address && v->type.id && v->name[0] != '.' &&
        !is_of_models(p, v->name, v->pos))
      return v->name;
  }
  return NULL;
}

/* A function of the library that goes on where an earlier call of it has ended: what that has left
 * no fact says. errno is free in the programs about structures. */
static const char *library_memory(const search *q) {
  static const char *const names[] = {"strtok", "getopt", "getopt_long", "getopt_long_only"};
  for (size_t f = 1; f < q->m.p->funcs.n; f++)
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strcmp(q->m.p->funcs.at[f].name, names[i]) == 0) return names[i];
  return NULL;
}

// ----------------------------------------------------------------------- programs

/* A session with the program in place of the function's file, for unreach-call. False: it cannot be
 * read; the session is to be cleared all the same. */
static bool open_program(search *q, tp_session *s, tp_structures_program what, const bool *wanted,
                         tp_str *text) {
  tp_options *o = q->o;
  tp_environment_options options = q->m.options;
  if (what == TP_STRUCTURES_SAMPLES) options.operations = TP_APP_STRUCTURE_OPERATIONS;
  const uint32_t n =
      tp_environment_write_structures(q->m.p, &q->out->structures, what, wanted, q->m.func,
                                      q->m.file, &options, q->arena, text, &q->assumed);
  const char *output = o->output, *property = o->property, *places = o->places,
             *file = o->files.at[q->m.at];
  if (what != TP_STRUCTURES_OBLIGATIONS) o->output = "";  // these stand beside the evidence
  o->property = tp_property_name(TP_P_UNREACH_CALL);
  o->places = "memory";
  const char *path = n > 0 ? tp_made_source(o, "structures.c", text, q->arena) : NULL;
  if (path) o->files.at[q->m.at] = path;
  tp_session_init(s, o);
  s->budget.limit_s = q->end_s;
  const bool is_read = path && tp_session_load(s) == 0;
  o->output = output;
  o->property = property;
  o->places = places;
  o->files.at[q->m.at] = file;
  if (is_read) tp_entry_guard_errors(s->program);
  if (is_read && what == TP_STRUCTURES_OBLIGATIONS)
    tp_structure_accesses_are_errors(s->program, TP_P_UNREACH_CALL);
  return is_read;
}

// -------------------------------------------------------------------------- probe

static void see_probe(void *ctx, size_t structure, const tp_field_value *values, int64_t sign,
                      uint32_t use) {
  search *q = ctx;
  const tp_made_structure *s = &q->out->structures.list.at[structure];
  bool is_untouched = true;
  for (size_t i = 0; i < s->fields.n; i++) {
    const tp_made_structure_field *f = &s->fields.at[i];
    const uint64_t fill = UINT64_C(0x0101010101010101) * TP_STRUCTURE_FILL;
    if (f->kind == TP_FIELD_NUMBER) {
      const uint32_t bits = s->numbers.at[f->number].bits;
      const uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
      is_untouched &= ((uint64_t)values[i].value & mask) == (fill & mask);
    } else if (f->kind != TP_FIELD_BYTES) {
      is_untouched &= values[i].object == 0 && values[i].offset != 0;
    }
  }
  if (use >= q->m.p->funcs.n) return;
  (is_untouched ? q->untouched : q->touched)[use][sign + 1] = true;
}

/* The condition that leaves out the results with which nothing was initialised. */
static const char *condition_of(const search *q, const tp_made_structure_use *use) {
  const bool *untouched = q->untouched[use->func.id], *touched = q->touched[use->func.id];
  const tp_type_info *t = type_of(q, tp_func_of(q->m.p, use->func)->type);
  const tp_type_info *result = t->element.id ? type_of(q, t->element) : NULL;
  if (!result ||
      (result->kind != TP_T_INT && result->kind != TP_T_ENUM && result->kind != TP_T_BOOL))
    return NULL;
  if (untouched[1] && !touched[1]) return "!= 0";
  if (touched[1] && (untouched[0] || untouched[2])) return untouched[2] ? "== 0" : ">= 0";
  return result->is_signed ? ">= 0" : NULL;
}

static bool has_initialiser(const search *q) {
  for (size_t i = 0; i < q->out->structures.uses.n; i++)
    if (q->out->structures.uses.at[i].kind == TP_USE_INITIALISES) return true;
  return false;
}

static void probe(search *q) {
  tp_session s;
  tp_str text = {0};
  if (!has_initialiser(q)) return;
  q->untouched = tp_arena_alloc(q->arena, q->m.p->funcs.n * sizeof *q->untouched);
  q->touched = tp_arena_alloc(q->arena, q->m.p->funcs.n * sizeof *q->touched);
  memset(q->untouched, 0, q->m.p->funcs.n * sizeof *q->untouched);
  memset(q->touched, 0, q->m.p->funcs.n * sizeof *q->touched);
  if (open_program(q, &s, TP_STRUCTURES_PROBE, NULL, &text)) {
    tp_structure_states x;
    if (tp_structure_states_init(&x, s.program, &q->out->structures)) {
      x.see = see_probe;
      x.ctx = q;
      tp_structure_states_sample(&x, q->o->seed, TP_APP_STRUCTURE_RUNS, TP_APP_STRUCTURE_SAMPLE_S);
    }
    tp_structure_states_clear(&x);
  }
  tp_session_clear(&s);
  tp_str_clear(&text);
  for (size_t i = 0; i < q->out->structures.uses.n; i++) {
    tp_made_structure_use *use = &q->out->structures.uses.at[i];
    if (use->kind == TP_USE_INITIALISES) use->succeeds = condition_of(q, use);
  }
}

// ------------------------------------------------------------------------ samples

static void see_sample(void *ctx, size_t structure, const tp_field_value *values, int64_t sign,
                       uint32_t use) {
  search *q = ctx;
  tp_made_structure *s = &q->out->structures.list.at[structure];
  (void)sign, (void)use;
  const size_t before = tp_live_bytes();
  if (!q->has_state[structure]) {
    tp_made_structure_propose(s, values, q->constants, q->n_constants, q->arena);
    q->has_state[structure] = true;
  }
  q->grown += tp_live_bytes() - before;
  tp_made_structure_see(s, values);
}

static bool note_constant(void *ctx, const tp_terms *tt, tp_term t) {
  search *q = ctx;
  uint64_t k;
  if (!tp_bv_value_u64(tt, t, &k) || k < 2 || k > UINT32_MAX ||
      q->n_constants == TP_APP_PRECONDITION_CONSTANTS)
    return false;
  for (size_t i = 0; i < q->n_constants; i++)
    if (q->constants[i] == (int64_t)k) return false;
  q->constants[q->n_constants++] = (int64_t)k;
  return false;
}

/* What the functions of the module compare with. */
static void list_constants(search *q) {
  const tp_program *p = q->m.p;
  const uint32_t file = tp_func_of(p, q->m.func)->pos.file;
  for (size_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    const tp_func f = tp_loc_of(p, edge->from)->func;
    if (edge->kind == TP_E_ASSUME && f.id && tp_func_of(p, f)->pos.file == file)
      (void)tp_any_subterm(p->terms, edge->a, note_constant, q);
  }
}

static void sample(search *q) {
  tp_session s;
  tp_str text = {0};
  if (open_program(q, &s, TP_STRUCTURES_SAMPLES, NULL, &text)) {
    tp_structure_states x;
    list_constants(q);
    if (tp_structure_states_init(&x, s.program, &q->out->structures)) {
      x.see = see_sample;
      x.ctx = q;
      tp_structure_states_sample(&x, q->o->seed, TP_APP_STRUCTURE_RUNS, TP_APP_STRUCTURE_SAMPLE_S);
    } else {
      q->out->obstacle = "a member of it cannot be read";
    }
    tp_structure_states_clear(&x);
    s.live_before += q->grown;
  } else {
    q->out->obstacle = "the calls that make it cannot be read";
  }
  tp_session_clear(&s);
  tp_str_clear(&text);
  for (size_t k = 0; k < q->out->structures.list.n; k++) {
    tp_made_structure_settle(&q->out->structures.list.at[k]);
    if (!q->out->obstacle && !q->has_state[k])
      q->out->obstacle = tp_arena_printf(q->arena, "no run was seen to make %s",
                                         q->out->structures.list.at[k].structure);
  }
}

// -------------------------------------------------------------------- obligations

static void see_result(void *ctx, size_t structure, const tp_field_value *values, int64_t sign,
                       uint32_t use) {
  search *q = ctx;
  tp_made_structure *s = &q->out->structures.list.at[structure];
  (void)sign, (void)use;
  tp_made_structure_see(s, values);
}

static size_t n_facts(const search *q) {
  size_t n = 0;
  for (size_t k = 0; k < q->out->structures.list.n; k++)
    n += tp_made_structure_n_facts(&q->out->structures.list.at[k]);
  return n;
}

typedef struct {
  tp_session *s;
  double cpu_s;
} ask_job;

static void ask_in_worker(void *ctx, int channel, tp_str *answer) {
  const ask_job *job = ctx;
  const tp_task task = {
      .program = job->s->program, .property = TP_P_UNREACH_CALL, .seed = job->s->o->seed};
  tp_worker_search(tp_engine_find("bmc"), &task, job->cpu_s, channel, answer);
}

typedef enum { KEPT, CHANGED, OPEN } outcome;

/* The line of the program's text in which the checks of a state function begin. */
static uint32_t first_check(const tp_str *text, size_t structure) {
  char head[80];
  snprintf(head, sizeof head, "static void " TP_STRUCTURE_STATE "%zu(", structure + 1);
  const char *at = strstr(tp_str_text(text), head);
  uint32_t line = 1;
  for (const char *c = tp_str_text(text); at && c < at; c++) line += *c == '\n';
  return at ? line + 3 : 0;
}

static void note_checks(search *q, const tp_str *text) {
  for (size_t k = 0; k < q->out->structures.list.n && k < TP_APP_STRUCTURES; k++)
    q->first_checks[k] = first_check(text, k);
}

/* The fact that is checked at this place of the program of obligations; NULL: none is. */
static tp_made_fact *fact_at(search *q, const tp_program *p, tp_pos pos) {
  if (pos.file != tp_func_of(p, p->main)->pos.file) return NULL;
  for (size_t k = 0; k < q->out->structures.list.n; k++) {
    const tp_made_structure *s = &q->out->structures.list.at[k];
    uint32_t at = q->first_checks[k];
    for (size_t i = 0; i < s->facts.n && at; i++) {
      if (s->facts.at[i].is_out || tp_made_fact_is_needless(s, i)) continue;
      if (at++ == pos.line) return &s->facts.at[i];
    }
  }
  return NULL;
}

/* Failures that a formula has and no run of the machine shows, such as those of objects that are
 * too large for it: the facts are candidates no more. */
static void leave_out_unproved(search *q, const tp_session *s) {
  tp_made_fact *found[TP_APP_STRUCTURE_FIELDS];
  size_t n = 0;
  for (size_t i = 0; i < s->now.result.unproved.n && n < TP_APP_STRUCTURE_FIELDS; i++) {
    const tp_loc error = s->now.result.unproved.at[i];
    tp_made_fact *f = error.id && error.id < s->program->locs.n
                          ? fact_at(q, s->program, tp_loc_of(s->program, error)->pos)
                          : NULL;
    if (f) found[n++] = f;
  }
  for (size_t i = 0; i < n; i++) found[i]->is_out = true;
}

/* The claim is the session's, to be confirmed. */
static outcome take_claim(search *q, tp_session *s, tp_structure_states *x, tp_worker *w,
                          double left_s) {
  const size_t before = n_facts(q);
  tp_attempt_clear(&s->now);
  tp_attempt_init(&s->now, "bmc");
  tp_wire_result(&w->answer, &s->now.result);
  if (w->answer.bad) return OPEN;
  if (s->now.result.verdict == TP_VERDICT_FALSE) {
    tp_structure_states_run(x, &s->now.result.inputs);
    return n_facts(q) < before ? CHANGED : OPEN;
  }
  if (s->now.result.verdict != TP_VERDICT_TRUE) {
    leave_out_unproved(q, s);
    return n_facts(q) < before ? CHANGED : OPEN;
  }
  (void)tp_confirm_true(s, left_s);
  q->out->n_proofs += s->now.verdict == TP_VERDICT_TRUE;
  return s->now.verdict == TP_VERDICT_TRUE ? KEPT : OPEN;
}

static outcome ask(search *q, tp_session *s, tp_structure_states *x, double cpu_s) {
  ask_job job = {.s = s, .cpu_s = cpu_s};
  tp_worker w;
  tp_worker *all[] = {&w};
  outcome found = OPEN;
  tp_worker_start(&w, &s->budget, (tp_work){ask_in_worker, &job, "structures"},
                  cpu_s + TP_APP_GRACE_S);
  while (tp_worker_step(all, 1, &s->budget) > 0) continue;
  if (w.has_answer) found = take_claim(q, s, x, &w, cpu_s);
  tp_worker_clear(&w);
  return found;
}

static double share_of(const search *q) {
  return TP_APP_STRUCTURE_ONE_SHARE * (q->end_s - tp_budget_used_s());
}

/* Of a program without loops the checker alone shows most. */
static bool is_shown_at_once(search *q, tp_session *s) {
  tp_straight_claim(s);
  (void)tp_confirm_true(s, share_of(q));
  q->out->n_proofs += s->now.verdict == TP_VERDICT_TRUE;
  return s->now.verdict == TP_VERDICT_TRUE;
}

/* Only the check of this fact counts from now on (all: they all do; NULL: what is no fact). */
static void count_only(search *q, tp_session *s, const tp_made_fact *f, bool all) {
  tp_program *p = s->program;
  for (size_t i = 0; i < q->errors.n; i++) {
    const tp_loc at = q->errors.at[i];
    const bool counts = all || fact_at(q, p, tp_loc_of(p, at)->pos) == f;
    p->locs.at[at.id].error = counts ? TP_P_UNREACH_CALL : TP_P_NO_OVERFLOW;
  }
  tp_program_require_checked(p);
}

static void list_errors(search *q, const tp_session *s) {
  q->errors.n = 0;
  for (uint32_t l = 1; l < s->program->locs.n; l++)
    if (s->program->locs.at[l].error == TP_P_UNREACH_CALL) tp_vec_push(&q->errors, (tp_loc){l});
}

/* Fact by fact, by the checker alone: those that are not shown are out, in the end, since the lines
 * of checks are counted by those that are not. */
static outcome show_each(search *q, tp_session *s) {
  const size_t before = n_facts(q), grown = tp_live_bytes();
  list_errors(q, s);
  s->live_before += tp_live_bytes() - grown;
  TP_VEC(tp_made_fact *) unshown = {0};
  count_only(q, s, NULL, false);
  bool is_shown = is_shown_at_once(q, s);
  for (size_t k = 0; k < q->out->structures.list.n; k++) {
    tp_made_structure *of = &q->out->structures.list.at[k];
    for (size_t i = 0; i < of->facts.n && is_shown && !is_over(q); i++) {
      tp_made_fact *f = &of->facts.at[i];
      if (f->is_out || tp_made_fact_is_needless(of, i)) continue;
      count_only(q, s, f, false);
      if (!is_shown_at_once(q, s)) tp_vec_push(&unshown, f);
    }
  }
  count_only(q, s, NULL, true);
  for (size_t i = 0; i < unshown.n; i++) unshown.at[i]->is_out = true;
  tp_vec_clear(&unshown);
  if (!is_shown || is_over(q)) return OPEN;
  return n_facts(q) < before ? CHANGED : KEPT;
}

/* With -v: what became of a function, and with which candidates. */
static void trace(const search *q, outcome found, tp_func f, double used_s) {
  static const char *const words[] = {"keeps", "breaks some of", "may break"};
  if (!q->o->verbose) return;
  fprintf(stderr, "invariant: %s %s this (%.1f s):", tp_func_of(q->m.p, f)->name, words[found],
          used_s);
  for (size_t k = 0; k < q->out->structures.list.n; k++) {
    const tp_made_structure *s = &q->out->structures.list.at[k];
    for (size_t i = 0; i < s->facts.n; i++)
      if (!s->facts.at[i].is_out && !tp_made_fact_is_needless(s, i))
        fprintf(stderr, " %s;", tp_made_fact_shown(s, &s->facts.at[i], q->arena));
  }
  fputs("\n", stderr);
}

static void open_states(search *q, tp_session *s, tp_structure_states *x) {
  (void)tp_structure_states_init(x, s->program, &q->out->structures);
  x->see = see_result;
  x->ctx = q;
}

/* Random calls of all functions; CHANGED: some candidate is out. */
static outcome run_all(search *q) {
  tp_session s;
  tp_str text = {0};
  const size_t before = n_facts(q);
  if (open_program(q, &s, TP_STRUCTURES_OBLIGATIONS, NULL, &text)) {
    tp_structure_states x;
    note_checks(q, &text);
    open_states(q, &s, &x);
    tp_structure_states_sample(&x, q->o->seed, TP_APP_STRUCTURE_RUNS, TP_APP_STRUCTURE_SAMPLE_S);
    tp_structure_states_clear(&x);
  } else {
    q->out->obstacle = "the calls of the module's functions cannot be read";
  }
  tp_session_clear(&s);
  tp_str_clear(&text);
  return q->out->obstacle ? OPEN : n_facts(q) < before ? CHANGED : KEPT;
}

/* What engines say of one function where the checker alone did not show it. */
static outcome ask_engines(search *q, tp_session *s) {
  tp_structure_states x;
  open_states(q, s, &x);
  outcome found = ask(q, s, &x, share_of(q));
  tp_structure_states_clear(&x);
  if (found != OPEN || is_over(q)) return found;
  s->budget.limit_s = tp_budget_used_s() + share_of(q);
  tp_attempt_clear(&s->now);
  tp_attempt_init(&s->now, q->o->engine);
  s->machine_is_enough = s->has_no_build = true;  // what obligations call is the machine's own
  tp_session_search(s);
  const bool is_kept = s->now.verdict == TP_VERDICT_TRUE && !s->now.result.bound;
  q->out->n_proofs += is_kept;
  return is_kept ? KEPT : OPEN;
}

/* One function, with the candidates that are left. */
static outcome oblige(search *q, size_t use) {
  tp_session s;
  tp_str text = {0};
  outcome found = OPEN;
  const double start_s = tp_budget_used_s();
  bool *wanted = tp_arena_array(q->arena, bool, q->out->structures.uses.n);
  wanted[use] = true;
  if (open_program(q, &s, TP_STRUCTURES_OBLIGATIONS, wanted, &text)) {
    note_checks(q, &text);
    const bool is_straight = tp_is_straight(s.program, s.program->main);
    if (is_straight) found = is_shown_at_once(q, &s) ? KEPT : show_each(q, &s);
    if (found == OPEN && !is_over(q)) found = ask_engines(q, &s);
  }
  tp_session_clear(&s);
  tp_str_clear(&text);
  trace(q, found, q->out->structures.uses.at[use].func, tp_budget_used_s() - start_s);
  return found;
}

/* One after the other, those without loops first: they are cheap. */
static outcome oblige_all(search *q) {
  const tp_made_structure_uses *uses = &q->out->structures.uses;
  q->out->n_proofs = 0;
  for (int turn = 0; turn < 2; turn++)
    for (size_t i = 0; i < uses->n; i++) {
      if (tp_is_straight(q->m.p, uses->at[i].func) != (turn == 0)) continue;
      const outcome found = is_over(q) ? OPEN : oblige(q, i);
      if (found == KEPT) continue;
      if (found == OPEN)
        q->out->obstacle = tp_arena_printf(q->arena, "whether %s keeps it is open",
                                           tp_func_of(q->m.p, uses->at[i].func)->name);
      return found;
    }
  return KEPT;
}

/* Candidates that are seldom needed and make questions hard; false: none is left. */
static bool leave_out_hard(search *q) {
  const size_t before = n_facts(q);
  for (size_t k = 0; k < q->out->structures.list.n; k++) {
    tp_made_structure *s = &q->out->structures.list.at[k];
    for (size_t i = 0; i < s->facts.n; i++) {
      tp_made_fact *f = &s->facts.at[i];
      f->is_out |= f->kind == TP_FACT_POWER || f->kind == TP_FACT_MASK ||
                   (f->kind == TP_FACT_NUMBERS && f->condition.kind == TP_CONDITION_SUM_LE);
    }
  }
  return n_facts(q) < before;
}

static void keep(search *q) {
  outcome found = CHANGED;
  for (uint32_t round = 0; round < TP_APP_STRUCTURE_ROUNDS && found == CHANGED; round++) {
    if (is_over(q)) break;
    q->out->obstacle = NULL;
    found = run_all(q);
    if (found == KEPT) found = oblige_all(q);
    if (found == OPEN && !is_over(q) && leave_out_hard(q)) found = CHANGED;
  }
  if (found == CHANGED || (found == OPEN && !q->out->obstacle))
    q->out->obstacle = is_over(q) ? "time ran out" : "no set of facts was shown to be kept";
}

// -------------------------------------------------------------------- assumptions

static const char *names_of(const search *q, tp_use_kind kind) {
  const char *names = NULL;
  for (size_t i = 0; i < q->out->structures.uses.n; i++) {
    const tp_made_structure_use *use = &q->out->structures.uses.at[i];
    const char *name = tp_func_of(q->m.p, use->func)->name;
    if (use->kind == kind)
      names = names ? tp_arena_printf(q->arena, "%s, %s", names, name)
                    : tp_arena_strdup(q->arena, name);
  }
  return names;
}

static void assume(search *q, const char *text) { tp_vec_push(&q->out->assumptions, text); }

static bool has_function_member(const tp_made_structures *all) {
  for (size_t k = 0; k < all->list.n; k++)
    for (size_t i = 0; i < all->list.at[k].facts.n; i++)
      if (all->list.at[k].facts.at[i].kind == TP_FACT_FUNCTION &&
          !all->list.at[k].facts.at[i].is_out)
        return true;
  return false;
}

/* Does some function take a structure and another pointer? */
static bool has_further_pointers(const search *q) {
  const tp_made_structure_uses *uses = &q->out->structures.uses;
  for (size_t i = 0; i < uses->n; i++) {
    const tp_type_info *t = type_of(q, tp_func_of(q->m.p, uses->at[i].func)->type);
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n_params; k++) n += type_of(q, t->params[k])->kind == TP_T_POINTER;
    if (n > 1) return true;
  }
  return false;
}

static void list_assumptions(search *q) {
  const tp_made_structures *all = &q->out->structures;
  const char *ends = names_of(q, TP_USE_ENDS), *structures = "";
  for (size_t k = 0; k < all->list.n; k++)
    structures =
        tp_arena_printf(q->arena, "%s%s%s", structures, k ? ", " : "", all->list.at[k].structure);
  assume(q, tp_arena_printf(q->arena,
                            "only the module's functions write %s and what such structures own, "
                            "which they do not share; they are called by name, and get a structure "
                            "by an argument of its type",
                            structures));
  assume(q, "pointers in them lead to objects of their own, to no constant of the module");
  if (has_further_pointers(q))
    assume(q,
           "pointers among the arguments of a call lead to different structures, and to nothing "
           "that structures own");
  if (has_function_member(all))
    assume(q,
           "functions that members of them lead to return any value (of pointers null) and "
           "change nothing");
  if (ends)
    assume(q, tp_arena_printf(q->arena, "a structure is not used behind a call of %s", ends));
  for (size_t i = 0; i < all->uses.n; i++)
    if (all->uses.at[i].succeeds)
      assume(q, tp_arena_printf(q->arena, "a structure is used only if %s returned a value %s",
                                tp_func_of(q->m.p, all->uses.at[i].func)->name,
                                all->uses.at[i].succeeds));
  for (size_t i = 0; i < q->assumed.n; i++)
    assume(q, tp_arena_printf(q->arena, "in calls that change it %s", q->assumed.at[i]));
}

// -------------------------------------------------------------------------- search

static void list(search *q) {
  add_structures_of(q, q->m.func);
  list_uses(q);
  if (q->out->structures.list.n <= TP_APP_STRUCTURES) probe(q);
  const char *variable = mutable_variable(q);
  if (variable) refuse(q, tp_arena_printf(q->arena, "the module has a variable, %s", variable));
  const char *remembers = library_memory(q);
  if (remembers)
    refuse(q, tp_arena_printf(q->arena, "the module uses %s, which remembers", remembers));
}

tp_structure_search *tp_structure_search_new(tp_options *o) {
  TP_REQUIRE(o && o->entry[0]);
  search *q = TP_NEW(search);
  q->o = o;
  q->arena = &q->own;
  q->out = &q->finding;
  q->end_s = o->timelimit > 0 ? o->timelimit : tp_budget_used_s() + TP_APP_MADE_S;
  q->diag = tp_diag_new(stderr, tp_options_colour(o));
  q->out->obstacle = tp_entry_open(o, q->diag, q->arena, &q->m);
  if (!q->out->obstacle) {
    tp_makers_init(&q->makers, q->m.p, q->m.func, q->m.n_exported, q->m.seen);
    list(q);
  }
  return q;
}

const tp_structure_finding *tp_structure_search_found(const tp_structure_search *q) {
  return q->out;
}

void tp_structure_search_give_up(tp_structure_search *q, const char *why) {
  TP_REQUIRE(q && why);
  q->out->obstacle = why;
}

void tp_structure_search_infer(tp_structure_search *q, double end_s) {
  TP_REQUIRE(q);
  if (q->out->obstacle) return;
  if (tp_shared_structures_take(q->o->invariants, q->out, q->arena)) return;
  q->end_s = end_s;
  q->has_state = tp_arena_array(q->arena, bool, q->out->structures.list.n);
  sample(q);
  q->assumed.n = 0;
  if (!q->out->obstacle) keep(q);
  if (!q->out->obstacle) list_assumptions(q);
  if (!q->out->obstacle || !is_over(q)) tp_shared_structures_put(q->o->invariants, q->out);
}

void tp_structure_search_free(tp_structure_search *q) {
  if (!q) return;
  tp_structures_clear(&q->finding.structures);
  tp_vec_clear(&q->finding.assumptions);
  tp_vec_clear(&q->assumed);
  tp_vec_clear(&q->errors);
  tp_makers_clear(&q->makers);
  if (q->m.p) tp_program_free(q->m.p);
  tp_diag_free(q->diag);
  tp_arena_clear(&q->own);
  tp_free(q);
}

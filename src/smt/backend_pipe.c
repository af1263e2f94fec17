/* Back end "pipe": any SMT-LIB 2 solver as a child process.
 *
 * The process is kept between checks and told only what is new. Definitions are global, so popping
 * loses no names. Every answer is read with a limit; a process that dies, hangs, floods, or says
 * something we did not ask for is killed, and the next check starts a new one that is told all. */
#include "smt/backend.h"
#include "smt/dialogue.h"
#include "smt/smt_limits.h"
#include "smt/smtlib.h"
#include "smt/sync.h"

#include <signal.h>

typedef struct {
  tp_terms *tt;
  char *command;
  tp_dialogue *d;  // NULL: not running
  tp_smtlib_writer writer;
  tp_sync sync;
  bool scratch;          // one more frame is pushed, for the assumptions
  uint64_t n_literals;   // names made for assumptions so far
  unsigned idle_starts;  // since the last answer
  tp_str text, reply;
  tp_arena arena;  // of one reply
} pipe_solver;

static void *pipe_open(tp_terms *tt, const tp_smt_options *options) {
  pipe_solver *s = TP_NEW(pipe_solver);
  s->tt = tt;
  if (options->command) {
    size_t n = strlen(options->command) + 1;
    s->command = tp_alloc(n);
    memcpy(s->command, options->command, n);
  }
  tp_smtlib_init(&s->writer, tt);
  return s;
}

static void stop(pipe_solver *s) {
  tp_dialogue_close(s->d);
  s->d = NULL;
  tp_sync_reset(&s->sync);
  tp_smtlib_clear(&s->writer);
  s->scratch = false;
}

static void pipe_close(void *self) {
  pipe_solver *s = self;
  stop(s);
  tp_sync_clear(&s->sync);
  tp_str_clear(&s->text);
  tp_str_clear(&s->reply);
  tp_arena_clear(&s->arena);
  tp_free(s->command);
  tp_free(s);
}

static bool start(pipe_solver *s, const tp_smt_query *q) {
  if (s->d) return true;
  if (!s->command || s->idle_starts >= TP_SMT_PIPE_STARTS) return false;
  s->idle_starts++;
  if (!(s->d = tp_dialogue_start(s->command))) return false;
  s->text.n = 0;
  tp_str_add(
      &s->text,
      "(set-option :print-success false)\n(set-option :produce-models true)\n"
      "(set-option :produce-unsat-assumptions true)\n(set-option :global-declarations true)\n");
  if (q->rlimit)
    tp_str_printf(&s->text, "(set-option :reproducible-resource-limit %llu)\n",
                  (unsigned long long)q->rlimit);
  tp_str_add(&s->text, "(set-logic ALL)\n");
  tp_dialogue_send(s->d, s->text.text, s->text.n);
  return true;
}

/* Tell the process what is new. Returns false if a term cannot be written. */
static bool emit_facts(pipe_solver *s, const tp_smt_query *q) {
  TP_REQUIRE(s->d);
  s->text.n = 0;
  if (s->scratch) tp_str_add(&s->text, "(pop 1)\n");
  s->scratch = false;
  size_t frames = tp_sync_pop(&s->sync, q);
  if (frames) tp_str_printf(&s->text, "(pop %zu)\n", frames);
  for (;;) {
    switch (tp_sync_next(&s->sync, q)) {
      case TP_SYNC_PUSH: tp_str_add(&s->text, "(push 1)\n"); break;
      case TP_SYNC_ASSERT:
        if (!tp_smtlib_define(&s->writer, tp_vec_last(&s->sync.asserted), &s->text)) return false;
        tp_str_add(&s->text, "(assert ");
        tp_smtlib_name(&s->writer, tp_vec_last(&s->sync.asserted), &s->text);
        tp_str_add(&s->text, ")\n");
        break;
      case TP_SYNC_DONE: return true;
    }
  }
}

/* The assumptions in a frame of their own: asserted, or each implied by a fresh literal. */
static bool emit_assumptions(pipe_solver *s, const tp_smt_query *q, bool as_literals) {
  for (size_t i = 0; i < q->n_vars; i++)  // also those that only the model will be asked for
    if (!tp_smtlib_define(&s->writer, q->vars[i], &s->text)) return false;
  tp_str_add(&s->text, "(push 1)\n");
  s->scratch = true;
  for (size_t i = 0; i < q->n_assumptions; i++) {
    if (!tp_smtlib_define(&s->writer, q->assumptions[i], &s->text)) return false;
    if (as_literals) {
      unsigned long long name = s->n_literals + i;
      tp_str_printf(&s->text, "(declare-fun a%llu () Bool)\n(assert (=> a%llu ", name, name);
    } else {
      tp_str_add(&s->text, "(assert ");
    }
    tp_smtlib_name(&s->writer, q->assumptions[i], &s->text);
    tp_str_add(&s->text, as_literals ? "))\n" : ")\n");
  }
  if (!as_literals) {
    tp_str_add(&s->text, "(check-sat)\n");
    return true;
  }
  tp_str_add(&s->text, "(check-sat-assuming (");
  for (size_t i = 0; i < q->n_assumptions; i++)
    tp_str_printf(&s->text, "a%llu ", (unsigned long long)(s->n_literals + i));
  tp_str_add(&s->text, "))\n");
  s->n_literals += q->n_assumptions;
  return true;
}

static tp_dialogue_end exchange(pipe_solver *s, double cpu_s) {
  TP_REQUIRE(s->d);
  tp_dialogue_send(s->d, s->text.text, s->text.n);
  s->text.n = 0;
  return tp_dialogue_read(s->d, cpu_s, &s->reply);
}

static tp_smt_answer parse_answer(pipe_solver *s, const char **reason, bool *broke) {
  const char *end;
  tp_arena_clear(&s->arena);
  const tp_sexp *e = tp_sexp_parse(s->reply.text, &end, &s->arena);
  bool sat = tp_sexp_is(e, "sat"), unsat = tp_sexp_is(e, "unsat"),
       unknown = tp_sexp_is(e, "unknown");
  if (sat || unsat || unknown) {
    s->idle_starts = 0;
    *reason = "the solver gave up";
    return sat ? TP_SMT_SAT : unsat ? TP_SMT_UNSAT : TP_SMT_UNKNOWN;
  }
  *broke = true;
  *reason = "the solver answered something else";
  if (e && !e->atom && tp_sexp_is(e->first, "error")) {
    s->idle_starts = 0;  // it lives and says what it does not like
    if (e->first->next && e->first->next->atom) *reason = e->first->next->atom;
  }
  stop(s);
  return TP_SMT_UNKNOWN;
}

static tp_smt_answer fail(pipe_solver *s, tp_dialogue_end end, const char **reason, bool *broke) {
  *reason = end == TP_DIALOGUE_TIMEOUT ? "CPU limit of the solver" : "the solver died";
  *broke = true;
  stop(s);
  return TP_SMT_UNKNOWN;
}

static tp_smt_answer check(pipe_solver *s, const tp_smt_query *q, bool as_literals,
                           const char **reason, bool *broke) {
  *broke = false;
  if (s->d && !tp_sync_plan(&s->sync, q)) stop(s);
  if (!start(s, q)) {
    *reason = "the solver did not start";
    *broke = true;
    return TP_SMT_UNKNOWN;
  }
  if (!emit_facts(s, q) || !emit_assumptions(s, q, as_literals)) {
    *reason = "quantifiers nest too deeply";
    stop(s);
    return TP_SMT_UNKNOWN;
  }
  switch (q->fault) {
    case TP_FAULT_NONE:
    case TP_FAULT_WRONG_MODEL: break;
    case TP_FAULT_UNKNOWN:
      *reason = "injected";
      stop(s);
      return TP_SMT_UNKNOWN;
    case TP_FAULT_ERROR: tp_dialogue_send(s->d, "(no-such-command)\n", 18); break;
    case TP_FAULT_HANG: tp_dialogue_signal(s->d, q->cpu_s > 0 ? SIGSTOP : SIGKILL); break;
    case TP_FAULT_CRASH: tp_dialogue_signal(s->d, SIGKILL); break;
  }
  tp_dialogue_end end = exchange(s, q->cpu_s);
  return end == TP_DIALOGUE_REPLY ? parse_answer(s, reason, broke) : fail(s, end, reason, broke);
}

static tp_smt_answer pipe_check(void *self, const tp_smt_query *q, const char **reason,
                                bool *broke) {
  return check(self, q, false, reason, broke);
}

static bool pipe_model(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values) {
  pipe_solver *s = self;
  if (!s->d) return false;
  if (!q->n_vars) return true;
  s->text.n = 0;
  tp_str_add(&s->text, "(get-value (");
  for (size_t i = 0; i < q->n_vars; i++) {
    tp_smtlib_name(&s->writer, q->vars[i], &s->text);
    tp_str_add_char(&s->text, ' ');
  }
  tp_str_add(&s->text, "))\n");
  const char *end;
  tp_arena_clear(&s->arena);
  bool ok = exchange(s, q->cpu_s) == TP_DIALOGUE_REPLY;
  const tp_sexp *list = ok ? tp_sexp_parse(s->reply.text, &end, &s->arena) : NULL;
  const tp_sexp *pair = list && !list->atom ? list->first : NULL;
  for (size_t i = 0; i < q->n_vars && ok; i++, pair = pair ? pair->next : NULL) {
    ok = pair && !pair->atom && pair->first && pair->first->next;
    ok = ok && tp_smtlib_value(s->tt, tp_sort_of(s->tt, q->vars[i]), pair->first->next, arena,
                               &values[i]);
  }
  if (!ok) stop(s);
  return ok;
}

static bool pipe_core(void *self, const tp_smt_query *q, bool *used) {
  pipe_solver *s = self;
  const char *reason, *end;
  bool broke;
  uint64_t first = s->n_literals;
  if (check(s, q, true, &reason, &broke) != TP_SMT_UNSAT) return false;
  s->text.n = 0;
  tp_str_add(&s->text, "(get-unsat-assumptions)\n");
  tp_arena_clear(&s->arena);
  const tp_sexp *list = exchange(s, q->cpu_s) == TP_DIALOGUE_REPLY
                            ? tp_sexp_parse(s->reply.text, &end, &s->arena)
                            : NULL;
  if (!list || list->atom || tp_sexp_is(list->first, "error")) {
    stop(s);
    return false;
  }
  for (size_t i = 0; i < q->n_assumptions; i++) {
    char name[32] = "a";
    tp_str number = {0};
    tp_str_printf(&number, "a%llu", (unsigned long long)(first + i));
    memcpy(name, number.text, number.n + 1);
    tp_str_clear(&number);
    used[i] = false;
    for (const tp_sexp *e = list->first; e; e = e->next) used[i] = used[i] || tp_sexp_is(e, name);
  }
  return true;
}

const tp_smt_backend tp_smt_pipe = {.open = pipe_open,
                                    .close = pipe_close,
                                    .check = pipe_check,
                                    .model = pipe_model,
                                    .core = pipe_core};

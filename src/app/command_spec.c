/* twoproof spec: contracts of functions and data structures, read, printed or checked. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/process_guard.h"
#include "app/options.h"
#include "app/options_intake.h"
#include "app/spec_check.h"
#include "app/spec_summaries.h"
#include "base/process.h"
#include "front/clang.h"
#include "contracts/spec/contract_library.h"
#include "contracts/spec/ghost_statements.h"
#include "contracts/spec/vacuity.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

/* A copy of a source in which assignments to ghosts are calls; its name is kept in the list. */
static tp_status write_copy(const tp_str *text, const char *file, const char **name,
                            tp_arena *arena) {
  tp_str path = {0};
  tp_status st = tp_temp_dir(&path);
  tp_str_add(&path, "/source.i");
  if (st == TP_OK) st = tp_write_file(path.text, text->text, text->n);
  if (st == TP_OK)
    *name = tp_arena_strdup(arena, path.text);
  else
    fprintf(stderr, "twoproof: no copy of %s can be written: %s\n", file, strerror(errno));
  tp_str_clear(&path);
  return st;
}

/* Contracts of a source's comments. *compiled: what stands for it where it is compiled. */
static tp_status read_comments(const tp_front_options *front, const char *file, tp_clauses *c,
                               const char **compiled) {
  tp_str text = {0}, messages = {0}, with_ghosts = {0};
  const size_t first = c->all.n;
  tp_status st = tp_clang_preprocess(front, file, &text, &messages);
  if (st == TP_OK)
    tp_clauses_read_c(c, file, tp_str_text(&text));
  else
    fprintf(stderr, "%stwoproof: %s cannot be preprocessed\n", tp_str_text(&messages), file);
  if (st == TP_OK && c->n_wrong == 0 &&
      tp_ghost_statements_insert(c, first, file, tp_str_text(&text), &with_ghosts))
    st = write_copy(&with_ghosts, file, compiled, &c->arena);
  tp_str_clear(&text);
  tp_str_clear(&messages);
  tp_str_clear(&with_ghosts);
  return st;
}

/* Contracts of comments, then those of the file beside, then those of the C library; otherwise: a
 * file cannot be read, which has been said. compiled: by file. */
static tp_status read_contracts(const tp_options *o, const tp_front_options *front, tp_clauses *c,
                                const char **compiled) {
  tp_status st = TP_OK;
  for (size_t i = 0; i < o->files.n && st == TP_OK; i++) {
    compiled[i] = o->files.at[i];
    st = read_comments(front, o->files.at[i], c, &compiled[i]);
  }
  tp_str text = {0};
  if (st == TP_OK && *o->contracts) {
    if (tp_read_file(o->contracts, &text) != TP_OK) st = TP_ERR_INPUT;
    if (st == TP_OK)
      tp_clauses_read_file(c, o->contracts, tp_str_text(&text));
    else
      fprintf(stderr, "twoproof: cannot read %s: %s\n", o->contracts, strerror(errno));
  }
  tp_str_clear(&text);
  if (st == TP_OK && tp_contract_library_read(c) != TP_OK)
    fprintf(stderr,
            "twoproof: the contracts of the C library are not where this program expects them "
            "(lib/spec)\n");
  return st;
}

static void print_subject(const tp_subject *s, tp_str *out) {
  if (s->about == TP_SUBJECT_FUNCTION)
    tp_str_printf(out, "function %s: ", s->name);
  else if (s->about == TP_SUBJECT_BODY)
    tp_str_printf(out, "body of %s: ", s->name);
  else if (s->about == TP_SUBJECT_STRUCT)
    tp_str_printf(out, "%s: ", s->name);
}

/* Each contract as it was understood, with the types of what it declares. */
static void print_meanings(const tp_contracts *m) {
  tp_str out = {0};
  for (size_t i = 0; i < m->all.n; i++) {
    const tp_resolved_clause *c = &m->all.at[i];
    tp_pos_print(m->clauses->diag, c->clause->pos, &out);
    tp_str_add(&out, ": ");
    print_subject(&c->clause->subject, &out);
    tp_resolved_clause_print(c, &out);
    if (c->symbol && c->type.n) {
      tp_str_add(&out, "\n    of type ");
      tp_object_model_print(m->object_model, c->type, &out);
    }
    tp_str_add_char(&out, '\n');
  }
  tp_str_printf(&out, "CONTRACTS: %zu understood, %u wrong", m->all.n, m->clauses->n_wrong);
  if (m->n_absent) tp_str_printf(&out, ", %u about what the program does not use", m->n_absent);
  tp_str_add_char(&out, '\n');
  fputs(tp_str_text(&out), stdout);
  tp_str_clear(&out);
}

static int print_contracts(tp_contracts *m) {
  print_meanings(m);
  if (m->clauses->n_wrong == 0)
    (void)tp_vacuity_warn(m, (tp_state_scope){.width_bits = 4, .n_each = 3});
  return m->clauses->n_wrong ? TP_EXIT_INPUT : TP_EXIT_TRUE;
}

/* Contracts that are wrong are not checked. */
static int check_contracts(const tp_options *o, tp_contracts *m) {
  if (m->clauses->n_wrong == 0) return tp_spec_check(o, m);
  puts("RESULT: unknown(a contract is wrong)");
  return TP_EXIT_INPUT;
}

static int answer(const tp_options *o, tp_object_model *u, tp_clauses *clauses, tp_diag *diag) {
  const bool checks = !o->check_syntax && !o->summaries;
  tp_clauses summaries;
  tp_contracts contracts;
  int status = TP_EXIT_USAGE;
  tp_clauses_init(&summaries, diag);
  const bool infers = strcmp(o->calls, "inline") != 0 && strcmp(o->calls, "contracts") != 0;
  if (checks && infers && !tp_spec_add_summaries(o, u, &summaries, clauses)) {
    puts("RESULT: unknown(wrong usage)");
    tp_clauses_clear(&summaries);
    return status;
  }
  tp_contracts_init(&contracts, u, clauses);
  status = o->check_syntax ? print_contracts(&contracts)
           : checks        ? check_contracts(o, &contracts)
                           : tp_spec_summaries(o, u, clauses, diag);
  tp_contracts_clear(&contracts);
  tp_clauses_clear(&summaries);
  return status;
}

static int cannot_read(const tp_options *o, tp_status st) {
  const bool is_too_much = st == TP_ERR_LIMIT;
  if (!o->check_syntax && !o->summaries)
    printf("RESULT: unknown(%s)\n",
           is_too_much ? "the source needs more time or memory to be compiled than the limits allow"
           : st == TP_ERR_SYSTEM ? "the compiler could not be run"
                                 : "the program cannot be read");
  return is_too_much ? TP_EXIT_UNKNOWN : st == TP_ERR_SYSTEM ? TP_EXIT_MISSING : TP_EXIT_INPUT;
}

static int read_and_answer(const tp_options *o, tp_diag *diag) {
  tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  front.calls_by_name = true;
  tp_clauses clauses;
  tp_program *program = NULL;
  uint32_t n_exported;
  tp_clauses_init(&clauses, diag);
  int status = TP_EXIT_INPUT;
  const char **compiled = tp_arena_array(&clauses.arena, const char *, o->files.n + 1);
  tp_status st = read_contracts(o, &front, &clauses, compiled);
  front.files = compiled;
  if (st == TP_OK) st = tp_front_load_module(&front, diag, &program, &n_exported);
  if (st != TP_OK)
    status = cannot_read(o, st);
  else {
    tp_object_model universe;
    tp_object_model_init(&universe, program);
    status = answer(o, &universe, &clauses, diag);
    tp_object_model_clear(&universe);
  }
  if (program) tp_program_free(program);
  tp_clauses_clear(&clauses);
  return status;
}

static int spec_below_guard(void *ctx, int channel) {
  const tp_options *o = ctx;
  (void)channel;
  signal(SIGPIPE, SIG_IGN);
  tp_diag *diag = tp_diag_new(stderr, tp_options_colour(o));
  const int status = read_and_answer(o, diag);
  tp_diag_free(diag);
  return status;
}

int tp_command_spec(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_SPEC, argc, argv);
  const tp_guard_limits limits = {.memory_bytes = (uint64_t)o.memlimit << 20,
                                  .has_result = !o.check_syntax && !o.summaries};
  const int status =
      !tp_options_take_in(&o, limits.has_result)
          ? TP_EXIT_INPUT
          : tp_guard_run(spec_below_guard, &o, o.check_syntax ? (tp_guard_limits){0} : limits);
  tp_options_clear(&o);
  return status;
}

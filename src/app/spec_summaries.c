/* twoproof spec --summaries: one block for each function, which --contracts reads back. */
#include "app/spec_summaries.h"

#include "app/exit.h"
#include "contracts/spec/ghost_statements.h"
#include "contracts/summarise/summary_contract.h"
#include "contracts/summarise/summary_sentence.h"

#include <stdio.h>

static bool is_asked(const tp_options *o, const tp_func_info *f) {
  if (!f->has_body || f->is_model) return false;
  return !o->function[0] || strcmp(f->name, o->function) == 0;
}

static void print_remarks(tp_rsums *s, const tp_rsum_template *t, tp_diag *diag, tp_str *out) {
  tp_str_add(out, "  // ");
  tp_summary_sentence(s, t, out);
  if (t->refused) {
    tp_str_add(out, " (");
    tp_pos_print(diag, t->refused_pos, out);
    tp_str_add_char(out, ')');
  }
  tp_str_add_char(out, '\n');
  for (size_t i = 0; i < t->forgotten.n; i++)
    tp_str_printf(out, "  // everything may change at %s\n", t->forgotten.at[i]);
}

/* What stands between the braces of the function's block. */
static void print_body(tp_rsums *s, tp_object_model *u, tp_func f, const tp_clauses *read,
                       tp_diag *diag, tp_str *out) {
  tp_clauses clauses;
  const tp_rsum_template *t = tp_rsums_of(s, f);
  tp_clauses_init(&clauses, diag);
  tp_summary_contract_add(s, t, &clauses);
  const uint32_t n_removed = tp_summary_contract_filter(u, &clauses);
  tp_ghost_statements_extend_frames(u->program, read, &clauses);
  print_remarks(s, t, diag, out);
  if (n_removed)
    tp_str_printf(out, "  // clauses left out, because their types do not fit: %u\n", n_removed);
  for (size_t i = 0; i < clauses.all.n; i++) {
    tp_str_add(out, "  ");
    tp_clause_print(&clauses.all.at[i], out);
    tp_str_add_char(out, '\n');
  }
  tp_clauses_clear(&clauses);
}

static void print_block(tp_rsums *s, tp_object_model *u, tp_func f, const tp_clauses *read,
                        tp_diag *diag, tp_str *out) {
  tp_str_printf(out, "function %s {\n", tp_func_of(u->program, f)->name);
  print_body(s, u, f, read, diag, out);
  tp_str_add(out, "}\n");
}

static bool limits_of(const tp_options *o, tp_rsum_limits *out) {
  *out = (tp_rsum_limits){.operators = (uint32_t)o->summary_n,
                          .allocations = (uint32_t)o->summary_m,
                          .unions = (uint32_t)o->summary_k,
                          .contexts = (uint32_t)o->summary_l};
  const bool is_right = o->summary_n > 0 && o->summary_n <= UINT32_MAX &&
                        o->summary_m <= UINT32_MAX && o->summary_k >= 2 &&
                        o->summary_k <= UINT32_MAX && o->summary_l <= UINT32_MAX;
  if (!is_right)
    fputs("twoproof spec: --summary-n is at least 1, --summary-k at least 2\n", stderr);
  return is_right;
}

static tp_summary_strength strength_of(const tp_options *o) {
  return strcmp(o->calls, "havoc") == 0   ? TP_SUMMARY_HAVOC
         : strcmp(o->calls, "frame") == 0 ? TP_SUMMARY_FRAME
                                          : TP_SUMMARY_FULL;
}

bool tp_spec_add_summaries(const tp_options *o, tp_object_model *u, tp_clauses *own,
                           tp_clauses *read) {
  tp_rsum_limits limits;
  if (!limits_of(o, &limits)) return false;
  const bool proposes = strength_of(o) != TP_SUMMARY_FULL && strcmp(o->proposals, "summary") == 0;
  tp_rsums *s = tp_rsums_new(u, limits);
  for (uint32_t i = 1; i < u->program->funcs.n; i++) {
    const tp_func_info *f = &u->program->funcs.at[i];
    if (!f->has_body || f->is_model) continue;
    tp_summary_contract_add_weak(s, tp_rsums_of(s, (tp_func){i}), strength_of(o), own);
    if (proposes) tp_summary_contract_propose(s, tp_rsums_of(s, (tp_func){i}), own);
  }
  tp_rsums_free(s);
  (void)tp_summary_contract_filter(u, own);
  tp_ghost_statements_extend_frames(u->program, read, own);
  for (size_t i = 0; i < own->all.n; i++) tp_vec_push(&read->all, own->all.at[i]);
  return true;
}

bool tp_spec_print_summary(const tp_options *o, tp_object_model *u, tp_func f,
                           const tp_clauses *read, tp_str *out) {
  tp_rsum_limits limits;
  if (!limits_of(o, &limits)) return false;
  tp_rsums *s = tp_rsums_new(u, limits);
  print_body(s, u, f, read, read->diag, out);
  tp_rsums_free(s);
  return true;
}

int tp_spec_summaries(const tp_options *o, tp_object_model *u, const tp_clauses *read,
                      tp_diag *diag) {
  tp_rsum_limits limits;
  if (!limits_of(o, &limits)) return TP_EXIT_USAGE;
  tp_rsums *s = tp_rsums_new(u, limits);
  tp_str out = {0};
  uint32_t n = 0;
  for (uint32_t i = 1; i < u->program->funcs.n; i++) {
    const tp_func_info *f = &u->program->funcs.at[i];
    if (!is_asked(o, f)) continue;
    print_block(s, u, (tp_func){i}, read, diag, &out);
    n++;
  }
  fputs(tp_str_text(&out), stdout);
  tp_str_clear(&out);
  tp_rsums_free(s);
  if (n == 0) fputs("twoproof spec: there is no such function with a body\n", stderr);
  return n ? TP_EXIT_TRUE : TP_EXIT_INPUT;
}

/* Two rewritings of underspecified programs.
 *
 * A call of an absent function is an edge: HAVOC or HAVOC_MEMORY of kind EXTERN, or a SKIP with a
 * name where the function returns nothing and only receives a pointer. The indeterminate program
 * keeps the call and marks its result as indeterminate, so that the concrete machine reports a run
 * that uses the result. The blocking program ends the run there, if the result is read anywhere in
 * the program or memory could be written. Both turn the SKIP behind a restricted input into the
 * ASSUME of the restriction. */
#include "program/absent.h"

bool tp_is_absent(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].absence == TP_ABSENT && strcmp(p->funcs.at[i].name, name) == 0) return true;
  return false;
}

/* A call of a function without body that receives a pointer through which it does not write. */
static bool is_pointer_pass(const tp_edge_info *e) { return e->kind == TP_E_SKIP && e->name; }
static bool is_call(const tp_edge_info *e) {
  return is_pointer_pass(e) || ((e->kind == TP_E_HAVOC || e->kind == TP_E_HAVOC_MEMORY) &&
                                e->input == TP_I_EXTERN && e->name);
}

tp_pos tp_absent_pos(const tp_program *p, tp_func f) {
  TP_REQUIRE(f.id && f.id < p->funcs.n);
  const tp_func_info *info = tp_func_of(p, f);
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (is_call(e) && tp_pos_known(e->pos) && strcmp(e->name, info->name) == 0) return e->pos;
  }
  return info->pos;
}

size_t tp_absent_variables(const tp_program *p, const char **out, size_t most) {
  size_t n = 0;
  for (size_t i = 1; i < p->vars.n; i++)
    if (p->vars.at[i].absence == TP_ABSENT && n++ < most) out[n - 1] = p->vars.at[i].name;
  for (size_t i = 1; i < p->statics.n; i++)
    if (p->statics.at[i].absence == TP_ABSENT && n++ < most) out[n - 1] = p->statics.at[i].name;
  return n;
}

bool tp_is_underspecified(const tp_program *p, tp_absent_scope scope) {
  bool found = p->input_restrictions.n > 0;
  for (size_t i = 1; i < p->funcs.n && scope != TP_SCOPE_INPUTS; i++)
    found |= p->funcs.at[i].absence == TP_ABSENT;
  return found;
}

// ------------------------------------------------------------------- rewritings

typedef struct {
  const tp_program *p;
  bool *is_read;  // by variable
} reads;

static void mark_read(void *ctx, tp_term var) {
  reads *r = ctx;
  r->is_read[tp_program_var_of(r->p, var).id] = true;
}

static void find_reads(reads *r) {
  for (size_t i = 1; i < r->p->edges.n; i++) {
    const tp_edge_info *e = &r->p->edges.at[i];
    const tp_term operands[] = {e->a, e->b, e->c};
    for (size_t k = 0; k < 3; k++)
      if (tp_term_is(operands[k])) tp_for_vars(r->p->terms, operands[k], mark_read, r);
    for (uint32_t k = 0; k < e->n_args; k++) tp_for_vars(r->p->terms, e->args[k], mark_read, r);
  }
}

/* The edge becomes assume(false): every run ends at it. */
static void block_at(tp_program *p, tp_edge_info *e, const char *why) {
  *e = (tp_edge_info){.kind = TP_E_ASSUME,
                      .from = e->from,
                      .to = e->to,
                      .pos = e->pos,
                      .a = tp_mk_false(p->terms),
                      .name = why};
}

static bool may_write(const tp_edge_info *e) {
  return e->may_write || (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c));
}

static void restrict_inputs(tp_program *p, bool named) {
  for (size_t i = 0; i < p->input_restrictions.n; i++) {
    const tp_input_restriction *n = &p->input_restrictions.at[i];
    TP_INVARIANT(n->at.id && n->at.id < p->edges.n);
    tp_edge_info *e = &p->edges.at[n->at.id];
    if (!e->from.id) continue;  // unreachable
    TP_INVARIANT(e->kind == TP_E_SKIP);
    e->kind = TP_E_ASSUME;
    e->a = n->holds;
    e->name = named ? n->name : NULL;
  }
}

void tp_absent_make_indeterminate(tp_program *p, tp_absent_scope scope) {
  const bool functions = scope != TP_SCOPE_INPUTS;
  restrict_inputs(p, true);
  for (size_t i = 1; i < p->edges.n && functions; i++) {
    tp_edge_info *e = &p->edges.at[i];
    if (!is_call(e) || !tp_is_absent(p, e->name)) continue;
    if (may_write(e) || (is_pointer_pass(e) && scope == TP_SCOPE_RETENTION))
      block_at(p, e, e->name);
    else if (!is_pointer_pass(e))
      e->input = TP_I_INDETERMINATE;
  }
  for (size_t i = 1; i < p->funcs.n && functions; i++)
    if (p->funcs.at[i].absence == TP_ABSENT)
      p->statics.at[p->funcs.at[i].object].func = TP_FUNC_NONE;
  tp_program_require_checked(p);
}

void tp_absent_make_blocking(tp_program *p, tp_absent_scope scope) {
  reads r = {.p = p, .is_read = TP_NEW_ARRAY(bool, p->vars.n)};
  find_reads(&r);
  restrict_inputs(p, false);
  for (size_t i = 1; i < p->edges.n && scope != TP_SCOPE_INPUTS; i++) {
    tp_edge_info *e = &p->edges.at[i];
    if (!is_call(e) || !tp_is_absent(p, e->name)) continue;
    bool matters = is_pointer_pass(e)
                       ? scope == TP_SCOPE_RETENTION
                       : may_write(e) || e->kind == TP_E_HAVOC_MEMORY || r.is_read[e->var.id];
    if (matters) block_at(p, e, NULL);
  }
  tp_free(r.is_read);
  tp_program_require_checked(p);
}

void tp_exempt_error(tp_program *p, tp_loc error, tp_property asked) {
  TP_REQUIRE(error.id && error.id < p->locs.n && tp_loc_of(p, error)->error != TP_P_NONE);
  static const tp_property others[] = {TP_P_UNREACH_CALL, TP_P_NO_OVERFLOW};
  p->locs.at[error.id].error = others[tp_property_covers(asked, others[0])];
  TP_INVARIANT(!tp_property_covers(asked, tp_loc_of(p, error)->error));
  tp_program_require_checked(p);
}

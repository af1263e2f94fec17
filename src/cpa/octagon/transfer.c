/* Steps. The variables of all active frames are dimensions of one octagon, so a call is a parallel
 * assignment to variables of no other frame (no function is active twice), and relations between
 * arguments and the caller's variables become relations of the parameters. Dead variables are
 * havocked: the cost is quadratic in the dimensions. */
#include "cpa/octagon/octagon_priv.h"

static bool is_global(const tp_octagon *self, tp_var v) {
  return tp_var_of(self->p, v)->kind == TP_V_GLOBAL;
}

static bool is_head(const tp_octagon *self, tp_loc l) {
  return l.id && (tp_loc_of(self->p, l)->is_loop_head || tp_loc_of(self->p, l)->is_cutpoint);
}

// --------------------------------------------------------------- projections

typedef struct {
  tp_octagon *self;
  tp_func callee;  // whose frame begins or ends
  const tp_step *step;
} frame;

static bool is_live_behind(void *ctx, tp_var v) {
  const frame *f = ctx;
  return !f->step->to.id || tp_is_live(f->self->liveness, f->step->to, v);
}

static bool is_param(const frame *f, tp_var v) {
  const tp_var_info *info = tp_var_of(f->self->p, v);
  return info->kind == TP_V_PARAM && info->func.id == f->callee.id;
}

static bool is_kept_by_call(void *ctx, tp_var v) {
  const frame *f = ctx;
  if (tp_var_of(f->self->p, v)->func.id == f->callee.id)
    return is_param(f, v) && tp_is_live(f->self->liveness, f->step->to, v);
  return tp_is_live_across(f->self->liveness, f->step->edge, v);
}

static bool is_kept_by_return(void *ctx, tp_var v) {
  const frame *f = ctx;
  return tp_var_of(f->self->p, v)->func.id != f->callee.id && is_live_behind(ctx, v);
}

static bool is_visible_to_callee(void *ctx, tp_var v) {
  const frame *f = ctx;
  return is_global(f->self, v) || is_param(f, v);
}

static bool is_not_changed_by_call(void *ctx, tp_var v) {
  const frame *f = ctx;
  return !is_global(f->self, v) && v.id != tp_edge_of(f->self->p, f->step->edge)->var.id;
}

static bool is_defined_by_callee(void *ctx, tp_var v) {
  const frame *f = ctx;
  return is_global(f->self, v) || v.id == tp_edge_of(f->self->p, f->step->edge)->var.id;
}

// ------------------------------------------------------------------------ steps

static void track_operands(tp_octagon_draft *d, tp_edge e) {
  const tp_var_list vars = tp_octagon_vars_of(d->self, e);
  for (size_t i = 0; i < vars.n; i++) tp_octagon_track(d, vars.at[i]);
}

static void track_symbol(void *ctx, tp_term symbol) {
  tp_octagon_draft *d = ctx;
  const tp_var v = tp_program_var_of(d->self->p, symbol);
  if (v.id) tp_octagon_track(d, v);
}

/* The caller condition of an ASSUME edge. */
static bool assume_caller_condition(tp_octagon_draft *d, tp_term condition) {
  if (!tp_term_is(condition)) return true;
  tp_for_vars(d->self->p->terms, condition, track_symbol, d);
  return tp_octagon_assume(d, condition, true);
}

static bool transfer_edge(tp_octagon_draft *d, const tp_step *step) {
  const tp_edge id = step->edge;
  const tp_edge_info *e = tp_edge_of(d->self->p, id);
  switch (e->kind) {
    case TP_E_ASSUME:
      track_operands(d, id);
      return tp_octagon_assume(d, e->a, true) && assume_caller_condition(d, step->caller_condition);
    case TP_E_ASSIGN: track_operands(d, id); return tp_octagon_assign(d, e->var, e->a);
    case TP_E_RETURN: {
      const tp_var result = tp_func_of(d->self->p, tp_loc_of(d->self->p, e->from)->func)->result;
      if (!result.id || !tp_term_is(e->a)) return true;
      track_operands(d, id);
      tp_octagon_track(d, result);
      return tp_octagon_assign(d, result, e->a);
    }
    case TP_E_LOAD:
    case TP_E_HAVOC:
    case TP_E_ALLOC:
    case TP_E_CALL:
      if (e->var.id) tp_octagon_havoc(d, e->var);
      return true;
    case TP_E_SKIP:
    case TP_E_STORE:
    case TP_E_FREE:
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: return true;
  }
  return true;
}

typedef struct {
  const tp_octagon *self;
  tp_var var;
  bool found;
} search;

static void find_symbol(void *ctx, tp_term var) {
  search *s = ctx;
  s->found |= tp_program_var_of(s->self->p, var).id == s->var.id;
}

/* Does an argument that is still to come, going up (or down) from i, read parameter i? A recursive
 * call's arguments may. */
static bool is_read_later(const tp_octagon *self, const tp_func_info *f, const tp_edge_info *e,
                          uint32_t i, bool up) {
  search s = {self, f->params[i], false};
  for (uint32_t k = up ? i + 1 : 0; k < (up ? e->n_args : i); k++)
    tp_for_vars(self->tt, e->args[k], find_symbol, &s);
  return s.found;
}

static bool is_removable(const tp_octagon *self, const tp_func_info *f, const tp_edge_info *e,
                         uint32_t n, bool up) {
  for (uint32_t i = 0; i < n; i++)
    if (is_read_later(self, f, e, i, up)) return false;
  return true;
}

/* Parameters := arguments, all at once: in an order in which no argument reads what was assigned
 * before. If there is none, parameters that are read are forgotten first. */
static bool transfer_call(tp_octagon_draft *d, const tp_step *step) {
  TP_REQUIRE(step->kind == TP_STEP_CALL || step->kind == TP_STEP_SUMMARY);
  const tp_edge_info *e = tp_edge_of(d->self->p, step->edge);
  const tp_func_info *f = tp_func_of(d->self->p, step->callee);
  const uint32_t n = f->n_params < e->n_args ? f->n_params : e->n_args;
  track_operands(d, step->edge);
  const bool up = is_removable(d->self, f, e, n, true),
             down = up || is_removable(d->self, f, e, n, false);
  for (uint32_t i = 0; i < n; i++) {
    tp_octagon_track(d, f->params[i]);
    if (!down) tp_octagon_havoc(d, f->params[i]);
  }
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t i = up ? k : n - 1 - k;
    const tp_term param = tp_var_of(d->self->p, f->params[i])->term;
    if (!down || !tp_sort_eq(tp_sort_of(d->self->tt, e->args[i]), tp_sort_of(d->self->tt, param)))
      tp_octagon_havoc(d, f->params[i]);
    else if (!tp_octagon_assign(d, f->params[i], e->args[i]))
      return false;
  }
  return true;
}

/* edge.var := result. */
static bool assign_result(tp_octagon_draft *d, const tp_step *step) {
  const tp_edge_info *e = tp_edge_of(d->self->p, step->edge);
  const tp_var result = tp_func_of(d->self->p, step->callee)->result;
  if (!e->var.id) return true;
  tp_octagon_track(d, e->var);
  tp_octagon_havoc(d, e->var);
  if (!result.id) return true;
  const tp_term from = tp_var_of(d->self->p, result)->term,
                to = tp_var_of(d->self->p, e->var)->term;
  return !tp_sort_eq(tp_sort_of(d->self->tt, from), tp_sort_of(d->self->tt, to)) ||
         tp_octagon_assign(d, e->var, from);
}

static bool transfer_step(tp_octagon_draft *d, const tp_step *step) {
  frame f = {d->self, step->callee, step};
  switch (step->kind) {
    case TP_STEP_EDGE:
      if (!transfer_edge(d, step)) return false;
      tp_octagon_restrict(d, is_live_behind, &f);
      return true;
    case TP_STEP_CALL:
      if (!transfer_call(d, step)) return false;
      tp_octagon_restrict(d, is_kept_by_call, &f);
      return true;
    case TP_STEP_RETURN:
      if (!assign_result(d, step)) return false;
      tp_octagon_restrict(d, is_kept_by_return, &f);
      return true;
    case TP_STEP_SUMMARY:  // nothing is known of it here
      tp_octagon_restrict(d, is_not_changed_by_call, &f);
      tp_octagon_restrict(d, is_live_behind, &f);
      return true;
  }
  return true;
}

void tp_octagon_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                         tp_out *out) {
  TP_REQUIRE(tp_step_check(tp_octagon_of(cpa)->p, step));
  tp_octagon *self = tp_octagon_of(cpa);
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, self, e);
  if (transfer_step(&d, step)) {
    tp_elem *to = tp_octagon_seal(&d);
    to->at_head = is_head(self, step->to);
    tp_vec_push(&out->list, (tp_succ){to, p});
  }
  tp_octagon_drop_draft(&d);
}

/* main starts with the globals' initial values; of what calls a root under a contract nothing is
 * known. */
tp_succ tp_octagon_initial(tp_cpa *cpa, tp_loc entry, tp_context context) {
  tp_octagon *self = tp_octagon_of(cpa);
  const bool is_main = context.id && tp_context_of(cpa->env->contexts, context)->contract == 0;
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, self, self->top);
  for (uint32_t v = 1; is_main && v < self->p->vars.n; v++) {
    const tp_var_info *info = &self->p->vars.at[v];
    if (info->kind != TP_V_GLOBAL || !tp_term_is(info->initial) || !self->vars[v].score) continue;
    tp_octagon_track(&d, (tp_var){v});
    if (!tp_octagon_assign(&d, (tp_var){v}, info->initial)) tp_octagon_havoc(&d, (tp_var){v});
  }
  tp_elem *e = tp_octagon_seal(&d);
  e->at_head = is_head(self, entry);
  tp_octagon_drop_draft(&d);
  return (tp_succ){e, NULL};
}

// ------------------------------------------------------------------- neighbours

/* Meet x's bounds with what the neighbours know. *changed tells whether that says something new. */
static bool sharpen(tp_octagon_draft *d, tp_var x, const tp_view *others, size_t n, bool *changed) {
  const tp_octagon_var *info = &d->self->vars[x.id];
  if (!info->score) return true;
  tp_i128 lo = tp_octagon_type_min(info), hi = tp_octagon_type_max(info);
  const tp_i128 min = lo, max = hi;
  for (size_t i = 0; i < n; i++) {
    tp_range r;
    if (others[i].cpa == d->self->cpa ||
        !tp_view_range(others[i], tp_var_of(d->self->p, x)->term, &r))
      continue;
    const tp_i128 low = info->is_signed ? (tp_i128)r.smin : (tp_i128)r.umin,
                  high = info->is_signed ? (tp_i128)r.smax : (tp_i128)r.umax;
    if (low > lo) lo = low;
    if (high < hi) hi = high;
  }
  if (lo > hi) return false;
  if (lo == min && hi == max) return true;
  uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  if (dim != TP_OCTAGON_NO_DIM && tp_oct_upper(&d->oct, tp_oct_plus(dim)) <= tp_oct_bound(hi) &&
      tp_oct_upper(&d->oct, tp_oct_minus(dim)) <= tp_oct_bound(-lo))
    return true;
  tp_octagon_track(d, x);
  dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  if (dim == TP_OCTAGON_NO_DIM) return true;
  *changed = true;
  return tp_oct_meet(&d->oct, tp_oct_plus(dim), tp_oct_bound(hi)) &&
         tp_oct_meet(&d->oct, tp_oct_minus(dim), tp_oct_bound(-lo));
}

/* Variables that the step changed, or said something about. */
static bool sharpen_step(tp_octagon_draft *d, const tp_step *step, const tp_view *others, size_t n,
                         bool *changed) {
  const tp_edge_info *e = tp_edge_of(d->self->p, step->edge);
  frame f = {d->self, step->callee, step};
  const tp_func_info *callee = step->callee.id ? tp_func_of(d->self->p, step->callee) : NULL;
  if (step->kind == TP_STEP_CALL) {
    for (uint32_t i = 0; i < callee->n_params; i++)
      if (tp_is_live(d->self->liveness, step->to, callee->params[i]) &&
          !sharpen(d, callee->params[i], others, n, changed))
        return false;
    return true;
  }
  if (step->kind == TP_STEP_EDGE && e->kind == TP_E_RETURN) {
    const tp_var result = tp_func_of(d->self->p, tp_loc_of(d->self->p, e->from)->func)->result;
    return !result.id || sharpen(d, result, others, n, changed);
  }
  if (step->kind == TP_STEP_EDGE && e->kind == TP_E_ASSUME) {
    const tp_var_list vars = tp_octagon_vars_of(d->self, step->edge);
    for (size_t i = 0; i < vars.n; i++)
      if (is_live_behind(&f, vars.at[i]) && !sharpen(d, vars.at[i], others, n, changed))
        return false;
    return true;
  }
  return !e->var.id || !is_live_behind(&f, e->var) || sharpen(d, e->var, others, n, changed);
}

const tp_elem *tp_octagon_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others, size_t n,
                                     const tp_step *step) {
  tp_octagon_draft d;
  bool changed = false;
  tp_octagon_open_draft(&d, tp_octagon_of(cpa), e);
  const bool ok = sharpen_step(&d, step, others, n, &changed);
  const tp_elem *result = ok ? e : NULL;
  if (ok && changed) {
    tp_elem *to = tp_octagon_seal(&d);
    to->at_head = e->at_head;
    result = to;
  }
  tp_octagon_drop_draft(&d);
  return result;
}

// -------------------------------------------------------------------- summaries

const tp_elem *tp_octagon_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call) {
  tp_octagon *self = tp_octagon_of(cpa);
  const tp_func_info *callee = tp_func_of(self->p, call->callee);
  frame f = {self, call->callee, call};
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, self, e);
  const tp_elem *result = self->top;  // sound for what is impossible, too
  if (transfer_call(&d, call)) {
    tp_octagon_restrict(&d, is_visible_to_callee, &f);
    tp_elem *to = tp_octagon_seal(&d);
    to->at_head = is_head(self, callee->entry);
    result = to;
  }
  tp_octagon_drop_draft(&d);
  return result;
}

/* The caller's part of one draft and the callee's of another share no variable: both octagons hold.
 */
static bool conjoin(tp_octagon_draft *d, const tp_octagon_draft *more) {
  for (size_t i = 0; i < more->vars.n; i++) tp_octagon_track(d, more->vars.at[i]);
  tp_octagon_draft wide = {0};
  tp_octagon_copy_draft(&wide, more);
  tp_octagon_project(&wide, d->vars.at, d->vars.n);
  const bool ok = tp_oct_meet_all(&d->oct, &wide.oct);
  tp_octagon_drop_draft(&wide);
  return ok;
}

const tp_elem *tp_octagon_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                 const tp_step *call) {
  tp_octagon *self = tp_octagon_of(cpa);
  frame f = {self, call->callee, call};
  tp_octagon_draft d, behind;
  tp_octagon_open_draft(&d, self, before);
  tp_octagon_open_draft(&behind, self, leave);
  tp_octagon_restrict(&d, is_not_changed_by_call, &f);
  const tp_elem *result = self->top;
  if (assign_result(&behind, call)) {
    tp_octagon_restrict(&behind, is_defined_by_callee, &f);
    if (conjoin(&d, &behind)) {
      tp_octagon_restrict(&d, is_live_behind, &f);
      tp_elem *to = tp_octagon_seal(&d);
      to->at_head = is_head(self, call->to);
      result = to;
    }
  }
  tp_octagon_drop_draft(&d);
  tp_octagon_drop_draft(&behind);
  return result;
}

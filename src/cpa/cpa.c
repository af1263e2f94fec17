/* Instances of analyses, their settings, and the defaults of optional operators. */
#include "cpa/cpa.h"

#include <errno.h>
#include <stdlib.h>

// --------------------------------------------------------------------- settings

/* The key of a setting "NAME.key" of this analysis, else NULL. */
static const char *own_key(const tp_cpa *cpa, const tp_setting *s) {
  size_t n = strlen(cpa->ops->name);
  return strncmp(s->name, cpa->ops->name, n) == 0 && s->name[n] == '.' ? s->name + n + 1 : NULL;
}

const char *tp_cpa_setting(const tp_cpa *cpa, const char *key, const char *otherwise) {
  TP_REQUIRE(key && !strchr(key, '.'));
  for (size_t i = 0; i < cpa->env->n_settings; i++) {
    const char *own = own_key(cpa, &cpa->env->settings[i]);
    if (own && strcmp(own, key) == 0) return cpa->env->settings[i].value;
  }
  return otherwise;
}

bool tp_cpa_setting_u64(const tp_cpa *cpa, const char *key, uint64_t otherwise, uint64_t *out,
                        tp_str *why) {
  *out = otherwise;
  const char *text = tp_cpa_setting(cpa, key, NULL);
  if (!text) return true;
  char *end = NULL;
  errno = 0;
  unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
  if (!end || *end || errno) {
    tp_str_printf(why, "%s.%s = %s: a number from 0 was expected", cpa->ops->name, key, text);
    return false;
  }
  *out = value;
  return true;
}

bool tp_cpa_setting_flag(const tp_cpa *cpa, const char *key, bool otherwise, bool *out,
                         tp_str *why) {
  const char *text = tp_cpa_setting(cpa, key, otherwise ? "on" : "off");
  *out = strcmp(text, "on") == 0;
  if (*out || strcmp(text, "off") == 0) return true;
  tp_str_printf(why, "%s.%s = %s: on or off was expected", cpa->ops->name, key, text);
  return false;
}

static bool has_setting(const tp_cpa_ops *ops, const char *key) {
  if (strcmp(key, "merge") == 0 || strcmp(key, "stop") == 0) return true;
  for (const char *const *s = ops->settings; s && *s; s++)
    if (strcmp(*s, key) == 0) return true;
  return false;
}

static bool check_keys(const tp_cpa *cpa, tp_str *why) {
  for (size_t i = 0; i < cpa->env->n_settings; i++) {
    const char *key = own_key(cpa, &cpa->env->settings[i]);
    if (!key || has_setting(cpa->ops, key)) continue;
    tp_str_printf(why, "%s has no setting %s; it has merge, stop", cpa->ops->name, key);
    for (const char *const *s = cpa->ops->settings; s && *s; s++) tp_str_printf(why, ", %s", *s);
    return false;
  }
  return true;
}

/* Settings that are "sep" or "join". */
static bool choose_sep_or_join(const tp_cpa *cpa, const char *key, const char *otherwise,
                               bool *join, tp_str *why) {
  const char *value = tp_cpa_setting(cpa, key, otherwise);
  *join = strcmp(value, "join") == 0;
  if (*join || strcmp(value, "sep") == 0) return true;
  tp_str_printf(why, "%s.%s = %s: sep or join was expected", cpa->ops->name, key, value);
  return false;
}

static bool choose_operators(tp_cpa *cpa, tp_str *why) {
  const tp_cpa_ops *ops = cpa->ops;
  if (!choose_sep_or_join(cpa, "merge", ops->default_merge ? ops->default_merge : "sep",
                          &cpa->merges_join, why))
    return false;
  if (!choose_sep_or_join(cpa, "stop", "sep", &cpa->stops_join, why)) return false;
  if (cpa->merges_join && !ops->has_join) {
    tp_str_printf(why, "%s.merge = join: %s has no join; use sep", ops->name, ops->name);
    return false;
  }
  if (cpa->stops_join && !(ops->is_powerset && ops->has_join)) {
    tp_str_printf(why,
                  "%s.stop = join: the join of %s is not exact, a state in the join may be in no "
                  "element; use sep",
                  ops->name, ops->name);
    return false;
  }
  return true;
}

// -------------------------------------------------------------------- instances

tp_cpa *tp_cpa_open(const tp_cpa_ops *ops, tp_cpa_env *env, tp_str *why) {
  tp_cpa *cpa = TP_NEW(tp_cpa);
  *cpa = (tp_cpa){.ops = ops, .env = env};
  TP_REQUIRE(ops->initial && ops->transfer && ops->leq && ops->print && ops->formula);  // required
  tp_arena_init(&cpa->arena);
  TP_INVARIANT(!ops->has_join || (ops->join && ops->top));
  bool ok = ops->merge || (check_keys(cpa, why) && choose_operators(cpa, why));
  if (ok && (!ops->open || ops->open(cpa, why))) return cpa;
  tp_arena_clear(&cpa->arena);
  tp_free(cpa);
  return NULL;
}

void tp_cpa_close(tp_cpa *cpa) {
  if (!cpa) return;
  if (cpa->ops->close) cpa->ops->close(cpa);
  tp_arena_clear(&cpa->arena);
  tp_free(cpa);
}

bool tp_view_range(tp_view v, tp_term t, tp_range *out) {
  return v.cpa->ops->range && v.cpa->ops->range((tp_cpa *)v.cpa, v.elem, t, out) && !out->is_top;
}

// ----------------------------------------------------------------------- steps

bool tp_step_check(const tp_program *p, const tp_step *step) {
  if (!step->edge.id || step->edge.id >= p->edges.n || step->callee.id >= p->funcs.n) return false;
  const tp_edge_info *e = tp_edge_of(p, step->edge);
  if (step->kind == TP_STEP_EDGE)
    return e->kind != TP_E_CALL && !step->callee.id && step->from.id == e->from.id &&
           step->to.id == e->to.id;
  if (e->kind != TP_E_CALL || !step->callee.id || tp_term_is(step->caller_condition)) return false;
  const tp_func_info *f = tp_func_of(p, step->callee);
  switch (step->kind) {
    case TP_STEP_CALL:
      return f->has_body && step->from.id == e->from.id && step->to.id == f->entry.id;
    case TP_STEP_RETURN:
      return f->has_body && step->from.id == f->exit.id && step->to.id == e->to.id;
    case TP_STEP_SUMMARY: return step->from.id == e->from.id && step->to.id == e->to.id;
    case TP_STEP_EDGE: break;
  }
  return false;
}

// --------------------------------------------------------------- merge and stop

const tp_elem *tp_merge_sep(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  (void)cpa;
  (void)a;
  return b;
}

const tp_elem *tp_merge_join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(cpa->ops->has_join);
  return a == b || cpa->ops->leq(cpa, a, b) ? b : cpa->ops->join(cpa, a, b);
}

tp_term tp_formula_true(tp_cpa *cpa, const tp_elem *e) {
  TP_REQUIRE(e != NULL);
  return tp_mk_true(cpa->env->terms);
}

bool tp_stop_sep(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates) {
  for (size_t i = 0; i < candidates.n; i++)
    if (candidates.at[i].elem == e || cpa->ops->leq(cpa, e, candidates.at[i].elem)) return true;
  return false;
}

bool tp_stop_join(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates) {
  TP_REQUIRE(cpa->ops->is_powerset);  // otherwise the join is more than the candidates together
  if (candidates.n == 0) return false;
  if (cpa->ops->covered) return cpa->ops->covered(cpa, e, candidates);
  const tp_elem *all = candidates.at[0].elem;
  for (size_t i = 1; i < candidates.n; i++) all = cpa->ops->join(cpa, all, candidates.at[i].elem);
  return cpa->ops->leq(cpa, e, all);
}

const tp_elem *tp_cpa_merge(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  if (cpa->ops->merge) return cpa->ops->merge(cpa, a, b);
  return cpa->merges_join ? tp_merge_join(cpa, a, b) : tp_merge_sep(cpa, a, b);
}

bool tp_cpa_stop(tp_cpa *cpa, const tp_elem *e, tp_reached_view candidates) {
  if (cpa->ops->stop) return cpa->ops->stop(cpa, e, candidates);
  return cpa->stops_join ? tp_stop_join(cpa, e, candidates) : tp_stop_sep(cpa, e, candidates);
}

// --------------------------------------------------------------------- defaults

tp_adjusted tp_cpa_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  *out = (tp_succ){e, p};
  return cpa->ops->adjust ? cpa->ops->adjust(cpa, e, p, view, out) : TP_CONTINUE;
}

uint32_t tp_cpa_descents(tp_cpa *cpa) { return cpa->ops->descents ? cpa->ops->descents(cpa) : 0; }
uint64_t tp_cpa_merge_key(tp_cpa *cpa, const tp_elem *e) {
  return cpa->ops->merge_key ? cpa->ops->merge_key(cpa, e) : 0;
}

tp_loc tp_cpa_location_of(tp_cpa *cpa, const tp_elem *e) {
  return cpa->ops->location ? cpa->ops->location(cpa, e) : TP_LOC_NONE;
}

tp_context tp_cpa_context(tp_cpa *cpa, const tp_elem *e) {
  return cpa->ops->context ? cpa->ops->context(cpa, e) : TP_CONTEXT_NONE;
}

const tp_elem *tp_cpa_widen(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(cpa->ops->has_join);
  return cpa->ops->widen ? cpa->ops->widen(cpa, a, b) : cpa->ops->join(cpa, a, b);
}

bool tp_cpa_has_exact_formula(tp_cpa *cpa, const tp_elem *e) {
  return !cpa->ops->has_exact_formula || cpa->ops->has_exact_formula(cpa, e);
}

void tp_cpa_strengthen_last(tp_cpa *cpa, tp_out *out) {
  size_t n = 0;
  for (size_t i = 0; i < out->list.n && cpa->ops->strengthen_last; i++) {
    tp_succ s = out->list.at[i];
    s.elem = cpa->ops->strengthen_last(cpa, s.elem);
    if (s.elem) out->list.at[n++] = s;
  }
  if (cpa->ops->strengthen_last) out->list.n = n;
}

const tp_elem *tp_cpa_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call) {
  TP_REQUIRE(call->callee.id && call->root.id);
  if (cpa->ops->reduce) return cpa->ops->reduce(cpa, e, call);
  return cpa->ops->initial(cpa, tp_func_of(cpa->env->program, call->callee)->entry, call->root)
      .elem;
}

const tp_elem *tp_cpa_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *exit,
                             const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_SUMMARY || call->kind == TP_STEP_RETURN);
  if (cpa->ops->expand) return cpa->ops->expand(cpa, before, exit, call);
  if (cpa->ops->top) return cpa->ops->top(cpa);
  return cpa->ops->initial(cpa, TP_LOC_NONE, call->root).elem;
}

tp_succ tp_cpa_summary_successor(tp_cpa *cpa, tp_succ before, const tp_elem *exit,
                                 const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_SUMMARY && exit);
  tp_out out = {0};
  uint64_t havocs = cpa->env->stats ? cpa->env->stats->havocs : 0;
  cpa->ops->transfer(cpa, before.elem, before.prec, call, &out);
  if (cpa->env->stats)
    cpa->env->stats->havocs = havocs;  // the havocked element of this successor is not used
  tp_succ s = {tp_cpa_expand(cpa, before.elem, exit, call),
               out.list.n == 1 ? out.list.at[0].prec : before.prec};
  tp_vec_clear(&out.list);
  return s;
}

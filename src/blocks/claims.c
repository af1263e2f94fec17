/* A claim is asked again, block by block, with all claims and all that was proved as premises. The
 * states that are shown have small numbers where such ones exist. */
#include "blocks/claims.h"

#include "blocks/blocks_limits.h"

void tp_claims_mark(const tp_candidate_list *claims, bool *ends_at) {
  for (size_t i = 0; i < claims->n; i++) ends_at[claims->at[i].at.id] = true;
}

void tp_claims_add(const tp_blocks *b, const tp_candidate_list *claims, tp_node_formulas *to) {
  for (size_t i = 0; claims && i < claims->n; i++)
    for (uint32_t n = 0; n < b->nodes.n; n++)
      if (b->nodes.at[n].loc.id == claims->at[i].at.id)
        tp_node_formulas_add(to, b, n, claims->at[i].formula);
}

// -------------------------------------------------------------------------- judging

typedef struct {
  const tp_learner *l;
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_candidate_list *claims;
  tp_smt_options smt;
  tp_arena *arena;
} judge;

static bool is_proved(const judge *j, uint32_t node, tp_term t) {
  const tp_term_list *proved = &j->l->proved.at[node];
  if (tp_is_true(j->tt, t)) return true;
  for (size_t i = 0; i < proved->n; i++)
    if (tp_term_eq(proved->at[i], t)) return true;
  return false;
}

/* All that is claimed or known at the node. */
static tp_term premises_at(const judge *j, uint32_t node) {
  tp_term all = j->l->known[node];
  for (size_t i = 0; i < j->claims->n; i++)
    if (j->b->nodes.at[node].loc.id == j->claims->at[i].at.id &&
        tp_block_node_may_use(j->b, node, j->claims->at[i].formula))
      all = tp_mk_and(j->tt, all, j->claims->at[i].formula);
  return all;
}

// --------------------------------------------------------------------------- states

typedef struct {
  const tp_program *p;
  TP_VEC(tp_var) vars;
} variables;

/* Numbers that the user named. */
static void see_variable(void *ctx, tp_term symbol) {
  variables *v = ctx;
  uint64_t id = 0;
  if (!tp_map_get(&v->p->var_of_term, symbol.id, &id)) return;
  const tp_var_info *info = &v->p->vars.at[id];
  const tp_sort_kind kind = tp_sort_kind_of(v->p->terms, tp_sort_of(v->p->terms, symbol));
  const bool is_number = kind == TP_SORT_BV || kind == TP_SORT_BOOL;
  if (!is_number || info->kind == TP_V_TEMP || !info->name[0] || info->name[0] == '.') return;
  for (size_t i = 0; i < v->vars.n; i++)
    if (v->vars.at[i].id == id) return;
  if (v->vars.n < TP_BLOCKS_CLAIM_VARIABLES) tp_vec_push(&v->vars, (tp_var){(uint32_t)id});
}

static void print_number(const tp_program *p, const tp_var_info *info, tp_value value,
                         tp_str *out) {
  const tp_type_info *type = info->type.id ? tp_type_of(p, info->type) : NULL;
  const tp_sort sort = tp_sort_of(p->terms, info->term);
  const uint32_t width =
      tp_sort_kind_of(p->terms, sort) == TP_SORT_BV ? tp_sort_width(p->terms, sort) : 1;
  const uint64_t bits = (uint64_t)value.bits;
  const bool is_negative =
      type && type->is_signed && width > 1 && width <= 64 && (bits >> (width - 1) & 1);
  if (is_negative)
    tp_str_printf(out, "-%llu",
                  (unsigned long long)(width < 64 ? ((uint64_t)1 << width) - bits : 0 - bits));
  else if (width <= 64)
    tp_str_printf(out, "%llu", (unsigned long long)bits);
  else
    tp_str_printf(out, "0x%llx%016llx", (unsigned long long)(value.bits >> 64),
                  (unsigned long long)bits);
}

/* "i = 3, n = 2"; path: variables are shown behind it, else before. NULL: nothing can be said. */
static const char *state_text(const judge *j, tp_smt *solver, const variables *v,
                              const tp_path *path) {
  tp_str text = {0};
  for (size_t i = 0; i < v->vars.n; i++) {
    const tp_var_info *info = tp_var_of(v->p, v->vars.at[i]);
    const tp_term t = path ? tp_path_after(j->x, path, info->term) : info->term;
    tp_value value;
    if (!tp_smt_value(solver, tp_paths_flat(j->x, t), &value)) continue;
    tp_str_printf(&text, "%s%s = ", text.n ? ", " : "", info->name);
    print_number(v->p, info, value, &text);
  }
  const char *kept = text.n ? tp_arena_strdup(j->arena, text.text) : NULL;
  tp_str_clear(&text);
  return kept;
}

/* The numbers before the block are small: -8 .. 23, those without sign 0 .. 31. */
static tp_term are_small(const judge *j, const variables *v) {
  tp_term all = tp_mk_true(j->tt);
  for (size_t i = 0; i < v->vars.n; i++) {
    const tp_var_info *info = tp_var_of(v->p, v->vars.at[i]);
    const bool is_signed = info->type.id && tp_type_of(v->p, info->type)->is_signed;
    const tp_term t = info->term;
    const tp_sort sort = tp_sort_of(j->tt, t);
    if (tp_sort_kind_of(j->tt, sort) != TP_SORT_BV) continue;
    const uint32_t width = tp_sort_width(j->tt, sort);
    if (width < 8 || width > 64) continue;
    const tp_term shifted =
        tp_mk2(j->tt, TP_OP_BV_ADD, t, tp_mk_bv(j->tt, width, is_signed ? 8 : 0));
    all = tp_mk_and(j->tt, all, tp_mk2(j->tt, TP_OP_BV_ULT, shifted, tp_mk_bv(j->tt, width, 32)));
  }
  return all;
}

// --------------------------------------------------------------------------- claims

/* Does the block lead from where everything claimed holds to where this claim does not? */
static tp_smt_answer ask(const judge *j, const tp_block *block, tp_term claim, tp_claim *out) {
  variables v = {.p = j->x->p};
  const tp_term after = tp_path_after(j->x, &block->path, claim);
  tp_for_vars(j->tt, claim, see_variable, &v);
  tp_for_vars(j->tt, after, see_variable, &v);
  tp_smt *solver = tp_smt_new(j->tt, j->smt);
  const tp_term before =
      tp_mk_and(j->tt, tp_path_condition(j->x, &block->path), premises_at(j, block->from));
  tp_smt_assert(solver, tp_paths_query(j->x, tp_mk_and(j->tt, before, tp_mk_not(j->tt, after))));
  const tp_term small = tp_paths_query(j->x, are_small(j, &v));
  tp_smt_answer answer = tp_smt_check(solver, &small, 1);
  if (answer != TP_SMT_SAT) answer = tp_smt_check(solver, NULL, 0);
  if (answer == TP_SMT_SAT) {
    const bool is_start = block->from == 0;
    out->state = is_start ? TP_CLAIM_STARTS_FALSE : TP_CLAIM_NOT_KEPT;
    out->before = is_start ? NULL : state_text(j, solver, &v, NULL);
    out->after = state_text(j, solver, &v, &block->path);
    out->from =
        is_start ? NULL
                 : tp_position_text(
                       j->x->p, tp_loc_of(j->x->p, j->b->nodes.at[block->from].loc)->pos, j->arena);
  }
  tp_smt_free(solver);
  tp_vec_clear(&v.vars);
  return answer;
}

/* At one node. What is known there already excludes blocks that no run takes. */
static void judge_at(const judge *j, uint32_t node, tp_term claim, tp_claim *out) {
  if (is_proved(j, node, claim)) {
    out->state = TP_CLAIM_PROVED;
    return;
  }
  if (!tp_block_node_may_use(j->b, node, claim)) {
    out->state = TP_CLAIM_OPEN;
    return;
  }
  bool is_kept = true;
  for (size_t i = 0; i < j->b->list.n; i++) {
    if (j->b->list.at[i].to != node) continue;
    const tp_smt_answer answer = ask(j, &j->b->list.at[i], claim, out);
    if (answer == TP_SMT_SAT) return;
    is_kept &= answer == TP_SMT_UNSAT;
  }
  out->state = is_kept ? TP_CLAIM_RESTS : TP_CLAIM_OPEN;
}

/* How much there is to say: a failure counts more than a proof elsewhere. */
static int weight_of(tp_claim_state s) {
  switch (s) {
    case TP_CLAIM_STARTS_FALSE: return 4;
    case TP_CLAIM_NOT_KEPT: return 3;
    case TP_CLAIM_OPEN: return 2;
    case TP_CLAIM_RESTS: return 1;
    case TP_CLAIM_PROVED: break;
  }
  return 0;
}

static void keep(tp_result *out, tp_claim answer) {
  for (size_t i = 0; i < out->claims.n; i++) {
    tp_claim *c = &out->claims.at[i];
    if (c->number != answer.number) continue;
    if (weight_of(answer.state) > weight_of(c->state)) *c = answer;
    return;
  }
  tp_vec_push(&out->claims, answer);
}

void tp_claims_judge(const tp_learner *l, const tp_candidate_list *claims, tp_smt_options smt,
                     tp_result *out) {
  TP_REQUIRE(l && out);
  const tp_blocks *b = l->blocks;
  const judge j = {l, b, b->paths, l->tt, claims, smt, &out->arena};
  out->claims.n = 0;
  for (size_t i = 0; claims && i < claims->n; i++)
    for (uint32_t n = 1; n < b->nodes.n && claims->at[i].number; n++) {
      tp_claim answer = {.number = claims->at[i].number};
      if (b->nodes.at[n].loc.id != claims->at[i].at.id || tp_is_false(l->tt, l->known[n])) continue;
      judge_at(&j, n, claims->at[i].formula, &answer);
      keep(out, answer);
    }
}

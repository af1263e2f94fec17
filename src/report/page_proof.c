/* What a certificate says, in place and as C over the user's names: invariants of loop heads and
 * other cutpoints, contracts of functions, how often loops of an unrolling iterate.
 *
 * The text is the one that was checked, read by the checker's reader. A formula is a conjunction of
 * facts; several formulas of one place are alternatives. What has no form that people could read
 * (facts about numbers of objects, long ones, pictures of heaps) is counted. */
#include "report/page_priv.h"

#include "certify/inductive/inductive_cert.h"
#include "engine/unrolling.h"
#include "expression/expression_print.h"
#include "program/access.h"
#include "report/report_limits.h"

#include <stdlib.h>

typedef struct {
  const char *text;
  uint32_t rank;  // simple ones first
  uint32_t serial;
} page_fact;

typedef struct {
  const tp_program *p;
  const tp_map *index_of;
  tp_arena arena;
  TP_VEC(page_fact) facts;  // of the formula in hand
  uint64_t n_hidden;
} proof_text;

// ------------------------------------------------------------------------ facts

static bool is_hidden_variable(void *ctx, const tp_terms *tt, tp_term t) {
  const tp_program *p = ctx;
  (void)tt;
  const tp_var v = tp_program_var_of(p, t);
  if (!v.id) return false;
  const tp_var_info *info = tp_var_of(p, v);
  return info->kind == TP_V_GHOST || info->kind == TP_V_TEMP || info->name[0] == '.';
}

/* Equations and bounds say more than cases. */
static uint32_t rank_of(const tp_terms *tt, tp_term t, size_t length) {
  const tp_term_kind k = tp_kind(tt, t);
  const bool is_case =
      k == TP_OP_OR || (k == TP_OP_NOT && tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_AND);
  return (uint32_t)length + (is_case ? 1000u : k == TP_OP_EQ ? 0u : 20u);
}

typedef struct {
  const tp_program *p;
  tp_func top;
} frame_names;

/* Variables of outer frames are told apart by their function: "main::n". */
static tp_term qualify(void *ctx, tp_term var) {
  const frame_names *names = ctx;
  const tp_var v = tp_program_var_of(names->p, var);
  const tp_func owner = v.id ? tp_var_of(names->p, v)->func : TP_FUNC_NONE;
  if (!owner.id || owner.id == names->top.id) return TP_TERM_NONE;
  tp_str name = {0};
  tp_str_printf(&name, "%s::%s", tp_func_of(names->p, owner)->name, tp_var_of(names->p, v)->name);
  const tp_term symbol = tp_mk_var(names->p->terms, name.text, tp_sort_of(names->p->terms, var));
  tp_str_clear(&name);
  return symbol;
}

static void print_fact(const tp_program *p, tp_loc at, tp_term t, tp_str *out) {
  frame_names names = {p, tp_loc_of(p, at)->func};
  tp_map memo = {0};
  if (!tp_expression_print(p, at, t, out))
    tp_access_print_value(p, tp_subst(p->terms, t, qualify, &names, &memo), out);
  tp_map_clear(&memo);
}

static void add_fact(proof_text *w, tp_loc at, tp_term t) {
  tp_terms *tt = w->p->terms;
  tp_str text = {0};
  if (tp_any_subterm(tt, t, is_hidden_variable, (void *)(uintptr_t)w->p)) {
    w->n_hidden++;
    return;
  }
  print_fact(w->p, at, t, &text);
  if (!text.n || text.n > TP_REPORT_PAGE_FACT)
    w->n_hidden++;
  else
    tp_vec_push(&w->facts, ((page_fact){.text = tp_arena_strdup(&w->arena, text.text),
                                        .rank = rank_of(tt, t, text.n),
                                        .serial = (uint32_t)w->facts.n}));
  tp_str_clear(&text);
}

static int by_rank(const void *x, const void *y) {
  const page_fact *a = x, *b = y;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return a->serial < b->serial ? -1 : a->serial > b->serial;
}

/* The conjuncts of a formula as texts, simple ones first. */
static json_t *facts_of(proof_text *w, tp_loc at, tp_term formula) {
  tp_terms *tt = w->p->terms;
  tp_term_list conjuncts = {0};
  tp_vec_clear(&w->facts);
  tp_conjuncts(tt, formula, &conjuncts);
  for (size_t i = 0; i < conjuncts.n; i++) add_fact(w, at, conjuncts.at[i]);
  tp_vec_clear(&conjuncts);
  if (w->facts.n) qsort(w->facts.at, w->facts.n, sizeof *w->facts.at, by_rank);
  json_t *list = json_array();
  for (size_t i = 0; i < w->facts.n; i++)
    if (i < TP_REPORT_PAGE_FACTS)
      json_array_append_new(list, tp_page_text(w->facts.at[i].text));
    else
      w->n_hidden++;
  return list;
}

// --------------------------------------------------------------- kind invariants

/* "main > f", without the positions of calls. */
static json_t *chain_of(const proof_text *w, const tp_chk_cert *c, uint32_t context) {
  json_t *chain = json_array();
  for (; context; context = c->contexts.at[context].parent)
    json_array_insert_new(chain, 0,
                          tp_page_text(tp_func_of(w->p, c->contexts.at[context].func)->name));
  return chain;
}

static void add_cutpoint(proof_text *w, const tp_chk_cert *c, const tp_chk_cutpoint *at,
                         json_t *list) {
  const tp_loc_info *loc = tp_loc_of(w->p, at->loc);
  const tp_func_info *func = tp_func_of(w->p, loc->func);
  if (func->is_model) return;
  w->n_hidden = 0;
  json_t *alternatives = json_array(), *o = json_object();
  uint64_t n_pictures = 0;
  for (uint32_t i = at->first; i < at->first + at->n; i++) {
    json_array_append_new(alternatives, facts_of(w, at->loc, c->formulas.at[i]));
    n_pictures += i < c->described.n && c->described.at[i].n > 0;
  }
  const uint32_t loop = loc->is_loop_head ? loc->loop : 0;
  json_object_set_new(o, "kind",
                      json_string(loop                           ? "loop"
                                  : func->entry.id == at->loc.id ? "entry"
                                  : func->exit.id == at->loc.id  ? "exit"
                                                                 : "place"));
  json_object_set_new(o, "place",
                      tp_page_place(w->index_of, loop ? w->p->loops.at[loop].pos : loc->pos));
  json_object_set_new(o, "location", tp_page_number(at->loc.id));
  json_object_set_new(o, "function", tp_page_text(func->name));
  json_object_set_new(o, "chain", chain_of(w, c, at->context));
  json_object_set_new(o, "alternatives", alternatives);
  json_object_set_new(o, "hidden", tp_page_number(w->n_hidden));
  if (n_pictures) json_object_set_new(o, "heaps", tp_page_number(n_pictures));
  json_array_append_new(list, o);
}

static void add_contract(proof_text *w, const tp_chk_contract *contract, json_t *list) {
  const tp_func_info *func = tp_func_of(w->p, contract->func);
  if (func->is_model) return;
  w->n_hidden = 0;
  json_t *o = json_object();
  json_object_set_new(o, "kind", json_string("contract"));
  json_object_set_new(o, "place", tp_page_place(w->index_of, func->pos));
  json_object_set_new(o, "function", tp_page_text(func->name));
  json_object_set_new(o, "requires", facts_of(w, func->entry, contract->pre));
  json_object_set_new(o, "ensures", facts_of(w, func->exit, contract->post));
  json_object_set_new(o, "hidden", tp_page_number(w->n_hidden));
  json_array_append_new(list, o);
}

static void add_invariants(proof_text *w, tp_property property, const char *text, json_t *list) {
  tp_chk_cert c;
  tp_str why = {0};
  if (tp_chk_cert_read(&c, w->p, property, text, &why)) {
    for (size_t i = 1; i < c.contracts.n; i++) add_contract(w, &c.contracts.at[i], list);
    for (size_t i = 1; i < c.cutpoints.n; i++) add_cutpoint(w, &c, &c.cutpoints.at[i], list);
  }
  tp_chk_cert_clear(&c);
  tp_str_clear(&why);
}

// ---------------------------------------------------------------- kind unrolling

static void add_unrolling(proof_text *w, const char *text, json_t *list) {
  tp_unrolling u;
  tp_str why = {0};
  tp_unrolling_init(&u);
  const bool is_read = tp_unrolling_read(text, w->p, &u, &why) == TP_OK;
  for (size_t i = 0; is_read && i < u.loops.n; i++) {
    const tp_cert_loop *l = &u.loops.at[i];
    const tp_loc_info *head = tp_loc_of(w->p, l->head);
    const tp_pos pos =
        head->is_loop_head && head->loop ? w->p->loops.at[head->loop].pos : head->pos;
    if (tp_func_of(w->p, l->func)->is_model) continue;
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string("bound"));
    json_object_set_new(o, "place", tp_page_place(w->index_of, pos));
    json_object_set_new(o, "location", tp_page_number(l->head.id));
    json_object_set_new(o, "function", tp_page_text(tp_func_of(w->p, l->func)->name));
    json_object_set_new(o, "iterations", tp_page_number(l->iterations));
    json_array_append_new(list, o);
  }
  for (size_t i = 0; is_read && i < u.depths.n; i++) {
    const tp_func_info *func = tp_func_of(w->p, u.depths.at[i].func);
    if (func->is_model) continue;
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string("depth"));
    json_object_set_new(o, "place", tp_page_place(w->index_of, func->pos));
    json_object_set_new(o, "function", tp_page_text(func->name));
    json_object_set_new(o, "activations", tp_page_number(u.depths.at[i].n));
    json_array_append_new(list, o);
  }
  tp_unrolling_clear(&u);
  tp_str_clear(&why);
}

json_t *tp_page_proof(const tp_report *r, const tp_page_extra *more, const tp_map *index_of) {
  json_t *list = json_array();
  const char *text = more->certificate;
  if (!r->program || !text || !text[0]) return list;
  proof_text w = {.p = r->program, .index_of = index_of};
  tp_arena_init(&w.arena);
  if (tp_chk_cert_is_inductive(text))
    add_invariants(&w, r->asked, text, list);
  else
    add_unrolling(&w, text, list);
  tp_vec_clear(&w.facts);
  tp_arena_clear(&w.arena);
  return list;
}

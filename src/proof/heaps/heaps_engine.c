/* Symbolic heaps: lists, trees, what they own, and the objects that hold them, of any size.
 *
 *   explore    paths of the program on symbolic heaps; at joins and loop heads cells are folded
 *              into structures (fold_cells.c), and a heap whose text was there before is not
 *              followed again.
 *   calls      go into the function, each way of calls apart. Functions that call themselves have a
 *              contract: it is given whole structures at its parameters; what its body ends with is
 *              what calls give back, and all is explored again until nothing new comes back.
 *   kinds      what cells own is learned while folding; each time more is known all is explored
 *              again.
 *   variants   which link of a structure leads back is a guess; the next one is tried where a
 * search fails.
 *
 *   facts      of numbers, where the property asks about more than memory: which candidates hold of
 *              the cells of a structure (cell_facts.h). A heap that comes back with fewer of them
 * is followed again with those that both have.
 *
 * The search does not look at the program's checks: the certificate is the heaps that were met, and
 * its checker says whether they exclude the errors. */
#include "engine/cert_lines.h"
#include "proof/heaps/cell_facts.h"
#include "proof/proof_engines.h"
#include "proof/proof_limits.h"
#include "program/access.h"
#include "program/effects.h"
#include "program/flags.h"

/* Numbers of symbols: those before calls, and others of the same contract. */
enum { FIRST_SYMBOL = 1, FIRST_OTHER_SYMBOL = 1000 };

typedef struct {
  tp_func func;
  uint32_t root;
  tp_symheap *pre;
  tp_term_list symbols;  // of pre: what stands at parameters
  tp_map numbers;        // theirs in the text
  tp_symheap_list posts;
  TP_VEC(const char *) texts;  // of posts
} contract;
typedef struct {
  const char *text;
  tp_cell_masks holds;  // of variables, then of objects and parts as they are written
} entry;
typedef struct {
  const tp_task *task;
  const tp_program *p;
  const tp_budget *budget;
  tp_stats *stats;
  tp_symheap_search x;
  tp_symheap_kinds kinds;
  tp_liveness *liveness;
  tp_effects effects;
  tp_locals locals;
  bool *is_flag, *is_index;  // by variable
  tp_names *texts;
  tp_contexts contexts;        // roots: main, and bodies of contracts
  TP_VEC(contract) contracts;  // the same
  TP_VEC(entry) entries;
  tp_map seen;  // number of the text without facts -> entry
  tp_map n_at;  // heaps at a place (place_of)
  tp_symheap_list todo;
  bool posts_changed;
  uint64_t steps;
  double start_s;
} run;

// ------------------------------------------------------------------------- flags

/* Variables that take few values, so that what they are is kept at loops: flags, and indices of
 * tables of constant size. */
static void find_flags(run *r) {
  r->is_index = TP_NEW_ARRAY(bool, r->p->vars.n);
  r->is_flag = TP_NEW_ARRAY(bool, r->p->vars.n);
  tp_flags_find(r->p, r->is_flag);
  tp_indices_find(r->p, TP_PROOF_HEAPS_INDEX, r->is_index);
  for (size_t v = 1; v < r->p->vars.n; v++) r->is_flag[v] |= r->is_index[v];
}

// ---------------------------------------------------------------------- contexts

static const tp_context_info *context_of(const run *r, uint32_t i) {
  return tp_context_of(&r->contexts, (tp_context){i});
}

static void drop_locals(const run *r, tp_symheap *s, tp_func f) {
  for (uint32_t i = r->locals.first[f.id]; i < r->locals.first[f.id + 1]; i++)
    s->vars[r->locals.at[i].id] = TP_TERM_NONE;
}

static void give_up(run *r, const tp_symheap *s, const char *reason) {
  if (r->x.reason) return;
  r->x.reason = reason;
  r->x.where = s->loc;
}

// --------------------------------------------------------------------- contracts

static uint32_t kind_of_param(run *r, tp_var v) {
  const tp_var_info *info = tp_var_of(r->p, v);
  if (tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, info->term)) != TP_SORT_PTR || !info->type.id)
    return 0;
  const tp_type to = tp_access_target(r->p, v);
  const uint32_t k = to.id ? tp_symheap_kind_of_type(&r->kinds, r->p, to) : 0;
  return k && tp_symheap_n_ways(&r->kinds, k) ? k : 0;
}

/* A whole structure at each parameter that may be the first cell of one. Its symbols: the first
 * cell, and what is before it. */
static tp_symheap *heap_before_calls(run *r, tp_func f) {
  const tp_func_info *info = tp_func_of(r->p, f);
  const tp_sort ptr = tp_sort_ptr(r->x.tt);
  tp_symheap *s = tp_symheap_new(r->p);
  s->loc = info->entry;
  for (uint32_t i = 0; i < info->n_params; i++) {
    const uint32_t kind = kind_of_param(r, info->params[i]);
    if (!kind) continue;
    const tp_term at = tp_symheap_symbol(&r->x, ptr), null = tp_mk_null(r->x.tt),
                  before =
                      tp_symheap_back_of(&r->kinds, kind) ? tp_symheap_symbol(&r->x, ptr) : null;
    s->vars[info->params[i].id] = at;
    tp_vec_push(&s->given, at);
    tp_vec_push(&s->given, before);
    tp_vec_push(
        &s->parts,
        ((tp_symheap_part){.kind = kind, .at = at, .before = before, .end = null, .last = null}));
  }
  return s;
}

static uint32_t contract_of(run *r, tp_func f) {
  for (uint32_t i = 1; i < r->contracts.n; i++)
    if (r->contracts.at[i].func.id == f.id) return i;
  tp_vec_push(&r->contracts, ((contract){.func = f}));
  return (uint32_t)r->contracts.n - 1;
}

/* The body is explored once in each round. */
static void start_body(run *r, uint32_t c) {
  contract *k = &r->contracts.at[c];
  if (k->root) return;
  k->root = tp_context_root(&r->contexts, k->func, c).id;
  if (!k->pre) {
    tp_str text = {0};
    k->pre = heap_before_calls(r, k->func);
    for (size_t i = 0; i < k->pre->given.n; i++) tp_vec_push(&k->symbols, k->pre->given.at[i]);
    tp_symheap_print(&r->x, k->pre, NULL, &k->numbers, FIRST_SYMBOL, NULL, &text);
    tp_str_clear(&text);
  }
  k->pre->context = k->root;
  tp_vec_push(&r->todo, tp_symheap_copy(r->p, k->pre));
}

typedef struct {
  const run *r;
  tp_map images;
} renaming;
static tp_term renamed(void *ctx, tp_term symbol) {
  renaming *n = ctx;
  uint64_t to;
  if (!tp_map_get(&n->images, symbol.id, &to))
    tp_map_set(&n->images, symbol.id,
               to = tp_symheap_symbol(&n->r->x, tp_sort_of(n->r->x.tt, symbol)).id);
  return (tp_term){(uint32_t)to};
}
static tp_term rename_term(renaming *n, tp_term t) {
  return tp_subst(n->r->x.tt, t, renamed, n, NULL);
}

/* What a call gives back: the contract's symbols are the arguments, others are new. */
static void add_post(run *r, tp_symheap *s, const contract *k, const tp_symheap *post,
                     const tp_term_list *args, tp_term *result) {
  renaming n = {.r = r};
  const tp_var v = tp_func_of(r->p, k->func)->result;
  for (size_t i = 0; i < k->symbols.n; i++)
    if (tp_term_is(args->at[i])) tp_map_set(&n.images, k->symbols.at[i].id, args->at[i].id);
  for (size_t i = 0; i < post->objects.n; i++) {
    const tp_symheap_object *o = &post->objects.at[i];
    tp_symheap_object *c =
        tp_symheap_add(s, rename_term(&n, o->id), rename_term(&n, o->size), o->kind);
    c->is_zero = o->is_zero;
    c->cell = o->cell;
    for (size_t f = 0; f < o->fields.n; f++)
      tp_vec_push(&c->fields, ((tp_symheap_field){o->fields.at[f].offset,
                                                  rename_term(&n, o->fields.at[f].value)}));
  }
  for (size_t i = 0; i < post->parts.n; i++) {
    const tp_symheap_part *p = &post->parts.at[i];
    tp_vec_push(&s->parts, ((tp_symheap_part){.kind = p->kind,
                                              .is_segment = p->is_segment,
                                              .at = rename_term(&n, p->at),
                                              .before = rename_term(&n, p->before),
                                              .end = rename_term(&n, p->end),
                                              .last = rename_term(&n, p->last),
                                              .is_cell = p->is_cell}));
  }
  *result = v.id && tp_term_is(post->vars[v.id]) ? rename_term(&n, post->vars[v.id]) : TP_TERM_NONE;
  tp_map_clear(&n.images);
}

/* The arguments that the call found to be null. */
static void equate_nulls(run *r, tp_symheap *s, const contract *k, const tp_symheap *post,
                         const tp_term_list *args) {
  const tp_term null = tp_mk_null(r->x.tt);
  for (size_t i = 0; i < k->symbols.n; i++)
    if (tp_term_is(args->at[i]) && tp_term_is(post->given.at[i]) &&
        tp_term_eq(post->given.at[i], null))
      tp_symheap_equate(&r->x, s, args->at[i], null);
}

static void push_post(run *r, const tp_symheap *s, const tp_edge_info *e, const contract *k,
                      const tp_symheap *post, const tp_term_list *args) {
  tp_symheap *n = tp_symheap_copy(r->p, s);
  tp_term result;
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (r->p->vars.at[v].kind == TP_V_GLOBAL &&
        tp_effects_assigns(&r->effects, e->callee, (tp_var){v}))
      n->vars[v] = TP_TERM_NONE;
  n->has_more |= post->has_more;
  add_post(r, n, k, post, args, &result);
  if (e->var.id) tp_symheap_set(&r->x, n, e->var, result);
  for (size_t i = 0; i < n->parts.n; i++)  // a place that was an object is a symbol again
    if (tp_kind(r->x.tt, n->parts.at[i].at) == TP_OP_PTR_MK)
      tp_symheap_replace(&r->x, n, n->parts.at[i].at,
                         tp_symheap_symbol(&r->x, tp_sort_ptr(r->x.tt)));
  equate_nulls(r, n, k, post, args);
  tp_symheap_settle(&r->x, n);
  n->loc = e->to;
  n->is_inside = false;
  if (n->is_impossible)
    tp_symheap_free(n);
  else
    tp_vec_push(&r->todo, n);
}

static void call_by_contract(run *r, tp_symheap *s, const tp_edge_info *e) {
  const tp_func_info *f = tp_func_of(r->p, e->callee);
  const uint32_t c = contract_of(r, e->callee);
  tp_term_list args = {0};
  start_body(r, c);
  bool ok = true;
  for (uint32_t i = 0; i < f->n_params && ok; i++) {
    const uint32_t kind = kind_of_param(r, f->params[i]);
    if (!kind) continue;
    const tp_term at = tp_symheap_value(&r->x, s, e->args[i]);
    tp_term before;
    ok = tp_symheap_take(&r->x, s, kind, at, &before);
    tp_vec_push(&args, at);
    tp_vec_push(&args, before);
  }
  if (!ok) give_up(r, s, "an argument of a recursive function is no whole structure");
  for (size_t i = 0; ok && i < r->contracts.at[c].posts.n; i++)
    push_post(r, s, e, &r->contracts.at[c], r->contracts.at[c].posts.at[i], &args);
  tp_vec_clear(&args);
  tp_symheap_free(s);
}

static uint32_t contract_at_bottom(const run *r, uint32_t i) {
  while (context_of(r, i)->parent.id) i = context_of(r, i)->parent.id;
  return context_of(r, i)->contract;
}

/* Where a heap has a symbol of its own for what the contract gave, it gets the contract's. */
static void name_given(run *r, tp_symheap *s, const contract *k) {
  for (size_t i = 0; i < k->symbols.n; i++) {
    const tp_term value = s->given.at[i];
    if (tp_term_is(value) && tp_kind(r->x.tt, value) == TP_OP_VAR &&
        !tp_term_eq(value, k->symbols.at[i]))
      tp_symheap_replace(&r->x, s, value, k->symbols.at[i]);
  }
}

/* The text in a certificate, behind `head`; the same for equal heaps. order: as for
 * tp_symheap_print. */
static const char *text_of(run *r, const char *head, const tp_symheap *s, uint32_t c,
                           uint32_t *order) {
  tp_str text = {0};
  tp_map numbers = {0};
  const contract *k = c ? &r->contracts.at[c] : NULL;
  for (size_t i = 0; k && i < k->numbers.n; i++)
    tp_map_set(&numbers, k->numbers.entries[i].key, k->numbers.entries[i].value);
  tp_str_add(&text, head);
  tp_symheap_print(&r->x, s, k ? &k->symbols : NULL, &numbers,
                   k ? FIRST_OTHER_SYMBOL : FIRST_SYMBOL, order, &text);
  const char *kept = tp_name_text(r->texts, tp_name_of(r->texts, tp_str_text(&text)));
  tp_str_clear(&text);
  tp_map_clear(&numbers);
  return kept;
}

static void leave_body(run *r, tp_symheap *s, uint32_t c) {
  contract *k = &r->contracts.at[c];
  const tp_var result = tp_func_of(r->p, k->func)->result;
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (v != result.id) s->vars[v] = TP_TERM_NONE;
  for (uint32_t i = (uint32_t)s->objects.n; i-- > 0;)
    if (s->objects.at[i].kind != TP_O_HEAP) tp_symheap_remove(s, i);
  if (result.id && !r->is_flag[result.id] &&
      tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, tp_var_of(r->p, result)->term)) != TP_SORT_PTR)
    s->vars[result.id] = TP_TERM_NONE;
  tp_symheap_fold(&r->x, s, TP_FOLD_NAMED);
  name_given(r, s, k);
  const char *text = text_of(r, "", s, c, NULL);
  for (size_t i = 0; i < k->posts.n; i++)
    if (k->texts.at[i] == text) {
      tp_symheap_free(s);
      return;
    }
  tp_vec_push(&k->posts, s);
  tp_vec_push(&k->texts, text);
  r->posts_changed = true;
}

// ------------------------------------------------------------------------- calls

static void call(run *r, tp_symheap *s, tp_edge edge) {
  const tp_edge_info *e = tp_edge_of(r->p, edge);
  const tp_func_info *f = e->callee.id ? tp_func_of(r->p, e->callee) : NULL;
  if (!f || !f->has_body || !f->entry.id || f->n_params != e->n_args) {
    give_up(r, s, "a call through a pointer, or of a function without body");
    tp_symheap_free(s);
    return;
  }
  if (f->is_recursive || tp_context_has(&r->contexts, (tp_context){s->context}, e->callee)) {
    if (r->x.facts) give_up(r, s, "a recursive function, where numbers are followed");
    call_by_contract(r, s, e);
    return;
  }
  tp_term_list args = {0};
  for (uint32_t i = 0; i < e->n_args; i++)
    tp_vec_push(&args, tp_symheap_value(&r->x, s, e->args[i]));
  drop_locals(r, s, e->callee);
  for (uint32_t i = 0; i < e->n_args; i++) tp_symheap_set(&r->x, s, f->params[i], args.at[i]);
  tp_vec_clear(&args);
  s->context = tp_context_push(&r->contexts, (tp_context){s->context}, edge, e->callee).id;
  s->loc = f->entry;
  s->is_inside = false;
  tp_vec_push(&r->todo, s);
}

static void leave(run *r, tp_symheap *s) {
  const tp_context_info c = *context_of(r, s->context);
  if (!c.parent.id) {
    if (c.contract)
      leave_body(r, s, c.contract);
    else
      tp_symheap_free(s);
    return;
  }
  const tp_edge_info *e = tp_edge_of(r->p, c.call);
  const tp_var result = tp_func_of(r->p, c.func)->result;
  const tp_term value = result.id ? s->vars[result.id] : TP_TERM_NONE;
  drop_locals(r, s, c.func);
  if (e->var.id) tp_symheap_set(&r->x, s, e->var, value);
  s->context = c.parent.id;
  s->loc = e->to;
  s->is_inside = false;
  tp_vec_push(&r->todo, s);
}

// -------------------------------------------------------------------- cutpoints

/* Loop heads, and where paths meet: ends of functions too. */
static bool is_cutpoint(const run *r, tp_loc l) {
  return tp_loc_of(r->p, l)->is_loop_head || tp_in_edges(r->p, l).n > 1;
}

static bool is_needed(const run *r, const tp_symheap *s, tp_var v) {
  const tp_var_info *info = tp_var_of(r->p, v);
  if (info->kind == TP_V_GLOBAL) return true;
  const tp_context_info *c = context_of(r, s->context);
  if (info->func.id == c->func.id)
    return tp_is_live(r->liveness, s->loc, v) || tp_func_of(r->p, info->func)->result.id == v.id ||
           info->is_address;
  for (; c->parent.id; c = context_of(r, c->parent.id))
    if (context_of(r, c->parent.id)->func.id == info->func.id)
      return tp_is_live_across(r->liveness, c->call, v) || info->is_address;
  return false;
}

static void drop_what_is_not_needed(const run *r, tp_symheap *s) {
  const bool is_loop = tp_loc_of(r->p, s->loc)->is_loop_head;
  for (uint32_t v = 1; v < r->p->vars.n; v++) {
    const tp_term value = s->vars[v];
    if (!tp_term_is(value)) continue;
    const bool is_pointer = tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, value)) == TP_SORT_PTR;
    const bool is_kept = is_pointer || r->is_flag[v] || (r->x.facts && r->x.facts->is_tracked[v]) ||
                         tp_symheap_is_in_place(&r->x, s, value);
    if (!is_needed(r, s, (tp_var){v}) || (is_loop && !is_kept)) s->vars[v] = TP_TERM_NONE;
  }
}

/* Where the heap is, with the values of indices. */
static uint64_t place_of(const run *r, const tp_symheap *s) {
  uint64_t here = (uint64_t)s->context << 32 | s->loc.id, value;
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (r->is_index[v] && tp_term_is(s->vars[v]) && tp_bv_value_u64(r->x.tt, s->vars[v], &value))
      here = here * 31 + value + 1;
  return here;
}

/* Variables that facts name have a value where there are such variables. */
static void name_numbers(run *r, tp_symheap *s) {
  for (uint32_t v = 1; v < r->p->vars.n; v++) {
    const tp_var_info *info = &r->p->vars.at[v];
    const bool is_there = info->kind == TP_V_GLOBAL ||
                          tp_context_has(&r->contexts, (tp_context){s->context}, info->func);
    if (r->x.facts->is_tracked[v] && is_there && !tp_term_is(s->vars[v]))
      s->vars[v] = tp_symheap_symbol(&r->x, tp_sort_of(r->x.tt, info->term));
  }
}

/* The entry of heaps with this text; true: there was one. */
static bool find_entry(run *r, tp_symheap *s, const char *text, uint64_t *index) {
  const uint64_t here = place_of(r, s);
  const uint32_t name = tp_name_of(r->texts, text);
  uint64_t n_here = 0;
  if (tp_map_get(&r->seen, name, index)) return true;
  *index = r->entries.n;
  tp_map_set(&r->seen, name, *index);
  (void)tp_map_get(&r->n_at, here, &n_here);
  tp_map_set(&r->n_at, here, n_here + 1);
  if (n_here >= TP_PROOF_HEAPS_PLACE)
    give_up(r, s, "too many symbolic heaps are reached at a place");
  tp_vec_push(&r->entries, ((entry){.text = text}));
  return false;
}

/* Was the folded heap here before, with what holds of it? Otherwise it is noted, and s is it. */
static bool is_known(run *r, tp_symheap **at) {
  tp_symheap *s = *at;
  const uint32_t c = contract_at_bottom(r, s->context);
  tp_str head = {0};
  if (c) name_given(r, s, &r->contracts.at[c]);
  tp_str_printf(&head, "at %u %u\n", s->context, s->loc.id);
  tp_symheap *any = r->x.facts ? tp_symheap_copy(r->p, s) : s;
  if (r->x.facts) tp_heap_facts_forget(r->x.facts, any, r->is_flag);
  uint32_t *order = TP_NEW_ARRAY(uint32_t, s->objects.n + s->parts.n + 1);
  uint64_t index;
  const bool is_met = find_entry(r, s, text_of(r, tp_str_text(&head), any, c, order), &index);
  entry *e = &r->entries.at[index];
  const bool is = r->x.facts ? tp_heap_facts_keep(r->x.facts, s, order, &e->holds) : is_met;
  if (!is && r->x.facts) {
    tp_heap_facts_say(r->x.facts, any, order, &e->holds);
    e->text = text_of(r, tp_str_text(&head), any, c, NULL);
  }
  if (any != s) tp_symheap_free(s);
  *at = any;
  tp_str_clear(&head);
  tp_free(order);
  return is;
}

// ------------------------------------------------------------------------ search

static void follow_edges(run *r, const tp_symheap *s) {
  const tp_edge_list out = tp_out_edges(r->p, s->loc);
  for (uint32_t i = 0; i < out.n && !r->x.reason && !r->x.kinds_changed; i++) {
    const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){out.at[i]});
    const tp_loc_info *to = tp_loc_of(r->p, e->to);
    if (to->error != TP_P_NONE || to->is_unsupported) continue;
    tp_symheap *n = tp_symheap_copy(r->p, s);
    n->is_inside = false;
    if (e->kind == TP_E_CALL)
      call(r, n, (tp_edge){out.at[i]});
    else if (tp_symheap_step(&r->x, n, (tp_edge){out.at[i]}) && !n->is_impossible)
      tp_vec_push(&r->todo, n);
    else
      tp_symheap_free(n);
  }
}

static void follow(run *r, tp_symheap *s) {
  r->steps++;
  if (!s->is_inside && is_cutpoint(r, s->loc)) {
    drop_what_is_not_needed(r, s);
    if (r->x.facts) name_numbers(r, s);
    tp_symheap_fold(&r->x, s,
                    tp_loc_of(r->p, s->loc)->is_loop_head ? TP_FOLD_AT_LOOP : TP_FOLD_NO_CELL);
    const bool is_impossible = r->x.facts && tp_cell_facts_is_impossible(r->x.facts, s);
    if (r->x.kinds_changed || is_impossible || is_known(r, &s)) {
      tp_symheap_free(s);
      return;
    }
  }
  if (tp_func_of(r->p, context_of(r, s->context)->func)->exit.id == s->loc.id) {
    leave(r, s);
    return;
  }
  const size_t n = r->todo.n;
  if (tp_symheap_split(&r->x, s, &r->todo)) {
    follow_edges(r, s);
  } else {
    for (size_t i = n; i < r->todo.n; i++) r->todo.at[i]->is_inside = true;
  }
  tp_symheap_free(s);
}

static void start_main(run *r) {
  tp_symheap *s = tp_symheap_new(r->p);
  tp_terms *tt = r->x.tt;
  s->context = tp_context_root(&r->contexts, r->p->main, 0).id;
  s->loc = tp_func_of(r->p, r->p->main)->entry;
  for (uint32_t k = 1; k < r->p->statics.n; k++) {
    const tp_static *o = &r->p->statics.at[k];
    const tp_term size = tp_program_static_ghost(r->p, tp_var_of(r->p, r->p->ghost_size)->term, k);
    if (o->kind != TP_O_GLOBAL || !tp_term_is(size)) continue;
    tp_symheap_object *n = tp_symheap_add(s, tp_mk_bv(tt, TP_OBJ_BITS, k), size, o->kind);
    n->is_zero = !o->is_extern && o->absence == TP_PRESENT && !o->image;
    for (uint32_t i = 0; i < o->n_relocs && !o->is_extern; i++)
      tp_symheap_write(&r->x, n, o->relocs[i].offset,
                       tp_mk_ptr_const(tt, o->relocs[i].object, o->relocs[i].addend));
  }
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (r->p->vars.at[v].kind == TP_V_GLOBAL) s->vars[v] = r->p->vars.at[v].initial;
  tp_vec_push(&r->todo, s);
}

static void forget_search(run *r) {
  while (r->todo.n) tp_symheap_free(tp_vec_pop(&r->todo));
  tp_map_clear(&r->seen);
  tp_map_clear(&r->n_at);
  while (r->entries.n) {
    entry e = tp_vec_pop(&r->entries);
    tp_vec_clear(&e.holds);
  }
  tp_contexts_clear(&r->contexts);
  tp_contexts_init(&r->contexts);
  for (size_t c = 1; c < r->contracts.n; c++) r->contracts.at[c].root = 0;
}

static void forget_contracts(run *r) {
  for (size_t c = 1; c < r->contracts.n; c++) {
    while (r->contracts.at[c].posts.n) tp_symheap_free(tp_vec_pop(&r->contracts.at[c].posts));
    tp_vec_clear(&r->contracts.at[c].posts);
    tp_vec_clear(&r->contracts.at[c].texts);
    tp_symheap_free(r->contracts.at[c].pre);
    tp_vec_clear(&r->contracts.at[c].symbols);
    tp_map_clear(&r->contracts.at[c].numbers);
  }
  r->contracts.n = 1;
}

static bool is_over(run *r) {
  if (r->entries.n > TP_PROOF_HEAPS_ENTRIES || r->steps > TP_PROOF_HEAPS_STEPS)
    r->x.reason = "too many symbolic heaps are reached";
  if (!r->x.reason && tp_engine_is_over(r->budget, r->start_s))
    r->x.reason = "the limit came first";
  return r->x.reason != NULL;
}

/* One exploration; false: it ended early. */
static bool explore(run *r) {
  forget_search(r);
  start_main(r);
  while (r->todo.n && !r->x.kinds_changed && !is_over(r)) follow(r, tp_vec_pop(&r->todo));
  return !r->x.kinds_changed && !r->x.reason;
}

static void forget_facts(run *r) {
  tp_cell_facts_free(r->x.facts);
  r->x.facts = NULL;
}

/* Kinds of this variant; the facts of numbers, if they are to be followed. False: the program says
 * nothing of them. */
static bool start_variant(run *r, uint32_t variant, bool with_facts) {
  tp_symheap_kinds_clear(&r->kinds);
  tp_symheap_kinds_find(&r->kinds, r->p, variant);
  forget_contracts(r);
  forget_facts(r);
  if (!with_facts) return true;
  r->x.facts = tp_cell_facts_new(&r->x, TP_PROOF_HEAPS_RLIMIT, r->stats);
  return !tp_cell_facts_is_empty(r->x.facts);
}

/* Until kinds and contracts stay as they are. */
static bool explore_variant(run *r) {
  r->x.reason = NULL;
  r->steps = 0;
  for (uint32_t round = 0; round < TP_PROOF_HEAPS_ROUNDS; round++) {
    r->x.kinds_changed = r->posts_changed = false;
    const bool is_done = explore(r);
    if (r->x.reason) return false;
    if (r->x.kinds_changed) forget_contracts(r);
    if (is_done && !r->posts_changed) return true;
  }
  r->x.reason = "what functions give back has no end";
  return false;
}

// ------------------------------------------------------------------- certificate

static void write_certificate(run *r, tp_str *out) {
  tp_lines_put_header(r->p, "symbolic-heaps", r->task->property, tp_program_fingerprint(r->p), out);
  tp_symheap_kinds_print(&r->kinds, out);
  for (uint32_t c = 1; c < r->contracts.n; c++)
    tp_str_printf(out, "contract %u %s\n", c, tp_func_of(r->p, r->contracts.at[c].func)->name);
  tp_lines_put_contexts(&r->contexts, r->p, out);
  for (uint32_t c = 1; c < r->contracts.n; c++) {
    tp_map numbers = {0};
    tp_str_printf(out, "pre %u\n", c);
    tp_symheap_print(&r->x, r->contracts.at[c].pre, NULL, &numbers, FIRST_SYMBOL, NULL, out);
    tp_map_clear(&numbers);
    for (size_t i = 0; i < r->contracts.at[c].posts.n; i++)
      tp_str_printf(out, "post %u\n%s", c, r->contracts.at[c].texts.at[i]);
  }
  for (size_t i = 0; i < r->entries.n; i++) tp_str_add(out, r->entries.at[i].text);
  tp_str_add(out, "end\n");
}

// ------------------------------------------------------------------------ engine

/* Do numbers matter? For accesses and leaks the search gets by without. */
static bool asks_about_numbers(tp_property p) {
  return p != TP_P_VALID_DEREF && p != TP_P_VALID_FREE && p != TP_P_VALID_MEMTRACK &&
         p != TP_P_VALID_MEMCLEANUP && p != TP_P_VALID_MEMSAFETY;
}

static void search(run *r, tp_result *out) {
  const char *first = NULL;
  tp_loc where = TP_LOC_NONE;
  const uint32_t n = asks_about_numbers(r->task->property) ? 2 : 1;  // with facts, and without
  for (uint32_t i = 0; i < TP_PROOF_HEAPS_VARIANTS * n; i++) {
    if (!start_variant(r, i / n, i % n + 1 < n)) continue;
    if (explore_variant(r)) {
      out->verdict = TP_VERDICT_TRUE;
      write_certificate(r, &out->certificate);
      return;
    }
    if (!first) first = r->x.reason, where = r->x.where;
    if (tp_engine_is_over(r->budget, r->start_s)) break;
  }
  const tp_obstacle obstacle = {.kind = TP_OBSTACLE_ABSTRACTION,
                                .pos = where.id ? tp_loc_of(r->p, where)->pos : TP_POS_NONE};
  tp_result_give_up_at(out, obstacle, first, "other engines may have an answer");
}

static void run_heaps(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                      tp_result *out) {
  const tp_program *p = task->program;
  if (!p->main.id) {
    tp_result_give_up(out, "the program has no main", NULL);
    return;
  }
  run r = {.task = task, .p = p, .budget = budget, .stats = stats, .start_s = tp_cpu_s()};
  r.x = (tp_symheap_search){.p = p, .tt = p->terms, .kinds = &r.kinds};
  r.liveness = tp_liveness_new(p);
  tp_effects_init(&r.effects, p);
  tp_locals_init(&r.locals, p);
  r.texts = tp_names_new();
  tp_vec_push(&r.contracts, (contract){0});
  find_flags(&r);
  search(&r, out);
  forget_search(&r);
  forget_contracts(&r);
  forget_facts(&r);
  tp_symheap_kinds_clear(&r.kinds);
  tp_vec_clear(&r.contracts);
  tp_contexts_clear(&r.contexts);
  tp_vec_clear(&r.entries);
  tp_vec_clear(&r.todo);
  tp_names_free(r.texts);
  tp_free(r.is_flag);
  tp_free(r.is_index);
  tp_locals_clear(&r.locals);
  tp_effects_clear(&r.effects);
  tp_liveness_free(r.liveness);
}

const tp_engine tp_engine_heaps = {"heaps",
                                   "lists, trees and what they own, as symbolic heaps: cells that "
                                   "only cells lead to are folded into structures",
                                   run_heaps};

/* Contracts of functions that call themselves: whole structures at parameters before calls, and
 * what the body ended with behind them.
 *
 * A parameter is never null, until a call gives it what may be: then all is explored again without
 * that. So contracts say it where all calls do, and a body that relies on it is followed. */
#include "proof/heaps/heap_run.h"

#include "program/access.h"

static uint32_t kind_of_param(tp_heap_run *r, tp_var v) {
  const tp_var_info *info = tp_var_of(r->p, v);
  if (tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, info->term)) != TP_SORT_PTR || !info->type.id)
    return 0;
  const tp_type to = tp_access_target(r->p, v);
  const uint32_t k = to.id ? tp_symheap_kind_of_type(&r->kinds, r->p, to) : 0;
  return k && tp_symheap_n_ways(&r->kinds, k) ? k : 0;
}

/* A whole structure at each parameter that may be the first cell of one. Its symbols: the first
 * cell, and what is before it. */
static tp_symheap *heap_before_calls(tp_heap_run *r, tp_func f) {
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
    tp_vec_push(&s->parts, ((tp_symheap_part){.kind = kind,
                                              .at = at,
                                              .before = before,
                                              .end = null,
                                              .last = null,
                                              .is_cell = !r->may_be_null[info->params[i].id]}));
  }
  return s;
}

static uint32_t contract_of(tp_heap_run *r, tp_func f) {
  for (uint32_t i = 1; i < r->contracts.n; i++)
    if (r->contracts.at[i].func.id == f.id) return i;
  tp_vec_push(&r->contracts, ((tp_heap_contract){.func = f}));
  return (uint32_t)r->contracts.n - 1;
}

/* The body is explored once in each round. */
static void start_body(tp_heap_run *r, uint32_t c) {
  tp_heap_contract *k = &r->contracts.at[c];
  if (k->root) return;
  k->root = tp_context_root(&r->contexts, k->func, c).id;
  if (!k->pre) {
    tp_str text = {0};
    k->pre = heap_before_calls(r, k->func);
    for (size_t i = 0; i < k->pre->given.n; i++) tp_vec_push(&k->symbols, k->pre->given.at[i]);
    tp_symheap_print(&r->x, k->pre, NULL, &k->numbers, TP_HEAP_FIRST_SYMBOL, NULL, &text);
    tp_str_clear(&text);
  }
  k->pre->context = k->root;
  tp_vec_push(&r->todo, tp_symheap_copy(r->p, k->pre));
}

typedef struct {
  const tp_heap_run *r;
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
static void add_post(tp_heap_run *r, tp_symheap *s, const tp_heap_contract *k,
                     const tp_symheap *post, const tp_term_list *args, tp_term *result) {
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
static void equate_nulls(tp_heap_run *r, tp_symheap *s, const tp_heap_contract *k,
                         const tp_symheap *post, const tp_term_list *args) {
  const tp_term null = tp_mk_null(r->x.tt);
  for (size_t i = 0; i < k->symbols.n; i++)
    if (tp_term_is(args->at[i]) && tp_term_is(post->given.at[i]) &&
        tp_term_eq(post->given.at[i], null))
      tp_symheap_equate(&r->x, s, args->at[i], null);
}

static void push_post(tp_heap_run *r, const tp_symheap *s, const tp_edge_info *e,
                      const tp_heap_contract *k, const tp_symheap *post, const tp_term_list *args) {
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

/* Where the argument may be null, so may the parameter. */
static void weaken_if_null(tp_heap_run *r, const tp_symheap *s, tp_var param, tp_term at) {
  bool is_cell = tp_symheap_object_at(&r->x, s, at) != UINT32_MAX;
  for (size_t i = 0; i < s->parts.n; i++)
    is_cell |= s->parts.at[i].is_cell && tp_term_eq(s->parts.at[i].at, at);
  if (is_cell || r->may_be_null[param.id]) return;
  r->may_be_null[param.id] = true;
  r->x.kinds_changed = true;  // contracts are made anew
}

void tp_heap_call_by_contract(tp_heap_run *r, tp_symheap *s, const tp_edge_info *e) {
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
    weaken_if_null(r, s, f->params[i], at);
    ok = tp_symheap_take(&r->x, s, kind, at, &before);
    tp_vec_push(&args, at);
    tp_vec_push(&args, before);
  }
  if (!ok) tp_heap_run_give_up(r, s, "an argument of a recursive function is no whole structure");
  for (size_t i = 0; ok && i < r->contracts.at[c].posts.n; i++)
    push_post(r, s, e, &r->contracts.at[c], r->contracts.at[c].posts.at[i], &args);
  tp_vec_clear(&args);
  tp_symheap_free(s);
}

uint32_t tp_heap_contract_at_bottom(const tp_heap_run *r, uint32_t i) {
  const tp_context_info *c = tp_context_of(&r->contexts, (tp_context){i});
  while (c->parent.id) c = tp_context_of(&r->contexts, c->parent);
  return c->contract;
}

void tp_heap_name_given(tp_heap_run *r, tp_symheap *s, const tp_heap_contract *k) {
  for (size_t i = 0; i < k->symbols.n; i++) {
    const tp_term value = s->given.at[i];
    if (tp_term_is(value) && tp_kind(r->x.tt, value) == TP_OP_VAR &&
        !tp_term_eq(value, k->symbols.at[i]))
      tp_symheap_replace(&r->x, s, value, k->symbols.at[i]);
  }
}

const char *tp_heap_text_of(tp_heap_run *r, const char *head, const tp_symheap *s, uint32_t c,
                            uint32_t *order) {
  tp_str text = {0};
  tp_map numbers = {0};
  const tp_heap_contract *k = c ? &r->contracts.at[c] : NULL;
  for (size_t i = 0; k && i < k->numbers.n; i++)
    tp_map_set(&numbers, k->numbers.entries[i].key, k->numbers.entries[i].value);
  tp_str_add(&text, head);
  tp_symheap_print(&r->x, s, k ? &k->symbols : NULL, &numbers,
                   k ? TP_HEAP_FIRST_OTHER_SYMBOL : TP_HEAP_FIRST_SYMBOL, order, &text);
  const char *kept = tp_name_text(r->texts, tp_name_of(r->texts, tp_str_text(&text)));
  tp_str_clear(&text);
  tp_map_clear(&numbers);
  return kept;
}

void tp_heap_leave_body(tp_heap_run *r, tp_symheap *s, uint32_t c) {
  tp_heap_contract *k = &r->contracts.at[c];
  const tp_var result = tp_func_of(r->p, k->func)->result;
  for (uint32_t v = 1; v < r->p->vars.n; v++)
    if (v != result.id) s->vars[v] = TP_TERM_NONE;
  for (uint32_t i = (uint32_t)s->objects.n; i-- > 0;)
    if (s->objects.at[i].kind != TP_O_HEAP) tp_symheap_remove(s, i);
  if (result.id && !r->is_flag[result.id] &&
      tp_sort_kind_of(r->x.tt, tp_sort_of(r->x.tt, tp_var_of(r->p, result)->term)) != TP_SORT_PTR)
    s->vars[result.id] = TP_TERM_NONE;
  tp_symheap_fold(&r->x, s, TP_FOLD_NAMED);
  tp_heap_name_given(r, s, k);
  const char *text = tp_heap_text_of(r, "", s, c, NULL);
  for (size_t i = 0; i < k->posts.n; i++)
    if (k->texts.at[i] == text) {
      tp_symheap_free(s);
      return;
    }
  tp_vec_push(&k->posts, s);
  tp_vec_push(&k->texts, text);
  r->posts_changed = true;
}

void tp_heap_forget_contracts(tp_heap_run *r) {
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

/* Which predicates there are and where they are used. Each scope has a list: a location, a
 * function, or the whole program. Predicates are never removed, so elements that were computed with
 * fewer predicates stay sound. */
#include "cpa/predicate/predicate_priv.h"

#include <stdlib.h>

typedef enum { FOR_PROGRAM, FOR_FUNCTION, FOR_LOCATION } place_kind;

void tp_predicate_init_precision(tp_predicate *self) {
  tp_vec_push(&self->lists, (tp_predicate_list){0});
}

void tp_predicate_clear_precision(tp_predicate *self) {
  for (size_t i = 0; i < self->lists.n; i++) tp_vec_clear(&self->lists.at[i]);
  tp_vec_clear(&self->lists);
  tp_vec_clear(&self->preds);
  tp_vec_clear(&self->meaning);
  tp_map_clear(&self->pred_of);
  tp_map_clear(&self->used_at);
  tp_map_clear(&self->decided);
}

// ------------------------------------------------------------------- predicates

typedef struct {
  const tp_program *p;
  TP_VEC(tp_func) funcs;
} scan;

static void visit_var(void *ctx, tp_term symbol) {
  scan *s = ctx;
  tp_var v = tp_program_var_of(s->p, symbol);
  tp_func f = v.id ? tp_var_of(s->p, v)->func : TP_FUNC_NONE;
  for (size_t i = 0; i < s->funcs.n && f.id; i++)
    if (s->funcs.at[i].id == f.id) f = TP_FUNC_NONE;
  if (f.id) tp_vec_push(&s->funcs, f);
}

static tp_predicate_info info_of(tp_predicate *self, tp_term t) {
  scan s = {.p = self->p};
  tp_path here = tp_path_here(&self->paths);
  tp_for_vars(self->tt, t, visit_var, &s);
  tp_func *funcs = tp_arena_array(&self->cpa->arena, tp_func, s.funcs.n + 1);
  if (s.funcs.n) memcpy(funcs, s.funcs.at, s.funcs.n * sizeof *funcs);
  tp_predicate_info info = {.term = t,
                            .settled = tp_path_after(&self->paths, &here, t),
                            .funcs = funcs,
                            .n_funcs = (uint32_t)s.funcs.n};
  tp_vec_clear(&s.funcs);
  tp_path_clear(&here);
  return info;
}

bool tp_predicate_number(tp_predicate *self, tp_term t, uint32_t *out) {
  TP_REQUIRE(tp_sort_kind_of(self->tt, tp_sort_of(self->tt, t)) == TP_SORT_BOOL);
  uint64_t found;
  while (tp_kind(self->tt, t) == TP_OP_NOT) t = tp_arg(self->tt, t, 0);
  if (tp_map_get(&self->pred_of, t.id, &found)) return *out = (uint32_t)found - 1, true;
  if (tp_sort_kind_of(self->tt, tp_sort_of(self->tt, t)) != TP_SORT_BOOL ||
      tp_is_const(self->tt, t))
    return false;
  if (!tp_paths_is_expressible(&self->paths, t)) return false;
  *out = (uint32_t)self->preds.n;
  tp_vec_push(&self->preds, info_of(self, t));
  tp_vec_push(&self->meaning, t);
  tp_map_set(&self->pred_of, t.id, self->preds.n);
  return true;
}

bool tp_predicate_in_scope(const tp_predicate *self, uint32_t number, tp_context context) {
  TP_REQUIRE(number < self->preds.n);
  const tp_predicate_info *info = &self->preds.at[number];
  for (uint32_t i = 0; i < info->n_funcs; i++)
    if (!context.id || !tp_context_has(self->contexts, context, info->funcs[i])) return false;
  return true;
}

bool tp_predicate_is_callers(const tp_predicate *self, uint32_t number, tp_context context) {
  TP_REQUIRE(number < self->preds.n && context.id);
  const tp_predicate_info *info = &self->preds.at[number];
  for (uint32_t i = 0; i < info->n_funcs && context.id; i++)
    if (tp_context_of(self->contexts, context)->func.id != info->funcs[i].id) return true;
  return false;
}

typedef struct {
  const tp_predicate *self;
  tp_var also;
  bool ok;
} visibility;

static void check_visible(void *ctx, tp_term symbol) {
  visibility *s = ctx;
  tp_var v = tp_program_var_of(s->self->p, symbol);
  s->ok &= !v.id || !tp_var_of(s->self->p, v)->func.id || v.id == s->also.id;
}

bool tp_predicate_is_visible(const tp_predicate *self, uint32_t number, tp_var also) {
  TP_REQUIRE(number < self->preds.n);
  visibility s = {self, also, true};
  tp_for_vars(self->tt, self->meaning.at[number], check_visible, &s);
  return s.ok;
}

typedef struct {
  const tp_predicate *self;
  const tp_func_info *callee;
  bool ok;
} call_view;

static void check_argument(void *ctx, tp_term symbol) {
  call_view *s = ctx;
  tp_var v = tp_program_var_of(s->self->p, symbol);
  bool ok = !v.id || !tp_var_of(s->self->p, v)->func.id;
  for (uint32_t i = 0; i < s->callee->n_params && !ok; i++) ok = s->callee->params[i].id == v.id;
  s->ok &= ok;
}

bool tp_predicate_is_about_arguments(const tp_predicate *self, uint32_t number, tp_func callee) {
  TP_REQUIRE(number < self->preds.n && callee.id);
  call_view s = {self, tp_func_of(self->p, callee), true};
  tp_for_vars(self->tt, self->meaning.at[number], check_argument, &s);
  return s.ok;
}

// ----------------------------------------------------------------------- places

static uint64_t place_key(place_kind kind, uint32_t number) {
  return (uint64_t)kind << 32 | number;
}

static tp_predicate_list *list_at(const tp_predicate *self, place_kind kind, uint32_t number) {
  uint64_t i;
  return tp_map_get(&self->used_at, place_key(kind, number), &i) ? &self->lists.at[i] : NULL;
}

static bool use(tp_predicate *self, place_kind kind, uint32_t place, tp_term t) {
  uint32_t number;
  if (!tp_predicate_number(self, t, &number)) return false;
  tp_predicate_list *list = list_at(self, kind, place);
  for (size_t i = 0; list && i < list->n; i++)
    if (list->at[i] == number) return false;
  if (!list) {
    tp_map_set(&self->used_at, place_key(kind, place), self->lists.n);
    tp_vec_push(&self->lists, (tp_predicate_list){0});
    list = &tp_vec_last(&self->lists);
  }
  tp_vec_push(list, number);
  self->n_used++;
  if (self->cpa->env->stats) self->cpa->env->stats->predicates = self->n_used;
  return true;
}

static bool use_for(tp_predicate *self, tp_loc at, tp_func func, tp_term t) {
  if (at.id) return use(self, FOR_LOCATION, at.id, t);
  return func.id ? use(self, FOR_FUNCTION, func.id, t) : use(self, FOR_PROGRAM, 0, t);
}

/* One that was only taken counts as new. */
bool tp_predicate_add_for(tp_cpa *cpa, tp_loc at, tp_func func, tp_term t) {
  tp_predicate *self = tp_predicate_of(cpa);
  uint32_t number;
  if (!tp_predicate_number(self, t, &number)) return false;
  bool is_new = use_for(self, at, func, t) || !self->preds.at[number].is_named;
  self->preds.at[number].is_named = true;
  return is_new;
}

void tp_predicate_add_transferred(tp_predicate *self, tp_func func, tp_term t) {
  (void)use_for(self, TP_LOC_NONE, func, t);
}

bool tp_predicate_add(tp_cpa *cpa, tp_loc at, tp_term t) {
  const tp_predicate *self = tp_predicate_of(cpa);
  switch (self->precision) {
    case TP_PRECISION_LOCATION: return tp_predicate_add_for(cpa, at, TP_FUNC_NONE, t);
    case TP_PRECISION_FUNCTION:
      return tp_predicate_add_for(cpa, TP_LOC_NONE,
                                  at.id ? tp_loc_of(self->p, at)->func : TP_FUNC_NONE, t);
    case TP_PRECISION_GLOBAL: return tp_predicate_add_for(cpa, TP_LOC_NONE, TP_FUNC_NONE, t);
  }
  return false;
}

bool tp_predicate_is_decided(const tp_cpa *cpa, tp_loc at) {
  return tp_map_has(&tp_predicate_of(cpa)->decided, at.id);
}

bool tp_predicate_decide(tp_cpa *cpa, tp_loc at) {
  if (tp_predicate_is_decided(cpa, at)) return false;
  tp_map_set(&tp_predicate_of(cpa)->decided, at.id, 1);
  return true;
}

size_t tp_predicate_n(const tp_cpa *cpa) { return tp_predicate_of(cpa)->n_used; }

static int by_key(const void *a, const void *b) {
  const tp_map_entry *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

void tp_predicate_each(const tp_cpa *cpa,
                       void (*visit)(void *ctx, tp_loc at, tp_func func, tp_term predicate),
                       void *ctx) {
  const tp_predicate *self = tp_predicate_of(cpa);
  size_t n = self->used_at.n;
  tp_map_entry *places = TP_NEW_ARRAY(tp_map_entry, n + 1);
  if (n) memcpy(places, self->used_at.entries, n * sizeof *places);
  qsort(places, n, sizeof *places, by_key);
  for (size_t i = 0; i < n; i++) {
    place_kind kind = (place_kind)(places[i].key >> 32);
    uint32_t number = (uint32_t)places[i].key;
    const tp_predicate_list *list = &self->lists.at[places[i].value];
    for (size_t k = 0; k < list->n; k++)
      visit(ctx, (tp_loc){kind == FOR_LOCATION ? number : 0},
            (tp_func){kind == FOR_FUNCTION ? number : 0}, self->meaning.at[list->at[k]]);
  }
  tp_free(places);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool has(tp_transferred transferred, uint32_t number) {
  return transferred.n &&
         bsearch(&number, transferred.at, transferred.n, sizeof *transferred.at, by_number);
}

static void append(const tp_predicate *self, const tp_predicate_list *from, tp_context context,
                   tp_transferred transferred, tp_predicate_list *out) {
  for (size_t i = 0; from && i < from->n; i++) {
    bool is_used = self->preds.at[from->at[i]].is_named || has(transferred, from->at[i]);
    bool known = !is_used || !tp_predicate_in_scope(self, from->at[i], context);
    for (size_t k = 0; k < out->n && !known; k++) known = out->at[k] == from->at[i];
    if (!known) tp_vec_push(out, from->at[i]);
  }
}

void tp_predicate_collect(tp_predicate *self, tp_loc at, tp_context context,
                          tp_transferred transferred, tp_predicate_list *out) {
  TP_REQUIRE(at.id && context.id);
  append(self, list_at(self, FOR_PROGRAM, 0), context, transferred, out);
  append(self, list_at(self, FOR_FUNCTION, tp_loc_of(self->p, at)->func.id), context, transferred,
         out);
  append(self, list_at(self, FOR_LOCATION, at.id), context, transferred, out);
}

// ----------------------------------------------------------------------- taken

tp_transferred tp_predicate_transferred_of(tp_predicate *self, const tp_predicate_list *numbers) {
  uint32_t *at = tp_arena_array(&self->cpa->arena, uint32_t, numbers->n + 1);
  size_t n = 0;
  for (size_t i = 0; i < numbers->n; i++) at[i] = numbers->at[i];
  qsort(at, numbers->n, sizeof *at, by_number);
  for (size_t i = 0; i < numbers->n; i++)
    if (n == 0 || at[n - 1] != at[i]) at[n++] = at[i];
  return (tp_transferred){at, n};
}

/* One of them where it contains the other. */
tp_transferred tp_predicate_transferred_to_both(tp_predicate *self, tp_transferred a,
                                                tp_transferred b) {
  tp_predicate_list both = {0};
  size_t common = 0;
  for (size_t i = 0; i < b.n; i++) common += has(a, b.at[i]);
  if (common == b.n) return a;
  if (common == a.n) return b;
  for (size_t i = 0; i < a.n; i++) tp_vec_push(&both, a.at[i]);
  for (size_t i = 0; i < b.n; i++) tp_vec_push(&both, b.at[i]);
  tp_transferred united = tp_predicate_transferred_of(self, &both);
  tp_vec_clear(&both);
  return united;
}

void tp_predicate_use_everywhere(tp_cpa *cpa) {
  tp_predicate *self = tp_predicate_of(cpa);
  for (size_t i = 0; i < self->preds.n; i++) self->preds.at[i].is_named = true;
}

// ------------------------------------------------------------------- conditions

static tp_visit add_atom(void *ctx, tp_term t) {
  tp_predicate *self = ctx;
  tp_term_kind k = tp_kind(self->tt, t);
  if (k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_NOT || k == TP_OP_ITE || k == TP_OP_XOR)
    return TP_VISIT_ARGS;
  (void)tp_predicate_add_for(self->cpa, TP_LOC_NONE, TP_FUNC_NONE, t);
  return TP_VISIT_SKIP_ARGS;
}

/* The atoms of a condition: what stands below and, or, not, and conditionals between truth values.
 */
static void add_atoms(tp_predicate *self, tp_term t) {
  (void)tp_visit_terms(self->tt, t, &(tp_visitor){.ctx = self, .visit = add_atom}, NULL);
}

void tp_predicate_add_conditions(tp_predicate *self) {
  for (uint32_t e = 1; e < self->p->edges.n; e++)
    if (self->p->edges.at[e].kind == TP_E_ASSUME && self->p->edges.at[e].from.id)
      add_atoms(self, self->p->edges.at[e].a);
}

/* Traversals of terms: visits, folds and rewritings over the subterms of a term, each once.
 *
 * A term is a directed acyclic graph that may be a million applications deep and have exponentially
 * many paths. So every traversal has a stack of its own instead of recursion, and a memo: marks by
 * id that belong to one call, or the caller's map, kept between calls.
 *
 * Termination: arguments have smaller ids than the term that uses them, so a stack holds strictly
 * descending chains, and no subterm is computed twice. */
#include "term/term.h"

#include "term/term_priv.h"

#include <stdlib.h>

// ------------------------------------------------------------------------ memo

typedef struct {
  tp_map *map;  // the caller's; NULL: marks
  tp_marks *marks;
} memo;

static memo memo_begin(const tp_terms *tt, tp_term root, tp_map *map) {
  return (memo){map, map ? NULL : tp_marks_begin(tt, root.id)};
}
static void memo_end(const tp_terms *tt, memo *m) {
  if (m->marks) tp_marks_end(tt, m->marks);
}
static bool memo_get(const memo *m, uint32_t id, uint64_t *out) {
  if (m->map) return tp_map_get(m->map, id, out);
  if (m->marks->stamp[id] != m->marks->epoch) return false;
  *out = m->marks->value[id];
  return true;
}
static void memo_set(memo *m, uint32_t id, uint64_t value) {
  if (m->map) {
    tp_map_set(m->map, id, value);
    return;
  }
  m->marks->stamp[id] = m->marks->epoch;
  m->marks->value[id] = value;
}

/* The number of the argument that is pushed as the i-th of n: the last one pushed comes first. */
static uint32_t pushed_as(tp_arg_order order, uint32_t i, uint32_t n) {
  return order == TP_RIGHT_TO_LEFT ? i : n - 1 - i;
}

// ---------------------------------------------------------------------- visits

bool tp_visit_terms(const tp_terms *tt, tp_term t, const tp_visitor *v, tp_map *seen) {
  TP_REQUIRE(t.id <= tt->n && v->visit);
  if (!tp_term_is(t)) return true;
  memo m = memo_begin(tt, t, seen);
  tp_id_list stack = {0};
  bool finished = true;
  uint64_t is_seen;
  tp_vec_push(&stack, t.id);
  while (stack.n && finished) {
    uint32_t id = tp_vec_pop(&stack);
    if (memo_get(&m, id, &is_seen)) continue;
    memo_set(&m, id, 1);
    tp_visit next = v->visit(v->ctx, (tp_term){id});
    finished = next != TP_VISIT_STOP;
    uint32_t n = next == TP_VISIT_ARGS ? tp_n_args(tt, (tp_term){id}) : 0;
    for (uint32_t i = 0; i < n; i++) {
      TP_INVARIANT(tt->arg[id][i] < id);
      tp_vec_push(&stack, tt->arg[id][pushed_as(v->order, i, n)]);
    }
  }
  tp_vec_clear(&stack);
  memo_end(tt, &m);
  return finished;
}

// ----------------------------------------------------------------------- folds

typedef struct {
  uint32_t id;
  bool has_args;  // the values of all its arguments are in the memo
} task;

uint64_t tp_fold_terms(const tp_terms *tt, tp_term t, const tp_folder *f, tp_map *values) {
  TP_REQUIRE(tp_term_is(t) && t.id <= tt->n);
  memo m = memo_begin(tt, t, values);
  TP_VEC(task) stack = {0};
  uint64_t value = 0, args[3];
  tp_vec_push(&stack, (task){t.id, false});
  while (stack.n) {
    task top = tp_vec_pop(&stack);
    if (memo_get(&m, top.id, &value)) continue;
    tp_term at = {top.id};
    if (!top.has_args && f->before && f->before(f->ctx, at, &value)) {
      memo_set(&m, top.id, value);
      continue;
    }
    uint32_t n = tp_n_args(tt, at);
    size_t below = stack.n;
    if (!top.has_args) tp_vec_push(&stack, (task){top.id, true});
    for (uint32_t i = 0; i < n; i++) {
      uint32_t number = pushed_as(f->order, i, n), arg = tt->arg[top.id][number];
      if (!memo_get(&m, arg, &args[number])) tp_vec_push(&stack, (task){arg, false});
    }
    TP_INVARIANT(!top.has_args || stack.n == below);
    if (!top.has_args && stack.n > below + 1) continue;
    stack.n = below;
    value = f->after(f->ctx, at, args);
    memo_set(&m, top.id, value);
  }
  bool known = memo_get(&m, t.id, &value);
  TP_INVARIANT(known);
  (void)known;
  tp_vec_clear(&stack);
  memo_end(tt, &m);
  return value;
}

// ------------------------------------------------------------------ rewritings

tp_term tp_rebuild(tp_terms *tt, tp_term t, const tp_term *args) {
  bool changed = false;
  for (uint32_t i = 0, n = tp_n_args(tt, t); i < n; i++) changed |= args[i].id != tt->arg[t.id][i];
  return changed ? tp_remake(tt, t, args) : t;
}

typedef struct {
  tp_terms *tt;
  const tp_mapper *how;
} mapping;

static bool image_before(void *ctx, tp_term t, uint64_t *image) {
  const mapping *m = ctx;
  *image = m->how->before ? m->how->before(m->how->ctx, t).id : 0;
  return *image != 0;
}

static uint64_t image_after(void *ctx, tp_term t, const uint64_t *images) {
  const mapping *m = ctx;
  tp_term args[3] = {{0}, {0}, {0}};
  for (uint32_t i = 0, n = tp_n_args(m->tt, t); i < n; i++) args[i].id = (uint32_t)images[i];
  tp_term made = tp_rebuild(m->tt, t, args);
  if (m->how->after) made = m->how->after(m->how->ctx, t, made);
  TP_INVARIANT(tp_term_is(made));
  return made.id;
}

tp_term tp_map_terms(tp_terms *tt, tp_term t, const tp_mapper *how, tp_map *images) {
  mapping m = {tt, how};
  tp_folder f = {&m, image_before, image_after, how->order};
  return (tp_term){(uint32_t)tp_fold_terms(tt, t, &f, images)};
}

// ------------------------------------------------------------------ collections

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

void tp_reachable(const tp_terms *tt, const tp_term *roots, size_t n, tp_id_list *out) {
  TP_REQUIRE(n == 0 || tp_is_in_table(tt, roots[0]));
  uint32_t max = 0;
  for (size_t i = 0; i < n; i++)
    if (roots[i].id > max) max = roots[i].id;
  tp_marks *m = tp_marks_begin(tt, max);
  out->n = 0;
  for (size_t i = 0; i < n; i++)
    if (m->stamp[roots[i].id] != m->epoch) {
      m->stamp[roots[i].id] = m->epoch;
      tp_vec_push(out, roots[i].id);
    }
  for (size_t done = 0; done < out->n; done++) {  // out is its own queue
    tp_term t = {out->at[done]};
    for (uint32_t i = 0, k = tp_n_args(tt, t); i < k; i++) {
      uint32_t a = tt->arg[t.id][i];
      if (m->stamp[a] == m->epoch) continue;
      m->stamp[a] = m->epoch;
      tp_vec_push(out, a);
    }
  }
  tp_marks_end(tt, m);
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_id);
}

void tp_collect_terms(const tp_terms *tt, tp_term t, tp_term_test test, void *ctx,
                      tp_term_list *out) {
  tp_id_list ids = {0};
  tp_reachable(tt, &t, 1, &ids);
  for (size_t i = 0; i < ids.n; i++)
    if (test(ctx, tt, (tp_term){ids.at[i]})) tp_vec_push(out, (tp_term){ids.at[i]});
  tp_vec_clear(&ids);
}

void tp_for_vars(const tp_terms *tt, tp_term t, void (*see)(void *ctx, tp_term var), void *ctx) {
  tp_id_list ids = {0};
  tp_reachable(tt, &t, 1, &ids);
  for (size_t i = 0; i < ids.n; i++)  // ids of variables ascend with their indexes
    if (tt->kind[ids.at[i]] == TP_OP_VAR) see(ctx, (tp_term){ids.at[i]});
  tp_vec_clear(&ids);
}

size_t tp_dag_size(const tp_terms *tt, tp_term t) {
  tp_id_list ids = {0};
  tp_reachable(tt, &t, 1, &ids);
  size_t n = ids.n;
  tp_vec_clear(&ids);
  return n;
}

// -------------------------------------------------------------------- questions

typedef struct {
  const tp_terms *tt;
  tp_term_test test;
  void *ctx;
} tested;
static tp_visit stop_where_true(void *ctx, tp_term t) {
  const tested *x = ctx;
  return x->test(x->ctx, x->tt, t) ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

bool tp_any_subterm(const tp_terms *tt, tp_term t, tp_term_test test, void *ctx) {
  tested x = {tt, test, ctx};
  return !tp_visit_terms(tt, t, &(tp_visitor){.ctx = &x, .visit = stop_where_true}, NULL);
}

static tp_visit stop_at(void *ctx, tp_term t) {
  const tp_term *part = ctx;
  if (tp_term_eq(t, *part)) return TP_VISIT_STOP;
  return t.id < part->id ? TP_VISIT_SKIP_ARGS : TP_VISIT_ARGS;  // arguments have smaller ids
}

bool tp_occurs(const tp_terms *tt, tp_term part, tp_term t) {
  TP_REQUIRE(tp_term_is(part));
  return !tp_visit_terms(tt, t, &(tp_visitor){.ctx = &part, .visit = stop_at}, NULL);
}

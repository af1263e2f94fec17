/* Reads through stores.
 *
 * Two kinds of tasks on one stack: make a term flat, and read an array (not flattened itself) at a
 * flat index. A task whose needs are not known yet pushes them and stays; terms are acyclic, so
 * this ends. */
#include "formula/flatten.h"

typedef struct {
  tp_term t;      // term or array
  tp_term index;  // flat; NONE: make t flat
} task;

typedef struct {
  tp_flattener *f;
  tp_terms *tt;
  TP_VEC(task) stack;
} walk;

void tp_flattener_clear(tp_flattener *f) {
  tp_map_clear(&f->terms);
  tp_map_clear(&f->reads);
}

static bool is_array(const walk *w, tp_term t) {
  return tp_sort_kind_of(w->tt, tp_sort_of(w->tt, t)) == TP_SORT_ARRAY;
}

/* The flat form if known; else a task for it is pushed and NONE returned. */
static tp_term flat(walk *w, tp_term t) {
  uint64_t id;
  if (tp_n_args(w->tt, t) == 0) return t;
  if (tp_map_get(&w->f->terms, t.id, &id)) return (tp_term){(uint32_t)id};
  tp_vec_push(&w->stack, (task){t, TP_TERM_NONE});
  return TP_TERM_NONE;
}

static uint64_t read_key(tp_term array, tp_term index) {
  return (uint64_t)array.id << 32 | index.id;
}

static tp_term read(walk *w, tp_term array, tp_term index) {
  uint64_t id;
  if (tp_map_get(&w->f->reads, read_key(array, index), &id)) return (tp_term){(uint32_t)id};
  if (tp_kind(w->tt, array) == TP_OP_CONST_ARRAY) return flat(w, tp_arg(w->tt, array, 0));
  if (tp_kind(w->tt, array) != TP_OP_STORE && tp_kind(w->tt, array) != TP_OP_ITE)
    return tp_mk2(w->tt, TP_OP_SELECT, array, index);
  tp_vec_push(&w->stack, (task){array, index});
  return TP_TERM_NONE;
}

/* STORE: the stored value where the indices agree. */
static tp_term read_store(walk *w, tp_term array, tp_term index) {
  tp_term at = flat(w, tp_arg(w->tt, array, 1));
  if (!tp_term_is(at)) return at;
  tp_term same = tp_mk_eq(w->tt, at, index);
  if (tp_is_false(w->tt, same)) return read(w, tp_arg(w->tt, array, 0), index);
  tp_term value = flat(w, tp_arg(w->tt, array, 2));
  if (!tp_term_is(value) || tp_is_true(w->tt, same)) return value;
  tp_term below = read(w, tp_arg(w->tt, array, 0), index);
  return tp_term_is(below) ? tp_mk_ite(w->tt, same, value, below) : below;
}

static tp_term read_ite(walk *w, tp_term array, tp_term index) {
  tp_term c = flat(w, tp_arg(w->tt, array, 0));
  if (!tp_term_is(c)) return c;
  tp_term a = read(w, tp_arg(w->tt, array, 1), index);
  if (!tp_term_is(a)) return a;
  tp_term b = read(w, tp_arg(w->tt, array, 2), index);
  return tp_term_is(b) ? tp_mk_ite(w->tt, c, a, b) : b;
}

static tp_term make_flat(walk *w, tp_term t) {
  tp_term args[3] = {{0}, {0}, {0}};
  bool ready = true;
  if (tp_kind(w->tt, t) == TP_OP_SELECT && is_array(w, tp_arg(w->tt, t, 0))) {
    tp_term index = flat(w, tp_arg(w->tt, t, 1));
    return tp_term_is(index) ? read(w, tp_arg(w->tt, t, 0), index) : index;
  }
  for (uint32_t i = 0; i < tp_n_args(w->tt, t); i++) {
    args[i] = flat(w, tp_arg(w->tt, t, i));
    ready &= tp_term_is(args[i]);
  }
  return ready ? tp_remake(w->tt, t, args) : TP_TERM_NONE;
}

static tp_sort sort_of_task(const walk *w, task job) {
  tp_sort sort = tp_sort_of(w->tt, job.t);
  return tp_term_is(job.index) ? tp_sort_element(w->tt, sort) : sort;
}

static void run_task(walk *w, task job) {
  size_t before = w->stack.n;
  tp_term answer;
  if (!tp_term_is(job.index))
    answer = make_flat(w, job.t);
  else if (tp_kind(w->tt, job.t) == TP_OP_STORE)
    answer = read_store(w, job.t, job.index);
  else
    answer = read_ite(w, job.t, job.index);
  if (!tp_term_is(answer)) return;
  TP_INVARIANT(tp_sort_eq(tp_sort_of(w->tt, answer), sort_of_task(w, job)));
  w->stack.n = before - 1;  // needs that were pushed in vain go with it
  if (tp_term_is(job.index))
    tp_map_set(&w->f->reads, read_key(job.t, job.index), answer.id);
  else
    tp_map_set(&w->f->terms, job.t.id, answer.id);
}

tp_term tp_flatten(tp_flattener *f, tp_terms *tt, tp_term t, size_t limit) {
  walk w = {.f = f, .tt = tt};
  size_t start = f->reads.n;
  tp_term answer = flat(&w, t);
  while (w.stack.n && f->reads.n - start < limit) run_task(&w, tp_vec_last(&w.stack));
  bool done = w.stack.n == 0;
  tp_vec_clear(&w.stack);
  if (tp_term_is(answer)) return answer;
  return done ? flat(&w, t) : t;
}

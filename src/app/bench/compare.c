/* Rows of both runs in memory, sorted as the store gives them, then one pass. */
#include "app/bench/compare.h"

#include "app/app_limits.h"

typedef struct {
  const char *task, *property, *verdict, *grade;
  double cpu_s;
} entry;
typedef TP_VEC(entry) entry_list;

typedef struct {
  tp_arena arena;
  entry_list list;
} side;

static void add_entry(void *ctx, const tp_bench_row *row) {
  side *s = ctx;
  tp_vec_push(&s->list, ((entry){.task = tp_arena_strdup(&s->arena, row->task),
                                 .property = tp_arena_strdup(&s->arena, row->property),
                                 .verdict = tp_arena_strdup(&s->arena, row->verdict),
                                 .grade = tp_arena_strdup(&s->arena, row->grade),
                                 .cpu_s = row->cpu_s}));
}

static bool is_grade(const entry *e, const char *grade) { return strcmp(e->grade, grade) == 0; }
static bool is_decided(const entry *e) {
  return strncmp(e->verdict, "true", 4) == 0 || strncmp(e->verdict, "false", 5) == 0;
}

/* The class of a task: its folder's name. */
static const char *class_of(const entry *e, size_t *n) {
  const char *end = strrchr(e->task, '/');
  if (!end) return *n = 1, ".";
  const char *start = end;
  while (start > e->task && start[-1] != '/') start--;
  *n = (size_t)(end - start);
  return start;
}

typedef struct {
  const char *name;
  size_t n_name, n_tasks;
  double cpu_a, cpu_b;
} class_sum;
typedef TP_VEC(class_sum) class_list;

static void add_to_class(class_list *classes, const entry *a, const entry *b) {
  size_t n;
  const char *name = class_of(a, &n);
  class_sum *c = NULL;
  for (size_t i = 0; i < classes->n && !c; i++)
    if (classes->at[i].n_name == n && strncmp(classes->at[i].name, name, n) == 0)
      c = &classes->at[i];
  if (!c) {
    tp_vec_push(classes, ((class_sum){.name = name, .n_name = n}));
    c = &classes->at[classes->n - 1];
  }
  c->n_tasks++;
  c->cpu_a += a->cpu_s;
  c->cpu_b += b->cpu_s;
}

static void add_line(const char *what, const entry *a, const entry *b, tp_str *out) {
  tp_str_printf(out, "%-10s %s, %s: %s -> %s (%.2f s -> %.2f s)\n", what, a->task, a->property,
                a->verdict, b->verdict, a->cpu_s, b->cpu_s);
}

static int order(const entry *a, const entry *b) {
  const int by_task = strcmp(a->task, b->task);
  return by_task ? by_task : strcmp(a->property, b->property);
}

static void compare_one(const entry *a, const entry *b, class_list *classes, tp_bench_comparison *c,
                        tp_str *out) {
  TP_REQUIRE(order(a, b) == 0);
  c->n_common++;
  if (is_grade(b, "wrong") && !is_grade(a, "wrong")) {
    c->n_new_wrong++;
    add_line("NEW WRONG", a, b, out);
  } else if (is_decided(a) && !is_decided(b)) {
    c->n_lost++;
    add_line("lost", a, b, out);
  } else if (!is_decided(a) && is_decided(b)) {
    c->n_gained++;
    add_line("gained", a, b, out);
  } else if (is_decided(a) && strcmp(a->verdict, b->verdict) == 0) {
    const double least = a->cpu_s < b->cpu_s ? a->cpu_s : b->cpu_s,
                 most = a->cpu_s < b->cpu_s ? b->cpu_s : a->cpu_s;
    c->cpu_a += a->cpu_s;
    c->cpu_b += b->cpu_s;
    add_to_class(classes, a, b);
    if (most - least < TP_APP_BENCH_NOTABLE_S || most < TP_APP_BENCH_NOTABLE_RATIO * least) return;
    const bool is_faster = b->cpu_s < a->cpu_s;
    c->n_faster += is_faster;
    c->n_slower += !is_faster;
    add_line(is_faster ? "faster" : "slower", a, b, out);
  }
}

static void add_classes(const class_list *classes, tp_bench_comparison *c, tp_str *out) {
  for (size_t i = 0; i < classes->n; i++) {
    const class_sum *k = &classes->at[i];
    const double ratio = k->cpu_a > 0 ? k->cpu_b / k->cpu_a : 1;
    tp_str_printf(out, "class %-30.*s %4zu tasks  %8.2f s -> %8.2f s  %5.2f\n", (int)k->n_name,
                  k->name, k->n_tasks, k->cpu_a, k->cpu_b, ratio);
    // a class of a moment says nothing: what is measured is the machine
    if (k->cpu_a >= TP_APP_BENCH_CLASS_S && ratio > c->worst_ratio) c->worst_ratio = ratio;
  }
}

tp_bench_comparison tp_bench_compare(tp_bench_store *a, const char *label_a, tp_bench_store *b,
                                     const char *label_b, tp_str *out) {
  TP_REQUIRE(a && b && label_a && label_b && out);
  side x = {0}, y = {0};
  tp_bench_comparison c = {0};
  class_list classes = {0};
  tp_bench_store_each(a, label_a, add_entry, &x);
  tp_bench_store_each(b, label_b, add_entry, &y);
  for (size_t i = 0, k = 0; i < x.list.n || k < y.list.n;) {
    const int which = i == x.list.n ? 1 : k == y.list.n ? -1 : order(&x.list.at[i], &y.list.at[k]);
    if (which == 0) compare_one(&x.list.at[i], &y.list.at[k], &classes, &c, out);
    c.n_only_a += which < 0;
    c.n_only_b += which > 0;
    i += which <= 0;
    k += which >= 0;
  }
  add_classes(&classes, &c, out);
  tp_str_printf(out,
                "%zu tasks in both (%zu only in the first, %zu only in the second): %zu new wrong, "
                "%zu lost, %zu gained, %zu faster, %zu slower; CPU of what both decided %.2f s -> "
                "%.2f s\n",
                c.n_common, c.n_only_a, c.n_only_b, c.n_new_wrong, c.n_lost, c.n_gained, c.n_faster,
                c.n_slower, c.cpu_a, c.cpu_b);
  tp_vec_clear(&classes);
  tp_vec_clear(&x.list);
  tp_vec_clear(&y.list);
  tp_arena_clear(&x.arena);
  tp_arena_clear(&y.arena);
  return c;
}
